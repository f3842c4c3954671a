//! The run sequence: every round of the headline panel in time order, one lane per design.
//!
//! A median hides drift, steps and two-peaked rounds; this plot does not. The first lane is the
//! baseline's own time: it shows how much the machine moved while the ratios below it did not. Where
//! another process took over there is a line, and rounds that were disturbed from outside have a
//! tick above the lanes.

use crate::journal::PanelRounds;
use crate::page::table::{Cell, Table};
use crate::statistics::{factor, median, quantile};
use crate::summary::{PanelSummary, headline, ratios};
use crate::wording::{grouped, panel as said, percent, plural};

use super::canvas::{Anchor, Canvas, Drawn, Frame, at, clipped, draw, even};
use super::palette::Ink;
use super::scale::even_ticks;
use super::{Figure, View, WIDTH};

const LANE: i32 = 34;

struct Lane {
    /// Design id or twin.
    id: String,
    label: String,
    /// What stands at the right end.
    middle: String,
    /// ln of each round's value over the median.
    departures: Vec<f64>,
    marked: Vec<bool>,
}

impl Lane {
    fn new(id: &str, label: String, logs: &[f64], marked: Vec<bool>) -> Option<Lane> {
        let middle = median(logs)?;
        let departures = logs.iter().map(|log| log - middle).collect();
        let said = format!("×{}", factor(middle.exp()));
        Some(Lane { id: id.to_owned(), label, middle: said, departures, marked })
    }

    /// Half of the distance between the fifth and the ninety-fifth percentile.
    fn spread(&self) -> f64 {
        let at = |q| quantile(&self.departures, q).unwrap_or(0.0);
        (at(0.95) - at(0.05)) / 2.0
    }

    /// Median of the second half over that of the first.
    fn shift(&self) -> f64 {
        let (early, late) = self.departures.split_at(self.departures.len() / 2);
        median(late).unwrap_or(0.0) - median(early).unwrap_or(0.0)
    }
}

/// Needs two rounds.
pub fn figure(view: View<'_>) -> Option<Figure> {
    let panel = headline(view.panels)?;
    let rounds = view.results.panels.iter().find(|rounds| rounds.panel.id == panel.panel.id)?;
    if rounds.rounds.len() < 2 {
        return None;
    }
    let lanes = lanes(panel, rounds);
    let baseline = lanes.first()?;
    let moved = lanes[1..].iter().max_by(|a, b| a.shift().abs().total_cmp(&b.shift().abs()))?;
    let see = format!(
        "While the baseline's own time spread by ±{}, the ratio that moved most between the first \
         and the second half of the rounds, that of {}, moved by {}.",
        percent(baseline.spread().exp_m1()),
        moved.label,
        percent(moved.shift().abs().exp_m1()),
    );
    let title = format!("Run sequence: {}", said(&panel.panel));
    let height = lanes.len() as i32 * LANE + 104;
    let size = (WIDTH, height as u32);
    let drawn = draw(size, |canvas| paint(canvas, view, rounds, &lanes, height));
    let numbers = numbers(view, panel, rounds, &lanes);
    Some(Figure::new(format!("{}sequence", view.prefix), title, see, numbers, size, drawn))
}

fn lanes(panel: &PanelSummary, rounds: &PanelRounds) -> Vec<Lane> {
    let baseline = panel.panel.baseline.as_str();
    let twin = panel.panel.twin.as_str();
    let times: Vec<f64> = rounds
        .samples(baseline)
        .map(|sample| (sample.ticks as f64 / sample.positions as f64).ln())
        .collect();
    let marks = |id: &str| -> Vec<bool> {
        rounds.samples(id).map(|sample| !sample.marks.is_empty()).collect()
    };
    let own = panel.row(baseline).map_or(baseline, |row| &row.name);
    let first = Lane::new(baseline, format!("{own}, time"), &times, marks(baseline));
    let first = first.map(|lane| Lane { middle: "its median".to_owned(), ..lane });
    let twin_logs = ratios(rounds, twin, baseline);
    let second = Lane::new(twin, "Baseline against itself".to_owned(), &twin_logs, marks(twin));
    let others = panel.rows.iter().filter(|row| row.id != baseline).filter_map(|row| {
        Lane::new(&row.id, row.name.clone(), &ratios(rounds, &row.id, baseline), marks(&row.id))
    });
    first.into_iter().chain(second).chain(others).collect()
}

/// Half the height of these lanes: room for nearly all of nearly every lane. What lies beyond is
/// drawn at the edge.
fn scale(lanes: &[Lane]) -> f64 {
    let spreads: Vec<f64> = lanes.iter().map(Lane::spread).collect();
    1.6 * quantile(&spreads, 0.9).unwrap_or(0.01).max(0.002)
}

/// The places between two rounds at which another process took over.
fn borders(rounds: &PanelRounds) -> Vec<f64> {
    let pairs = rounds.rounds.windows(2).enumerate();
    let others = pairs.filter(|(_, pair)| pair[0].process != pair[1].process);
    others.map(|(before, _)| before as f64 + 0.5).collect()
}

/// The places of rounds that were disturbed from outside.
fn disturbed(rounds: &PanelRounds) -> Vec<usize> {
    let all = rounds.rounds.iter().enumerate();
    all.filter(|(_, round)| !round.marks.is_empty()).map(|(place, _)| place).collect()
}

