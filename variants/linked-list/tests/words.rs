//! What the words of a list say besides the move is true of the position.

use raywalk_conformance::obligations::each_list;
use raywalk_core::square_board::CapturedMove;
use raywalk_core::{
    Entries, Move, MoveFormat, MoveKind, Piece, PieceSquare, Position, ScoredMove, StageId,
};
use raywalk_linked_list::{Index32Captured, Index32ScoreLookup, Index32Scored, Index32TwoLists};

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
    each_list::<Index32Captured>(|position, _, list| {
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
    each_list::<Index32TwoLists>(|position, stage, list| {
        let taking: Vec<bool> = list.moves().map(|mv| victim(position, mv).is_some()).collect();
        let captures = taking.iter().filter(|&&takes| takes).count();
        both += u32::from(stage == StageId::All && 0 < captures && captures < taking.len());
        let sorted = taking[..captures].iter().all(|&takes| takes);
        (!sorted)
            .then(|| format!("a move of the other list is among the first {captures}: {taking:?}"))
    });
    assert!(both > 100, "{both}");
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
