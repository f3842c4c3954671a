//! Layouts: what another order of sections changes, as measured and as a branch predictor explains it.
//!
//! A point is one design in one layout. Points on the diagonal are explained by mispredictions; points near the
//! horizontal axis of zero are not.

use raywalk_judge::format::{panel as name_of, percent, plural};
use raywalk_judge::layouts::{InLayouts, Point, in_layouts};

use super::canvas::{Anchor, Canvas, Frame, WIDTH, at, linear};
use super::figure::Figure;
use super::scale::{even_ticks, share_of};
use crate::palette::Ink;
use crate::table::{Cell, Table};
use crate::view::View;

const HEIGHT: i32 = 440;
/// From this correlation on, over at least [`ENOUGH`] layouts, the predictor is called an explanation.
const EXPLAINS: f64 = 0.8;
const ENOUGH: usize = 4;

/// Needs a panel that was measured and traced in two layouts.
pub(crate) fn figure(view: View<'_>) -> Option<Figure> {
    let all = in_layouts(view.judged);
    let headline = view.judged.headline().map(|panel| panel.panel.id.clone());
    let chosen = all.iter().find(|it| Some(&it.panel.panel.id) == headline.as_ref());
    let panel = chosen.or_else(|| all.first())?.panel;
    let shown: Vec<&InLayouts<'_>> =
        all.iter().filter(|it| it.panel.panel.id == panel.panel.id).collect();
    let legend = (shown.len() as i32 + 2) / 3 * 18;
    let mut canvas = Canvas::new(HEIGHT + legend);
    paint(&mut canvas, view, &shown);
    Some(Figure {
        id: format!("{}layouts", view.prefix),
        title: format!(
            "Layouts, measured and explained by mispredictions: {}",
            name_of(&panel.panel)
        ),
        finding: finding(&shown)?,
        canvas,
        narrow: None,
        numbers: numbers(view, &all),
    })
}

/// How much of the largest change the model explains, and where it fits.
fn finding(shown: &[&InLayouts<'_>]) -> Option<String> {
    let widest = shown
        .iter()
        .max_by(|one, other| one.measured.estimate.total_cmp(&other.measured.estimate))?;
    let most = shown.iter().map(|it| it.predicted).fold(0.0, f64::max);
    let explained = |it: &&&InLayouts<'_>| {
        it.points.len() >= ENOUGH && it.correlation.is_some_and(|it| it >= EXPLAINS)
    };
    let count = shown.iter().filter(explained).count();
    Some(format!(
        "Between {} the ratio of {} differs most, with a standard deviation of {} (at most {}). From the mispredictions \
         that the model has at the new addresses, the largest deviation of any design would be {}. Measured and modelled \
         effects agree (correlation of at least {EXPLAINS}, {} or more) for {count} of {}.",
        plural(widest.points.len(), "layout"),
        widest.row.name,
        percent(widest.measured.estimate.exp_m1()),
        percent(widest.measured.upper.exp_m1()),
        percent(most.exp_m1()),
        plural(ENOUGH, "layout"),
        plural(shown.len(), "design"),
    ))
}

fn paint(canvas: &mut Canvas, view: View<'_>, shown: &[&InLayouts<'_>]) {
    let reach = |of: fn(&Point) -> f64| {
        let all = shown.iter().flat_map(|it| &it.points).map(of);
        1.1 * all.fold(0.002, |most: f64, value| most.max(value.abs()))
    };
    // One scale for both axes, so that the diagonal is where both are equal.
    let most = reach(|it| it.measured).max(reach(|it| it.predicted));
    let frame = Frame { x: 90..WIDTH - 24, y: 40..HEIGHT - 52 };
    let axes = linear(-most..most, -most..most, &frame);
    for share in even_ticks(&((-most).exp_m1()..most.exp_m1()), 7) {
        let sign = if share > 1e-9 { "+" } else { "" };
        let label = format!("{sign}{}", share_of(share));
        frame.across(canvas, at(&axes, 0.0, share.ln_1p()).1, &label);
        frame.down(canvas, at(&axes, share.ln_1p(), 0.0).0, &label);
    }
    let ends = |one, other| [at(&axes, -most, one), at(&axes, most, other)];
    canvas.line(ends(0.0, 0.0), Ink::Axis, 1);
    canvas.line(ends(-most, most), Ink::Muted, 1);
    frame.axes(canvas);
    let name = "change of the ratio as modelled mispredictions explain it";
    canvas.text((4, 14), Anchor::Right, Ink::Muted, name);
    frame.name_below(canvas, "measured change of the ratio in one layout; line: both are equal");
    for (number, it) in shown.iter().enumerate() {
        let id = &it.row.id;
        let (ink, shape) = (view.keys.ink(id), view.keys.shape(id));
        for point in &it.points {
            canvas.marker(at(&axes, point.measured, point.predicted), shape, ink);
        }
        let (column, line) = (number as i32 % 3, number as i32 / 3);
        let place = (16 + column * WIDTH / 3, HEIGHT + 6 + line * 18);
        canvas.marker(place, shape, ink);
        let text = view.keys.paint(id, Ink::Text);
        canvas.text((place.0 + 12, place.1), Anchor::Right, text, &view.keys.label(id, 36));
    }
}

fn numbers(view: View<'_>, all: &[InLayouts<'_>]) -> Table {
    let caption = "Standard deviation of the ratio between layouts: measured (with its upper bound of 80 %) and as \
        modelled mispredictions explain it";
    let columns = [
        "Design",
        "Panel",
        "Layouts",
        "Measured",
        "at most",
        "Explained (modelled)",
        "Correlation",
    ];
    let mut table = Table::new(caption.to_owned(), &columns);
    for it in all {
        let share = |log: f64| Cell::number(Some(log.exp_m1()), percent);
        let cells = vec![
            Cell::text(name_of(&it.panel.panel)),
            Cell::number(Some(it.points.len() as f64), |count| format!("{count}")),
            share(it.measured.estimate),
            share(it.measured.upper),
            share(it.predicted),
            Cell::number(it.correlation, |value| format!("{value:.2}").replace('-', "−")),
        ];
        table.design(view.keys, &it.row.id, &it.row.name, cells);
    }
    table
}
