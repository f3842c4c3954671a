//! Bitboard move generators that go direction by direction.
//!
//! Piece-wise generators ask each piece for its targets. These generators ask each direction: all
//! rooks and queens are shifted north at once, over the empty squares and onto the first piece, and
//! the squares they enter are the set of north targets. Kings take part with one step, pawns with
//! their pushes. Eight such sets and eight for the knights, 128 bytes, hold all moves of a
//! position, because a target and a direction identify one move. Finding the sets needs no table
//! and does not depend on the number of pieces. It costs the same in every position, some hundreds
//! of simple operations: cheap for four sliders, expensive for one.
//!
//! The price is paid when the moves are written, because a set does not store source squares. Each
//! is found by looking back along the ray from its target, which needs a table of rays, 4,096
//! bytes.
//!
//! Designs that take moves one by one or write codes use a table of 8,192 bytes instead, in which
//! leaps have rows as rays have. Special targets are then in sets of their own, so that no other target
//! is tested.
//!
//! The designs vary three things, one at a time:
//!
//! | fill | operations per direction, as published |
//! |---|---|
//! | [`Dumb7Fill`] | 19: seven steps of one square |
//! | [`KoggeStone`] | 14: steps of one, two and four |
//! | [`Subtraction`] | east by one subtraction; the others Kogge–Stone |
//! | [`Guarded`] | any fill, skipped for a class of sliders without pieces |
//! | [`Rolled`] | Kogge–Stone in a loop over the directions, instead of a copy per direction |
//!
//! | serialiser | how a source is found |
//! |---|---|
//! | [`Getter`] | for each target, by looking back |
//! | [`TestedGetter`] | the same, with a test whether there is one |
//! | [`RolledGetter`] | the same as the getter, with the direction as a value |
//! | [`RayRun`] | once per source, from its farthest target; then back square by square |
//! | [`UntestedRayRun`] | the same, without a test whether the squares in between are targets |
//! | [`Incremental`] | by one look-up whatever the direction, which is a state, as a search would call it |
//! | [`Staged`] | the same, with the captures of all directions before the quiet moves |
//! | [`Delayed`] | in a second pass over targets and directions, with a loop for each end of a ray |
//! | [`Codes`] | not before the move is made: the list holds target and direction |
//!
//! | pawns | |
//! |---|---|
//! | [`ByDirection`] | in the target sets, like all other pieces |
//! | [`OneByOne`] | outside of them, pawn by pawn |
//!
//! # Source
//! Chess Programming Wiki, *Pieces versus Directions*, *Dumb7Fill*, *Kogge-Stone Algorithm*, *Fill
//! by Subtraction*. The fill by parallel prefix is Steffan Westcott's, Computer Chess Club, 15
//! September 2002.
//!
//! # What to expect
//! The wiki warns that set-wise generation becomes less efficient with fewer sliders. Finding the
//! sets takes no branch. Writing the moves has a loop per direction whose end can be mispredicted:
//! sixteen loops in every position, however few pieces there are. As compiled for x86-64, the
//! getter designs have two conditional jumps per loop, one to enter and one to repeat, and no
//! others except for castling rights.

mod cards;
mod guarded;
mod pawns;
mod rolled;
mod targets;
#[cfg(test)]
mod tests;

use std::marker::PhantomData;

use cards::Parts;
pub use guarded::Guarded;
use pawns::Pawns;
pub use pawns::{ByDirection, OneByOne};
use raywalk_core::set_wise::{
    Codes, Delayed, Dumb7Fill, Fill, Getter, Incremental, KoggeStone, LookBack, RayRun,
    RolledGetter, Serialiser, Staged, Stoppable, Subtraction, TargetSets, TestedGetter,
    UntestedRayRun, View,
};
use raywalk_core::{
    All, Bitboards, Captures, Card, Early, Feature, Generator, Lookups, Move, MoveList, Scope,
    Square, Stage,
};
pub use rolled::Rolled;
use targets::Directions;

/// A design: a way to find targets, a serialiser, the rays along which sources are found, and pawns.
#[repr(align(64))]
pub struct SetWise<D, W: Serialiser, P = ByDirection> {
    rays: W::Rays,
    pawns: P,
    parts: PhantomData<(D, W)>,
}

