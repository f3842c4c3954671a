//! The obligations of a design. Each function is a test; [`conformance!`] runs all of them.
//!
//! [`conformance!`]: crate::conformance

use std::sync::LazyLock;

use raywalk_core::{Card, Feature, Leaves, Legality, Move, Position, StageId};
use raywalk_positions::{facts, oracle};

use crate::design::{Design, Play, Tables};
use crate::failure::{Checked, Failure, check_each, format_moves, same_moves};
use crate::size::SIZE;
use crate::{cases, naive};

mod boards;
mod calls;
mod lists;

pub use boards::*;
pub use calls::*;
pub use lists::{
    captures_are_in_one_list_and_other_moves_in_the_other, each_list,
    the_captured_piece_in_a_word_is_that_of_the_position,
};

/// The legal moves of [`cases::ALL`] by the oracle, computed once per test process.
static LEGAL: LazyLock<Vec<Vec<Move>>> =
    LazyLock::new(|| cases::ALL.iter().map(oracle_moves).collect());

fn oracle_moves(position: &Position) -> Vec<Move> {
    oracle::legal_moves(position).expect("the oracle accepts every case")
}

/// A design that is built, or nothing if this machine cannot run it, with a message.
fn available<T>(card: &Card, built: Result<T, Feature>) -> Option<T> {
    built
        .inspect_err(|feature| eprintln!("{} is not tested here: it needs {feature}", card.id))
        .ok()
}

/// Sets up every position on a board of the design and checks it. A design that this machine cannot run is skipped.
fn each_board(
    design: &Design,
    positions: &[Position],
    mut check: impl FnMut(&dyn Tables, &Position, &mut dyn Play) -> Checked,
) {
    let Some(tables) = available(&design.card, (design.build)()) else { return };
    check_each(design.card.id, positions, |position| {
        check(&*tables, position, &mut *tables.set_up(position))
    });
}

/// Generates all moves and fails if one of them is not even pseudo-legal.
///
/// Make and unmake may rely on pseudo-legal moves. Without this check an illegal move would appear
/// as a wrong key or as a broken unmake.
fn pseudo_legal(board: &dyn Play) -> Checked<Vec<Move>> {
    let moves = board.stage(StageId::All);
    let position = board.position();
    let expected = naive::pseudo_legal_moves(&position);
    let mut illegal: Vec<Move> =
        moves.iter().copied().filter(|mv| !expected.contains(mv)).collect();
    illegal.sort_unstable();
    if illegal.is_empty() {
        return Ok(moves);
    }
    let problem = format!("generated an illegal move: {}", format_moves(&illegal));
    Err(Failure::new(&position, problem))
}

/// The card is complete, and its id consists of characters that are safe in commands and file
/// names.
pub fn the_card_is_complete_and_has_a_valid_id(design: &Design) {
    let card = &design.card;
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-/".contains(c);
    assert!(card.id.chars().all(allowed) && card.id.split('/').count() <= 2, "{}", card.id);
    assert!(card.id.split('/').all(|part| !part.is_empty()), "{}", card.id);
    assert!(
        card.year.is_none_or(|year| (1950..2100).contains(&year)),
        "{}: the year {:?} is not plausible",
        card.id,
        card.year
    );
    for text in [card.name, card.author, card.source] {
        assert!(!text.trim().is_empty(), "{}: a text of the card is empty", card.id);
    }
}

/// The perft counts of every fact, up to the largest that the size of the kit allows.
pub fn perft_gives_the_published_counts(design: &Design) {
    let mut checked = 0;
    let mut facts = facts::perft().iter();
    let mut available = false;
    each_board(design, &cases::RULES, |tables, position, board| {
        available = true;
        let fact = facts.next().expect("one fact per position");
        pseudo_legal(board)?;
        for &(depth, nodes) in fact.perft.iter().filter(|(_, nodes)| *nodes <= SIZE.leaves) {
            let found = board.perft_by_lists(depth, Leaves::Made);
            if found != nodes {
                compare_tree(design, tables, position, depth)?;
                let problem = format!(
                    "perft {depth} of {} is {found} instead of {nodes}, although the moves of \
                     all positions on the way are right: make or unmake is wrong",
                    fact.name
                );
                return Err(Failure::new(position, problem));
            }
            checked += 1;
        }
        Ok(())
    });
    assert!(!available || checked >= SIZE.counts, "only {checked} counts were checked");
}

/// Compares the legal moves of every position in a perft tree with the oracle, to find the position
/// that makes a count wrong.
fn compare_tree(design: &Design, tables: &dyn Tables, position: &Position, depth: u32) -> Checked {
    let expected = oracle_moves(position);
    compare_legal(design, position, &mut *tables.set_up(position), &expected)?;
    if depth > 1 {
        let parent = oracle::board(position).expect("the oracle accepts every case");
        let mut children = Vec::new();
        oracle::each_move(&parent, |theirs, _| {
            let mut child = parent.clone();
            child.play(theirs);
            children.push(oracle::position(&child));
        });
        children.iter().try_for_each(|child| compare_tree(design, tables, child, depth - 1))?;
    }
    Ok(())
}

