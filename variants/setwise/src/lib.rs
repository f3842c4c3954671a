//! Bitboards, direction by direction.
//!
//! Where the piece-wise generators ask each piece for his targets, these ask each direction: all
//! rooks and queens are shifted north at once, over the empty squares and onto the first piece, and
//! what is entered is the set of north targets; kings take part with one step, pawns with their
//! pushes. Eight such sets and eight of the knights are all moves of a position, 128 bytes, since a
//! target and a direction name one move. Nothing is looked up and nothing asks how many pieces there
//! are, so the sets cost the same in every position, some hundreds of simple operations: cheap for
//! four sliders, dear for one.
//!
//! The price is paid when the moves are written: a set knows no sources. Each must be found by
//! looking back along the ray from its target, for which a table of rays is needed after all, 4,096
//! bytes.
//!
//! Two things vary, each alone:
//!
//! | fill | operations per direction, as published |
//! |---|---|
//! | [`Dumb7Fill`] | 19: seven steps of one square |
//! | [`KoggeStone`] | 14: steps of one, two and four |
//! | [`Subtraction`] | east by one subtraction; the others Kogge–Stone |
//! | [`Guarded`] | any fill, passed over for a class without sliders |
//!
//! | serialiser | how a source is found |
//! |---|---|
//! | [`Getter`] | for each target, by looking back |
//! | [`RayRun`] | once per source, for its farthest target; then back square by square |
//! | [`Incremental`] | as the getter, with the direction as a value: what a search would call |
//! | [`Delayed`] | in a second pass over targets and directions |
//!
//! # Source
//! Chess Programming Wiki, *Pieces versus Directions*, *Dumb7Fill*, *Kogge-Stone Algorithm*, *Fill
//! by Subtraction*. The fill by parallel prefix is Steffan Westcott's, Computer Chess Club, 15
//! September 2002.
//!
//! # What to expect
//! The wiki warns that set-wise generation gets worse with fewer sliders. Finding the sets is free of
//! branches; writing them has a loop per direction, whose end can be mispredicted, sixteen in every
//! position however few pieces there are. As compiled for x86-64 the getter designs have two conditional
//! jumps per loop, one to enter and one to repeat, and none elsewhere but for the right to castle.

mod cards;
mod targets;
#[cfg(test)]
mod tests;

use std::marker::PhantomData;

pub use cards::Pair;
pub use raywalk_core::set_wise::{
    Delayed, Dumb7Fill, Getter, Incremental, KoggeStone, RayRun, Subtraction,
};
use raywalk_core::set_wise::{Fill, Rays, Serialiser, TargetSets, View};
use raywalk_core::{Bitboards, Card, Feature, Generator, Move, MoveList, Scope, Stage};

/// A fill that is passed over when there is nothing to fill from. The test is a branch.
pub struct Guarded<F>(PhantomData<F>);

/// A design: a fill, a serialiser, and the rays along which sources are looked for.
#[repr(align(64))]
pub struct SetWise<F, W> {
    rays: Rays,
    parts: PhantomData<(F, W)>,
}

/// Dumb7 fills, a look back per target.
pub type Dumb7Getter = SetWise<Dumb7Fill, Getter>;
/// Kogge–Stone fills, a look back per target.
pub type KoggeStoneGetter = SetWise<KoggeStone, Getter>;
/// East by subtraction, a look back per target.
pub type SubtractionGetter = SetWise<Subtraction, Getter>;
/// Dumb7 fills, a look back per source.
pub type Dumb7RayRun = SetWise<Dumb7Fill, RayRun>;
/// Kogge–Stone fills, a look back per source.
pub type KoggeStoneRayRun = SetWise<KoggeStone, RayRun>;
/// Kogge–Stone fills, a finite-state machine.
pub type KoggeStoneIncremental = SetWise<KoggeStone, Incremental>;
/// Kogge–Stone fills, sources found in a second pass.
pub type KoggeStoneDelayed = SetWise<KoggeStone, Delayed>;
/// Kogge–Stone fills if there are sliders, a look back per target.
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
    /// The sixteen sets of stage `S`, and the view in which they stand: what remains of the design
    /// if nothing is written.
    #[inline(always)]
    pub fn targets<S: Stage>(board: &Bitboards) -> (View, TargetSets) {
        let view = View::new(board);
        let castling = if S::QUIETS { view.turned(board.castling()) } else { 0 };
        let sets = targets::targets::<F, S>(&view, castling);
        (view, sets)
    }

    /// The rays, for a [`MoveGetter`](raywalk_core::set_wise::MoveGetter) on the sets.
    pub fn rays(&self) -> &Rays {
        &self.rays
    }
}

impl<F: Fill, W: Serialiser> Generator for SetWise<F, W>
where
    (F, W): Pair,
{
    const CARD: Card = <(F, W) as Pair>::CARD;
    type Board = Bitboards;
    type Moves = Move;
    // Every direction is filled from all pieces that move in it at once.
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
