//! The move list: 256 slots, and spare slots for designs that store before they decide.
//!
//! The largest number of legal moves in a position that can arise is 218. A branch-free design
//! stores a move before it knows whether the move counts, so it needs spare slots behind the last
//! move: one for a single store, four for promotions, 32 for a vector. All slots are written when
//! the list is created. No slot is ever uninitialised, and the list needs no `unsafe`.

use crate::{Move, MoveFormat, Square, random};

/// Slots for moves. A power of two, so that a mask can replace the bounds check.
const CAPACITY: usize = 256;
/// Slots behind the last move that may be written at any time: one 64-byte vector of moves.
pub const SPARE: usize = 32;

/// A list of moves, created once and reused for every position.
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
    /// Where the length is, in bytes from the beginning of the list: for the disassembly of stores to it.
    pub const LENGTH_AT: usize = std::mem::offset_of!(MoveList<F>, len);

    /// An empty list.
    pub const fn new() -> MoveList<F> {
        MoveList { slots: [F::UNWRITTEN; CAPACITY + SPARE], len: 0 }
    }

    /// Empties the list. The slots keep their contents.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Forgets the moves behind the first `len`.
    #[inline(always)]
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Number of moves in the list.
    #[inline(always)]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether the list holds no move.
    #[inline(always)]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// A cursor behind the last move.
    #[inline(always)]
    pub fn cursor(&mut self) -> Cursor<'_, F> {
        Cursor { end: self.len, list: self }
    }

    /// Appends a move: for rare moves. A loop uses a [`Cursor`].
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        self.cursor().push(mv);
    }

    /// Stores a rare move and counts it only if `keep`.
    #[inline(always)]
    pub fn push_if(&mut self, mv: Move, keep: bool) {
        self.cursor().push_if(mv, keep);
    }

    /// Appends the four promotions of a pawn move, which are rare.
    #[inline(always)]
    pub fn push_promotions(&mut self, from: Square, to: Square) {
        self.cursor().push_promotions(from, to);
    }

    /// The moves in the order of generation.
    #[inline]
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> + Clone + '_ {
        // `min` tells the compiler that the slice is in bounds.
        self.slots[..self.len.min(CAPACITY)].iter().map(|slot| slot.unpack())
    }

    /// A checksum of the list that does not depend on the order of the moves.
    ///
    /// Designs generate the same moves in different orders, so the words are summed. They are mixed
    /// first: plain sums cannot tell a1b1 and a1d1 from a1c1 twice.
    #[inline]
    fn fold(&self) -> u64 {
        let word = |mv: Move| random::mix(u64::from(mv.bits()));
        // Starts with the length, because the word of a move can be zero.
        self.moves().fold(self.len as u64, |sum, mv| sum.wrapping_add(word(mv)))
    }
}

impl MoveList {
    /// The [`SPARE`] slots behind the last move, and the length: for designs that store whole
    /// vectors. The caller adds the number of moves that count to the length.
    #[inline(always)]
    pub fn tail(&mut self) -> (&mut [Move; SPARE], &mut usize) {
        let end = self.len & (CAPACITY - 1);
        // Cannot fail: `end` is below CAPACITY, so at least SPARE slots follow.
        let (tail, _) = self.slots[end..].split_first_chunk_mut().expect("CAPACITY + SPARE slots");
        (tail, &mut self.len)
    }

    /// The moves in the order of generation.
    #[inline]
    pub fn as_slice(&self) -> &[Move] {
        &self.slots[..self.len.min(CAPACITY)]
    }
}

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
    end: usize,
}

impl<F: MoveFormat> Drop for Cursor<'_, F> {
    #[inline(always)]
    fn drop(&mut self) {
        self.list.len = self.end;
    }
}

