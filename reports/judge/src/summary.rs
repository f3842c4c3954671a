//! One panel: what each design costs, and how it compares with the baseline.
//!
//! Every comparison is the ratio of the total times of two designs (`estimate`). The cost
//! of a design is the baseline's cost times its ratio, so that costs and ratios never disagree about an
//! order.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use raywalk_results::journal::{PanelRounds, Results};
use raywalk_results::schema::{Control, Event, Legality, Mark, Operation, Panel, Sample};
use raywalk_results::statistics::{Confidence, Interval, Verdict, median};

use crate::aa_control::{self, AaControl};
use crate::crossed::FEWEST_CLUSTERS;
use crate::estimate::{Estimate, Pair};
use crate::format::{corpora, percent, plural};
use crate::no_interval::{NoInterval, why_no_verdict};
use crate::pair;
use crate::ratios::Times;
use crate::spread::Spread;

mod notes;

/// A panel that could show no smaller difference than this, a factor of two, resolves nothing.
const TOO_WIDE: f64 = 1.0;

/// A panel with the ranking of its designs and the result of its A/A control.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelSummary {
    /// Workload, regime, call and designs.
    pub panel: Panel,
    /// Number of complete rounds in the journal.
    pub rounds: usize,
    /// The designs, fastest first, and then those [without a rank](Row::is_ranked). Empty before the first round.
    pub rows: Vec<Row>,
    /// Result of the A/A control; absent if there are too few rounds for an interval.
    pub aa_control: Option<AaControl>,
    /// The smallest difference from the baseline that the median design could have shown, as a fraction: half
    /// its interval, beyond the floor or its own spread. Absent without intervals, and if
    /// none below a factor of two could be shown.
    pub resolution: Option<f64>,
    /// Number of intervals that share the panel's confidence of 95 %.
    pub comparisons: usize,
    /// Half the width of the interval of the baseline's time, as a logarithm: how far all times of the panel may be off
    /// together. It cancels in ratios of the panel, and not in those to another panel. `None` without an interval.
    pub time_error: Option<f64>,
    /// The fraction of the workload's positions that the rounds visited.
    pub visited: f64,
    /// Number of roots that the rounds visited.
    pub roots: usize,
}

/// One design in one panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Id of the design, such as `bell/steps`.
    pub id: String,
    /// Name shown in tables and on the page.
    pub name: String,
    /// Control flow that the card claims.
    pub control: Control,
    /// Whether its moves are legal or pseudo-legal. Designs of different legality find different numbers of moves.
    pub legality: Legality,
    /// Bytes of the tables as built, counted; absent if the design could not be built on this machine.
    pub table_bytes: Option<u64>,
    /// Moves per position, or other results of a call that finds none.
    pub moves: f64,
    /// Nanoseconds per position: the baseline's, times the ratio.
    pub ns_position: f64,
    /// Nanoseconds per move; absent if no moves were found, or if the results are no moves.
    pub ns_move: Option<f64>,
    /// Core cycles per position, derived: ticks × calibrated cycles per tick.
    pub cycles_position: Option<f64>,
    /// Core cycles per move, derived.
    pub cycles_move: Option<f64>,
    /// The ratio of total times to the baseline. Below 1 is faster.
    pub ratio: f64,
    /// The ratio with its interval, or why there is none. The baseline's is exactly 1.
    pub interval: Result<Interval, NoInterval>,
    /// Half the width of the interval as a fraction of the ratio, and of the costs; the baseline's is that of
    /// the A/A control. Absent without an interval.
    pub half_width: Option<f64>,
    /// The ratio without the rounds that were disturbed as a whole, if it lies outside the interval and as many as six
    /// processes are left, or all of them.
    pub undisturbed: Option<f64>,
    /// The ratio with all rounds and with the samples beside a neighbour, under the same conditions.
    pub with_disturbed: Option<f64>,
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

