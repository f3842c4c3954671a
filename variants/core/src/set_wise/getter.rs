//! Moves one at a time, as a search requests them.
//!
//! The getter is the finite-state machine of the source: its state is a direction, or a stage and a
//! direction, and the targets that remain in it. What only the direction decides is looked up when a
//! state is entered, so a move costs one bit scan for its target and one for its source.

use std::hint::select_unpredictable;

use super::rays::{LEAPS, before, highest, lowest};
use super::view::Special;
use super::{Marks, MoveCode, Rays, TargetSets, View};
use crate::{Move, Square};

/// The target sets that a [`MoveGetter`] works through, one per state.
///
/// With 16 states, one per direction, captures and quiet moves come mixed. With 32 states, one per
/// stage and direction, the captures of all directions come before the first quiet move.
///
/// The sets are apart from the getter, so that the compiler can keep the getter in registers: a value
/// that holds an array with a variable index stays in memory.
#[derive(Clone, Debug)]
pub struct GetterStates<const STATES: usize> {
    /// Bits 0–3 of an index are the direction.
    sets: [u64; STATES],
    specials: [u64; 16],
}

impl GetterStates<16> {
    /// One state per direction.
    #[inline(always)]
    pub fn by_direction(view: &View, sets: &TargetSets) -> GetterStates<16> {
        GetterStates { sets: sets.all(), specials: Marks::new(view).specials() }
    }
}

impl GetterStates<32> {
    /// The directions of the captures, then those of the quiet moves.
    #[inline(always)]
    pub fn captures_first(view: &View, sets: &TargetSets) -> GetterStates<32> {
        let specials = Marks::new(view).specials();
        let mut states = [0; 32];
        for direction in 0..16 {
            // The square of en passant is special only in the directions of a pawn that reaches it.
            // A piece that moves to the same square captures nothing.
            let en_passant = view.en_passant & specials[direction];
            let captures = sets.of(direction) & (view.enemy | en_passant);
            states[direction] = captures;
            states[direction + 16] = sets.of(direction) ^ captures;
        }
        GetterStates { sets: states, specials }
    }
}

/// An iterator that removes the moves from the sets one by one.
///
/// A search tries some moves before it generates any (the hash move, killers);
/// [`remove`](MoveGetter::remove) takes such a move out, so that it is not returned again.
#[derive(Debug)]
pub struct MoveGetter<'a, const STATES: usize> {
    rays: &'a Rays,
    view: &'a View,
    states: &'a mut GetterStates<STATES>,
    pieces: u64,
    state: usize,
    /// The remaining targets of the state.
    remaining: u64,
    /// The special targets of the state, a superset.
    special: u64,
    /// The rays back from each target of the state, if its moves are no leaps.
    back: &'a [u64; 64],
    /// How many promotions of the lowest remaining target were returned, at most 3.
    promoted: usize,
}

impl<'a, const STATES: usize> MoveGetter<'a, STATES> {
    /// An iterator over all moves of the sets, in the order of the states.
    #[inline(always)]
    pub fn new(rays: &'a Rays, view: &'a View, states: &'a mut GetterStates<STATES>) -> Self {
        MoveGetter {
            rays,
            view,
            pieces: view.occupied(),
            state: 0,
            remaining: states.sets[0],
            special: states.specials[0],
            back: rays.back(0),
            promoted: 0,
            states,
        }
    }

    /// Removes a move and returns whether it was still to come (test and reset). Removing a
    /// promotion also removes the other three of the same pawn and target.
    pub fn remove(&mut self, mv: Move) -> bool {
        let from = u32::from(self.view.square(mv.from()).number());
        let Some(code) = MoveCode::of(mv, self.view) else { return false };
        let target = code.target();
        let mut removed = false;
        for state in (code.direction()..STATES).step_by(16).filter(|&state| state >= self.state) {
            let is_current = state == self.state;
            let set = if is_current { &mut self.remaining } else { &mut self.states.sets[state] };
            // The target may belong to another piece that reaches it along the same direction. If
            // none reaches it, it is not in the set, and there is no source to ask for.
            if *set & target.bit() != 0 && self.rays.source(code, self.pieces) == from {
                if is_current && lowest(*set) == u32::from(target.number()) {
                    self.promoted = 0;
                }
                *set &= !target.bit();
                removed = true;
            }
        }
        removed
    }

    /// Enters the next state that has targets; false if there is none.
    #[inline(always)]
    fn advance(&mut self) -> bool {
        while self.remaining == 0 {
            if self.state >= STATES - 1 {
                return false;
            }
            self.state += 1;
            self.remaining = self.states.sets[self.state];
        }
        self.special = self.states.specials[self.state & 15];
        self.back = self.rays.back(self.state);
        true
    }

    /// The number of the square from which a target of the state is reached. A branch tells leaps from
    /// rays, because all leaps of a stage follow each other. A selection tells the two senses of a ray,
    /// because a search that stops early takes moves from both.
    #[inline(always)]
    fn source(&self, target: Square) -> u32 {
        if self.state & 8 != 0 {
            return before(target, LEAPS[self.state & 7]);
        }
        let behind = self.back[target.index()] & self.pieces;
        select_unpredictable(self.state & 4 == 0, highest(behind), lowest(behind))
    }

    /// Removes the lowest remaining target.
    #[inline(always)]
    fn reset(&mut self) {
        self.remaining &= self.remaining.wrapping_sub(1);
    }

    /// The next move to the lowest remaining target, which is special.
    #[inline(always)]
    fn next_special(&mut self, target: Square) -> Move {
        let from = self.source(target);
        match Special::of(target) {
            Special::Promotion => {
                let mv = self.view.promotions(from, target)[self.promoted & 3];
                self.promoted = (self.promoted + 1) & 3;
                if self.promoted == 0 {
                    self.reset();
                }
                mv
            }
            Special::Marked(mark) => {
                self.reset();
                self.view.mv(from, target, mark)
            }
        }
    }
}

impl<const STATES: usize> Iterator for MoveGetter<'_, STATES> {
    type Item = Move;

    #[inline(always)]
    fn next(&mut self) -> Option<Move> {
        if self.remaining == 0 && !self.advance() {
            return None;
        }
        let target = Square::from_low_bits(self.remaining.trailing_zeros());
        if self.special >> target.number() & 1 != 0 {
            return Some(self.next_special(target));
        }
        self.reset();
        Some(self.view.mv(self.source(target), target, 0))
    }
}
