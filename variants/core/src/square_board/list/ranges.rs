//! One array per side, with a fixed range of slots for each kind.

use super::{PieceList, SLOTS, Visitor, kinds_of};
use crate::square_board::{Code, Geometry};
use crate::{Color, Kind, Piece, Square};

/// Marks an empty slot. No square has this cell: every geometry has at most 192 cells.
const NONE: u8 = 255;

/// Index ranges: 51 slots per side, ten each for pawn, knight, bishop, rook and queen, and one for
/// the king.
///
/// A captured piece leaves an empty slot, so generation reads every slot. An update searches the
/// ten slots of its kind, so no table from squares to slots is needed.
///
/// Source: *Building a Chess Move Generator: What You Need to Get Started*.
#[derive(Clone, Debug)]
pub struct IndexRanges {
    sides: [Slots; 2],
}

#[derive(Clone, Debug)]
#[repr(C)]
struct Slots {
    ranges: [[u8; SLOTS]; 5],
    king: u8,
}

impl Default for IndexRanges {
    fn default() -> IndexRanges {
        let empty = Slots { ranges: [[NONE; SLOTS]; 5], king: NONE };
        IndexRanges { sides: [empty.clone(), empty] }
    }
}

impl IndexRanges {
    /// Replaces `old` by `new` in the slots of the piece's kind. A slot with `old` always exists,
    /// because no side has more than ten pieces of a kind.
    #[inline]
    fn overwrite(&mut self, piece: Piece, old: u8, new: u8) {
        let side = &mut self.sides[piece.color.index()];
        let slot = match side.ranges.get_mut(piece.kind.index()) {
            Some(range) => range.iter_mut().find(|cell| **cell == old),
            None => Some(&mut side.king),
        };
        *slot.expect("a side has at most ten pieces of a kind, each in a slot") = new;
    }
}

impl<G: Geometry> PieceList<G> for IndexRanges {
    const NAME: &'static str = "index ranges";

    #[inline]
    fn add(&mut self, piece: Piece, square: Square) {
        self.overwrite(piece, NONE, G::cell(square));
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.overwrite(piece, G::cell(square), NONE);
    }

    #[inline]
    fn relocate(&mut self, piece: Piece, from: Square, to: Square) {
        self.overwrite(piece, G::cell(from), G::cell(to));
    }

    #[inline]
    fn king(&self, color: Color) -> Square {
        G::square(self.sides[color.index()].king)
    }

    #[inline(always)]
    fn visit<C: Code>(&self, _: &G::Cells, side: Color, visitor: &mut impl Visitor) {
        let side = &self.sides[side.index()];
        for (kind, range) in Kind::ALL.into_iter().zip(&side.ranges) {
            for &cell in range {
                if cell != NONE {
                    visitor.visit(kind, cell);
                }
            }
        }
        visitor.piece(Kind::King, side.king);
    }

    #[inline(always)]
    fn visit_sliders<C: Code>(&self, _: &G::Cells, side: Color, visitor: &mut impl Visitor) {
        let ranges = &self.sides[side.index()].ranges;
        for kind in kinds_of(&Kind::SLIDERS) {
            // The king has no range, and it is no slider.
            let Some(range) = ranges.get(kind.index()) else { continue };
            for &cell in range {
                if cell != NONE {
                    visitor.piece(kind, cell);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_has_51_slots() {
        assert_eq!(size_of::<IndexRanges>(), 2 * 51);
    }
}
