//! Serialisation: from sixteen target sets to a list of moves.
//!
//! A target and a direction identify a move, so only the source has to be computed. A knight's
//! source is one leap back. Any other source is the nearest piece backwards along the ray, found by
//! one intersection and one bit scan. No test for an empty result is needed, because every target
//! has a source. Kings and pawns are no exception.
//!
//! One intersection per direction separates the promotions; en passant and castling are marked by
//! arithmetic. The only branches are the ends of the loops over the targets.

use super::rays::{back, highest, lowest};
use super::view::mark_on;
use super::{DIRECTIONS, Marks, MoveCode, MoveGetter, Rays, TargetSets, View, distance};
use crate::{MoveList, Square};

/// Calls `action` with each square of the set, lowest first.
#[inline(always)]
fn each(mut set: u64, mut action: impl FnMut(Square)) {
    while set != 0 {
        action(Square::from_low_bits(set.trailing_zeros()));
        set &= set - 1;
    }
}

/// A way to write the moves of the target sets into a list.
pub trait Serialiser: Send + Sync + 'static {
    /// Appends the moves of all sets.
    fn write(rays: &Rays, view: &View, sets: &TargetSets, list: &mut MoveList);
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

/// The inputs that the unrolled serialisers share.
struct Writer<'a> {
    rays: &'a Rays,
    view: &'a View,
    pieces: u64,
    marks: Marks,
}

impl<'a> Writer<'a> {
    #[inline(always)]
    fn new(rays: &'a Rays, view: &'a View) -> Writer<'a> {
        Writer { rays, view, pieces: view.occupied(), marks: Marks::new(view) }
    }

    /// Writes target by target, lowest first, and searches the source of each.
    #[inline(always)]
    fn one_by_one<const FILES: i8, const RANKS: i8>(&self, sets: &TargetSets, list: &mut MoveList) {
        let targets = self.promote::<FILES, RANKS>(sets, list);
        let marked = self.marks.marked::<FILES, RANKS>();
        each(targets, |to| {
            let from = self.rays.source::<FILES, RANKS>(to, self.pieces);
            list.push(self.view.mv(from, to, mark_on(to, marked)));
        });
    }

    /// Writes source by source: the farthest target, then the squares back to the source.
    #[inline(always)]
    fn run_by_run<const FILES: i8, const RANKS: i8>(&self, sets: &TargetSets, list: &mut MoveList) {
        let mut targets = self.promote::<FILES, RANKS>(sets, list);
        let marked = self.marks.marked::<FILES, RANKS>();
        let distance = const { distance(FILES, RANKS) };
        while targets != 0 {
            // In directions to lower squares the farthest target is the lowest.
            let to = if distance > 0 { highest(targets) } else { lowest(targets) };
            let from = self.rays.source::<FILES, RANKS>(to, self.pieces);
            list.push(self.view.mv(from, to, mark_on(to, marked)));
            targets &= !to.bit();
            let mut square = back(to, distance);
            while square != from {
                // A square in between is no target if its move was removed before.
                if targets & square.bit() != 0 {
                    targets &= !square.bit();
                    list.push(self.view.mv(from, square, 0));
                }
                square = back(square, distance);
            }
        }
    }

    /// Writes the promotions of one direction and returns the remaining targets.
    #[inline(always)]
    fn promote<const FILES: i8, const RANKS: i8>(
        &self,
        sets: &TargetSets,
        list: &mut MoveList,
    ) -> u64 {
        let targets = sets.ray::<FILES, RANKS>();
        let promotions = targets & self.marks.promotions::<FILES, RANKS>();
        each(promotions, |to| {
            let from = back(to, const { distance(FILES, RANKS) });
            list.push_promotions(self.view.square(from), self.view.square(to));
        });
        targets ^ promotions
    }

    /// Writes the knights' moves. The source is one leap back.
    #[inline(always)]
    fn leaps(&self, sets: &TargetSets, list: &mut MoveList) {
        const LEAPS: [i8; 8] = {
            let mut leaps = [0; 8];
            let mut n = 0;
            while n < 8 {
                leaps[n] = distance(DIRECTIONS[8 + n].0, DIRECTIONS[8 + n].1);
                n += 1;
            }
            leaps
        };
        for (targets, leap) in sets.leaps.into_iter().zip(LEAPS) {
            each(targets, |to| list.push(self.view.mv(back(to, leap), to, 0)));
        }
    }
}

/// Target by target: scan the bit, search the source, reset the bit. Directions are unrolled.
pub struct Getter;

impl Serialiser for Getter {
    #[inline(always)]
    fn write(rays: &Rays, view: &View, sets: &TargetSets, list: &mut MoveList) {
        let writer = Writer::new(rays, view);
        for_each_ray!(writer.one_by_one(sets, list));
        writer.leaps(sets, list);
    }
}

/// Ray by ray: the farthest target and its source, then the squares between them. The source is
/// searched once per ray.
pub struct RayRun;

impl Serialiser for RayRun {
    #[inline(always)]
    fn write(rays: &Rays, view: &View, sets: &TargetSets, list: &mut MoveList) {
        let writer = Writer::new(rays, view);
        for_each_ray!(writer.run_by_run(sets, list));
        writer.leaps(sets, list);
    }
}

/// Move by move from a [`MoveGetter`], as a search would request them, until none is left.
///
/// The direction is a run-time value here: one loop serves all sixteen.
pub struct Incremental;

impl Serialiser for Incremental {
    #[inline(always)]
    fn write(rays: &Rays, view: &View, sets: &TargetSets, list: &mut MoveList) {
        for mv in MoveGetter::new(rays, *view, *sets) {
            list.push(mv);
        }
    }
}

/// Two passes: the first writes ten bits per move (target and direction), the second the moves.
///
/// The first pass computes no sources and ignores promotions, so it is as short as possible. A
/// search would never complete the codes of moves it does not try. A list of finished moves
/// completes all of them, so a measurement shows the cost of the detour, not the saving.
pub struct Delayed;

impl Serialiser for Delayed {
    #[inline(always)]
    fn write(rays: &Rays, view: &View, sets: &TargetSets, list: &mut MoveList) {
        let mut codes = [MoveCode::default(); 256];
        let mut count = 0;
        for direction in 0..16 {
            each(sets.of(direction), |target| {
                codes[count & 255] = MoveCode::new(target, direction);
                count += 1;
            });
        }
        let (pieces, marks) = (view.occupied(), Marks::new(view));
        for &code in &codes[..count & 255] {
            let (from, to) =
                (rays.source_from(code.direction(), code.target(), pieces), code.target());
            if marks.promotes(code) {
                list.push_promotions(view.square(from), view.square(to));
            } else {
                list.push(view.mv(from, to, marks.mark(code)));
            }
        }
    }
}
