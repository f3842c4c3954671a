//! Subjects whose difference is known: the same design twice, and chains of counted steps.
//!
//! They go through whole sessions, in processes of their own like any design, and so tell what a
//! verdict of a session is worth. Their ids look like those of designs, so that an errand can name
//! them:
//!
//! | id | what it does for each position |
//! |---|---|
//! | `known/2000-steps` | a chain of 2,000 dependent steps |
//! | `ferret/pointer (second)` | what `ferret/pointer` does, with tables, boards and list of its own |

use std::ops::Range;

use anyhow::{Result, anyhow, bail};
use raywalk_core::{Checksum, Legality, Position, Scope, StageId};

use super::comparisons::steps;
use crate::measure::clock::Clock;
use crate::measure::disturb::Disturb;
use crate::measure::subject::{Burden, Call, Subject, Timed};
use crate::registry;

/// Stands behind the id of a design that takes part a second time.
const SECOND: &str = " (second)";

/// The id of a chain of so many steps for each position.
pub fn chain(steps: u64) -> String {
    format!("known/{steps}-steps")
}

/// The id of a design that takes part a second time.
pub fn second(id: &str) -> String {
    format!("{id}{SECOND}")
}

/// The subject of an id: a known one, or a design of the registry.
///
/// # Errors
/// One sentence if there is no such subject, or if this machine lacks what it needs.
pub fn subject(id: &str) -> Result<Box<dyn Subject>> {
    if let Some(count) = id.strip_prefix("known/").and_then(|rest| rest.strip_suffix("-steps")) {
        let Ok(steps) = count.parse() else { bail!("`{id}` is no chain of steps") };
        return Ok(Box::new(Chain { id: id.to_owned(), steps }));
    }
    let name = id.strip_suffix(SECOND).unwrap_or(id);
    let design = registry::named(name)?.subject();
    let design = design.map_err(|feature| anyhow!("`{name}` needs {feature}"))?;
    match name == id {
        true => Ok(design),
        false => Ok(Box::new(Second { id: id.to_owned(), design })),
    }
}

/// A chain of steps for each position. All chains run the same code at the same place, so two of
/// them differ by their numbers of steps and by nothing else.
struct Chain {
    id: String,
    steps: u64,
}

impl Subject for Chain {
    fn id(&self) -> &str {
        &self.id
    }

    fn legality(&self) -> Legality {
        Legality::Pseudo
    }

    fn load(&mut self, _: &[Position]) {}

    fn scopes(&self) -> &'static [Scope] {
        &[Scope::Whole]
    }

    /// As many moves as positions.
    fn call(&mut self, call: Call, range: Range<usize>) -> u64 {
        if call == Call::Nothing {
            return 0;
        }
        for _ in range.clone() {
            steps(self.steps);
        }
        range.len() as u64
    }

    fn check(&mut self, call: Call, range: Range<usize>) -> Checksum {
        Checksum { moves: self.call(call, range), word: 0 }
    }

    fn burdened(&mut self, _: Burden, range: Range<usize>) -> u64 {
        self.call(Call::Stage(StageId::All), range)
    }
}

/// A design under another name.
struct Second {
    id: String,
    design: Box<dyn Subject>,
}

impl Subject for Second {
    fn id(&self) -> &str {
        &self.id
    }

    fn legality(&self) -> Legality {
        self.design.legality()
    }

    fn load(&mut self, positions: &[Position]) {
        self.design.load(positions);
    }

    fn scopes(&self) -> &'static [Scope] {
        self.design.scopes()
    }

    fn call(&mut self, call: Call, range: Range<usize>) -> u64 {
        self.design.call(call, range)
    }

    fn check(&mut self, call: Call, range: Range<usize>) -> Checksum {
        self.design.check(call, range)
    }

    fn disturbed(
        &mut self,
        call: Call,
        range: Range<usize>,
        before: &mut dyn Disturb,
        clock: &dyn Clock,
    ) -> Timed {
        self.design.disturbed(call, range, before, clock)
    }

    fn burdened(&mut self, burden: Burden, range: Range<usize>) -> u64 {
        self.design.burdened(burden, range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_subject_is_found_by_its_id_and_a_design_by_its_own() {
        for id in [chain(2_000), "bell/last-square".to_owned(), second("bell/last-square")] {
            assert_eq!(subject(&id).expect("a subject").id(), id);
        }
        for id in ["known/many-steps", "no-such-design", "no-such-design (second)"] {
            assert!(subject(id).is_err(), "{id}");
        }
    }

    #[test]
    fn a_design_finds_the_second_time_what_it_finds_the_first() {
        let positions = [raywalk_positions::facts::perft()[0].position];
        let found = |id: &str| {
            let mut subject = subject(id).expect("a design");
            subject.load(&positions);
            subject.check(Call::Stage(StageId::All), 0..1)
        };
        let once = found("ferret/pointer");
        assert!(once.moves > 0);
        assert_eq!(found(&second("ferret/pointer")), once);
    }
}
