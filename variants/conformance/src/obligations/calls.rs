//! Obligations of the calls that only some designs offer. A design that offers none has none.

use raywalk_core::{FIRST_MOVES, LOOKUP_ORDERS, Leaves, Legality, Move, Position, Square, StageId};
use raywalk_positions::{facts, oracle};

use super::each_board;
use crate::cases;
use crate::design::{Design, Play};
use crate::failure::{Failure, format_moves, same_moves};
use crate::size::SIZE;

/// The attack sets of the pieces of both colours equal those of an independent oracle, asked for one by
/// one and, for the side to move, all at once.
pub fn attack_sets_equal_those_of_an_independent_oracle(design: &Design) {
    each_board(design, &cases::ALL, |_, position, board| {
        let Some(sets) = board.side_attacks() else { return Ok(()) };
        let oracle = oracle::board(position).expect("the oracle accepts every case");
        let own = oracle::attack_sets(&oracle, position.side());
        for (square, expected) in
            own.iter().copied().chain(oracle::attack_sets(&oracle, !position.side()))
        {
            let found = board.piece_attacks(square).expect("both calls are of one trait");
            if found != expected {
                let problem = format!("the set of {square} is {found:#x} instead of {expected:#x}");
                return Err(Failure::new(position, problem));
            }
        }
        let mut found: Vec<_> = sets.iter().collect();
        found.sort_unstable();
        if found != own {
            let problem = format!("the sets of the side are {found:x?} instead of {own:x?}");
            return Err(Failure::new(position, problem));
        }
        Ok(())
    });
}

/// The sets of a queen on each square equal those of an independent oracle, combined by exclusive or.
pub fn the_attack_sets_of_queens_equal_those_of_an_independent_oracle(design: &Design) {
    each_board(design, &cases::ALL, |_, position, board| {
        let Some(found) = board.queen_lookups(&LOOKUP_ORDERS[0]) else { return Ok(()) };
        let oracle = oracle::board(position).expect("the oracle accepts every case");
        let expected = oracle::queen_lookups(&oracle);
        if found != expected {
            let problem = format!("the sets of queens are {found:#x} and not {expected:#x}");
            return Err(Failure::new(position, problem));
        }
        Ok(())
    });
}

/// The first capture is a capture, and there is one if the stage has any; the first moves are as many
/// different moves as promised.
pub fn the_first_moves_are_moves_of_their_stage(design: &Design) {
    each_board(design, &cases::ALL, |_, position, board| {
        let (Some(found), Some(first)) = (board.first_capture(), board.first_moves()) else {
            return Ok(());
        };
        let captures = board.stage(StageId::Captures);
        if found.is_none() != captures.is_empty() || found.is_some_and(|mv| !captures.contains(&mv))
        {
            let problem = format!("the first capture is {found:?} of {}", format_moves(&captures));
            return Err(Failure::new(position, problem));
        }
        let all = board.stage(StageId::All);
        let mut moves = first.clone();
        moves.sort_unstable();
        moves.dedup();
        if moves.len() != all.len().min(FIRST_MOVES)
            || moves.len() != first.len()
            || moves.iter().any(|mv| !all.contains(mv))
        {
            let problem = format!("the first moves are {}", format_moves(&moves));
            return Err(Failure::new(position, problem));
        }
        Ok(())
    });
}

/// The moves to each square are those of the stage *all* that end there.
pub fn the_moves_to_a_square_are_those_that_end_there(design: &Design) {
    each_board(design, &cases::ALL, |_, position, board| {
        let all = board.stage(StageId::All);
        Square::all().try_for_each(|to| {
            let Some(found) = board.moves_to(to) else { return Ok(()) };
            let expected: Vec<Move> = all.iter().copied().filter(|mv| mv.to() == to).collect();
            same_moves(position, &format!("wrong moves to {to}"), &found, &expected)
        })
    });
}

/// The number of moves that is found without a list is that of the legal moves of an independent oracle.
pub fn the_count_without_a_list_is_the_number_of_legal_moves(design: &Design) {
    each_board(design, &cases::ALL, |_, position, board| {
        let Some(found) = board.count() else { return Ok(()) };
        let expected = oracle::legal_moves(position).expect("the oracle accepts every case");
        if found != expected.len() as u64 {
            let problem = format!("{found} moves are counted instead of {}", expected.len());
            return Err(Failure::new(position, problem));
        }
        Ok(())
    });
}

/// The winning captures are the captures of pieces that are worth more, found by an independent oracle.
pub fn the_winning_captures_equal_those_of_an_independent_oracle(design: &Design) {
    each_board(design, &cases::ALL, |_, position, board| {
        let Some(found) = board.winning_captures() else { return Ok(()) };
        let oracle = oracle::board(position).expect("the oracle accepts every case");
        let mut expected = oracle::winning_captures(&oracle);
        if design.card.legality == Legality::Legal {
            let legal = oracle::legal_moves(position).expect("the oracle accepts every case");
            expected.retain(|mv| legal.contains(mv));
        }
        same_moves(position, "wrong winning captures", &found, &expected)
    });
}

/// Perft by copies gives the published counts, up to the largest that the size of the kit allows, and on all other
/// cases the counts of perft by lists at depths 1 and 2.
pub fn perft_by_copies_gives_the_counts_that_are_published_and_those_of_lists(design: &Design) {
    let same = |position: &Position, board: &dyn Play, depth, expected: u64| {
        for leaves in [Leaves::Made, Leaves::Bulk] {
            let found = board.perft_by_copies(depth, leaves);
            if found.is_some_and(|found| found != expected) {
                let problem = format!(
                    "perft {depth} by copies is {found:?} instead of {expected}, {leaves:?}"
                );
                return Err(Failure::new(position, problem));
            }
        }
        Ok(())
    };
    let mut facts = facts::perft().iter();
    each_board(design, &cases::RULES, |_, position, board| {
        let fact = facts.next().expect("one fact per position");
        let mut counts = fact.perft.iter().filter(|(_, leaves)| *leaves <= SIZE.leaves);
        counts.try_for_each(|&(depth, leaves)| same(position, board, depth, leaves))
    });
    each_board(design, &cases::ALL, |_, position, board| {
        if board.perft_by_copies(0, Leaves::Bulk).is_none() {
            return Ok(());
        }
        (1..3).try_for_each(|depth| {
            let expected = board.perft_by_lists(depth, Leaves::Bulk);
            same(position, board, depth, expected)
        })
    });
}
