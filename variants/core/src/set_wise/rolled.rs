//! Serialisation with the direction as a value: one loop serves several directions.
//!
//! The serialisers of this file have one copy of their loop instead of sixteen, but for the first pass
//! of [`Delayed`], whose loop is so short that a loop around it would cost more. The direction selects
//! the row in which sources are found. The bounds of the loops over directions are hidden from the
//! compiler, which would unroll some of them and not others.

use std::hint::black_box;
use std::ops::Range;

use super::complete::{complete_word, push_special};
use super::rays::{FindSource, LEAPS, before, highest, lowest};
use super::serialise::each;
use super::view::{SPECIAL, Special};
use super::{
    Getter, GetterStates, Marks, MoveCode, MoveGetter, Rays, Serialiser, Sources, TargetSets, View,
};
use crate::{Cursor, FIRST_MOVES, Move, MoveList, Square, Stage, opaque_set};

/// A serialiser that can stop after any move.
pub trait Stoppable: Serialiser {
    /// Whether [`write_first`](Stoppable::write_first) writes codes, which [`complete`](Stoppable::complete) decodes.
    const CODED: bool = <Self as Serialiser>::CODED;

    /// Appends the first [`FIRST_MOVES`] moves, or all if there are fewer; by default, their codes.
    #[inline(always)]
    fn write_first(_rays: &Self::Rays, view: &View, sets: &TargetSets, list: &mut MoveList) {
        write_first_codes(view, sets, list);
    }

    /// The move of a word that [`write_first`](Stoppable::write_first) wrote.
    #[inline(always)]
    fn complete(rays: &Self::Rays, view: &View, word: Move) -> Move {
        Self::unpack(rays, view, word)
    }

    /// The first move that the serialiser finds; `None` if there is no move.
    fn first(rays: &Self::Rays, view: &View, sets: &TargetSets) -> Option<Move>;
}

/// The getter with the directions in loops: four directions to higher squares, four to lower ones
/// and eight leaps, because these three differ in the instruction that finds the source.
pub struct RolledGetter;

impl Serialiser for RolledGetter {
    type Rays = Rays;

