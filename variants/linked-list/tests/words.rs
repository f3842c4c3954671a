//! What the words of a list say besides the move is true of the position.

use raywalk_conformance::obligations::{self, each_list};
use raywalk_core::{Entries, MoveFormat, PieceSquare, ScoredMove};
use raywalk_linked_list::{Index32Captured, Index32ScoreLookup, Index32Scored, Index32TwoLists};

#[test]
fn the_captured_piece_in_a_word_is_that_of_the_position() {
    obligations::the_captured_piece_in_a_word_is_that_of_the_position::<Index32Captured>();
}

#[test]
fn two_lists_have_the_captures_in_one_and_the_other_moves_in_the_other() {
    obligations::captures_are_in_one_list_and_other_moves_in_the_other::<Index32TwoLists>();
}

/// A promotion is scored as the pawn's move.
fn scores_are_gains_of_the_moving_piece<G: Entries<Moves = ScoredMove<PieceSquare>>>() {
    let mut scored = 0;
    each_list::<G>(|position, _, list| {
        list.words().find_map(|word| {
            let mv = word.unpack();
            let kind = position.piece_at(mv.from()).expect("a piece moves").kind;
            let (found, expected) = (word.score(), PieceSquare::gain(kind, mv.from(), mv.to()));
            scored += u32::from(found != 0);
            (found != expected).then(|| format!("{mv} has score {found} instead of {expected}"))
        })
    });
    assert!(scored > 1_000, "{scored}");
}

#[test]
fn scores_in_nodes_are_gains_of_the_moving_piece() {
    scores_are_gains_of_the_moving_piece::<Index32Scored>();
}

#[test]
fn looked_up_scores_are_gains_of_the_moving_piece() {
    scores_are_gains_of_the_moving_piece::<Index32ScoreLookup>();
}
