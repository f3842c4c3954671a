//! Drawn boards: the positions on which a design executes the fewest and the most instructions per move.
//!
//! The pieces of a rank are one text, with a place for each character. So a board has nine elements, and a design with
//! twenty boards fewer than three hundred.

use maud::{Markup, html};
use raywalk_judge::format::{plural, rate};
use raywalk_judge::gap::{Side, breakdown};
use raywalk_results::schema::{Stage, TracedPosition};

use crate::label::About;
use crate::table::{Cell, Table};
use crate::view::View;

/// Pixels of a square.
const SQUARE: usize = 14;
/// The letters of a FEN, and the signs of the pieces.
const PIECES: [(char, char); 12] = [
    ('K', '♔'),
    ('Q', '♕'),
    ('R', '♖'),
    ('B', '♗'),
    ('N', '♘'),
    ('P', '♙'),
    ('k', '♚'),
    ('q', '♛'),
    ('r', '♜'),
    ('b', '♝'),
    ('n', '♞'),
    ('p', '♟'),
];

/// The positions of the two designs of the gap; empty without traces.
pub(crate) fn body(view: View<'_>) -> Markup {
    let Some(all) = breakdown(view.judged) else { return html! {} };
    let Some(gap) = all.of_classes() else { return html! {} };
    let workload = &all.panel.panel.workload;
    let trace = |side: &Side<'_>| {
        let trace = view.judged.results.trace(&side.row.id, workload, Stage::All)?;
        (!trace.dearest.is_empty()).then_some(trace)
    };
    let traces = [gap.slower, gap.faster].map(|side| Some((side, trace(side)?)));
    html! {
        @for (side, trace) in traces.into_iter().flatten() {
            details.group {
                summary {
                    (side.row.name) ": the positions of " (workload) " with the most and the fewest instructions per move"
                }
                p { "Most instructions per move (counted)" }
                (boards(&trace.dearest))
                p { "Fewest instructions per move (counted)" }
                (boards(&trace.cheapest))
            }
        }
    }
}

/// The positions of every design on the workload of the gap. `None` without traces.
pub(crate) fn all(view: View<'_>) -> Option<Table> {
    let results = view.judged.results;
    let parts = breakdown(view.judged)?;
    let workload = &parts.panel.panel.workload;
    let caption = format!(
        "The positions of {workload} on which each design executes the most and the fewest instructions per move"
    );
    let columns = ["Design", "Instructions per move", "Moves", "Position"];
    let mut table = Table::new(
        view.label(caption, "counted", About::Workload("each position once", Stage::All, workload)),
        &columns,
    )
    .printed_without(1);
    let traces = parts
        .sides
        .iter()
        .filter_map(|side| Some((side.row, results.trace(&side.row.id, workload, Stage::All)?)));
    for (row, trace) in traces {
        for position in trace.dearest.iter().chain(&trace.cheapest) {
            let cells = vec![
                Cell::number(Some(per_move(position)), rate),
                Cell::number(Some(position.moves as f64), |moves| format!("{moves:.0}")),
                Cell::text(position.fen.clone()),
            ];
            table.design(view.keys, &row.id, &row.name, cells);
        }
    }
    Some(table)
}

fn per_move(position: &TracedPosition) -> f64 {
    position.instructions as f64 / position.moves.max(1) as f64
}

fn boards(positions: &[TracedPosition]) -> Markup {
    html! {
        ul.boards {
            @for position in positions {
                @let TracedPosition { fen, moves, .. } = position;
                li {
                    (board(fen))
                    p {
                        (rate(per_move(position))) " per move, "
                        (plural(*moves as usize, "move"))
                    }
                    code { (fen) }
                }
            }
        }
    }
}

/// A board with its pieces. A FEN of a journal may be anything, so what is no piece stays an empty square.
fn board(fen: &str) -> Markup {
    let placed = fen.split(' ').next().unwrap_or_default();
    let side = 8 * SQUARE;
    let columns: Vec<String> = (0..8).map(|file| (file * SQUARE + 1).to_string()).collect();
    html! {
        svg.board viewBox=(format!("0 0 {side} {side}")) role="img" aria-label=(fen) {
            path d=(dark_squares()) {}
            @for (number, rank) in placed.split('/').take(8).enumerate() {
                text x=(columns.join(" ")) y=(number * SQUARE + SQUARE - 2) font-size=(SQUARE) { (signs(rank)) }
            }
        }
    }
}

/// Eight characters: the signs of the pieces, and spaces that take a place of their own.
fn signs(rank: &str) -> String {
    let empty = '\u{2003}';
    let squares = rank.chars().flat_map(|letter| {
        let sign = PIECES.iter().find(|(piece, _)| *piece == letter).map(|&(_, sign)| sign);
        let squares = letter.to_digit(10).unwrap_or(1) as usize;
        std::iter::repeat_n(sign.unwrap_or(empty), squares)
    });
    squares.take(8).collect()
}

fn dark_squares() -> String {
    let dark = (0..64).filter(|square| (square / 8 + square % 8) % 2 == 1);
    let square = |square: usize| {
        let (x, y) = (square % 8 * SQUARE, square / 8 * SQUARE);
        format!("M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z")
    };
    dark.map(square).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rank_has_eight_places_and_bad_letters_are_empty() {
        assert_eq!(signs("r3k2r"), "♜\u{2003}\u{2003}\u{2003}♚\u{2003}\u{2003}♜");
        assert_eq!(signs("x<9999").chars().count(), 8);
        assert!(signs("x<9").chars().all(|sign| sign == '\u{2003}'));
    }
}