impl PanelSummary {
    /// `times` are those of these rounds.
    pub(crate) fn of(results: &Results, rounds: &PanelRounds, times: &Times) -> PanelSummary {
        let panel = rounds.panel.clone();
        let others = panel.designs.len().saturating_sub(1);
        let confidence = Confidence::NINETY_FIVE.shared_by(others);
        let aa_control = AaControl::of_panel(&panel, times);
        let baseline = aa_control::estimate(&panel, times).map(|estimate| estimate.time);
        let time = times.estimate_of_time(&panel.baseline);
        let time = time.and_then(|time| time.interval(confidence).ok());
        let visited = times.visited();
        let roots = rounds.rounds.iter().map(|round| round.root).collect::<BTreeSet<_>>().len();
        let mut samples: HashMap<&str, Vec<&Sample>> = HashMap::new();
        for sample in rounds.rounds.iter().flat_map(|round| &round.samples) {
            samples.entry(&sample.design).or_default().push(sample);
        }
        let judge = Judge { results, rounds, times, confidence, aa_control };
        let row = |id: &String| judge.row(id, baseline?, samples.get(id.as_str())?);
        let mut rows: Vec<Row> = panel.designs.iter().filter_map(row).collect();
        // The sort is stable, so equal ratios keep the order of the registry.
        rows.sort_by(|one, other| {
            let last = other.is_ranked().cmp(&one.is_ranked());
            last.then(one.ratio.total_cmp(&other.ratio))
        });
        let smallest: Vec<f64> =
            rows.iter().filter_map(|row| row.resolution(aa_control?)).collect();
        PanelSummary {
            rounds: rounds.rounds.len(),
            rows,
            aa_control,
            resolution: median(&smallest).map(f64::exp_m1).filter(|&least| least <= TOO_WIDE),
            comparisons: confidence.comparisons(),
            time_error: time.map(|time| (time.high - time.low) / 2.0),
            visited,
            roots,
            panel,
        }
    }

    /// The row of a design.
    pub fn row(&self, id: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.id == id)
    }

    /// Rank of a design, from 1; absent if it [has none](Row::is_ranked).
    pub fn rank(&self, id: &str) -> Option<usize> {
        let place = self.rows.iter().position(|row| row.id == id)?;
        self.rows[place].is_ranked().then_some(place + 1)
    }

    /// Why the fastest design is not compared with the others, without a full stop.
    pub(crate) fn why_no_lead(&self) -> String {
        let why = self.rows.iter().take(2).find_map(|row| row.interval.err());
        match (why, self.aa_control) {
            (None, Some(_)) => "too few rounds have clean samples of both".to_owned(),
            (why, _) => why_no_verdict(why),
        }
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

    /// Whether pseudo-legal and legal generators take part but do different work, so that they should not
    /// be compared with each other.
    pub fn separates_legality(&self) -> bool {
        self.mixes_legality() && !self.panel.call.is_walk()
    }

    /// Whether the results of its call are leaves of a perft.
    pub fn counts_leaves(&self) -> bool {
        self.panel.call.operation().is_some_and(Operation::counts_leaves)
    }

    /// Whether it times the perft of one position, of which [`leaves`](crate::leaves) has the tables.
    pub(crate) fn is_perft_of_a_position(&self) -> bool {
        self.counts_leaves() && self.panel.regime.period == Some(1)
    }

    /// The workload, its corpora as far as the journal names them, and how much of it was visited: `ab4, of whose
    /// 228,200 positions (corpus tree-ab4, digest 4d9f02052af01620) the rounds visited 23 %, in 16 roots`.
    pub fn positions(&self, results: &Results) -> String {
        let Panel { workload, positions, regime, batch, .. } = &self.panel;
        let from = corpora(&results.session, workload)
            .map_or(String::new(), |corpora| format!(" (corpus {corpora})"));
        let all = format!("{}{from}", plural(*positions as usize, "position"));
        // A long replay, and one of several stretches, visits a part of the workload in each round.
        if regime.period.is_some_and(|k| k.min(*batch) >= *positions) {
            return format!("{workload}, whose {all} every round visited");
        }
        let part = match self.visited {
            all if all >= 1.0 => "all".to_owned(),
            part => percent(part),
        };
        let roots = plural(self.roots, "root");
        format!("{workload}, of whose {all} the rounds visited {part}, in {roots}")
    }
}

/// Data that the rows of a panel are judged by.
struct Judge<'a> {
    results: &'a Results,
    rounds: &'a PanelRounds,
    times: &'a Times,
    confidence: Confidence,
    aa_control: Option<AaControl>,
}

