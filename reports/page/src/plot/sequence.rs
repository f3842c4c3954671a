//! The run sequence: every round of the headline panel in time order, one lane per design.
//!
//! A median hides drift, steps and bimodal rounds; this plot shows them. The first lane is the
//! baseline's own time: it shows how much the machine varied while the ratios below remained constant. A
//! vertical line marks the start of another process, a tick above the lanes a round that was disturbed
//! as a whole.

use raywalk_judge::drift::{self, Sequence, is_resolved};
use raywalk_judge::format::{NONE, grouped, panel as name_of, percent, plural, signed_percent};
use raywalk_judge::ratios::Times;
use raywalk_judge::summary::PanelSummary;
use raywalk_results::journal::{PanelRounds, Results};
use raywalk_results::schema::Provenance;
use raywalk_results::statistics::{Interval, factor, quantile};

use super::canvas::{Canvas, Frame, Layer, at, linear};
use super::figure::{Figure, of_panel};
use super::narrow::{drawn, foot, head, note};
use super::rows::{Margins, Rows};
use super::scale::even_ticks;
use crate::keys::clipped;
use crate::label::About;
use crate::palette::Ink;
use crate::table::{Cell, Table};
use crate::view::View;

const MARGINS: Margins = Margins { left: 220, right: 90, row: 34 };

struct Lane {
    /// Id of a design or of the A/A control.
    id: String,
    label: String,
    /// The median, as shown at the right end.
    median: String,
    sequence: Sequence,
    marked: Vec<bool>,
}

/// `None` below two rounds of the headline panel.
pub(crate) fn figure(view: View<'_>) -> Option<Figure> {
    let panel = view.judged.headline()?;
    let rounds = view.judged.results.panel(&panel.panel.id)?;
    if rounds.rounds.len() < 2 {
        return None;
    }
    let lanes = lanes(view.judged.results, panel, rounds);
    let baseline = lanes.first()?;
    let finding = format!(
        "The middle nine tenths of the baseline's own times span ±{}. {}",
        percent(baseline.sequence.spread.exp_m1()),
        shifts(&lanes),
    );
    Some(Figure {
        id: "sequence".to_owned(),
        title: format!("Run sequence: {}", name_of(&panel.panel)),
        finding: of_panel(view, panel, &finding),
        canvas: paint(Canvas::new(0), view, rounds, &lanes),
        narrow: paint(Canvas::narrow(), view, rounds, &lanes),
        numbers: numbers(view, panel, rounds, &lanes),
    })
}

/// The ratios that changed between the halves of the session.
fn shifts(lanes: &[Lane]) -> String {
    let all: Vec<Interval> = lanes[1..].iter().filter_map(|lane| lane.sequence.shift).collect();
    let moved: Vec<f64> = all
        .iter()
        .filter(|&&shift| is_resolved(shift))
        .map(|shift| shift.middle.abs().exp_m1())
        .collect();
    let of = plural(lanes.len() - 1, "ratio");
    if all.is_empty() {
        return "There are too few rounds to tell whether a ratio changed.".to_owned();
    }
    let [least, most] = [f64::min, f64::max].map(|of| moved.iter().copied().reduce(of));
    match least.zip(most) {
        None => {
            format!("None of {of} is resolved to have changed between the halves of the rounds.")
        }
        Some((least, most)) => {
            let by = match moved.len() {
                1 => percent(least),
                _ => format!("{} to {}", percent(least), percent(most)),
            };
            format!("{} of {of} changed between the halves of the rounds, by {by}.", moved.len())
        }
    }
}

