//! The attack sets of the rules layer: who gives check, may the king castle.
//!
//! This is no design. Every bitboard design asks the same functions here whether a square is
//! attacked, so that two designs differ in how they generate and in nothing else.
//!
//! Leapers come from tables of 64 sets. Sliders are calculated by *obstruction difference* (Michael
//! Hoffmann; Chess Programming Wiki, *Obstruction Difference*), a method that no design of this
//! project stands for. It needs one mask per line and square, 2 KiB together. Take the blockers of
//! a line above the slider and below it. The nearest one below is the highest bit of the lower
//! part; subtracting that bit from the upper part borrows from the nearest one above. The bits that
//! the subtraction changes are all squares from the one blocker to the other:
//!
//! ```text
//! upper                1 0 1 0 0 . 0 0 0 0     . slider
//! nearest lower bit    0 0 0 0 0 . 0 1 0 0
//! upper - nearest      1 0 0 1 1 1 1 1 0 0
//! upper ^ difference   0 0 1 1 1 1 1 1 0 0     then without the slider and off-line squares
//! ```
//!
//! Without a blocker below, bit 0 is subtracted; without one above, the borrow runs off the top.
//! The line mask removes whatever then lies beyond the line.

use crate::{Color, Kind, Square};

/// Squares a knight attacks.
#[inline(always)]
pub fn knight(square: Square) -> u64 {
    KNIGHT[square.index()]
}

/// Squares a king attacks.
#[inline(always)]
pub fn king(square: Square) -> u64 {
    KING[square.index()]
}

/// Squares a pawn of this colour attacks.
#[inline(always)]
pub fn pawn(color: Color, square: Square) -> u64 {
    PAWN[color.index()][square.index()]
}

/// Squares a bishop attacks, up to and including the first piece of `occupied` in each direction.
#[inline]
pub fn bishop(square: Square, occupied: u64) -> u64 {
    let lines = &LINES[square.index()];
    between(square, lines.diagonal, occupied) | between(square, lines.antidiagonal, occupied)
}

/// Squares a rook attacks, up to and including the first piece of `occupied` in each direction.
#[inline]
pub fn rook(square: Square, occupied: u64) -> u64 {
    let lines = &LINES[square.index()];
    between(square, lines.rank, occupied) | between(square, lines.file, occupied)
}

/// Squares a queen attacks.
#[inline]
pub fn queen(square: Square, occupied: u64) -> u64 {
    bishop(square, occupied) | rook(square, occupied)
}

/// The line's squares that the slider sees, by obstruction difference.
#[inline(always)]
fn between(square: Square, line: u64, occupied: u64) -> u64 {
    let below = square.bit() - 1;
    let blockers = line & occupied;
    let (lower, upper) = (blockers & below, blockers & !below);
    let nearest = 1u64 << (63 - (lower | 1).leading_zeros());
    (upper ^ upper.wrapping_sub(nearest)) & line
}

/// The lines through a square, the square itself excluded.
#[derive(Clone, Copy, Debug)]
pub struct Lines {
    /// West and east.
    pub rank: u64,
    /// North and south.
    pub file: u64,
    /// North-east and south-west.
    pub diagonal: u64,
    /// North-west and south-east.
    pub antidiagonal: u64,
}

impl Lines {
    /// The lines through `square`.
    pub const fn through(square: Square) -> Lines {
        Lines {
            rank: ray(square, (1, 0), 0) | ray(square, (-1, 0), 0),
            file: ray(square, (0, 1), 0) | ray(square, (0, -1), 0),
            diagonal: ray(square, (1, 1), 0) | ray(square, (-1, -1), 0),
            antidiagonal: ray(square, (-1, 1), 0) | ray(square, (1, -1), 0),
        }
    }
}

/// The squares from `square` (excluded) in steps of `(files, ranks)` to the edge or to the first
/// piece of `occupied` (included). Slow and plain: what tables are made from.
pub const fn ray(square: Square, (files, ranks): (i8, i8), occupied: u64) -> u64 {
    let mut seen = 0;
    let mut at = square;
    while let Some(next) = at.offset(files, ranks) {
        seen |= next.bit();
        if occupied & next.bit() != 0 {
            break;
        }
        at = next;
    }
    seen
}

/// The attacks of a piece (no pawn), walked square by square. Slow and plain: what tables are made
/// from, and what faster methods are compared with.
pub const fn walk(kind: Kind, square: Square, occupied: u64) -> u64 {
    let steps = kind.steps();
    let (mut seen, mut n) = (0, 0);
    while n < steps.len() {
        // A leaper's step is a ray that a wall of pieces ends at once.
        seen |= ray(square, steps[n], if kind.is_slider() { occupied } else { !0 });
        n += 1;
    }
    seen
}

