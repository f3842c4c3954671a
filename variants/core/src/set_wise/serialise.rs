//! Serialisation: from sixteen target sets to a list of moves.
//!
//! A target and a direction identify a move, so only the source has to be computed. A knight's
//! source is one leap back. Any other source is the nearest piece backwards along the ray, found by
//! one intersection and one bit scan. No test for an empty result is needed, because every target
//! has a source. Kings and pawns are no exception.
//!
//! The serialisers of this file go through the directions one after the other, each with machine
//! code of its own. One intersection per direction separates the promotions; en passant and castling
//! are marked by arithmetic. The only branches are the ends of the loops over the targets.

use super::rays::{LEAPS, before, highest, lowest, nearest};
use super::view::mark_on;
use super::{LookBack, Marks, Rays, TargetSets, View, distance};
use crate::{Cursor, Move, MoveList, Square, Stage};

/// Calls `action` with each square of the set, lowest first.
#[inline(always)]
pub fn each(mut set: u64, mut action: impl FnMut(Square)) {
    while set != 0 {
        action(Square::from_low_bits(set.trailing_zeros()));
        set &= set - 1;
    }
}

/// A way to write the moves of the target sets into a list.
pub trait Serialiser: Send + Sync + 'static {
    /// Whether [`write`](Serialiser::write) writes codes, which [`unpack`](Serialiser::unpack) turns into moves.
    const CODED: bool = false;
    /// The table in which sources are found.
    type Rays: LookBack;

    /// Appends the moves of all sets, which are those of stage `S`.
    fn write<S: Stage>(rays: &Self::Rays, view: &View, sets: &TargetSets, list: &mut MoveList);

    /// The move of a word that [`write`](Serialiser::write) wrote.
    #[inline(always)]
    fn unpack(_rays: &Self::Rays, _view: &View, word: Move) -> Move {
        word
    }
}

/// Calls a method once for each of the eight ray directions, which are const generic parameters.
macro_rules! for_each_ray {
    ($writer:ident . $function:ident ($($argument:expr),*)) => {
        $writer.$function::<0, 1>($($argument),*);
        $writer.$function::<1, 0>($($argument),*);
        $writer.$function::<1, 1>($($argument),*);
        $writer.$function::<-1, 1>($($argument),*);
        $writer.$function::<0, -1>($($argument),*);
        $writer.$function::<-1, 0>($($argument),*);
        $writer.$function::<-1, -1>($($argument),*);
        $writer.$function::<1, -1>($($argument),*);
    };
}

/// The inputs that the unrolled serialisers share. With `TESTED`, they make the test that the source
/// describes.
struct Writer<'a, const TESTED: bool> {
    rays: &'a Rays,
    view: &'a View,
    pieces: u64,
    marks: Marks,
}

impl<'a, const TESTED: bool> Writer<'a, TESTED> {
    #[inline(always)]
    fn new(rays: &'a Rays, view: &'a View) -> Self {
        Writer { rays, view, pieces: view.occupied(), marks: Marks::new(view) }
    }

    /// Writes target by target, lowest first, and searches the source of each. The test, if it is
    /// made, asks whether there is one.
    #[inline(always)]
    fn one_by_one<const FILES: i8, const RANKS: i8>(
        &self,
        sets: &TargetSets,
        list: &mut Cursor<'_>,
    ) {
        let targets = self.promote::<FILES, RANKS>(sets, list);
        let marked = self.marks.marked::<FILES, RANKS>();
        each(targets, |to| {
            let behind = self.rays.behind::<FILES, RANKS>(to, self.pieces);
            if TESTED && behind == 0 {
                return;
            }
            list.push(self.view.mv(nearest::<FILES, RANKS>(behind), to, mark_on(to, marked)));
        });
    }

