//! Positions: FEN and EPD.
//!
//! An accepted position must be consistent. The text is the one that the position is written as, because
//! the reader accepts one spelling only; cozy-chess accepts the position and holds the same pieces and the
//! same state; and a design finds the legal moves that cozy-chess finds. A sample of the FENs also goes
//! through `raywalk fen`, whose exit code and output must fit.

use std::fmt::Display;
use std::process::ExitCode;
use std::sync::LazyLock;

use anyhow::Context;
use clap::Parser;
use raywalk::commands::Cli;
use raywalk_bell::BellLastSquare;
use raywalk_core::{Board, Entries, Generator, MoveList, Position, legal_moves};
use raywalk_positions::difference::Difference;
use raywalk_positions::{epd, facts, oracle};

use super::{Answer, Checked, check_line, refused};
use crate::mutation::Corpus;

/// One of so many FENs goes through the command.
const COMMAND: u64 = 64;

pub(super) fn fens() -> Corpus {
    let facts = facts::perft().iter();
    let mut seeds: Vec<Vec<u8>> = facts.map(|fact| fact.fen.clone().into_bytes()).collect();
    let more = [
        "8/7p/p5pb/4k3/P1pPn3/8/P5PP/1rB2RK1 b - d3 0 28",
        "rnbqkb1r/ppppp1pp/7n/4Pp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 99 65535",
        "4k3/8/8/8/8/8/8/4K3 w - - 255 1",
    ];
    seeds.extend(more.map(|fen| fen.as_bytes().to_vec()));
    Corpus { seeds, words: FEN_WORDS }
}

#[rustfmt::skip]
const FEN_WORDS: &[&str] = &[
    "w", "b", "-", "K", "Q", "k", "q", "KQkq", "Qkq", "QK", "HAha", "e3", "d6", "a3", "h6", "e4",
    "a9", "i3", "/", "8", "1", "7", "9", "0", "44", "P", "p", "N", "n", "B", "R", "r", "pppppppp",
    " ", "  ", " 0 1", " 100 1", " 256 1", " 65535 65535", "startpos", "♚", "–",
];

/// Lines of the bundled facts with their counts, and texts of several lines.
pub(super) fn epds() -> Corpus {
    let counts = |fact: &epd::Fact, depths: usize| -> String {
        let counts = fact.perft.iter().take(depths);
        counts.map(|(depth, count)| format!(" ;D{depth} {count}")).collect()
    };
    let facts = facts::perft();
    let mut seeds: Vec<String> = facts
        .iter()
        .map(|fact| format!("{}{} ; {}\n", fact.fen, counts(fact, 9), fact.name))
        .collect();
    seeds.extend(facts.chunks(7).map(|facts| {
        let lines = facts.iter().map(|fact| format!("{}{}\r\n", fact.fen, counts(fact, 2)));
        format!("# [{}] a group\n\n{}", facts[0].group, lines.collect::<String>())
    }));
    let kings = "8/8/8/3k4/8/3K4/8/8 w - -";
    seeds.push(format!("\u{feff}startpos ;D1 20\r\nstartpos D1 20 start\r\n{kings}\n"));
    seeds.push(format!("{kings} bm Ke3; ce -3; c0 \"a; b\"; D1 5 ;C 0 ;Q 5; id \"two kings\";"));
    seeds.push(format!("{kings} 7 9 D1 5 name\n# a comment\n{kings} ;C 0 ;Q 5 ;"));
    let seeds = seeds.into_iter().map(String::into_bytes).collect();
    Corpus { seeds, words: EPD_WORDS }
}

#[rustfmt::skip]
const EPD_WORDS: &[&str] = &[
    ";", " ;", ";D1 20", ";D20 1", ";D21 1", ";D0 1", " ;C 0", " ;Q 20", " D2 400", "D1=20",
    "D1", "C", "Q", "id", "id \"name\";", "id \"", "bm Ke3;", "c0 \"a; b\"", "noop", "perft 1 20",
    "\"", "=", "#", "# [group]", "[", "]", "\n", "\r\n", "startpos", "name", "w", "b", "-", "KQkq",
    "e3", "/", "8", "P", "k", " 0 1",
];

