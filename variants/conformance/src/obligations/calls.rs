//! Obligations of the calls that only some designs offer. A design that offers none has none.

use raywalk_core::{
    AttackSets, Board, Entries, FIRST_MOVES, Generator, Leaves, Legality, Move, MoveList, Position,
    Square, StageId, perft_by_lists,
};
use raywalk_positions::{facts, oracle};

use super::{stage, with};
use crate::cases;
use crate::failure::{Failure, check_each, format_moves, same_moves};
use crate::size::SIZE;

/// The attack sets of the pieces of both colours equal those of an independent oracle, asked for one by
/// one and, for the side to move, all at once.
pub fn attack_sets_equal_those_of_an_independent_oracle<G: Entries>() {
    let (Some(one), Some(side)) = (G::OPTIONAL.piece_attacks, G::OPTIONAL.side_attacks) else {
        return;
    };
    with::<G>(|generator| {
        check_each::<G>(&cases::ALL, |position| {
            let oracle = oracle::board(position).expect("the oracle accepts every case");
            let board = G::Board::new(position);
            let own = oracle::attack_sets(&oracle, position.side());
            for (square, expected) in
                own.iter().copied().chain(oracle::attack_sets(&oracle, !position.side()))
            {
                let found = one(generator, &board, square);
                if found != expected {
                    let problem =
                        format!("the set of {square} is {found:#x} instead of {expected:#x}");
                    return Err(Failure::new(position, problem));
                }
            }
            let mut sets = AttackSets::new();
            side(generator, &board, &mut sets);
            let mut found: Vec<_> = sets.iter().collect();
            found.sort_unstable();
            if found != own {
                let problem = format!("the sets of the side are {found:x?} instead of {own:x?}");
                return Err(Failure::new(position, problem));
            }
            Ok(())
        });
    });
}

/// The sets of a queen on each square equal those of an independent oracle, combined by exclusive or.
pub fn the_attack_sets_of_queens_equal_those_of_an_independent_oracle<G: Entries>() {
    let Some(lookups) = G::OPTIONAL.queen_lookups else { return };
    with::<G>(|generator| {
        check_each::<G>(&cases::ALL, |position| {
            let oracle = oracle::board(position).expect("the oracle accepts every case");
            let found = lookups(generator, &G::Board::new(position));
            let expected = oracle::queen_lookups(&oracle);
            if found != expected {
                let problem = format!("the sets of queens are {found:#x} and not {expected:#x}");
                return Err(Failure::new(position, problem));
            }
            Ok(())
        });
    });
}

/// The first capture is a capture, and there is one if the stage has any; the first moves are as many
/// different moves as promised.
pub fn the_first_moves_are_moves_of_their_stage<G: Entries>() {
    let Some(capture) = G::OPTIONAL.first_capture else { return };
    with::<G>(|generator| {
        check_each::<G>(&cases::ALL, |position| {
            let board = G::Board::new(position);
            let captures = stage(generator, position, StageId::Captures);
            let found = capture(generator, &board);
            if found.is_none() != captures.is_empty()
                || found.is_some_and(|mv| !captures.contains(&mv))
            {
                let problem =
                    format!("the first capture is {found:?} of {}", format_moves(&captures));
                return Err(Failure::new(position, problem));
            }
            let all = stage(generator, position, StageId::All);
            let mut list = MoveList::new();
            G::OPTIONAL.completed_first_moves(generator, &board, &mut list);
            let mut moves: Vec<Move> = list.moves().collect();
            moves.sort_unstable();
            moves.dedup();
            if moves.len() != all.len().min(FIRST_MOVES)
                || moves.len() != list.len()
                || moves.iter().any(|mv| !all.contains(mv))
            {
                let problem = format!("the first moves are {}", format_moves(&moves));
                return Err(Failure::new(position, problem));
            }
            Ok(())
        });
    });
}

/// The moves to each square are those of the stage *all* that end there.
pub fn the_moves_to_a_square_are_those_that_end_there<G: Entries>() {
    let Some(moves_to) = G::OPTIONAL.moves_to else { return };
    with::<G>(|generator| {
        check_each::<G>(&cases::ALL, |position| {
            let board = G::Board::new(position);
            let all = stage(generator, position, StageId::All);
            Square::all().try_for_each(|to| {
                let mut list = MoveList::new();
                moves_to(generator, &board, to, &mut list);
                let found: Vec<Move> = list.moves().collect();
                let expected: Vec<Move> = all.iter().copied().filter(|mv| mv.to() == to).collect();
                same_moves(position, &format!("wrong moves to {to}"), &found, &expected)
            })
        });
    });
}

/// The number of moves that is found without a list is that of the legal moves of an independent oracle.
pub fn the_count_without_a_list_is_the_number_of_legal_moves<G: Entries>() {
    let Some(count) = G::OPTIONAL.count else { return };
    with::<G>(|generator| {
        check_each::<G>(&cases::ALL, |position| {
            let found = count(generator, &G::Board::new(position));
            let expected = oracle::legal_moves(position).expect("the oracle accepts every case");
            if found != expected.len() as u64 {
                let problem = format!("{found} moves are counted instead of {}", expected.len());
                return Err(Failure::new(position, problem));
            }
            Ok(())
        });
    });
}

/// The winning captures are the captures of pieces that are worth more, found by an independent oracle.
pub fn the_winning_captures_equal_those_of_an_independent_oracle<G: Entries>() {
    let Some(captures) = G::OPTIONAL.winning_captures else { return };
    with::<G>(|generator| {
        check_each::<G>(&cases::ALL, |position| {
            let oracle = oracle::board(position).expect("the oracle accepts every case");
            let board = G::Board::new(position);
            let mut list = MoveList::new();
            captures(generator, &board, &mut list);
            let found: Vec<Move> = list.moves().collect();
            let mut expected = oracle::winning_captures(&oracle);
            if <G as Generator>::CARD.legality == Legality::Legal {
                let legal = oracle::legal_moves(position).expect("the oracle accepts every case");
                expected.retain(|mv| legal.contains(mv));
            }
            same_moves(position, "wrong winning captures", &found, &expected)
        });
    });
}

/// Perft by copies gives the published counts, up to the largest that the size of the kit allows, and on all other cases
/// the counts of perft by lists at depths 1 and 2.
pub fn perft_by_copies_gives_the_counts_that_are_published_and_those_of_lists<G: Entries>() {
    let Some(by_copies) = G::OPTIONAL.perft else { return };
    with::<G>(|generator| {
        let same = |position: &Position, depth, expected| {
            for leaves in [Leaves::Made, Leaves::Bulk] {
                let found = by_copies(generator, &G::Board::new(position), depth, leaves);
                if found != expected {
                    let problem = format!(
                        "perft {depth} by copies is {found} instead of {expected}, {leaves:?}"
                    );
                    return Err(Failure::new(position, problem));
                }
            }
            Ok(())
        };
        let mut facts = facts::perft().iter();
        check_each::<G>(&cases::RULES, |position| {
            let fact = facts.next().expect("one fact per position");
            let mut counts = fact.perft.iter().filter(|(_, leaves)| *leaves <= SIZE.leaves);
            counts.try_for_each(|&(depth, leaves)| same(position, depth, leaves))
        });
        check_each::<G>(&cases::ALL, |position| {
            let mut board = G::Board::new(position);
            (1..3).try_for_each(|depth| {
                let expected = perft_by_lists(generator, &mut board, depth, Leaves::Bulk);
                same(position, depth, expected)
            })
        });
    });
}
