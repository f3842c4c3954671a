//! The walk that adds a step until it meets a piece or the edge.
//!
//! Boards differ in how they detect the edge: a padded board reads a guard cell, 0x88 and the plain
//! 8x8 board test the index. The [`Geometry`] hides the difference, so all boards run one loop and
//! two boards that differ in one parameter differ in nothing else.
//!
//! Cost per empty square: one load and one branch with guards, two branches if the index is tested.
//! While the branches are predicted, the loop-carried dependency chain is one addition. All stages
//! share the walk, so generating captures alone still visits every empty square.
//!
//! There is one loop for all sliders and one for both leapers. Their steps come from a table, so the compiler
//! neither copies nor unrolls them. [`UnrolledSteps`] has one loop for each kind instead, with constant steps.

use std::marker::PhantomData;

use super::geometry::signed;
use super::{Code, Geometry, PieceList, SquareBoard, Visitor, code::kept_guarded, kept};
use crate::{
    Color, Context, Cursor, Kind, Move, MoveFormat, MoveList, Origin, Piece, Stage, StageId, Takes,
    opaque,
};

/// A [`Visitor`] that appends the moves of stage `S` of each piece, except castling and en passant.
pub struct StepWalk<'a, S, G: Geometry, C: Code, L: PieceList<G>, F: MoveFormat = Move> {
    board: &'a SquareBoard<G, C, L>,
    side: Color,
    list: Cursor<'a, F>,
    stage: PhantomData<S>,
}

impl<'a, S: Stage, G: Geometry, C: Code, L: PieceList<G>, F: MoveFormat>
    StepWalk<'a, S, G, C, L, F>
{
    /// A walk of the side to move that appends to `list`.
    #[inline(always)]
    pub fn new(board: &'a SquareBoard<G, C, L>, list: &'a mut MoveList<F>) -> Self {
        StepWalk { board, side: board.side(), list: list.cursor(), stage: PhantomData }
    }

    /// Where the walk appends, for visitors that write the moves of some pieces themselves.
    #[inline(always)]
    pub fn cursor(&mut self) -> &mut Cursor<'a, F> {
        &mut self.list
    }

    /// Appends a move to a cell.
    ///
    /// # Safety
    /// [`Geometry::stepped`] returned a number whose low eight bits are `to`.
    #[inline(always)]
    unsafe fn append(&mut self, kind: Kind, from: Origin, to: u8, code: u8, takes: Takes) {
        let context = Context { piece: Piece::new(self.side, kind), code, empty: C::EMPTY, takes };
        // SAFETY: the caller's promise is that of `target_of_step`.
        let target = unsafe { G::target_of_step(to) };
        self.list.push_with(Move::between(from, target), &context);
    }

    /// Whether the cell holds an enemy piece. Boards without guards use the cheaper test.
    #[inline(always)]
    fn takes(&self, code: u8) -> bool {
        if G::PADDED { C::takes(code, self.side) } else { C::is_enemy(code, self.side) }
    }

    #[inline(always)]
    fn slide(&mut self, kind: Kind, from: u8, steps: &[u8]) {
        let origin = Origin::of(G::square(from));
        for &step in steps {
            let (mut cell, step) = (usize::from(from), signed(step));
            // Always a cell on a padded board: there a guard, which is not empty, ends the ray.
            while let Some(next) = G::stepped(cell, step) {
                cell = next;
                if !C::is_empty(self.board.code(cell as u8)) {
                    if S::CAPTURES {
                        // Read again by an index that the compiler does not know, as the loops in C do: no iteration
                        // has to keep the code in a register.
                        let to = opaque(cell) as u8;
                        let code = self.board.code(to);
                        if self.takes(code) {
                            // SAFETY: `stepped` returned the cell.
                            unsafe { self.append(kind, origin, to, code, Takes::Always) };
                        }
                    }
                    break;
                }
                if S::QUIETS {
                    // SAFETY: `stepped` returned the cell.
                    unsafe { self.append(kind, origin, cell as u8, C::EMPTY, Takes::Never) };
                }
            }
        }
    }

    /// Appends single steps. Each stage makes one test per target; two lists need a second one, as in
    /// [`slide`](Self::slide).
    #[inline(always)]
    fn leap(&mut self, kind: Kind, from: u8, steps: &[u8]) {
        let origin = Origin::of(G::square(from));
        for &step in steps {
            let Some(to) = G::stepped(from.into(), signed(step)) else { continue };
            let to = to as u8;
            let code = self.board.code(to);
            if F::TWO_LISTS && matches!(S::ID, StageId::All) {
                if C::is_empty(code) {
                    // SAFETY: `stepped` returned the cell.
                    unsafe { self.append(kind, origin, to, C::EMPTY, Takes::Never) };
                } else if self.takes(code) {
                    // SAFETY: `stepped` returned the cell.
                    unsafe { self.append(kind, origin, to, code, Takes::Always) };
                }
                continue;
            }
            let keep = if G::PADDED {
                kept_guarded::<S, C>(code, self.side)
            } else {
                kept::<S, C>(code, self.side)
            };
            if keep {
                let takes = match S::ID {
                    StageId::All => Takes::Depends,
                    StageId::Captures => Takes::Always,
                    StageId::Quiets => Takes::Never,
                };
                // SAFETY: `stepped` returned the cell.
                unsafe { self.append(kind, origin, to, code, takes) };
            }
        }
    }
}

impl<S: Stage, G: Geometry, C: Code, L: PieceList<G>, F: MoveFormat> Visitor
    for StepWalk<'_, S, G, C, L, F>
{
    #[inline(always)]
    fn pawn(&mut self, from: u8) {
        self.board.pawn_moves::<S>(from, &mut self.list);
    }

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: u8) {
        let steps = G::STEPS[kind.index()];
        if kind.is_slider() {
            self.slide(kind, from, steps);
        } else {
            self.leap(kind, from, steps);
        }
    }
}

/// [`StepWalk`] with a loop of its own for each kind, over steps that are constants. The compiler unrolls most
/// of them, and a step is part of an instruction instead of a register.
pub struct UnrolledSteps<'a, S, G: Geometry, C: Code, L: PieceList<G>, F: MoveFormat = Move>(
    StepWalk<'a, S, G, C, L, F>,
);

impl<'a, S: Stage, G: Geometry, C: Code, L: PieceList<G>, F: MoveFormat>
    UnrolledSteps<'a, S, G, C, L, F>
{
    /// A walk of the side to move that appends to `list`.
    #[inline(always)]
    pub fn new(board: &'a SquareBoard<G, C, L>, list: &'a mut MoveList<F>) -> Self {
        UnrolledSteps(StepWalk::new(board, list))
    }
}

impl<S: Stage, G: Geometry, C: Code, L: PieceList<G>, F: MoveFormat> Visitor
    for UnrolledSteps<'_, S, G, C, L, F>
{
    #[inline(always)]
    fn pawn(&mut self, from: u8) {
        self.0.pawn(from);
    }

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: u8) {
        let (rook, bishop) = G::QUEEN_STEPS.split_at(4);
        match kind {
            Kind::Knight => self.0.leap(kind, from, G::KNIGHT_STEPS),
            Kind::Bishop => self.0.slide(kind, from, bishop),
            Kind::Rook => self.0.slide(kind, from, rook),
            // The compiler does not unroll a loop of eight iterations.
            Kind::Queen => {
                self.0.slide(kind, from, rook);
                self.0.slide(kind, from, bishop);
            }
            Kind::King => self.0.leap(kind, from, G::QUEEN_STEPS),
            Kind::Pawn => {}
        }
    }
}
