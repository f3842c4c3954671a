//! How the pieces of a side are found.

use std::hint::black_box;

use super::{Code, Geometry};
use crate::{Color, Kind, Piece, Square};

mod flat;
mod linked;
mod ranges;
mod scan;

pub use flat::FlatList;
pub use linked::LinkedList;
pub use ranges::IndexRanges;
pub use scan::BoardScan;

/// What a generator does with each piece that a piece list finds: the two threads of pawns apart,
/// everything else by kind.
pub trait Visitor {
    /// A pawn of the side to move stands on this cell.
    fn pawn(&mut self, from: u8);
    /// A knight, bishop, rook, queen or king of the side to move stands on this cell.
    fn piece(&mut self, kind: Kind, from: u8);
    /// A piece of this kind stands on this cell: for lists that do not keep the pawns apart.
    #[inline(always)]
    fn visit(&mut self, kind: Kind, from: u8) {
        match kind {
            Kind::Pawn => self.pawn(from),
            kind => self.piece(kind, from),
        }
    }
}

/// One way to find the pieces, kept up to date by make and unmake. Pieces are stored by cell.
pub trait PieceList<G: Geometry>: Clone + Default + Send + Sync + 'static {
    /// Short name.
    const NAME: &'static str;

    /// A piece appears.
    fn add(&mut self, piece: Piece, square: Square);
    /// A piece disappears.
    fn remove(&mut self, piece: Piece, square: Square);
    /// A piece moves to a square that holds none.
    fn relocate(&mut self, piece: Piece, from: Square, to: Square);
    /// The king's square.
    fn king(&self, color: Color) -> Square;
    /// Shows every piece of `side` to the visitor, in the list's own order.
    fn visit<C: Code>(&self, cells: &G::Cells, side: Color, visitor: &mut impl Visitor);
    /// Shows the bishops, rooks and queens. A list that does not keep the kinds apart must look at
    /// every piece all the same: that is its price.
    #[inline(always)]
    fn visit_sliders<C: Code>(&self, cells: &G::Cells, side: Color, visitor: &mut impl Visitor) {
        self.visit::<C>(cells, side, &mut SlidersOnly(visitor));
    }
}

/// Passes the sliders on and keeps the others.
struct SlidersOnly<'a, V>(&'a mut V);

impl<V: Visitor> Visitor for SlidersOnly<'_, V> {
    #[inline(always)]
    fn pawn(&mut self, _: u8) {}

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: u8) {
        if kind.is_slider() {
            self.0.piece(kind, from);
        }
    }
}

/// Disjoint counted arrays: for each colour and kind up to ten cells and their number, and an index
/// board that tells in which slot a square stands (Reul 2009). Ten, because eight pawns may become
/// a kind that begins with two.
///
/// A captured piece's slot is filled with the last one, so the order changes with play.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct CountedArrays {
    counts: [[u8; 6]; 2],
    cells: [[[u8; SLOTS]; 6]; 2],
    // Read by make and unmake alone, hence last: generation never touches its cache line.
    slots: [u8; 64],
}

const SLOTS: usize = 10;

impl Default for CountedArrays {
    fn default() -> CountedArrays {
        CountedArrays { counts: [[0; 6]; 2], cells: [[[0; SLOTS]; 6]; 2], slots: [0; 64] }
    }
}

impl CountedArrays {
    /// The cells of the pieces of one colour and kind.
    #[inline(always)]
    pub fn of(&self, color: Color, kind: Kind) -> &[u8] {
        let count = usize::from(self.counts[color.index()][kind.index()]);
        &self.cells[color.index()][kind.index()][..count.min(SLOTS)]
    }
}

impl<G: Geometry> PieceList<G> for CountedArrays {
    const NAME: &'static str = "counted arrays";

    #[inline]
    fn add(&mut self, piece: Piece, square: Square) {
        let (color, kind) = (piece.color.index(), piece.kind.index());
        let slot = self.counts[color][kind];
        self.cells[color][kind][usize::from(slot)] = G::cell(square);
        self.slots[square.index()] = slot;
        self.counts[color][kind] = slot + 1;
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        let (color, kind) = (piece.color.index(), piece.kind.index());
        let last = self.counts[color][kind] - 1;
        self.counts[color][kind] = last;
        let slot = self.slots[square.index()];
        let filler = self.cells[color][kind][usize::from(last)];
        self.cells[color][kind][usize::from(slot)] = filler;
        self.slots[G::square(filler).index()] = slot;
    }

    #[inline]
    fn relocate(&mut self, piece: Piece, from: Square, to: Square) {
        let slot = self.slots[from.index()];
        self.cells[piece.color.index()][piece.kind.index()][usize::from(slot)] = G::cell(to);
        self.slots[to.index()] = slot;
    }

    #[inline]
    fn king(&self, color: Color) -> Square {
        G::square(self.cells[color.index()][Kind::King.index()][0])
    }

    #[inline(always)]
    fn visit<C: Code>(&self, _: &G::Cells, side: Color, visitor: &mut impl Visitor) {
        for &cell in self.of(side, Kind::Pawn) {
            visitor.pawn(cell);
        }
        for kind in kinds_of_pieces() {
            for &cell in self.of(side, kind) {
                visitor.piece(kind, cell);
            }
        }
    }