fn lanes(results: &Results, panel: &PanelSummary, rounds: &PanelRounds) -> Vec<Lane> {
    let baseline = panel.panel.baseline.as_str();
    let control = panel.panel.aa_control.as_str();
    let ratios = Times::of(results, rounds);
    let own = panel.row(baseline).map_or(baseline, |row| &row.name);
    let others = panel.rows.iter().filter(|row| row.id != baseline);
    let others = others.map(|row| (row.id.as_str(), row.name.clone()));
    let compared = [(control, "A/A control".to_owned())].into_iter().chain(others);
    let own = (baseline, format!("{own}, time"), drift::times(rounds, baseline));
    let compared = compared.map(|(id, label)| (id, label, ratios.by_round(id, baseline)));
    // A lane without a clean round is not drawn, and its shift takes no share of the confidence.
    let drawn: Vec<_> = [own]
        .into_iter()
        .chain(compared)
        .filter(|(.., logs)| logs.iter().any(Option::is_some))
        .collect();
    let lane = |(id, label, logs): &(&str, String, Vec<Option<f64>>)| {
        let sequence = Sequence::of(logs, drawn.len())?;
        Some(Lane {
            id: (*id).to_owned(),
            label: label.clone(),
            median: match *id == baseline {
                true => "its median".to_owned(),
                false => format!("×{}", factor(sequence.median.exp())),
            },
            sequence,
            marked: rounds.samples(id).map(|sample| !sample.marks.is_empty()).collect(),
        })
    };
    drawn.iter().filter_map(lane).collect()
}

/// The value at the edge of a lane: nearly all rounds of nearly every lane fit. Rounds beyond it are
/// drawn at the edge.
fn scale(lanes: &[Lane]) -> f64 {
    let spreads: Vec<f64> = lanes.iter().map(|lane| lane.sequence.spread).collect();
    1.6 * quantile(&spreads, 0.9).unwrap_or(0.01).max(0.002)
}

/// The places between two rounds of different processes.
fn borders(rounds: &PanelRounds) -> Vec<f64> {
    let pairs = rounds.rounds.windows(2).enumerate();
    let others = pairs.filter(|(_, pair)| pair[0].process != pair[1].process);
    others.map(|(before, _)| before as f64 + 0.5).collect()
}

/// The places of rounds that were disturbed as a whole.
fn disturbed(rounds: &PanelRounds) -> Vec<usize> {
    let all = rounds.rounds.iter().enumerate();
    all.filter(|(_, round)| !round.marks.is_empty()).map(|(place, _)| place).collect()
}

/// The starts of processes and the marks of rounds.
fn background(
    canvas: &mut Canvas,
    rounds: &PanelRounds,
    whole: &Frame,
    place: impl Fn(f64) -> i32,
) {
    for border in borders(rounds) {
        let x = place(border);
        let ends = [(x, whole.y.start), (x, whole.y.end)];
        canvas.on(Layer::Tall, |canvas| canvas.line(ends, Ink::Axis, 1));
    }
    for round in disturbed(rounds) {
        let x = place(round as f64);
        canvas.fill(x - 2..x + 2, whole.y.start - 9..whole.y.start - 1, Ink::Mark);
    }
}

/// The legend of edges, rings, lines and bars.
fn legend(rounds: &PanelRounds, own: f64, scale: f64) -> String {
    let mut text = format!(
        "edges of a lane: ±{} around the median; first lane ±{}; ring: disturbed sample",
        percent(scale.exp_m1()),
        percent(own.exp_m1())
    );
    if !disturbed(rounds).is_empty() {
        text.push_str("; bar above: disturbed round");
    }
    if !borders(rounds).is_empty() {
        text.push_str("; vertical line: another process");
    }
    text
}

