//! The loops: one for all pieces except pawns, and the two threads of pawns.

use std::marker::PhantomData;

use raywalk_core::{
    Color, Cursor, Kind, Move, MoveList, Piece, Stage, StageId, opaque,
    square_board::{Code, CountedArrays, Geometry, SquareBoard, Visitor, kept},
};

use crate::{
    layout::{Layout, Row},
    row::row_kind,
};

/// The board on whose cells a layout's links are numbered.
pub(crate) type BoardOf<L> =
    SquareBoard<<L as Layout>::Geometry, <L as Layout>::Code, CountedArrays>;

/// How a walk selects the next link and which targets it keeps: with branches or without.
pub trait Steering: Send + Sync + 'static {
    /// Whether captures of knight and king follow the next-direction links and test nothing but the enemy.
    const LEAPERS_BY_DIRECTION: bool = false;

    /// Appends the moves of a piece other than a pawn.
    fn piece<S: Stage, L: Layout>(walk: &mut Walk<'_, S, L>, row: L::Row<'_>, origin: usize);

    /// Appends the moves of a pawn, from both threads.
    fn pawn<S: Stage, L: Layout, W: PawnWriter>(
        walk: &mut Walk<'_, S, L>,
        row: L::Row<'_>,
        origin: usize,
    );

    /// The cell behind this one in the walk of a piece.
    fn follow(row: impl Row, cell: usize, occupied: bool) -> usize;
}

/// The board that a walk reads and the list to which it appends moves of stage `S`.
pub struct Walk<'walk, S, L: Layout> {
    pub(crate) board: &'walk BoardOf<L>,
    pub(crate) list: Cursor<'walk>,
    stage: PhantomData<S>,
}

impl<'walk, S: Stage, L: Layout> Walk<'walk, S, L> {
    #[inline(always)]
    pub fn new(board: &'walk BoardOf<L>, list: &'walk mut MoveList) -> Self {
        Walk { board, list: list.cursor(), stage: PhantomData }
    }

    /// Appends the captures of a knight or king: follows the next-direction links until they return to the origin.
    #[inline(always)]
    fn each_direction(&mut self, row: L::Row<'_>, origin: usize) {
        let side = self.board.side();
        let mut cell = row.next_direction(origin);
        loop {
            if L::Code::is_enemy(self.board.occupant(cell as u8), side) {
                self.list.push(plain::<L::Geometry>(origin, cell));
            }
            cell = row.next_direction(cell);
            if cell == origin {
                return;
            }
        }
    }
}

/// The move between two cells.
#[inline(always)]
fn plain<G: Geometry>(from: usize, to: usize) -> Move {
    Move::new(G::square(from as u8), G::square(to as u8))
}

