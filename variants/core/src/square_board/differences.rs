//! Attack tables indexed by the difference of two cells.
//!
//! In rows of at least fifteen cells, the difference of two cells determines how many files and
//! ranks separate them, wherever they are; there are 225 differences. Two small tables indexed by
//! the difference therefore answer whether a piece of some kind attacks one square from another on
//! an empty board, and along which step. Only sliders also need a test of the squares in between.
//! No move is generated for either answer.
//!
//! # Source
//! Chess Programming Wiki, *0x88* (coordinate differences, Wiereyn 1985) and *Vector
//! Attacks*; Fritz Reul, *New Architectures in Computer Chess* (2009), for rows of fifteen.

use std::hint::black_box;

use super::{Code, CountedArrays, Geometry, SquareBoard, geometry::step_of};
use crate::{Color, Kind, Move, MoveList, Piece};

/// The two tables for one row width.
///
/// The index is attacker − attacked + bias; the bias keeps it from being negative. 225 of the 256
/// entries are read.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct Differences {
    reach: [u8; 256],
    step: [u8; 256],
}

impl Differences {
    /// Builds the tables for rows of `width` cells, 15 or 16.
    ///
    /// # Panics
    /// For any other width.
    pub const fn new(width: u8) -> Differences {
        assert!(
            width >= 15 && width <= 16,
            "narrower rows are ambiguous, wider ones exceed a byte"
        );
        let mut tables = Differences { reach: [0; 256], step: [0; 256] };
        let bias = bias(width);
        let mut kind = 0;
        while kind < Kind::ALL.len() {
            let steps = Kind::ALL[kind].steps();
            let mut n = 0;
            while n < steps.len() {
                let (files, ranks) = steps[n];
                let length = if Kind::ALL[kind].is_slider() { 7 } else { 1 };
                let step = step_of(width, files, ranks);
                let mut distance = 1;
                while distance <= length {
                    // The attacker is `distance` steps before the attacked square.
                    let index = bias.wrapping_sub(step.wrapping_mul(distance)) as usize;
                    tables.reach[index] |= bit(Piece::new(Color::White, Kind::ALL[kind]));
                    tables.step[index] = step;
                    distance += 1;
                }
                n += 1;
            }
            kind += 1;
        }
        let mut side = 0;
        while side < 2 {
            // A white pawn is one rank below the square it attacks, a black one above. Pawns need
            // no entry in `step`: the king already wrote the diagonals.
            let back = if side == 0 { bias.wrapping_sub(width) } else { bias.wrapping_add(width) };
            let pawn = bit(Piece::new(Color::ALL[side], Kind::Pawn));
            tables.reach[back.wrapping_sub(1) as usize] |= pawn;
            tables.reach[back.wrapping_add(1) as usize] |= pawn;
            side += 1;
        }
        tables
    }

    /// Entries of each table up to the one of the largest difference.
    pub const fn entries<G: Geometry>() -> usize {
        2 * bias(G::WIDTH) as usize + 1
    }

    /// Whether `piece` on cell `from` attacks cell `to` on an empty board.
    #[inline(always)]
    pub fn reaches<G: Geometry>(&self, piece: Piece, from: u8, to: u8) -> bool {
        self.reach[usize::from(index::<G>(from, to))] & bit(piece) != 0
    }

    /// The step that leads from `from` to `to`; 0 if no piece attacks along this difference.
    #[inline(always)]
    pub fn step<G: Geometry>(&self, from: u8, to: u8) -> u8 {
        self.step[usize::from(index::<G>(from, to))]
    }

    /// Whether `piece`, which must be on cell `from`, attacks cell `to`.
    #[inline(always)]
    pub fn attacks<G: Geometry, C: Code>(
        &self,
        board: &SquareBoard<G, C, CountedArrays>,
        piece: Piece,
        from: u8,
        to: u8,
    ) -> bool {
        if !self.reaches::<G>(piece, from, to) {
            return false;
        }
        if !piece.kind.is_slider() {
            return true;
        }
        board.first_is(from, to, self.step::<G>(from, to).wrapping_neg())
    }
}

impl<G: Geometry, C: Code> SquareBoard<G, C, CountedArrays> {
    /// Whether the first piece from cell `to` in steps of `step` is on cell `from`, which is not empty and lies in
    /// that direction.
    ///
    /// The walk ends at the first piece, at the latest at the one on `from`, so the loop has one branch per square
    /// and no other test.
    #[inline(always)]
    pub fn first_is(&self, from: u8, to: u8, step: u8) -> bool {
        // Cells are added in a register of full width, as in the step walk.
        let (mut at, step) = (usize::from(to), usize::from(step));
        loop {
            at = (at + step) & 0xff;
            if !C::is_empty(self.code(at as u8)) {
                return at == usize::from(from);
            }
        }
    }

    /// Appends all captures except en passant by testing each pair of an enemy piece and an own piece with
    /// `attacks`, which gets the own piece, its cell and that of the enemy.
    ///
    /// Victims are ordered from queen to pawn, the attackers of one victim from pawn to king. The
    /// enemy king is left out: no reachable position allows its capture.
    ///
    /// Source: David Kittinger, according to the Chess Programming Wiki, *0x88*.
    #[inline(always)]
    pub fn pair_captures(&self, list: &mut MoveList, attacks: impl Fn(Piece, u8, u8) -> bool) {
        self.scan_pairs::<false>(list, attacks);
    }

