//! A built design behind one trait: its tables, its boards, and everything that is measured or checked.
//!
//! The types of the designs end here. [`Built`] is compiled once per design, and only its passes are
//! called through a pointer: one indirect call per pass of thousands of positions. Inside a pass the
//! call is chosen once, and the loop calls the design's compiled entry directly.
//!
//! The timed loop only counts moves. Folding them into a checksum cost 3 ns a position, a twentieth of
//! what the fastest design takes, so [`Design::check`] is a pass of its own: it makes the same calls
//! again, untimed, and folds every move.

use std::ops::Range;

use raywalk_core::{Checksum, Entries, Leaves, Legality, Move, MoveList, Position, StageId};
use raywalk_results::schema::{Call, Operation, Stage};

use crate::clock::Clock;
use crate::perturb::{Perturb, fence};

mod answers;
mod built;
mod calls;
mod perft;
mod table;
mod walk;

pub use answers::{Answers, fingerprint, word};
pub use built::Built;
pub use calls::{add_answer, any_square};
pub use perft::perft_depth;
pub use table::PerftTable;
pub use walk::{Walk, Walked, Walking};

/// The function that is invoked for each board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invocation {
    /// A call of the design.
    Call(Call),
    /// An empty function: what remains is the cost of the harness.
    Empty,
}

impl From<Call> for Invocation {
    fn from(call: Call) -> Invocation {
        Invocation::Call(call)
    }
}

/// Extra work after each call, used to measure the overhead of the harness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtraWork {
    /// Everything that the harness does around a call, with an empty design inlined in its place.
    Harness,
    /// The same work around a call of an empty function.
    EmptyCall,
}

/// Result of calls that were timed one by one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timed {
    /// Ticks of all calls, including the reading of the clock.
    pub ticks: u64,
    /// Results of all calls: moves, or what an operation counts.
    pub moves: u64,
}

/// Calls that are timed one by one, each after a perturbation.
pub struct Perturbed<'a> {
    /// The loaded boards that the calls are made for.
    pub range: Range<usize>,
    /// Perturbation before each call, untimed.
    pub before: &'a mut dyn Perturb,
    /// The clock that is read around each call.
    pub clock: &'a dyn Clock,
}

/// One pass of a built design, by any call.
struct Pass<'a, G: Entries> {
    generator: &'a G,
    /// All loaded boards; `range` selects those of this pass.
    boards: &'a mut [G::Board],
    /// The boards, or the nodes of recorded searches, that this pass is about.
    range: Range<usize>,
    list: &'a mut MoveList<G::Moves>,
}

/// How a perft counts: what it does with leaves, and its hash table.
#[derive(Clone, Copy, Debug)]
pub struct PerftOptions<'a> {
    /// Whether leaves are made or only counted.
    pub leaves: Leaves,
    /// A hash table that counts a transposition once, for this design and these leaves alone.
    pub table: Option<&'a PerftTable>,
}

/// Why a design of another process does not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// This machine lacks what it needs, in its own words.
    Missing(String),
    /// It crashed or did not answer in time, as a sentence without its name.
    Broken(String),
}

/// A design with its tables, the boards it works on, and move lists.
///
/// Passes panic if their range reaches beyond the loaded boards.
pub trait Design: Send + Sync {
    /// The id on the design's card, or that of a second instance.
    fn id(&self) -> &str;

    /// Whether the moves are legal or pseudo-legal. Only designs of equal legality must find the same moves.
    fn legality(&self) -> Legality;

    /// Whether the design is a plug-in: code of a user, which may crash or never return. It runs in measuring
    /// processes only.
    fn is_plugin(&self) -> bool {
        false
    }

    /// Why the design cannot answer, if it cannot. Only the design of another process can fail.
    fn failure(&self) -> Option<Failure> {
        None
    }

    /// Whether the design offers a call.
    fn offers(&self, call: Call) -> bool;

    /// Bytes of the tables, counted.
    fn table_bytes(&self) -> usize;

    /// Chooses the call that later boards are made for, and drops earlier boards. Only calls that generate
    /// moves may follow without it. A kernel that needs nothing besides boards keeps the default.
    fn prepare_for(&mut self, _call: Call) {}

