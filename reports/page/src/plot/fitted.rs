//! Cycles over modelled mispredictions: the fit of a model, beside that of a rival.

use raywalk_judge::format::{cost, grouped, rate};
use raywalk_results::schema::{Fit, FittedDesign, Pooled};

use super::canvas::{Anchor, Canvas, Frame, NARROW, WIDTH, at, linear};
use super::figure::Figure;
use super::narrow::{BELOW, LINE, key};
use super::scale::{even_ticks, tick};
use crate::label::{About, workloads};
use crate::palette::Ink;
use crate::table::{Cell, Table};
use crate::view::View;

const HEIGHT: i32 = 368;
/// Height of the two lines above a plot.
const ABOVE: i32 = 44;
/// Index of the judged model; its rivals follow.
const FIRST: usize = 0;

/// `None` without a fit, or if the fit has nothing to compare.
pub(crate) fn figure(view: View<'_>) -> Option<Figure> {
    let fit = view.judged.results.fit.as_ref()?;
    let rival = rival(fit)?;
    Some(Figure {
        id: "fit".to_owned(),
        title: "Cycles over modelled mispredictions, and what they predict".to_owned(),
        finding: finding(fit)?,
        canvas: paint(Canvas::new(0), view, fit, [FIRST, rival]),
        narrow: paint(Canvas::narrow(), view, fit, [FIRST, rival]),
        numbers: numbers(view, fit),
    })
}

/// The rival whose predictions are worst: what a poor model looks like.
fn rival(fit: &Fit) -> Option<usize> {
    let of = |model: &str| fit.pooled.iter().find(|pooled| pooled.model == model);
    let error = |place: &usize| of(&fit.models[*place].name).map_or(0.0, |it| it.mean_error);
    (FIRST + 1..fit.models.len()).max_by(|one, other| error(one).total_cmp(&error(other)))
}

fn finding(fit: &Fit) -> Option<String> {
    let first = &fit.models.get(FIRST)?.name;
    let judged = fit.pooled.iter().find(|it| it.model == *first)?;
    let shares = |it: &Pooled| {
        format!("{:.1} % (greatest {:.1} %)", 100.0 * it.mean_error, 100.0 * it.greatest_error)
    };
    let named = |is_meant: &dyn Fn(&Pooled) -> bool| -> String {
        let others = fit.pooled.iter().filter(|it| it.model != *first && is_meant(it));
        let named = others.map(|it| format!("{} ({:.1} %)", it.model, 100.0 * it.mean_error));
        named.collect::<Vec<_>>().join(", ")
    };
    let comparisons = [
        ("better than", named(&|it| judged.beats(it))),
        ("as well as", named(&|it| !judged.beats(it) && !it.beats(judged))),
        ("worse than", named(&|it| it.beats(judged))),
    ];
    let known = comparisons.iter().filter(|(_, models)| !models.is_empty());
    let compared: Vec<String> = known.map(|(how, models)| format!("{how} {models}")).collect();
    let doubt = if fit.believed { "" } else { "is not accurate here: it " };
    Some(format!(
        "{first} {doubt}predicts {} on this machine. Tree and game order, which no line has seen, are predicted with a \
         mean error of {}, that of the others in brackets; R² of the extra cost {:.2}.",
        compared.join(", "),
        shares(judged),
        judged.r_squared_extra,
    ))
}

/// Two models side by side, or below each other.
fn paint(mut canvas: Canvas, view: View<'_>, fit: &Fit, models: [usize; 2]) -> Canvas {
    let mut end = 0;
    for (place, model) in models.into_iter().enumerate() {
        let (left, top) = if canvas.is_narrow() { (0, end) } else { (place as i32 * WIDTH / 2, 0) };
        let width = if canvas.is_narrow() { NARROW } else { WIDTH / 2 };
        let frame = Frame { x: left + 56..left + width - 24, y: top + ABOVE..top + ABOVE + HEIGHT };
        one(&mut canvas, view, fit, model, &frame);
        end = frame.y.end + BELOW + LINE;
    }
    key(&mut canvas, view, end + 4, fit.designs.iter().map(|it| &*it.design));
    canvas
}

