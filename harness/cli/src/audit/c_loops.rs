//! What the loop of a design would take in C: the numbers beside `loops.c`.

use std::collections::BTreeMap;

use raywalk_audit::Report;
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
        let is_whole = ["all", "sliders"].contains(&report.stage.as_str());
        self.0.get(&report.design).filter(|_| is_whole)
    }

    /// The loops of audited designs.
    pub(crate) fn audited(&self, reports: &[Report]) -> Vec<(String, CLoop)> {
        let is_audited = |design: &str| reports.iter().any(|report| report.design == design);
        let audited = self.0.iter().filter(|(design, _)| is_audited(design));
        audited.map(|(design, c)| (design.clone(), c.clone())).collect()
    }

    /// A sentence about each loop that is longer than in C without a reason, and about each reason that is not
    /// needed.
    pub(crate) fn warnings(&self, reports: &[Report]) -> Vec<String> {
        let one = |report: &Report| {
            let (c, turn) = (self.of(report)?, report.turn()?);
            let is_longer = turn > c.instructions + MARGIN;
            let entry = format!("{} {}", report.design, report.stage);
            match (&c.longer, is_longer) {
                (None, true) => Some(format!(
                    "{entry}: {turn} instructions for a visited empty square, {} in C.",
                    c.instructions
                )),
                (Some(_), false) => {
                    Some(format!("{entry}: the loop is not longer than in C any more."))
                }
                _ => None,
            }
        };
        reports.iter().filter_map(one).collect()
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
