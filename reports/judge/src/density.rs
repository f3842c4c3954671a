//! How the lead of a design depends on the density and the phase of positions: the fastest designs of each class on
//! workloads of unrelated positions, from few moves to many.
//!
//! The positions are unrelated, because in the order of a tree or a game a predictor also profits from neighbouring
//! positions, which would mix two effects.

use raywalk_results::schema::{Call, Control, Legality, Order, Scope, Stage};
use raywalk_results::statistics::{Interval, Verdict};

use crate::Judged;
use crate::summary::{PanelSummary, Row};

/// Upper bound on the designs of each class that are compared.
const EACH: usize = 3;
/// With fewer workloads there is nothing to compare.
const LEAST: usize = 4;

/// Designs × workloads for one stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Densities<'a> {
    /// The stage of all panels.
    pub stage: Stage,
    /// The panels by rising number of moves per position, of all stages.
    pub panels: Vec<(f64, &'a PanelSummary)>,
    /// The designs: the fastest pseudo-legal ones of each class in the headline panel, from fast to slow.
    pub designs: Vec<&'a Row>,
}

/// How far a design is behind the fastest one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Behind {
    /// Its time over that of the fastest one.
    pub ratio: f64,
    /// The interval of the ratio by the rounds of both; absent for the fastest one itself, and if it is not compared.
    pub interval: Option<Interval>,
    /// The verdict; absent for the fastest one itself. Without an interval the difference is not resolved.
    pub verdict: Option<Verdict>,
}

impl<'a> Densities<'a> {
    /// `None` with fewer than four workloads.
    pub fn of(judged: &'a Judged<'_>, stage: Stage) -> Option<Densities<'a>> {
        let panels = |stage: Stage| {
            judged.panels.iter().filter(move |summary| {
                let (panel, regime) = (&summary.panel, &summary.panel.regime);
                panel.call == Call::Generate { stage, scope: Scope::Whole }
                    && matches!(regime.order, Order::Shuffled | Order::Generated)
                    && regime.period.is_none()
                    && regime.lists.is_none()
                    && !regime.is_perturbed()
                    && !summary.rows.is_empty()
            })
        };
        // Captures are few in every phase, so all moves order the workloads of captures too.
        let density = |workload: &str| {
            let whole = panels(Stage::All).find(|summary| summary.panel.workload == workload)?;
            Some(pseudo_legal(whole).next()?.moves)
        };
        let mut chosen: Vec<(f64, &PanelSummary)> = panels(stage)
            .filter_map(|summary| Some((density(&summary.panel.workload)?, summary)))
            .collect();
        chosen.sort_by(|one, other| one.0.total_cmp(&other.0));
        let headline = judged.headline()?;
        let of_class = |place: usize, control: Control| {
            pseudo_legal(headline).take(place).filter(|row| row.control == control).count()
        };
        let designs = pseudo_legal(headline).enumerate();
        let designs = designs.filter(|(place, row)| of_class(*place, row.control) < EACH);
        let designs: Vec<&Row> = designs.map(|(_, row)| row).collect();
        (chosen.len() >= LEAST).then_some(Densities { stage, panels: chosen, designs })
    }

    /// A design against the fastest pseudo-legal design of a panel.
    pub fn over_fastest(judged: &Judged<'_>, panel: &PanelSummary, design: &str) -> Option<Behind> {
        let (row, first) = (panel.row(design)?, pseudo_legal(panel).next()?);
        if row.id == first.id {
            return Some(Behind { ratio: 1.0, interval: None, verdict: None });
        }
        let compared = judged.compared(panel, row, first);
        let interval = compared.map(|it| it.ratio);
        let verdict = compared.map_or(Verdict::NotResolved, |it| it.verdict);
        let ratio = interval.map_or(row.ratio / first.ratio, |it| it.middle);
        Some(Behind { ratio, interval, verdict: Some(verdict) })
    }

    /// The fastest pseudo-legal design on the workload with the fewest moves and on that with the most, in a sentence.
    pub fn finding(&self, judged: &Judged<'_>) -> Option<String> {
        let end = |&(moves, panel): &(f64, &'a PanelSummary)| {
            let lead = judged.lead(panel, pseudo_legal(panel))?;
            let (name, workload) = (lead.named(), &panel.panel.workload);
            Some(format!("{name} on {workload} with {moves:.1} moves per position"))
        };
        let (first, last) = (end(self.panels.first()?)?, end(self.panels.last()?)?);
        Some(format!("The fastest pseudo-legal design is {first}, and {last}."))
    }
}

/// The pseudo-legal designs of a panel, the fastest first.
fn pseudo_legal(panel: &PanelSummary) -> impl Iterator<Item = &Row> {
    panel.rows.iter().filter(|row| row.legality == Legality::PseudoLegal)
}
