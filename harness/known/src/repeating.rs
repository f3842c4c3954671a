//! Ferret with some calls made twice.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use raywalk_core::{Card, Entries, Feature, Generator, MoveList, Optional, Scope, Stage};
use raywalk_ferret::Pointer;

/// The design `ferret/pointer`, of which every so-many-th call is made twice. The list is cleared in
/// between, so the answers stay the same.
///
/// Two of them with different periods run the same instructions at the same addresses and count their calls
/// in the same way. They differ in the repeated calls alone.
pub struct Repeating {
    ferret: Pointer,
    every: u64,
    /// Calls until the next one that is made twice.
    left: AtomicU64,
}

impl Repeating {
    /// A period that no session reaches.
    pub const NEVER: u64 = u64::MAX;

    /// Makes every so-many-th call twice. `every` is at least 1.
    ///
    /// # Errors
    /// The CPU feature that this machine lacks.
    pub fn every(every: u64) -> Result<Box<Repeating>, Feature> {
        let every = every.max(1);
        Ok(Box::new(Repeating { ferret: *Pointer::build()?, every, left: AtomicU64::new(every) }))
    }

    /// Counts a call. The counter is atomic because a design may be shared, but a load and a store are
    /// enough: only one thread calls a design that is timed.
    #[inline(always)]
    fn is_due(&self) -> bool {
        let left = self.left.load(Relaxed) - 1;
        let is_due = left == 0;
        self.left.store(if is_due { self.every } else { left }, Relaxed);
        is_due
    }

    #[inline(always)]
    fn call(
        &self,
        board: &<Pointer as Generator>::Board,
        list: &mut MoveList<<Pointer as Generator>::Moves>,
        entry: fn(
            &Pointer,
            &<Pointer as Generator>::Board,
            &mut MoveList<<Pointer as Generator>::Moves>,
        ),
    ) {
        entry(&self.ferret, board, list);
        if self.is_due() {
            list.clear();
            entry(&self.ferret, board, list);
        }
    }
}

impl Generator for Repeating {
    const CARD: Card = Card {
        id: "known/ferret-repeating",
        name: "Ferret, some calls made twice",
        ..Pointer::CARD
    };
    type Board = <Pointer as Generator>::Board;
    type Moves = <Pointer as Generator>::Moves;
    const SCOPES: &'static [Scope] = Pointer::SCOPES;

    fn build() -> Result<Box<Self>, Feature> {
        Repeating::every(Repeating::NEVER)
    }

    /// Once: only the entries repeat.
    fn generate<S: Stage>(&self, board: &Self::Board, list: &mut MoveList<Self::Moves>) {
        self.ferret.generate::<S>(board, list);
    }

    fn table_bytes(&self) -> usize {
        self.ferret.table_bytes()
    }
}

/// The entries call those of Ferret: its own machine code.
impl Entries for Repeating {
    const OPTIONAL: Optional<Self, Self::Board, Self::Moves> = Optional::NONE;

    #[inline(never)]
    fn all(&self, board: &Self::Board, list: &mut MoveList<Self::Moves>) {
        self.call(board, list, Pointer::all);
    }

    #[inline(never)]
    fn captures(&self, board: &Self::Board, list: &mut MoveList<Self::Moves>) {
        self.call(board, list, Pointer::captures);
    }

    #[inline(never)]
    fn quiets(&self, board: &Self::Board, list: &mut MoveList<Self::Moves>) {
        self.call(board, list, Pointer::quiets);
    }

    #[inline(never)]
    fn sliders(&self, board: &Self::Board, list: &mut MoveList<Self::Moves>) {
        self.call(board, list, Pointer::sliders);
    }
}

#[cfg(test)]
mod tests {
    use raywalk_core::{Board, Position};

    use super::*;

    #[test]
    fn every_third_call_is_made_twice_and_answers_as_the_others() {
        let board = <Repeating as Generator>::Board::new(&Position::default());
        let design = Repeating::every(3).expect("needs nothing");
        let mut list = MoveList::new();
        let mut found = Vec::new();
        for call in 0..7 {
            list.clear();
            design.all(&board, &mut list);
            found.push(list.len());
            assert_eq!(design.left.load(Relaxed), 3 - (call + 1) % 3);
        }
        assert_eq!(found, [20; 7]);
    }

    #[test]
    fn a_repetition_clears_the_list_first() {
        let board = <Repeating as Generator>::Board::new(&Position::default());
        let list_after = |every| {
            let mut list = MoveList::new();
            let design = Repeating::every(every).expect("needs nothing");
            design.captures(&board, &mut list);
            design.quiets(&board, &mut list);
            list.len()
        };
        assert_eq!((list_after(1), list_after(Repeating::NEVER)), (20, 20));
    }
}
