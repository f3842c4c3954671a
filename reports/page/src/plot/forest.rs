//! The forest plot: the headline panel against one baseline, the fastest designs of each class with their intervals.
//!
//! Ratios are drawn on a logarithmic axis, so that twice as fast and half as fast are equally far from the line at 1.

use raywalk_judge::format::{
    NONE, interval, middle, panel as name_of, percent, plural, verdict as text_of,
};
use raywalk_judge::matrix::{Against, Baseline, RankedRatio};
use raywalk_judge::summary::PanelSummary;
use raywalk_results::schema::{Control, Provenance};
use raywalk_results::statistics::{Floor, Verdict, factor};

use super::canvas::{Canvas, Frame, Layer, LogLog, at, log_log};
use super::figure::{Figure, of_panel};
use super::narrow::{foot, head};
use super::rows::{Margins, Rows};
use super::scale::{drawn_ends, log_range, log_ticks, tick};
use crate::label::About;
use crate::palette::Ink;
use crate::table::{Cell, Table, tone};
use crate::view::View;

const MARGINS: Margins = Margins { left: 236, right: 250, row: 24 };
/// Designs of each class that are drawn; the table has all.
const EACH: usize = 3;

/// Needs rounds, and a design that the baseline stands for.
pub(crate) fn figure(view: View<'_>, baseline: Baseline) -> Option<Figure> {
    let panel = view.judged.headline()?;
    let against = Against::of(view.judged, panel, baseline)?;
    let shown = shown(&against);
    let paint = |canvas| paint(canvas, view, panel, &shown);
    // Two baselines may be one design.
    let of = match baseline {
        Baseline::Planned => against.baseline.name.clone(),
        other => format!("{}, {}", against.baseline.name, other.label()),
    };
    Some(Figure {
        id: format!("forest-{}", baseline.name()),
        title: format!("Time over that of {of}: {}", name_of(&panel.panel)),
        finding: of_panel(view, panel, &finding(&against, shown.len())),
        canvas: paint(Canvas::new(0)),
        narrow: paint(Canvas::narrow()),
        numbers: numbers(view, panel, &against),
    })
}

/// The fastest designs of each class and the baseline, from fast to slow.
fn shown<'a, 'b>(against: &'b Against<'a>) -> Vec<&'b RankedRatio<'a>> {
    let entries = &against.entries;
    let faster_of_class = |place: usize, control: Control| {
        entries[..place].iter().filter(|entry| entry.row.control == control).count()
    };
    let is_shown = |(place, entry): &(usize, &RankedRatio<'_>)| {
        faster_of_class(*place, entry.row.control) < EACH || entry.row.id == against.baseline.id
    };
    entries.iter().enumerate().filter(is_shown).map(|(_, entry)| entry).collect()
}

/// Numbers of designs that are faster and slower than the baseline, by resolved comparisons alone.
fn finding(against: &Against<'_>, shown: usize) -> String {
    let verdicts = || against.entries.iter().filter_map(|entry| entry.verdict);
    let faster = verdicts().filter(|it| matches!(it, Verdict::Faster(_))).count();
    let slower = verdicts().filter(|it| matches!(it, Verdict::Slower(_))).count();
    let all = against.entries.len();
    let others = all.saturating_sub(1);
    let drawn = match shown == all {
        true => String::new(),
        false => format!(
            " Drawn are the fastest {EACH} of each class and the baseline, {shown} of {}.",
            plural(all, "design")
        ),
    };
    format!(
        "Of {}, {faster} take less time than {} and {slower} take more; for {} the difference is below the equality \
         margin or not resolved.{drawn}",
        plural(others, "other design"),
        against.baseline.name,
        others.saturating_sub(faster + slower),
    )
}

