//! From rounds to rows: what each design costs, and how it stands against the baseline.
//!
//! A cost is the median over the rounds, with the least beside it; a comparison is the median of
//! the ratios within rounds, with its interval. The two are kept apart because the machine may
//! drift by more between two rounds than two designs differ within one.

use std::collections::{BTreeMap, BTreeSet};

use crate::journal::{PanelRounds, Results};
use crate::schema::{Design, Panel, Regime, Sample, Status};
use crate::spread::{Spread, spread};
use crate::statistics::{
    Confidence, Floor, Interval, TooFew, Verdict, log_ratios, median, median_interval, midmean,
    minimum,
};

/// The band of indifference: two designs that differ by less are called equal. Moving the same
/// code to another address changes the time of branchy loops by more than this; where a session
/// went to several addresses, its [spread] says by how much.
pub const MARGIN: f64 = 0.01;

/// One panel, judged.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelSummary {
    /// What was compared.
    pub panel: Panel,
    /// Rounds found.
    pub rounds: usize,
    /// The designs, fastest first. Empty before the first round.
    pub rows: Vec<Row>,
    /// The baseline against itself; absent before the sixth round.
    pub itself: Option<AgainstItself>,
    /// The fastest against the second fastest, judged as one of all the pairs it was picked from.
    pub lead: Option<Verdict>,
    /// In how many intervals the panel's confidence of 95 % is shared.
    pub comparisons: usize,
}

/// What the A/A pair showed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgainstItself {
    /// Twin ÷ baseline. Its interval is alone: it is one per panel.
    pub ratio: Interval,
    /// What follows from it.
    pub floor: Floor,
}

impl AgainstItself {
    fn of(logs: &[f64]) -> Option<AgainstItself> {
        let ratio = median_interval(logs, Confidence::NINETY_FIVE).ok()?;
        Some(AgainstItself { ratio: ratio.exp(), floor: Floor::of(ratio) })
    }

    /// Half the width of the interval, as a share: 0.01 is one per cent.
    pub fn half_width(&self) -> f64 {
        ((self.ratio.high / self.ratio.low).ln() / 2.0).exp_m1()
    }
}

/// One design in one panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Design id.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Claimed control flow.
    pub control: String,
    /// `pseudo-legal` or `legal`: their moves are not the same moves.
    pub legality: String,
    /// Table bytes as counted.
    pub table_bytes: Option<u64>,
    /// Moves per position.
    pub moves: f64,
    /// Nanoseconds per position.
    pub ns_position: Cost,
    /// Nanoseconds per move; absent if there were none.
    pub ns_move: Option<Cost>,
    /// Core cycles per position, derived: ticks × calibrated cycles per tick.
    pub cycles_position: Option<Cost>,
    /// Core cycles per move, derived.
    pub cycles_move: Option<Cost>,
    /// Median of the ratios to the baseline, within rounds.
    pub ratio: f64,
    /// The same with its interval, or why there is none. The baseline's is exactly 1.
    pub interval: Result<Interval, TooFew>,
    /// How far the ratio lies apart over layouts, processes and rounds; nothing for the baseline.
    pub spread: Spread,
    /// What may be said; absent for the baseline, and where there is no interval or no floor. An
    /// effect below the A/A floor or below its own spread is not resolved.
    pub verdict: Option<Verdict>,
    /// Median of each event, per move, over the samples in which it was counted.
    pub events: BTreeMap<String, f64>,
    /// How many samples carry each mark.
    pub marks: BTreeMap<String, u64>,
    /// How many samples carry any mark.
    pub marked: u64,
}

/// A cost over the rounds of a panel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Median: the number to quote.
    pub median: f64,
    /// Least: the cost when nothing disturbed.
    pub minimum: f64,
}

