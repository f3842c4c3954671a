//! The move list: 256 slots, the spare ones that eager writers need, and the fold that proves a
//! pass right.
//!
//! The largest number of moves of a position that can arise is 218. A design that stores before it
//! knows whether the move counts needs spare slots behind the last move: one for a single store,
//! four for promotions, 32 for a vector. All slots are written when the list is made, so no slot
//! is ever uninitialised and the list needs no `unsafe`.

use crate::{Move, MoveFormat, Square};

/// Moves that count.
pub const CAPACITY: usize = 256;
/// Slots that may be written behind the moves that count: one 64-byte vector.
pub const SPARE: usize = 32;

/// A list of moves that is made once and used for every position.
#[derive(Clone)]
#[repr(C, align(64))]
pub struct MoveList<F: MoveFormat = Move> {
    slots: [F; CAPACITY + SPARE],
    len: usize,
}

impl<F: MoveFormat> Default for MoveList<F> {
    fn default() -> MoveList<F> {
        MoveList::new()
    }
}

impl<F: MoveFormat> MoveList<F> {
    /// An empty list.
    pub const fn new() -> MoveList<F> {
        MoveList { slots: [F::UNWRITTEN; CAPACITY + SPARE], len: 0 }
    }

    /// Forgets the moves; the slots keep their words.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Moves in the list.
    #[inline(always)]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether the list holds no move.
    #[inline(always)]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The slot behind the last move. The mask replaces a bounds check, which would be one more
    /// branch per move; a list past 256 would write over its own start, and tests would see it.
    #[inline(always)]
    fn end(&self) -> usize {
        debug_assert!(self.len < CAPACITY, "more moves than any position has");
        self.len & (CAPACITY - 1)
    }

    /// Appends a move.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        let end = self.end();
        self.slots[end] = F::pack(mv);
        self.len += 1;
    }

    /// Stores a move always and counts it if `keep`: a conditional write without a branch.
    ///
    /// Source: AMD, *Software Optimization Guide for Family 10h and 12h Processors*, conditional
    /// write; used on move lists by the Chess Programming Wiki, *Table-driven Move Generation*.
    #[inline(always)]
    pub fn push_if(&mut self, mv: Move, keep: bool) {
        let end = self.end();
        self.slots[end] = F::pack(mv);
        self.len += usize::from(keep);
    }

    /// Appends the four promotions of a pawn move.
    #[inline(always)]
    pub fn push_promotions(&mut self, from: Square, to: Square) {
        self.push_promotions_if(from, to, true);
    }

    /// Stores the four promotions of a pawn move always and counts them if `keep`.
    #[inline(always)]
    pub fn push_promotions_if(&mut self, from: Square, to: Square, keep: bool) {
        let end = self.end();
        let promotions = Move::promotions(from, to).map(F::pack);
        self.slots[end..end + 4].copy_from_slice(&promotions);
        self.len += 4 * usize::from(keep);
    }

    /// The moves, in the design's own order.
    #[inline]
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> + Clone + '_ {
        self.slots[..self.len.min(CAPACITY)].iter().map(|slot| slot.unpack())
    }

    /// One word of all moves of the list and of their number, whatever their order.
    ///
    /// Sum of the squares of the words: a sum, because designs differ in order; squares, because
    /// plain sums cannot tell a1b1 + a1d1 from a1c1 + a1c1. It is never timed, but it is made for every
    /// position that is, so it is quick: whole chunks, with the slots behind the end masked off,
    /// because a loop of exact length costs a misprediction per position. Lane by lane with masks
    /// from a table: in this form it is a few vector instructions a chunk, about 3 ns a position
    /// where a comparison per lane took 9.
    #[inline(always)]
    pub fn fold(&self) -> u64 {
        let mut sum = [0u32; CHUNK];
        let mut left = self.len.min(CAPACITY);
        for chunk in self.slots[..CAPACITY].as_chunks::<CHUNK>().0 {
            if left == 0 {
                break;
            }
            let counted = left.min(CHUNK);
            let masks = &MASKS[CHUNK - counted..2 * CHUNK - counted];
            for ((sum, mv), mask) in sum.iter_mut().zip(chunk).zip(masks) {
                let word = u32::from(mv.unpack().bits()) + 1;
                *sum = sum.wrapping_add(word.wrapping_mul(word) & mask);
            }
            left -= counted;
        }
        sum.iter().map(|&lane| u64::from(lane)).sum::<u64>() << 9 | self.len as u64
    }
}