pub(super) fn read_fen(input: &[u8], number: u64) -> Checked {
    let text = String::from_utf8_lossy(input);
    let read = text.parse::<Position>();
    if number.is_multiple_of(COMMAND) {
        check_command(&text, read.as_ref().ok())?;
    }
    match read {
        Ok(position) => check_fen(&text, &position).map(|()| Answer::Accepted),
        Err(error) => {
            check_line(&error.to_string())?;
            refused(&anyhow::Error::new(error).context("bad FEN"))
        }
    }
}

pub(super) fn read_epd(input: &[u8], _number: u64) -> Checked {
    let text = String::from_utf8_lossy(input);
    match epd::read(&text) {
        Ok(facts) => {
            for fact in &facts {
                let in_line = |what| format!("line {}: {what}", fact.line);
                check_fen(&fact.fen, &fact.position).map_err(in_line)?;
                check_counts(fact).map_err(in_line)?;
            }
            Ok(Answer::Accepted)
        }
        Err(error) => {
            check_line(&error.to_string())?;
            refused(&Err::<(), _>(error).context("mutated.epd").expect_err("an error"))
        }
    }
}

/// Checks that `raywalk fen` answers as the reader does. It also takes other white space, `startpos` and a
/// byte order mark, so it may accept what the reader refuses, but not the other way round.
fn check_command(text: &str, read: Option<&Position>) -> Result<(), String> {
    // It would read standard input.
    if text.trim() == "-" {
        return Ok(());
    }
    let cli = Cli::try_parse_from(["raywalk", "fen", "--", text])
        .map_err(|error| format!("the command line does not take the text: {error}"))?;
    let mut out = Vec::new();
    match (cli.run(&mut out), read) {
        (Ok(code), _) if code != ExitCode::SUCCESS => {
            Err(format!("`raywalk fen` ended with {code:?}"))
        }
        (Ok(_), read) => {
            let out = String::from_utf8(out).map_err(|error| error.to_string())?;
            let printed = out.lines().last().unwrap_or_default();
            let position = printed.parse().map_err(|error| format!("`raywalk fen`: {error}"))?;
            if read.is_some_and(|read| *read != position) {
                return Err(format!("`raywalk fen` prints another position, {printed}"));
            }
            check_position(&position)
        }
        (Err(error), Some(_)) => Err(format!("`raywalk fen` refuses the position: {error:#}")),
        (Err(error), None) => refused(&error).map(|_| ()),
    }
}

/// Checks an accepted text. Its counters may be left out; otherwise it is what the writer writes.
pub(crate) fn check_fen(text: &str, position: &Position) -> Result<(), String> {
    let written = position.to_string();
    if !["", " 1", " 0 1"].iter().any(|counters| format!("{text}{counters}") == written) {
        return Err(format!("the text is read as {written}"));
    }
    check_position(position)
}

pub(super) fn check_position(position: &Position) -> Result<(), String> {
    let text = position.to_string();
    let again: Position =
        text.parse().map_err(|error| format!("written as {text}, then refused: {error}"))?;
    same("read again", &again, position)?;
    let board = oracle::board(position).map_err(|error| format!("{text}: {error}"))?;
    same("in cozy-chess", &oracle::position(&board), &as_in_cozy_chess(position))?;
    let legal = oracle::legal_moves(position).map_err(|error| format!("{text}: {error}"))?;
    let Difference { missing, extra } = Difference::of(&moves_of_a_design(position), &legal);
    if missing.is_empty() && extra.is_empty() {
        return Ok(());
    }
    Err(format!("{text}: cozy-chess has the moves {missing:?}, the design has {extra:?}"))
}

