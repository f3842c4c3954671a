//! The spread: one dot for each process of each design, grouped by layout.
//!
//! A dot is how far one process is from the others on the same roots. The dots of one layout form a row. If
//! the rows of a design differ, its speed depends on the addresses of its code; if the dots within a row
//! differ, on those of stack and heap.

use raywalk_judge::format::{panel as name_of, percent, plural, ratio, spread as spread_of};
use raywalk_judge::spread::Deviation;
use raywalk_judge::summary::{PanelSummary, Row};
use raywalk_results::schema::Provenance;

use super::canvas::{Canvas, Layer, at, linear};
use super::figure::{Figure, of_panel};
use super::narrow::{drawn, foot, head, note};
use super::rows::{Margins, Rows};
use super::scale::{even_ticks, share_of};
use crate::label::About;
use crate::palette::Ink;
use crate::table::{Cell, Table};
use crate::view::View;

const MARGINS: Margins = Margins { left: 220, right: 150, row: 40 };

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

/// `None` if no design has a spread, which takes two processes.
pub(crate) fn figure(view: View<'_>) -> Option<Figure> {
    let panel = view.judged.headline()?;
    let others = panel.rows.iter().filter(|row| row.id != panel.panel.baseline);
    let strips: Vec<Strip<'_>> = others.filter_map(Strip::of).collect();
    let finding = finding(&strips)?;
    Some(Figure {
        id: "spread-plot".to_owned(),
        title: format!("Spread over processes: {}", name_of(&panel.panel)),
        finding: of_panel(view, panel, &finding),
        canvas: paint(Canvas::new(0), view, &strips),
        narrow: paint(Canvas::narrow(), view, &strips),
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

fn paint(mut canvas: Canvas, view: View<'_>, all: &[Strip<'_>]) -> Canvas {
    let strips = drawn(view, all, |strip| &strip.row.id);
    let reach = |strip: &&Strip<'_>| strip.farthest().max(strip.bound);
    let most = 1.08 * strips.iter().map(reach).fold(0.002, f64::max);
    let legend = "dot: one process; row of dots: one layout; band: two standard deviations at their upper bounds";
    let top = head(&mut canvas, legend);
    let rows = Rows::new(&mut canvas, top, strips.len(), &MARGINS);
    let frame = &rows.frame;
    let axes = linear(-most..most, 0.0..1.0, frame);
    let place = |departure: f64| at(&axes, departure, 0.0).0;
    rows.stripes(&mut canvas);
    for (number, strip) in strips.iter().enumerate() {
        let band = place(-strip.bound)..place(strip.bound).max(place(-strip.bound) + 1);
        let lane = rows.lane(number);
        canvas.on(Layer::Under, |canvas| {
            canvas.cell(number, view.keys.owner(&strip.row.id), |canvas| {
                canvas.fill(band, lane.start + 2..lane.end - 2, Ink::Band);
            });
        });
    }
    // Equal steps of the percentage that the axis shows; its logarithm is nearly linear here.
    let steps = if canvas.is_narrow() { 5 } else { 7 };
    for share in even_ticks(&((-most).exp_m1()..most.exp_m1()), steps) {
        let sign = if share > 1e-9 { "+" } else { "" };
        let label = format!("{sign}{}", share_of(share));
        frame.down(&mut canvas, place(share.ln_1p()), &label);
    }
    for (number, strip) in strips.iter().enumerate() {
        let lane = rows.lane(number);
        let ink = view.keys.ink(&strip.row.id);
        let mut layouts: Vec<Option<u64>> = strip.dots.iter().map(|(layout, _)| *layout).collect();
        layouts.dedup();
        let dot = |(layout, departure): &(Option<u64>, f64)| {
            let row = layouts.iter().position(|one| one == layout).unwrap_or(0) as i32;
            let step = (MARGINS.row - 10) / layouts.len().max(1) as i32;
            (place(*departure), lane.start + 5 + step / 2 + row * step)
        };
        let [name, value] = [Ink::Text, Ink::Muted].map(|ink| view.keys.paint(&strip.row.id, ink));
        let label = |most| view.keys.label(&strip.row.id, most);
        let spread = spread_of(&strip.row.spread);
        canvas.cell(number, view.keys.owner(&strip.row.id), |canvas| {
            let says = format!("{}: spread {spread}", strip.row.name);
            canvas.say(&says, |canvas| canvas.dots(strip.dots.iter().map(dot), 3, ink));
            rows.name(canvas, number, (name, label), (value, &spread));
        });
    }
    let zero = [(place(0.0), frame.y.start), (place(0.0), frame.y.end)];
    canvas.on(Layer::Tall, |canvas| canvas.line(zero, Ink::Axis, 1));
    frame.axes(&mut canvas);
    let name =
        "ratio to the baseline in one process, relative to the other processes on the same roots";
    foot(&mut canvas, frame, name, note(strips.len(), all.len()).as_deref());
    canvas
}

fn numbers(view: View<'_>, panel: &PanelSummary, strips: &[Strip<'_>]) -> Table {
    let processes = strips.iter().map(|strip| strip.dots.len()).max().unwrap_or(0);
    let caption = format!(
        "Numbers of the plot: standard deviations of the ratio in {}, estimated and at their upper bounds of \
         80 %, and the largest effect of one process ({processes} processes)",
        plural(panel.rounds, "round"),
    );
    let mut table = Table::new(
        view.label(caption, Provenance::Measured.name(), About::Panel(&panel.panel)),
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
