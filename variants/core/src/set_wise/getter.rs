//! Moves one at a time, as a search requests them.
//!
//! The getter is the finite-state machine of the source: its state is a direction, or a stage and a
//! direction, and the targets that remain in it. All that only the direction decides is looked up when
//! the state is entered: the row of the table in which sources are found, the pieces as that row shows
//! them, and the bits that turn a move to the board. So a move asks nothing: it costs a bit scan for its
//! target, an intersection and a bit scan for its source, and a store.
//!
//! Special targets are in sets of their own, which follow the last direction of a stage.

use super::rays::{ascends, lowest};
use super::view::{SPECIAL, Special, composed};
use super::{Marks, MoveCode, Sources, TargetSets, View};
use crate::{Move, Square, opaque, opaque_set};

/// The board as directions to higher squares see it, or all others.
#[derive(Clone, Copy, Debug, Default)]
struct Sense {
    empty: u64,
    /// The bits of a move that change.
    turn: u32,
}

/// The target sets that a [`MoveGetter`] works through, one per state.
///
/// With one stage, captures and quiet moves of a direction come mixed. With two, the captures of all
/// directions come before the first quiet move.
///
/// The sets are apart from the getter, so that the compiler can keep the getter in registers: a value
/// that holds an array with a variable index stays in memory.
#[derive(Debug)]
pub struct GetterStates<'a, const STAGES: usize> {
    /// Bits 0–3 of an index are the direction.
    sets: &'a mut [u64],
    /// The special targets of the directions of [`SPECIAL`], which are in no other set.
    specials: [[u64; 5]; STAGES],
    /// Whether a stage has special targets.
    special: [bool; STAGES],
    /// By bit 2 of a direction.
    senses: [Sense; 2],
}

impl<'a> GetterStates<'a, 1> {
    /// One state for each direction, with captures and quiet moves mixed.
    #[inline(always)]
    pub fn by_direction(view: &View, sets: &'a mut TargetSets) -> GetterStates<'a, 1> {
        let mut specials = [[0; 5]];
        let special = Marks::take(view, sets, &mut specials[0]);
        GetterStates { sets: sets.all_mut(), specials, special: [special], senses: senses(view) }
    }
}

impl<'a> GetterStates<'a, 2> {
    /// The directions of the captures, then those of the quiet moves, in `stages`.
    #[inline(always)]
    pub fn captures_first(
        view: &View,
        mut sets: TargetSets,
        stages: &'a mut [u64; 32],
    ) -> GetterStates<'a, 2> {
        let (mut specials, mut special) = ([[0; 5]; 2], [false; 2]);
        if Marks::take(view, &mut sets, &mut specials[1]) {
            // A special target is the square of en passant only for a pawn. A piece that moves to the
            // same square captures nothing.
            specials[0] = specials[1].map(|set| set & (view.enemy | view.en_passant));
            specials[1] = specials[1].map(|set| set & !(view.enemy | view.en_passant));
            special = specials.map(|stage| stage != [0; 5]);
        }
        for direction in 0..16 {
            let captures = sets.of(direction) & view.enemy;
            stages[direction] = captures;
            stages[direction + 16] = sets.of(direction) ^ captures;
        }
        GetterStates { sets: stages, specials, special, senses: senses(view) }
    }
}

/// The empty squares reversed, then as they are.
#[inline(always)]
fn senses(view: &View) -> [Sense; 2] {
    let (empty, turn) = (!view.occupied(), view.turn());
    [Sense { empty: empty.reverse_bits(), turn: turn ^ 63 }, Sense { empty, turn }]
}

/// An iterator that removes the moves from the sets one by one.
///
/// A search tries some moves before it generates any (the hash move, killers);
/// [`remove`](MoveGetter::remove) takes such a move out, so that it is not returned again.
#[derive(Debug)]
pub struct MoveGetter<'a, const STAGES: usize> {
    sources: &'a Sources<true>,
    view: &'a View,
    states: &'a mut GetterStates<'a, STAGES>,
    /// The number of the current state; before the first one, the number that is one less.
    state: usize,
    /// The remaining targets of the state.
    remaining: u64,
    /// The sources of each target of the state.
    back: &'a [u64; 64],
    /// The board as the state sees it.
    sense: Sense,
    /// How many promotions of the first special target were returned, at most 3.
    promoted: usize,
}

impl<'a, const STAGES: usize> MoveGetter<'a, STAGES> {
    /// An iterator over all moves of the sets, in the order of the states.
    #[inline(always)]
    pub fn new(
        sources: &'a Sources<true>,
        view: &'a View,
        states: &'a mut GetterStates<'a, STAGES>,
    ) -> Self {
        MoveGetter {
            sources,
            view,
            state: usize::MAX,
            remaining: 0,
            back: sources.back(0),
            sense: states.senses[0],
            promoted: 0,
            states,
        }
    }

