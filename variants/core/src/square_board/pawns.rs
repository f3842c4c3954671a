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
        let piece = Piece::new(side, Kind::Pawn);
        let context = |code, takes| Context { piece, code, empty: C::EMPTY, takes };
        if S::CAPTURES {
            for files in [-1, 1] {
                if G::wraps(from, files) {
                    continue;
                }
                let to = from.wrapping_add(ahead).wrapping_add(files as u8);
                let code = self.code(to);
                if C::takes(code, side) {
                    let context = context(code, Takes::Always);
                    append(list, origin, G::square(to), &context, promotes);
                }
            }
        }
        if S::QUIETS {
            let context = context(C::EMPTY, Takes::Never);
            let to = from.wrapping_add(ahead);
            if C::is_empty(self.code(to)) {
                append(list, origin, G::square(to), &context, promotes);
                let to = to.wrapping_add(ahead);
                if rank == 1 && C::is_empty(self.code(to)) {
                    list.push_with(Move::new(origin, G::square(to)), &context);
                }
            }
        }
    }
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
