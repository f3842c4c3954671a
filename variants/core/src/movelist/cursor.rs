//! Appending to a list: the running pointer of the sources.

use std::ops::Range;

use super::{CAPTURE, MoveList, captures_of, others_of};
use crate::{Context, Move, MoveFormat, SPARE, Slots, Square, Takes, stay_a_branch};

/// The place behind the last move of a list, where a generator appends moves.
///
/// Generators store through a running pointer, as their sources do, and not through a length in memory. The
/// number of moves is in a register, and the cursor writes it to the list once, when it is dropped. A length in
/// memory costs one more store per move wherever the compiler cannot prove that nobody else reads it, which
/// is the case in branchy designs and not in branch-free ones.
///
/// A cursor stays in registers if it is a local value of one function, with everything that appends inlined.
pub struct Cursor<'list, F: MoveFormat = Move> {
    list: &'list mut MoveList<F>,
    /// The number of moves; of two lists, [both numbers](super::CAPTURE).
    end: usize,
}

impl<F: MoveFormat> Drop for Cursor<'_, F> {
    #[inline(always)]
    fn drop(&mut self) {
        self.list.len = self.end;
        if F::STREAMED {
            F::finish();
        }
    }
}

impl<'list, F: MoveFormat> Cursor<'list, F> {
    /// Number of slots for moves, without the spare ones.
    const CAPACITY: usize = <F::Slots as Slots<F>>::CAPACITY;

    /// The place behind the last move of a list.
    #[inline(always)]
    pub(super) fn of(list: &'list mut MoveList<F>) -> Cursor<'list, F> {
        Cursor { end: list.len, list }
    }

    /// The slot behind the last move.
    ///
    /// The mask replaces a bounds check, which would cost one more branch per move. A list of more moves than
    /// [`CAPACITY`](Self::CAPACITY) would overwrite its own start, and the tests would fail.
    #[inline(always)]
    fn slot(&self) -> usize {
        debug_assert!(
            others_of::<F>(self.end) < Self::CAPACITY,
            "more moves than any position has"
        );
        self.end & (Self::CAPACITY - 1)
    }

    /// The slots and the number of moves, for a walk that stores in assembly. It stores to slot *number* modulo
    /// the number of slots, 256 for the neutral move, and adds one to the number.
    #[inline(always)]
    pub fn parts(&mut self) -> (&mut F::Slots, &mut usize) {
        (&mut self.list.slots, &mut self.end)
    }

    /// Appends a move.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        self.push_if(mv, true);
    }

    /// Stores a move and counts it only if `keep`: a conditional append without a branch.
    ///
    /// It does not ask for the format: even a question that the compiler answers changes the order of the
    /// instructions in designs to which it does not apply.
    ///
    /// Source: AMD, *Software Optimization Guide for Family 10h and 12h Processors*, conditional
    /// write; used on move lists by the Chess Programming Wiki, *Table-driven Move Generation*.
    #[inline(always)]
    pub fn push_if(&mut self, mv: Move, keep: bool) {
        let slot = self.slot();
        self.list.slots.set(slot, F::pack(mv));
        self.end += usize::from(keep);
    }

    /// Appends an en passant capture, stores another one behind it, and counts that only if `keep`.
    #[inline(always)]
    pub(crate) fn push_passing(&mut self, [first, second]: [Move; 2], keep: bool) {
        if F::TWO_LISTS {
            self.store_capture(F::pack(first), true);
            return self.store_capture(F::pack(second), keep);
        }
        let slot = self.slot();
        self.list.slots.set(slot, F::pack(first));
        self.list.slots.set(slot + 1, F::pack(second));
        self.end += 1 + usize::from(keep);
    }

    /// Appends a move about which more is known.
    #[inline(always)]
    pub(crate) fn push_with(&mut self, mv: Move, context: &Context) {
        self.push_word_if(F::pack_with(mv, context), context, true);
    }

    /// Stores a word that is packed already and counts it only if `keep`.
    #[inline(always)]
    pub fn push_word_if(&mut self, word: F, context: &Context, keep: bool) {
        let mut keep = keep;
        if F::TWO_LISTS {
            match context.takes {
                Takes::Never => {}
                Takes::Always => return self.store_capture(word, keep),
                Takes::Depends => {
                    self.store_capture(word, keep & context.captures());
                    keep &= !context.captures();
                }
            }
        }
        if F::STREAMED {
            return self.stream(&[word], keep);
        }
        let slot = self.slot();
        self.list.slots.set(slot, word);
        self.end += usize::from(keep);
    }

    /// Appends the four promotions of a pawn move.
    #[inline(always)]
    pub fn push_promotions(&mut self, from: Square, to: Square) {
        self.push_promotions_if(from, to, true);
    }

