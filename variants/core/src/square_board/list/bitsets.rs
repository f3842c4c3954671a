//! A set of squares for each colour and kind.

use super::{PieceList, Visitor, kinds_of, kinds_of_pieces};
use crate::bitboards::attacks::attackers;
use crate::square_board::{Code, Geometry};
use crate::{Color, Kind, Piece, Square};

/// Bitboards as a piece list: one word for each colour and kind, in which a scan finds the pieces.
///
/// Make and unmake flip one bit for each square, and no slot must be looked up. The squares come out from a1 to
/// h8, so the order does not depend on the game.
///
/// With `CHECKS` the sets also answer whether a square is attacked, which the board else finds along the rays of its
/// cells.
#[derive(Clone, Debug, Default)]
#[repr(C)]
pub struct BitboardSets<const CHECKS: bool = false> {
    sets: [[u64; 6]; 2],
}

impl<const CHECKS: bool> BitboardSets<CHECKS> {
    #[inline(always)]
    fn of(&self, color: Color, kind: Kind) -> u64 {
        self.sets[color.index()][kind.index()]
    }

    /// Calls `visit` with the cell of each piece of one colour and kind.
    #[inline(always)]
    fn scan<G: Geometry>(&self, color: Color, kind: Kind, mut visit: impl FnMut(u8)) {
        let mut set = self.of(color, kind);
        while set != 0 {
            visit(G::cell(Square::from_low_bits(set.trailing_zeros())));
            set &= set - 1;
        }
    }
}

impl<G: Geometry, const CHECKS: bool> PieceList<G> for BitboardSets<CHECKS> {
    const NAME: &'static str = "bitboard sets";

    #[inline]
    fn add(&mut self, piece: Piece, square: Square) {
        self.sets[piece.color.index()][piece.kind.index()] ^= square.bit();
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.sets[piece.color.index()][piece.kind.index()] ^= square.bit();
    }

    #[inline]
    fn relocate(&mut self, piece: Piece, from: Square, to: Square) {
        self.sets[piece.color.index()][piece.kind.index()] ^= from.bit() | to.bit();
    }

    #[inline]
    fn king(&self, color: Color) -> Square {
        Square::from_low_bits(self.of(color, Kind::King).trailing_zeros())
    }

    #[inline]
    fn attacked(&self, square: Square, by: Color) -> Option<bool> {
        CHECKS.then(|| {
            let occupied = self.sets.as_flattened().iter().fold(0, |all, set| all | set);
            attackers(square, by, occupied, |kind| self.of(by, kind)) != 0
        })
    }

    #[inline(always)]
    fn visit<C: Code>(&self, _: &G::Cells, side: Color, visitor: &mut impl Visitor) {
        self.scan::<G>(side, Kind::Pawn, |cell| visitor.pawn(cell));
        for kind in kinds_of_pieces() {
            self.scan::<G>(side, kind, |cell| visitor.piece(kind, cell));
        }
    }

    #[inline(always)]
    fn visit_sliders<C: Code>(&self, _: &G::Cells, side: Color, visitor: &mut impl Visitor) {
        for kind in kinds_of(&Kind::SLIDERS) {
            self.scan::<G>(side, kind, |cell| visitor.piece(kind, cell));
        }
    }
}
