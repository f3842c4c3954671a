//! What the loop of a design would take in C: the numbers beside `loops.c`.

use std::collections::BTreeMap;

use raywalk_audit::{EntryStage, Report};
use serde::Deserialize;

const LOOPS: &str = include_str!("loops.toml");

/// A loop may be this much longer than in C without a reason.
const MARGIN: usize = 2;

/// The loop of a design in C.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CLoop {
    /// Instructions for one visited empty square.
    pub(crate) instructions: usize,
    /// Why the loop of the design is longer, if it is.
    #[serde(default)]
    pub(crate) longer: Option<String>,
}

/// The loops by design.
pub(crate) struct CLoops(BTreeMap<String, CLoop>);

impl CLoops {
    pub(crate) fn new() -> CLoops {
        CLoops(toml::from_str(LOOPS).expect("a file that a test reads"))
    }

    /// The loop of an entry. It is that of all moves and of sliders; the other stages test other things.
    pub(crate) fn of(&self, report: &Report) -> Option<&CLoop> {
        let is_whole = matches!(report.stage, EntryStage::All | EntryStage::Sliders);
        self.0.get(&report.design).filter(|_| is_whole)
    }

    /// The loops of audited designs.
    pub(crate) fn audited(&self, reports: &[Report]) -> Vec<(String, CLoop)> {
        let is_audited = |design: &str| reports.iter().any(|report| report.design == design);
        let audited = self.0.iter().filter(|(design, _)| is_audited(design));
        audited.map(|(design, c)| (design.clone(), c.clone())).collect()
    }

    /// A sentence about each loop that is longer than in C without a reason, and about each reason that no entry of
    /// its design needs.
    pub(crate) fn warnings(&self, reports: &[Report]) -> Vec<String> {
        let of_design = |(design, c): (&String, &CLoop)| {
            let turn = |report: &Report| {
                self.of(report).filter(|_| report.design == *design)?;
                Some((report.stage, report.turn()?))
            };
            let turns: Vec<(EntryStage, usize)> = reports.iter().filter_map(turn).collect();
            let is_longer = |turn: usize| turn > c.instructions + MARGIN;
            if c.longer.is_some() {
                let is_outdated =
                    !turns.is_empty() && !turns.iter().any(|&(_, turn)| is_longer(turn));
                let outdated = format!("{design}: the loop is not longer than in C any more.");
                return Vec::from_iter(is_outdated.then_some(outdated));
            }
            let longer = turns.into_iter().filter(|&(_, turn)| is_longer(turn));
            longer
                .map(|(stage, turn)| {
                    format!(
                        "{design} {stage}: {turn} instructions for a visited empty square, {} in C.",
                        c.instructions
                    )
                })
                .collect()
        };
        self.0.iter().flat_map(of_design).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::DESIGNS;

    #[test]
    fn the_loops_belong_to_designs() {
        let CLoops(loops) = CLoops::new();
        assert!(loops.len() > 20);
        for (design, c) in loops {
            assert!(DESIGNS.iter().any(|entry| entry.card.id == design), "{design}");
            assert!((5..40).contains(&c.instructions), "{design}");
            assert!(c.longer.is_none_or(|reason| reason.ends_with('.')), "{design}");
        }
    }
}
