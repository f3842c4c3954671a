//! The loops over boards that a built design is timed in, and the ring of lists that they may write to.

use std::hint::black_box;

use raywalk_core::{Entries, Generator, MoveFormat, MoveList};
use raywalk_results::schema::{Call, Scope, Search, Stage};

use crate::design::Invocation;
use crate::regime::step;

/// Lists that calls write to in turn.
pub(super) struct Ring<F: MoveFormat> {
    pub(super) lists: Vec<MoveList<F>>,
    at: usize,
    step: usize,
}

impl<F: MoveFormat> Default for Ring<F> {
    fn default() -> Ring<F> {
        Ring { lists: Vec::new(), at: 0, step: 0 }
    }
}

impl<F: MoveFormat> Ring<F> {
    /// As many lists as fit, at least one.
    pub(super) fn new(bytes: u64) -> Ring<F> {
        let lists = (bytes as usize / size_of::<MoveList<F>>()).max(1);
        Ring { lists: vec![MoveList::new(); lists], at: 0, step: step(lists) }
    }

    pub(super) fn next(&mut self) -> &mut MoveList<F> {
        self.at += self.step;
        // One subtraction is enough in place of a division: place and step are both below the number of lists.
        self.at -= if self.at >= self.lists.len() { self.lists.len() } else { 0 };
        &mut self.lists[self.at]
    }

    /// The timed loop. One for all entries, through a pointer, so that rings of one list and of many run the
    /// same instructions.
    #[inline(never)]
    pub(super) fn count<G: Entries<Moves = F>>(
        &mut self,
        generator: &G,
        boards: &[G::Board],
        quiescence: &[bool],
        entries: [Entry<G>; 2],
    ) -> u64 {
        let mut moves = 0;
        for (place, board) in boards.iter().enumerate() {
            let entry = entries[usize::from(is_quiescence(quiescence, place))];
            moves += count(generator, board, self.next(), entry);
        }
        black_box(&self.lists);
        moves
    }
}

pub(super) type Entry<G> = fn(&G, &<G as Generator>::Board, &mut MoveList<<G as Generator>::Moves>);

/// The entries of a call that generates a stage, or of the empty one: for a node of the search and for a
/// quiescence node. `None` for another call.
pub(super) fn entries<G: Entries>(invocation: Invocation) -> Option<[Entry<G>; 2]> {
    let one: Entry<G> = match invocation {
        Invocation::Empty => nothing::<G>,
        Invocation::Call(Call::Generate { scope: Scope::Sliders, .. }) => G::sliders,
        Invocation::Call(Call::Generate { stage, scope: Scope::Whole }) => match stage {
            Stage::All => G::all,
            Stage::Captures => G::captures,
            Stage::Quiets => G::quiets,
        },
        Invocation::Call(Call::Search { search: Search::Node }) => {
            return Some([G::all, G::captures]);
        }
        Invocation::Call(Call::Search { .. } | Call::Operation { .. }) => return None,
    };
    Some([one; 2])
}

/// Whether a board is a quiescence node; false if no call needs to know.
pub(super) fn is_quiescence(quiescence: &[bool], place: usize) -> bool {
    quiescence.get(place).copied().unwrap_or_default()
}

/// The empty entry: it finds no move.
#[inline(never)]
pub(super) fn nothing<G: Entries>(_: &G, _: &G::Board, _: &mut MoveList<G::Moves>) {}

/// [`nothing`] as a function that is opaque to the compiler, like the entries of other crates. Otherwise
/// the compiler would see that it does nothing and omit the call. Designs are called through an address
/// in memory, this function through a register.
#[inline(always)]
pub(super) fn empty<G: Entries>() -> Entry<G> {
    black_box(nothing::<G>)
}

/// The timed loop: clear, call, count.
///
/// The boards need no black box, which would store and load a pointer per position: an entry is
/// compiled in another crate and never inlined, so for the loop the call may do anything. Even a
/// compiler that looked into the entry would find another board in each call, and a length that is
/// used.
#[inline(always)]
pub(super) fn count_all<G: Entries>(
    generator: &G,
    boards: &[G::Board],
    list: &mut MoveList<G::Moves>,
    entry: impl Fn(&G, &G::Board, &mut MoveList<G::Moves>),
) -> u64 {
    let mut moves = 0;
    for board in boards {
        moves += count(generator, board, list, &entry);
    }
    // The moves themselves are a result, not only their number.
    black_box(&*list);
    moves
}

/// The timed loop with the stage of each node. The branch between the two calls is the engine's own: it
/// knows whether it is in quiescence.
#[inline(always)]
pub(super) fn count_nodes<G: Entries>(
    generator: &G,
    boards: &[G::Board],
    quiescence: &[bool],
    list: &mut MoveList<G::Moves>,
) -> u64 {
    let mut moves = 0;
    for (board, &captures) in boards.iter().zip(quiescence) {
        moves += match captures {
            true => count(generator, board, list, G::captures),
            false => count(generator, board, list, G::all),
        };
    }
    // The moves themselves are a result, not only their number.
    black_box(&*list);
    moves
}

/// The timed loop with extra work after each call.
#[inline(always)]
pub(super) fn both_all<G: Entries>(
    generator: &G,
    boards: &[G::Board],
    list: &mut MoveList<G::Moves>,
    extra: impl Fn(&G, &G::Board, &mut MoveList<G::Moves>),
) -> u64 {
    let mut moves = 0;
    for board in boards {
        moves += count(generator, board, list, G::all);
        moves += count(generator, board, list, &extra);
    }
    moves
}

/// Everything that the harness does for one position.
#[inline(always)]
pub(super) fn count<G: Entries>(
    generator: &G,
    board: &G::Board,
    list: &mut MoveList<G::Moves>,
    entry: impl Fn(&G, &G::Board, &mut MoveList<G::Moves>),
) -> u64 {
    list.clear();
    entry(generator, board, list);
    list.len() as u64
}
