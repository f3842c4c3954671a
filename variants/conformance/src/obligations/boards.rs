//! Obligations of the board that a design reads: make, unmake, keys and checks.

use raywalk_core::{Board, Entries, Hashed, Key, Move, Position, StageId, State, legal_moves};
use raywalk_positions::oracle;

use super::{generated, pseudo_legal, stage, with};
use crate::cases;
use crate::failure::{Checked, Failure, check_each, same_moves};
use crate::size::SIZE;

/// Makes and takes back all lines of two plies, in the small kit of one, from every rule position. Unmake must restore the
/// pieces, the state and the generated moves.
pub fn unmake_restores_what_make_changed<G: Entries>() {
    with::<G>(|generator| {
        check_each::<G>(&cases::RULES, |position| {
            let mut board = G::Board::new(position);
            restores(generator, &mut board, SIZE.plies)?;
            let after = board.position();
            if after != *position {
                let problem = format!("the board holds {after} after make and unmake");
                return Err(Failure::new(position, problem));
            }
            let found = generated(generator, &board, StageId::All);
            let expected = stage(generator, position, StageId::All);
            same_moves(position, "the moves differ after make and unmake", &found, &expected)
        });
    });
}

fn restores<G: Entries>(generator: &G, board: &mut G::Board, depth: u32) -> Checked {
    let list = pseudo_legal(generator, board)?;
    let before = board.position();
    for mv in legal_moves(board, &list) {
        let undo = board.make(mv);
        if depth > 1 {
            restores(generator, board, depth - 1)?;
        }
        board.unmake(mv, undo);
        let after = board.position();
        if after != before {
            let problem = format!("{mv:?} was not taken back: the board is now {after}");
            return Err(Failure::new(&before, problem));
        }
    }
    Ok(())
}

/// After every move of two plies (in the small kit one), made and taken back, the incremental key equals the key computed
/// from scratch.
pub fn the_incremental_key_equals_the_key_from_scratch<G: Entries>() {
    with::<G>(|generator| {
        check_each::<G>(&cases::RULES, |position| {
            let mut board = Hashed::<G::Board>::new(position);
            if Key::of(&board.board().position()) != board.key() {
                let problem = "the board does not return the position that it was set up with";
                return Err(Failure::new(position, problem));
            }
            keys(generator, &mut board, SIZE.plies)
        });
    });
}

fn keys<G: Entries>(generator: &G, board: &mut Hashed<G::Board>, depth: u32) -> Checked {
    if depth == 0 {
        return Ok(());
    }
    let (before, key) = (board.board().position(), board.key());
    let list = pseudo_legal(generator, board.board())?;
    for mv in legal_moves(&mut board.board().clone(), &list) {
        let undo = board.make(mv);
        let after = board.board().position();
        if board.key() != Key::of(&after) {
            let problem = format!("the key is wrong after {mv:?}, which leads to {after}");
            return Err(Failure::new(&before, problem));
        }
        keys(generator, board, depth - 1)?;
        board.unmake(mv, undo);
        if board.key() != key {
            let problem = format!("the key is wrong after {mv:?} is taken back");
            return Err(Failure::new(&before, problem));
        }
    }
    Ok(())
}

/// After every legal move of every case, the board has the pieces and the state of the oracle, the
/// halfmove clock excepted.
pub fn make_leads_to_the_position_of_an_independent_oracle<G: Entries>() {
    check_each::<G>(&cases::ALL, |position| {
        after_each_move::<G>(position, |board, mv, child| {
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
pub fn the_board_finds_the_checks_that_an_independent_oracle_finds<G: Entries>() {
    let verdict = |check| if check { "in check" } else { "not in check" };
    check_each::<G>(&cases::RULES, |position| {
        let parent = oracle::board(position).expect("the oracle accepts every case");
        let check = G::Board::new(position).in_check(position.side());
        if check != oracle::in_check(&parent) {
            let problem = format!("the board reports the side to move as {}", verdict(check));
            return Err(Failure::new(position, problem));
        }
        after_each_move::<G>(position, |board, mv, child| {
            let check = board.in_check(board.state().side);
            (check != oracle::in_check(child)).then(|| {
                format!("after {mv:?} the board reports the opponent as {}", verdict(check))
            })
        })
    });
}

/// Makes every legal move of the oracle on the board and calls `problem` with the board, the move
/// and the oracle's board after it. The first problem fails.
fn after_each_move<G: Entries>(
    position: &Position,
    mut problem: impl FnMut(&G::Board, Move, &oracle::Board) -> Option<String>,
) -> Checked {
    let parent = oracle::board(position).expect("the oracle accepts every case");
    let mut board = G::Board::new(position);
    let mut first = None;
    oracle::each_move(&parent, |theirs, mv| {
        let mut child = parent.clone();
        child.play(theirs);
        let undo = board.make(mv);
        first = first.take().or_else(|| problem(&board, mv, &child));
        board.unmake(mv, undo);
    });
    first.map_or(Ok(()), |problem| Err(Failure::new(position, problem)))
}
