//! The headline panel: cost of a position, one bar per design, from fast to slow.

use raywalk_judge::format::{NONE, certain, cost, interval, panel as name_of, ratio};
use raywalk_judge::summary::PanelSummary;

use super::canvas::{Anchor, Canvas, Frame, WIDTH, at, clipped, linear, width};
use super::figure::Figure;
use super::scale::{even_ticks, tick};
use crate::palette::Ink;
use crate::table::{Cell, Table};
use crate::view::{Metric, View};

const ROW: i32 = 24;

/// Bars begin at zero, so that their lengths are proportional to the costs.
pub(crate) fn figure(view: View<'_>) -> Option<Figure> {
    let panel = view.judged.headline()?;
    let metric = Metric::of([panel]);
    let (first, last) = (panel.rows.first()?, panel.rows.last()?);
    let (least, most) = ((metric.per_position)(first)?, (metric.per_position)(last)?);
    let finding = format!(
        "{} needs {} per position, {} needs {}: a factor of {} within one workload.",
        first.name,
        metric.format(least, first),
        last.name,
        metric.format(most, last),
        cost(most / least),
    );
    let mut canvas = Canvas::new(panel.rows.len() as i32 * ROW + 66);
    paint(&mut canvas, view, panel, metric);
    Some(Figure {
        id: format!("{}ranking", view.prefix),
        title: format!("Cost of a position: {}", name_of(&panel.panel)),
        finding,
        canvas,
        numbers: numbers(view, panel, metric),
    })
}

fn paint(canvas: &mut Canvas, view: View<'_>, panel: &PanelSummary, metric: Metric) {
    let costs: Vec<f64> = panel.rows.iter().filter_map(|row| (metric.per_position)(row)).collect();
    let most = costs.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let frame = Frame { x: 236..WIDTH - 150, y: 10..canvas.height() - 44 };
    let range = 0.0..most;
    let axes = linear(range.clone(), 0.0..1.0, &frame);
    let place = |value: f64| at(&axes, value, 0.0).0;
    for value in even_ticks(&range, 6) {
        frame.down(canvas, place(value), &tick(value));
    }
    let name = format!("{} per position · ratio to the baseline", metric.long);
    frame.name_below(canvas, &name);
    for (number, (row, &value)) in panel.rows.iter().zip(&costs).enumerate() {
        let y = frame.y.start + number as i32 * ROW + ROW / 2;
        let ink = view.keys.ink(&row.id);
        let label = clipped(&row.name, 27);
        let text = view.keys.paint(&row.id, Ink::Text);
        canvas.text((frame.x.start - 28, y), Anchor::Left, text, &label);
        canvas.marker((frame.x.start - 15, y), view.keys.shape(&row.id), ink);
        let end = place(value).max(frame.x.start + 1);
        canvas.fill(frame.x.start..end, y - 6..y + 6, ink);
        let value = certain(value, row.half_width, cost);
        let ratio = format!("{value} · ×{}", ratio(row.ratio, row.interval));
        let right = (end + 8).min(WIDTH - width(&ratio) - 2);
        canvas.text((right, y), Anchor::Right, text, &ratio);
    }
    frame.axes(canvas);
}

fn numbers(view: View<'_>, panel: &PanelSummary, metric: Metric) -> Table {
    let caption = format!("Numbers of the plot: {}, per position", metric.long);
    let mut table = Table::new(caption, &["Design", "Cost", "Ratio", "Interval"]);
    for row in &panel.rows {
        let value = (metric.per_position)(row);
        table.design(
            view.keys,
            &row.id,
            &row.name,
            vec![
                Cell::number(value, |value| certain(value, row.half_width, cost)),
                Cell::number(Some(row.ratio), |value| ratio(value, row.interval)),
                Cell::text(row.interval.map_or_else(|_| NONE.to_owned(), interval)),
            ],
        );
    }
    table
}
