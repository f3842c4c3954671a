//! The rules that the sources leave "analogous": castling and en passant.
//!
//! Written once for all square boards, so that no design gains or loses by them.

use super::{Code, Geometry, PieceList, SquareBoard};
use crate::{
    Board, Castling, CastlingRights, Color, Kind, Move, MoveFormat, MoveList, Piece, Square, Stage,
    Wing, squares_of,
};

/// The two squares from which a pawn captures en passant on a square of the sixth or third rank.
/// At the edge the missing neighbour is the target itself, which is empty and so never matches: the
/// form of GNU Chess, which needs no test for the edge.
static CAPTURERS: [[Square; 2]; 64] = {
    let mut table = [[Square::from_low_bits(0); 2]; 64];
    let mut n = 0;
    while n < 64 {
        let target = Square::from_low_bits(n as u32);
        let down = if target.rank() == 5 { -1 } else { 1 };
        table[n] = [or(target.offset(-1, down), target), or(target.offset(1, down), target)];
        n += 1;
    }
    table
};

const fn or(square: Option<Square>, instead: Square) -> Square {
    match square {
        Some(square) => square,
        None => instead,
    }
}

impl<G: Geometry, C: Code, L: PieceList<G>> SquareBoard<G, C, L> {
    /// Appends what no walk finds: en passant captures and castling, where stage `S` wants them. They
    /// are moves of pawns and kings, so never where it wants sliders only.
    #[inline(always)]
    pub fn special_moves<S: Stage>(&self, list: &mut MoveList<impl MoveFormat>) {
        if S::SLIDERS_ONLY {
            return;
        }
        if S::CAPTURES {
            self.en_passant_captures(list);
        }
        self.castling_moves::<S>(list);
    }

    /// Appends castling, where stage `S` wants quiet moves: for designs that find en passant
    /// captures themselves.
    #[inline(always)]
    pub fn castling_moves<S: Stage>(&self, list: &mut MoveList<impl MoveFormat>) {
        if S::QUIETS && !S::SLIDERS_ONLY {
            self.castling(list);
        }
    }

    #[inline(always)]
    fn en_passant_captures(&self, list: &mut MoveList<impl MoveFormat>) {
        let Some(target) = self.state.en_passant else { return };
        let pawn = C::of(Piece::new(self.state.side, Kind::Pawn));
        for from in CAPTURERS[target.index()] {
            if self.code_on(from) == pawn {
                list.push(Move::en_passant(from, target));
            }
        }
    }

    #[inline(always)]
    fn castling(&self, list: &mut MoveList<impl MoveFormat>) {
        let side = self.state.side;
        let both =
            CastlingRights::one(side, Wing::King).union(CastlingRights::one(side, Wing::Queen));
        if self.state.rights.bits() & both.bits() != 0 {
            self.castle(side, list);
        }
    }

    /// Out of the way of the walk: most positions of a game have lost their rights.
    #[inline(never)]
    fn castle(&self, side: Color, list: &mut MoveList<impl MoveFormat>) {
        for wing in [Wing::King, Wing::Queen] {
            let Castling { king_from, king_to, rook_to, between, .. } = Castling::of(side, wing);
            if self.state.rights.contains(CastlingRights::one(side, wing))
                && squares_of(between).all(|square| C::is_empty(self.code_on(square)))
                && [king_from, rook_to, king_to].iter().all(|&square| !self.attacked(square, !side))
            {
                list.push(Move::castle(king_from, king_to));
            }
        }
    }
}
