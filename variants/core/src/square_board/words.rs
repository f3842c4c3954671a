//! Move formats that say what a move captures. They read the code of the target, which is that of
//! [`ColourBits`].

use super::{Code, ColourBits};
use crate::{
    Color, Context, Kind, Move, MoveFormat, MoveKind, NodeSlots, Piece, Scoring, Square, Takes,
};

/// The neutral move in bits 0–15 and the code of the captured piece in bits 16–23; 0 if the move captures
/// nothing.
///
/// # Source
/// Chess Programming Wiki, *Table-driven Move Generation*: the loop for captures stores
/// `capture(pMoveNode->move, board[tosq])`. How it combines the two is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct CapturedMove(u32);

impl CapturedMove {
    #[inline(always)]
    fn of(mv: Move, code: u8) -> CapturedMove {
        CapturedMove(u32::from(mv.bits()) | u32::from(code) << 16)
    }

    /// The captured piece, if the move captures one.
    pub fn captured(self) -> Option<Piece> {
        ColourBits::piece((self.0 >> 16) as u8)
    }
}

impl MoveFormat for CapturedMove {
    type Slots = NodeSlots<Self>;
    const UNWRITTEN: CapturedMove = CapturedMove(0);

    /// The walks of pieces and pawns give a context, so the move is castling or an en passant capture.
    #[inline(always)]
    fn pack(mv: Move) -> CapturedMove {
        let code = match mv.kind() {
            // White captures on the sixth rank.
            MoveKind::EnPassant => {
                let color = if mv.to().rank() == 5 { Color::Black } else { Color::White };
                ColourBits::of(Piece::new(color, Kind::Pawn))
            }
            _ => ColourBits::EMPTY,
        };
        CapturedMove::of(mv, code)
    }

    #[inline(always)]
    fn unpack(self) -> Move {
        Move::from_bits(self.0 as u16)
    }

    #[inline(always)]
    fn pack_with(mv: Move, context: &Context) -> CapturedMove {
        let code =
            if matches!(context.takes, Takes::Never) { ColourBits::EMPTY } else { context.code };
        CapturedMove::of(mv, code)
    }
}

/// Scores captures by victim and attacker: the most valuable victim first, and of several attackers the least
/// valuable first (MVV-LVA). Quiet moves have score 0.
///
/// The numbers are those of TSCP: ten times the number of the victim less the number of the attacker, from 0
/// for the pawn to 5 for the king, and for a promotion ten times the number of the new piece. The summand that
/// puts them before quiet moves is 1,000 instead of a million, so that the score fits 16 bits. TSCP scores
/// quiet moves by the history of the search, and with them en passant captures, whose target is empty. There is
/// no search here, so they have 0.
///
/// # Source
/// *Tom Kerrigan's Simple Chess Program*, `gen_push` and `gen_promote`.
pub struct VictimAttacker;

impl VictimAttacker {
    const CAPTURE: i16 = 1_000;
}

impl Scoring for VictimAttacker {
    #[inline(always)]
    fn score(_: Move, context: &Context) -> i16 {
        // The kinds of the code begin with 1.
        let victim = i16::from(context.code & 7) - 1;
        let score = Self::CAPTURE + 10 * victim - context.piece.kind as i16;
        score & -i16::from(context.captures())
    }

    #[inline(always)]
    fn promotions(_: Square, _: Square, _: &Context) -> [i16; 4] {
        let score = |kind: Kind| Self::CAPTURE + 10 * kind as i16;
        [score(Kind::Knight), score(Kind::Bishop), score(Kind::Rook), score(Kind::Queen)]
    }

    #[inline(always)]
    fn special(_: Move) -> i16 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ScoredMove;

    fn square(name: &str) -> Square {
        name.parse().expect("a square")
    }

    fn context(attacker: Kind, victim: Option<Kind>) -> Context {
        Context {
            piece: Piece::new(Color::White, attacker),
            code: victim.map_or(0, |kind| ColourBits::of(Piece::new(Color::Black, kind))),
            empty: ColourBits::EMPTY,
            takes: Takes::Depends,
        }
    }

    #[test]
    fn a_word_returns_the_captured_piece() {
        let mv = Move::new(square("a1"), square("h8"));
        for victim in Kind::ALL {
            let word = CapturedMove::pack_with(mv, &context(Kind::Queen, Some(victim)));
            assert_eq!(word.captured(), Some(Piece::new(Color::Black, victim)));
            assert_eq!(word.unpack(), mv);
        }
        assert_eq!(CapturedMove::pack_with(mv, &context(Kind::Queen, None)).captured(), None);
        let passed =
            |from, to| CapturedMove::pack(Move::en_passant(square(from), square(to))).captured();
        assert_eq!(passed("e5", "d6"), Some(Piece::new(Color::Black, Kind::Pawn)));
        assert_eq!(passed("e4", "d3"), Some(Piece::new(Color::White, Kind::Pawn)));
        assert_eq!(CapturedMove::pack(Move::castle(square("e1"), square("g1"))).captured(), None);
    }

    /// TSCP counts pieces from 0 for the pawn to 5 for the king.
    #[test]
    fn captures_are_scored_as_published() {
        let mv = Move::new(square("a1"), square("h8"));
        for (piece_from, attacker) in (0..).zip(Kind::ALL) {
            for (piece_to, victim) in (0..).zip(Kind::ALL) {
                let published = 1_000_000 + piece_to * 10 - piece_from;
                let score = VictimAttacker::score(mv, &context(attacker, Some(victim)));
                assert_eq!(
                    i32::from(score) - 1_000,
                    published - 1_000_000,
                    "{attacker:?} {victim:?}"
                );
            }
            assert_eq!(VictimAttacker::score(mv, &context(attacker, None)), 0);
        }
        let (from, to) = (square("b7"), square("a8"));
        let words =
            ScoredMove::<VictimAttacker>::pack_promotions(from, to, &context(Kind::Pawn, None));
        for (number, (word, mv)) in (1..).zip(words.into_iter().zip(Move::promotions(from, to))) {
            assert_eq!((word.score(), word.unpack()), (1_000 + 10 * number, mv));
        }
    }
}
