//! PGN: the positions of recorded games, before each move and after the last one.
//!
//! The reader uses the moves of the main line and the tags `FEN`, `SetUp` and `Variant`. It skips all
//! other tags, comments (`{…}`, and `;` to the end of the line), escaped lines (`%` in the first
//! column), annotations (`$3`, `!?`), move numbers, and variations with everything in them. A game
//! ends at its result, at the first tag of the next game, or with the text.
//!
//! The reader accepts what programs write and the standard does not allow: castling with zeros, long
//! algebraic and overspecified moves (`Ng1-f3`, `e7e8q`), coordinates (`g1f3`), `exd6 e.p.`, and
//! quotes in tags without a backslash. A word that names no legal move, or several, is an error,
//! because every position after it would be a guess.
//!
//! # Source
//! Steven J. Edwards, *Portable Game Notation Specification and Implementation Guide* (1994),
//! sections 4 to 10.

use std::ops::ControlFlow;

use cozy_chess::util::parse_san_move;
use raywalk_core::Position;
use raywalk_core::fen::FenError;

use crate::escape::shown;
use crate::oracle::{self, Board, Refused};

mod scan;

pub(crate) use scan::is_tag;
use scan::{Scanner, Token};

/// A game cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, game {game}: {why}")]
pub struct PgnError {
    /// Line number, from 1.
    pub line: usize,
    /// Number of the game in the file, from 1.
    pub game: usize,
    /// The problem with the game.
    pub why: Why,
}

/// The reason why a game cannot be read. Texts from the file are escaped and cut.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// A bracket begins something that is not a tag.
    #[error("`{0}` is not a tag, which is written [Name \"value\"]")]
    Tag(String),
    /// A comment without an end.
    #[error("the comment that begins here has no closing brace")]
    Comment,
    /// A variation without an end.
    #[error("the variation that begins here has no closing parenthesis")]
    Variation,
    /// A closing bracket without an opening one.
    #[error("`{0}` has no opening bracket before it")]
    Closing(char),
    /// A word that names no legal move, or more than one.
    #[error("`{0}` does not name exactly one legal move")]
    Move(String),
    /// The position of the tag `FEN` is malformed or not valid.
    #[error("the position of the tag FEN cannot be read: {0}")]
    Fen(#[from] FenError),
    /// The oracle rejects the position of the tag `FEN`.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The tag `SetUp` announces a position that is not there.
    #[error("the tag SetUp is 1, but the game has no tag FEN")]
    SetUp,
    /// A game by other rules.
    #[error("the variant `{0}` is not supported; only standard chess is")]
    Variant(String),
}

/// Values of the tag `Variant` that mean standard chess. Servers write the last one for a game that
/// begins with a position of its own.
const STANDARD: [&str; 5] = ["", "standard", "chess", "normal", "from position"];

/// Reads all games of a text and returns their number. `visit` receives the board before each move
/// and the last one, in game order, and may end the reading. A game without moves has one position.
///
/// # Errors
/// [`PgnError`] for the first game that cannot be read.
pub fn read(
    text: &str,
    mut visit: impl FnMut(&Board) -> ControlFlow<()>,
) -> Result<usize, PgnError> {
    let mut scanner = Scanner::new(text);
    let (mut games, mut game) = (0, Game::default());
    loop {
        let number = games + 1;
        let at = |(line, why)| PgnError { line, game: number, why };
        let (line, token) = scanner.next_token().map_err(at)?;
        match token {
            Token::Tag(name, value) => {
                // A tag after moves begins the next game: this one has no result.
                if game.board.is_some() {
                    games += 1;
                    game = Game::default();
                }
                game.tags.set(name, value, line);
            }
            Token::Move(word) => {
                let Some(board) = game.started(&mut visit).map_err(at)? else { return Ok(games) };
                let mv = played(board, word).ok_or_else(|| at((line, Why::Move(shown(word)))))?;
                board.play_unchecked(mv);
                if visit(board).is_break() {
                    return Ok(games);
                }
            }
            Token::Result | Token::End => {
                // A result alone, without tags and moves, is not a game.
                if game.board.is_some() || game.tags.any {
                    if game.started(&mut visit).map_err(at)?.is_none() {
                        return Ok(games);
                    }
                    games += 1;
                    game = Game::default();
                }
                if token == Token::End {
                    return Ok(games);
                }
            }
        }
    }
}

/// A game as far as it has been read.
#[derive(Default)]
struct Game {
    tags: Tags,
    /// The current board; absent before the first move.
    board: Option<Board>,
}

