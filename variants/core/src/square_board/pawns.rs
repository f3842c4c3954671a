//! Pawn moves for the designs whose sources describe sliders and leave the pawns "analogous".
//!
//! This is the oldest method, and the one of TSCP. A push takes two tests. A capture takes a test
//! of the edge (by file or by 0x88; none where a guard cell is read) and a test of the target.
//! Whether moves promote is decided once per pawn, from its rank, not once per target.

use super::{Code, Geometry, PieceList, SquareBoard};
use crate::{Color, Context, Cursor, Kind, Move, MoveFormat, Piece, Square, Stage, Takes};

impl<G: Geometry, C: Code, L: PieceList<G>> SquareBoard<G, C, L> {
    /// Appends the moves of the pawn of the side to move on cell `from`, except en passant
    /// captures, which [`special_moves`](SquareBoard::special_moves) appends.
    #[inline(always)]
    pub fn pawn_moves<S: Stage>(&self, from: u8, list: &mut Cursor<'_, impl MoveFormat>) {
        let side = self.state.side;
        let ahead = match side {
            Color::White => G::WIDTH,
            Color::Black => G::WIDTH.wrapping_neg(),
        };
        let origin = G::square(from);
        let rank = side.view(origin).rank();
        // Ranks count from 0 at the pawn's own side: every move from rank 6 promotes, and only a
        // pawn on rank 1 may push twice.
        let promotes = rank == 6;
        if S::CAPTURES {
            // Both sides in turn: a loop over them is unrolled for some geometries and not for others.
            self.pawn_capture(from, ahead, -1, promotes, list);
            self.pawn_capture(from, ahead, 1, promotes, list);
        }
        if S::QUIETS {
            let context = pawn_context::<C>(side, C::EMPTY, Takes::Never);
            let to = from.wrapping_add(ahead);
            if C::is_empty(self.occupant(to)) {
                append(list, origin, G::square(to), &context, promotes);
                let to = to.wrapping_add(ahead);
                if rank == 1 && C::is_empty(self.occupant(to)) {
                    list.push_with(Move::new(origin, G::square(to)), &context);
                }
            }
        }
    }

    /// Appends the capture `files` to the side, if there is one.
    #[inline(always)]
    fn pawn_capture(
        &self,
        from: u8,
        ahead: u8,
        files: i8,
        promotes: bool,
        list: &mut Cursor<'_, impl MoveFormat>,
    ) {
        let side = self.state.side;
        let to = from.wrapping_add(ahead).wrapping_add(files as u8);
        if !G::wraps(from, files) && C::takes(self.occupant(to), side) {
            // Only formats that say what a move captures read the whole code.
            let context = pawn_context::<C>(side, self.code(to), Takes::Always);
            append(list, G::square(from), G::square(to), &context, promotes);
        }
    }
}

#[inline(always)]
fn pawn_context<C: Code>(side: Color, code: u8, takes: Takes) -> Context {
    Context { piece: Piece::new(side, Kind::Pawn), code, empty: C::EMPTY, takes }
}

#[inline(always)]
fn append(
    list: &mut Cursor<'_, impl MoveFormat>,
    from: Square,
    to: Square,
    context: &Context,
    promotes: bool,
) {
    if promotes {
        list.push_promotions_with_if(from, to, context, true);
    } else {
        list.push_with(Move::new(from, to), context);
    }
}