    /// Makes calls that generate moves write to as many lists as fit these bytes in turn, at least one; or to
    /// the chosen list, if absent.
    fn write_to_lists(&mut self, _bytes: Option<u64>) {}

    /// Makes later calls write to another list, chosen by a number. Lists lie at different places of a page. What has
    /// one list keeps the default.
    fn choose_list(&mut self, _number: usize) {}

    /// The recorded searches on its boards; `None` if it walks none.
    fn walks(&mut self) -> Option<&mut dyn Walking> {
        None
    }

    /// Builds the boards of these positions, in this order, in place of all others. Untimed.
    fn load(&mut self, positions: &[Position]) {
        self.load_after(0, positions);
    }

    /// Builds the boards of these positions behind the first `kept` loaded ones, in place of the others.
    fn load_after(&mut self, kept: usize, positions: &[Position]);

    /// Stores for the loaded boards from `kept` on whether each is a quiescence node, in place of what is
    /// stored for them. [`Search::Node`] needs it. Untimed.
    ///
    /// [`Search::Node`]: raywalk_results::schema::Search::Node
    fn load_nodes(&mut self, _kept: usize, _quiescence: &[bool]) {}

    /// Runs the invocation on the loaded boards `range` and counts the moves. This is what is timed.
    fn pass(&mut self, invocation: Invocation, range: Range<usize>) -> u64;

    /// Like [`pass`](Design::pass), with a perturbation before each call. Each call is timed by itself,
    /// between fences, so that the perturbation neither overlaps with it nor counts towards its time.
    fn perturbed_pass(&mut self, invocation: Invocation, run: Perturbed<'_>) -> Timed {
        one_by_one(self, invocation, run)
    }

    /// Generates all moves of the loaded boards `range` with extra work after each call.
    fn pass_with_extra(&mut self, extra: ExtraWork, range: Range<usize>) -> u64;

    /// Makes the call for the loaded boards `range` and folds every move. It is never timed, and never
    /// runs before a timed pass, because it would train the branch predictor.
    fn check(&mut self, call: Call, range: Range<usize>) -> Checksum;

    /// Leaves of `depth` plies.
    /// A kernel that generates no moves keeps the defaults of this method and of those below.
    fn perft(&self, _position: &Position, _depth: u32, _options: PerftOptions<'_>) -> u64 {
        0
    }

    /// The legal moves with the leaves below each, sorted by move. `depth` is at least 1.
    fn divide(&self, _position: &Position, _depth: u32, _leaves: Leaves) -> Vec<(Move, u64)> {
        Vec::new()
    }

    /// The answers to an operation that the design offers, to be compared with those of an oracle. `legal`
    /// are the legal moves, sorted.
    fn answers(&self, _operation: Operation, _position: &Position, _legal: &[Move]) -> Answers {
        Vec::new()
    }

    /// The moves of a stage as generated: in the design's own order, legal or pseudo-legal.
    fn generated(&self, _position: &Position, _stage: Stage) -> Vec<Move> {
        Vec::new()
    }

    /// The legal moves of a stage, sorted.
    fn legal(&self, _position: &Position, _stage: Stage) -> Vec<Move> {
        Vec::new()
    }
}

/// A [`Design::perturbed_pass`] that makes each call as a pass over one board.
fn one_by_one<D: Design + ?Sized>(
    design: &mut D,
    invocation: Invocation,
    run: Perturbed<'_>,
) -> Timed {
    let Perturbed { range, before, clock } = run;
    let mut timed = Timed::default();
    for place in range {
        before.perturb();
        fence();
        let start = clock.start();
        timed.moves += design.pass(invocation, place..place + 1);
        timed.ticks += clock.end().saturating_sub(start);
    }
    timed
}

/// Converts a stage of the schema to the stage type of the designs.
pub const fn stage_id(stage: Stage) -> StageId {
    match stage {
        Stage::All => StageId::All,
        Stage::Captures => StageId::Captures,
        Stage::Quiets => StageId::Quiets,
    }
}

#[cfg(test)]
mod tests;
