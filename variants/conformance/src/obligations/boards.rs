//! Obligations of the board that a design reads: make, unmake, keys and checks.

use raywalk_core::{Key, Move, Position, StageId, State};
use raywalk_positions::oracle;

use super::{each_board, pseudo_legal};
use crate::cases;
use crate::design::{Design, Play};
use crate::failure::{Checked, Failure, same_moves};
use crate::size::SIZE;

/// Makes and takes back all lines of two plies, in the small kit of one, from every rule position. Unmake must restore
/// the pieces, the state and the generated moves.
pub fn unmake_restores_what_make_changed(design: &Design) {
    each_board(design, &cases::RULES, |tables, position, board| {
        restores(board, SIZE.plies)?;
        let after = board.position();
        if after != *position {
            let problem = format!("the board holds {after} after make and unmake");
            return Err(Failure::new(position, problem));
        }
        let found = board.stage(StageId::All);
        let expected = tables.set_up(position).stage(StageId::All);
        same_moves(position, "the moves differ after make and unmake", &found, &expected)
    });
}

fn restores(board: &mut dyn Play, depth: u32) -> Checked {
    let moves = pseudo_legal(board)?;
    let before = board.position();
    for mv in board.legal(&moves) {
        let undone = board.make(mv);
        if depth > 1 {
            restores(board, depth - 1)?;
        }
        board.unmake(mv, undone);
        let after = board.position();
        if after != before {
            let problem = format!("{mv:?} was not taken back: the board is now {after}");
            return Err(Failure::new(&before, problem));
        }
    }
    Ok(())
}

/// After every move of two plies (in the small kit one), made and taken back, the incremental key equals the key
/// computed from scratch.
pub fn the_incremental_key_equals_the_key_from_scratch(design: &Design) {
    each_board(design, &cases::RULES, |_, position, board| {
        if Key::of(&board.position()) != board.key() {
            let problem = "the board does not return the position that it was set up with";
            return Err(Failure::new(position, problem));
        }
        keys(board, SIZE.plies)
    });
}

fn keys(board: &mut dyn Play, depth: u32) -> Checked {
    if depth == 0 {
        return Ok(());
    }
    let (before, key) = (board.position(), board.key());
    let moves = pseudo_legal(board)?;
    for mv in board.legal(&moves) {
        let undone = board.make(mv);
        let after = board.position();
        if board.key() != Key::of(&after) {
            let problem = format!("the key is wrong after {mv:?}, which leads to {after}");
            return Err(Failure::new(&before, problem));
        }
        keys(board, depth - 1)?;
        board.unmake(mv, undone);
        if board.key() != key {
            let problem = format!("the key is wrong after {mv:?} is taken back");
            return Err(Failure::new(&before, problem));
        }
    }
    Ok(())
}

/// After every legal move of every case, the board has the pieces and the state of the oracle, the
/// halfmove clock excepted.
pub fn make_leads_to_the_position_of_an_independent_oracle(design: &Design) {
    each_board(design, &cases::ALL, |_, position, board| {
        after_each_move(position, board, |board, mv, child| {
            let (found, expected) = (board.position(), oracle::position(child));
            let fields =
                |state: State| (state.side, state.rights, state.en_passant, state.fullmove);
            let same = found.squares() == expected.squares()
                && fields(found.state()) == fields(expected.state());
            (!same).then(|| format!("{mv:?} leads to {found} instead of {expected}"))
        })
    });
}

/// The side to move is in check according to the board if and only if it is according to the
/// oracle: in every rule position and after every legal move.
pub fn the_board_finds_the_checks_that_an_independent_oracle_finds(design: &Design) {
    let verdict = |check| if check { "in check" } else { "not in check" };
    each_board(design, &cases::RULES, |_, position, board| {
        let parent = oracle::board(position).expect("the oracle accepts every case");
        let check = board.in_check(position.side());
        if check != oracle::in_check(&parent) {
            let problem = format!("the board reports the side to move as {}", verdict(check));
            return Err(Failure::new(position, problem));
        }
        after_each_move(position, board, |board, mv, child| {
            let check = board.in_check(!position.side());
            (check != oracle::in_check(child)).then(|| {
                format!("after {mv:?} the board reports the opponent as {}", verdict(check))
            })
        })
    });
}

/// Makes every legal move of the oracle on the board and calls `problem` with the board, the move
/// and the oracle's board after it. The first problem fails.
fn after_each_move(
    position: &Position,
    board: &mut dyn Play,
    mut problem: impl FnMut(&dyn Play, Move, &oracle::Board) -> Option<String>,
) -> Checked {
    let parent = oracle::board(position).expect("the oracle accepts every case");
    let mut first = None;
    oracle::each_move(&parent, |theirs, mv| {
        let mut child = parent.clone();
        child.play(theirs);
        let undone = board.make(mv);
        first = first.take().or_else(|| problem(board, mv, &child));
        board.unmake(mv, undone);
    });
    first.map_or(Ok(()), |problem| Err(Failure::new(position, problem)))
}
