//! Learning curves: cycles over K as measured, and as the modelled mispredictions predict them.

use raywalk_judge::format::{NONE, cost, grouped};
use raywalk_results::schema::{Fit, FittedDesign, SweepLine};

use super::canvas::{Anchor, Canvas, Flow, Frame, at, fitting, log_log};
use super::figure::Figure;
use super::fitted::PROVENANCE;
use super::narrow::head;
use super::scale::log_range;
use crate::label::{About, workloads};
use crate::palette::Ink;
use crate::table::{Cell, Table};
use crate::view::View;

const CELL: i32 = 180;

/// One small plot for each design of the fit; needs a fit.
pub(crate) fn figure(view: View<'_>) -> Option<Figure> {
    let fit = view.judged.results.fit.as_ref()?;
    let designs: Vec<(&FittedDesign, &SweepLine)> = fit
        .designs
        .iter()
        .filter_map(|design| Some((design, design.lines.first()?.as_ref()?)))
        .collect();
    Some(Figure {
        id: "learning".to_owned(),
        title: "Learning: cycles of learnt runs of K, measured and modelled".to_owned(),
        finding: finding(view, &designs)?,
        canvas: paint(Canvas::new(0), view, &designs),
        narrow: paint(Canvas::narrow(), view, &designs),
        numbers: numbers(view, fit),
    })
}

fn finding(view: View<'_>, designs: &[(&FittedDesign, &SweepLine)]) -> Option<String> {
    let knees: Vec<(&str, f64, f64)> = designs
        .iter()
        .filter_map(|(design, line)| {
            let name = view.judged.results.name(&design.design);
            Some((name, line.measured_knee?, line.modelled_knee?))
        })
        .collect();
    let by_knee = |one: &&(&str, f64, f64), other: &&(&str, f64, f64)| one.1.total_cmp(&other.1);
    let (first, last) = (knees.iter().min_by(by_knee)?, knees.iter().max_by(by_knee)?);
    let within =
        knees.iter().filter(|(_, measured, modelled)| (modelled / measured - 1.0).abs() <= 0.25);
    Some(format!(
        "The knee, where half of the extra cost is reached, lies between {} positions ({}) and {} ({}). The model places \
         {} of {} knees within a quarter of the measured one.",
        grouped(first.1.round() as u64),
        first.0,
        grouped(last.1.round() as u64),
        last.0,
        within.count(),
        knees.len()
    ))
}

fn paint(mut canvas: Canvas, view: View<'_>, designs: &[(&FittedDesign, &SweepLine)]) -> Canvas {
    let columns = if canvas.is_narrow() { 2 } else { 4 };
    let rows = (designs.len() as i32 + columns - 1) / columns;
    let key = "line with markers: measured; thin line: intercept + slope × modelled mispredictions; vertical: knees";
    let above = head(&mut canvas, key);
    let width = canvas.width() / columns;
    canvas.flows(Flow { columns, step: (width, CELL), top: above });
    for (number, &(design, line)) in designs.iter().enumerate() {
        let (column, row) = (number as i32 % columns, number as i32 / columns);
        let (left, top) = (column * width, above + row * CELL);
        let frame = Frame { x: left + 40..left + width - 10, y: top + 24..top + CELL - 30 };
        let text = view.keys.paint(&design.design, Ink::Text);
        let label = view.keys.label(&design.design, fitting(width - 12));
        canvas.cell(number, view.keys.owner(&design.design), |canvas| {
            one(canvas, view, design, line, &frame);
            canvas.text((left + 6, top + 12), Anchor::Right, text, &label);
        });
    }
    canvas.end_at(above + rows * CELL);
    canvas
}

/// The plot of one design.
fn one(
    canvas: &mut Canvas,
    view: View<'_>,
    design: &FittedDesign,
    line: &SweepLine,
    frame: &Frame,
) {
    let measured: Vec<(f64, f64)> =
        design.sweep.iter().map(|point| (point.k as f64, point.cycles)).collect();
    let modelled: Vec<(f64, f64)> = design
        .sweep
        .iter()
        .filter_map(|point| {
            Some((point.k as f64, line.intercept + line.slope * point.misses.first()?))
        })
        .collect();
    let x = log_range(measured.iter().map(|point| point.0), 0.02).unwrap_or(1.0..10.0);
    let values = measured.iter().chain(&modelled).map(|point| point.1);
    let y = log_range(values, 0.08).unwrap_or(1.0..10.0);
    let axes = log_log(x.clone(), y.clone(), frame);
    frame.axes(canvas);
    let known = [1u64, 64, 1024].into_iter().filter(|&k| x.contains(&(k as f64)));
    let ticks: Vec<_> = known.map(|k| (at(&axes, k as f64, y.start).0, grouped(k))).collect();
    frame.all_down(canvas, &ticks, 10);
    for (_, cycles) in measured.first().into_iter().chain(measured.last()) {
        frame.across(canvas, at(&axes, x.start, *cycles).1, &format!("{cycles:.0}"));
    }
    let ink = view.keys.ink(&design.design);
    for (knee, ink) in [(line.measured_knee, ink), (line.modelled_knee, Ink::Muted)] {
        if let Some(knee) = knee.filter(|knee| x.contains(knee)) {
            let x = at(&axes, knee, y.start).0;
            canvas.line([(x, frame.y.end), (x, frame.y.start)], ink, 1);
        }
    }
    canvas.line(modelled.iter().map(|&(k, cycles)| at(&axes, k, cycles)), Ink::Muted, 1);
    canvas.line(measured.iter().map(|&(k, cycles)| at(&axes, k, cycles)), ink, 2);
    let knee = |k: Option<f64>| k.map_or_else(|| NONE.to_owned(), |k| grouped(k.round() as u64));
    let says = format!(
        "{}: knee at K = {} measured, {} modelled",
        view.judged.results.name(&design.design),
        knee(line.measured_knee),
        knee(line.modelled_knee)
    );
    let dots = measured.iter().map(|&(k, cycles)| at(&axes, k, cycles));
    canvas.say(&says, |canvas| canvas.dots(dots, 2, ink));
}

fn numbers(view: View<'_>, fit: &Fit) -> Table {
    let mut columns = vec!["Design".to_owned(), "Per position".to_owned()];
    let first = fit.designs.first();
    columns
        .extend(first.iter().flat_map(|it| &it.sweep).map(|it| format!("K = {}", grouped(it.k))));
    let positions =
        workloads(&view.judged.results.session, fit.workloads.get(..1).unwrap_or_default());
    let about = About::Own("learnt runs of the K of its column", fit.stage.label(), &positions);
    let mut table = Table::new(view.label("Learnt runs of K", PROVENANCE, about), &columns);
    for design in &fit.designs {
        let mut add = |what: &str, of: &dyn Fn(usize) -> Option<f64>| {
            let values = (0..design.sweep.len()).map(|place| Cell::number(of(place), cost));
            let cells = std::iter::once(Cell::text(what)).chain(values).collect();
            let name = view.judged.results.name(&design.design);
            table.design(view.keys, &design.design, name, cells);
        };
        add("cycles (measured)", &|place| Some(design.sweep[place].cycles));
        for (number, model) in fit.models.iter().enumerate() {
            let what = format!("mispredictions, {} (modelled)", model.name);
            add(&what, &|place| design.sweep[place].misses.get(number).copied());
        }
    }
    table
}