/// Writes a pawn move as one move or as four promotions. The rank of the pawn selects the writer, once
/// per pawn and not per target.
pub trait PawnWriter {
    fn push<G: Geometry>(list: &mut Cursor<'_>, from: usize, to: usize);
    /// Stores unconditionally and counts if `keep`, without a branch.
    fn push_if<G: Geometry>(list: &mut Cursor<'_>, from: usize, to: usize, keep: bool);
}

/// Writer for pawns that do not promote.
pub(crate) struct OneMove;
impl PawnWriter for OneMove {
    #[inline(always)]
    fn push<G: Geometry>(list: &mut Cursor<'_>, from: usize, to: usize) {
        list.push(plain::<G>(from, to));
    }
    #[inline(always)]
    fn push_if<G: Geometry>(list: &mut Cursor<'_>, from: usize, to: usize, keep: bool) {
        list.push_if(plain::<G>(from, to), keep);
    }
}

/// Writer for pawns on the seventh rank.
pub(crate) struct FourPromotions;
impl PawnWriter for FourPromotions {
    #[inline(always)]
    fn push<G: Geometry>(list: &mut Cursor<'_>, from: usize, to: usize) {
        list.push_promotions(G::square(from as u8), G::square(to as u8));
    }
    #[inline(always)]
    fn push_if<G: Geometry>(list: &mut Cursor<'_>, from: usize, to: usize, keep: bool) {
        list.push_promotions_if(G::square(from as u8), G::square(to as u8), keep);
    }
}

/// Whether a pawn on this cell promotes with its next move.
#[inline(always)]
pub(crate) fn promotes<G: Geometry>(side: Color, cell: u8) -> bool {
    side.view(G::square(cell)).rank() == 6
}

/// Defines [`Steering::pawn`] from what is done with the first push and with each of two captures,
/// written by `W`.
///
/// A macro, because a function with closures for the bodies compiles to other machine code in every design of
/// the crate.
macro_rules! pawn_threads {
    (
        $(#[$doc:meta])*
        ($board:ident, $list:ident, $row:ident, $origin:ident)
        pushes($one:ident) $pushes:block
        capture($cell:ident) $capture:block
    ) => {
        $(#[$doc])*
        #[inline(always)]
        fn pawn<S: Stage, L: Layout, W: PawnWriter>(
            walk: &mut Walk<'_, S, L>,
            $row: L::Row<'_>,
            $origin: usize,
        ) {
            let Walk { board: $board, list: $list, .. } = walk;
            if S::QUIETS {
                let $one = $row.next_position($origin);
                $pushes
            }
            if S::CAPTURES {
                let mut $cell = $origin;
                // Opaque, so that it stays a loop, as along the list of a pawn in other families.
                for _ in 0..opaque(2) {
                    $cell = $row.next_direction($cell);
                    $capture
                }
            }
        }
    };
}

/// The published loop, with three tests per target: empty, enemy, end of the list.
pub struct Branchy;

impl Steering for Branchy {
    #[inline(always)]
    fn follow(row: impl Row, cell: usize, occupied: bool) -> usize {
        if occupied { row.next_direction(cell) } else { row.next_position(cell) }
    }

    #[inline(always)]
    fn piece<S: Stage, L: Layout>(walk: &mut Walk<'_, S, L>, row: L::Row<'_>, origin: usize) {
        let side = walk.board.side();
        // Every piece has a target on an empty board, so the test for the end may come last.
        let mut cell = row.next_position(origin);
        loop {
            let code = walk.board.occupant(cell as u8);
            // The end is tested on both sides of the branch. With one test behind it the compiler merges both
            // loads into one from an address that it chooses first, which lengthens the dependency chain.
            if L::Code::is_empty(code) {
                if S::QUIETS {
                    walk.list.push(plain::<L::Geometry>(origin, cell));
                }
                cell = row.next_position(cell);
                if cell == origin {
                    return;
                }
            } else {
                if S::CAPTURES && L::Code::is_enemy(code, side) {
                    walk.list.push(plain::<L::Geometry>(origin, cell));
                }
                cell = row.next_direction(cell);
                if cell == origin {
                    return;
                }
            }
        }
    }

    pawn_threads! {
        /// There is no end test: a thread ends on the pawn's own square, which is neither empty nor
        /// occupied by an enemy.
        (board, list, row, origin)
        pushes(one) {
            if L::Code::is_empty(board.occupant(one as u8)) {
                W::push::<L::Geometry>(list, origin, one);
                let two = row.next_position(one);
                if L::Code::is_empty(board.occupant(two as u8)) {
                    W::push::<L::Geometry>(list, origin, two);
                }
            }
        }
        capture(cell) {
            if L::Code::is_enemy(board.occupant(cell as u8), board.side()) {
                W::push::<L::Geometry>(list, origin, cell);
            }
        }
    }
}

/// The published loop, and the capture stage of GNU Chess for knight and king.
///
/// Both links of a leaper's square agree, so its captures need not look whether a square is empty. The capture
/// thread of a pawn consists of next-direction links in every design.
pub struct LeapersByDirection;

impl Steering for LeapersByDirection {
    const LEAPERS_BY_DIRECTION: bool = true;

    #[inline(always)]
    fn follow(row: impl Row, cell: usize, occupied: bool) -> usize {
        Branchy::follow(row, cell, occupied)
    }

    #[inline(always)]
    fn piece<S: Stage, L: Layout>(walk: &mut Walk<'_, S, L>, row: L::Row<'_>, origin: usize) {
        Branchy::piece(walk, row, origin);
    }

    #[inline(always)]
    fn pawn<S: Stage, L: Layout, W: PawnWriter>(
        walk: &mut Walk<'_, S, L>,
        row: L::Row<'_>,
        origin: usize,
    ) {
        Branchy::pawn::<S, L, W>(walk, row, origin);
    }
}

/// The derived loop. It fetches both successors while it reads the board, selects one by occupancy,
/// stores every target and counts those it keeps. The end of the list is the only branch.
///
/// The emitted code confirms this: with one word per cell a `cmov` selects between the two links, so
/// the dependency chain is one load, one extraction and the selection. With a plain `if` over a pair
/// of bytes the compiler added the condition to the address instead. The load of the link then waited
/// for the load of the board, which doubled the chain.
pub struct BranchFree;

impl Steering for BranchFree {
    #[inline(always)]
    fn follow(row: impl Row, cell: usize, occupied: bool) -> usize {
        row.successor(cell, occupied)
    }

    #[inline(always)]
    fn piece<S: Stage, L: Layout>(walk: &mut Walk<'_, S, L>, row: L::Row<'_>, origin: usize) {
        let mut cell = row.next_position(origin);
        let side = walk.board.side();
        loop {
            let code = walk.board.occupant(cell as u8);
            let keep = kept::<S, L::Code>(code, side);
            walk.list.push_if(plain::<L::Geometry>(origin, cell), keep);
            cell = row.successor(cell, !L::Code::is_empty(code));
            if cell == origin {
                return;
            }
        }
    }

    pawn_threads! {
        /// A pawn without a double push reads its own square as the second target, which is not
        /// empty. A pawn with a single capture does the same, and its own square holds no enemy.
        (board, list, row, origin)
        pushes(one) {
            let two = row.next_position(one);
            let first = L::Code::is_empty(board.occupant(one as u8));
            // `&`, not `&&`: a short circuit would be a branch.
            let second = first & L::Code::is_empty(board.occupant(two as u8));
            W::push_if::<L::Geometry>(list, origin, one, first);
            W::push_if::<L::Geometry>(list, origin, two, second);
        }
        capture(cell) {
            let enemy = L::Code::is_enemy(board.occupant(cell as u8), board.side());
            W::push_if::<L::Geometry>(list, origin, cell, enemy);
        }
    }
}

/// Looks up the row of each piece and runs the loop of its kind on it.
pub(crate) struct RowVisitor<'walk, S, L: Layout, T> {
    table: &'walk L,
    walk: Walk<'walk, S, L>,
    steering: PhantomData<T>,
}

impl<'walk, S: Stage, L: Layout, T: Steering> RowVisitor<'walk, S, L, T> {
    #[inline(always)]
    pub(crate) fn new(
        table: &'walk L,
        board: &'walk BoardOf<L>,
        list: &'walk mut MoveList,
    ) -> Self {
        RowVisitor { table, walk: Walk::new(board, list), steering: PhantomData }
    }
}

impl<S: Stage, L: Layout, T: Steering> Visitor for RowVisitor<'_, S, L, T> {
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
        // White stands for both colours: only pawns have rows for each colour.
        let row = self.table.row(row_kind(Piece::new(Color::White, kind)), from);
        // Opaque: knowing that the origin has eight bits, the compiler would carry the links in eight bits too
        // and extend each of them again before its use.
        let origin = opaque(from.into());
        if T::LEAPERS_BY_DIRECTION && S::ID == StageId::Captures && !kind.is_slider() {
            self.walk.each_direction(row, origin);
        } else {
            T::piece(&mut self.walk, row, origin);
        }
    }
}