fn same<T: PartialEq + Display>(place: &str, found: &T, expected: &T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{place} {found} instead of {expected}")) }
}

/// The position with the counters that cozy-chess can hold.
pub(super) fn as_in_cozy_chess(position: &Position) -> Position {
    let mut state = position.state();
    state.halfmove = state.halfmove.min(100);
    state.fullmove = state.fullmove.max(1);
    Position::trusted(*position.squares(), state)
}

/// The legal moves by the ray loop of 1967, which shares no code with cozy-chess.
fn moves_of_a_design(position: &Position) -> Vec<raywalk_core::Move> {
    static DESIGN: LazyLock<Box<BellLastSquare>> =
        LazyLock::new(|| BellLastSquare::build().expect("a design that needs no CPU feature"));
    let mut board = <BellLastSquare as Generator>::Board::new(position);
    let mut list = MoveList::new();
    DESIGN.all(&board, &mut list);
    legal_moves(&mut board, &list)
}

/// Writes the counts of a line in their usual form and reads them again.
fn check_counts(fact: &epd::Fact) -> Result<(), String> {
    let mut line = fact.position.to_string();
    for (depth, count) in &fact.perft {
        line += &format!(" ;D{depth} {count}");
    }
    for (name, count) in [("C", fact.captures), ("Q", fact.quiets)] {
        line += &count.map_or(String::new(), |count| format!(" ;{name} {count}"));
    }
    let again = epd::read(&line).map_err(|error| format!("written as {line}, then {error}"))?;
    let [again] = &again[..] else { return Err(format!("written as {line}, which is no line")) };
    let counts = |fact: &epd::Fact| (fact.perft.clone(), fact.captures, fact.quiets);
    if counts(again) == counts(fact) { Ok(()) } else { Err(format!("read as {line}")) }
}

#[cfg(test)]
mod tests {
    use raywalk_core::{CastlingRights, State};

    use super::*;

    #[test]
    fn a_text_with_another_meaning_is_found() {
        let start = Position::default();
        for counters in [" 0 1", " 0", ""] {
            let text = Position::START.replace(" 0 1", counters);
            assert_eq!(check_fen(&text, &start), Ok(()));
        }
        for other in [" 0 2", " 1", " 1 1", " 0 1 "] {
            let text = Position::START.replace(" 0 1", other);
            assert!(check_fen(&text, &start).is_err(), "{text}");
        }
    }

    #[test]
    fn a_position_that_should_have_been_refused_is_found() {
        let start = Position::default();
        assert_eq!(check_position(&start), Ok(()));
        let mut squares = *start.squares();
        squares[0] = None; // the rook of the right to castle long
        let without_rook = Position::trusted(squares, start.state());
        let error = check_position(&without_rook).expect_err("a right without a rook");
        assert!(error.contains("refused: castling rights"), "{error}");
    }

    #[test]
    fn the_command_must_answer_as_the_reader() {
        let start = Position::default();
        assert_eq!(check_command(Position::START, Some(&start)), Ok(()));
        assert_eq!(check_command("\u{feff}startpos ", None), Ok(()));
        assert_eq!(check_command("nonsense", None), Ok(()));
        assert_eq!(check_command("--help", None), Ok(()));
        let state = State { rights: CastlingRights::NONE, ..start.state() };
        let other = Position::trusted(*start.squares(), state);
        let error = check_command(Position::START, Some(&other)).expect_err("another position");
        assert!(error.contains("prints another position"), "{error}");
        let error = check_command("nonsense", Some(&start)).expect_err("a refusal");
        assert!(error.contains("refuses the position"), "{error}");
    }

    #[test]
    fn counts_that_do_not_survive_are_found() {
        let mut fact = facts::perft()[0].clone();
        assert_eq!(check_counts(&fact), Ok(()));
        fact.perft.push((1, 20));
        assert!(check_counts(&fact).is_err(), "a depth that is given twice");
    }
}
