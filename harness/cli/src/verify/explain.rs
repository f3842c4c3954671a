//! Explains a wrong answer: the wrong moves, or where the counts of two designs differ.

use raywalk_core::{Leaves, Move};
use raywalk_measure::design::Design;
use raywalk_positions::difference::Difference;
use raywalk_results::schema::Stage;

use super::calls::{self, Expected};
use super::stages::{Stages, Violations};
use super::{Candidate, MADE, Mismatch, Question, leaves_of, right_moves};

/// Explains a mismatch: the wrong moves, one line each, or for a perft count the root moves whose
/// counts differ from those of a right design.
///
/// The right design is the first of `others` that gives the expected count. If there is none, the fact
/// itself may be wrong.
pub(crate) fn explain(
    wrong: &dyn Design,
    mismatch: &Mismatch,
    others: &[&Candidate<'_>],
) -> Vec<String> {
    let position = &mismatch.position;
    let expected = Expected::of(position);
    match mismatch.question {
        Question::Perft(depth) => divide(wrong, mismatch, depth, others),
        Question::Call(operation) => {
            let stages = Stages::of(wrong, position);
            expected.map_or_else(Vec::new, |expected| {
                calls::errors(wrong, operation, &expected, &stages)
            })
        }
        Question::Stages => {
            let Violations { difference, repeated, misplaced } =
                Stages::of(wrong, position).violations(position);
            let Difference { missing, extra } = difference;
            [
                lines(&missing, "in captures or quiets, but not in all"),
                lines(&extra, "in all, but not in captures or quiets"),
                lines(&repeated, "more than once in all"),
                lines(&misplaced, "a quiet move in captures, or a capture in quiets"),
            ]
            .concat()
        }
        Question::Legal(_) | Question::Oracle => {
            // All moves, even for a count of one stage: the stage contract was checked before the count.
            let found = wrong.legal(position, Stage::All);
            let Difference { missing, extra } =
                Difference::of(&found, right_moves(expected.as_ref()));
            [
                lines(&extra, "generated, but not legal or not the first time"),
                lines(&missing, "legal, but not generated"),
            ]
            .concat()
        }
    }
}

fn lines(moves: &[Move], text: &str) -> Vec<String> {
    moves.iter().map(|mv| format!("{mv}: {text}")).collect()
}

/// The root moves whose counts differ from those of a right design, one line each.
fn divide(
    wrong: &dyn Design,
    mismatch: &Mismatch,
    depth: u32,
    others: &[&Candidate<'_>],
) -> Vec<String> {
    let position = &mismatch.position;
    let right =
        others.iter().find(|other| other.design.perft(position, depth, MADE) == mismatch.expected);
    let Some(right) = right else {
        return vec!["no design gives the expected count: the fact itself may be wrong".to_owned()];
    };
    let expected = right.design.divide(position, depth, Leaves::Made);
    let found = wrong.divide(position, depth, leaves_of(wrong, depth).leaves);
    let count = |rows: &[(Move, u64)], mv| rows.iter().find(|row| row.0 == mv).map(|row| row.1);
    let mut moves: Vec<_> = expected.iter().chain(&found).map(|row| row.0).collect();
    moves.sort_by_cached_key(Move::to_string);
    moves.dedup();
    let show = |count: Option<u64>| count.map_or("no such move".to_owned(), |n| n.to_string());
    let mut lines =
        vec![format!("divide at depth {depth}, where it differs from {}:", right.card.id)];
    for mv in moves {
        let (expected, found) = (count(&expected, mv), count(&found, mv));
        if expected != found {
            lines.push(format!("  {mv}: expected {}, found {}", show(expected), show(found)));
        }
    }
    lines
}
