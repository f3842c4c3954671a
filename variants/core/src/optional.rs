//! The entries of calls that only some designs offer, and the types that these calls are about.

use crate::{Move, MoveFormat, MoveList, Square, random};

/// How perft counts the last ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// Every move of the last ply is made.
    Made,
    /// For a legal generator, the number of moves of the last ply is added. For a pseudo-legal generator, those moves
    /// of the last ply are made of which it is not seen before whether they are legal, and other legal ones are
    /// counted.
    Bulk,
}

/// The squares of the timed look-ups of a position, each once.
pub type LookupOrder = [Square; 64];

/// The orders that timed look-ups draw from, one for each position: a single order would show a predictor the same
/// squares again and again. They are random, and few enough for a small share of the first-level cache.
pub static LOOKUP_ORDERS: [LookupOrder; 64] = {
    let mut random = random::SplitMix(64);
    let mut orders = [[Square::new(0, 0); 64]; 64];
    let mut n = 0;
    while n < 64 {
        let mut last = 0;
        while last < 64 {
            // Fisher-Yates shuffle of the squares up to this one.
            let other = random.below(last + 1);
            orders[n][last] = orders[n][other];
            orders[n][other] = Square::from_low_bits(last as u32);
            last += 1;
        }
        n += 1;
    }
    orders
};

/// The optional entries of a design `G` with boards `B` and moves `F`; `None` for a call that the design
/// does not offer.
///
/// It is a constant, so a loop over such an entry calls it directly. [`entries!`](crate::entries) fills it
/// in.
#[derive(Debug)]
pub struct Optional<G, B, F: MoveFormat> {
    /// The squares that the piece on a square attacks.
    pub piece_attacks: Option<fn(&G, &B, Square) -> u64>,
    /// The same for every piece of the side to move.
    pub side_attacks: Option<fn(&G, &B, &mut AttackSets)>,
    /// The sets that a queen would attack from each square, looked up in an order and combined by exclusive or.
    pub queen_lookups: Option<fn(&G, &B, &LookupOrder) -> u64>,
    /// A capture, pseudo-legal for a pseudo-legal design.
    pub first_capture: Option<fn(&G, &B) -> Option<Move>>,
    /// Appends the first moves, at most [`FIRST_MOVES`].
    pub first_moves: Option<fn(&G, &B, &mut MoveList<F>)>,
    /// The move that a word of the first moves stands for, if these are codes.
    pub complete: Option<fn(&G, &B, Move) -> Move>,
    /// Appends the moves that end on a square.
    pub moves_to: Option<MovesTo<G, B, F>>,
    /// Appends the captures of a piece that is worth more than the capturing one.
    pub winning_captures: Option<fn(&G, &B, &mut MoveList<F>)>,
    /// The number of legal moves, found without a list.
    pub count: Option<fn(&G, &B) -> u64>,
    /// The number of sequences of legal moves of a length, found on copies of the board.
    pub perft: Option<Perft<G, B>>,
}

/// Appends the moves of a design that end on a square.
type MovesTo<G, B, F> = fn(&G, &B, Square, &mut MoveList<F>);

/// The number of sequences of legal moves of a length on a board.
type Perft<G, B> = fn(&G, &B, u32, Leaves) -> u64;

/// How many moves the call *first moves* generates.
pub const FIRST_MOVES: usize = 4;

impl<G, B, F: MoveFormat> Optional<G, B, F> {
    /// Of a design that offers none of these calls.
    pub const NONE: Self = Optional {
        piece_attacks: None,
        side_attacks: None,
        queen_lookups: None,
        first_capture: None,
        first_moves: None,
        complete: None,
        moves_to: None,
        winning_captures: None,
        count: None,
        perft: None,
    };
}

impl<G, B, F: MoveFormat> Optional<G, B, F> {
    /// The first moves, with all codes completed. Not for timed regions, which complete the code of the
    /// move that they make.
    ///
    /// # Panics
    /// If the design does not offer the call.
    pub fn completed_first_moves(&self, generator: &G, board: &B, list: &mut MoveList<F>) {
        let first = self.first_moves.expect("an offered call");
        let before = list.len();
        first(generator, board, list);
        if let Some(complete) = self.complete {
            list.replace_behind(before, |word| complete(generator, board, word));
        }
    }
}

/// Room for the sets of one side. A side has at most sixteen pieces, and a set may be written before it is
/// known to count.
const CAPACITY: usize = 32;

/// Attack sets with the squares of their pieces, in the order in which a design finds them.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct AttackSets {
    sets: [u64; CAPACITY],
    squares: [Square; CAPACITY],
    len: usize,
}

impl Default for AttackSets {
    fn default() -> AttackSets {
        AttackSets::new()
    }
}

impl AttackSets {
    /// An empty list of attack sets.
    pub const fn new() -> AttackSets {
        AttackSets { sets: [0; CAPACITY], squares: [Square::new(0, 0); CAPACITY], len: 0 }
    }

    /// Empties the list of attack sets.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Number of attack sets, one for each piece.
    #[inline(always)]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no set.
    #[inline(always)]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Appends the set of the piece on a square.
    #[inline(always)]
    pub fn push(&mut self, square: Square, set: u64) {
        debug_assert!(self.len < CAPACITY, "a side with more pieces than the list has room for");
        let end = self.len & (CAPACITY - 1); // in place of a bounds check
        self.sets[end] = set;
        self.squares[end] = square;
        self.len += 1;
    }

    /// The squares with their sets, in the order in which they were appended.
    pub fn iter(&self) -> impl Iterator<Item = (Square, u64)> + '_ {
        let len = self.len.min(CAPACITY);
        self.squares[..len].iter().copied().zip(self.sets[..len].iter().copied())
    }

    /// A checksum that does not depend on the order of the pieces.
    pub fn fold(&self) -> u64 {
        let word = |(square, set): (Square, u64)| {
            random::mix(set ^ random::mix(u64::from(square.number()) + 1))
        };
        self.iter().fold(self.len as u64, |sum, pair| sum.wrapping_add(word(pair)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_of_look_ups_has_each_square_once_and_no_two_are_equal() {
        for (n, order) in LOOKUP_ORDERS.iter().enumerate() {
            let mut sorted = *order;
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(Square::all()), "order {n}");
            assert!(!LOOKUP_ORDERS[..n].contains(order), "order {n}");
        }
    }

    #[test]
    fn the_checksum_tells_squares_and_sets_apart_but_not_orders() {
        let fold = |pairs: &[(u32, u64)]| {
            let mut sets = AttackSets::new();
            pairs.iter().for_each(|&(square, set)| sets.push(Square::from_low_bits(square), set));
            assert_eq!(sets.len(), pairs.len());
            sets.fold()
        };
        assert_eq!(fold(&[(1, 6), (2, 9)]), fold(&[(2, 9), (1, 6)]));
        assert_ne!(fold(&[(1, 6), (2, 9)]), fold(&[(1, 9), (2, 6)]));
        assert_ne!(fold(&[]), fold(&[(0, 0)]));
    }
}
