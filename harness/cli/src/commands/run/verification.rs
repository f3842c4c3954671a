//! Verifies the designs of a run before it times them.

use std::io::Write;

use anyhow::Result;
use raywalk_measure::design::{Design, Failure};
use raywalk_positions::facts;
use raywalk_results::schema::{self, Status};

use crate::registry::Entry;
use crate::verify::{self, Candidate, Limits};

/// Limits of the check before a run. It covers every rule of the game and takes about a second.
const LIMITS: Limits = Limits { nodes: 20_000, depth: u32::MAX };

pub(super) struct Verified {
    /// Journal records of all designs, in registry order.
    pub records: Vec<schema::Design>,
    /// The designs that are right, in registry order.
    pub designs: Vec<Box<dyn Design>>,
    /// Whether a design was wrong.
    pub wrong: bool,
}

/// Verifies the designs. Wrong ones are reported to `out` and excluded from timing.
pub(super) fn verify(entries: &[&'static Entry], out: &mut dyn Write) -> Result<Verified> {
    let mut candidates = Vec::new();
    let mut built = Vec::new();
    for entry in entries {
        let design = entry.build();
        built.push(design.as_ref().map(|_| ()).map_err(|feature| format!("it needs {feature}")));
        candidates.extend(design.map(|design| Candidate { card: &entry.card, design }));
    }
    let outcomes = verify::facts(&candidates, facts::perft(), LIMITS, &|_| ());
    let mut verified = Verified { records: Vec::new(), designs: Vec::new(), wrong: false };
    let mut examined = candidates.into_iter().zip(outcomes);
    for (entry, built) in entries.iter().zip(built) {
        if let Err(why) = built {
            verified.records.push(entry.record(None, Status::Missing { why }));
            continue;
        }
        let Some((candidate, outcome)) = examined.next() else { continue };
        // The interface of plug-ins has no word for tables of unknown size; none of a known size is empty.
        let is_known = |bytes: &usize| entry.plugin().is_none() || *bytes > 0;
        let bytes = Some(candidate.design.table_bytes()).filter(is_known);
        let status = match (candidate.design.failure(), outcome.mismatch) {
            (Some(Failure::Missing(why)), _) => Status::Missing { why },
            (Some(Failure::Broken(why)), _) => {
                verified.wrong = true;
                writeln!(out, "{} {why}, and will not be timed", entry.card.id)?;
                Status::Wrong { why }
            }
            (None, None) => {
                verified.designs.push(candidate.design);
                Status::Verified { checks: outcome.checks }
            }
            (None, Some(mismatch)) => {
                verified.wrong = true;
                let why = format!(
                    "{} in {}: expected {}, found {}",
                    mismatch.question, mismatch.position, mismatch.expected, mismatch.found
                );
                writeln!(out, "{} is wrong and will not be timed: {why}", entry.card.id)?;
                Status::Wrong { why }
            }
        };
        verified.records.push(entry.record(bytes, status));
    }
    Ok(verified)
}