impl PanelSummary {
    /// The row of a design.
    pub fn row(&self, id: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.id == id)
    }

    /// Rank of a design, from 1.
    pub fn rank(&self, id: &str) -> Option<usize> {
        self.rows.iter().position(|row| row.id == id).map(|place| place + 1)
    }

    /// Names of the verified designs that have no such scope and so take no part.
    pub fn left_out<'a>(&self, results: &'a Results) -> Vec<&'a str> {
        let out = |design: &&Design| {
            self.panel.scope.is_some()
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

/// The baseline against itself in the session as a whole: the rounds of all panels in which nothing
/// disturbs the calls, pooled, each round alike. `None` below six of them.
///
/// It says how finely this machine could tell designs apart in this session. No verdict is made
/// from it: a panel has a floor of its own, because panels differ in the length of their samples.
pub fn session_floor(results: &Results) -> Option<AgainstItself> {
    let plain = results.panels.iter().filter(|rounds| !rounds.panel.regime.is_disturbed());
    let logs: Vec<f64> = plain
        .flat_map(|rounds| ratios(rounds, &rounds.panel.twin, &rounds.panel.baseline))
        .collect();
    AgainstItself::of(&logs)
}

/// Judges every panel of a session, in the session's order.
pub fn summarise(results: &Results) -> Vec<PanelSummary> {
    results.panels.iter().map(|panel| summarise_panel(results, panel)).collect()
}

/// The panel that stands for the session: `ab4` with all moves, or else the first panel with all
/// moves, or else the first. What is disturbed stands for nothing but itself.
pub fn headline(panels: &[PanelSummary]) -> Option<&PanelSummary> {
    let all = |panel: &&PanelSummary| panel.panel.is_plain() && !panel.rows.is_empty();
    panels
        .iter()
        .find(|panel| all(panel) && panel.panel.workload == "ab4")
        .or_else(|| panels.iter().find(all))
        .or_else(|| panels.iter().find(|panel| !panel.rows.is_empty()))
}

/// The panels in which the same positions come back after K others, by rising K: workloads
/// `repeat-K` and `cycle-K` with all moves. Their content is alike, so K alone differs.
pub fn memorisation(panels: &[PanelSummary]) -> Vec<(u64, &PanelSummary)> {
    let mut found: Vec<(u64, &PanelSummary)> = panels
        .iter()
        .filter(|panel| panel.panel.is_whole() && !panel.rows.is_empty())
        .filter_map(|panel| match panel.panel.regime {
            Regime::Replay { k } => Some((k, panel)),
            _ => None,
        })
        .filter(|(k, panel)| {
            let name = panel.panel.workload.as_str();
            ["repeat", "cycle"].iter().any(|series| name == format!("{series}-{k}"))
        })
        .collect();
    found.sort_by_key(|&(k, _)| k);
    found.dedup_by_key(|&mut (k, _)| k);
    found
}

fn summarise_panel(results: &Results, rounds: &PanelRounds) -> PanelSummary {
    let panel = rounds.panel.clone();
    let others = panel.designs.len().saturating_sub(1);
    let confidence = Confidence::NINETY_FIVE.shared_by(others);
    let itself = against_itself(rounds);
    let margin = margin(results);
    let mut rows: Vec<Row> = panel
        .designs
        .iter()
        .filter_map(|id| {
            let costs = Costs::of(results, rounds, id)?;
            let logs = ratios(rounds, id, &panel.baseline);
            let interval = median_interval(&logs, confidence);
            let is_baseline = *id == panel.baseline;
            let spread = match is_baseline {
                true => Spread::default(),
                false => spread(results, rounds, id, &panel.baseline),
            };
            let design = results.design(id)?;
            Some(Row {
                id: id.clone(),
                name: design.name.clone(),
                control: design.control.clone(),
                legality: design.legality.clone(),
                table_bytes: design.table_bytes,
                moves: costs.moves,
                ns_position: costs.ns_position,
                ns_move: costs.ns_move,
                cycles_position: costs.cycles_position,
                cycles_move: costs.cycles_move,
                ratio: median(&logs)?.exp(),
                interval: interval.map(Interval::exp),
                verdict: interval
                    .ok()
                    .filter(|_| !is_baseline)
                    .and_then(|interval| judged(interval, itself, &spread, margin)),
                spread,
                events: costs.events,
                marks: costs.marks,
                marked: costs.marked,
            })
        })
        .collect();
    // Equal medians keep the order of the registry: the sort is stable.
    rows.sort_by(|one, other| one.ratio.total_cmp(&other.ratio));
    let pairs = panel.designs.len() * others / 2;
    let lead = match &rows[..] {
        [first, second, ..] => Judge::new(results, rounds, pairs).verdict(&first.id, &second.id),
        _ => None,
    };
    PanelSummary {
        rounds: rounds.rounds.len(),
        rows,
        itself,
        lead,
        comparisons: confidence.comparisons(),
        panel,
    }
}

/// The A/A pair of a panel.
fn against_itself(rounds: &PanelRounds) -> Option<AgainstItself> {
    AgainstItself::of(&ratios(rounds, &rounds.panel.twin, &rounds.panel.baseline))
}

fn judged(
    interval: Interval,
    itself: Option<AgainstItself>,
    spread: &Spread,
    margin: f64,
) -> Option<Verdict> {
    let floor = itself?.floor.widened(spread.bound().map_or(0.0, |bound| bound.log));
    Some(Verdict::of(interval, floor, margin))
}

/// The band of indifference of a session.
fn margin(results: &Results) -> f64 {
    results.session.margin.unwrap_or(MARGIN)
}

/// Judges any two designs of a panel by their own rounds and their own spread.
pub struct Judge<'a> {
    results: &'a Results,
    rounds: &'a PanelRounds,
    itself: Option<AgainstItself>,
    confidence: Confidence,
}

