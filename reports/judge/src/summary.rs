//! One panel: what each design costs, and how it compares with the baseline.
//!
//! A cost is the median over the rounds, with the minimum beside it. A comparison is the median of
//! the ratios within rounds, with its interval. The two are kept apart because the machine may drift
//! by more between two rounds than two designs differ within one.

use std::collections::{BTreeMap, BTreeSet};

use raywalk_results::journal::{PanelRounds, Results};
use raywalk_results::schema::{Control, Design, Event, Legality, Mark, Panel, Sample, Status};
use raywalk_results::statistics::{
    Confidence, Interval, TooFew, Verdict, median, median_interval, minimum,
};

use crate::aa_control::AaControl;
use crate::pair::{self, PairJudge};
use crate::ratios;
use crate::spread::Spread;

/// One panel, judged.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelSummary {
    /// What was compared.
    pub panel: Panel,
    /// Number of rounds.
    pub rounds: usize,
    /// The designs, fastest first. Empty before the first round.
    pub rows: Vec<Row>,
    /// What the A/A control showed; absent below six rounds.
    pub aa_control: Option<AaControl>,
    /// The verdict on the fastest against the second fastest. It shares its confidence with all
    /// pairs of the panel, because the pair was selected from them by its result.
    pub lead: Option<Verdict>,
    /// Number of intervals that share the panel's confidence of 95 %.
    pub comparisons: usize,
}

/// One design in one panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Design id.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Claimed control flow.
    pub control: Control,
    /// Which moves it promises. Designs of different legality find different numbers of moves.
    pub legality: Legality,
    /// Table bytes as counted.
    pub table_bytes: Option<u64>,
    /// Moves per position.
    pub moves: f64,
    /// Nanoseconds per position.
    pub ns_position: Cost,
    /// Nanoseconds per move; absent if a sample has no moves.
    pub ns_move: Option<Cost>,
    /// Core cycles per position, derived: ticks × calibrated cycles per tick.
    pub cycles_position: Option<Cost>,
    /// Core cycles per move, derived.
    pub cycles_move: Option<Cost>,
    /// Median of the ratios to the baseline, within rounds. Below 1 is faster.
    pub ratio: f64,
    /// The ratio with its interval, or why there is none. The baseline's is exactly 1.
    pub interval: Result<Interval, TooFew>,
    /// Spread of the ratio over layouts and processes; empty for the baseline.
    pub spread: Spread,
    /// The verdict against the baseline; absent for the baseline itself, and without an interval or
    /// an A/A control. An effect below the A/A floor or below its own spread is not resolved.
    pub verdict: Option<Verdict>,
    /// Median of each event, per move, over the samples in which it was counted.
    pub events: BTreeMap<Event, f64>,
    /// Number of samples that carry each mark.
    pub marks: BTreeMap<Mark, u64>,
    /// Number of samples that carry any mark.
    pub marked: u64,
}

/// A cost over the rounds of a panel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Median: the number to quote.
    pub median: f64,
    /// Minimum: the cost in the least disturbed round.
    pub minimum: f64,
}

impl PanelSummary {
    pub(crate) fn of(results: &Results, rounds: &PanelRounds) -> PanelSummary {
        let panel = rounds.panel.clone();
        let others = panel.designs.len().saturating_sub(1);
        let confidence = Confidence::NINETY_FIVE.shared_by(others);
        let aa_control = AaControl::of_panel(rounds);
        let mut rows: Vec<Row> = panel
            .designs
            .iter()
            .filter_map(|id| Row::of(results, rounds, id, confidence, aa_control))
            .collect();
        // The sort is stable, so equal medians keep the order of the registry.
        rows.sort_by(|one, other| one.ratio.total_cmp(&other.ratio));
        let pairs = panel.designs.len() * others / 2;
        let lead = match &rows[..] {
            [first, second, ..] => {
                PairJudge::new(results, rounds, aa_control, pairs).verdict(&first.id, &second.id)
            }
            _ => None,
        };
        PanelSummary {
            rounds: rounds.rounds.len(),
            rows,
            aa_control,
            lead,
            comparisons: confidence.comparisons(),
            panel,
        }
    }

