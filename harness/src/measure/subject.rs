//! What is timed: a verified design and the boards it works on.
//!
//! The types of the designs end here. A [`Bench`] is compiled once per design, and only its pass
//! is called through a pointer: one indirect call per pass of thousands of positions. Inside, the
//! stage is chosen once, and the loop calls the design's compiled entry directly.
//!
//! What is timed only counts moves. Folding them took 3 ns a position, a twentieth of what the
//! fastest design takes, so the proof is a pass of its own: [`Subject::check`] makes the same calls
//! once more, untimed, and folds every list.

use std::hint::black_box;
use std::ops::Range;

use raywalk_core::{
    Board, Checksum, Entries, Feature, Generator, Legality, MoveList, Position, Scope, StageId,
};

use super::clock::Clock;
use super::disturb::{Disturb, fence};

/// What of a design is called for each board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// The entry of a stage.
    Stage(StageId),
    /// The entry of the sliders.
    Sliders,
    /// An empty function: what is left is the harness.
    Nothing,
}

impl Call {
    /// The entry for this part of this stage.
    pub fn of(stage: StageId, scope: Scope) -> Call {
        match scope {
            Scope::Whole => Call::Stage(stage),
            Scope::Sliders => Call::Sliders,
        }
    }
}

/// What is done behind each call of a design to find out what it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Burden {
    /// All that the harness does around a call, and no call: an empty design that is inlined.
    Harness,
    /// The same around the call of an empty function.
    EmptyCall,
}

/// What calls that were timed one by one took and found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timed {
    /// Ticks of all calls, the reading of the clock included.
    pub ticks: u64,
    /// Moves found.
    pub moves: u64,
}

/// A verified design with the boards it works on. The type of the design ends here.
pub trait Subject {
    /// The id on the design's card.
    fn id(&self) -> &str;

    /// What the design promises. Only designs that promise the same must find the same moves.
    fn legality(&self) -> Legality;

    /// Makes the boards of these positions, in this order; untimed.
    fn load(&mut self, positions: &[Position]);

    /// The scopes that mean something for the design.
    fn scopes(&self) -> &'static [Scope];

    /// Makes the call for the loaded boards `range` and counts the moves. What is timed.
    ///
    /// # Panics
    /// If the range reaches beyond the loaded boards.
    fn call(&mut self, call: Call, range: Range<usize>) -> u64;

    /// The same with something that happens before each call. Each call is timed by itself, with
    /// fences on both sides, so that what happens before it neither overlaps with it nor is in its
    /// time.
    ///
    /// # Panics
    /// If the range reaches beyond the loaded boards.
    fn disturbed(
        &mut self,
        call: Call,
        range: Range<usize>,
        before: &mut dyn Disturb,
        clock: &dyn Clock,
    ) -> Timed {
        let mut timed = Timed::default();
        for place in range {
            before.disturb();
            fence();
            let start = clock.start();
            timed.moves += self.call(call, place..place + 1);
            timed.ticks += clock.end().saturating_sub(start);
        }
        timed
    }

    /// All moves of the loaded boards `range`, counted, and a burden behind each call. What this
    /// takes longer is what the burden costs the design.
    ///
    /// # Panics
    /// If the range reaches beyond the loaded boards.
    fn burdened(&mut self, burden: Burden, range: Range<usize>) -> u64;

    /// Makes the call for the loaded boards `range` and folds every move. Never timed, and never
    /// made before what is timed: it would teach the branch predictor.
    ///
    /// # Panics
    /// If the range reaches beyond the loaded boards.
    fn check(&mut self, call: Call, range: Range<usize>) -> Checksum;

    /// A call of a stage for the loaded boards `range`: its moves.
    ///
    /// # Panics
    /// If the range reaches beyond the loaded boards.
    fn pass(&mut self, stage: StageId, range: Range<usize>) -> u64 {
        self.call(Call::Stage(stage), range)
    }
}

/// The one implementation of [`Subject`]: a generator with its tables, boards, and one list.
pub struct Bench<G: Entries> {
    generator: Box<G>,
    boards: Vec<G::Board>,
    list: MoveList<G::Moves>,
}

impl<G: Entries> Bench<G> {
    /// The design with tables that are built already, and no boards yet.
    pub fn new(generator: Box<G>) -> Bench<G> {
        Bench { generator, boards: Vec::new(), list: MoveList::new() }
    }

    /// Builds the tables.
    ///
    /// # Errors
    /// The CPU feature that this machine lacks.
    pub fn build() -> Result<Bench<G>, Feature> {
        Ok(Bench::new(G::build()?))
    }

    /// The design itself, say for its table size.
    pub fn generator(&self) -> &G {
        &self.generator
    }
}

impl<G: Entries> Subject for Bench<G> {
    fn id(&self) -> &str {
        <G as Generator>::CARD.id
    }

    fn legality(&self) -> Legality {
        <G as Generator>::CARD.legality
    }

    fn load(&mut self, positions: &[Position]) {
        self.boards.clear();
        self.boards.extend(positions.iter().map(G::Board::new));
    }

