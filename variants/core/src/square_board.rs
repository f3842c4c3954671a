//! The square-centric board: geometry × piece code × piece list.
//!
//! [`SquareBoard`] is generic over all three, so a claim such as "15x12 beats 0x88" is tested by
//! changing one type parameter. All boards share make, unmake, attack tests and the rules that the
//! sources leave out (castling, en passant).

mod attacks;
mod cells;
mod code;
mod differences;
#[allow(unsafe_code, reason = "a walk needs no mask for a cell that its step has tested")]
mod geometry;
mod list;
mod passage;
mod passing;
mod pawns;
mod ray_loop;
mod rules;
mod sets;
#[allow(unsafe_code, reason = "a walk needs no mask for a cell that its step has tested")]
mod steps;
mod words;

use std::marker::PhantomData;

pub use cells::{BoardPerSide, Cells, ColoursAndKinds};
pub use code::{
    Code, ColourBits, DiepCode, GambietCode, NeutralColour, ReulFlags, ShiftCode, SideNibbles,
    TypedPawns, kept,
};
pub use differences::Differences;
pub use geometry::{
    Geometry, Grid0x88, Grid8x8, Grid10x12, Grid15x12, Grid16x12, SplitGrid8x8, TwoGrids8x8,
};
pub use list::{
    BitboardSets, BoardScan, CountedArrays, FlatList, IndexRanges, LinkedList, PieceList, Visitor,
    WithSets,
};
use passing::Passing;
pub use ray_loop::RayLoop;
pub use steps::{StepWalk, UnrolledSteps};
pub use words::{CapturedMove, VictimAttacker};

use crate::{
    Board, Castling, Color, Kind, Move, MoveKind, Piece, Position, Square, Stage, State, Undo,
};

/// A board of cells and a piece list.
///
/// Aligned to a cache line; the fields are in the order in which generation reads them.
#[derive(Clone)]
#[repr(C, align(64))]
pub struct SquareBoard<G: Geometry, C: Code, L: PieceList<G>> {
    cells: G::Cells,
    state: State,
    passing: Passing,
    list: L,
    shape: PhantomData<(G, C)>,
}

/// An unpadded board with colour bits and counted arrays, used by most designs on 64 cells.
pub type Board8x8 = SquareBoard<Grid8x8, ColourBits, CountedArrays>;

impl<G: Geometry, C: Code, L: PieceList<G>> SquareBoard<G, C, L> {
    /// The code in a cell. Cells off the board of a padded geometry hold the guard code.
    #[inline(always)]
    pub fn code(&self, cell: u8) -> u8 {
        self.cells.get(cell)
    }

    /// The part of the code in a cell that tells whether the cell is empty and whose piece it holds: for walks
    /// that need no more, on a board that may store the code as two.
    #[inline(always)]
    pub fn occupant(&self, cell: u8) -> u8 {
        self.cells.occupant(cell)
    }

    /// All cells, for a walk that reads them in assembly or reads one of two boards.
    #[inline(always)]
    pub fn cells(&self) -> &G::Cells {
        &self.cells
    }

    /// The side to move.
    #[inline(always)]
    pub fn side(&self) -> Color {
        self.state.side
    }

    /// The square that a pawn has just passed over with a double push.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        self.state.en_passant
    }

    /// Calls the visitor for each piece of the side to move, or for its sliders only if stage `S`
    /// is restricted to them.
    #[inline(always)]
    pub fn visit<S: Stage>(&self, visitor: &mut impl Visitor) {
        if S::SLIDERS_ONLY {
            self.list.visit_sliders::<C>(&self.cells, self.state.side, visitor);
        } else {
            self.list.visit::<C>(&self.cells, self.state.side, visitor);
        }
    }

    /// The piece list, for designs that read it without a [`Visitor`].
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

/// The square whose piece a move captures, if it captures one.
#[inline(always)]
const fn victim_square(mv: Move) -> Square {
    let (from, to) = (mv.from(), mv.to());
    match mv.kind() {
        // The captured pawn is next to the origin, on the file of the target.
        MoveKind::EnPassant => Square::new(to.file(), from.rank()),
        _ => to,
    }
}

impl<G: Geometry, C: Code, L: PieceList<G>> Board for SquareBoard<G, C, L> {
    const CELLS: Option<usize> = Some(G::CELLS);
    const BYTES: usize = G::CELLS + size_of::<State>() + size_of::<Passing>() + size_of::<L>();

    fn new(position: &Position) -> Self {
        // Rejects the combination at compile time: a walk could not see the edge.
        const { assert!(!G::PADDED || C::GUARD.is_some(), "a padded geometry needs a guard code") };
        let mut cells = G::Cells::filled(C::GUARD.unwrap_or(C::EMPTY));
        for square in Square::all() {
            cells.set(G::cell(square), C::EMPTY);
        }
        let mut board = SquareBoard {
            cells,
            state: position.state(),
            passing: Passing::NONE,
            list: L::default(),
            shape: PhantomData,
        };
        for (square, piece) in position.pieces() {
            board.put(piece, square);
        }
        board.passing = Passing::on(&board);
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
        self.list.attacked(square, by).unwrap_or_else(|| self.is_attacked(square, by))
    }

    fn make(&mut self, mv: Move) -> Undo {
        let (from, to, kind) = (mv.from(), mv.to(), mv.kind());
        let moved = self.piece_at(from).expect("a move starts at a piece");
        // Captured first, because the moved piece may land on the same cell.
        let victim = victim_square(mv);
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
        self.passing = Passing::on(self);
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
            self.put(captured, victim_square(mv));
        }
        self.passing = Passing::on(self);
    }
}