/// The set of legal moves of every case.
pub fn the_legal_moves_equal_those_of_an_independent_oracle(design: &Design) {
    let mut expected = LEGAL.iter();
    each_board(design, &cases::ALL, |_, position, board| {
        compare_legal(design, position, board, expected.next().expect("one list per case"))
    });
}

fn compare_legal(
    design: &Design,
    position: &Position,
    board: &mut dyn Play,
    expected: &[Move],
) -> Checked {
    let moves = pseudo_legal(board)?;
    let found = match design.card.legality {
        Legality::Legal => moves,
        Legality::Pseudo => board.legal(&moves),
    };
    same_moves(position, "the legal moves differ from those of cozy-chess", &found, expected)
}

/// The set of pseudo-legal moves of every case. Designs must agree on it before their times can be
/// compared. Does not apply to designs that generate legal moves.
pub fn the_pseudo_legal_moves_equal_those_of_a_naive_generator(design: &Design) {
    if design.card.legality == Legality::Legal {
        return;
    }
    each_board(design, &cases::ALL, |_, position, board| {
        let expected = naive::pseudo_legal_moves(position);
        let what = "the pseudo-legal moves differ from those of the naive generator";
        same_moves(position, what, &board.stage(StageId::All), &expected)
    });
}

/// *All* is the disjoint union of *captures* and *quiets*, and contains each move once.
pub fn captures_and_quiets_partition_all_moves(design: &Design) {
    each_board(design, &cases::ALL, |_, position, board| {
        let [all, captures, quiets] = StageId::ALL.map(|id| board.stage(id));
        let union = [captures, quiets].concat();
        same_moves(position, "captures and quiets together differ from all", &union, &all)?;
        let mut once = all.clone();
        once.sort_unstable();
        once.dedup();
        same_moves(position, "a move was generated more than once", &all, &once)
    });
}

/// Capturing promotions and en passant are captures; other promotions and castling are not.
pub fn the_stage_captures_has_exactly_the_captures(design: &Design) {
    each_board(design, &cases::ALL, |_, position, board| {
        for (id, takes) in [(StageId::Captures, true), (StageId::Quiets, false)] {
            let mut wrong = board.stage(id);
            wrong.retain(|&mv| naive::takes(position, mv) != takes);
            if !wrong.is_empty() {
                let problem = format!(
                    "moves that belong to the other stage, generated for {}: {}",
                    id.name(),
                    format_moves(&wrong)
                );
                return Err(Failure::new(position, problem));
            }
        }
        Ok(())
    });
}

/// The entry *sliders* generates exactly those moves of the entry *all* that bishops, rooks and
/// queens make; without the scope it generates nothing.
pub fn the_entry_sliders_has_the_slider_moves_of_the_entry_all(design: &Design) {
    each_board(design, &cases::ALL, |_, position, board| {
        let slides =
            |mv: &Move| position.piece_at(mv.from()).is_some_and(|piece| piece.kind.is_slider());
        let mut expected = board.stage(StageId::All);
        expected.retain(|mv| design.has_sliders && slides(mv));
        let what = "the entry sliders differs from the slider moves of the entry all";
        same_moves(position, what, &board.sliders(), &expected)
    });
}

/// The mirrored position has the mirrored moves.
pub fn a_mirrored_position_has_mirrored_moves(design: &Design) {
    each_board(design, &cases::ALL, |tables, position, board| {
        let mirrored = position.mirrored();
        let found = tables.set_up(&mirrored).stage(StageId::All);
        let expected: Vec<_> = board.stage(StageId::All).into_iter().map(Move::flip).collect();
        let what = "the moves differ from the mirrored moves of the mirrored position";
        same_moves(&mirrored, what, &found, &expected)
    });
}

/// A generator appends to the list: captures and then quiets give the two lists one after the
/// other.
pub fn moves_are_appended_to_the_list(design: &Design) {
    each_board(design, &cases::RULES, |_, position, board| {
        let captures = board.stage(StageId::Captures);
        let all = board.stages(&[StageId::Captures, StageId::Quiets]);
        let Some(appended) = all.strip_prefix(&captures[..]) else {
            let problem = "the stage quiets changed the captures that were in the list";
            return Err(Failure::new(position, problem));
        };
        let quiets = board.stage(StageId::Quiets);
        let what = "quiets behind captures differ from quiets in an empty list";
        same_moves(position, what, appended, &quiets)?;
        if appended != quiets {
            return Err(Failure::new(position, format!("{what} in their order")));
        }
        Ok(())
    });
}

/// The positions with most moves, 218 legal ones, fit the list.
pub fn the_positions_with_most_moves_fit_the_list(design: &Design) {
    // An eager writer stores four promotions before it knows whether they count.
    const LARGEST: usize = 256 - 4;
    let mut record = None;
    each_board(design, &cases::RULES, |_, _, board| {
        record = record.max(Some(board.stage(StageId::All).len()));
        Ok(())
    });
    if let Some(record) = record {
        assert!(
            (218..=LARGEST).contains(&record),
            "{}: the longest list has {record} moves instead of 218 to {LARGEST}",
            design.card.id
        );
    }
}