impl Game {
    /// The current board. Before the first move it is set up and visited; `None` if the visit ends the
    /// reading.
    fn started(
        &mut self,
        visit: &mut impl FnMut(&Board) -> ControlFlow<()>,
    ) -> Result<Option<&mut Board>, (usize, Why)> {
        if self.board.is_none() {
            let board = self.tags.board()?;
            if visit(&board).is_break() {
                return Ok(None);
            }
            self.board = Some(board);
        }
        Ok(self.board.as_mut())
    }
}

/// The tags that decide where a game begins, each with its line.
#[derive(Default)]
struct Tags {
    /// Whether the game has a tag of any name.
    any: bool,
    fen: Option<(usize, String)>,
    set_up: Option<(usize, String)>,
    variant: Option<(usize, String)>,
}

impl Tags {
    fn set(&mut self, name: &str, value: String, line: usize) {
        self.any = true;
        let tag = match name {
            "FEN" => &mut self.fen,
            "SetUp" => &mut self.set_up,
            "Variant" => &mut self.variant,
            _ => return,
        };
        *tag = Some((line, value));
    }

    /// The board that the game begins with. An error names the line of its tag.
    fn board(&self) -> Result<Board, (usize, Why)> {
        // First, because the position of another variant may look like a wrong one of this game.
        if let Some((line, variant)) = &self.variant
            && !STANDARD.contains(&variant.trim().to_lowercase().as_str())
        {
            return Err((*line, Why::Variant(shown(variant))));
        }
        let set_up = self.set_up.as_ref().map(|(line, value)| (*line, value.trim()));
        match (&self.fen, set_up) {
            // The standard: 0 means the start position.
            (_, Some((_, "0"))) => Ok(Board::default()),
            (None, Some((line, "1"))) => Err((line, Why::SetUp)),
            (None, _) => Ok(Board::default()),
            (Some((line, fen)), _) => board_of(fen).map_err(|why| (*line, why)),
        }
    }
}

fn board_of(fen: &str) -> Result<Board, Why> {
    let fields: Vec<&str> = fen.split_whitespace().collect();
    let position: Position = fields.join(" ").parse()?;
    Ok(oracle::board(&position)?)
}

/// The legal move that a word names; `None` if it names none or several.
fn played(board: &Board, word: &str) -> Option<cozy_chess::Move> {
    let marks = ['!', '?', '+', '#'];
    let word = word.trim_end_matches(marks);
    let word = word.strip_suffix("e.p.").unwrap_or(word).trim_end_matches(marks);
    if !word.is_empty() && word.bytes().all(|byte| matches!(byte, b'O' | b'o' | b'0' | b'-')) {
        return parse_san_move(board, &word.replace(['o', '0'], "O")).ok();
    }
    // None of these separators distinguishes two moves. The library accepts some of them in some places.
    let mut name: String =
        word.chars().filter(|letter| !matches!(letter, 'x' | ':' | '-' | '=' | '/')).collect();
    // A promotion in small letters. After a rank, `b` is a bishop and not a file.
    if let [.., b'1' | b'8', b'q' | b'r' | b'b' | b'n'] = name.as_bytes()
        && let Some(piece) = name.pop()
    {
        name.push(piece.to_ascii_uppercase());
    }
    match parse_san_move(board, &name) {
        Ok(mv) => is_written_so(board, mv, &name).then_some(mv),
        Err(_) => from_coordinates(board, &name),
    }
}

/// Rejects two moves that the library reads too generously.
fn is_written_so(board: &Board, mv: cozy_chess::Move, name: &str) -> bool {
    // It encodes castling as the king capturing its own rook, and so reads `Kh1` as castling.
    let castles = board.colors(board.side_to_move()).has(mv.to);
    // It reads `d6` as `exd6` if no pawn can advance to d6.
    let file = name.chars().next().filter(char::is_ascii_lowercase);
    let captures_unsaid = file.is_some_and(|file| file != char::from(mv.from.file()));
    !castles && !captures_unsaid
}

/// The legal move of a piece that is written as two squares, without a letter.
fn from_coordinates(board: &Board, name: &str) -> Option<cozy_chess::Move> {
    let mut found = None;
    if name.len() == 4 {
        oracle::each_move(board, |theirs, ours| {
            if ours.to_string() == name {
                found = Some(theirs);
            }
        });
    }
    found
}

#[cfg(test)]
mod tests;
