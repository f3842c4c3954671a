//! PGN: games as tags and movetext, every move checked against the legal ones.
//!
//! Read are tags, move numbers, moves, results, comments in braces or behind a semicolon, numeric
//! glyphs and nested variations; of these only tags, moves and the result are kept. Games begin at
//! the start position: a `FEN` tag is refused, not ignored.

use raywalk_core::{Move, Position};

use crate::oracle::{self, Board, Ply};
use crate::san::{self, NotPlayable};

/// One game.
#[derive(Clone, Debug)]
pub struct Game {
    /// The tags in the order of the file: name and value.
    pub tags: Vec<(String, String)>,
    /// Every move with the board before it.
    pub plies: Vec<Ply>,
    /// The board after the last move.
    pub last: Board,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`, as the movetext ends.
    pub result: String,
}

impl Game {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The moves.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.plies.iter().map(|ply| ply.mv)
    }

    /// The boards from the start position to the last one, one more than there are moves.
    pub fn boards(&self) -> impl Iterator<Item = &Board> {
        self.plies.iter().map(|ply| &ply.board).chain([&self.last])
    }

    /// The positions from the start position to the last one.
    pub fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        self.boards().map(oracle::position)
    }
}

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, game {game}: {why}")]
pub struct PgnError {
    /// Number of the line, from 1.
    pub line: usize,
    /// Number of the game, from 1.
    pub game: usize,
    /// Why it cannot be read.
    pub why: Why,
}

/// Why a game cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// A move cannot be played.
    #[error("ply {ply}: {why}")]
    Move {
        /// Number of the half-move, from 1.
        ply: usize,
        /// What is wrong with it.
        why: NotPlayable,
    },
    /// A line that begins with a bracket is no tag.
    #[error("`{0}` is not a tag of the form [Name \"value\"]")]
    Tag(String),
    /// The game does not begin at the start position.
    #[error("it begins at another position than the start position, which is not supported")]
    OtherStart,
    /// A brace or parenthesis is never closed, or closed without having been opened.
    #[error("`{0}` has no counterpart")]
    Unpaired(char),
    /// The text ends before the result.
    #[error("the moves end without a result (1-0, 0-1, 1/2-1/2 or *)")]
    NoResult,
    /// The result behind the moves is not that of the tags.
    #[error("the moves end with {found}, but the tag says {tag}")]
    Result {
        /// Behind the moves.
        found: String,
        /// In the tags.
        tag: String,
    },
}

/// Reads all games of a text.
///
/// # Errors
/// [`PgnError`] names the first place that cannot be read.
pub fn read(text: &str) -> Result<Vec<Game>, PgnError> {
    let mut reader = Reader::default();
    for (line, text) in (1..).zip(text.lines()) {
        reader.line(text).map_err(|why| reader.at(line, why))?;
    }
    let last = text.lines().count();
    reader.finish().map_err(|why| PgnError { line: last, ..why })
}

/// A game being read.
#[derive(Default)]
struct Reader {
    done: Vec<Game>,
    tags: Vec<(String, String)>,
    plies: Vec<Ply>,
    board: Board,
    in_comment: bool,
    variations: usize,
}

impl Reader {
    fn at(&self, line: usize, why: Why) -> PgnError {
        PgnError { line, game: self.done.len() + 1, why }
    }

    fn line(&mut self, text: &str) -> Result<(), Why> {
        if text.starts_with('%') {
            return Ok(()); // an escaped line, for other programs
        }
        let inside = self.in_comment || self.variations > 0;
        if !inside && text.trim_start().starts_with('[') {
            return self.tag(text.trim());
        }
        let mut rest = text;
        loop {
            if self.in_comment {
                let Some((_, after)) = rest.split_once('}') else { return Ok(()) };
                self.in_comment = false;
                rest = after;
            }
            rest = rest.trim_start();
            let Some(first) = rest.chars().next() else { return Ok(()) };
            match first {
                ';' => return Ok(()),
                '{' => self.in_comment = true,
                '(' => self.variations += 1,
                ')' => {
                    self.variations = self.variations.checked_sub(1).ok_or(Why::Unpaired(')'))?;
                }
                '}' => return Err(Why::Unpaired('}')),
                _ => {
                    let ends = |c: char| c.is_whitespace() || "(){};".contains(c);
                    let (word, after) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
                    rest = after;
                    if self.variations == 0 {
                        self.word(word)?;
                    }
                    continue;
                }
            }
            rest = &rest[1..];
        }
    }

    fn tag(&mut self, text: &str) -> Result<(), Why> {
        if !self.plies.is_empty() {
            return Err(Why::NoResult);
        }
        let tag = || {
            let inner = text.strip_prefix('[')?.strip_suffix(']')?;
            let (name, value) = inner.trim().split_once(char::is_whitespace)?;
            let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
            Some((name.to_owned(), value.replace("\\\"", "\"").replace("\\\\", "\\")))
        };
        let (name, value) = tag().ok_or_else(|| Why::Tag(text.to_owned()))?;
        if name == "FEN" && value != Position::START {
            return Err(Why::OtherStart);
        }
        self.tags.push((name, value));
        Ok(())
    }

    fn word(&mut self, word: &str) -> Result<(), Why> {
        if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
            return self.end(word);
        }
        // `12.`, `12...` and `12.e4` carry a number; `0-0` begins with a digit and is a move.
        let after_number = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let text = match after_number.strip_prefix('.') {
            Some(rest) => rest.trim_start_matches('.'),
            None if after_number.is_empty() => "",
            None => word,
        };
        if text.is_empty() || text.starts_with('$') {
            return Ok(());
        }
        let ply = self.plies.len() + 1;
        let (played, mv) = san::resolve(&self.board, text).map_err(|why| Why::Move { ply, why })?;
        self.plies.push(Ply { board: self.board.clone(), mv });
        self.board.play_unchecked(played);
        Ok(())
    }

    fn end(&mut self, result: &str) -> Result<(), Why> {
        let game = Game {
            tags: std::mem::take(&mut self.tags),
            plies: std::mem::take(&mut self.plies),
            last: std::mem::take(&mut self.board),
            result: result.to_owned(),
        };
        if let Some(tag) = game.tag("Result").filter(|&tag| tag != result) {
            return Err(Why::Result { found: result.to_owned(), tag: tag.to_owned() });
        }
        self.done.push(game);
        Ok(())
    }

    fn finish(self) -> Result<Vec<Game>, PgnError> {
        let fault = if self.in_comment {
            Some(Why::Unpaired('{'))
        } else if self.variations > 0 {
            Some(Why::Unpaired('('))
        } else if !self.plies.is_empty() || !self.tags.is_empty() {
            Some(Why::NoResult)
        } else {
            None
        };
        match fault {
            Some(why) => Err(self.at(0, why)),
            None => Ok(self.done),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use raywalk_core::MoveKind;

    use super::*;
    use crate::facts::{FAMOUS_GAMES, famous_games};
    use crate::{Sample, packed};

    #[test]
    fn the_famous_games_are_all_read() {
        let games = read(FAMOUS_GAMES).expect("the bundled games");
        assert_eq!(games.len(), 68);
        assert_eq!(games.iter().map(|game| game.plies.len()).sum::<usize>(), 6628);
        for game in &games {
            let plies = game.tag("PlyCount").and_then(|count| count.parse().ok());
            assert_eq!(plies, Some(game.plies.len()), "{:?}", game.tags);
        }
        let lengths = games.iter().map(|game| game.plies.len());
        assert_eq!((lengths.clone().min(), lengths.max()), (Some(13), Some(538)));
    }

    #[test]
    fn the_famous_games_hold_their_known_rare_moves() {
        let kinds: Vec<_> = famous_games().iter().flat_map(Game::moves).map(Move::kind).collect();
        let count =
            |wanted: fn(&MoveKind) -> bool| kinds.iter().filter(|kind| wanted(kind)).count();
        assert_eq!(count(|kind| *kind == MoveKind::EnPassant), 5);
        assert_eq!(count(|kind| *kind == MoveKind::Castle), 110);
        assert_eq!(count(|kind| matches!(kind, MoveKind::Promotion(_))), 9);
    }

    #[test]
    fn nine_famous_games_end_in_mate_and_the_loser_is_to_move() {
        let mut mates = 0;
        for game in famous_games() {
            if oracle::can_move(&game.last) || !oracle::in_check(&game.last) {
                continue;
            }
            mates += 1;
            let lost = match oracle::side(&game.last) {
                raywalk_core::Color::White => "0-1",
                raywalk_core::Color::Black => "1-0",
            };
            assert_eq!(game.result, lost, "{:?}", game.tags);
        }
        assert_eq!(mates, 9);
    }

    #[test]
    fn the_famous_games_have_their_known_number_of_distinct_positions() {
        let boards = famous_games().iter().flat_map(Game::boards);
        let seen: HashSet<_> = boards.map(|board| packed::placed(&Sample::of(board, 0))).collect();
        assert_eq!(seen.len(), 6204);
    }

    #[test]
    fn comments_glyphs_and_variations_are_skipped() {
        let text = "[Event \"A \\\"test\\\"\"]\n\n1.e4 {best (by test) 1. d4\n is for later} e5 $1 \
                    (1... c5 2. Nf3 (2. Nc3)) 2. Nf3 ; a comment e5\n% 2. Qh5\n2... Nc6 0-1";
        let games = read(text).expect("a right game");
        let moves: Vec<_> = games[0].moves().map(|mv| mv.to_string()).collect();
        assert_eq!(moves, ["e2e4", "e7e5", "g1f3", "b8c6"]);
        assert_eq!(games[0].tag("Event"), Some("A \"test\""));
    }

    #[test]
    fn what_is_wrong_is_named_with_line_and_game() {
        let message = |text: &str| read(text).expect_err("a wrong text").to_string();
        assert_eq!(
            message("1. e4 *\n\n1. e4\ne6 2. Ke3 *"),
            "line 4, game 2: ply 3: `Ke3` is not legal here"
        );
        assert_eq!(
            message("1. e4"),
            "line 1, game 1: the moves end without a result (1-0, 0-1, 1/2-1/2 or *)"
        );
        assert_eq!(message("1. e4 {"), "line 1, game 1: `{` has no counterpart");
        assert_eq!(message("1. e4 ) *"), "line 1, game 1: `)` has no counterpart");
        assert_eq!(
            message("[Event]"),
            "line 1, game 1: `[Event]` is not a tag of the form [Name \"value\"]"
        );
        assert_eq!(
            message("[Result \"1-0\"]\n\n1. e4 *"),
            "line 3, game 1: the moves end with *, but the tag says 1-0"
        );
        assert!(message("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]").contains("not supported"));
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "([1-8.a-hNxO{}();$%\\[\\]\" \n-]|e4|e5|é){0,60}") {
            let _ = read(&text);
        }
    }
}