impl<F: MoveFormat> Cursor<'_, F> {
    /// The slot behind the last move.
    ///
    /// The mask replaces a bounds check, which would cost one more branch per move. A list of more
    /// than 256 moves would overwrite its own start, and the tests would fail.
    #[inline(always)]
    fn slot(&self) -> usize {
        debug_assert!(self.end < CAPACITY, "more moves than any position has");
        self.end & (CAPACITY - 1)
    }

    /// The slots and the number of moves, for a walk that stores in assembly. It stores to slot *number* modulo
    /// 256 and adds one to the number.
    #[inline(always)]
    pub fn parts(&mut self) -> (&mut [F; CAPACITY + SPARE], &mut usize) {
        (&mut self.list.slots, &mut self.end)
    }

    /// Appends a move.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        self.push_if(mv, true);
    }

    /// Stores a move and counts it only if `keep`: a conditional append without a branch.
    ///
    /// Source: AMD, *Software Optimization Guide for Family 10h and 12h Processors*, conditional
    /// write; used on move lists by the Chess Programming Wiki, *Table-driven Move Generation*.
    #[inline(always)]
    pub fn push_if(&mut self, mv: Move, keep: bool) {
        let slot = self.slot();
        self.list.slots[slot] = F::pack(mv);
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
        self.list.slots[slot..slot + 4].copy_from_slice(&promotions);
        self.end += 4 * usize::from(keep);
    }
}

impl Cursor<'_> {
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

/// Verifies a pass over many positions: the number of moves, and a hash of every move of every
/// position. A pass with a wrong checksum is not reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Checksum {
    /// Number of moves generated.
    pub moves: u64,
    /// Depends on the order of the positions, but not on the order of the moves within a list.
    pub word: u64,
}

impl Checksum {
    /// Adds the moves of the next position.
    #[inline]
    pub fn add<F: MoveFormat>(&mut self, list: &MoveList<F>) {
        self.moves += list.len() as u64;
        // Chained instead of summed, so that the order of the positions counts.
        self.word = random::mix(self.word ^ list.fold());
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
    fn a_move_that_does_not_count_is_overwritten() {
        let mut list = MoveList::new();
        let [a, b] = [Move::from_bits(1), Move::from_bits(2)];
        let mut cursor = list.cursor();
        cursor.push_if(a, false);
        cursor.push_if(b, true);
        drop(cursor);
        assert_eq!(list.as_slice(), [b]);
    }

    #[test]
    fn the_fold_ignores_order_and_stale_slots_but_depends_on_every_move() {
        for count in [0, 1, 2, 16, 35, 218, 255] {
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
                other.remove(changed);
                assert_ne!(list(&forward).fold(), list(&other).fold(), "move {changed} of {count}");
            }
        }
    }

    #[test]
    fn the_fold_distinguishes_two_moves_from_their_mean_twice() {
        let word = |bits: [u16; 2]| list(&bits.map(Move::from_bits)).fold();
        assert_ne!(word([0x40, 0xc0]), word([0x80, 0x80]));
    }

    #[test]
    fn a_move_whose_word_is_zero_still_changes_the_fold() {
        assert_ne!(list(&[]).fold(), list(&[Move::from_bits(0)]).fold());
    }

    #[test]
    fn the_checksum_depends_on_the_order_of_the_positions() {
        let checksum = |lists: &[&[Move]]| {
            let mut checksum = Checksum::default();
            lists.iter().for_each(|moves| checksum.add(&list(moves)));
            checksum
        };
        let (a, b) = (&moves(20)[..], &moves(30)[10..]);
        assert_eq!(checksum(&[a, b]).moves, 40);
        assert_eq!(checksum(&[a, b]).moves, checksum(&[b, a]).moves);
        assert_ne!(checksum(&[a, b]).word, checksum(&[b, a]).word);
        // A move that leaves one list and joins another is noticed although the number is right.
        assert_ne!(checksum(&[&a[1..], a]).word, checksum(&[a, &a[1..]]).word);
    }

    #[test]
    fn a_full_list_still_has_a_vector_of_spare_slots() {
        let mut list = list(&moves(255));
        let (tail, len) = list.tail();
        tail.fill(Move::from_bits(7));
        assert_eq!(*len, 255);
    }
}
