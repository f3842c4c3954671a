//! The A/A control: the baseline runs a second time in each round under another name, so any
//! difference between the two is noise.

use raywalk_results::journal::Results;
use raywalk_results::schema::Panel;
use raywalk_results::statistics::{Confidence, Floor, Interval};

use crate::estimate::Estimate;
use crate::ratios::Times;

/// Result of the A/A control of one panel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AaControl {
    /// A/A control ÷ baseline. There is one per panel, so its 95 % are not shared.
    pub ratio: Interval,
    /// The floor that follows from it.
    pub floor: Floor,
}

impl AaControl {
    /// The A/A control of a panel; `None` if it has no interval.
    pub(crate) fn of_panel(panel: &Panel, times: &Times) -> Option<AaControl> {
        AaControl::of(&estimate(panel, times)?)
    }

    /// The A/A control of a session: the mean of the unperturbed panels. `None` without an interval.
    ///
    /// It shows how small a difference this machine could resolve in the session. Verdicts do not
    /// use it: each panel has a floor of its own, because panels differ in the length of their
    /// samples.
    pub(crate) fn of_session(results: &Results, times: &[Times]) -> Option<AaControl> {
        let panels = results.panels.iter().zip(times);
        let unperturbed = panels.filter(|(rounds, _)| !rounds.panel.regime.is_perturbed());
        let estimates: Vec<Estimate> =
            unperturbed.filter_map(|(rounds, times)| estimate(&rounds.panel, times)).collect();
        AaControl::of(&Estimate::mean(&estimates)?)
    }

    fn of(estimate: &Estimate) -> Option<AaControl> {
        let ratio = estimate.interval(Confidence::NINETY_FIVE).ok()?;
        Some(AaControl { ratio: ratio.exp(), floor: Floor::of(ratio) })
    }

    /// Half the width of the interval as a fraction: 0.01 is one per cent.
    pub fn half_width(&self) -> f64 {
        ((self.ratio.high / self.ratio.low).ln() / 2.0).exp_m1()
    }
}

/// ln of the time of the A/A control over that of the baseline, with what it is made of.
pub(crate) fn estimate(panel: &Panel, times: &Times) -> Option<Estimate> {
    times.estimate(&panel.aa_control, &panel.baseline)
}