fn paint(
    mut canvas: Canvas,
    view: View<'_>,
    panel: &PanelSummary,
    shown: &[&RankedRatio<'_>],
) -> Canvas {
    let is_narrow = canvas.is_narrow();
    let legend = "line: interval; band: floor; left of 1: less time than the baseline";
    let top = head(&mut canvas, legend);
    let rows = Rows::new(&mut canvas, top, shown.len(), &MARGINS);
    rows.stripes(&mut canvas);
    let axes = ground(&mut canvas, &rows.frame, panel, shown, if is_narrow { 5 } else { 8 });
    for (number, entry) in shown.iter().enumerate() {
        let row = entry.row;
        let text = view.keys.paint(&row.id, Ink::Text);
        let value = match is_narrow {
            true => entry.interval.map_or_else(|| factor(entry.ratio), middle),
            false => format!("{} · {}", shortly(entry), row.control),
        };
        let label = |most| view.keys.label(&row.id, most);
        canvas.cell(number, view.keys.owner(&row.id), |canvas| {
            draw(canvas, view, &axes, entry, rows.middle(number));
            rows.name(canvas, number, (text, label), (text, &value));
        });
    }
    rows.frame.axes(&mut canvas);
    foot(&mut canvas, &rows.frame, "time ÷ time of the baseline (log scale)", None);
    canvas
}

fn ends(entry: &RankedRatio<'_>) -> [f64; 2] {
    drawn_ends(entry.ratio, entry.interval)
}

/// The axes, with the floor and the line at 1.
fn ground(
    canvas: &mut Canvas,
    frame: &Frame,
    panel: &PanelSummary,
    shown: &[&RankedRatio<'_>],
    most: usize,
) -> LogLog {
    let ratios = shown.iter().flat_map(|entry| ends(entry)).chain([1.0]);
    let range = log_range(ratios, 0.04).unwrap_or(0.5..2.0);
    let axes = log_log(range.clone(), 1.0..10.0, frame);
    let place = |ratio: f64| at(&axes, ratio, 1.0).0;
    if let Some(control) = panel.aa_control {
        let band = control.floor.log();
        let (low, high) = (place((-band).exp()), place(band.exp()));
        let (low, high) = (low.max(frame.x.start), high.min(frame.x.end));
        let band = low..high.max(low + 1);
        canvas.on(Layer::Tall, |canvas| canvas.fill(band, frame.y.clone(), Ink::Band));
    }
    for value in log_ticks(&range, most) {
        frame.down(canvas, place(value), &tick(value));
    }
    let one = [(place(1.0), frame.y.start), (place(1.0), frame.y.end)];
    canvas.on(Layer::Tall, |canvas| canvas.line(one, Ink::Text, 1));
    axes
}

/// The interval and the marker of a design.
fn draw(canvas: &mut Canvas, view: View<'_>, axes: &LogLog, entry: &RankedRatio<'_>, y: i32) {
    let row = entry.row;
    let (ink, shape) = (view.keys.ink(&row.id), view.keys.shape(&row.id));
    let place = |ratio: f64| at(axes, ratio, 1.0).0;
    let [low, high] = ends(entry).map(place);
    canvas.line([(low, y), (high.max(low + 1), y)], ink, 2);
    canvas.mark((place(entry.ratio), y), shape, ink, &format!("{}: {}", row.name, told(entry)));
}

/// The ratio with its interval.
fn shortly(entry: &RankedRatio<'_>) -> String {
    entry
        .interval
        .map_or_else(|| factor(entry.ratio), |it| format!("{} ({})", middle(it), interval(it)))
}

/// The ratio, its interval and the verdict.
fn told(entry: &RankedRatio<'_>) -> String {
    match &entry.verdict {
        Some(verdict) => format!("{}, {}", shortly(entry), text_of(verdict)),
        None => shortly(entry),
    }
}

fn numbers(view: View<'_>, panel: &PanelSummary, against: &Against<'_>) -> Table {
    let caption = format!(
        "Time over that of {}: all designs. The intervals share a confidence of 95 % ({}). A difference is resolved if its \
         interval lies wholly beyond the floor, which A/A control and processes set",
        against.baseline.name,
        plural(against.comparisons, "comparison"),
    );
    let mut table = Table::new(
        view.label(caption, Provenance::Measured.name(), About::Panel(&panel.panel)),
        &["Design", "Ratio", "Interval", "Floor", "Verdict", "Control flow"],
    );
    for entry in &against.entries {
        let verdict = entry.verdict.as_ref();
        let cells = vec![
            Cell::number(Some(entry.ratio), |ratio| {
                entry.interval.map_or_else(|| factor(ratio), middle)
            }),
            Cell::text(entry.interval.map_or_else(|| NONE.to_owned(), interval)).on_one_line(),
            Cell::number(entry.floor.map(Floor::fraction), percent),
            Cell::toned(verdict.map_or_else(|| NONE.to_owned(), text_of), verdict.map(tone)),
            Cell::text(entry.row.control.name()),
        ];
        table.design(view.keys, &entry.row.id, &entry.row.name, cells);
    }
    table
}