    /// Appends the [winning captures](crate::Winning) in the same way: for each enemy piece, only own pieces of less
    /// worth are tested.
    #[inline(always)]
    pub fn winning_pair_captures(
        &self,
        list: &mut MoveList,
        attacks: impl Fn(Piece, u8, u8) -> bool,
    ) {
        self.scan_pairs::<true>(list, attacks);
    }

    #[inline(always)]
    fn scan_pairs<const WINNING: bool>(
        &self,
        list: &mut MoveList,
        attacks: impl Fn(Piece, u8, u8) -> bool,
    ) {
        const VICTIMS: [Kind; 5] =
            [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn];
        let side = self.side();
        let mut list = list.cursor();
        // Opaque, as in the piece lists: the compiler would copy the inner loop for each victim.
        let (victims, attackers) = (black_box(&VICTIMS[..]), black_box(&Kind::ALL[..]));
        for &victim in victims {
            let attackers = if WINNING { lesser(attackers, victim) } else { attackers };
            for &to in self.list().of(!side, victim) {
                let target = G::square(to);
                let last_rank = side.view(target).rank() == 7;
                for &kind in attackers {
                    let piece = Piece::new(side, kind);
                    for &from in self.list().of(side, kind) {
                        if !attacks(piece, from, to) {
                            continue;
                        }
                        let origin = G::square(from);
                        if kind == Kind::Pawn && last_rank {
                            list.push_promotions(origin, target);
                        } else {
                            list.push(Move::new(origin, target));
                        }
                    }
                }
            }
        }
    }
}

/// The kinds that are worth less than `victim`: they come first among all kinds.
#[inline(always)]
fn lesser(kinds: &[Kind], victim: Kind) -> &[Kind] {
    const NUMBERS: [usize; 6] = {
        let mut numbers = [0; 6];
        let mut n = 0;
        while n < 36 {
            let (victim, other) = (Kind::ALL[n / 6], Kind::ALL[n % 6]);
            if victim.is_worth_more_than(other) {
                assert!(numbers[n / 6] == n % 6, "kinds are in the order of their worth");
                numbers[n / 6] += 1;
            }
            n += 1;
        }
        numbers
    };
    kinds.get(..NUMBERS[victim.index()]).unwrap_or_default()
}

/// The difference of the corners h8 and a1, which is the largest.
const fn bias(width: u8) -> u8 {
    7 * width + 7
}

#[inline(always)]
fn index<G: Geometry>(attacker: u8, attacked: u8) -> u8 {
    // The difference may be negative; adding the bias brings it back above zero.
    attacker.wrapping_sub(attacked).wrapping_add(const { bias(G::WIDTH) })
}

/// One bit per kind. Black pawns have a bit of their own, because they attack in another direction.
const fn bit(piece: Piece) -> u8 {
    match piece {
        Piece { color: Color::Black, kind: Kind::Pawn } => 64,
        Piece { kind, .. } => 1 << kind as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Square;
    use crate::square_board::{Grid0x88, Grid15x12, Grid16x12};

    /// The step along which a piece attacks one square from another on an empty board, found by
    /// walking there.
    fn walk(piece: Piece, from: Square, to: Square) -> Option<(i8, i8)> {
        let up = if piece.color == Color::White { 1 } else { -1 };
        let pawn = [(-1, up), (1, up)];
        let steps = if piece.kind == Kind::Pawn { &pawn } else { piece.kind.steps() };
        let length = if piece.kind.is_slider() { 7 } else { 1 };
        let reaches = |&&(files, ranks): &&(i8, i8)| {
            let next = |at: &Square| at.offset(files, ranks);
            std::iter::successors(next(&from), next).take(length).any(|at| at == to)
        };
        steps.iter().find(reaches).copied()
    }

    /// Compares the tables with the walk for all pairs of squares and all twelve pieces.
    fn the_tables_cover_every_pair<G: Geometry>() {
        let tables = Differences::new(G::WIDTH);
        let mut read = [false; 256];
        for from in Square::all() {
            for to in Square::all() {
                let (attacker, attacked) = (G::cell(from), G::cell(to));
                read[usize::from(index::<G>(attacker, attacked))] = true;
                for piece in
                    Color::ALL.into_iter().flat_map(|c| Kind::ALL.map(|k| Piece::new(c, k)))
                {
                    let step = walk(piece, from, to);
                    let reaches = tables.reaches::<G>(piece, attacker, attacked);
                    assert_eq!(reaches, step.is_some(), "{} {piece:?} {from} {to}", G::NAME);
                    if let Some((files, ranks)) = step {
                        let step = G::step(files, ranks);
                        assert_eq!(tables.step::<G>(attacker, attacked), step, "{from} {to}");
                    }
                }
            }
        }
        assert_eq!(read.iter().filter(|&&read| read).count(), 225, "{}", G::NAME);
    }

    #[test]
    fn the_two_tables_cover_every_pair_of_squares() {
        the_tables_cover_every_pair::<Grid0x88>();
        the_tables_cover_every_pair::<Grid15x12>();
        the_tables_cover_every_pair::<Grid16x12>();
    }

    #[test]
    fn fifteen_is_the_smallest_width_with_unique_differences() {
        let unique = |width: i32| {
            let mut seen = std::collections::HashSet::new();
            (-7..=7).all(|ranks| (-7..=7).all(|files| seen.insert(ranks * width + files)))
        };
        assert!(unique(15) && unique(16));
        assert!((8..15).all(|width| !unique(width)));
    }

    #[test]
    fn a_table_has_225_entries_in_rows_of_fifteen_and_239_in_rows_of_sixteen() {
        assert_eq!(Differences::entries::<Grid15x12>(), 225);
        assert_eq!(Differences::entries::<Grid16x12>(), 239);
    }
}
