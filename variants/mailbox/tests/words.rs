//! What the words of a list say besides the move is true of the position.

use raywalk_conformance::obligations::each_list;
use raywalk_core::square_board::{CapturedMove, VictimAttacker};
use raywalk_core::{Move, MoveFormat, MoveKind, Piece, Position, ScoredMove, StageId};
use raywalk_mailbox::{WithCapturedMoves, WithScoredMoves, WithTwoLists};

/// The piece that a move captures.
fn victim(position: &Position, mv: Move) -> Option<Piece> {
    let square = match mv.kind() {
        MoveKind::EnPassant => raywalk_core::Square::new(mv.to().file(), mv.from().rank()),
        _ => mv.to(),
    };
    position.piece_at(square)
}

#[test]
fn the_captured_piece_in_a_word_is_that_of_the_position() {
    let mut captures = 0;
    each_list::<WithCapturedMoves>(|position, _, list| {
        list.words().find_map(|word: CapturedMove| {
            let (mv, found) = (word.unpack(), word.captured());
            captures += u32::from(found.is_some());
            let expected = victim(position, mv);
            (found != expected)
                .then(|| format!("{mv} captures {expected:?}, its word says {found:?}"))
        })
    });
    assert!(captures > 1_000, "{captures}");
}

/// Of two lists, the captures are read first.
#[test]
fn two_lists_have_the_captures_in_one_and_the_other_moves_in_the_other() {
    let mut both = 0;
    each_list::<WithTwoLists>(|position, stage, list| {
        let taking: Vec<bool> = list.moves().map(|mv| victim(position, mv).is_some()).collect();
        let captures = taking.iter().filter(|&&takes| takes).count();
        both += u32::from(stage == StageId::All && 0 < captures && captures < taking.len());
        let sorted = taking[..captures].iter().all(|&takes| takes);
        (!sorted)
            .then(|| format!("a move of the other list is among the first {captures}: {taking:?}"))
    });
    assert!(both > 100, "{both}");
}

/// By the formula of the source, with the pieces of the position.
#[test]
fn scores_are_those_of_victim_and_attacker() {
    let mut kinds = [0_u32; 3];
    each_list::<WithScoredMoves>(|position, _, list| {
        list.words().find_map(|word: ScoredMove<VictimAttacker>| {
            let mv = word.unpack();
            let number = |piece: Option<Piece>| piece.map_or(0, |piece| piece.kind.index() as i16);
            let (place, expected) = match (mv.kind(), position.piece_at(mv.to())) {
                (MoveKind::Promotion(kind), _) => (0, 1_000 + 10 * kind.index() as i16),
                (MoveKind::Normal, Some(victim)) => {
                    (1, 1_000 + 10 * number(Some(victim)) - number(position.piece_at(mv.from())))
                }
                _ => (2, 0),
            };
            kinds[place] += 1;
            let found = word.score();
            (found != expected).then(|| format!("{mv} has score {found} instead of {expected}"))
        })
    });
    assert!(kinds.iter().all(|&moves| moves > 100), "{kinds:?}");
}