    #[inline(always)]
    fn write<S: Stage>(rays: &Rays, view: &View, sets: &TargetSets, list: &mut MoveList) {
        let (specials, pieces) = (Marks::new(view).specials(), view.occupied());
        let list = &mut list.cursor();
        for direction in 0..black_box(4) {
            each(plain(view, &specials, sets, direction, list), |to| {
                let from = highest(rays.behind_along(direction, to, pieces));
                list.push(view.mv(from, to, 0));
            });
        }
        for direction in 4..black_box(8) {
            each(plain(view, &specials, sets, direction, list), |to| {
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
    view: &View,
    specials: &[u64; 16],
    sets: &TargetSets,
    direction: usize,
    list: &mut Cursor<'_>,
) -> u64 {
    let targets = sets.of(direction);
    let special = targets & specials[direction & 15];
    each(special, |to| push_special(view, to, direction, list));
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
    type Rays = Sources<true>;

    #[inline(always)]
    fn write<S: Stage>(rays: &Sources<true>, view: &View, sets: &TargetSets, list: &mut MoveList) {
        let (mut sets, mut stages) = (*sets, [0; 32]);
        // A stage of its own leaves nothing to order.
        if CAPTURES_FIRST && S::CAPTURES && S::QUIETS {
            let mut states = GetterStates::captures_first(view, sets, &mut stages);
            drain(MoveGetter::new(rays, view, &mut states), list);
        } else {
            let mut states = GetterStates::by_direction(view, &mut sets);
            drain(MoveGetter::new(rays, view, &mut states), list);
        }
    }
}

/// Appends all moves of a getter. A target is removed behind its move: the instruction that removes it also tells
/// whether it was the last of its state.
#[inline(always)]
fn drain<const STAGES: usize>(mut getter: MoveGetter<'_, STAGES>, list: &mut MoveList) {
    let mut list = list.cursor();
    loop {
        while getter.enter() {
            while getter.is_ready() {
                list.push(getter.peek());
                getter.reset();
            }
        }
        let Some(mv) = getter.next_special() else { break };
        list.push(mv);
    }
}

impl<const CAPTURES_FIRST: bool> Stoppable for OneAtATime<CAPTURES_FIRST> {
    #[inline(always)]
    fn first(rays: &Sources<true>, view: &View, sets: &TargetSets) -> Option<Move> {
        // One move needs no state.
        first_completed(rays, view, sets)
    }

    #[inline(always)]
    fn write_first(rays: &Sources<true>, view: &View, sets: &TargetSets, list: &mut MoveList) {
        let (mut sets, mut stages) = (*sets, [0; 32]);
        let mut list = list.cursor();
        if CAPTURES_FIRST {
            let mut states = GetterStates::captures_first(view, sets, &mut stages);
            for mv in MoveGetter::new(rays, view, &mut states).take(FIRST_MOVES) {
                list.push(mv);
            }
        } else {
            let mut states = GetterStates::by_direction(view, &mut sets);
            for mv in MoveGetter::new(rays, view, &mut states).take(FIRST_MOVES) {
                list.push(mv);
            }
        }
    }
}

/// Two passes: the first writes ten bits per move (target and direction), the second the moves.
///
/// The first pass computes no sources. It is as short as possible: each direction has its own loop, with its bits of
/// the code as a constant. Special targets are taken out before and written behind all others. A search would never
/// complete the codes of moves it does not try. A list of finished moves completes all of them, so generation shows
/// the cost of the detour. The call *first moves* shows the saving: it completes the code of the one move that it
/// makes.
///
/// The second pass replaces the codes in the list by their moves. It has one loop for directions to higher squares and
/// one for all others, so that it does not ask each code which end of a ray to scan. A code is the index of its row in
/// the table, and leaps have rows as rays have. Four codes are one word of 64 bits: they are read, shifted and written
/// together, and only their sources are found one by one. The few special codes are completed alone.
pub struct Delayed;

/// Writes the codes of one direction.
#[inline(always)]
fn push_codes<const DIRECTION: usize>(sets: &TargetSets, list: &mut Cursor<'_>) {
    if sets.of(DIRECTION) == 0 {
        return;
    }
    // A set of which the compiler knows nothing: else it would count its members before and in the loop.
    let mut targets = opaque_set(sets.of(DIRECTION));
    loop {
        list.push(MoveCode::at(lowest(targets), DIRECTION).word(0));
        targets &= targets.wrapping_sub(1);
        if targets == 0 {
            break;
        }
    }
}

impl Serialiser for Delayed {
    type Rays = Sources<false>;

    #[inline(always)]
    fn write<S: Stage>(rays: &Sources<false>, view: &View, sets: &TargetSets, list: &mut MoveList) {
        let mut sets = *sets;
        let mut specials = [0; 5];
        let special = Marks::take(view, &mut sets, &mut specials);
        let list = &mut list.cursor();
        let first = list.len();
        // A line for each direction, since the audit takes several loops of one line for copies of it.
        push_codes::<0>(&sets, list);
        push_codes::<1>(&sets, list);
        push_codes::<2>(&sets, list);
        push_codes::<3>(&sets, list);
        let descending = list.len();
        push_codes::<4>(&sets, list);
        push_codes::<5>(&sets, list);
        push_codes::<6>(&sets, list);
        push_codes::<7>(&sets, list);
        push_codes::<8>(&sets, list);
        push_codes::<9>(&sets, list);
        push_codes::<10>(&sets, list);
        push_codes::<11>(&sets, list);
        push_codes::<12>(&sets, list);
        push_codes::<13>(&sets, list);
        push_codes::<14>(&sets, list);
        push_codes::<15>(&sets, list);
        let plain = list.len();
        let behind = list.four(descending);
        complete_fours::<true>(rays, view, first..descending, list);
        list.set_four(descending, behind);
        complete_fours::<false>(rays, view, descending..plain, list);
        if special {
            push_special_codes(&specials, list);
            list.replace(plain..list.len(), |word| complete_word(rays, view, word));
        }
    }
}

/// Completes the codes of a part of the list, four in each iteration of the loop. Up to three words behind the part are
/// replaced too.
#[inline(always)]
fn complete_fours<const ASCENDING: bool>(
    rays: &Sources<false>,
    view: &View,
    part: Range<usize>,
    list: &mut Cursor<'_>,
) {
    const TARGETS: u64 = 0x003f_003f_003f_003f;
    // What changes is hidden from the compiler: it would else change the six bits of a source on their own, and
    // complement the set before the loop, where one instruction joins a complement with a word in memory.
    let complement = if ASCENDING { TARGETS } else { 0 };
    let turns = opaque_set(view.turns() ^ complement);
    let mut empty = !view.occupied();
    list.replace_fours(part, |codes| {
        empty = opaque_set(empty);
        let sources = (0..64).step_by(16).fold(0, |sources, at| {
            // A rotation leaves its operand, and a shift, which the compiler would make of it, is two instructions.
            let word = opaque_set(codes.rotate_right(at)) as u16;
            let (code, _) = MoveCode::of_word(Move::from_bits(word));
            let behind = rays.behind(code, empty);
            let source = if ASCENDING { behind.leading_zeros() } else { lowest(behind) };
            sources | u64::from(source) << at
        });
        (sources | (codes & TARGETS) << 6) ^ turns
    });
}

/// Writes the codes of the [special](SPECIAL) targets, with four words for the promotions of a pawn.
#[inline(always)]
fn push_special_codes(specials: &[u64; 5], list: &mut Cursor<'_>) {
    // A copy, so that the sets are in memory only if one of them has members.
    let specials = *specials;
    let (directions, specials) = (black_box(&SPECIAL[..]), black_box(&specials[..]));
    for (&direction, &targets) in directions.iter().zip(specials) {
        each(targets, |to| {
            let words = if Special::of(to) == Special::Promotion { 0..4 } else { 0..1 };
            words.for_each(|promotion| list.push(MoveCode::new(to, direction).word(promotion)));
        });
    }
}

/// Writes codes, of which only those of moves that are made need to be completed.
impl Stoppable for Delayed {
    const CODED: bool = true;

    #[inline(always)]
    fn first(rays: &Sources<false>, view: &View, sets: &TargetSets) -> Option<Move> {
        first_completed(rays, view, sets)
    }

    #[inline(always)]
    fn complete(rays: &Sources<false>, view: &View, word: Move) -> Move {
        complete_word(rays, view, word)
    }
}

/// The move of the first code.
#[inline(always)]
fn first_completed(rays: &impl FindSource, view: &View, sets: &TargetSets) -> Option<Move> {
    let direction = (0..16).find(|&direction| sets.of(direction) != 0)?;
    let target = Square::from_low_bits(lowest(sets.of(direction)));
    Some(complete_word(rays, view, MoveCode::new(target, direction).word(0)))
}

/// One pass: the list holds target and direction, and nothing else is found before a move is made.
///
/// A word has ten bits. The four promotions of a pawn share a code, so two bits above it tell them apart:
/// they are four moves of the list, as in all designs.
pub struct Codes;

impl Serialiser for Codes {
    const CODED: bool = true;
    type Rays = Sources<false>;

    #[inline(always)]
    fn write<S: Stage>(
        _rays: &Sources<false>,
        view: &View,
        sets: &TargetSets,
        list: &mut MoveList,
    ) {
        let list = &mut list.cursor();
        for direction in 0..black_box(16) {
            each(sets.of(direction), |to| list.push(MoveCode::new(to, direction).word(0)));
        }
        let promotions = Marks::new(view).all_promotions();
        let promotions =
            promotions.map(|(direction, targets)| (direction, targets & sets.of(direction)));
        if promotions.iter().fold(0, |any, (_, targets)| any | targets) != 0 {
            push_other_promotions(&promotions, list);
        }
    }

    #[inline(always)]
    fn unpack(rays: &Sources<false>, view: &View, word: Move) -> Move {
        complete_word(rays, view, word)
    }
}

/// Appends the promotions of these directions and targets whose code the loop over directions has not written.
#[inline(always)]
fn push_other_promotions(promotions: &[(usize, u64); 3], list: &mut Cursor<'_>) {
    for &(direction, targets) in black_box(&promotions[..]) {
        each(targets, |to| {
            let code = MoveCode::new(to, direction);
            (1..4).for_each(|promotion| list.push(code.word(promotion)));
        });
    }
}

impl Stoppable for Codes {
    #[inline(always)]
    fn first(rays: &Sources<false>, view: &View, sets: &TargetSets) -> Option<Move> {
        first_completed(rays, view, sets)
    }
}

/// The first moves of the getter, found as those of codes are.
impl Stoppable for Getter {
    #[inline(always)]
    fn first(rays: &Rays, view: &View, sets: &TargetSets) -> Option<Move> {
        first_completed(rays, view, sets)
    }

    #[inline(always)]
    fn write_first(rays: &Rays, view: &View, sets: &TargetSets, list: &mut MoveList) {
        let first = list.len();
        write_first_codes(view, sets, list);
        let mut list = list.cursor();
        list.replace(first..list.len(), |word| complete_word(rays, view, word));
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
