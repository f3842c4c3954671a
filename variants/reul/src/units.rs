//! Unit tables: for each kind, the step between two cells by their difference.

use raywalk_core::square_board::{Geometry, Grid15x12};
use raywalk_core::{Color, Kind, Piece};

/// One table for each kind, and one more for black pawns.
const TABLES: usize = 7;

/// The index of the difference 0: the difference of the corners h8 and a1, the largest there is.
const BIAS: u8 = 7 * Grid15x12::WIDTH + 7;

/// The entries of a table, one for each difference of two squares.
const ENTRIES: usize = 2 * BIAS as usize + 1;

/// The step from a target towards a piece that reaches it, by kind and difference; 0 if it does not reach it on an
/// empty board.
///
/// One look-up answers both questions of an attack test: whether the piece can move along the line, and in which
/// direction the squares in between lie. The index is origin − target + [`BIAS`]. The 256 entries of a table make
/// any difference of bytes an index; [`ENTRIES`] of them are read.
pub(crate) struct Units {
    steps: [[u8; 256]; TABLES],
}

impl Units {
    /// Bytes of the entries that a look-up can read, without those beyond the largest difference.
    pub(crate) const BYTES: usize = TABLES * ENTRIES;

    pub(crate) fn new() -> Units {
        let mut steps = [[0; 256]; TABLES];
        for piece in Color::ALL.into_iter().flat_map(|c| Kind::ALL.map(|k| Piece::new(c, k))) {
            let up = if piece.color == Color::White { 1 } else { -1 };
            let captures = [(-1, up), (1, up)];
            let directions =
                if piece.kind == Kind::Pawn { &captures[..] } else { piece.kind.steps() };
            let length = if piece.kind.is_slider() { 7 } else { 1 };
            for &(files, ranks) in directions {
                let back = Grid15x12::step(-files, -ranks);
                for distance in 1..=length {
                    let difference = back.wrapping_mul(distance);
                    steps[table(piece)][usize::from(BIAS.wrapping_add(difference))] = back;
                }
            }
        }
        Units { steps }
    }

    /// The step from cell `to` towards a piece on cell `from`, or 0.
    #[inline(always)]
    pub(crate) fn step(&self, piece: Piece, from: u8, to: u8) -> u8 {
        self.steps[table(piece)][usize::from(from.wrapping_sub(to).wrapping_add(BIAS))]
    }
}

/// The number of a piece's table. Only pawns differ by colour.
#[inline(always)]
const fn table(piece: Piece) -> usize {
    match piece {
        Piece { kind: Kind::Pawn, color: Color::Black } => TABLES - 1,
        Piece { kind, .. } => kind.index(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_core::Square;

    /// The step of the piece that leads from one square to the other on an empty board, found by walking.
    fn walked(piece: Piece, from: Square, to: Square) -> Option<(i8, i8)> {
        let ahead = [1, -1][piece.color.index()];
        let diagonals = [(1, ahead), (-1, ahead)];
        let steps = if piece.kind == Kind::Pawn { &diagonals } else { piece.kind.steps() };
        let most = if piece.kind.is_slider() { 7 } else { 1 };
        let reaches = |&&(files, ranks): &&(i8, i8)| {
            let next = |at: &Square| at.offset(files, ranks);
            std::iter::successors(next(&from), next).take(most).any(|at| at == to)
        };
        steps.iter().find(reaches).copied()
    }

    #[test]
    fn the_unit_of_every_pair_of_squares_leads_back_to_the_piece_that_reaches_the_target() {
        let units = Units::new();
        let mut reached = [[0; 6]; 2];
        for piece in Color::ALL.into_iter().flat_map(|c| Kind::ALL.map(|k| Piece::new(c, k))) {
            for (from, to) in Square::all().flat_map(|from| Square::all().map(move |to| (from, to)))
            {
                let unit = units.step(piece, Grid15x12::cell(from), Grid15x12::cell(to));
                let back = walked(piece, from, to).map(|(files, ranks)| (-files, -ranks));
                let expected = back.map_or(0, |(files, ranks)| Grid15x12::step(files, ranks));
                assert_eq!(unit, expected, "{piece:?} {from} {to}");
                reached[piece.color.index()][piece.kind.index()] += u32::from(unit != 0);
            }
        }
        // The published numbers of pairs: 84 captures from the second to the seventh rank, and 14 from the first.
        assert_eq!(reached, [[98, 336, 560, 896, 1_456, 420]; 2]);
    }

    #[test]
    fn there_are_seven_tables_of_225_entries() {
        assert_eq!(ENTRIES, 225);
        assert_eq!(Units::BYTES, 7 * 15 * 15);
    }

    #[test]
    fn the_queen_has_a_step_for_56_differences_and_the_knight_for_eight() {
        let steps = Units::new().steps;
        let count = |kind: Kind| steps[kind.index()].iter().filter(|&&step| step != 0).count();
        assert_eq!(Kind::ALL.map(count), [2, 8, 28, 28, 56, 8]);
    }
}
