//! Moves one at a time, as a search requests them.
//!
//! The getter is the finite-state machine of the source: its state is a direction, or a stage and a
//! direction, and the targets that remain in it. A move costs one bit scan for its target and one
//! for its source.

use super::complete::{Completed, Completer};
use super::{MoveCode, Rays, TargetSets, View};
use crate::{Move, Square};

/// An iterator that removes the moves from the sets one by one.
///
/// A search tries some moves before it generates any (the hash move, killers);
/// [`remove`](MoveGetter::remove) takes such a move out, so that it is not returned again.
///
/// With 16 states, one per direction, captures and quiet moves come mixed. With 32 states, one per
/// stage and direction, the captures of all directions come before the first quiet move.
#[derive(Clone, Debug)]
pub struct MoveGetter<'a, const STATES: usize = 16> {
    completer: Completer<'a>,
    /// The targets that each state starts with.
    sets: [u64; STATES],
    /// Bits 0–3 are the direction.
    state: usize,
    /// The remaining targets of the state.
    remaining: u64,
    /// How many promotions of the lowest remaining target were returned, at most 3.
    promoted: usize,
}

impl<'a> MoveGetter<'a> {
    /// An iterator over all moves of the sets, direction by direction.
    #[inline(always)]
    pub fn new(rays: &'a Rays, view: &View, sets: &TargetSets) -> MoveGetter<'a> {
        MoveGetter::start(Completer::new(rays, view), sets.all())
    }
}

impl<'a> MoveGetter<'a, 32> {
    /// An iterator over all moves of the sets, captures first.
    #[inline(always)]
    pub fn captures_first(rays: &'a Rays, view: &View, sets: &TargetSets) -> MoveGetter<'a, 32> {
        let completer = Completer::new(rays, view);
        let mut states = [0; 32];
        for direction in 0..16 {
            // The square of en passant is special only in the directions of a pawn that reaches it.
            // A piece that moves to the same square captures nothing.
            let en_passant = view.en_passant & completer.specials(direction);
            let captures = sets.of(direction) & (view.enemy | en_passant);
            states[direction] = captures;
            states[direction + 16] = sets.of(direction) ^ captures;
        }
        MoveGetter::start(completer, states)
    }
}

impl<'a, const STATES: usize> MoveGetter<'a, STATES> {
    #[inline(always)]
    fn start(completer: Completer<'a>, sets: [u64; STATES]) -> Self {
        MoveGetter { completer, remaining: sets[0], sets, state: 0, promoted: 0 }
    }

    /// Removes a move and returns whether it was still to come (test and reset). Removing a
    /// promotion also removes the other three of the same pawn and target.
    pub fn remove(&mut self, mv: Move) -> bool {
        let view = self.completer.view();
        let from = view.square(mv.from());
        let Some(code) = MoveCode::of(mv, view) else { return false };
        let target = code.target();
        let states = (code.direction()..STATES).step_by(16);
        // The target may belong to another piece that reaches it along the same direction.
        let mut removed = false;
        for state in states.filter(|&state| state >= self.state) {
            let set = if state == self.state { &mut self.remaining } else { &mut self.sets[state] };
            // If no piece stands behind the target, it is in no set either.
            if *set & target.bit() != 0 && self.completer.source(code) == from.number().into() {
                if state == self.state && set.trailing_zeros() == target.number().into() {
                    self.promoted = 0;
                }
                *set &= !target.bit();
                removed = true;
            }
        }
        removed
    }

    /// Removes the lowest remaining target.
    #[inline(always)]
    fn reset(&mut self) {
        self.remaining &= self.remaining.wrapping_sub(1);
    }

    /// The next move of a special code, which the lowest remaining target has.
    #[inline(always)]
    fn special(&mut self, code: MoveCode) -> Move {
        match self.completer.special(code) {
            Completed::Promotions(moves) => {
                let mv = moves[self.promoted & 3];
                self.promoted = (self.promoted + 1) & 3;
                if self.promoted == 0 {
                    self.reset();
                }
                mv
            }
            Completed::Move(mv) => {
                self.reset();
                mv
            }
        }
    }
}

impl<const STATES: usize> Iterator for MoveGetter<'_, STATES> {
    type Item = Move;

    #[inline(always)]
    fn next(&mut self) -> Option<Move> {
        while self.remaining == 0 {
            if self.state >= STATES - 1 {
                return None;
            }
            self.state += 1;
            self.remaining = self.sets[self.state];
        }
        let target = Square::from_low_bits(self.remaining.trailing_zeros());
        let code = MoveCode::new(target, self.state);
        if self.completer.is_special(code) {
            return Some(self.special(code));
        }
        self.reset();
        Some(self.completer.plain(code))
    }
}