static KNIGHT: [u64; 64] = leaps(Kind::Knight.steps(), 336);
static KING: [u64; 64] = leaps(Kind::King.steps(), 420);
static PAWN: [[u64; 64]; 2] =
    [leaps(&[(-1, 1), (1, 1)], PAWN_PAIRS), leaps(&[(-1, -1), (1, -1)], PAWN_PAIRS)];
static LINES: [Lines; 64] = lines();

/// 84 captures from the six ranks that pawns stand on, and 14 from the colour's first rank.
const PAWN_PAIRS: u32 = 84 + 14;

/// One set per square; `pairs` is the number of origin-target pairs that there must be.
const fn leaps(steps: &[(i8, i8)], pairs: u32) -> [u64; 64] {
    let mut sets = [0; 64];
    let (mut n, mut count) = (0, 0);
    while n < 64 {
        let mut step = 0;
        while step < steps.len() {
            sets[n] |= ray(Square::from_low_bits(n as u32), steps[step], !0);
            step += 1;
        }
        count += sets[n].count_ones();
        n += 1;
    }
    assert!(count == pairs, "a leaper table with a wrong number of moves");
    sets
}

const fn lines() -> [Lines; 64] {
    let mut lines = [Lines { rank: 0, file: 0, diagonal: 0, antidiagonal: 0 }; 64];
    let (mut n, mut straight, mut oblique) = (0, 0, 0);
    while n < 64 {
        lines[n] = Lines::through(Square::from_low_bits(n as u32));
        straight += lines[n].rank.count_ones() + lines[n].file.count_ones();
        oblique += lines[n].diagonal.count_ones() + lines[n].antidiagonal.count_ones();
        n += 1;
    }
    assert!(straight == 896 && oblique == 560, "lines with a wrong number of moves");
    lines
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// On files and ranks as numbers, without `Square::offset`: a second opinion on `walk`.
    fn naive(kind: Kind, square: Square, occupied: u64) -> u64 {
        let (file, rank) = (i32::from(square.file()), i32::from(square.rank()));
        let mut seen = 0u64;
        for to in 0..64 {
            let (files, ranks) = (to % 8 - file, to / 8 - rank);
            let (straight, oblique) = (files * ranks == 0, files.abs() == ranks.abs());
            let length = files.abs().max(ranks.abs());
            let fits = length > 0
                && match kind {
                    Kind::Knight => files.abs() * ranks.abs() == 2,
                    Kind::King => length == 1,
                    Kind::Bishop => oblique,
                    Kind::Rook => straight,
                    Kind::Queen => straight || oblique,
                    Kind::Pawn => false,
                };
            let clear = || {
                (1..length).all(|n| {
                    let on = file + n * files.signum() + 8 * (rank + n * ranks.signum());
                    occupied >> on & 1 == 0
                })
            };
            let jumps = kind == Kind::Knight;
            seen |= u64::from(fits && (jumps || clear())) << to;
        }
        seen
    }

    /// Few, half or most squares occupied.
    fn occupancy() -> impl Strategy<Value = u64> {
        (any::<[u64; 3]>(), 0..3).prop_map(|([a, b, c], density)| match density {
            0 => a & b & c,
            1 => a,
            _ => a | b,
        })
    }

    proptest! {
        #[test]
        fn every_attack_function_equals_a_naive_walk(occupied in occupancy()) {
            for square in Square::all() {
                let fast = [
                    (Kind::Knight, knight(square)),
                    (Kind::King, king(square)),
                    (Kind::Bishop, bishop(square, occupied)),
                    (Kind::Rook, rook(square, occupied)),
                    (Kind::Queen, queen(square, occupied)),
                ];
                for (kind, fast) in fast {
                    let slow = naive(kind, square, occupied);
                    prop_assert_eq!(fast, slow, "{:?} on {}", kind, square);
                    prop_assert_eq!(walk(kind, square, occupied), slow, "{:?} on {}", kind, square);
                }
            }
        }
    }

    #[test]
    fn a_pawn_attacks_two_squares_ahead_and_one_from_the_edge() {
        let square = |name: &str| name.parse::<Square>().expect("a square");
        let set = |names: &[&str]| names.iter().map(|name| square(name).bit()).sum::<u64>();
        assert_eq!(pawn(Color::White, square("e4")), set(&["d5", "f5"]));
        assert_eq!(pawn(Color::Black, square("e4")), set(&["d3", "f3"]));
        assert_eq!(pawn(Color::White, square("a2")), set(&["b3"]));
        assert_eq!(pawn(Color::Black, square("h7")), set(&["g6"]));
        assert_eq!(pawn(Color::White, square("h8")), 0);
        for color in Color::ALL {
            let on_pawn_ranks = |s: &Square| (1..7).contains(&s.rank());
            let attacks = |s: Square| pawn(color, s).count_ones();
            assert_eq!(Square::all().filter(on_pawn_ranks).map(attacks).sum::<u32>(), 84);
        }
    }
}
