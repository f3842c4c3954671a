//! Designs with known differences, to test whole sessions.
//!
//! They take part in a session like any design, in separate processes. A job names them by id:
//!
//! | id | work per position |
//! |---|---|
//! | `known/2000-steps` | at every 64th position, a chain of 2,000 dependent steps |
//! | `known/2000-cached-loads` | at every 64th position, 2,000 dependent loads from a ring of 128 KiB |
//! | `known/200-loads` | at every 256th position, 200 dependent loads from a ring of 8 MiB |
//! | `known/ferret-copy` | that of `ferret/pointer`, compiled a second time |
//! | `known/ferret-once` | that of `ferret/pointer`, with a counter of calls |
//! | `known/ferret-twice-in-200` | the same; every 200th call is made twice |

use std::hint::black_box;
use std::ops::Range;

use anyhow::{Result, anyhow, bail};
use raywalk_core::random::mix;
use raywalk_core::{Checksum, Legality, Position};
use raywalk_known::{Copy, Repeating};
use raywalk_measure::design::{Built, Design, ExtraWork, Invocation};
use raywalk_results::schema::{self, Call, Control, Scope, Stage, Status};

use crate::registry::{self, Designs};

mod chase;

use chase::{Chase, Level};

/// Prefix of the ids of known designs.
const KNOWN: &str = "known/";
/// The design that the copy and the repeating ones are made of.
pub const FERRET: &str = "ferret/pointer";
/// [`FERRET`], compiled a second time.
pub const COPY: &str = "known/ferret-copy";
/// [`FERRET`] with a counter of calls.
pub const ONCE: &str = "known/ferret-once";
/// [`ONCE`] with every 200th call made twice.
pub const TWICE: &str = "known/ferret-twice-in-200";

/// A chain, or a chase in a cache, takes microseconds and stands for so many positions, so that it costs less
/// than a generator does for them, and a session has more rounds.
const POSITIONS_PER_CHAIN: usize = 64;
/// The same for a chase through memory, which takes tens of microseconds. A block of a sample has as many
/// positions, and so at least one chase.
const POSITIONS_PER_CHASE: usize = 256;

raywalk_results::named! {
    /// Work of a known design: the last part of its id, behind the count.
    pub enum Work {
        /// Steps of a dependent chain.
        Steps = "steps",
        /// Dependent loads from a second-level cache.
        CachedLoads = "cached-loads",
        /// Dependent loads from memory.
        Loads = "loads",
    }
}

impl Work {
    /// The id of the design that does it `count` times in each run.
    pub fn id(self, count: u64) -> String {
        format!("{KNOWN}{count}-{self}")
    }
}

/// Builds the known design, or the one of `designs`, with this id.
///
/// # Errors
/// One sentence if no design has this id, or why it cannot run on this machine.
pub(crate) fn design(id: &str, designs: &Designs) -> Result<Box<dyn Design>> {
    let needs = |feature| anyhow!("`{id}` needs {feature}");
    Ok(match id {
        COPY => Box::new(Built::<Copy>::build().map_err(needs)?),
        ONCE => {
            let once = Repeating::every(Repeating::NEVER).map_err(needs)?;
            Box::new(Built::new(once).named(id))
        }
        TWICE => Box::new(Built::new(Repeating::every(200).map_err(needs)?).named(id)),
        _ => match kernel(id)? {
            Some(kernel) => kernel,
            None => designs.named(id)?.here().map_err(|why| anyhow!("`{id}` {why}"))?,
        },
    })
}

/// Builds the known design, or the one of this program, with this id.
///
/// # Errors
/// One sentence if no design has this id, or why it cannot run on this machine.
pub fn built_in(id: &str) -> Result<Box<dyn Design>> {
    design(id, &Designs::built_in())
}

/// The chain or chase with this id.
fn kernel(id: &str) -> Result<Option<Box<dyn Design>>> {
    let Some((count, work)) = id.strip_prefix(KNOWN).and_then(|rest| rest.split_once('-')) else {
        return Ok(None);
    };
    let Ok(count) = count.parse() else {
        bail!("`{id}` is not a known design: expected a number after `{KNOWN}`")
    };
    let work: Work =
        work.parse().map_err(|error| anyhow!("`{id}` is not a known design: {error}"))?;
    let id = id.to_owned();
    Ok(Some(match work {
        Work::Steps => {
            Box::new(Kernel { id, every: POSITIONS_PER_CHAIN, run: move || steps(count) })
        }
        Work::CachedLoads => chase(id, count, Level::SecondCache, POSITIONS_PER_CHAIN),
        Work::Loads => chase(id, count, Level::Memory, POSITIONS_PER_CHASE),
    }))
}

fn chase(id: String, loads: u64, level: Level, every: usize) -> Box<dyn Design> {
    let mut chase = Chase::new(loads, level);
    Box::new(Kernel { id, every, run: move || chase.run() })
}

/// The journal record of a known design, which needs no verification.
pub(crate) fn record(id: &str) -> schema::Design {
    let status = Status::Verified { checks: 0 };
    let like = if [COPY, ONCE, TWICE].contains(&id) { FERRET } else { id };
    match registry::named(like) {
        Ok(entry) => schema::Design { id: id.to_owned(), ..entry.record(None, status) },
        Err(_) => schema::Design::bare(id, Control::Branchless, status),
    }
}

/// The same work at every so many positions. All chains run the same code at the same address, and so do all
/// chases, so two of them differ only in their numbers. A kernel reports one move per position and lists
/// none.
struct Kernel<F> {
    id: String,
    /// Positions for which the work runs once.
    every: usize,
    run: F,
}

impl<F: FnMut() + Send + Sync> Design for Kernel<F> {
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
        for _ in range.clone().filter(|place| place.is_multiple_of(self.every)) {
            (self.run)();
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
    fn known_designs_and_those_of_the_registry_are_found_by_their_ids() {
        let named = ["bell/last-square", COPY, ONCE, TWICE].map(str::to_owned);
        for id in Work::ALL.map(|work| work.id(16)).into_iter().chain(named) {
            assert_eq!(design(&id, &Designs::built_in()).expect("a design").id(), id);
            assert_eq!(record(&id).id, id);
        }
        for id in ["known/many-steps", "known/7-wishes", "known/", "no-such-design"] {
            assert!(design(id, &Designs::built_in()).is_err(), "{id}");
        }
    }

    #[test]
    fn copies_and_repetitions_find_the_moves_of_ferret() {
        let positions: Vec<Position> =
            raywalk_positions::facts::perft().iter().map(|fact| fact.position).collect();
        let found = |id: &str| {
            let mut design = design(id, &Designs::built_in()).expect("a design");
            design.load(&positions);
            let all = 0..positions.len();
            // So often that every position is generated twice in some pass.
            let passes = (0..200).map(|_| design.check(Call::generate(Stage::All), all.clone()));
            passes.collect::<Vec<_>>()
        };
        let expected = found(FERRET);
        assert!(expected[0].moves > 0);
        for id in [COPY, ONCE, TWICE] {
            assert!(found(id) == expected, "{id}");
        }
    }
}