impl Judge<'_> {
    /// `time` is that of the baseline in ticks per position. `None` before the first round.
    fn row(&self, id: &str, time: f64, samples: &[&Sample]) -> Option<Row> {
        let &Judge { results, rounds, times, confidence, aa_control } = self;
        let design = results.design(id)?;
        let baseline = &rounds.panel.baseline;
        let pairs = times.pairs(id, baseline);
        let estimate = times.estimate_of(&pairs)?;
        let interval = estimate.interval(confidence);
        let (spread, verdict) = if id == baseline {
            (Spread::default(), None)
        } else {
            let spread = Spread::of(&estimate);
            let margin = results.session.margin;
            let verdict = interval.ok().and_then(|interval| {
                let floor = pair::floor(aa_control, &spread)?;
                Some(Verdict::of(interval, floor, margin))
            });
            (spread, verdict)
        };
        let all = pairs.len();
        let undisturbed: Vec<_> = pairs.into_iter().filter(|pair| !pair.disturbed).collect();
        let undisturbed = (undisturbed.len() < all).then_some(undisturbed);
        let with_disturbed = times.pairs_with_disturbed(id, baseline);
        // With very few processes the places of these would decide.
        let least = estimate.processes().min(FEWEST_CLUSTERS);
        let outside = |pairs: Option<Vec<Pair>>| {
            let interval = interval.ok()?;
            let other = Estimate::of(&pairs?).filter(|other| other.processes() >= least)?;
            let is_within = interval.low <= other.log && other.log <= interval.high;
            (!is_within).then(|| other.log.exp())
        };
        let total = |of: fn(&Sample) -> u64| samples.iter().map(|s| of(s) as f64).sum::<f64>();
        let moves = total(|sample| sample.moves) / total(|sample| sample.positions);
        let ticks = time * estimate.log.exp();
        let rates: Option<Vec<f64>> = samples.iter().map(|sample| sample.cycles_per_tick).collect();
        let cycles = rates.and_then(|rates| Some(ticks * median(&rates)?));
        let ns = ticks * 1e9 / results.session.clock.hertz;
        let finds_moves = rounds.panel.call.finds_moves() && moves > 0.0;
        let per_move = |amount: f64| finds_moves.then(|| amount / moves);
        Some(Row {
            id: design.id.clone(),
            name: design.name.clone(),
            control: design.control,
            legality: design.legality,
            table_bytes: design.table_bytes,
            moves,
            ns_position: ns,
            ns_move: per_move(ns),
            cycles_position: cycles,
            cycles_move: cycles.and_then(per_move),
            ratio: estimate.log.exp(),
            interval: interval.map(Interval::exp),
            half_width: match id == baseline {
                true => aa_control.map(|control| control.half_width()),
                false => interval.ok().map(half_width),
            },
            undisturbed: outside(undisturbed),
            with_disturbed: outside(with_disturbed),
            spread,
            verdict,
            events: events(samples),
            marks: tally(samples.iter().flat_map(|sample| &sample.marks)),
            marked: samples.iter().filter(|sample| !sample.marks.is_empty()).count() as u64,
        })
    }
}

/// Half the width of an interval of log ratios, as a fraction of the ratio.
fn half_width(interval: Interval) -> f64 {
    ((interval.high - interval.low) / 2.0).exp_m1()
}

impl Row {
    /// Whether the ratio is good enough to rank the design. If most samples were spoilt, the few that are left
    /// come from a few processes, and their ratio may be anything.
    pub fn is_ranked(&self) -> bool {
        !matches!(self.interval, Err(NoInterval::Spoilt { .. }))
    }

    /// The ends of the interval of a cost of this design, by those of its ratio; of the baseline, by those of
    /// the A/A control.
    pub fn ends(&self, cost: f64) -> Option<(f64, f64)> {
        let factor = 1.0 + self.half_width?;
        Some((cost / factor, cost * factor))
    }

    /// Million results per second, such as leaves; absent as the time of one is.
    pub fn millions_per_second(&self) -> Option<f64> {
        Some(1e3 / self.ns_move?)
    }

    /// The smallest log ratio that would have been a difference; `None` for the baseline.
    fn resolution(&self, aa_control: AaControl) -> Option<f64> {
        self.verdict?;
        let interval = self.interval.ok()?;
        let half = (interval.high / interval.low).ln() / 2.0;
        let spread = self.spread.bound().map_or(0.0, |bound| bound.log);
        Some(half + aa_control.floor.widened(spread).log())
    }
}

/// Events that do not fit on the counters together take turns, so each has rounds of its own.
fn events(samples: &[&Sample]) -> BTreeMap<Event, f64> {
    let all: BTreeSet<Event> =
        samples.iter().flat_map(|sample| sample.events.keys().copied()).collect();
    all.into_iter()
        .filter_map(|event| {
            let per_move = |sample: &&Sample| {
                let count = *sample.events.get(&event)? as f64;
                (sample.moves > 0).then(|| count / sample.moves as f64)
            };
            let counts: Vec<f64> = samples.iter().filter_map(per_move).collect();
            Some((event, median(&counts)?))
        })
        .collect()
}

pub(crate) fn tally<'a>(marks: impl IntoIterator<Item = &'a Mark>) -> BTreeMap<Mark, u64> {
    let mut counts = BTreeMap::new();
    for &mark in marks {
        *counts.entry(mark).or_insert(0) += 1;
    }
    counts
}
