//! Lists whose words say more than the neutral move.

use raywalk_core::square_board::CapturedMove;
use raywalk_core::{
    Board, Entries, InTwoLists, Move, MoveFormat, MoveKind, MoveList, Piece, Position, Square,
    StageId,
};

use super::available;
use crate::cases;
use crate::failure::{Failure, check_each};

/// Generates every stage of every case and hands over the list, for tests of what a format says besides the
/// move. An answer of the check is the problem that it found.
pub fn each_list<G: Entries>(
    mut check: impl FnMut(&Position, StageId, &MoveList<G::Moves>) -> Option<String>,
) {
    let Some(generator) = available(&G::CARD, G::build()) else { return };
    check_each(G::CARD.id, &cases::ALL, |position| {
        let board = G::Board::new(position);
        let mut list = MoveList::new();
        for stage in StageId::ALL {
            list.clear();
            generator.stage(stage, &board, &mut list);
            if let Some(problem) = check(position, stage, &list) {
                return Err(Failure::new(position, format!("{}: {problem}", stage.name())));
            }
        }
        Ok(())
    });
}

/// The piece that a move captures.
fn victim(position: &Position, mv: Move) -> Option<Piece> {
    let square = match mv.kind() {
        MoveKind::EnPassant => Square::new(mv.to().file(), mv.from().rank()),
        _ => mv.to(),
    };
    position.piece_at(square)
}

/// For a design that writes the captured piece with each move.
pub fn the_captured_piece_in_a_word_is_that_of_the_position<G: Entries<Moves = CapturedMove>>() {
    let mut captures = 0;
    each_list::<G>(|position, _, list| {
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

/// For a design that writes two lists, of which the captures are read first.
pub fn captures_are_in_one_list_and_other_moves_in_the_other<G: Entries<Moves = InTwoLists>>() {
    let mut both = 0;
    each_list::<G>(|position, stage, list| {
        let taking: Vec<bool> = list.moves().map(|mv| victim(position, mv).is_some()).collect();
        let captures = taking.iter().filter(|&&takes| takes).count();
        both += u32::from(stage == StageId::All && 0 < captures && captures < taking.len());
        let sorted = taking[..captures].iter().all(|&takes| takes);
        (!sorted)
            .then(|| format!("a move of the other list is among the first {captures}: {taking:?}"))
    });
    assert!(both > 100, "{both}");
}