    /// Stores the four promotions of a pawn move and counts them only if `keep`.
    #[inline(always)]
    pub fn push_promotions_if(&mut self, from: Square, to: Square, keep: bool) {
        let slot = self.slot();
        // Not `map`, which the compiler calls as a function for formats that need several instructions.
        let [knight, bishop, rook, queen] = Move::promotions(from, to);
        let promotions = [F::pack(knight), F::pack(bishop), F::pack(rook), F::pack(queen)];
        self.list.slots.set_four(slot, &promotions);
        self.end += 4 * usize::from(keep);
    }

    /// Stores the four promotions of a pawn move about which more is known and counts them only if `keep`.
    #[inline(always)]
    pub fn push_promotions_with_if(
        &mut self,
        from: Square,
        to: Square,
        context: &Context,
        keep: bool,
    ) {
        let promotions = F::pack_promotions(from, to, context);
        let mut keep = keep;
        if F::TWO_LISTS {
            match context.takes {
                Takes::Never => {}
                Takes::Always => return self.store_four_captures(promotions, keep),
                Takes::Depends => {
                    self.store_four_captures(promotions, keep & context.captures());
                    keep &= !context.captures();
                }
            }
        }
        if F::STREAMED {
            return self.stream(&promotions, keep);
        }
        let slot = self.slot();
        self.list.slots.set_four(slot, &promotions);
        self.end += 4 * usize::from(keep);
    }

    /// Stores words past the caches, and counts them only if `keep`.
    #[inline(always)]
    fn stream(&mut self, words: &[F], keep: bool) {
        let slot = self.slot();
        let slots = self.list.slots.range_mut(slot..slot + words.len());
        for (slot, &word) in slots.iter_mut().zip(words) {
            F::stream(slot, word);
        }
        self.end += words.len() * usize::from(keep);
    }

    /// Stores into a list of captures, which goes downwards from the last slot.
    #[inline(always)]
    fn store_capture(&mut self, word: F, keep: bool) {
        let slot =
            (Self::CAPACITY - 1).wrapping_sub(captures_of::<F>(self.end)) & (Self::CAPACITY - 1);
        self.list.slots.set(slot, word);
        self.end += CAPTURE * usize::from(keep);
    }

    #[inline(always)]
    fn store_four_captures(&mut self, words: [F; 4], keep: bool) {
        let slot =
            (Self::CAPACITY - 4).wrapping_sub(captures_of::<F>(self.end)) & (Self::CAPACITY - 1);
        self.list.slots.set_four(slot, &words);
        self.end += 4 * CAPTURE * usize::from(keep);
    }
}

impl Cursor<'_> {
    /// The number of moves in the list.
    #[inline(always)]
    #[expect(
        clippy::len_without_is_empty,
        reason = "a place in the list, of which no design needs to know whether it is empty"
    )]
    pub const fn len(&self) -> usize {
        self.end
    }

    /// Replaces the words of a part of the list in their places.
    #[inline(always)]
    pub fn replace(&mut self, part: Range<usize>, mut by: impl FnMut(Move) -> Move) {
        let Some(part) = self.list.slots.get_mut(part) else {
            // Never: the part is in the list.
            return stay_a_branch();
        };
        for slot in part {
            *slot = by(*slot);
        }
    }

    /// The four words from a place on, which may lie behind the last move.
    #[inline(always)]
    pub fn four(&self, place: usize) -> [Move; 4] {
        let slot = place & (Self::CAPACITY - 1);
        std::array::from_fn(|n| self.list.slots[slot + n])
    }

    /// Writes four words from a place on, without counting them.
    #[inline(always)]
    pub(crate) fn set_four(&mut self, place: usize, words: [Move; 4]) {
        self.list.slots.set_four(place & (Self::CAPACITY - 1), &words);
    }

    /// Replaces the words of a part of the list in their places, four at a time: the first of them is in the lowest
    /// bits. Up to three words behind the part are replaced too.
    #[inline(always)]
    pub(crate) fn replace_fours(&mut self, part: Range<usize>, mut by: impl FnMut(u64) -> u64) {
        // With a bound that the compiler knows, no place needs a mask.
        let (mut place, end) = (part.start, part.end.min(Self::CAPACITY));
        while place < end {
            let [a, b, c, d] = self.four(place).map(|word| u64::from(word.bits()));
            let four = by(a | b << 16 | c << 32 | d << 48);
            self.set_four(place, [0, 16, 32, 48].map(|at| Move::from_bits((four >> at) as u16)));
            place += 4;
        }
    }

    /// The [`SPARE`] slots behind the last move, and the number of moves: for designs that store whole
    /// vectors. The caller adds the moves that count to the number.
    #[inline(always)]
    pub fn tail(&mut self) -> (&mut [Move; SPARE], &mut usize) {
        let end = self.slot();
        // Cannot fail: `end` is below CAPACITY, so at least SPARE slots follow.
        let (tail, _) =
            self.list.slots[end..].split_first_chunk_mut().expect("CAPACITY + SPARE slots");
        (tail, &mut self.end)
    }
}
