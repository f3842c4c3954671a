//! A panel of both sessions: the batches and designs that both have, and the changes between them.

use std::collections::BTreeSet;

use raywalk_results::journal::{PanelRounds, Results};
use raywalk_results::schema::Round;
use raywalk_results::statistics::{Confidence, Floor, Interval, TooFew, Verdict};

use super::{PanelComparison, Question, Row, batch, batches};
use crate::aa_control::AaControl;
use crate::crossed::FEWEST_CLUSTERS;
use crate::estimate::{Estimate, Pair as RoundPair};
use crate::no_interval::NoInterval;
use crate::ratios::Times;
use crate::spread::Spread;

/// The two sessions measured no batch in common.
const NOTHING_SHARED: NoInterval = NoInterval::TooFew(TooFew { found: 0, needed: FEWEST_CLUSTERS });

/// A panel of both sessions with the designs to compare.
pub(super) struct Pair<'a> {
    /// The rounds of the batches that both measured.
    sides: [PanelRounds; 2],
    times: [Times; 2],
    hertz: [f64; 2],
    /// The designs that both sessions have.
    pub(super) both: Vec<&'a str>,
    /// Those of them that the question selects.
    designs: Vec<&'a str>,
    pub(super) baseline: &'a str,
    pub(super) replaced: Option<&'a str>,
}

