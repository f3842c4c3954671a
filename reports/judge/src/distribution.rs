//! How the rounds of the headline panel are distributed: quantiles of the ratios of single rounds.
//!
//! An interval shows where the ratio of all rounds lies. The distribution shows the single rounds: one peak or
//! several, symmetric or with a long tail. The A/A control shows the noise alone.

use raywalk_results::schema::Control;
use raywalk_results::statistics::quantile;

use crate::Judged;
use crate::summary::{PanelSummary, Row};

/// The shares of the rounds whose quantiles are taken.
pub const SHARES: [f64; 13] =
    [0.025, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.975];

/// Fewer rounds than this have no distribution worth drawing.
const FEWEST: usize = 10;

/// The rounds of a design or of the A/A control.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution<'a> {
    /// Id of the design, or of the A/A control.
    pub id: &'a str,
    /// The row of the design; `None` for the A/A control.
    pub row: Option<&'a Row>,
    /// Number of rounds with a clean sample of it and of the baseline.
    pub rounds: usize,
    /// ln of the ratio to the baseline, below which each of the [`SHARES`] of the rounds lies.
    pub quantiles: [f64; SHARES.len()],
}

impl Distribution<'_> {
    /// The quantile of one of the [`SHARES`], as a ratio to the median.
    pub fn from_median(&self, share: f64) -> Option<f64> {
        let at = |share: f64| SHARES.iter().position(|&it| it == share);
        Some((self.quantiles[at(share)?] - self.quantiles[at(0.5)?]).exp())
    }
}

/// The headline panel with the distributions of its fastest branchless design, of its fastest branchy one, and of the
/// A/A control. The baseline is passed over, because its ratio is 1 in every round. `None` without enough rounds.
pub fn distributions<'a>(
    judged: &'a Judged<'a>,
) -> Option<(&'a PanelSummary, Vec<Distribution<'a>>)> {
    let summary = judged.headline()?;
    let panel = &summary.panel;
    let place = judged.panels.iter().position(|it| it.panel.id == panel.id)?;
    let times = &judged.times[place];
    let of = |id: &'a str, row: Option<&'a Row>| {
        let logs: Vec<f64> = times.by_round(id, &panel.baseline).into_iter().flatten().collect();
        let mut quantiles = [0.0; SHARES.len()];
        for (found, share) in quantiles.iter_mut().zip(SHARES) {
            *found = quantile(&logs, share)?;
        }
        let rounds = logs.len();
        (rounds >= FEWEST).then_some(Distribution { id, row, rounds, quantiles })
    };
    let fastest = |control: Control| {
        let mut rows = summary.rows.iter().filter(|row| row.is_ranked());
        rows.find(|row| row.control == control && row.id != panel.baseline)
    };
    let designs = [Control::Branchless, Control::Branchy].into_iter().filter_map(fastest);
    let mut found: Vec<_> = designs.filter_map(|row| of(&row.id, Some(row))).collect();
    found.extend(of(&panel.aa_control, None));
    (!found.is_empty()).then_some((summary, found))
}
