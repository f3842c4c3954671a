//! From sixteen sets to a list of moves.
//!
//! A target and a direction name a move, so all that is to be found is the source. For knights it
//! stands one leap back. For all others it is the nearest piece, looking back along the ray: one
//! intersection and one bit scan, without the question whether there is a piece, because a target
//! without a source does not exist. Kings and pawns need no exception.
//!
//! Promotions are split off by one intersection per direction that has them; en passant and
//! castling are marked by arithmetic. What branches are the ends of the loops over the targets.

use super::{Code, DIRECTIONS, Marks, MoveGetter, TargetSets, View, distance, index};
use crate::bitboards::attacks::ray;
use crate::{MoveList, Square};

/// The rays on the empty board by direction and square, 4,096 bytes: where sources are looked for.
#[derive(Clone, Debug)]
pub struct Rays([[u64; 64]; 8]);

impl Rays {
    /// Makes the table.
    pub fn build() -> Rays {
        Rays(std::array::from_fn(|direction| {
            std::array::from_fn(|n| ray(Square::from_low_bits(n as u32), DIRECTIONS[direction], 0))
        }))
    }

    /// The piece who arrives on `target` along a ray: the nearest one, looking back.
    #[inline(always)]
    pub fn source<const FILES: i8, const RANKS: i8>(&self, target: Square, pieces: u64) -> Square {
        // Opposite directions differ in bit 2.
        let behind = self.0[const { index(FILES, RANKS) ^ 4 }][target.index()] & pieces;
        if const { distance(FILES, RANKS) > 0 } { highest(behind) } else { lowest(behind) }
    }

    /// The same for a direction known only at run time, leaps included.
    #[inline(always)]
    pub fn source_from(&self, direction: usize, target: Square, pieces: u64) -> Square {
        let behind = self.0[(direction ^ 4) & 7][target.index()] & pieces;
        let (files, ranks) = DIRECTIONS[direction & 15];
        let leaps_from = back(target, distance(files, ranks));
        let slides_from = if direction & 4 == 0 { highest(behind) } else { lowest(behind) };
        if direction & 8 == 0 { slides_from } else { leaps_from }
    }
}

/// The highest square of a set. The lowest bit is set first: it changes nothing unless the set is
/// empty, and spares the processor that question.
#[inline(always)]
fn highest(set: u64) -> Square {
    Square::from_low_bits(63 - (set | 1).leading_zeros())
}

/// The lowest square of a set, likewise.
#[inline(always)]
fn lowest(set: u64) -> Square {
    Square::from_low_bits((set | 1 << 63).trailing_zeros())
}

/// The square one step back.
#[inline(always)]
const fn back(square: Square, distance: i8) -> Square {
    Square::from_low_bits((square.number() as u32).wrapping_sub(distance as u32))
}

/// Calls `action` with each square of the set, lowest first.
#[inline(always)]
fn each(mut set: u64, mut action: impl FnMut(Square)) {
    while set != 0 {
        action(Square::from_low_bits(set.trailing_zeros()));
        set &= set - 1;
    }
}

/// A way to write the moves of the sets into a list.
pub trait Serialiser: Send + Sync + 'static {
    /// Appends the moves of all sets.
    fn write(rays: &Rays, view: &View, sets: &TargetSets, list: &mut MoveList);
}

/// Calls a function for each of the eight ray directions, all of them spelt out.
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

/// What every serialiser reads.
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

    /// Target by target, lowest first, each with a look back.
    #[inline(always)]
    fn one_by_one<const FILES: i8, const RANKS: i8>(&self, sets: &TargetSets, list: &mut MoveList) {
        let targets = self.promote::<FILES, RANKS>(sets, list);
        let (marked, mark) = self.marks.marked::<FILES, RANKS>();
        each(targets, |to| {
            let from = self.rays.source::<FILES, RANKS>(to, self.pieces);
            let mark = mark * (marked >> to.number() & 1) as u16;
            list.push(self.view.mv(from, to, mark));
        });
    }

    /// Source by source: the farthest target, then back over the others until the source comes.
    #[inline(always)]
    fn run_by_run<const FILES: i8, const RANKS: i8>(&self, sets: &TargetSets, list: &mut MoveList) {
        let mut targets = self.promote::<FILES, RANKS>(sets, list);
        let (marked, mark) = self.marks.marked::<FILES, RANKS>();
        let distance = const { distance(FILES, RANKS) };
        while targets != 0 {
            // Mirrored for the directions that lead down, where the farthest is the lowest.
            let to = if distance > 0 { highest(targets) } else { lowest(targets) };
            let from = self.rays.source::<FILES, RANKS>(to, self.pieces);
            let mark = mark * (marked >> to.number() & 1) as u16;
            list.push(self.view.mv(from, to, mark));
            targets &= !to.bit();
            let mut square = back(to, distance);
            while square != from {
                // Not all squares between need be wanted: some may have been tried before.
                if targets & square.bit() != 0 {
                    targets &= !square.bit();
                    list.push(self.view.mv(from, square, 0));
                }
                square = back(square, distance);
            }
        }
    }

    /// Writes the promotions of one direction; returns the targets that are left.
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

    /// The knights' moves: the source is one leap back.
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

/// Target by target: scan, look back for the source, reset. Directions are unrolled.
pub struct Getter;

impl Serialiser for Getter {
    #[inline(always)]
    fn write(rays: &Rays, view: &View, sets: &TargetSets, list: &mut MoveList) {
        let writer = Writer::new(rays, view);
        for_each_ray!(writer.one_by_one(sets, list));
        writer.leaps(sets, list);
    }
}

/// Ray by ray: the farthest target of a source, its source once, then the squares between.
pub struct RayRun;

impl Serialiser for RayRun {
    #[inline(always)]
    fn write(rays: &Rays, view: &View, sets: &TargetSets, list: &mut MoveList) {
        let writer = Writer::new(rays, view);
        for_each_ray!(writer.run_by_run(sets, list));
        writer.leaps(sets, list);
    }
}

/// One move after the other from a [`MoveGetter`], as a search would take them, until none is left.
/// The direction is a value here: one loop for all sixteen instead of sixteen loops.
pub struct Incremental;

impl Serialiser for Incremental {
    #[inline(always)]
    fn write(rays: &Rays, view: &View, sets: &TargetSets, list: &mut MoveList) {
        for mv in MoveGetter::new(rays, *view, *sets) {
            list.push(mv);
        }
    }
}

/// First ten bits per move, target and direction; then, in a second pass, the moves.
///
/// The first pass finds no source and knows no promotion, so it is as short as writing can be. In a
/// search, codes of moves that are never tried would never be completed; a list of finished moves
/// needs them all, so what is measured here is the price of the detour, not the saving.
pub struct Delayed;

impl Serialiser for Delayed {
    #[inline(always)]
    fn write(rays: &Rays, view: &View, sets: &TargetSets, list: &mut MoveList) {
        let mut codes = [Code::default(); 256];
        let mut count = 0;
        for direction in 0..16 {
            each(sets.of(direction), |target| {
                codes[count & 255] = Code::new(target, direction);
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
