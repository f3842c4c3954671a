//! What the words of a list say besides the move is true of the position.

use raywalk_conformance::obligations::{self, each_list};
use raywalk_core::square_board::VictimAttacker;
use raywalk_core::{MoveFormat, MoveKind, Piece, ScoredMove};
use raywalk_mailbox::{WithCapturedMoves, WithScoredMoves, WithTwoLists};

#[test]
fn the_captured_piece_in_a_word_is_that_of_the_position() {
    obligations::the_captured_piece_in_a_word_is_that_of_the_position::<WithCapturedMoves>();
}

#[test]
fn two_lists_have_the_captures_in_one_and_the_other_moves_in_the_other() {
    obligations::captures_are_in_one_list_and_other_moves_in_the_other::<WithTwoLists>();
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
