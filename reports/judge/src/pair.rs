//! Verdicts on two designs of a panel.

use raywalk_results::journal::Results;
use raywalk_results::statistics::{Confidence, Floor, Interval, Verdict};

use crate::aa_control::AaControl;
use crate::ratios::Times;
use crate::spread::Spread;

/// Judges any two designs of a panel by their own rounds and their own spread.
pub(crate) struct PairJudge<'a> {
    results: &'a Results,
    times: &'a Times,
    aa_control: Option<AaControl>,
    confidence: Confidence,
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
        PairJudge { results, times, aa_control, confidence }
    }

    /// The verdict on `one` against `other`; `None` without an interval.
    pub(crate) fn verdict(&self, one: &str, other: &str) -> Option<Verdict> {
        self.compared(one, other).map(|(_, verdict)| verdict)
    }

    /// The time of `one` over that of `other`, with its verdict; `None` without an interval.
    pub(crate) fn compared(&self, one: &str, other: &str) -> Option<(Interval, Verdict)> {
        let estimate = self.times.estimate(one, other)?;
        let interval = estimate.interval(self.confidence).ok()?;
        let spread = Spread::of(&estimate);
        let margin = self.results.session.margin;
        Some((interval.exp(), Verdict::of(interval, floor(self.aa_control, &spread)?, margin)))
    }
}

/// The floor of a comparison: the A/A control's, widened by the spread. Without an A/A control there is none.
pub(crate) fn floor(aa_control: Option<AaControl>, spread: &Spread) -> Option<Floor> {
    Some(aa_control?.floor.widened(spread.bound().map_or(0.0, |bound| bound.log)))
}
