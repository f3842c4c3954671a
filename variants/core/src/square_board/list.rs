//! Piece lists: how a generator finds the pieces of a side.

use std::hint::black_box;

use super::{Code, Geometry};
use crate::{Color, Kind, Piece, Square};

mod bitsets;
mod flat;
mod linked;
mod ranges;
mod scan;
mod with_sets;

pub use bitsets::BitboardSets;
pub use flat::FlatList;
pub use linked::LinkedList;
pub use ranges::IndexRanges;
pub use scan::BoardScan;
pub use with_sets::WithSets;

/// Receives the pieces that a [`PieceList`] finds. Pawns have a method of their own, because their
/// captures and pushes differ.
pub trait Visitor {
    /// Receives the cell of a pawn.
    fn pawn(&mut self, from: u8);
    /// Receives the kind and cell of a knight, bishop, rook, queen or king.
    fn piece(&mut self, kind: Kind, from: u8);
    /// Receives a piece of any kind, from lists that do not store the pawns separately.
    #[inline(always)]
    fn visit(&mut self, kind: Kind, from: u8) {
        match kind {
            Kind::Pawn => self.pawn(from),
            kind => self.piece(kind, from),
        }
    }
}

/// A way to find the pieces of a side, updated by make and unmake. Pieces are stored by cell.
pub trait PieceList<G: Geometry>: Clone + Default + Send + Sync + 'static {
    /// Short name, shown by failing tests.
    const NAME: &'static str;

    /// Adds a piece.
    fn add(&mut self, piece: Piece, square: Square);
    /// Removes a piece.
    fn remove(&mut self, piece: Piece, square: Square);
    /// Moves a piece to an empty square.
    fn relocate(&mut self, piece: Piece, from: Square, to: Square);
    /// The square of the king of this colour.
    fn king(&self, color: Color) -> Square;
    /// Whether a piece of `by` attacks a square; `None` for a list that cannot tell, so that the board looks along the
    /// rays of its cells.
    #[inline(always)]
    fn attacked(&self, _square: Square, _by: Color) -> Option<bool> {
        None
    }
    /// Calls the visitor for every piece of `side`, in the order of the list.
    fn visit<C: Code>(&self, cells: &G::Cells, side: Color, visitor: &mut impl Visitor);
    /// Calls the visitor for the bishops, rooks and queens of `side`. By default this filters all
    /// pieces, which is the cost of a list that is not sorted by kind.
    #[inline(always)]
    fn visit_sliders<C: Code>(&self, cells: &G::Cells, side: Color, visitor: &mut impl Visitor) {
        self.visit::<C>(cells, side, &mut SlidersOnly(visitor));
    }
}

/// Forwards the sliders to another visitor and drops all other pieces.
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

