//! The rules for checks: the common form of a move that a plug-in writes as text, and whether it is legal. Nothing
//! here is timed.

use raywalk_bitboard::Hyperbola;
use raywalk_core::{Kind, Legality, Move, Position, Square};
use raywalk_measure::design::{Built, Design};
use raywalk_positions::oracle;
use raywalk_results::schema::Stage;

/// A word that no generator of this program writes, in place of a text that is no move.
const NO_MOVE: Move = Move::from_bits(u16::MAX);

/// Reads a move in coordinate notation. The pieces on its squares identify castling and en passant.
pub(super) fn read(text: &[u8], position: &Position) -> Move {
    let square = |place: usize| match text.get(place..place + 2) {
        Some(&[file @ b'a'..=b'h', rank @ b'1'..=b'8']) => {
            Some(Square::new(file - b'a', rank - b'1'))
        }
        _ => None,
    };
    let Some((from, to)) = square(0).zip(square(2)) else { return NO_MOVE };
    let letters = &text[4..];
    if !letters.is_empty() {
        let is_it = |kind: &Kind| *letters == [kind.letter() as u8];
        let promoted = Kind::PROMOTIONS.into_iter().find(is_it);
        return promoted.map_or(NO_MOVE, |kind| Move::promotion(from, to, kind));
    }
    let normal = Move::new(from, to);
    let files = from.number() % 8;
    let other = to.number() % 8;
    match position.piece_at(from).map(|piece| piece.kind) {
        Some(Kind::King) if files.abs_diff(other) == 2 => Move::castle(from, to),
        Some(Kind::Pawn) if files != other && position.piece_at(to).is_none() => {
            Move::en_passant(from, to)
        }
        _ => normal,
    }
}

/// Tells legal moves from others.
pub(super) struct Rules {
    /// A verified generator of pseudo-legal moves.
    pseudo: Built<Hyperbola>,
}

impl Rules {
    pub(super) fn new() -> Rules {
        Rules { pseudo: Built::build().expect("tables for every machine") }
    }

    /// The generated moves that count as legal: all of a legal design. Of a pseudo-legal one those that leave
    /// no check, and those that are not even pseudo-legal, so that a comparison shows them.
    pub(super) fn legal(
        &self,
        position: &Position,
        legality: Legality,
        mut generated: Vec<Move>,
    ) -> Vec<Move> {
        if legality == Legality::Pseudo {
            let right = oracle::legal_moves(position).unwrap_or_default();
            let pseudo = self.pseudo.generated(position, Stage::All);
            generated.retain(|mv| right.contains(mv) || !pseudo.contains(mv));
        }
        generated.sort_unstable();
        generated
    }

    /// Whether a board of this program can make the move.
    pub(super) fn can_make(&self, position: &Position, mv: Move) -> bool {
        self.pseudo.generated(position, Stage::All).contains(&mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_is_read_from_its_text() {
        let rules = Rules::new();
        let mut kinds = std::collections::BTreeSet::new();
        for fact in raywalk_positions::facts::perft() {
            for mv in rules.pseudo.generated(&fact.position, Stage::All) {
                assert_eq!(
                    read(mv.to_string().as_bytes(), &fact.position),
                    mv,
                    "{mv:?} in {}",
                    fact.position
                );
                kinds.insert(mv.kind());
            }
        }
        assert_eq!(kinds.len(), 7, "normal, en passant, castling, four promotions: {kinds:?}");
        for text in ["", "e2", "e2e9", "e7e8x", "e7e8qq", "0000", "éé", "e2e4 "] {
            assert_eq!(read(text.as_bytes(), &Position::default()), NO_MOVE, "{text}");
        }
    }
}