    #[inline(always)]
    fn visit_sliders<C: Code>(&self, _: &G::Cells, side: Color, visitor: &mut impl Visitor) {
        for kind in kinds_of(&Kind::SLIDERS) {
            for &cell in self.of(side, kind) {
                visitor.piece(kind, cell);
            }
        }
    }
}

/// Knight to king, as a loop that stays a loop.
///
/// With a number of turns that it knows, LLVM makes five copies of one design's walk and none of
/// another's, as each one's size happens to suit; a comparison of the two would compare copying.
#[inline(always)]
pub(super) fn kinds_of_pieces() -> impl Iterator<Item = Kind> {
    kinds_of(&Kind::PIECES)
}

#[inline(always)]
fn kinds_of(kinds: &'static [Kind]) -> impl Iterator<Item = Kind> {
    kinds.iter().copied().take(black_box(kinds.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::square_board::{ColourBits, Grid8x8, Grid10x12, Grid15x12, SquareBoard};
    use crate::{Board, Position};

    /// The pieces that a list shows, in its order.
    #[derive(Default, PartialEq, Debug)]
    struct Shown(Vec<(u8, Kind)>);

    impl Visitor for Shown {
        fn pawn(&mut self, from: u8) {
            self.0.push((from, Kind::Pawn));
        }
        fn piece(&mut self, kind: Kind, from: u8) {
            self.0.push((from, kind));
        }
    }

    fn shown<G: Geometry, L: PieceList<G>>(
        board: &SquareBoard<G, ColourBits, L>,
        side: Color,
    ) -> Shown {
        let mut shown = Shown::default();
        board.list.visit::<ColourBits>(&board.cells, side, &mut shown);
        shown
    }

    /// The list shows each piece of the board once, and knows the kings.
    fn agrees<G: Geometry, L: PieceList<G>>(board: &SquareBoard<G, ColourBits, L>) {
        for side in Color::ALL {
            let mut shown = shown(board, side).0;
            shown.sort_unstable();
            let pieces: Vec<_> = Square::all()
                .filter_map(|square| Some((G::cell(square), board.piece_at(square)?)))
                .filter(|(_, piece)| piece.color == side)
                .map(|(cell, piece)| (cell, piece.kind))
                .collect();
            assert_eq!(shown, pieces, "{} on {}", L::NAME, G::NAME);
            assert_eq!(board.piece_at(board.king(side)), Some(Piece::new(side, Kind::King)));
        }
    }

    /// Pieces move, disappear and come back in no order; every list must follow.
    fn a_list_follows_its_board<G: Geometry, L: PieceList<G>>() {
        let mut board = SquareBoard::<G, ColourBits, L>::new(&Position::default());
        agrees(&board);
        let mut gone = Vec::new();
        let mut word = 1u32;
        for _ in 0..3_000 {
            word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (one, other) =
                (Square::from_low_bits(word >> 26), Square::from_low_bits(word >> 20));
            match (board.piece_at(one), board.piece_at(other)) {
                (Some(piece), None) => board.shift(piece, one, other),
                (Some(piece), Some(_)) if piece.kind != Kind::King => {
                    board.take(piece, one);
                    gone.push(piece);
                }
                // One of the middle, so that not only the last one gone comes back.
                (None, _) if !gone.is_empty() => board.put(gone.remove(gone.len() / 2), one),
                _ => {}
            }
            agrees(&board);
        }
        assert!(gone.len() < 30, "pieces came back too");
    }

    #[test]
    fn every_list_follows_its_board() {
        a_list_follows_its_board::<Grid10x12, CountedArrays>();
        a_list_follows_its_board::<Grid10x12, BoardScan>();
        a_list_follows_its_board::<Grid10x12, IndexRanges>();
        a_list_follows_its_board::<Grid10x12, LinkedList>();
        a_list_follows_its_board::<Grid10x12, FlatList>();
        a_list_follows_its_board::<Grid8x8, FlatList>();
        a_list_follows_its_board::<Grid15x12, LinkedList>();
    }

    #[test]
    fn unmake_restores_the_order_of_the_linked_list_and_of_the_scan() {
        fn order_is_restored<L: PieceList<Grid10x12>>() {
            let fen = "r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 2";
            let position = fen.parse().expect("a position");
            let mut board = SquareBoard::<Grid10x12, ColourBits, L>::new(&position);
            let before = Color::ALL.map(|side| shown(&board, side));
            let square = |name: &str| name.parse::<Square>().expect("a square");
            let line = [
                crate::Move::promotion(square("b7"), square("a8"), Kind::Queen),
                crate::Move::new(square("e8"), square("f7")),
                crate::Move::new(square("h1"), square("h8")),
                crate::Move::new(square("d5"), square("d4")),
                crate::Move::castle(square("e1"), square("c1")),
            ];
            let undone: Vec<_> = line.iter().map(|&mv| (mv, board.make(mv))).collect();
            undone.into_iter().rev().for_each(|(mv, undo)| board.unmake(mv, undo));
            assert_eq!(Color::ALL.map(|side| shown(&board, side)), before, "{}", L::NAME);
        }
        order_is_restored::<LinkedList>();
        order_is_restored::<BoardScan>();
    }
}