impl<'a> Pair<'a> {
    /// `None` if the two have no design in common, or lack the baseline that was asked for.
    pub(super) fn of(
        sessions: [&'a Results; 2],
        sides: [&'a PanelRounds; 2],
        question: &Question<'a>,
    ) -> Option<Pair<'a>> {
        let [a, b] = sides.map(|side| &side.panel);
        let [in_a, in_b] = sides.map(batches);
        let shared: BTreeSet<_> = in_a.intersection(&in_b).copied().collect();
        // A generator that became legal does other work, so its times are not comparable.
        let legality = |results: &'a Results, id: &str| results.design(id).map(|d| d.legality);
        let both: Vec<&str> = a
            .designs
            .iter()
            .filter(|id| b.designs.contains(id))
            .filter(|id| legality(sessions[0], id) == legality(sessions[1], id))
            .map(String::as_str)
            .collect();
        let own = [a.baseline.as_str(), b.baseline.as_str()];
        let own = own.into_iter().find(|id| both.contains(id)).or(both.first().copied())?;
        let hertz = sessions.map(|results| results.session.clock.hertz);
        let baseline = match question.baseline {
            Some(asked) => both.iter().copied().find(|id| *id == asked)?,
            None => own,
        };
        let designs = both.iter().copied().filter(|id| (question.selects)(id)).collect();
        let sides = sides.map(|side| {
            let is_shared = |round: &&Round| shared.contains(&batch(&side.panel, round));
            let rounds = side.rounds.iter().filter(is_shared).cloned().collect();
            PanelRounds { panel: side.panel.clone(), rounds }
        });
        let times = [0, 1].map(|side| Times::of(sessions[side], &sides[side]));
        Some(Pair { times, sides, hertz, both, designs, baseline, replaced: None })
    }

    /// Whether the baseline changed against more than half of the other designs, all in the same
    /// direction. With two designs it cannot be told which one changed.
    pub(super) fn baseline_changed(&self, confidence: Confidence, margin: f64) -> bool {
        let others = || self.both.iter().filter(|id| **id != self.baseline);
        let changes: Vec<i32> =
            others().map(|id| self.change(self.baseline, id, confidence, margin)).collect();
        let most = |way: i32| 2 * changes.iter().filter(|&&change| change == way).count();
        changes.len() > 1 && (most(1) > changes.len() || most(-1) > changes.len())
    }

    /// 1 if a design became slower than another from A to B, -1 if it became faster, and 0 if neither is
    /// resolved beyond margin, floor and spread.
    pub(super) fn change(
        &self,
        id: &str,
        against: &str,
        confidence: Confidence,
        margin: f64,
    ) -> i32 {
        let Some((interval, floor)) = self.relative(id, against, confidence) else { return 0 };
        let least = margin.ln_1p().max(floor.log());
        i32::from(interval.low > least) - i32::from(interval.high < -least)
    }

    /// The change of a ratio of two designs, in ln, and the floor with the spread of that ratio.
    fn relative(
        &self,
        id: &str,
        against: &str,
        confidence: Confidence,
    ) -> Option<(Interval, Floor)> {
        let spreads = [0, 1].map(|side| self.spread(side, id, against));
        let floor = widened(self.floor()?, spreads);
        Some((self.shift(id, against, confidence).ok()?, floor))
    }

    /// The change of a ratio of two designs, in ln.
    fn shift(
        &self,
        id: &str,
        against: &str,
        confidence: Confidence,
    ) -> Result<Interval, NoInterval> {
        let [a, b] = [0, 1].map(|side| Estimate::of(&self.pairs(side, id, against)));
        let change = a.zip(b).map(|(before, after)| after.since(&before));
        change.ok_or(NOTHING_SHARED)?.interval(confidence)
    }

    /// The change of the time of a design, in ln.
    fn time(&self, id: &str, confidence: Confidence) -> Result<Interval, NoInterval> {
        self.change_of_time(id).ok_or(NOTHING_SHARED)?.interval(confidence)
    }

    fn change_of_time(&self, id: &str) -> Option<Estimate> {
        let seconds = |side: usize| {
            let mut pairs = self.pairs(side, id, id);
            for pair in &mut pairs {
                pair.blocks.iter_mut().flatten().for_each(|(time, _)| *time /= self.hertz[side]);
            }
            pairs
        };
        Estimate::of_time(&seconds(0), &seconds(1))
    }

    fn pairs(&self, side: usize, id: &str, against: &str) -> Vec<RoundPair> {
        self.times[side].pairs(id, against)
    }

    /// The change of the time of each design, in ln.
    pub(super) fn changes(&self) -> Vec<(&'a str, f64)> {
        let change = |id: &'a str| Some((id, self.change_of_time(id)?.log));
        self.both.iter().filter_map(|&id| change(id)).collect()
    }

    /// Number of intervals: one of the baseline, two of each other design.
    pub(super) fn intervals(&self) -> usize {
        self.designs.iter().map(|id| 1 + usize::from(*id != self.baseline)).sum()
    }

    pub(super) fn judge(&self, confidence: Confidence, margin: f64) -> PanelComparison {
        let floor = self.floor();
        let rows = self.designs.iter().map(|id| self.row(id, floor, confidence, margin)).collect();
        PanelComparison {
            panel: self.sides[0].panel.clone(),
            rounds: [0, 1].map(|side| self.sides[side].rounds.len()),
            baseline: self.baseline.to_owned(),
            replaced: self.replaced.map(str::to_owned),
            floor,
            rows,
        }
    }

    fn row(&self, id: &str, floor: Option<Floor>, confidence: Confidence, margin: f64) -> Row {
        let relative = (id != self.baseline).then(|| self.shift(id, self.baseline, confidence));
        let [from_a, from_b] = [0, 1].map(|n| self.spread(n, id, self.baseline));
        let floor = floor.map(|floor| widened(floor, [from_a, from_b]));
        let known = relative.and_then(Result::ok).zip(floor);
        let beyond =
            |(interval, floor): (Interval, Floor)| interval.low > margin.ln_1p().max(floor.log());
        Row {
            id: id.to_owned(),
            relative: relative.map(|interval| interval.map(Interval::exp)),
            spread: from_a.zip(from_b).map(|(a, b)| a.hypot(b)),
            time: self.time(id, confidence).map(Interval::exp),
            verdict: known.map(|(interval, floor)| Verdict::of(interval, floor, margin)),
            significance: known.and_then(|(interval, floor)| significance(interval, floor)),
            regression: known.is_some_and(beyond),
        }
    }

    /// Spread of the ratio of two designs in one of the sessions, in ln.
    fn spread(&self, side: usize, id: &str, against: &str) -> Option<f64> {
        if id == against {
            return None;
        }
        let estimate = Estimate::of(&self.pairs(side, id, against))?;
        Spread::of(&estimate).bound().map(|bound| bound.log)
    }

    fn floor(&self) -> Option<Floor> {
        let [a, b] =
            [0, 1].map(|side| AaControl::of_panel(&self.sides[side].panel, &self.times[side]));
        let sum = a?.floor.log() + b?.floor.log();
        Some(Floor::of(Interval { low: -sum, middle: 0.0, high: sum }))
    }
}

/// A change over the smallest one that stands out from interval, floor and spread, both as logarithms. The margin has
/// no part in it. rustc-perf's significance factor is the same with another threshold.
fn significance(change: Interval, floor: Floor) -> Option<f64> {
    let threshold = (change.high - change.low) / 2.0 + floor.log();
    (threshold > 0.0).then(|| change.middle.abs() / threshold)
}

/// The floor with the spreads of both sessions. If only one of them is known, it still widens the floor.
fn widened(floor: Floor, spreads: [Option<f64>; 2]) -> Floor {
    let [a, b] = spreads.map(|spread| spread.unwrap_or(0.0));
    floor.widened(a.hypot(b))
}
