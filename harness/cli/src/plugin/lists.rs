//! The lists of a plug-in in the common form of moves, for checks. Nothing here is timed.

use raywalk_core::{Move, MoveList, Position, StageId};

use super::abi::Functions;
use super::rules::read;
use super::slots::Slots;

/// Generates a stage for a board, which holds this position, and reads the moves.
pub(super) fn moves(
    functions: &Functions,
    position: &Position,
    [boards, lists]: [&mut Slots; 2],
    board: usize,
    stage: StageId,
) -> Vec<Move> {
    let count = functions.generate(stage, [&mut *boards, &mut *lists], [board, 0]);
    read_list(functions, position, [&*boards, &*lists], board, count)
}

/// Reads the moves of the first list, which was generated for a board in this position.
pub(super) fn read_list(
    functions: &Functions,
    position: &Position,
    memory: [&Slots; 2],
    board: usize,
    count: usize,
) -> Vec<Move> {
    let text = |number| functions.uci_of(memory, [board, 0], number);
    let read = |text: [u8; 8]| {
        let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
        read(&text[..end], position)
    };
    (0..count).map(|number| read(text(number))).collect()
}

/// As many of the moves as a list holds. No right answer has more.
pub(super) fn listed(moves: Vec<Move>) -> MoveList {
    let mut list = MoveList::new();
    moves.into_iter().take(MOST).for_each(|mv| list.push(mv));
    list
}

/// Moves that a list of this program holds.
const MOST: usize = 255;
