//! Layouts: the effect of another order of sections, as measured and as a branch predictor explains it.
//!
//! A point is one design in one layout. Points on the diagonal are explained by mispredictions; points near the
//! horizontal axis of zero are not.

use raywalk_judge::format::{panel as name_of, percent, plural, signed_percent};
use raywalk_judge::layouts::{ENOUGH, EXPLAINS, InLayouts, Point, in_layouts};

use super::canvas::{Canvas, Frame, at, linear};
use super::figure::Figure;
use super::narrow::{drawn, foot, head, key, note};
use super::scale::{even_ticks, share_of};
use crate::label::About;
use crate::palette::Ink;
use crate::table::{Cell, Table};
use crate::view::View;

/// Heights of the plot in a wide and in a narrow drawing.
const HEIGHTS: [i32; 2] = [348, 270];

/// Needs a panel that was measured and traced in two layouts.
pub(crate) fn figure(view: View<'_>) -> Option<Figure> {
    let all = in_layouts(view.judged);
    let headline = view.judged.headline().map(|panel| panel.panel.id.clone());
    let chosen = all.iter().find(|it| Some(&it.panel.panel.id) == headline.as_ref());
    let panel = chosen.or_else(|| all.first())?.panel;
    let shown: Vec<&InLayouts<'_>> =
        all.iter().filter(|it| it.panel.panel.id == panel.panel.id).collect();
    Some(Figure {
        id: "layouts".to_owned(),
        title: format!(
            "Layouts, measured and explained by mispredictions: {}",
            name_of(&panel.panel)
        ),
        finding: finding(&shown)?,
        canvas: paint(Canvas::new(0), view, &shown),
        narrow: paint(Canvas::narrow(), view, &shown),
        numbers: numbers(view, &all),
    })
}

/// The largest change, the part of it that the model explains, and the conditions under which it fits.
fn finding(shown: &[&InLayouts<'_>]) -> Option<String> {
    let widest = shown
        .iter()
        .max_by(|one, other| one.measured.estimate.total_cmp(&other.measured.estimate))?;
    let most = shown.iter().map(|it| it.predicted).fold(0.0, f64::max);
    let count = shown.iter().filter(|it| it.is_explained()).count();
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

fn paint(mut canvas: Canvas, view: View<'_>, all: &[&InLayouts<'_>]) -> Canvas {
    let shown = drawn(view, all, |it| &it.row.id);
    let reach = |of: fn(&Point) -> f64| {
        let all = shown.iter().flat_map(|it| &it.points).map(of);
        1.1 * all.fold(0.002, |most: f64, value| most.max(value.abs()))
    };
    // One scale for both axes, so that the diagonal is where both are equal.
    let most = reach(|it| it.measured).max(reach(|it| it.predicted));
    let top = head(&mut canvas, "change of the ratio as modelled mispredictions explain it");
    let is_narrow = canvas.is_narrow();
    let frame = Frame {
        x: if is_narrow { 64 } else { 90 }..canvas.width() - 24,
        y: top..top + HEIGHTS[usize::from(is_narrow)],
    };
    let axes = linear(-most..most, -most..most, &frame);
    let ticks: Vec<(f64, String)> = even_ticks(&((-most).exp_m1()..most.exp_m1()), 7)
        .into_iter()
        .map(|share| {
            let sign = if share > 1e-9 { "+" } else { "" };
            (share.ln_1p(), format!("{sign}{}", share_of(share)))
        })
        .collect();
    for (log, label) in &ticks {
        frame.across(&mut canvas, at(&axes, 0.0, *log).1, label);
    }
    let down = |(log, label): &(f64, String)| (at(&axes, *log, 0.0).0, label.clone());
    frame.all_down(&mut canvas, &ticks.iter().map(down).collect::<Vec<_>>(), 20);
    let ends = |one, other| [at(&axes, -most, one), at(&axes, most, other)];
    canvas.line(ends(0.0, 0.0), Ink::Axis, 1);
    canvas.line(ends(-most, most), Ink::Muted, 1);
    frame.axes(&mut canvas);
    for it in &shown {
        let (ink, shape) = (view.keys.ink(&it.row.id), view.keys.shape(&it.row.id));
        for (number, point) in it.points.iter().enumerate() {
            let share = |log: f64| signed_percent(log.exp_m1());
            let (measured, explained) = (share(point.measured), share(point.predicted));
            let says = format!(
                "{}, layout {}: measured {measured}, explained {explained}",
                it.row.name,
                number + 1
            );
            canvas.mark(at(&axes, point.measured, point.predicted), shape, ink, &says);
        }
    }
    let note = note(shown.len(), all.len());
    let name = "measured change of the ratio in one layout; line: both are equal";
    let end = foot(&mut canvas, &frame, name, note.as_deref());
    key(&mut canvas, view, end + 8, shown.iter().map(|it| &*it.row.id));
    canvas
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
    let mut table = Table::new(
        view.label(
            caption,
            "measured; explained, modelled",
            About::panels("that its row names", all.iter().map(|it| it.panel)),
        ),
        &columns,
    );
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
