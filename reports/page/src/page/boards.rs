//! Drawn boards: the positions on which a design executes the fewest and the most instructions per move.
//!
//! The pieces of a rank are one text, with a place for each character. So a board has nine elements, and a design with
//! twenty boards fewer than three hundred.

use maud::{Markup, html};
use raywalk_judge::format::{plural, rate};
use raywalk_judge::gap::{Side, breakdown};
use raywalk_results::schema::{Provenance, Stage, Trace, TracedPosition};

use crate::label::About;
use crate::table::{Cell, Table};
use crate::view::View;

/// Side of a square in pixels.
const SQUARE: usize = 14;
/// Id of the squares that all boards use.
const SQUARES: &str = "squares";
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

/// The positions of every design on the workload of the gap: those of its two designs as boards, the others as lines,
/// which the script draws when a reader opens them. Empty without traces.
pub(crate) fn body(view: View<'_>) -> Markup {
    let Some(all) = breakdown(view.judged) else { return html! {} };
    let workload = &all.panel.panel.workload;
    let trace = |side: &Side<'_>| {
        let trace = view.judged.results.trace(&side.row.id, workload, Stage::All)?;
        (!trace.dearest.is_empty()).then_some(trace)
    };
    let gap = all.of_classes().map(|gap| [gap.slower, gap.faster]);
    let drawn: Vec<_> =
        gap.iter().flatten().filter_map(|side| Some((*side, trace(side)?))).collect();
    let is_drawn = |id: &str| drawn.iter().any(|(side, _)| side.row.id == id);
    let others = all.sides.iter().filter(|side| !is_drawn(&side.row.id));
    let others: Vec<_> = others.filter_map(|side| Some((side, trace(side)?))).collect();
    html! {
        @if !drawn.is_empty() || !others.is_empty() { (squares()) }
        @for (side, trace) in drawn {
            details.group.(owner(view, side)) {
                summary {
                    (side.row.name) ": the positions of " (workload) " with the most and the fewest instructions per move"
                }
                p { "Most instructions per move (counted)" }
                (boards(&trace.dearest))
                p { "Fewest instructions per move (counted)" }
                (boards(&trace.cheapest))
            }
        }
        @if !others.is_empty() { (listed(view, workload, &others)) }
    }
}

fn owner(view: View<'_>, side: &Side<'_>) -> String {
    view.keys.owner(&side.row.id).unwrap_or_default()
}

/// The positions of designs as numbers of a list that they share: a few positions are among the worst of nearly every
/// design, and thousands of lines with FENs would take a tenth of the page.
fn listed(view: View<'_>, workload: &str, designs: &[(&Side<'_>, &Trace)]) -> Markup {
    let mut fens: Vec<&str> = Vec::new();
    for (_, trace) in designs {
        for position in trace.dearest.iter().chain(&trace.cheapest) {
            if !fens.contains(&&*position.fen) {
                fens.push(&position.fen);
            }
        }
    }
    let line = |position: &TracedPosition| {
        let number = fens.iter().position(|fen| *fen == position.fen).map_or(0, |place| place + 1);
        format!("{number} {} {}\n", rate(per_move(position)), position.moves)
    };
    let lines = |positions: &[TracedPosition]| positions.iter().map(line).collect::<String>();
    let numbered = fens.iter().enumerate().map(|(place, fen)| format!("{} {fen}\n", place + 1));
    html! {
        details.group {
            summary { "Positions of the other designs" }
            p {
                "The positions of " (workload) " with the most and the fewest instructions per move (counted), from the \
                 following list. A line has the number of the position, instructions per move, and moves."
            }
            pre.tall data-fens { (numbered.collect::<String>()) }
            @for (side, trace) in designs {
                details.group.(owner(view, side)) {
                    summary { (side.row.name) }
                    p { "Most" }
                    pre data-boards { (lines(&trace.dearest)) }
                    p { "Fewest" }
                    pre data-boards { (lines(&trace.cheapest)) }
                }
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
        view.label(
            caption,
            Provenance::Counted.name(),
            About::Workload("each position once", Stage::All, workload),
        ),
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

/// The values of a position in words.
fn told(position: &TracedPosition) -> String {
    format!("{} per move, {}", rate(per_move(position)), plural(position.moves as usize, "move"))
}

fn boards(positions: &[TracedPosition]) -> Markup {
    html! {
        ul.boards {
            @for position in positions {
                li {
                    (board(&position.fen))
                    p { (told(position)) }
                    code { (position.fen) }
                }
            }
        }
    }
}

/// The squares that all boards use, and the signs of the pieces for the script.
fn squares() -> Markup {
    let letters = PIECES.iter().map(|(letter, _)| letter);
    let pieces: String = letters.chain(PIECES.iter().map(|(_, sign)| sign)).collect();
    html! {
        svg hidden data-pieces=(pieces) data-square=(SQUARE) aria-hidden="true" {
            symbol id=(SQUARES) { path.f-band d=(dark_squares()) {} }
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
            use href=(format!("#{SQUARES}")) {}
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