impl MoveList {
    /// The [`SPARE`] slots behind the last move and the length, for writers of whole vectors.
    #[inline(always)]
    pub fn tail(&mut self) -> (&mut [Move; SPARE], &mut usize) {
        let end = self.end();
        let (tail, _) = self.slots[end..].split_first_chunk_mut().expect("CAPACITY + SPARE slots");
        (tail, &mut self.len)
    }

    /// The moves, in the design's own order.
    #[inline]
    pub fn as_slice(&self) -> &[Move] {
        &self.slots[..self.len.min(CAPACITY)]
    }
}

/// Moves that the fold takes at once.
const CHUNK: usize = 16;

/// All ones, then zeros: the window that begins `n` before the middle keeps `n` lanes.
static MASKS: [u32; 2 * CHUNK] = {
    let mut masks = [0; 2 * CHUNK];
    let mut n = 0;
    while n < CHUNK {
        masks[n] = u32::MAX;
        n += 1;
    }
    masks
};

/// The proof of a pass over many positions: number of moves, and one word over every move of every
/// position in order. A pass whose checksum is wrong has no time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Checksum {
    /// Moves generated.
    pub moves: u64,
    /// Folded moves, position by position.
    pub word: u64,
}

impl Checksum {
    /// Adds the moves of the next position.
    #[inline(always)]
    pub fn add<F: MoveFormat>(&mut self, list: &MoveList<F>) {
        self.moves += list.len() as u64;
        self.word = self.word.rotate_left(7) ^ list.fold().wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(count: u16) -> Vec<Move> {
        (0..count).map(|n| Move::from_bits(n.wrapping_mul(40503))).collect()
    }

    fn list(moves: &[Move]) -> MoveList {
        let mut list = MoveList::new();
        moves.iter().for_each(|&mv| list.push(mv));
        list
    }

    #[test]
    fn a_move_that_does_not_count_is_written_over() {
        let mut list = MoveList::new();
        let [a, b] = [Move::from_bits(1), Move::from_bits(2)];
        list.push_if(a, false);
        list.push_if(b, true);
        assert_eq!(list.as_slice(), [b]);
    }

    #[test]
    fn the_fold_ignores_order_and_stale_slots_and_sees_every_move() {
        for count in [0, 1, 15, 16, 17, 218, 255] {
            let forward = moves(count);
            let mut reverse = forward.clone();
            reverse.reverse();
            let mut reused = list(&moves(255));
            reused.clear();
            reverse.iter().for_each(|&mv| reused.push(mv));
            assert_eq!(list(&forward).fold(), reused.fold(), "{count} moves");
            for changed in 0..usize::from(count) {
                let mut other = forward.clone();
                other[changed] = Move::from_bits(other[changed].bits() ^ 64);
                assert_ne!(list(&forward).fold(), list(&other).fold(), "move {changed} of {count}");
            }
        }
    }

    #[test]
    fn the_fold_tells_two_moves_from_their_mean_twice() {
        let word = |bits: [u16; 2]| list(&bits.map(Move::from_bits)).fold();
        assert_ne!(word([0x40, 0xc0]), word([0x80, 0x80]));
    }

    #[test]
    fn a_full_list_still_has_a_vector_of_spare_slots() {
        let mut list = list(&moves(255));
        let (tail, len) = list.tail();
        tail.fill(Move::from_bits(7));
        assert_eq!(*len, 255);
    }
}