impl<'a> Judge<'a> {
    /// A judge of a panel, whose confidence of 95 % is shared by so many pairs.
    pub fn new(results: &'a Results, rounds: &'a PanelRounds, pairs: usize) -> Judge<'a> {
        let confidence = Confidence::NINETY_FIVE.shared_by(pairs);
        Judge { results, rounds, itself: against_itself(rounds), confidence }
    }

    /// What may be said of one against the other; `None` if there are too few rounds.
    pub fn verdict(&self, one: &str, other: &str) -> Option<Verdict> {
        let interval = median_interval(&ratios(self.rounds, one, other), self.confidence).ok()?;
        let spread = spread(self.results, self.rounds, one, other);
        judged(interval, self.itself, &spread, margin(self.results))
    }
}

/// ln(one ÷ other) of the time per position, round by round in time order.
pub fn ratios(rounds: &PanelRounds, one: &str, other: &str) -> Vec<f64> {
    rounds.samples(one).zip(rounds.samples(other)).map(|(one, other)| ratio(one, other)).collect()
}

/// ln(one ÷ other) of two samples of a round: the mean of the middle half of the ratios of their
/// blocks (the midmean, J. W. Tukey, *Exploratory Data Analysis*, 1977), or the ratio of the wholes
/// where they have no blocks. A quarter of the blocks may be spoilt on either side.
pub fn ratio(one: &Sample, other: &Sample) -> f64 {
    let sound = |sample: &Sample| sample.blocks.len() > 1 && !sample.blocks.contains(&0);
    if one.blocks.len() == other.blocks.len() && sound(one) && sound(other) {
        let pairs = one.blocks.iter().zip(&other.blocks).map(|(&a, &b)| (a as f64, b as f64));
        return midmean(log_ratios(pairs));
    }
    let per_position = |sample: &Sample| sample.ticks as f64 / sample.positions as f64;
    (per_position(one) / per_position(other)).ln()
}

struct Costs {
    moves: f64,
    ns_position: Cost,
    ns_move: Option<Cost>,
    cycles_position: Option<Cost>,
    cycles_move: Option<Cost>,
    events: BTreeMap<String, f64>,
    marks: BTreeMap<String, u64>,
    marked: u64,
}

impl Costs {
    fn of(results: &Results, rounds: &PanelRounds, id: &str) -> Option<Costs> {
        let samples: Vec<&Sample> = rounds.samples(id).collect();
        let ns_per_tick = 1e9 / results.session.clock.hertz;
        let ns = |sample: &Sample| Some(sample.ticks as f64 * ns_per_tick);
        let cycles = |sample: &Sample| Some(sample.ticks as f64 * sample.cycles_per_tick?);
        let positions = |sample: &Sample| sample.positions;
        let moves = |sample: &Sample| sample.moves;
        let mut marks = BTreeMap::new();
        for mark in samples.iter().flat_map(|sample| &sample.marks) {
            *marks.entry(mark.clone()).or_insert(0) += 1;
        }
        // Events that do not fit on the counters together take turns, so each has rounds of its own.
        let names: BTreeSet<&String> = samples.iter().flat_map(|s| s.events.keys()).collect();
        let events = names.into_iter().filter_map(|name| {
            let counted: Vec<&Sample> =
                samples.iter().copied().filter(|s| s.events.contains_key(name)).collect();
            let count = |sample: &Sample| sample.events.get(name).map(|&count| count as f64);
            Some((name.clone(), cost(&counted, count, moves)?.median))
        });
        Some(Costs {
            moves: cost(&samples, |sample| Some(sample.moves as f64), positions)?.median,
            ns_position: cost(&samples, ns, positions)?,
            ns_move: cost(&samples, ns, moves),
            cycles_position: cost(&samples, cycles, positions),
            cycles_move: cost(&samples, cycles, moves),
            events: events.collect(),
            marks,
            marked: samples.iter().filter(|sample| !sample.marks.is_empty()).count() as u64,
        })
    }
}

/// `what` per `unit` over all samples; `None` as soon as one sample lacks it or has no unit, so
/// that a partial number is never shown for a whole one.
fn cost(
    samples: &[&Sample],
    what: impl Fn(&Sample) -> Option<f64>,
    unit: impl Fn(&Sample) -> u64,
) -> Option<Cost> {
    let values: Vec<f64> = samples
        .iter()
        .map(|sample| match unit(sample) {
            0 => None,
            units => Some(what(sample)? / units as f64),
        })
        .collect::<Option<_>>()?;
    Some(Cost { median: median(&values)?, minimum: minimum(&values)? })
}
