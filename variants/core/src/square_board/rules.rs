//! The rules that the sources leave out or call "analogous": castling and en passant.
//!
//! All square boards share this code, so it does not favour any design.

use super::{Code, Geometry, PieceList, SquareBoard};
use crate::{Castling, CastlingRights, Color, Move, MoveFormat, MoveList, Stage, Wing};

impl<G: Geometry, C: Code, L: PieceList<G>> SquareBoard<G, C, L> {
    /// Appends en passant captures and castling, as far as stage `S` includes them. Walks of pieces
    /// and pawns do not generate these moves.
    #[inline(always)]
    pub fn special_moves<S: Stage>(&self, list: &mut MoveList<impl MoveFormat>) {
        if S::SLIDERS_ONLY {
            return;
        }
        if S::CAPTURES {
            self.passing.write(list);
        }
        self.castling_moves::<S>(list);
    }

    /// Appends castling if stage `S` includes quiet moves: for designs that generate en passant
    /// captures themselves.
    #[inline(always)]
    pub fn castling_moves<S: Stage>(&self, list: &mut MoveList<impl MoveFormat>) {
        if !S::QUIETS || S::SLIDERS_ONLY {
            return;
        }
        let side = self.state.side;
        let rights = self.state.rights;
        let both =
            CastlingRights::one(side, Wing::King).union(CastlingRights::one(side, Wing::Queen));
        if rights.bits() & both.bits() == 0 {
            return;
        }
        // With a right the way is mostly blocked, so it is looked at here: a call would save registers first.
        for wing in [Wing::King, Wing::Queen] {
            if rights.contains(CastlingRights::one(side, wing)) && self.passage_is_clear(side, wing)
            {
                self.castle(side, wing, list);
            }
        }
    }

    /// Castles through a clear passage if it is safe. Never inlined, to keep it out of the walk's code: in few
    /// positions of a game a passage is clear.
    #[inline(never)]
    fn castle(&self, side: Color, wing: Wing, list: &mut MoveList<impl MoveFormat>) {
        // Each of the four has code of its own, whose cells are constants and not read from a table.
        let is_safe = match (side, wing) {
            (Color::White, Wing::King) => self.passage_is_safe(Color::White, Wing::King),
            (Color::White, Wing::Queen) => self.passage_is_safe(Color::White, Wing::Queen),
            (Color::Black, Wing::King) => self.passage_is_safe(Color::Black, Wing::King),
            (Color::Black, Wing::Queen) => self.passage_is_safe(Color::Black, Wing::Queen),
        };
        if is_safe {
            let Castling { king_from, king_to, .. } = Castling::of(side, wing);
            list.push(Move::castle(king_from, king_to));
        }
    }
}
