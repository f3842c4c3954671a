//! Standard algebraic notation: `Nbd7`, `exd8=Q+`, `O-O`.
//!
//! The text is taken apart first and then held against the legal moves, so that a mistake is told
//! as what it is: not a move at all, no such legal move, or two of them.

use cozy_chess::Piece;
use raywalk_core::{Kind, Move, MoveKind, Square};

use crate::oracle::{self, Board, neutral_kind};

/// Why a move text cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotPlayable {
    /// The text has not the form of a move.
    #[error("`{0}` is not a move in algebraic notation")]
    Form(String),
    /// No legal move fits.
    #[error("`{0}` is not legal here")]
    Illegal(String),
    /// Several legal moves fit.
    #[error("`{text}` fits several legal moves: {moves}")]
    Ambiguous {
        /// The text.
        text: String,
        /// The moves in coordinates.
        moves: String,
    },
}

/// What a move text says.
enum Said {
    /// The king lands on this file.
    Castle { file: u8 },
    /// Everything else.
    Move {
        kind: Kind,
        file: Option<u8>,
        rank: Option<u8>,
        takes: bool,
        to: Square,
        into: Option<Kind>,
    },
}

/// The legal move that the text names, as the oracle writes it and as we do.
pub fn resolve(board: &Board, text: &str) -> Result<(cozy_chess::Move, Move), NotPlayable> {
    let said = read(text).ok_or_else(|| NotPlayable::Form(text.to_owned()))?;
    let mut fitting = Vec::new();
    oracle::each_move(board, |played, mv| {
        if said.fits(board, mv) {
            fitting.push((played, mv));
        }
    });
    match fitting.as_slice() {
        [] => Err(NotPlayable::Illegal(text.to_owned())),
        &[found] => Ok(found),
        several => {
            let moves: Vec<_> = several.iter().map(|(_, mv)| mv.to_string()).collect();
            Err(NotPlayable::Ambiguous { text: text.to_owned(), moves: moves.join(", ") })
        }
    }
}

fn read(text: &str) -> Option<Said> {
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    match text {
        "O-O" | "0-0" => return Some(Said::Castle { file: 6 }),
        "O-O-O" | "0-0-0" => return Some(Said::Castle { file: 2 }),
        _ => {}
    }
    let (kind, text) = match text.chars().next()? {
        letter @ ('N' | 'B' | 'R' | 'Q' | 'K') => {
            (Kind::from_letter(letter.to_ascii_lowercase())?, &text[1..])
        }
        _ => (Kind::Pawn, text),
    };
    let (text, into) = match text.strip_suffix(['N', 'B', 'R', 'Q']) {
        Some(rest) => {
            let letter = text.chars().next_back()?.to_ascii_lowercase();
            (rest.strip_suffix('=').unwrap_or(rest), Some(Kind::from_letter(letter)?))
        }
        None => (text, None),
    };
    let (origin, to) = text.split_at_checked(text.len().checked_sub(2)?)?;
    let to = to.parse().ok()?;
    let (origin, takes) = match origin.strip_suffix('x') {
        Some(origin) => (origin, true),
        None => (origin, false),
    };
    let (file, rank) = match *origin.as_bytes() {
        [] => (None, None),
        [file @ b'a'..=b'h'] => (Some(file - b'a'), None),
        [rank @ b'1'..=b'8'] => (None, Some(rank - b'1')),
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file - b'a'), Some(rank - b'1')),
        _ => return None,
    };
    Some(Said::Move { kind, file, rank, takes, to, into })
}

impl Said {
    fn fits(&self, board: &Board, mv: Move) -> bool {
        let (from, target) = (mv.from(), mv.to());
        match *self {
            Said::Castle { file } => mv.kind() == MoveKind::Castle && target.file() == file,
            Said::Move { kind, file, rank, takes, to, into } => {
                let on = |square: Square| board.piece_on(cozy_chess::Square::index(square.index()));
                let captures = on(target).is_some() || mv.kind() == MoveKind::EnPassant;
                let moved: Option<Piece> = on(from);
                mv.kind() != MoveKind::Castle
                    && target == to
                    && moved.is_some_and(|moved| neutral_kind(moved) == kind)
                    && file.is_none_or(|file| file == from.file())
                    && rank.is_none_or(|rank| rank == from.rank())
                    && mv.promoted() == into
                    && captures == takes
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(fen: &str, text: &str) -> Result<String, NotPlayable> {
        let board: Board = fen.parse().expect("a FEN that cozy-chess takes");
        resolve(&board, text).map(|(_, mv)| format!("{mv:?}"))
    }

    #[test]
    fn every_form_of_a_move_is_understood() {
        let castles = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(found(castles, "O-O").as_deref(), Ok("e1g1 castle"));
        assert_eq!(found(castles, "0-0-0!?").as_deref(), Ok("e1c1 castle"));
        assert_eq!(found(castles, "Rxa8+").as_deref(), Ok("a1a8"));
        assert_eq!(found(castles, "Rhf1").as_deref(), Ok("h1f1"));
        let promotes = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N w - - 0 1";
        assert_eq!(found(promotes, "bxa8=N").as_deref(), Ok("b7a8n"));
        assert_eq!(found(promotes, "bxc8Q+").as_deref(), Ok("b7c8q"));
        let passant = "8/8/8/2PpP3/8/8/8/k6K w - d6 0 2";
        assert_eq!(found(passant, "exd6").as_deref(), Ok("e5d6 e.p."));
        let queens = "6k1/8/8/8/Q6Q/8/8/Q3K3 w - - 0 1";
        assert_eq!(found(queens, "Qa4d4").as_deref(), Ok("a4d4"));
        assert_eq!(found(queens, "Q1d4").as_deref(), Ok("a1d4"));
    }

    #[test]
    fn a_wrong_move_is_told_as_what_it_is() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let message = |fen, text| found(fen, text).expect_err("a wrong move").to_string();
        assert_eq!(message(start, "Nz3"), "`Nz3` is not a move in algebraic notation");
        assert_eq!(message(start, "é"), "`é` is not a move in algebraic notation");
        assert_eq!(message(start, "e5"), "`e5` is not legal here");
        assert_eq!(message(start, "Nxf3"), "`Nxf3` is not legal here");
        assert_eq!(message(start, "O-O"), "`O-O` is not legal here");
        let knights = "7k/8/8/8/8/8/8/N3N1K1 w - - 0 1";
        assert_eq!(message(knights, "Nc2"), "`Nc2` fits several legal moves: a1c2, e1c2");
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "\\PC{0,8}") {
            let _ = resolve(&Board::default(), &text);
        }
    }
}