    /// Removes a move and returns whether it was still to come (test and reset). Removing a
    /// promotion also removes the other three of the same pawn and target.
    pub fn remove(&mut self, mv: Move) -> bool {
        let Some(code) = MoveCode::of(mv, self.view) else { return false };
        let (target, direction) = (code.target(), code.direction());
        let Sense { empty, turn } = self.states.senses[usize::from(!ascends(direction))];
        // The target may belong to another piece that reaches it along the same direction. If
        // none reaches it, it is not in the set, and there is no source to ask for.
        let behind = self.sources.back(direction)[target.index()] & !empty;
        if behind == 0 || composed(lowest(behind), target, turn, 0).from() != mv.from() {
            return false;
        }
        let first = self.first_special();
        let mut removed = false;
        let mut take = |set: &mut u64| {
            removed |= *set & target.bit() != 0;
            *set &= !target.bit();
        };
        for stage in self.stage()..STAGES {
            match stage * 16 + direction {
                state if state == self.state => take(&mut self.remaining),
                state if state > self.state || self.state == usize::MAX => {
                    take(&mut self.states.sets[state]);
                }
                _ => {}
            }
            if let Some(n) = SPECIAL.iter().position(|&special| special == direction) {
                take(&mut self.states.specials[stage][n]);
                self.states.special[stage] = self.states.specials[stage] != [0; 5];
            }
        }
        if self.first_special() != first {
            self.promoted = 0;
        }
        removed
    }

    #[inline(always)]
    const fn stage(&self) -> usize {
        if self.state == usize::MAX { 0 } else { self.state >> 4 }
    }

    /// Enters the next state that has targets, when this one has none left. False if the stage has none but
    /// special ones, or nothing remains.
    #[inline(always)]
    pub(super) fn enter(&mut self) -> bool {
        loop {
            if STAGES > 1 && self.state == 15 && self.states.special[0] {
                return false;
            }
            // A number of which the compiler knows nothing: else it would carry the row of the table from
            // state to state, and count the states that are left.
            self.state = opaque(self.state.wrapping_add(1));
            let Some(&set) = self.states.sets.get(self.state) else {
                self.state = STAGES * 16 - 1;
                return false;
            };
            if set != 0 {
                self.remaining = set;
                self.back = self.sources.back(self.state);
                self.sense = self.states.senses[self.state >> 2 & 1];
                return true;
            }
        }
    }

    /// Whether the state has targets left.
    #[inline(always)]
    pub(super) const fn is_ready(&self) -> bool {
        self.remaining != 0
    }

    /// The move to the lowest target of the state, if it [has one](Self::is_ready).
    #[inline(always)]
    pub(super) fn peek(&self) -> Move {
        let target = Square::from_low_bits(self.remaining.trailing_zeros());
        let from = lowest(self.back[target.index()] & !self.sense.empty);
        composed(from, target, self.sense.turn, 0)
    }

    /// Removes the lowest target of the state.
    #[inline(always)]
    pub(super) fn reset(&mut self) {
        // One instruction joins a complement with a word in memory. The compiler would else complement the set before
        // the loop, and need two.
        self.sense.empty = opaque_set(self.sense.empty);
        self.remaining &= self.remaining.wrapping_sub(1);
    }

    /// The place in [`SPECIAL`] and the target of the next special move of the stage.
    #[inline(always)]
    fn first_special(&self) -> Option<(usize, Square)> {
        let stage = self.stage();
        if !*self.states.special.get(stage)? {
            return None;
        }
        let specials = &self.states.specials[stage];
        let n = specials.iter().position(|&set| set != 0)?;
        Some((n, Square::from_low_bits(lowest(specials[n]))))
    }

    /// The next special move of the stage, if no other state could be [entered](Self::enter).
    #[inline(always)]
    pub(super) fn next_special(&mut self) -> Option<Move> {
        let (n, target) = self.first_special()?;
        let from = Special::source(target, SPECIAL[n]);
        let mv = match Special::of(target) {
            Special::Promotion => {
                let promoted = self.promoted;
                self.promoted = (promoted + 1) & 3;
                self.view.promotions(from, target)[promoted & 3]
            }
            Special::Marked(mark) => self.view.mv(from, target, mark),
        };
        if self.promoted == 0 {
            let stage = self.stage();
            let specials = &mut self.states.specials[stage];
            specials[n] &= !target.bit();
            self.states.special[stage] = *specials != [0; 5];
        }
        Some(mv)
    }
}

impl<const STAGES: usize> Iterator for MoveGetter<'_, STAGES> {
    type Item = Move;

    #[inline(always)]
    fn next(&mut self) -> Option<Move> {
        if !self.is_ready() && !self.enter() {
            return self.next_special();
        }
        let mv = self.peek();
        self.reset();
        Some(mv)
    }
}