    /// Writes source by source: the farthest target, then the squares back to the source. The test,
    /// if it is made, asks whether a square in between is still a target.
    #[inline(always)]
    fn run_by_run<const FILES: i8, const RANKS: i8>(
        &self,
        sets: &TargetSets,
        list: &mut Cursor<'_>,
    ) {
        let mut targets = self.promote::<FILES, RANKS>(sets, list);
        let marked = self.marks.marked::<FILES, RANKS>();
        let distance = const { distance(FILES, RANKS) };
        while targets != 0 {
            // In directions to lower squares the farthest target is the lowest.
            let farthest = if distance > 0 { highest(targets) } else { lowest(targets) };
            let to = Square::from_low_bits(farthest);
            let behind = self.rays.behind::<FILES, RANKS>(to, self.pieces);
            let from = nearest::<FILES, RANKS>(behind);
            list.push(self.view.mv(from, to, mark_on(to, marked)));
            targets &= !to.bit();
            let mut square = Square::from_low_bits(before(to, distance));
            while u32::from(square.number()) != from {
                if !TESTED || targets & square.bit() != 0 {
                    targets &= !square.bit();
                    list.push(self.view.mv(from, square, 0));
                }
                square = Square::from_low_bits(before(square, distance));
            }
        }
    }

    /// Writes the promotions of one direction and returns the remaining targets.
    #[inline(always)]
    fn promote<const FILES: i8, const RANKS: i8>(
        &self,
        sets: &TargetSets,
        list: &mut Cursor<'_>,
    ) -> u64 {
        let targets = sets.ray::<FILES, RANKS>();
        let promotions = targets & self.marks.promotions::<FILES, RANKS>();
        each(promotions, |to| {
            let from = Square::from_low_bits(before(to, const { distance(FILES, RANKS) }));
            list.push_promotions(self.view.square(from), self.view.square(to));
        });
        targets ^ promotions
    }

    /// Writes the knights' moves, direction by direction, as those along rays.
    #[inline(always)]
    fn leaps(&self, sets: &TargetSets, list: &mut Cursor<'_>) {
        self.leap::<0>(sets, list);
        self.leap::<1>(sets, list);
        self.leap::<2>(sets, list);
        self.leap::<3>(sets, list);
        self.leap::<4>(sets, list);
        self.leap::<5>(sets, list);
        self.leap::<6>(sets, list);
        self.leap::<7>(sets, list);
    }

    /// Writes the knights' moves of one direction. The source is one leap back.
    #[inline(always)]
    fn leap<const N: usize>(&self, sets: &TargetSets, list: &mut Cursor<'_>) {
        let leap = const { LEAPS[N] };
        each(sets.of(8 + N), |to| list.push(self.view.mv(before(to, leap), to, 0)));
    }
}

/// Target by target: scan the bit, search the source, reset the bit. With `TESTED`, the search of
/// each source asks whether it found a piece, as a program does that goes piece by piece and looks
/// for a blocker that may be missing. Here the answer is always yes.
pub struct GetterWith<const TESTED: bool>;

/// [`GetterWith`] without the test.
pub type Getter = GetterWith<false>;
/// [`GetterWith`] with the test of each source.
pub type TestedGetter = GetterWith<true>;

impl<const TESTED: bool> Serialiser for GetterWith<TESTED> {
    type Rays = Rays;

    #[inline(always)]
    fn write<S: Stage>(rays: &Rays, view: &View, sets: &TargetSets, list: &mut MoveList) {
        let (writer, list) = (Writer::<TESTED>::new(rays, view), &mut list.cursor());
        for_each_ray!(writer.one_by_one(sets, list));
        writer.leaps(sets, list);
    }
}

/// Ray by ray: the farthest target and its source, then the squares between them. The source is
/// searched once per ray.
///
/// With `TESTED`, as published, each square in between is written only if it is still a target,
/// because its move may have been removed before. Without, all of them are written, which is right
/// only if the sets hold all pseudo-legal moves of a stage. The stage *captures* has no squares in
/// between, so it is written target by target.
pub struct RayRunWith<const TESTED: bool>;

/// [`RayRunWith`] with the test of each square in between.
pub type RayRun = RayRunWith<true>;
/// [`RayRunWith`] without the test.
pub type UntestedRayRun = RayRunWith<false>;

impl<const TESTED: bool> Serialiser for RayRunWith<TESTED> {
    type Rays = Rays;

    #[inline(always)]
    fn write<S: Stage>(rays: &Rays, view: &View, sets: &TargetSets, list: &mut MoveList) {
        let (writer, list) = (Writer::<TESTED>::new(rays, view), &mut list.cursor());
        if TESTED || S::QUIETS {
            for_each_ray!(writer.run_by_run(sets, list));
        } else {
            for_each_ray!(writer.one_by_one(sets, list));
        }
        writer.leaps(sets, list);
    }
}
