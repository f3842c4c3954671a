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
//! The designs vary two things, one at a time:
//!
//! | fill | operations per direction, as published |
//! |---|---|
//! | [`Dumb7Fill`] | 19: seven steps of one square |
//! | [`KoggeStone`] | 14: steps of one, two and four |
//! | [`Subtraction`] | east by one subtraction; the others Kogge–Stone |
//! | [`Guarded`] | any fill, skipped for a class of sliders without pieces |
//!
//! | serialiser | how an source is found |
//! |---|---|
//! | [`Getter`] | for each target, by looking back |
//! | [`RayRun`] | once per source, from its farthest target; then back square by square |
//! | [`Incremental`] | as the getter, with the direction as a value, as a search would call it |
//! | [`Delayed`] | in a second pass over targets and directions |
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
mod targets;
#[cfg(test)]
mod tests;

use std::marker::PhantomData;

use cards::Pair;
pub use guarded::Guarded;
pub use raywalk_core::set_wise::{
    Delayed, Dumb7Fill, Getter, Incremental, KoggeStone, RayRun, Subtraction,
};
use raywalk_core::set_wise::{Fill, Rays, Serialiser, TargetSets, View};
use raywalk_core::{Bitboards, Card, Feature, Generator, Move, MoveList, Scope, Stage};

/// A design: a fill, a serialiser, and the rays along which sources are found.
#[repr(align(64))]
pub struct SetWise<F, W> {
    rays: Rays,
    parts: PhantomData<(F, W)>,
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
/// Kogge–Stone fills; finds the sources in a second pass.
pub type KoggeStoneDelayed = SetWise<KoggeStone, Delayed>;
/// Kogge–Stone fills, skipped without sliders; looks back once per target.
pub type KoggeStoneGuarded = SetWise<Guarded<KoggeStone>, Getter>;

raywalk_core::entries!(
    Dumb7Getter,
    KoggeStoneGetter,
    SubtractionGetter,
    Dumb7RayRun,
    KoggeStoneRayRun,
    KoggeStoneIncremental,
    KoggeStoneDelayed,
    KoggeStoneGuarded,
);

impl<F: Fill, W: Serialiser> SetWise<F, W> {
    /// The sixteen target sets of stage `S` and the view of the board that they refer to.
    #[inline(always)]
    fn targets<S: Stage>(board: &Bitboards) -> (View, TargetSets) {
        let view = View::new(board);
        let castling = if S::QUIETS { view.turned(board.castling()) } else { 0 };
        let sets = targets::targets::<F, S>(&view, castling);
        (view, sets)
    }
}

impl<F: Fill, W: Serialiser> Generator for SetWise<F, W>
where
    (F, W): Pair,
{
    const CARD: Card = <(F, W) as Pair>::CARD;
    type Board = Bitboards;
    type Moves = Move;
    // One fill serves all pieces that move in a direction, so no kind of piece can be left out.
    const SCOPES: &'static [Scope] = &[Scope::Whole];

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(SetWise { rays: Rays::build(), parts: PhantomData }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList) {
        let (view, sets) = Self::targets::<S>(board);
        W::write(&self.rays, &view, &sets, list);
    }
}
