//! A database for each side: the control for sharing one.

use raywalk_core::square_board::Board8x8;
use raywalk_core::{Card, Feature, Generator, Move, MoveList, Stage};

use crate::database::{Bytes, Database, PAWN_HEADS, PAWN_RAYS, PAWN_TARGETS, RecordOf};
use crate::walk::Walk;
use crate::{CARD, GouletBytes};

/// [`GouletBytes`] with tables of its own for each side.
pub struct GouletByColour([Database<Bytes>; 2]);

impl Generator for GouletByColour {
    const CARD: Card = Card {
        id: "goulet/bytes-by-colour",
        name: "Goulet ray database, one for each side",
        author: "Raywalk, after Jean Goulet",
        year: Some(2026),
        source: "Raywalk: a control for goulet/bytes, not published elsewhere",
        reconstructed: "each side has heads, rays and targets of all its pieces in tables of its own, as if \
                        colour mattered for all of them; everything else is goulet/bytes",
        ..CARD
    };
    type Board = Board8x8;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(GouletByColour([Database::new(), Database::new()])))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Board8x8, list: &mut MoveList) {
        let database = &self.0[board.side().index()];
        board.visit::<S>(&mut Walk::<S, Bytes>::new(database, board, list));
        board.special_moves::<S>(list);
    }

    /// Excludes what is never read: the pawns of the other side in each database, and the entries that round the
    /// tables up to powers of two.
    fn table_bytes(&self) -> usize {
        let pawns = (PAWN_HEADS + PAWN_RAYS) * size_of::<RecordOf<Bytes>>() + PAWN_TARGETS;
        2 * GouletBytes::TABLE_BYTES - pawns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_nearly_doubles_the_tables() {
        let pieces = (5 * 64 + 1_596) * 3 + 3_668;
        let pawns = (96 + 264) * 3 + 280;
        let bytes = |design: Box<GouletByColour>| design.table_bytes();
        assert_eq!(GouletByColour::build().map(bytes), Ok(2 * pieces + pawns));
        assert_eq!(GouletBytes::TABLE_BYTES, pieces + pawns);
    }
}