    fn scopes(&self) -> &'static [Scope] {
        <G as Generator>::SCOPES
    }

    #[inline(never)]
    fn call(&mut self, call: Call, range: Range<usize>) -> u64 {
        let boards = &self.boards[range]; // the only bounds check of the pass
        let (generator, list) = (&*self.generator, &mut self.list);
        match call {
            Call::Stage(StageId::All) => count_all(generator, boards, list, G::all),
            Call::Stage(StageId::Captures) => count_all(generator, boards, list, G::captures),
            Call::Stage(StageId::Quiets) => count_all(generator, boards, list, G::quiets),
            Call::Sliders => count_all(generator, boards, list, G::sliders),
            Call::Nothing => count_all(generator, boards, list, empty::<G>()),
        }
    }

    /// One loop for every call, through a pointer: the run with the call and the run with the
    /// empty one are the same instructions, but for those of the callee.
    #[inline(never)]
    fn disturbed(
        &mut self,
        call: Call,
        range: Range<usize>,
        before: &mut dyn Disturb,
        clock: &dyn Clock,
    ) -> Timed {
        let entry = black_box(entry::<G>(call));
        let mut timed = Timed::default();
        for board in &self.boards[range] {
            before.disturb();
            self.list.clear();
            fence();
            let start = clock.start();
            entry(&self.generator, board, &mut self.list);
            timed.ticks += clock.end().saturating_sub(start);
            timed.moves += self.list.len() as u64;
        }
        timed
    }

    #[inline(never)]
    fn burdened(&mut self, burden: Burden, range: Range<usize>) -> u64 {
        let boards = &self.boards[range];
        let (generator, list) = (&*self.generator, &mut self.list);
        match burden {
            // The black box stands for a call: what was cleared has to be in memory before it, and
            // to be read behind it.
            Burden::Harness => both_all(generator, boards, list, |_, _, list| {
                black_box(list);
            }),
            Burden::EmptyCall => both_all(generator, boards, list, empty::<G>()),
        }
    }

    fn check(&mut self, call: Call, range: Range<usize>) -> Checksum {
        let entry = entry::<G>(call);
        let mut checksum = Checksum::default();
        for board in &self.boards[range] {
            self.list.clear();
            entry(&self.generator, board, &mut self.list);
            checksum.add(&self.list);
        }
        checksum
    }
}

/// A compiled entry as a value.
type Entry<G> = fn(&G, &<G as Generator>::Board, &mut MoveList<<G as Generator>::Moves>);

/// The entry that a call is made through.
fn entry<G: Entries>(call: Call) -> Entry<G> {
    match call {
        Call::Stage(StageId::All) => G::all,
        Call::Stage(StageId::Captures) => G::captures,
        Call::Stage(StageId::Quiets) => G::quiets,
        Call::Sliders => G::sliders,
        Call::Nothing => nothing::<G>,
    }
}

/// Finds no move.
#[inline(never)]
fn nothing<G: Entries>(_: &G, _: &G::Board, _: &mut MoveList<G::Moves>) {}

/// [`nothing`] as a function that the compiler does not know, like those of other crates: it would
/// see that nothing happens and make no call. Designs are called through an address in memory, this
/// one through a register.
#[inline(always)]
fn empty<G: Entries>() -> Entry<G> {
    black_box(nothing::<G>)
}

/// The timed loop: clear, call, count.
///
/// No black box hides the boards, because that would store and load a pointer per position and
/// there is nothing to hide: an entry is compiled in another crate and never inlined, so that this
/// loop sees a call that may do anything. Even a compiler that looked into the entry would find
/// another board in each call, and a length that is used.
#[inline(always)]
fn count_all<G: Entries>(
    generator: &G,
    boards: &[G::Board],
    list: &mut MoveList<G::Moves>,
    entry: impl Fn(&G, &G::Board, &mut MoveList<G::Moves>),
) -> u64 {
    let mut moves = 0;
    for board in boards {
        moves += count(generator, board, list, &entry);
    }
    // The moves themselves, not only their number, are wanted.
    black_box(&*list);
    moves
}

/// The timed loop with a burden behind each call.
#[inline(always)]
fn both_all<G: Entries>(
    generator: &G,
    boards: &[G::Board],
    list: &mut MoveList<G::Moves>,
    burden: impl Fn(&G, &G::Board, &mut MoveList<G::Moves>),
) -> u64 {
    let mut moves = 0;
    for board in boards {
        moves += count(generator, board, list, G::all);
        moves += count(generator, board, list, &burden);
    }
    moves
}

/// All that the harness does for one position.
#[inline(always)]
fn count<G: Entries>(
    generator: &G,
    board: &G::Board,
    list: &mut MoveList<G::Moves>,
    entry: impl Fn(&G, &G::Board, &mut MoveList<G::Moves>),
) -> u64 {
    list.clear();
    entry(generator, board, list);
    list.len() as u64
}

#[cfg(test)]
mod tests;
