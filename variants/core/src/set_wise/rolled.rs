//! Serialisation with the direction as a value: one loop serves several directions.
//!
//! The serialisers of this file have one copy of their loop instead of sixteen. The direction
//! selects the ray, the end of the set to scan from and the special targets. The bounds of the loops
//! over directions are hidden from the compiler, which would unroll some of them and not others.

use std::hint::black_box;

use super::complete::{Completer, complete_word};
use super::rays::{LEAPS, before, highest, lowest};
use super::serialise::each;
use super::view::Special;
use super::{GetterStates, Marks, MoveCode, MoveGetter, Rays, Serialiser, TargetSets, View};
use crate::{Cursor, FIRST_MOVES, Move, MoveList, Square, Stage};

/// A serialiser that can stop after any move.
pub trait Stoppable: Serialiser {
    /// Whether [`write_first`](Stoppable::write_first) writes codes.
    const CODED: bool = <Self as Serialiser>::CODED;

    /// Appends the first [`FIRST_MOVES`] moves, or all if there are fewer.
    fn write_first(rays: &Rays, view: &View, sets: &TargetSets, list: &mut MoveList);

    /// The move of a word that [`write_first`](Stoppable::write_first) wrote.
    #[inline(always)]
    fn complete(rays: &Rays, view: &View, word: Move) -> Move {
        Self::unpack(rays, view, word)
    }

    /// The first move.
    #[inline(always)]
    fn first(rays: &Rays, view: &View, sets: &TargetSets) -> Option<Move> {
        MoveGetter::new(rays, view, &mut GetterStates::by_direction(view, sets)).next()
    }
}

/// The getter with the directions in loops: four directions to higher squares, four to lower ones
/// and eight leaps, because these three differ in the instruction that finds the source.
pub struct RolledGetter;

impl Serialiser for RolledGetter {
    #[inline(always)]
    fn write<S: Stage>(rays: &Rays, view: &View, sets: &TargetSets, list: &mut MoveList) {
        let (specials, pieces) = (Marks::new(view).specials(), view.occupied());
        let completer = Completer::new(rays, view, &specials);
        let list = &mut list.cursor();
        for direction in 0..black_box(4) {
            each(plain(&completer, sets, direction, list), |to| {
                let from = highest(rays.behind_along(direction, to, pieces));
                list.push(view.mv(from, to, 0));
            });
        }
        for direction in 4..black_box(8) {
            each(plain(&completer, sets, direction, list), |to| {
                let from = lowest(rays.behind_along(direction, to, pieces));
                list.push(view.mv(from, to, 0));
            });
        }
        for direction in 8..black_box(16) {
            let leap = LEAPS[direction & 7];
            each(sets.of(direction), |to| list.push(view.mv(before(to, leap), to, 0)));
        }
    }
}

/// Writes the special moves of a ray direction and returns the remaining targets.
#[inline(always)]
fn plain(
    completer: &Completer<'_>,
    sets: &TargetSets,
    direction: usize,
    list: &mut Cursor<'_>,
) -> u64 {
    let targets = sets.of(direction);
    let special = targets & completer.specials(direction);
    each(special, |to| completer.push_special(MoveCode::new(to, direction), list));
    targets ^ special
}

/// Move by move from a [`MoveGetter`], as a search would request them, until none is left.
///
/// With `CAPTURES_FIRST`, the getter has two stages: it returns the captures of all directions
/// before the first quiet move.
pub struct OneAtATime<const CAPTURES_FIRST: bool>;

/// [`OneAtATime`], direction by direction.
pub type Incremental = OneAtATime<false>;
/// [`OneAtATime`], captures first.
pub type Staged = OneAtATime<true>;

impl<const CAPTURES_FIRST: bool> Serialiser for OneAtATime<CAPTURES_FIRST> {
    #[inline(always)]
    fn write<S: Stage>(rays: &Rays, view: &View, sets: &TargetSets, list: &mut MoveList) {
        // A stage of its own leaves nothing to order.
        if CAPTURES_FIRST && S::CAPTURES && S::QUIETS {
            let mut states = GetterStates::captures_first(view, sets);
            let mut list = list.cursor();
            for mv in MoveGetter::new(rays, view, &mut states) {
                list.push(mv);
            }
        } else {
            let mut states = GetterStates::by_direction(view, sets);
            let mut list = list.cursor();
            for mv in MoveGetter::new(rays, view, &mut states) {
                list.push(mv);
            }
        }
    }
}

