//! The square-centric board: geometry × piece code × piece list.
//!
//! Two boards that differ in one word differ in one thing, so a claim such as "15x12 beats 0x88" is
//! tested by changing one parameter. Make, unmake, attack tests and the rules that no design's
//! source describes (castling, en passant) are written once, for all of them.

mod attacks;
mod code;
mod differences;
mod geometry;
mod list;
mod pawns;
mod ray_loop;
mod rules;
mod steps;

use std::marker::PhantomData;

pub use code::{Code, ColourBits, DiepCode, GambietCode, ReulFlags, ShiftCode, TypedPawns, kept};
pub use differences::Differences;
pub use geometry::{Cells, Geometry, Grid0x88, Grid8x8, Grid10x12, Grid15x12, Grid16x12};
pub use list::{BoardScan, CountedArrays, FlatList, IndexRanges, LinkedList, PieceList, Visitor};
pub use ray_loop::RayLoop;
pub use steps::StepWalk;

use crate::{
    Board, Castling, Color, Kind, Move, MoveKind, Piece, Position, Square, Stage, State, Undo,
};

/// A board of cells and a piece list.
///
/// Laid out in the order in which generation reads it, and aligned to a cache line.
#[derive(Clone)]
#[repr(C, align(64))]
pub struct SquareBoard<G: Geometry, C: Code, L: PieceList<G>> {
    cells: G::Cells,
    state: State,
    list: L,
    shape: PhantomData<(G, C)>,
}

/// The bare board with colour bits and counted arrays: what most designs on 64 squares read.
pub type Board8x8 = SquareBoard<Grid8x8, ColourBits, CountedArrays>;

impl<G: Geometry, C: Code, L: PieceList<G>> SquareBoard<G, C, L> {
    /// The code in a cell; a guard beyond the edge of a padded geometry.
    #[inline(always)]
    pub fn code(&self, cell: u8) -> u8 {
        self.cells.get(cell)
    }

    /// The side to move.
    #[inline(always)]
    pub fn side(&self) -> Color {
        self.state.side
    }

    /// The square that a pawn has just passed over.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        self.state.en_passant
    }

    /// Shows to the visitor every piece of the side to move whose moves stage `S` wants: all, or the
    /// sliders.
    #[inline(always)]
    pub fn visit<S: Stage>(&self, visitor: &mut impl Visitor) {
        if S::SLIDERS_ONLY {
            self.list.visit_sliders::<C>(&self.cells, self.state.side, visitor);
        } else {
            self.list.visit::<C>(&self.cells, self.state.side, visitor);
        }
    }

    /// The piece list.
    #[inline(always)]
    pub fn list(&self) -> &L {
        &self.list
    }

    #[inline(always)]
    fn code_on(&self, square: Square) -> u8 {
        self.cells.get(G::cell(square))
    }

    #[inline(always)]
    fn put(&mut self, piece: Piece, square: Square) {
        self.cells.set(G::cell(square), C::of(piece));
        self.list.add(piece, square);
    }

    #[inline(always)]
    fn take(&mut self, piece: Piece, square: Square) {
        self.cells.set(G::cell(square), C::EMPTY);
        self.list.remove(piece, square);
    }

    #[inline(always)]
    fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        self.cells.set(G::cell(from), C::EMPTY);
        self.cells.set(G::cell(to), C::of(piece));
        self.list.relocate(piece, from, to);
    }
}

/// The square of the pawn that an en passant capture takes.
#[inline(always)]
const fn beside(from: Square, to: Square) -> Square {
    Square::new(to.file(), from.rank())
}

impl<G: Geometry, C: Code, L: PieceList<G>> Board for SquareBoard<G, C, L> {
    fn new(position: &Position) -> Self {
        // A padded geometry with a code that has no guard does not compile.
        const { assert!(!G::PADDED || C::GUARD.is_some(), "a padded geometry needs a guard code") };
        let mut cells = G::Cells::filled(C::GUARD.unwrap_or(C::EMPTY));
        for square in Square::all() {
            cells.set(G::cell(square), C::EMPTY);
        }
        let mut board =
            SquareBoard { cells, state: position.state(), list: L::default(), shape: PhantomData };
        for (square, piece) in position.pieces() {
            board.put(piece, square);
        }
        board
    }

    #[inline]
    fn piece_at(&self, square: Square) -> Option<Piece> {
        C::piece(self.code_on(square))
    }

    #[inline]
    fn state(&self) -> State {
        self.state
    }

    #[inline]
    fn king(&self, color: Color) -> Square {
        self.list.king(color)
    }

    #[inline]
    fn attacked(&self, square: Square, by: Color) -> bool {
        self.is_attacked(square, by)
    }

    fn make(&mut self, mv: Move) -> Undo {
        let (from, to, kind) = (mv.from(), mv.to(), mv.kind());
        let moved = self.piece_at(from).expect("a move starts at a piece");
        let victim = if kind == MoveKind::EnPassant { beside(from, to) } else { to };
        let captured = self.piece_at(victim);
        if let Some(captured) = captured {
            self.take(captured, victim);
        }
        match kind {
            MoveKind::Promotion(kind) => {
                self.take(moved, from);
                self.put(Piece::new(moved.color, kind), to);
            }
            _ => self.shift(moved, from, to),
        }
        if kind == MoveKind::Castle {
            let castling = Castling::landing_on(to);
            let rook = Piece::new(moved.color, Kind::Rook);
            self.shift(rook, castling.rook_from, castling.rook_to);
        }
        let undo = Undo { state: self.state, captured };
        self.state = self.state.after(mv, moved.kind, captured.is_some());
        undo
    }

    fn unmake(&mut self, mv: Move, undo: Undo) {
        let (from, to, kind) = (mv.from(), mv.to(), mv.kind());
        self.state = undo.state;
        let moved = self.piece_at(to).expect("a move ends on its piece");
        match kind {
            MoveKind::Promotion(_) => {
                self.take(moved, to);
                self.put(Piece::new(moved.color, Kind::Pawn), from);
            }
            _ => self.shift(moved, to, from),
        }
        if kind == MoveKind::Castle {
            let castling = Castling::landing_on(to);
            let rook = Piece::new(moved.color, Kind::Rook);
            self.shift(rook, castling.rook_to, castling.rook_from);
        }
        if let Some(captured) = undo.captured {
            let victim = if kind == MoveKind::EnPassant { beside(from, to) } else { to };
            self.put(captured, victim);
        }
    }
}
