//! The headline: what a position costs, one bar per design, from fast to slow.

use crate::page::table::{Cell, Table};
use crate::statistics::factor;
use crate::summary::{PanelSummary, headline};
use crate::wording::{NONE, cost, ends, panel as said};

use super::canvas::{Anchor, Canvas, Drawn, Frame, at, clipped, draw, even, width};
use super::palette::Ink;
use super::scale::{even_ticks, tick};
use super::{Figure, Metric, View, WIDTH};

const ROW: i32 = 24;

/// Bars begin at zero, so their lengths may be compared.
pub fn figure(view: View<'_>) -> Option<Figure> {
    let panel = headline(view.panels)?;
    let metric = Metric::of([panel]);
    let (first, last) = (panel.rows.first()?, panel.rows.last()?);
    let (least, most) = (metric.position(first)?.median, metric.position(last)?.median);
    let see = format!(
        "{} needs {} per position, {} needs {}: a factor of {} within one workload.",
        first.name,
        metric.said(least),
        last.name,
        metric.said(most),
        cost(most / least),
    );
    let title = format!("What a position costs: {}", said(&panel.panel));
    let height = panel.rows.len() as i32 * ROW + 66;
    let size = (WIDTH, height as u32);
    let drawn = draw(size, |canvas| paint(canvas, view, panel, metric, height));
    let id = format!("{}ranking", view.prefix);
    Some(Figure::new(id, title, see, numbers(view, panel, metric), size, drawn))
}

fn paint(
    canvas: &Canvas<'_>,
    view: View<'_>,
    panel: &PanelSummary,
    metric: Metric,
    height: i32,
) -> Drawn {
    let costs: Vec<f64> =
        panel.rows.iter().filter_map(|row| Some(metric.position(row)?.median)).collect();
    let most = costs.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let frame = Frame { x: 236..WIDTH as i32 - 150, y: 10..height - 44 };
    let range = 0.0..most;
    let axes = even(range.clone(), 0.0..1.0, &frame);
    let place = |value: f64| at(&axes, value, 0.0).0;
    for value in even_ticks(&range, 6) {
        frame.down(canvas, place(value), &tick(value))?;
    }
    let middle = (frame.x.start + frame.x.end) / 2;
    let name = format!("median {} per position · ratio to the baseline", metric.long());
    canvas.words((middle, height - 10), Anchor::Centre, Ink::Muted, &name)?;
    for (number, (row, &value)) in panel.rows.iter().zip(&costs).enumerate() {
        let y = frame.y.start + number as i32 * ROW + ROW / 2;
        let ink = view.keys.ink(&row.id);
        let label = clipped(&row.name, 27);
        let words = Ink::Text.owned_by(view.keys.get(&row.id));
        canvas.words((frame.x.start - 28, y), Anchor::Left, words, &label)?;
        canvas.marker((frame.x.start - 15, y), view.keys.shape(&row.id), ink)?;
        let end = place(value).max(frame.x.start + 1);
        canvas.fill(frame.x.start..end, y - 6..y + 6, ink)?;
        let ratio = format!("{} · ×{}", cost(value), factor(row.ratio));
        let right = (end + 8).min(WIDTH as i32 - width(&ratio) - 2);
        canvas.words((right, y), Anchor::Right, words, &ratio)?;
    }
    frame.axes(canvas)
}

fn numbers(view: View<'_>, panel: &PanelSummary, metric: Metric) -> Table {
    let caption = format!("Numbers of the plot: {}, per position", metric.long());
    let mut table = Table::new(caption, &["Design", "Median", "Least", "Ratio", "Interval"]);
    for row in &panel.rows {
        let value = metric.position(row);
        table.design(
            view.keys,
            &row.id,
            &row.name,
            vec![
                Cell::number(value.map(|value| value.median), cost),
                Cell::number(value.map(|value| value.minimum), cost),
                Cell::number(Some(row.ratio), factor),
                Cell::text(row.interval.map_or_else(|_| NONE.to_owned(), ends)),
            ],
        );
    }
    table
}