/// What does not belong to a lane: where processes begin, which rounds are marked, what signs mean.
fn ground(
    canvas: &Canvas<'_>,
    rounds: &PanelRounds,
    whole: &Frame,
    place: impl Fn(f64) -> i32,
) -> Drawn {
    let key = |left: i32, text: &str| canvas.words((left, 16), Anchor::Right, Ink::Muted, text);
    let width = WIDTH as i32;
    canvas.ring((width - 176, 16), 5, Ink::Mark)?;
    key(width - 164, "disturbed sample")?;
    let borders = borders(rounds);
    for &border in &borders {
        let x = place(border);
        canvas.line([(x, whole.y.start), (x, whole.y.end)], Ink::Axis, 1)?;
    }
    let disturbed = disturbed(rounds);
    for &round in &disturbed {
        let x = place(round as f64);
        canvas.fill(x - 2..x + 2, whole.y.start - 9..whole.y.start - 1, Ink::Mark)?;
    }
    if !disturbed.is_empty() {
        canvas.fill(width - 178..width - 174, 28..36, Ink::Mark)?;
        canvas.words((width - 164, 32), Anchor::Right, Ink::Muted, "disturbed round")?;
    }
    if !borders.is_empty() {
        canvas.line([(whole.x.start + 2, 25), (whole.x.start + 2, 37)], Ink::Axis, 1)?;
        canvas.words((whole.x.start + 10, 32), Anchor::Right, Ink::Muted, "another process")?;
    }
    Ok(())
}

fn paint(
    canvas: &Canvas<'_>,
    view: View<'_>,
    all: &PanelRounds,
    lanes: &[Lane],
    height: i32,
) -> Drawn {
    let count = lanes.iter().map(|lane| lane.departures.len()).max().unwrap_or(1);
    let (own, ratios) = lanes.split_at(1);
    let scale = scale(ratios);
    let (left, right) = (220, WIDTH as i32 - 90);
    let top = 52;
    let rounds = 0.0..(count - 1).max(1) as f64;
    let whole = Frame { x: left..right, y: top..height - 48 };
    let axes = even(rounds.clone(), 0.0..1.0, &whole);
    for y in (0..lanes.len() as i32).step_by(2).map(|number| top + number * LANE) {
        canvas.fill(0..WIDTH as i32, y..y + LANE, Ink::Stripe)?;
    }
    for round in even_ticks(&rounds, 8) {
        let x = at(&axes, round, 0.0).0;
        whole.down(canvas, x, &grouped(round as u64))?;
    }
    let text = format!(
        "half a lane: {} around the median; in the first lane {}",
        percent(scale.exp_m1()),
        percent(self::scale(own).exp_m1())
    );
    canvas.words((left, 16), Anchor::Right, Ink::Muted, &text)?;
    ground(canvas, all, &whole, |round| at(&axes, round, 0.0).0)?;
    for (number, lane) in lanes.iter().enumerate() {
        let scale = if number == 0 { self::scale(own) } else { scale };
        let y = top + number as i32 * LANE;
        let frame = Frame { x: left..right, y: y + 3..y + LANE - 3 };
        let axes = even(rounds.clone(), -scale..scale, &frame);
        let ink = view.keys.ink(&lane.id);
        let middle = y + LANE / 2;
        canvas.line([(left, middle), (right, middle)], Ink::Grid, 1)?;
        let place = |(round, departure): (usize, &f64)| {
            at(&axes, round as f64, departure.clamp(-scale, scale))
        };
        let points: Vec<_> = lane.departures.iter().enumerate().map(place).collect();
        canvas.line(points.clone(), ink, 1)?;
        for (&point, &marked) in points.iter().zip(&lane.marked) {
            canvas.dot(point, 2, ink)?;
            if marked {
                canvas.ring(point, 5, Ink::Mark)?;
            }
        }
        let key = view.keys.get(&lane.id);
        let (name, value) = (Ink::Text.owned_by(key), Ink::Muted.owned_by(key));
        canvas.words((left - 12, middle), Anchor::Left, name, &clipped(&lane.label, 27))?;
        canvas.words((right + 10, middle), Anchor::Right, value, &lane.middle)?;
    }
    whole.axes(canvas)?;
    let middle = (left + right) / 2;
    let name = "round, in the order they ran";
    canvas.words((middle, height - 10), Anchor::Centre, Ink::Muted, name)
}

fn numbers(view: View<'_>, panel: &PanelSummary, rounds: &PanelRounds, lanes: &[Lane]) -> Table {
    let caption = format!(
        "Numbers of the plot: {} rounds{}, {} disturbed from outside; spread is half the distance between the 5th and the 95th \
         percentile, shift is the second half of the rounds over the first",
        panel.rounds,
        match borders(rounds).len() {
            0 => String::new(),
            borders => format!(" in {} processes", borders + 1),
        },
        plural(disturbed(rounds).len(), "round"),
    );
    let mut table = Table::new(caption, &["Lane", "Median", "Spread", "Shift", "Disturbed"]);
    for lane in lanes {
        let disturbed = lane.marked.iter().filter(|&&marked| marked).count();
        let cells = vec![
            Cell::text(lane.middle.clone()),
            Cell::number(Some(lane.spread().exp_m1()), |share| format!("±{}", percent(share))),
            Cell::number(Some(lane.shift().exp_m1()), signed),
            Cell::number(Some(disturbed as f64), |count| format!("{count:.0}")),
        ];
        table.design(view.keys, &lane.id, &lane.label, cells);
    }
    table
}

fn signed(share: f64) -> String {
    let sign = if share < 0.0 { "−" } else { "+" };
    format!("{sign}{}", percent(share.abs()))
}