    /// The row of a design.
    pub fn row(&self, id: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.id == id)
    }

    /// Rank of a design, from 1.
    pub fn rank(&self, id: &str) -> Option<usize> {
        self.rows.iter().position(|row| row.id == id).map(|place| place + 1)
    }

    /// Names of the verified designs that do not offer the call of this panel.
    pub fn left_out<'a>(&self, results: &'a Results) -> Vec<&'a str> {
        let out = |design: &&Design| {
            !self.panel.call.is_offered_by_all()
                && matches!(design.status, Status::Verified { .. })
                && !self.panel.designs.contains(&design.id)
        };
        results.designs.iter().filter(out).map(|design| design.name.as_str()).collect()
    }

    /// Whether every design has derived core cycles.
    pub fn has_cycles(&self) -> bool {
        !self.rows.is_empty() && self.rows.iter().all(|row| row.cycles_position.is_some())
    }

    /// Whether the spread of any ratio over layouts or processes is known.
    pub fn has_spread(&self) -> bool {
        self.rows.iter().any(|row| row.spread.bound().is_some())
    }

    /// Whether both pseudo-legal and legal generators take part.
    pub fn mixes_legality(&self) -> bool {
        self.rows.windows(2).any(|pair| pair[0].legality != pair[1].legality)
    }
}

impl Row {
    /// `None` before the first round.
    fn of(
        results: &Results,
        rounds: &PanelRounds,
        id: &str,
        confidence: Confidence,
        aa_control: Option<AaControl>,
    ) -> Option<Row> {
        let design = results.design(id)?;
        let baseline = &rounds.panel.baseline;
        let logs = ratios::by_round(rounds, id, baseline);
        let interval = median_interval(&logs, confidence);
        let (spread, verdict) = if id == baseline {
            (Spread::default(), None)
        } else {
            let spread = Spread::between(results, rounds, id, baseline);
            let margin = results.session.margin;
            let verdict = interval
                .ok()
                .and_then(|interval| pair::verdict(interval, aa_control, &spread, margin));
            (spread, verdict)
        };
        let samples: Vec<&Sample> = rounds.samples(id).collect();
        let ns_per_tick = 1e9 / results.session.clock.hertz;
        let ns = |sample: &Sample| Some(sample.ticks as f64 * ns_per_tick);
        let cycles = |sample: &Sample| Some(sample.ticks as f64 * sample.cycles_per_tick?);
        let moves = |sample: &Sample| Some(sample.moves as f64);
        Some(Row {
            id: design.id.clone(),
            name: design.name.clone(),
            control: design.control,
            legality: design.legality,
            table_bytes: design.table_bytes,
            moves: Cost::of(&samples, moves, per_position)?.median,
            ns_position: Cost::of(&samples, ns, per_position)?,
            ns_move: Cost::of(&samples, ns, per_move),
            cycles_position: Cost::of(&samples, cycles, per_position),
            cycles_move: Cost::of(&samples, cycles, per_move),
            ratio: median(&logs)?.exp(),
            interval: interval.map(Interval::exp),
            spread,
            verdict,
            events: events(&samples),
            marks: tally(samples.iter().flat_map(|sample| &sample.marks)),
            marked: samples.iter().filter(|sample| !sample.marks.is_empty()).count() as u64,
        })
    }
}

fn per_position(sample: &Sample) -> u64 {
    sample.positions
}

fn per_move(sample: &Sample) -> u64 {
    sample.moves
}

impl Cost {
    /// `amount` ÷ `units` over all samples; `None` as soon as one sample lacks the amount or has no
    /// unit, so that a number of some rounds is never shown for all.
    fn of(
        samples: &[&Sample],
        amount: impl Fn(&Sample) -> Option<f64>,
        units: impl Fn(&Sample) -> u64,
    ) -> Option<Cost> {
        let values: Vec<f64> = samples
            .iter()
            .map(|sample| match units(sample) {
                0 => None,
                units => Some(amount(sample)? / units as f64),
            })
            .collect::<Option<_>>()?;
        Some(Cost { median: median(&values)?, minimum: minimum(&values)? })
    }
}

/// Events that do not fit on the counters together take turns, so each has rounds of its own.
fn events(samples: &[&Sample]) -> BTreeMap<Event, f64> {
    let all: BTreeSet<Event> =
        samples.iter().flat_map(|sample| sample.events.keys().copied()).collect();
    all.into_iter()
        .filter_map(|event| {
            let counted: Vec<&Sample> = samples
                .iter()
                .copied()
                .filter(|sample| sample.events.contains_key(&event))
                .collect();
            let count = |sample: &Sample| sample.events.get(&event).map(|&count| count as f64);
            Some((event, Cost::of(&counted, count, per_move)?.median))
        })
        .collect()
}

/// How often each mark occurs.
pub(crate) fn tally<'a>(marks: impl IntoIterator<Item = &'a Mark>) -> BTreeMap<Mark, u64> {
    let mut counts = BTreeMap::new();
    for &mark in marks {
        *counts.entry(mark).or_insert(0) += 1;
    }
    counts
}
