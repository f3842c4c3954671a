//! Which designs are timed: those that are right.

use std::io::Write;

use anyhow::Result;
use raywalk_positions::facts;
use raywalk_reports::schema::{Design, Status};

use crate::measure::subject::Subject;
use crate::registry::{self, Entry};
use crate::verify::{self, Candidate, Limits};

/// Counts that are checked before a design is timed: every rule, in about a second.
const CHECKED: Limits = Limits { nodes: 20_000, depth: u32::MAX };

/// Designs after their examination.
pub(super) struct Proved {
    /// What the journal keeps of each, in registry order.
    pub designs: Vec<Design>,
    /// The right ones, ready to be measured, in registry order.
    pub subjects: Vec<Box<dyn Subject>>,
    /// Whether one was wrong.
    pub wrong: bool,
}

/// Examines the designs; one that is wrong is named.
pub(super) fn prove(entries: &[&'static Entry], out: &mut dyn Write) -> Result<Proved> {
    let (mut candidates, mut designs, mut subjects) = (Vec::new(), Vec::new(), Vec::new());
    for entry in entries {
        match entry.build() {
            Ok(design) => candidates.push(Candidate { card: &entry.card, design }),
            Err(feature) => {
                let why = format!("it needs {feature}");
                designs.push(entry.record(None, Status::Missing { why }));
            }
        }
    }
    let outcomes = verify::facts(&candidates, facts::perft(), CHECKED, &|| ());
    let mut wrong = false;
    for (candidate, outcome) in candidates.iter().zip(outcomes) {
        let entry = registry::named(candidate.card.id)?;
        let status = match outcome.mismatch {
            None => {
                subjects.extend(entry.subject().ok());
                Status::Verified { checks: outcome.checks }
            }
            Some(mismatch) => {
                wrong = true;
                let why = format!(
                    "{} in {}: expected {}, found {}",
                    mismatch.question, mismatch.position, mismatch.expected, mismatch.found
                );
                writeln!(out, "{} is wrong and is not timed: {why}", candidate.card.id)?;
                Status::Wrong { why }
            }
        };
        designs.push(entry.record(Some(candidate.design.table_bytes()), status));
    }
    let place = |id: &str| entries.iter().position(|entry| entry.card.id == id);
    designs.sort_by_key(|design| place(&design.id));
    Ok(Proved { designs, subjects, wrong })
}