/// Dumb7 fills; looks back once per target.
pub type Dumb7Getter = SetWise<Dumb7Fill, Getter>;
/// Kogge–Stone fills; looks back once per target.
pub type KoggeStoneGetter = SetWise<KoggeStone, Getter>;
/// East by subtraction; looks back once per target.
pub type SubtractionGetter = SetWise<Subtraction, Getter>;
/// Dumb7 fills; looks back once per source.
pub type Dumb7RayRun = SetWise<Dumb7Fill, RayRun>;
/// Kogge–Stone fills; looks back once per source.
pub type KoggeStoneRayRun = SetWise<KoggeStone, RayRun>;
/// Kogge–Stone fills; a finite-state machine yields one move at a time.
pub type KoggeStoneIncremental = SetWise<KoggeStone, Incremental>;
/// Kogge–Stone fills; a finite-state machine yields one move at a time, captures first.
pub type KoggeStoneStaged = SetWise<KoggeStone, Staged>;
/// Kogge–Stone fills; finds the sources in a second pass.
pub type KoggeStoneDelayed = SetWise<KoggeStone, Delayed>;
/// Kogge–Stone fills; the list holds codes of ten bits.
pub type KoggeStoneCodes = SetWise<KoggeStone, Codes>;
/// Kogge–Stone fills, skipped without sliders; looks back once per target.
pub type KoggeStoneGuarded = SetWise<Guarded<KoggeStone>, Getter>;
/// Kogge–Stone fills; looks back once per target and tests whether there is a source.
pub type KoggeStoneTested = SetWise<KoggeStone, TestedGetter>;
/// Kogge–Stone fills; looks back once per source and writes all squares in between.
pub type KoggeStoneUntestedRun = SetWise<KoggeStone, UntestedRayRun>;
/// Kogge–Stone fills and the getter, with the directions in loops.
pub type KoggeStoneRolled = SetWise<Rolled, RolledGetter>;
/// Kogge–Stone fills and the getter for all pieces but the pawns, which come one by one.
pub type KoggeStonePawnsOneByOne = SetWise<KoggeStone, Getter, OneByOne>;

raywalk_core::entries!(
    Dumb7Getter: Lookups,
    KoggeStoneGetter: Lookups,
    SubtractionGetter: Lookups,
    Dumb7RayRun,
    KoggeStoneRayRun,
    KoggeStoneIncremental: Early,
    KoggeStoneStaged: Early,
    KoggeStoneDelayed: Early,
    KoggeStoneCodes: Early,
    KoggeStoneGuarded,
    KoggeStoneTested,
    KoggeStoneUntestedRun,
    KoggeStoneRolled,
    KoggeStonePawnsOneByOne,
);

impl<D: Directions, W: Serialiser, P: Pawns> SetWise<D, W, P> {
    /// Adds the targets of stage `S` to empty sets, and returns the view that they refer to.
    ///
    /// The sets are not returned: a copy of sets that a loop has just written would read in wide words
    /// what was stored in narrow ones, and wait for the stores.
    #[inline(always)]
    fn find<S: Stage>(board: &Bitboards, sets: &mut TargetSets) -> View {
        let view = View::new(board);
        let castling = if S::QUIETS { view.turned(board.castling()) } else { 0 };
        targets::add::<D, P, S>(&view, castling, sets);
        view
    }
}

impl<D: Directions, W: Serialiser, P: Pawns> Generator for SetWise<D, W, P>
where
    (D, W, P): Parts,
{
    const CARD: Card = <(D, W, P) as Parts>::CARD;
    type Board = Bitboards;
    type Moves = Move;
    // One fill serves all pieces that move in a direction, so no kind of piece can be left out.
    const SCOPES: &'static [Scope] = &[Scope::Whole];

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(SetWise { rays: W::Rays::build(), pawns: P::build(), parts: PhantomData }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList) {
        let mut sets = TargetSets::default();
        let view = Self::find::<S>(board, &mut sets);
        self.pawns.write::<S>(&view, list);
        W::write::<S>(&self.rays, &view, &sets, list);
    }

    const CODED: bool = W::CODED;

    #[inline(always)]
    fn unpack(&self, board: &Bitboards, word: Move) -> Move {
        if W::CODED { W::unpack(&self.rays, &View::new(board), word) } else { word }
    }

    fn table_bytes(&self) -> usize {
        size_of::<Self>() + D::TABLE_BYTES
    }
}

/// The sets are found for all directions before the first move is known.
impl<D: Directions, W: Stoppable> Early for SetWise<D, W>
where
    (D, W, ByDirection): Parts,
{
    #[inline(always)]
    fn first_capture(&self, board: &Bitboards) -> Option<Move> {
        let mut sets = TargetSets::default();
        let view = Self::find::<Captures>(board, &mut sets);
        W::first(&self.rays, &view, &sets)
    }

    const CODED: bool = <W as Stoppable>::CODED;

    #[inline(always)]
    fn complete(&self, board: &Bitboards, word: Move) -> Move {
        W::complete(&self.rays, &View::new(board), word)
    }

    #[inline(always)]
    fn first_moves(&self, board: &Bitboards, list: &mut MoveList) {
        let mut sets = TargetSets::default();
        let view = Self::find::<All>(board, &mut sets);
        W::write_first(&self.rays, &view, &sets, list);
    }
}

/// A fill of one queen in each of the eight directions.
impl<F: Fill + Directions> Lookups for SetWise<F, Getter>
where
    (F, Getter, ByDirection): Parts,
{
    #[inline(always)]
    fn queen_attacks(&self, board: &Bitboards, square: Square) -> u64 {
        let (queen, occupied) = (square.bit(), board.occupied());
        F::attacks::<0, 1>(queen, occupied)
            | F::attacks::<1, 0>(queen, occupied)
            | F::attacks::<1, 1>(queen, occupied)
            | F::attacks::<-1, 1>(queen, occupied)
            | F::attacks::<0, -1>(queen, occupied)
            | F::attacks::<-1, 0>(queen, occupied)
            | F::attacks::<-1, -1>(queen, occupied)
            | F::attacks::<1, -1>(queen, occupied)
    }
}
