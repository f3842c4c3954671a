//! Attack sets by the same rows: the cells that the walk visits.

use raywalk_core::{
    AttackSets, Attacking, Color, Kind, Piece, Square,
    square_board::{Code, Geometry},
};

use crate::{
    Butterfly,
    design::Variant,
    layout::{Layout, Row},
    row::row_kind,
    walk::{BoardOf, Steering},
};

impl<V: Variant> Butterfly<V> {
    #[inline(always)]
    fn set(&self, board: &BoardOf<V::Layout>, piece: Piece, from: u8) -> u64 {
        let bit = |cell| <V::Layout as Layout>::Geometry::square(cell as u8).bit();
        let origin = usize::from(from);
        let mut set = 0;
        if piece.kind == Kind::Pawn {
            // The thread of captures leads back to the origin.
            let row = self.table.row(row_kind(piece), from);
            let mut cell = row.next_direction(origin);
            while cell != origin {
                set |= bit(cell);
                cell = row.next_direction(cell);
            }
            return set;
        }
        // White stands for both colours: only pawns have rows for each colour.
        let row = self.table.row(row_kind(Piece::new(Color::White, piece.kind)), from);
        let mut cell = row.next_position(origin);
        loop {
            set |= bit(cell);
            let occupied = !<V::Layout as Layout>::Code::is_empty(board.occupant(cell as u8));
            cell = V::Steering::follow(row, cell, occupied);
            if cell == origin {
                return set;
            }
        }
    }
}

impl<V: Variant> Attacking for Butterfly<V> {
    #[inline(always)]
    fn attacks_of(&self, board: &BoardOf<V::Layout>, square: Square) -> u64 {
        board.attack_set(square, |piece, from| self.set(board, piece, from))
    }

    #[inline(always)]
    fn attacks_of_side(&self, board: &BoardOf<V::Layout>, sets: &mut AttackSets) {
        board.attack_sets(sets, |piece, from| self.set(board, piece, from));
    }
}