fn paint(mut canvas: Canvas, view: View<'_>, all: &PanelRounds, lanes: &[Lane]) -> Canvas {
    let count = lanes.iter().map(|lane| lane.sequence.departures.len()).max().unwrap_or(1);
    let (own, ratios) = lanes.split_at(1);
    let (own, scale) = (scale(own), scale(ratios));
    let shown = drawn(view, lanes, |lane| &lane.id);
    let top = head(&mut canvas, &legend(all, own, scale)) + 12;
    let rows = Rows::new(&mut canvas, top, shown.len(), &MARGINS);
    let whole = &rows.frame;
    let rounds = 0.0..(count - 1).max(1) as f64;
    let axes = linear(rounds.clone(), 0.0..1.0, whole);
    rows.stripes(&mut canvas);
    for round in even_ticks(&rounds, if canvas.is_narrow() { 5 } else { 8 }) {
        whole.down(&mut canvas, at(&axes, round, 0.0).0, &grouped(round as u64));
    }
    background(&mut canvas, all, whole, |round| at(&axes, round, 0.0).0);
    for (number, lane) in shown.iter().enumerate() {
        let is_named = number > 0 && view.keys.get(&lane.id).is_some();
        let scale = if number == 0 { own } else { scale };
        let band = rows.lane(number);
        let frame = Frame { x: whole.x.clone(), y: band.start + 3..band.end - 3 };
        let axes = linear(rounds.clone(), -scale..scale, &frame);
        let ink = view.keys.ink(&lane.id);
        let middle = rows.middle(number);
        let place = |(round, departure): (usize, &Option<f64>)| {
            Some((round, at(&axes, round as f64, departure.as_ref()?.clamp(-scale, scale))))
        };
        let points: Vec<_> =
            lane.sequence.departures.iter().enumerate().filter_map(place).collect();
        let [name, value] = [Ink::Text, Ink::Muted].map(|ink| view.keys.paint(&lane.id, ink));
        // The time of the baseline and the A/A control come first.
        let label = |most| match is_named {
            true => view.keys.label(&lane.id, most),
            false => clipped(&lane.label, most),
        };
        canvas.cell(number, view.keys.owner(&lane.id), |canvas| {
            canvas.line([(whole.x.start, middle), (whole.x.end, middle)], Ink::Grid, 1);
            canvas.line(points.iter().map(|&(_, point)| point), ink, 1);
            let marked = lane.marked.iter().filter(|&&marked| marked).count();
            let samples = plural(marked, "disturbed sample");
            let says = format!("{}: median {}, {samples}", lane.label, lane.median);
            let dots = points.iter().map(|&(_, point)| point);
            canvas.say(&says, |canvas| canvas.dots(dots, 2, ink));
            for &(_, point) in points.iter().filter(|(round, _)| lane.marked[*round]) {
                canvas.ring(point, 5, Ink::Mark);
            }
            rows.name(canvas, number, (name, label), (value, &lane.median));
        });
    }
    whole.axes(&mut canvas);
    let note = note(shown.len(), lanes.len());
    foot(&mut canvas, whole, "round, in time order", note.as_deref());
    canvas
}

fn numbers(view: View<'_>, panel: &PanelSummary, rounds: &PanelRounds, lanes: &[Lane]) -> Table {
    let caption = format!(
        "Numbers of the plot: {}{}, {} disturbed as a whole. Spread is half the distance \
         between the 5th and the 95th percentile; shift is the median of the second half of the \
         rounds over that of the first, with an interval; all shifts share 95 %",
        plural(panel.rounds, "round"),
        match borders(rounds).len() {
            0 => String::new(),
            borders => format!(" in {} processes", borders + 1),
        },
        plural(disturbed(rounds).len(), "round"),
    );
    let mut table = Table::new(
        view.label(caption, Provenance::Measured.name(), About::Panel(&panel.panel)),
        &["Lane", "Median", "Spread", "Shift", "interval", "Disturbed"],
    );
    for lane in lanes {
        let disturbed = lane.marked.iter().filter(|&&marked| marked).count();
        let shift = lane.sequence.shift;
        let ends = |it: Interval| {
            let [low, high] = [it.low, it.high].map(|end| signed_percent(end.exp_m1()));
            format!("{low} to {high}")
        };
        let cells = vec![
            Cell::text(lane.median.clone()),
            Cell::number(Some(lane.sequence.spread.exp_m1()), |share| {
                format!("±{}", percent(share))
            }),
            Cell::number(shift.map(|shift| shift.middle.exp_m1()), signed_percent),
            Cell::text(shift.map_or_else(|| NONE.to_owned(), ends)).on_one_line(),
            Cell::number(Some(disturbed as f64), |count| format!("{count:.0}")),
        ];
        table.design(view.keys, &lane.id, &lane.label, cells);
    }
    table
}
