//! One loop for all pieces, pawns included.
//!
//! According to the wiki, move generation needs three control structures: leapers, pawns, sliders.
//! This variant needs one, because it turns the differences between lists into data. One value is
//! the set of code bits that make a target valid: a push needs an empty square, a capture an enemy,
//! any other piece either. The other is the number of moves that a kept target counts as. A pawn
//! about to promote stores four moves and counts four; any other piece stores the same move four
//! times, in the same eight bytes, and counts one.

use std::hint::black_box;
use std::ops::Range;

use raywalk_core::square_board::{Code, ShiftCode};
use raywalk_core::{
    Card, Color, Cursor, Feature, Generator, Kind, Move, MoveList, Square, Stage, StageId,
};

use crate::node::Node;
use crate::occupancy::{DenseBoard, own_bit};
use crate::table::Table;
use crate::variants::{CARD, OURS};

/// All lists in one table of 3,948 nodes, walked by one loop.
#[repr(transparent)]
pub struct OneTable {
    table: Table<u32>,
}

impl Generator for OneTable {
    const CARD: Card = Card {
        id: "dense-index/one-table",
        name: "Dense index list, one loop for all pieces",
        reconstructed: CARD.reconstructed,
        ..OURS
    };
    type Board = DenseBoard;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(OneTable { table: *Table::new() }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &DenseBoard, list: &mut MoveList) {
        let rows = self.rows::<S>(board.side());
        let rows = match S::ID {
            StageId::All if S::SLIDERS_ONLY => &rows[SLIDERS],
            StageId::All => &rows[..],
            StageId::Captures => &rows[1..],
            StageId::Quiets => &rows[..6],
        };
        // If the compiler knew the number of rows, it would unroll this into one copy of the walk
        // per row.
        let mut cursor = list.cursor();
        for row in black_box(rows) {
            for &from in board.list().of(board.side(), row.kind) {
                self.walk(board, row, Square::from_low_bits(u32::from(from)), &mut cursor);
            }
        }
        drop(cursor);
        board.special_moves::<S>(list);
    }

    fn table_bytes(&self) -> usize {
        self.table.bytes()
    }
}

/// The lists of one kind of piece, or the pushes or captures of pawns.
struct Row<'a> {
    kind: Kind,
    heads: &'a [u16; 64],
    /// A move is kept if the code of its target has one of these bits.
    wanted: u8,
    /// The rank from which the piece promotes, counted from 0 on its own side.
    promotes_from: u8,
}

/// The rows of bishops, rooks and queens.
const SLIDERS: Range<usize> = 2..5;
/// The rank from which a pawn promotes, counted from 0 on its own side.
const SEVENTH: u8 = 6;
/// A rank that no square has.
const NEVER: u8 = 8;

/// Added to four copies of a pawn move, gives its four promotions.
const PROMOTIONS: u64 = 0x7000_6000_5000_4000;
/// Multiplied by a 16-bit word, gives four copies of it.
const COPIES: u64 = 0x0001_0001_0001_0001;

impl OneTable {
    /// The rows, with pushes first and captures last, so that each stage is a contiguous slice.
    #[inline(always)]
    fn rows<S: Stage>(&self, side: Color) -> [Row<'_>; 7] {
        let (empty, enemy) = (ShiftCode::EMPTY, own_bit(!side));
        let wanted = match S::ID {
            StageId::All => empty | enemy,
            StageId::Captures => enemy,
            StageId::Quiets => empty,
        };
        let heads = self.table.heads();
        let piece = |kind| Row { kind, heads: heads.pieces(kind), wanted, promotes_from: NEVER };
        let [knight, bishop, rook, queen, king] = Kind::PIECES.map(piece);
        let pawn = |heads, wanted| Row { kind: Kind::Pawn, heads, wanted, promotes_from: SEVENTH };
        let pushes = pawn(heads.pushes(side), empty);
        let captures = pawn(heads.captures(side), enemy);
        [pushes, knight, bishop, rook, queen, king, captures]
    }

    #[inline(always)]
    fn walk(&self, board: &DenseBoard, row: &Row, from: Square, list: &mut Cursor<'_>) {
        // Compares two ranks. If this tested for a pawn instead, the compiler would duplicate the
        // loop, one copy for pawns and one for the rest.
        let four = board.side().view(from).rank() == row.promotes_from;
        let (added, count) = if four { (PROMOTIONS, 4) } else { (0, 1) };
        let mut index = Table::<u32>::head(row.heads, from);
        loop {
            let node = self.table.node(index);
            let to = node.to();
            let code = board.code(to.number());
            let lanes = u64::from(Move::new(from, to).bits()) * COPIES + added;
            let (tail, end) = list.tail();
            // Always four stores, which the compiler merges into one of eight bytes.
            for (lane, slot) in tail[..4].iter_mut().enumerate() {
                *slot = Move::from_bits((lanes >> (16 * lane)) as u16);
            }
            *end += if code & row.wanted != 0 { count } else { 0 };
            index = node.next(code);
            if index == 0 {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_copies_of_a_move_plus_the_addend_are_its_promotions() {
        let (from, to) = (Square::new(0, 6), Square::new(1, 7));
        let lanes = u64::from(Move::new(from, to).bits()) * COPIES + PROMOTIONS;
        let moves = [0, 1, 2, 3].map(|lane| Move::from_bits((lanes >> (16 * lane)) as u16));
        assert_eq!(moves, Move::promotions(from, to));
    }
}
