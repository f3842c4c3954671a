//! Designs with known differences, to test whole sessions: chains of a given number of steps, and
//! second instances of real designs.
//!
//! They take part in a session like any design, in separate processes. A job names them by id:
//!
//! | id | work per position |
//! |---|---|
//! | `known/2000-steps` | a chain of 2,000 dependent steps |
//! | `ferret/pointer (second)` | the same as `ferret/pointer`, with separate tables, boards and list |

use std::hint::black_box;
use std::ops::Range;

use anyhow::{Result, bail};
use raywalk_core::random::mix;
use raywalk_core::{Checksum, Legality, Position};
use raywalk_measure::design::{Design, ExtraWork, Invocation};
use raywalk_results::schema::{self, Call, Control, Scope, Stage, Status};

use crate::registry;

/// Suffix of the id of a second instance.
const SECOND: &str = " (second)";

/// The id of a chain of `steps` steps per position.
pub fn chain(steps: u64) -> String {
    format!("known/{steps}-steps")
}

/// The id of a second instance of a design.
pub fn second(id: &str) -> String {
    format!("{id}{SECOND}")
}

/// Builds the chain, the second instance or the design of the registry with this id.
///
/// # Errors
/// One sentence if no design has this id, or if this machine lacks a CPU feature that it needs.
pub fn design(id: &str) -> Result<Box<dyn Design>> {
    if let Some(count) = id.strip_prefix("known/").and_then(|rest| rest.strip_suffix("-steps")) {
        let Ok(steps) = count.parse() else {
            bail!("`{id}` is not a chain: the number of steps is not a number")
        };
        return Ok(Box::new(Chain { id: id.to_owned(), steps }));
    }
    registry::named(id.strip_suffix(SECOND).unwrap_or(id))?.built_as(id)
}

/// The journal record of a chain or a second instance, which need no verification.
pub(crate) fn record(id: &str) -> schema::Design {
    let status = Status::Verified { checks: 0 };
    match registry::named(id.strip_suffix(SECOND).unwrap_or(id)) {
        Ok(entry) => schema::Design { id: id.to_owned(), ..entry.record(None, status) },
        Err(_) => schema::Design {
            id: id.to_owned(),
            name: id.to_owned(),
            author: String::new(),
            year: None,
            source: String::new(),
            control: Control::Branchless,
            legality: schema::Legality::PseudoLegal,
            published_bytes: None,
            table_bytes: None,
            board_bytes: None,
            board_cells: None,
            needs: Vec::new(),
            reconstructed: String::new(),
            status,
        },
    }
}

/// A chain of steps per position. All chains run the same code at the same address, so two of them
/// differ only in their numbers of steps. A chain reports one move per position and lists none.
struct Chain {
    id: String,
    steps: u64,
}

impl Design for Chain {
    fn id(&self) -> &str {
        &self.id
    }

    fn legality(&self) -> Legality {
        Legality::Pseudo
    }

    fn offers(&self, call: Call) -> bool {
        matches!(call, Call::Generate { scope: Scope::Whole, .. })
    }

    fn table_bytes(&self) -> usize {
        0
    }

    fn load_after(&mut self, _: usize, _: &[Position]) {}

    fn pass(&mut self, invocation: Invocation, range: Range<usize>) -> u64 {
        if invocation == Invocation::Empty {
            return 0;
        }
        for _ in range.clone() {
            steps(self.steps);
        }
        range.len() as u64
    }

    fn pass_with_extra(&mut self, _: ExtraWork, range: Range<usize>) -> u64 {
        self.pass(Call::generate(Stage::All).into(), range)
    }

    fn check(&mut self, call: Call, range: Range<usize>) -> Checksum {
        Checksum { moves: self.pass(call.into(), range), word: 0 }
    }
}

/// Runs a chain of `count` steps, each of which depends on the result of the previous one. The compiler
/// cannot shorten it.
#[inline(never)]
pub(crate) fn steps(count: u64) {
    let mut word = black_box(1);
    for _ in 0..count {
        word = mix(word);
    }
    black_box(word);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_second_instances_and_designs_are_found_by_their_ids() {
        for id in [chain(2_000), "bell/last-square".to_owned(), second("bell/last-square")] {
            assert_eq!(design(&id).expect("a design").id(), id);
            assert_eq!(record(&id).id, id);
        }
        for id in ["known/many-steps", "no-such-design", "no-such-design (second)"] {
            assert!(design(id).is_err(), "{id}");
        }
    }

    #[test]
    fn a_second_instance_finds_the_same_moves_as_the_first() {
        let positions = [raywalk_positions::facts::perft()[0].position];
        let found = |id: &str| {
            let mut design = design(id).expect("a design");
            design.load(&positions);
            design.check(Call::generate(Stage::All), 0..1)
        };
        let once = found("ferret/pointer");
        assert!(once.moves > 0);
        assert_eq!(found(&second("ferret/pointer")), once);
    }
}