impl<const CAPTURES_FIRST: bool> Stoppable for OneAtATime<CAPTURES_FIRST> {
    #[inline(always)]
    fn write_first(rays: &Rays, view: &View, sets: &TargetSets, list: &mut MoveList) {
        if CAPTURES_FIRST {
            let mut states = GetterStates::captures_first(view, sets);
            let mut list = list.cursor();
            for mv in MoveGetter::new(rays, view, &mut states).take(FIRST_MOVES) {
                list.push(mv);
            }
        } else {
            let mut states = GetterStates::by_direction(view, sets);
            let mut list = list.cursor();
            for mv in MoveGetter::new(rays, view, &mut states).take(FIRST_MOVES) {
                list.push(mv);
            }
        }
    }
}

/// Two passes: the first writes ten bits per move (target and direction), the second the moves.
///
/// The first pass computes no sources and ignores promotions, so it is as short as possible. A
/// search would never complete the codes of moves it does not try. A list of finished moves
/// completes all of them, so generation shows the cost of the detour. The call *first moves* shows the
/// saving: it completes the code of the one move that it makes.
pub struct Delayed;

/// A list of codes.
struct CodeList {
    codes: [MoveCode; 256],
    len: usize,
}

impl CodeList {
    /// Writes the codes of all targets.
    #[inline(always)]
    fn new(sets: &TargetSets) -> CodeList {
        let mut list = CodeList { codes: [MoveCode::default(); 256], len: 0 };
        for direction in 0..black_box(16) {
            each(sets.of(direction), |target| {
                // The mask replaces a bounds check.
                list.codes[list.len & 255] = MoveCode::new(target, direction);
                list.len += 1;
            });
        }
        list
    }

    #[inline(always)]
    fn codes(&self) -> &[MoveCode] {
        &self.codes[..self.len & 255]
    }
}

impl Serialiser for Delayed {
    #[inline(always)]
    fn write<S: Stage>(rays: &Rays, view: &View, sets: &TargetSets, list: &mut MoveList) {
        let codes = CodeList::new(sets);
        let specials = Marks::new(view).specials();
        let completer = Completer::new(rays, view, &specials);
        let list = &mut list.cursor();
        for &code in codes.codes() {
            completer.push(code, list);
        }
    }
}

/// Writes codes, of which only those of moves that are made need to be completed.
impl Stoppable for Delayed {
    const CODED: bool = true;

    #[inline(always)]
    fn write_first(_rays: &Rays, view: &View, sets: &TargetSets, list: &mut MoveList) {
        write_first_codes(view, sets, list);
    }

    #[inline(always)]
    fn complete(rays: &Rays, view: &View, word: Move) -> Move {
        complete_word(rays, view, word)
    }
}

/// One pass: the list holds target and direction, and nothing else is found before a move is made.
///
/// A word has ten bits. The four promotions of a pawn share a code, so two bits above it tell them apart:
/// they are four moves of the list, as in all designs.
pub struct Codes;

impl Serialiser for Codes {
    const CODED: bool = true;

    #[inline(always)]
    fn write<S: Stage>(_rays: &Rays, view: &View, sets: &TargetSets, list: &mut MoveList) {
        let list = &mut list.cursor();
        for direction in 0..black_box(16) {
            each(sets.of(direction), |to| list.push(MoveCode::new(to, direction).word(0)));
        }
        for (direction, targets) in Marks::new(view).all_promotions() {
            each(targets & sets.of(direction), |to| {
                let code = MoveCode::new(to, direction);
                (1..4).for_each(|promotion| list.push(code.word(promotion)));
            });
        }
    }

    #[inline(always)]
    fn unpack(rays: &Rays, view: &View, word: Move) -> Move {
        complete_word(rays, view, word)
    }
}

impl Stoppable for Codes {
    #[inline(always)]
    fn write_first(_rays: &Rays, view: &View, sets: &TargetSets, list: &mut MoveList) {
        write_first_codes(view, sets, list);
    }
}

/// Appends the first codes, and those of all promotions among them.
#[inline(always)]
fn write_first_codes(view: &View, sets: &TargetSets, list: &mut MoveList) {
    let specials = Marks::new(view).specials();
    let enough = list.len() + FIRST_MOVES;
    for direction in 0..black_box(16) {
        let special = specials[direction & 15];
        let mut targets = sets.of(direction);
        while targets != 0 && list.len() < enough {
            let target = Square::from_low_bits(targets.trailing_zeros());
            let code = MoveCode::new(target, direction);
            list.push(code.word(0));
            if special & target.bit() != 0 && Special::of(target) == Special::Promotion {
                (1..4).for_each(|promotion| list.push(code.word(promotion)));
            }
            targets &= targets - 1;
        }
    }
    list.truncate(enough);
}
