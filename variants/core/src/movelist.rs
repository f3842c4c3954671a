//! The move list: 256 slots, and spare slots for designs that store before they decide.
//!
//! The largest number of legal moves in a position that can arise is 218. A branch-free design
//! stores a move before it knows whether the move counts, so it needs spare slots behind the last
//! move: one for a single store, four for promotions, 32 for a vector. All slots are written when
//! the list is created. No slot is ever uninitialised, and the list needs no `unsafe`.
//!
//! The number of slots is that of the format, which may ask for [more](PathSlots), so that one list holds the
//! moves of all nodes on a path.
//!
//! A format may ask for [two lists](MoveFormat::TWO_LISTS). Captures then begin at the last slot and go
//! downwards, other moves begin at the first slot and go upwards. No position has so many moves that they meet.

mod cursor;
mod words;

pub use cursor::Cursor;
pub use words::{Moves, Words};

use crate::move_format::CAPACITY;
use crate::{Move, MoveFormat, Slots, Square, random};

/// One move in a list of captures, as both numbers of moves share a word: the captures have the bits above those
/// of the other moves. Generation keeps the word in one register.
const CAPTURE: usize = 1 << 16;

/// The number of moves in a list of captures; 0 for a format with one list.
#[inline(always)]
const fn captures_of<F: MoveFormat>(len: usize) -> usize {
    if F::TWO_LISTS { len / CAPTURE } else { 0 }
}

/// The number of moves in the list of other moves, or in the only list.
#[inline(always)]
const fn others_of<F: MoveFormat>(len: usize) -> usize {
    if F::TWO_LISTS { len % CAPTURE } else { len }
}

/// A list of moves, created once and reused for every position.
///
/// Its alignment keeps the first 128 moves of 16 bits on one page. A store of 64 bytes that crosses the end of a page
/// is so slow that vector designs took up to 1.9 times as long if it fell into the list.
#[derive(Clone)]
#[repr(C, align(256))]
pub struct MoveList<F: MoveFormat = Move> {
    slots: F::Slots,
    /// The number of moves; of two lists, [both numbers](CAPTURE).
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

    /// An empty list, whose slots hold their initial value.
    pub const fn new() -> MoveList<F> {
        MoveList { slots: F::Slots::UNWRITTEN, len: 0 }
    }

    /// Empties the list. The slots keep their contents.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Continues behind the first `len` slots, whatever they hold: on a [stack](crate::Plies), the moves of the
    /// nodes on the path. Not for a format with two lists.
    #[inline(always)]
    pub fn continue_behind(&mut self, len: usize) {
        self.len = len;
    }

    /// Forgets the moves behind the first `len`.
    #[inline(always)]
    pub fn truncate(&mut self, len: usize) {
        if F::TWO_LISTS {
            let captures = captures_of::<F>(self.len).min(len);
            self.len = captures * CAPTURE + others_of::<F>(self.len).min(len - captures);
            return;
        }
        self.len = self.len.min(len);
    }

    /// Replaces each word behind the first ones. Not for timed regions.
    pub(crate) fn replace_behind(&mut self, before: usize, by: impl Fn(Move) -> Move) {
        let words: Vec<Move> = self.moves().skip(before).collect();
        self.truncate(before);
        words.into_iter().for_each(|word| self.push(by(word)));
    }

    /// Number of moves in the list.
    #[inline(always)]
    pub const fn len(&self) -> usize {
        if F::TWO_LISTS { captures_of::<F>(self.len) + others_of::<F>(self.len) } else { self.len }
    }

    /// Whether the list holds no move.
    #[inline(always)]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// A cursor behind the last move.
    #[inline(always)]
    pub fn cursor(&mut self) -> Cursor<'_, F> {
        Cursor::of(self)
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

    /// Appends an en passant capture, and another one if `keep`.
    #[inline(always)]
    pub(crate) fn push_passing(&mut self, captures: [Move; 2], keep: bool) {
        self.cursor().push_passing(captures, keep);
    }

    /// Appends the four promotions of a pawn move, which are rare.
    #[inline(always)]
    pub fn push_promotions(&mut self, from: Square, to: Square) {
        self.cursor().push_promotions(from, to);
    }

    /// The moves in the order of generation; of two lists, the captures first.
    #[inline]
    pub fn moves(&self) -> Moves<'_, F> {
        Moves::of(self)
    }

    /// The moves as they are stored.
    #[inline]
    pub fn words(&self) -> Words<'_, F> {
        Words::of(self)
    }

    /// A checksum of the moves behind the first ones that does not depend on their order.
    ///
    /// Designs generate the same moves in different orders, so the words are summed. They are mixed
    /// first: plain sums cannot tell a1b1 and a1d1 from a1c1 twice.
    #[inline]
    fn fold_behind(&self, before: usize) -> u64 {
        let word = |mv: Move| random::mix(u64::from(mv.bits()));
        let moves = self.moves().skip(before);
        // Starts with the length, because the word of a move can be zero.
        moves.fold((self.len() - before) as u64, |sum, mv| sum.wrapping_add(word(mv)))
    }
}

impl MoveList {
    /// The moves in the order of generation.
    #[inline]
    pub fn as_slice(&self) -> &[Move] {
        &self.slots[..self.len.min(CAPACITY)]
    }
}

/// Verifies a pass over many positions: the number of moves, and a hash of every move of every
/// position. A pass with a wrong checksum is not reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Checksum {
    /// Number of generated moves, of all positions of the pass.
    pub moves: u64,
    /// Depends on the order of the positions, but not on the order of the moves within a list.
    pub word: u64,
}

impl Checksum {
    /// Adds the moves of the next position.
    #[inline]
    pub fn add<F: MoveFormat>(&mut self, list: &MoveList<F>) {
        self.add_behind(0, list);
    }

    /// Adds the moves of the next position, which are those behind the first ones of a list.
    #[inline]
    pub fn add_behind<F: MoveFormat>(&mut self, before: usize, list: &MoveList<F>) {
        self.moves += (list.len() - before) as u64;
        // Chained instead of summed, so that the order of the positions counts.
        self.word = random::mix(self.word ^ list.fold_behind(before));
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
            assert_eq!(list(&forward).fold_behind(0), reused.fold_behind(0), "{count} moves");
            for changed in 0..usize::from(count) {
                let mut other = forward.clone();
                other[changed] = Move::from_bits(other[changed].bits() ^ 64);
                assert_ne!(
                    list(&forward).fold_behind(0),
                    list(&other).fold_behind(0),
                    "move {changed} of {count}"
                );
                other.remove(changed);
                assert_ne!(
                    list(&forward).fold_behind(0),
                    list(&other).fold_behind(0),
                    "move {changed} of {count}"
                );
            }
        }
    }

    #[test]
    fn the_fold_distinguishes_two_moves_from_their_mean_twice() {
        let word = |bits: [u16; 2]| list(&bits.map(Move::from_bits)).fold_behind(0);
        assert_ne!(word([0x40, 0xc0]), word([0x80, 0x80]));
    }

    #[test]
    fn a_move_whose_word_is_zero_still_changes_the_fold() {
        assert_ne!(list(&[]).fold_behind(0), list(&[Move::from_bits(0)]).fold_behind(0));
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
        let mut cursor = list.cursor();
        let (tail, end) = cursor.tail();
        tail.fill(Move::from_bits(7));
        assert_eq!(*end, 255);
    }
}
