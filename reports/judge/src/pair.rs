//! Verdicts on two designs of a panel.

use raywalk_results::journal::Results;
use raywalk_results::statistics::{Confidence, Floor, Interval, Verdict};

use crate::aa_control::AaControl;
use crate::ratios::Times;
use crate::spread::Spread;

/// Two designs of a panel, compared by the rounds that have both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compared {
    /// Time of the one over that of the other.
    pub ratio: Interval,
    /// Bound that the whole interval must exceed: the floor of the A/A control, or the spread of the ratio if it is
    /// larger.
    pub floor: Floor,
    /// The verdict on the one.
    pub verdict: Verdict,
}

impl Compared {
    /// The geometric mean of some comparisons, as if the errors of all had one cause: their ends and floors are
    /// averaged in logarithms. `None` without any.
    pub(crate) fn mean(all: &[Compared], margin: f64) -> Option<Compared> {
        if all.is_empty() {
            return None;
        }
        let mean =
            |of: &dyn Fn(&Compared) -> f64| all.iter().map(of).sum::<f64>() / all.len() as f64;
        let log_ratio = Interval {
            low: mean(&|it| it.ratio.low.ln()),
            middle: mean(&|it| it.ratio.middle.ln()),
            high: mean(&|it| it.ratio.high.ln()),
        };
        let floor = Floor::mean(&all.iter().map(|it| it.floor).collect::<Vec<_>>());
        let verdict = Verdict::of(log_ratio, floor, margin);
        Some(Compared { ratio: log_ratio.exp(), floor, verdict })
    }
}

/// Judges any two designs of a panel by their own rounds and their own spread.
pub(crate) struct PairJudge<'a> {
    results: &'a Results,
    times: &'a Times,
    aa_control: Option<AaControl>,
    confidence: Confidence,
    pairs: usize,
}

impl<'a> PairJudge<'a> {
    /// `pairs` is the number of pairs that share the panel's confidence of 95 %.
    pub(crate) fn new(
        results: &'a Results,
        times: &'a Times,
        aa_control: Option<AaControl>,
        pairs: usize,
    ) -> PairJudge<'a> {
        let confidence = Confidence::NINETY_FIVE.shared_by(pairs);
        PairJudge { results, times, aa_control, confidence, pairs }
    }

    /// Number of pairs that share the confidence.
    pub(crate) fn pairs(&self) -> usize {
        self.pairs
    }

    /// The verdict on `one` against `other`; `None` without an interval.
    pub(crate) fn verdict(&self, one: &str, other: &str) -> Option<Verdict> {
        self.compared(one, other).map(|compared| compared.verdict)
    }

    /// `None` without an interval or an A/A control.
    pub(crate) fn compared(&self, one: &str, other: &str) -> Option<Compared> {
        let estimate = self.times.estimate(one, other)?;
        let interval = estimate.interval(self.confidence).ok()?;
        let floor = floor(self.aa_control, &Spread::of(&estimate))?;
        let verdict = Verdict::of(interval, floor, self.results.session.margin);
        Some(Compared { ratio: interval.exp(), floor, verdict })
    }
}

/// The floor of a comparison: the A/A control's, widened by the spread. Without an A/A control there is none.
pub(crate) fn floor(aa_control: Option<AaControl>, spread: &Spread) -> Option<Floor> {
    Some(aa_control?.floor.widened(spread.bound().map_or(0.0, |bound| bound.log)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_of_comparisons_is_no_surer_than_they_are() {
        let aa = |noise: f64| Floor::of(Interval { low: -noise, middle: 0.0, high: noise });
        let one = |ratio: f64, floor: Floor| {
            let ratio = Interval { low: ratio * 0.99, middle: ratio, high: ratio * 1.01 };
            Compared { ratio, floor, verdict: Verdict::NotResolved }
        };
        let mean = |all: &[Compared]| Compared::mean(all, 0.01);
        assert_eq!(mean(&[]), None);
        let found = mean(&[one(1.1, aa(0.01)), one(1.1 / 0.81, aa(0.03))]).expect("two");
        assert!((found.ratio.middle - 1.1 / 0.9).abs() < 1e-9, "{found:?}");
        assert!((found.ratio.high / found.ratio.middle - 1.01).abs() < 1e-9, "{found:?}");
        assert!((found.floor.log() - 0.02).abs() < 1e-9, "{found:?}");
        assert!(matches!(found.verdict, Verdict::Slower(_)), "{found:?}");
        // One comparison has a wide floor by its noise, the other by its spread.
        let floors = [aa(0.1).widened(0.01), aa(0.01).widened(0.1)];
        let found = mean(&floors.map(|floor| one(1.07, floor))).expect("two");
        assert!((found.floor.log() - 0.1).abs() < 1e-9, "{found:?}");
        assert_eq!(found.verdict, Verdict::NotResolved);
    }
}