/// The plot of one model.
fn one(canvas: &mut Canvas, view: View<'_>, fit: &Fit, model: usize, frame: &Frame) {
    let of = |misses: &[f64]| misses.get(model).copied();
    let points = |design: &FittedDesign| -> Vec<(f64, f64)> {
        let sweep = design.sweep.iter().filter_map(|it| Some((of(&it.misses)?, it.cycles)));
        sweep.collect()
    };
    let orders = |design: &FittedDesign| -> Vec<(f64, f64)> {
        let orders = design.orders.iter().filter_map(|it| Some((of(&it.misses)?, it.measured)));
        orders.collect()
    };
    let all: Vec<(f64, f64)> =
        fit.designs.iter().flat_map(|it| points(it).into_iter().chain(orders(it))).collect();
    let greatest = |of: fn(&(f64, f64)) -> f64| all.iter().map(of).fold(0.1, f64::max) * 1.05;
    let (x, y) = (0.0..greatest(|point| point.0), 0.0..greatest(|point| point.1));
    let axes = linear(x.clone(), y.clone(), frame);
    for value in even_ticks(&y, 6) {
        frame.across(canvas, at(&axes, 0.0, value).1, &tick(value));
    }
    for value in even_ticks(&x, 6) {
        frame.down(canvas, at(&axes, value, 0.0).0, &tick(value));
    }
    frame.axes(canvas);
    let name = &fit.models[model].name;
    let (left, top) = (frame.x.start - 50, frame.y.start - ABOVE);
    canvas.text((left, top + 14), Anchor::Right, Ink::Text, name);
    let key = "marker: learnt runs of K; ring: tree, game, shuffled";
    canvas.text((left, top + 30), Anchor::Right, Ink::Muted, key);
    for design in &fit.designs {
        let ink = view.keys.ink(&design.design);
        if let Some(Some(line)) = design.lines.get(model) {
            let end = points(design).into_iter().chain(orders(design)).map(|point| point.0);
            let end = end.fold(0.0, f64::max);
            let cycles = |misses: f64| (line.intercept + line.slope * misses).clamp(y.start, y.end);
            let ends = [0.0, end].map(|misses| at(&axes, misses, cycles(misses)));
            canvas.line(ends, ink, 1);
        }
        let design_name = view.judged.results.name(&design.design);
        let says = |what: &str, (misses, cycles): (f64, f64)| {
            let (misses, cycles) = (rate(misses), cost(cycles));
            format!("{design_name}, {what}: {misses} mispredictions, {cycles} cycles")
        };
        for (point, known) in points(design).into_iter().zip(&design.sweep) {
            let says = says(&format!("K = {}", grouped(known.k)), point);
            canvas.mark(at(&axes, point.0, point.1), view.keys.shape(&design.design), ink, &says);
        }
        for (point, order) in orders(design).into_iter().zip(&design.orders) {
            canvas.say(&says(order.name.name(), point), |canvas| {
                canvas.ring(at(&axes, point.0, point.1), 7, ink);
            });
        }
    }
    let middle = (frame.x.start + frame.x.end) / 2;
    let below = "mispredictions per position (modelled)";
    canvas.text((middle, frame.y.end + BELOW), Anchor::Centre, Ink::Muted, below);
}

/// Provenance of the numbers of a fit.
pub(super) const PROVENANCE: &str =
    "cycles measured, mispredictions modelled, afterwards and by the same build";

fn numbers(view: View<'_>, fit: &Fit) -> Table {
    let mut columns: Vec<String> = [
        "Design",
        "Order",
        "Learnt replay",
        "Memory",
        "Measured",
        "Predicted",
        "Off by %",
        "Cycles per misprediction",
        "Intercept",
    ]
    .map(str::to_owned)
    .into();
    columns.extend(fit.models.iter().map(|model| format!("{} (modelled)", model.name)));
    let title = "Cycles per position, and mispredictions per position";
    let positions =
        workloads(&view.judged.results.session, fit.workloads.get(1..).unwrap_or_default());
    let about = About::Own(
        "learnt runs, and each position once in the order of its row",
        fit.stage.label(),
        &positions,
    );
    let mut table = Table::new(view.label(title, PROVENANCE, about), &columns);
    for design in &fit.designs {
        let line = design.lines.get(FIRST).copied().flatten();
        for order in &design.orders {
            let number =
                |value: Option<f64>, digits: fn(f64) -> String| Cell::number(value, digits);
            let one: fn(f64) -> String = |value| format!("{value:.1}");
            let predicted = order.predicted.get(FIRST).copied().flatten();
            let off = predicted.map(|it| 100.0 * (it / order.measured - 1.0));
            let mut cells = vec![
                Cell::text(order.name.name()),
                number(Some(order.learnt), one),
                number(Some(order.memory), one),
                number(Some(order.measured), one),
                number(predicted, one),
                number(off, |value| format!("{value:+.1}")),
                number(line.map(|line| line.slope), one),
                number(line.map(|line| line.intercept), one),
            ];
            cells.extend(order.misses.iter().map(|&misses| number(Some(misses), rate)));
            let name = view.judged.results.name(&design.design);
            table.design(view.keys, &design.design, name, cells);
        }
    }
    table
}
