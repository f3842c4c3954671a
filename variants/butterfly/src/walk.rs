//! The loops: one for all pieces but pawns, and the two threads of pawns.

use std::marker::PhantomData;

use raywalk_core::{
    Color, Kind, Move, MoveList, Piece, Stage,
    square_board::{Code, ColourBits, CountedArrays, Geometry, SquareBoard, Visitor, kept},
};

use crate::{
    layout::{Layout, Row},
    row::row_kind,
};

/// The board that a layout's links number: colour bits and counted arrays on its geometry.
pub type BoardOf<L> = SquareBoard<<L as Layout>::Geometry, ColourBits, CountedArrays>;

/// How a walk decides where to go next and what to keep.
pub trait Steering: Send + Sync + 'static {
    /// Walks all targets of a piece.
    fn piece<S: Stage, L: Layout>(walk: &mut Walk<'_, S, L>, row: L::Row<'_>, origin: usize);
    /// Walks both threads of a pawn.
    fn pawn<S: Stage, L: Layout, W: PawnWriter>(
        walk: &mut Walk<'_, S, L>,
        row: L::Row<'_>,
        origin: usize,
    );
}

/// What every walk reads and writes.
pub struct Walk<'walk, S, L: Layout> {
    board: &'walk BoardOf<L>,
    list: &'walk mut MoveList,
    stage: PhantomData<S>,
}

impl<'walk, S: Stage, L: Layout> Walk<'walk, S, L> {
    /// A walk of stage `S` over this board.
    #[inline(always)]
    pub fn new(board: &'walk BoardOf<L>, list: &'walk mut MoveList) -> Self {
        Walk { board, list, stage: PhantomData }
    }
}

/// A move on the cells of a geometry.
#[inline(always)]
fn plain<G: Geometry>(from: usize, to: usize) -> Move {
    Move::new(G::square(from as u8), G::square(to as u8))
}

/// One move or four: chosen once per pawn, by its rank, never per target.
pub trait PawnWriter {
    /// Appends the pawn move.
    fn push<G: Geometry>(list: &mut MoveList, from: usize, to: usize);
    /// Stores it always and counts it if `keep`.
    fn push_if<G: Geometry>(list: &mut MoveList, from: usize, to: usize, keep: bool);
}

/// Pawns that stay pawns.
pub struct OneMove;
impl PawnWriter for OneMove {
    #[inline(always)]
    fn push<G: Geometry>(list: &mut MoveList, from: usize, to: usize) {
        list.push(plain::<G>(from, to));
    }
    #[inline(always)]
    fn push_if<G: Geometry>(list: &mut MoveList, from: usize, to: usize, keep: bool) {
        list.push_if(plain::<G>(from, to), keep);
    }
}

/// Pawns of the seventh rank.
pub struct FourPromotions;
impl PawnWriter for FourPromotions {
    #[inline(always)]
    fn push<G: Geometry>(list: &mut MoveList, from: usize, to: usize) {
        list.push_promotions(G::square(from as u8), G::square(to as u8));
    }
    #[inline(always)]
    fn push_if<G: Geometry>(list: &mut MoveList, from: usize, to: usize, keep: bool) {
        list.push_promotions_if(G::square(from as u8), G::square(to as u8), keep);
    }
}

/// Whether a pawn on this cell promotes with its next move.
#[inline(always)]
pub fn promotes<G: Geometry>(side: Color, cell: u8) -> bool {
    side.view(G::square(cell)).rank() == 6
}

/// The published loop: a branch for "empty?", one for "enemy?", one for the end.
pub struct Branchy;

impl Steering for Branchy {
    #[inline(always)]
    fn piece<S: Stage, L: Layout>(walk: &mut Walk<'_, S, L>, row: L::Row<'_>, origin: usize) {
        let side = walk.board.side();
        let mut cell = row.next_position(origin);
        loop {
            let code = walk.board.code(cell as u8);
            if ColourBits::is_empty(code) {
                if S::QUIETS {
                    walk.list.push(plain::<L::Geometry>(origin, cell));
                }
                cell = row.next_position(cell);
            } else {
                if S::CAPTURES && ColourBits::is_enemy(code, side) {
                    walk.list.push(plain::<L::Geometry>(origin, cell));
                }
                cell = row.next_direction(cell);
            }
            // Every piece has a target on an empty board, so the test may come last.
            if cell == origin {
                return;
            }
        }
    }

