//! The A/A control: the baseline runs a second time in each round under another name, so any
//! difference between the two is noise.

use raywalk_results::journal::{PanelRounds, Results};
use raywalk_results::statistics::{Confidence, Floor, Interval, median_interval};

use crate::ratios;

/// What the A/A control showed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AaControl {
    /// A/A control ÷ baseline. There is one per panel, so its 95 % are not shared.
    pub ratio: Interval,
    /// The noise floor that follows from it.
    pub floor: Floor,
}

impl AaControl {
    /// The A/A control of a panel; `None` below six rounds.
    pub(crate) fn of_panel(rounds: &PanelRounds) -> Option<AaControl> {
        AaControl::of(&ratios::by_round(rounds, &rounds.panel.aa_control, &rounds.panel.baseline))
    }

    /// The A/A control of a session: the rounds of all undisturbed panels pooled with equal weight.
    /// `None` below six rounds.
    ///
    /// It shows how small a difference this machine could resolve in the session. Verdicts do not
    /// use it: each panel has a floor of its own, because panels differ in the length of their
    /// samples.
    pub(crate) fn of_session(results: &Results) -> Option<AaControl> {
        let undisturbed =
            results.panels.iter().filter(|rounds| !rounds.panel.regime.is_disturbed());
        let logs: Vec<f64> = undisturbed
            .flat_map(|rounds| {
                ratios::by_round(rounds, &rounds.panel.aa_control, &rounds.panel.baseline)
            })
            .collect();
        AaControl::of(&logs)
    }

    fn of(log_ratios: &[f64]) -> Option<AaControl> {
        let ratio = median_interval(log_ratios, Confidence::NINETY_FIVE).ok()?;
        Some(AaControl { ratio: ratio.exp(), floor: Floor::of(ratio) })
    }

    /// Half the width of the interval as a fraction: 0.01 is one per cent.
    pub fn half_width(&self) -> f64 {
        ((self.ratio.high / self.ratio.low).ln() / 2.0).exp_m1()
    }
}
