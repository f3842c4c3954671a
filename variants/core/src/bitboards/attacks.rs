//! Attack sets for checks and castling, shared by all bitboard designs.
//!
//! This module is not a design. All bitboard designs test for attacked squares with these
//! functions, so that they differ only in how they generate moves.
//!
//! Knights, kings and pawns use tables of 64 sets. Sliders use *obstruction difference* (Michael
//! Hoffmann; Chess Programming Wiki, *Obstruction Difference*), as one design does with tables of its
//! own: `bitboard/obstruction-difference`, whose module shows the subtraction bit by bit. The form used here needs
//! one mask per line and square, 2 KiB in total. Split the blockers of a line into those above the slider and those
//! below it. The nearest blocker below is the highest bit of the lower part. Subtracting that bit from the upper part
//! borrows from the nearest blocker above, so the subtraction changes exactly the bits from one blocker to the other.
//! The line mask removes all bits beyond the line.

use super::sets::{FILE_A, FILE_H, LAST_RANKS};
use crate::{Color, Kind, Square};

/// Squares that a knight attacks.
#[inline(always)]
pub fn knight(square: Square) -> u64 {
    KNIGHT[square.index()]
}

/// Squares that a king attacks.
#[inline(always)]
pub fn king(square: Square) -> u64 {
    KING[square.index()]
}

/// Squares that a pawn of this colour attacks, whether or not there is a piece to capture.
#[inline(always)]
pub fn pawn(color: Color, square: Square) -> u64 {
    PAWN[color.index()][square.index()]
}

/// Size in bytes of the tables of [`knight`], [`king`] and [`pawn`], for designs that read them in every position.
pub fn leaper_table_bytes() -> usize {
    size_of_val(&KNIGHT) + size_of_val(&KING) + size_of_val(&PAWN)
}

/// Squares that a bishop attacks, up to and including the first piece of `occupied` in each
/// direction.
#[inline]
pub fn bishop(square: Square, occupied: u64) -> u64 {
    let lines = &LINES[square.index()];
    between(square, lines.diagonal, occupied) | between(square, lines.antidiagonal, occupied)
}

/// Squares that a rook attacks, up to and including the first piece of `occupied` in each
/// direction.
#[inline]
pub fn rook(square: Square, occupied: u64) -> u64 {
    let lines = &LINES[square.index()];
    between(square, lines.rank, occupied) | between(square, lines.file, occupied)
}

/// Squares that a queen attacks, up to and including the first piece of `occupied` in each
/// direction.
#[inline]
pub fn queen(square: Square, occupied: u64) -> u64 {
    bishop(square, occupied) | rook(square, occupied)
}

/// The pieces of the sets `of` each kind that attack a square, if they are of colour `by`.
///
/// Attacks are symmetric: a knight attacks the square if a knight on the square would attack the knight. Pawns are the
/// exception, so their attack set is the one of the other colour.
#[inline(always)]
pub(crate) fn attackers(square: Square, by: Color, occupied: u64, of: impl Fn(Kind) -> u64) -> u64 {
    knight(square) & of(Kind::Knight)
        | king(square) & of(Kind::King)
        | pawn(!by, square) & of(Kind::Pawn)
        | bishop(square, occupied) & (of(Kind::Bishop) | of(Kind::Queen))
        | rook(square, occupied) & (of(Kind::Rook) | of(Kind::Queen))
}

/// The squares of `line` up to the nearest blocker on each side, by obstruction difference.
#[inline(always)]
fn between(square: Square, line: u64, occupied: u64) -> u64 {
    let below = square.bit() - 1;
    let blockers = line & occupied;
    let (lower, upper) = (blockers & below, blockers & !below);
    // `| 1` makes the result defined without a blocker below: bit 0 is then the nearest.
    let nearest = 1u64 << (63 - (lower | 1).leading_zeros());
    (upper ^ upper.wrapping_sub(nearest)) & line
}

/// The lines through a square, the square itself excluded.
#[derive(Clone, Copy, Debug)]
pub struct Lines {
    /// Squares to the west and to the east.
    pub rank: u64,
    /// Squares to the north and to the south.
    pub file: u64,
    /// Squares to the north-east and to the south-west.
    pub diagonal: u64,
    /// Squares to the north-west and to the south-east.
    pub antidiagonal: u64,
}

impl Lines {
    /// The lines of an empty board, computed by walking; for building tables.
    pub const fn through(square: Square) -> Lines {
        Lines {
            rank: ray(square, (1, 0), 0) | ray(square, (-1, 0), 0),
            file: ray(square, (0, 1), 0) | ray(square, (0, -1), 0),
            diagonal: ray(square, (1, 1), 0) | ray(square, (-1, -1), 0),
            antidiagonal: ray(square, (-1, 1), 0) | ray(square, (1, -1), 0),
        }
    }
}

/// The relevant squares of a rook or bishop: its lines without their last squares. A slider reaches the last
/// square of a line whether or not it is occupied, and never passes it.
pub const fn relevant(kind: Kind, square: Square) -> u64 {
    const EDGE_FILES: u64 = FILE_A | FILE_H;
    let lines = Lines::through(square);
    match kind {
        // A rook on an edge keeps the squares along that edge, so each line loses its own ends only.
        Kind::Rook => lines.rank & !EDGE_FILES | lines.file & !LAST_RANKS,
        _ => (lines.diagonal | lines.antidiagonal) & !(EDGE_FILES | LAST_RANKS),
    }
}

/// The squares from `square` (excluded) in steps of `(files, ranks)` to the edge or to the first
/// piece of `occupied` (included). Slow; for building tables.
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

/// The attacks of any piece except a pawn, found square by square. Slow; for building tables and as
/// the reference in tests of faster methods.
pub const fn walk(kind: Kind, square: Square, occupied: u64) -> u64 {
    let steps = kind.steps();
    let (mut seen, mut n) = (0, 0);
    while n < steps.len() {
        // On a full board a ray ends after its first square, which makes it the step of a leaper.
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

/// Captures of one colour: 84 from the six ranks where pawns can stand, 14 from its first rank.
const PAWN_PAIRS: u32 = 84 + 14;

/// The table of a leaper. `pairs`, its known number of origin-target pairs, is checked at compile
/// time.
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
    assert!(count == pairs, "the leaper table has a wrong number of moves");
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
    assert!(straight == 896 && oblique == 560, "the table of lines has a wrong number of moves");
    lines
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A reference for `walk` that shares no code with it: it computes with file and rank numbers
    /// instead of `Square::offset`.
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

    /// Sets with an eighth, half or seven eighths of the squares occupied, on average.
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