    /// No end test: a thread ends on the pawn's own square, which is neither empty nor enemy.
    #[inline(always)]
    fn pawn<S: Stage, L: Layout, W: PawnWriter>(
        walk: &mut Walk<'_, S, L>,
        row: L::Row<'_>,
        origin: usize,
    ) {
        let Walk { board, list, .. } = walk;
        if S::QUIETS {
            let one = row.next_position(origin);
            if ColourBits::is_empty(board.code(one as u8)) {
                W::push::<L::Geometry>(list, origin, one);
                let two = row.next_position(one);
                if ColourBits::is_empty(board.code(two as u8)) {
                    W::push::<L::Geometry>(list, origin, two);
                }
            }
        }
        if S::CAPTURES {
            let mut cell = origin;
            for _ in 0..2 {
                cell = row.next_direction(cell);
                if ColourBits::is_enemy(board.code(cell as u8), board.side()) {
                    W::push::<L::Geometry>(list, origin, cell);
                }
            }
        }
    }
}

/// Ours: both successors are fetched while the board is read, occupancy chooses, and every target
/// is stored and counted by its condition. The end of the list is the only branch.
///
/// The emitted code holds to it: with one word per cell a `cmov` chooses between the two links, so
/// that the chain is one load, one extraction and the choice. With a plain `if` over a pair of
/// bytes the compiler added the condition to the address instead, and the load of the link waited
/// for that of the board: twice the chain.
pub struct BranchFree;

impl Steering for BranchFree {
    #[inline(always)]
    fn piece<S: Stage, L: Layout>(walk: &mut Walk<'_, S, L>, row: L::Row<'_>, origin: usize) {
        let side = walk.board.side();
        let mut cell = row.next_position(origin);
        loop {
            let code = walk.board.code(cell as u8);
            walk.list
                .push_if(plain::<L::Geometry>(origin, cell), kept::<S, ColourBits>(code, side));
            cell = row.successor(cell, !ColourBits::is_empty(code));
            if cell == origin {
                return;
            }
        }
    }

    /// A pawn without a second push reads its own square in its stead, which is not empty; one
    /// with a single capture, its own square, which is no enemy.
    #[inline(always)]
    fn pawn<S: Stage, L: Layout, W: PawnWriter>(
        walk: &mut Walk<'_, S, L>,
        row: L::Row<'_>,
        origin: usize,
    ) {
        let Walk { board, list, .. } = walk;
        if S::QUIETS {
            let one = row.next_position(origin);
            let two = row.next_position(one);
            let first = ColourBits::is_empty(board.code(one as u8));
            let second = first & ColourBits::is_empty(board.code(two as u8));
            W::push_if::<L::Geometry>(list, origin, one, first);
            W::push_if::<L::Geometry>(list, origin, two, second);
        }
        if S::CAPTURES {
            let mut cell = origin;
            for _ in 0..2 {
                cell = row.next_direction(cell);
                let enemy = ColourBits::is_enemy(board.code(cell as u8), board.side());
                W::push_if::<L::Geometry>(list, origin, cell, enemy);
            }
        }
    }
}

/// Shows each piece of the side to move to the loop of its kind.
pub struct Walker<'walk, S, L: Layout, T> {
    table: &'walk L,
    walk: Walk<'walk, S, L>,
    steering: PhantomData<T>,
}

impl<'walk, S: Stage, L: Layout, T: Steering> Walker<'walk, S, L, T> {
    /// A visitor that walks stage `S` over this board.
    #[inline(always)]
    pub fn new(table: &'walk L, board: &'walk BoardOf<L>, list: &'walk mut MoveList) -> Self {
        Walker { table, walk: Walk::new(board, list), steering: PhantomData }
    }
}

impl<S: Stage, L: Layout, T: Steering> Visitor for Walker<'_, S, L, T> {
    #[inline(always)]
    fn pawn(&mut self, from: u8) {
        let side = self.walk.board.side();
        let row = self.table.row(row_kind(Piece::new(side, Kind::Pawn)), from);
        if promotes::<L::Geometry>(side, from) {
            T::pawn::<S, L, FourPromotions>(&mut self.walk, row, from.into());
        } else {
            T::pawn::<S, L, OneMove>(&mut self.walk, row, from.into());
        }
    }

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: u8) {
        // The colour of a piece is not read: only pawns have rows of their own.
        let row = self.table.row(row_kind(Piece::new(Color::White, kind)), from);
        T::piece(&mut self.walk, row, from.into());
    }
}
