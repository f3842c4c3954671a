//! En passant captures, found when the pawn passes.
//!
//! A double push is the only move behind which a pawn may be taken in passing, and two pawns at most may take it. So
//! the board finds these captures as the push is made, or taken back, and generation writes what it finds there.
//! Looking for the two pawns in generation took 11 to 31 instructions, in each stage anew; `docs/design-notes.md` has
//! the numbers.

use super::{Code, Geometry, PieceList, SquareBoard};
use crate::{Kind, Move, MoveFormat, MoveList, Piece, Square};

/// The two squares from which a pawn captures en passant on a target of the sixth or third rank.
///
/// On the a- and h-file the target itself replaces the missing square. It is empty, so it never
/// matches a pawn, and no test for the edge is needed. GNU Chess does the same.
static CAPTURERS: [[Square; 2]; 64] = {
    let mut table = [[Square::from_low_bits(0); 2]; 64];
    let mut n = 0;
    while n < 64 {
        let target = Square::from_low_bits(n as u32);
        let down = if target.rank() == 5 { -1 } else { 1 };
        table[n] =
            [unwrap_or(target.offset(-1, down), target), unwrap_or(target.offset(1, down), target)];
        n += 1;
    }
    table
};

/// [`Option::unwrap_or`] as a `const fn`.
const fn unwrap_or(square: Option<Square>, default: Square) -> Square {
    match square {
        Some(square) => square,
        None => default,
    }
}

/// The en passant captures of the side to move, the first one in the low half of the word. The half of no move is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Passing(u32);

impl Passing {
    pub(super) const NONE: Passing = Passing(0);

    /// The captures on a board whose cells and state are those of one position.
    #[inline]
    pub(super) fn on<G: Geometry, C: Code, L: PieceList<G>>(
        board: &SquareBoard<G, C, L>,
    ) -> Passing {
        let Some(target) = board.en_passant() else { return Passing::NONE };
        let pawn = C::of(Piece::new(board.side(), Kind::Pawn));
        let takes = |from: &Square| board.code_on(*from) == pawn;
        let capturers = CAPTURERS[target.index()].into_iter().filter(takes);
        let word = |from| u32::from(Move::en_passant(from, target).bits());
        // From the last one on, so that the first one is lowest.
        Passing(capturers.rev().fold(0, |captures, from| captures << 16 | word(from)))
    }

    /// Appends the captures, at most two.
    #[inline(always)]
    pub(super) fn write(self, list: &mut MoveList<impl MoveFormat>) {
        if self != Passing::NONE {
            list.push_passing(self.moves(), self.0 >> 16 != 0);
        }
    }

    #[inline(always)]
    fn moves(self) -> [Move; 2] {
        [self.0 as u16, (self.0 >> 16) as u16].map(Move::from_bits)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ColourBits, CountedArrays, Grid8x8, Grid10x12};
    use super::*;
    use crate::Board;

    type Of<G> = SquareBoard<G, ColourBits, CountedArrays>;

    fn captures<G: Geometry>(board: &Of<G>) -> Vec<String> {
        let moves = board.passing.moves().into_iter();
        moves.filter(|mv| mv.bits() != 0).map(|mv| mv.to_string()).collect()
    }

    fn expect<G: Geometry>(fen: &str, expected: &[&str]) {
        let board = Of::<G>::new(&fen.parse().expect("a position"));
        assert_eq!(captures(&board), expected, "{fen} on {}", G::NAME);
    }

    fn the_captures_come_first_and_from_west_to_east<G: Geometry>() {
        expect::<G>("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 2", &["c5d6", "e5d6"]);
        expect::<G>("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", &["e5d6"]);
        expect::<G>("4k3/8/8/8/1pPp4/8/8/4K3 b - c3 0 1", &["b4c3", "d4c3"]);
        expect::<G>("4k3/8/8/pP6/8/8/8/4K3 w - a6 0 2", &["b5a6"]);
        // No pawn on the h-file of the rank below takes across the edge.
        expect::<G>("4k3/8/8/p7/7P/8/8/4K3 w - a6 0 2", &[]);
        // A piece that is no pawn, and a pawn of the other side.
        expect::<G>("4k3/8/8/2NpN3/8/8/8/4K3 w - d6 0 2", &[]);
        expect::<G>("4k3/8/8/2ppp3/8/8/8/4K3 w - d6 0 2", &[]);
        expect::<G>("4k3/8/8/2PpP3/8/8/8/4K3 w - - 0 2", &[]);
    }

    #[test]
    fn a_position_has_its_captures_on_boards_with_and_without_guards() {
        the_captures_come_first_and_from_west_to_east::<Grid8x8>();
        the_captures_come_first_and_from_west_to_east::<Grid10x12>();
    }

    #[test]
    fn captures_appear_with_the_push_and_return_when_a_move_is_taken_back() {
        let fen = "4k3/3p4/8/2P1P3/8/8/8/4K3 b - - 0 1";
        let mut board = Of::<Grid8x8>::new(&fen.parse().expect("a position"));
        let square = |name: &str| name.parse::<Square>().expect("a square");
        let push = Move::new(square("d7"), square("d5"));
        let takes = Move::en_passant(square("c5"), square("d6"));
        let before = board.make(push);
        assert_eq!(captures(&board), ["c5d6", "e5d6"]);
        let between = board.make(takes);
        assert_eq!(captures(&board), [""; 0]);
        board.unmake(takes, between);
        assert_eq!(captures(&board), ["c5d6", "e5d6"]);
        board.unmake(push, before);
        assert_eq!(captures(&board), [""; 0]);
    }
}