/// Disjoint counted arrays (Reul 2009): up to ten cells and a count for each colour and kind, and
/// the slot of the piece on each square. Ten, because a side may promote eight pawns to a kind of
/// which it started with two.
///
/// The last piece moves into the slot of a captured one, so the order changes during a game.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct CountedArrays {
    counts: [[u8; 6]; 2],
    cells: [[[u8; SLOTS]; 6]; 2],
    // Last, because only make and unmake read it: generation never touches its cache lines.
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

    /// The number of pieces of both sides.
    #[inline(always)]
    pub fn pieces(&self) -> usize {
        self.counts.as_flattened().iter().map(|&count| usize::from(count)).sum()
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
        // If the piece is the last one, it fills its own slot: no branch is needed.
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

/// Knight to king, as a loop that LLVM cannot unroll.
///
/// If LLVM knows a bound of the trip count, it copies the walk of one design five times and that of another not
/// at all, depending on code size. A comparison of the two would then measure copying. The slice is
/// opaque, and not only its length: the length of a known slice has a known bound.
#[inline(always)]
pub(super) fn kinds_of_pieces() -> impl Iterator<Item = Kind> {
    kinds_of(&Kind::PIECES)
}

#[inline(always)]
fn kinds_of(kinds: &'static [Kind]) -> impl Iterator<Item = Kind> {
    black_box(kinds).iter().copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::square_board::{ColourBits, Grid8x8, Grid10x12, Grid15x12, SquareBoard};
    use crate::{Board, Position};

    /// Records the visited pieces in order.
    #[derive(Default, PartialEq, Debug)]
    struct Visited(Vec<(u8, Kind)>);

    impl Visitor for Visited {
        fn pawn(&mut self, from: u8) {
            self.0.push((from, Kind::Pawn));
        }
        fn piece(&mut self, kind: Kind, from: u8) {
            self.0.push((from, kind));
        }
    }

    fn visited<G: Geometry, L: PieceList<G>>(
        board: &SquareBoard<G, ColourBits, L>,
        side: Color,
    ) -> Visited {
        let mut visited = Visited::default();
        board.list.visit::<ColourBits>(&board.cells, side, &mut visited);
        visited
    }

    /// Asserts that the list holds each piece of the board once, and the kings' squares.
    fn assert_consistent<G: Geometry, L: PieceList<G>>(board: &SquareBoard<G, ColourBits, L>) {
        for side in Color::ALL {
            let mut visited = visited(board, side).0;
            visited.sort_unstable();
            let pieces: Vec<_> = Square::all()
                .filter_map(|square| Some((G::cell(square), board.piece_at(square)?)))
                .filter(|(_, piece)| piece.color == side)
                .map(|(cell, piece)| (cell, piece.kind))
                .collect();
            assert_eq!(visited, pieces, "{} on {}", L::NAME, G::NAME);
            assert_eq!(board.piece_at(board.king(side)), Some(Piece::new(side, Kind::King)));
        }
    }

    /// Moves, removes and restores pieces in random order.
    fn a_list_follows_its_board<G: Geometry, L: PieceList<G>>() {
        let mut board = SquareBoard::<G, ColourBits, L>::new(&Position::default());
        assert_consistent(&board);
        let mut removed = Vec::new();
        let mut word = 1u32;
        for _ in 0..3_000 {
            word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (one, other) =
                (Square::from_low_bits(word >> 26), Square::from_low_bits(word >> 20));
            match (board.piece_at(one), board.piece_at(other)) {
                (Some(piece), None) => board.shift(piece, one, other),
                (Some(piece), Some(_)) if piece.kind != Kind::King => {
                    board.take(piece, one);
                    removed.push(piece);
                }
                // From the middle, so that pieces also return out of order.
                (None, _) if !removed.is_empty() => {
                    board.put(removed.remove(removed.len() / 2), one);
                }
                _ => {}
            }
            assert_consistent(&board);
        }
        assert!(removed.len() < 30, "no piece was restored");
    }

    #[test]
    fn every_list_follows_its_board() {
        a_list_follows_its_board::<Grid10x12, CountedArrays>();
        a_list_follows_its_board::<Grid10x12, BoardScan>();
        a_list_follows_its_board::<Grid10x12, IndexRanges>();
        a_list_follows_its_board::<Grid10x12, LinkedList>();
        a_list_follows_its_board::<Grid10x12, FlatList>();
        a_list_follows_its_board::<Grid10x12, BitboardSets>();
        a_list_follows_its_board::<Grid10x12, BitboardSets<true>>();
        a_list_follows_its_board::<Grid8x8, FlatList>();
        a_list_follows_its_board::<Grid8x8, WithSets<CountedArrays>>();
        a_list_follows_its_board::<Grid8x8, BitboardSets>();
        a_list_follows_its_board::<Grid15x12, LinkedList>();
    }

    #[test]
    fn the_sets_beside_a_list_follow_its_board() {
        let fen = "r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 2";
        let position = fen.parse().expect("a position");
        let mut board = SquareBoard::<Grid8x8, ColourBits, WithSets<CountedArrays>>::new(&position);
        let check = |board: &SquareBoard<_, _, WithSets<_>>| {
            for color in Color::ALL {
                let own = Square::all()
                    .filter(|&square| board.piece_at(square).is_some_and(|it| it.color == color));
                let set = own.fold(0, |set, square| set | square.bit());
                assert_eq!(board.list.set(color), set, "{color:?}");
            }
        };
        check(&board);
        let square = |name: &str| name.parse::<Square>().expect("a square");
        let line = [
            crate::Move::en_passant(square("e5"), square("d6")),
            crate::Move::castle(square("e8"), square("c8")),
            crate::Move::promotion(square("b7"), square("b8"), Kind::Queen),
        ];
        let undone: Vec<_> = line
            .iter()
            .map(|&mv| {
                let undo = board.make(mv);
                check(&board);
                (mv, undo)
            })
            .collect();
        for (mv, undo) in undone.into_iter().rev() {
            board.unmake(mv, undo);
            check(&board);
        }
    }

    #[test]
    fn unmake_restores_the_order_of_linked_list_board_scan_and_sets() {
        fn order_is_restored<L: PieceList<Grid10x12>>() {
            let fen = "r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 2";
            let position = fen.parse().expect("a position");
            let mut board = SquareBoard::<Grid10x12, ColourBits, L>::new(&position);
            let before = Color::ALL.map(|side| visited(&board, side));
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
            assert_eq!(Color::ALL.map(|side| visited(&board, side)), before, "{}", L::NAME);
        }
        order_is_restored::<LinkedList>();
        order_is_restored::<BoardScan>();
        order_is_restored::<BitboardSets>();
    }
}
