//! The spread: one dot for each process of each design, grouped by layout.
//!
//! A dot is how far one process is from the others on the same roots. The dots of one layout form a row. If
//! the rows of a design differ, its speed depends on the addresses of its code; if the dots within a row
//! differ, on those of stack and heap.

use raywalk_judge::format::{panel as name_of, percent, plural, ratio, spread as spread_of};
use raywalk_judge::spread::Deviation;
use raywalk_judge::summary::{PanelSummary, Row};

use super::canvas::{Anchor, Canvas, Frame, WIDTH, at, linear};
use super::figure::Figure;
use super::scale::{even_ticks, share_of};
use crate::palette::Ink;
use crate::table::{Cell, Table};
use crate::view::View;

const LANE: i32 = 40;

struct Strip<'a> {
    row: &'a Row,
    /// Layout, and ln of the effect of a process, layout by layout.
    dots: Vec<(Option<u64>, f64)>,
    /// Two standard deviations of ln of the ratio, at their upper bounds.
    bound: f64,
}

impl<'a> Strip<'a> {
    fn of(row: &'a Row) -> Option<Strip<'a>> {
        let effects = &row.spread.effects;
        let dots = effects.iter().map(|effect| (effect.layout, effect.log)).collect();
        Some(Strip { row, dots, bound: row.spread.bound()?.log })
    }

    fn farthest(&self) -> f64 {
        self.dots.iter().fold(0.0, |most, (_, dot)| most.max(dot.abs()))
    }
}

/// Needs two processes.
pub(crate) fn figure(view: View<'_>) -> Option<Figure> {
    let panel = view.judged.headline()?;
    let others = panel.rows.iter().filter(|row| row.id != panel.panel.baseline);
    let strips: Vec<Strip<'_>> = others.filter_map(Strip::of).collect();
    let finding = finding(&strips)?;
    let mut canvas = Canvas::new(strips.len() as i32 * LANE + 92);
    paint(&mut canvas, view, &strips);
    Some(Figure {
        id: format!("{}spread-plot", view.prefix),
        title: format!("Spread over processes: {}", name_of(&panel.panel)),
        finding,
        canvas,
        narrow: None,
        numbers: numbers(view, panel, &strips),
    })
}

/// The design whose ratio spreads most, and over what.
fn finding(strips: &[Strip<'_>]) -> Option<String> {
    let widest = strips.iter().max_by(|one, other| one.bound.total_cmp(&other.bound))?;
    let over = widest.row.spread.bound()?.over.label();
    Some(format!(
        "The ratio of {} may differ most between {over}, by {}. An effect smaller than its spread is not \
         reported as a difference.",
        widest.row.name,
        percent(widest.bound.exp_m1()),
    ))
}

fn paint(canvas: &mut Canvas, view: View<'_>, strips: &[Strip<'_>]) {
    let reach = |strip: &Strip<'_>| strip.farthest().max(strip.bound);
    let most = 1.08 * strips.iter().map(reach).fold(0.002, f64::max);
    let frame = Frame { x: 220..WIDTH - 150, y: 40..canvas.height() - 48 };
    let range = -most..most;
    let axes = linear(range.clone(), 0.0..1.0, &frame);
    let place = |departure: f64| at(&axes, departure, 0.0).0;
    let legend = "dot: one process; row of dots: one layout; band: two standard deviations at their upper bounds";
    canvas.text((8, 16), Anchor::Right, Ink::Muted, legend);
    for (number, strip) in strips.iter().enumerate() {
        let top = frame.y.start + number as i32 * LANE;
        if number % 2 == 0 {
            canvas.fill(0..WIDTH, top..top + LANE, Ink::Stripe);
        }
        let band = place(-strip.bound)..place(strip.bound).max(place(-strip.bound) + 1);
        canvas.fill(band, top + 2..top + LANE - 2, Ink::Band);
    }
    // Equal steps of the percentage that the axis shows; its logarithm is nearly linear here.
    for share in even_ticks(&((-most).exp_m1()..most.exp_m1()), 7) {
        let sign = if share > 1e-9 { "+" } else { "" };
        let label = format!("{sign}{}", share_of(share));
        frame.down(canvas, place(share.ln_1p()), &label);
    }
    for (number, strip) in strips.iter().enumerate() {
        let top = frame.y.start + number as i32 * LANE;
        let middle = top + LANE / 2;
        let ink = view.keys.ink(&strip.row.id);
        let mut layouts: Vec<Option<u64>> = strip.dots.iter().map(|(layout, _)| *layout).collect();
        layouts.dedup();
        let dot = |(layout, departure): &(Option<u64>, f64)| {
            let row = layouts.iter().position(|one| one == layout).unwrap_or(0) as i32;
            let step = (LANE - 10) / layouts.len().max(1) as i32;
            (place(*departure), top + 5 + step / 2 + row * step)
        };
        canvas.dots(strip.dots.iter().map(dot), 3, ink);
        let [name, value] = [Ink::Text, Ink::Muted].map(|ink| view.keys.paint(&strip.row.id, ink));
        let label = view.keys.label(&strip.row.id, 27);
        canvas.text((frame.x.start - 12, middle), Anchor::Left, name, &label);
        let spread = spread_of(&strip.row.spread);
        canvas.text((frame.x.end + 10, middle), Anchor::Right, value, &spread);
    }
    let zero = place(0.0);
    canvas.line([(zero, frame.y.start), (zero, frame.y.end)], Ink::Axis, 1);
    frame.axes(canvas);
    let name =
        "ratio to the baseline in one process, relative to the other processes on the same roots";
    frame.name_below(canvas, name);
}

fn numbers(view: View<'_>, panel: &PanelSummary, strips: &[Strip<'_>]) -> Table {
    let processes = strips.iter().map(|strip| strip.dots.len()).max().unwrap_or(0);
    let caption = format!(
        "Numbers of the plot: standard deviations of the ratio in {}, estimated and at their upper bounds of \
         80 %, and the largest effect of one process ({processes} processes)",
        plural(panel.rounds, "round"),
    );
    let mut table = Table::new(
        caption,
        &[
            "Design",
            "Ratio",
            "Layouts",
            "at most",
            "Processes",
            "at most",
            "Farthest process",
            "Spread",
        ],
    );
    for strip in strips {
        let row = strip.row;
        let cell = |one: Option<Deviation>, part: fn(Deviation) -> f64| {
            Cell::number(one.map(part).map(f64::exp_m1), percent)
        };
        table.design(
            view.keys,
            &row.id,
            &row.name,
            vec![
                Cell::number(Some(row.ratio), |value| ratio(value, row.interval)),
                cell(row.spread.layouts, |one| one.estimate),
                cell(row.spread.layouts, |one| one.upper),
                cell(row.spread.processes, |one| one.estimate),
                cell(row.spread.processes, |one| one.upper),
                Cell::number(Some(strip.farthest().exp_m1()), |far| format!("±{}", percent(far))),
                Cell::text(spread_of(&row.spread)).on_one_line(),
            ],
        );
    }
    table
}
