//! One array per side, with a fixed range of slots for each kind.

use std::ops::Range;

use super::{PieceList, SLOTS, Visitor, kinds_of, kinds_of_pieces};
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
    sides: [[u8; KING + 1]; 2],
}

/// The slot of the king, behind those of the other kinds.
const KING: usize = SLOTS * Kind::King.index();

/// The slots of a kind.
#[inline(always)]
fn range(kind: Kind) -> Range<usize> {
    let start = SLOTS * kind.index();
    start..start + if matches!(kind, Kind::King) { 1 } else { SLOTS }
}

impl Default for IndexRanges {
    fn default() -> IndexRanges {
        IndexRanges { sides: [[NONE; KING + 1]; 2] }
    }
}

impl IndexRanges {
    /// Replaces `old` by `new` in the slots of the piece's kind. A slot with `old` always exists,
    /// because no side has more than ten pieces of a kind.
    #[inline]
    fn overwrite(&mut self, piece: Piece, old: u8, new: u8) {
        let slots = &mut self.sides[piece.color.index()][range(piece.kind)];
        let slot = match piece.kind {
            // Where the king was does not matter.
            Kind::King => slots.first_mut(),
            _ => slots.iter_mut().find(|cell| **cell == old),
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
        G::square(self.sides[color.index()][KING])
    }

    #[inline(always)]
    fn visit<C: Code>(&self, _: &G::Cells, side: Color, visitor: &mut impl Visitor) {
        let slots = &self.sides[side.index()];
        for &cell in &slots[range(Kind::Pawn)] {
            if cell != NONE {
                visitor.pawn(cell);
            }
        }
        for kind in kinds_of_pieces() {
            for &cell in slots.get(range(kind)).unwrap_or_default() {
                if cell != NONE {
                    visitor.piece(kind, cell);
                }
            }
        }
    }

    #[inline(always)]
    fn visit_sliders<C: Code>(&self, _: &G::Cells, side: Color, visitor: &mut impl Visitor) {
        let slots = &self.sides[side.index()];
        for kind in kinds_of(&Kind::SLIDERS) {
            for &cell in slots.get(range(kind)).unwrap_or_default() {
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
