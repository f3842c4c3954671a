//! Reads positions from FEN.

use std::str::FromStr;

use super::{FenError, Field};
use crate::{CastlingRights, Color, Piece, Position, Square, State};

impl FromStr for Position {
    type Err = FenError;

    /// Reads a FEN of four to six fields. A missing halfmove clock is 0, a missing fullmove number
    /// 1.
    ///
    /// # Errors
    /// [`FenError`] names the first wrong field and the reason.
    fn from_str(text: &str) -> Result<Position, FenError> {
        let mut fields = text.split(' ');
        let mut required = |field| match fields.next() {
            None | Some("") => Err(malformed(
                field,
                "missing; the first four fields are required, with one space between".to_owned(),
            )),
            Some(text) => Ok(text),
        };
        let pieces = board(required(Field::Board)?)?;
        let state = State {
            side: side(required(Field::SideToMove)?)?,
            rights: rights(required(Field::CastlingRights)?)?,
            en_passant: en_passant(required(Field::EnPassant)?)?,
            halfmove: fields.next().map_or(Ok(0), |text| counter(Field::HalfmoveClock, text))?,
            fullmove: fields.next().map_or(Ok(1), |text| counter(Field::FullmoveNumber, text))?,
        };
        if let Some(extra) = fields.next() {
            let why = format!("the last field, but {} follows", quoted(extra));
            return Err(malformed(Field::FullmoveNumber, why));
        }
        Ok(Position::new(pieces, state)?)
    }
}

/// Reads the board field, which begins with the eighth rank.
fn board(text: &str) -> Result<[Option<Piece>; 64], FenError> {
    let wrong = |why| malformed(Field::Board, why);
    let ranks = text.split('/').count();
    if ranks != 8 {
        let plural = if ranks == 1 { "" } else { "s" };
        return Err(wrong(format!("{ranks} rank{plural} instead of 8")));
    }
    let mut pieces = [None; 64];
    // The text begins with the eighth rank, the array with the first.
    for (number, letters) in (1..=8).rev().zip(text.split('/')) {
        rank(number, letters, &mut pieces[8 * (number - 1)..8 * number]).map_err(wrong)?;
    }
    Ok(pieces)
}

/// Reads rank `number`, 1 to 8, into the eight squares of `row`.
fn rank(number: usize, letters: &str, row: &mut [Option<Piece>]) -> Result<(), String> {
    let mut squares = 0;
    let mut after_digit = false;
    for letter in letters.chars() {
        let empty = letter.to_digit(10).filter(|count| (1..=8).contains(count));
        match (empty, Piece::from_letter(letter)) {
            (Some(_), _) if after_digit => {
                return Err(format!("rank {number} has two digits side by side"));
            }
            (Some(count), _) => squares += count as usize,
            (None, Some(piece)) => {
                // A rank that is too long is rejected below, when its length is known.
                if let Some(square) = row.get_mut(squares) {
                    *square = Some(piece);
                }
                squares += 1;
            }
            (None, None) => {
                let letter = quoted(letter.encode_utf8(&mut [0; 4]));
                let why = "is neither a piece nor a digit from 1 to 8";
                return Err(format!("{letter} on rank {number} {why}"));
            }
        }
        after_digit = empty.is_some();
    }
    match squares {
        8 => Ok(()),
        _ => {
            let plural = if squares == 1 { "" } else { "s" };
            Err(format!("rank {number} has {squares} square{plural} instead of 8"))
        }
    }
}

fn side(text: &str) -> Result<Color, FenError> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(malformed(Field::SideToMove, format!("{} is neither w nor b", quoted(text)))),
    }
}

fn rights(text: &str) -> Result<CastlingRights, FenError> {
    // Each of the sixteen sets of rights has one spelling, so searching all of them is enough.
    let mut all = (0..16).map(CastlingRights::from_bits);
    all.find(|rights| rights.to_string() == text).ok_or_else(|| {
        let why = "is neither - nor letters of KQkq in this order, each once at most";
        malformed(Field::CastlingRights, format!("{} {why}", quoted(text)))
    })
}

fn en_passant(text: &str) -> Result<Option<Square>, FenError> {
    if text == "-" {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| {
        let why = format!("{} is neither - nor a square from a1 to h8", quoted(text));
        malformed(Field::EnPassant, why)
    })
}

fn counter(field: Field, text: &str) -> Result<u16, FenError> {
    // `parse` accepts a plus sign and leading zeros, which the writer never produces.
    text.parse().ok().filter(|number: &u16| number.to_string() == text).ok_or_else(|| {
        let why = "is not a number up to 65535 in plain digits";
        malformed(field, format!("{} {why}", quoted(text)))
    })
}

fn malformed(field: Field, why: String) -> FenError {
    FenError::Malformed { field, why }
}

/// Quotes arbitrary input for an error message: escaped, on one line, at most 24 characters.
fn quoted(text: &str) -> String {
    const SHOWN: usize = 24;
    let shown: String = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    let cut = if text.chars().nth(SHOWN).is_some() { "..." } else { "" };
    format!("`{shown}{cut}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        text.parse::<Position>().expect_err(text).to_string()
    }

    #[test]
    fn missing_counters_default_to_zero_and_one() {
        for counters in ["", " 0", " 0 1"] {
            let text = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -{counters}");
            assert_eq!(text.parse(), Ok(Position::default()));
        }
    }

    #[test]
    fn the_start_position_has_its_pieces_on_their_home_squares() {
        let start = Position::default();
        let piece = |name: &str| start.piece_at(name.parse().expect("a square")).map(Piece::letter);
        let names = ["a1", "d1", "e1", "h2", "e4", "a7", "d8", "e8"];
        assert_eq!(
            names.map(piece),
            ["R", "Q", "K", "P", "", "p", "q", "k"].map(|s| s.chars().next())
        );
        assert_eq!(start.side(), Color::White);
        assert_eq!(start.state().rights, CastlingRights::ALL);
    }

    #[test]
    fn a_malformed_text_is_rejected_with_the_field_and_the_reason() {
        const MISSING: &str = "missing; the first four fields are required, with one space between";
        let board = "4k3/8/8/8/8/8/8/4K3";
        for (text, field, why) in [
            ("".into(), "board", MISSING),
            (" w - - 0 1".into(), "board", MISSING),
            ("4k3 w - -".into(), "board", "1 rank instead of 8"),
            (format!("{board}/8 w - -"), "board", "9 ranks instead of 8"),
            ("4k3/8/8/8/8/8/8/4K2 w - -".into(), "board", "rank 1 has 7 squares instead of 8"),
            (
                "4k3/8/ppppppppp/8/8/8/8/4K3 w - -".into(),
                "board",
                "rank 6 has 9 squares instead of 8",
            ),
            ("4k3/8//8/8/8/8/4K3 w - -".into(), "board", "rank 6 has 0 squares instead of 8"),
            ("4k3/8/p/8/8/8/8/4K3 w - -".into(), "board", "rank 6 has 1 square instead of 8"),
            ("4k3/44/8/8/8/8/8/4K3 w - -".into(), "board", "rank 7 has two digits side by side"),
            (
                "4k3/9/8/8/8/8/8/4K3 w - -".into(),
                "board",
                "`9` on rank 7 is neither a piece nor a digit from 1 to 8",
            ),
            (
                "4k3/0p7/8/8/8/8/8/4K3 w - -".into(),
                "board",
                "`0` on rank 7 is neither a piece nor a digit from 1 to 8",
            ),
            (
                "4♚3/8/8/8/8/8/8/4K3 w - -".into(),
                "board",
                "`♚` on rank 8 is neither a piece nor a digit from 1 to 8",
            ),
            (board.into(), "side to move", MISSING),
            (format!("{board}  w - -"), "side to move", MISSING),
            (format!("{board} W - -"), "side to move", "`W` is neither w nor b"),
            (
                format!("{board}\tw - -"),
                "board",
                "`\\t` on rank 1 is neither a piece nor a digit from 1 to 8",
            ),
            (format!("{board} w"), "castling rights", MISSING),
            (
                format!("{board} w -- -"),
                "castling rights",
                "`--` is neither - nor letters of KQkq in this order, each once at most",
            ),
            (
                format!("{board} w kK -"),
                "castling rights",
                "`kK` is neither - nor letters of KQkq in this order, each once at most",
            ),
            (
                format!("{board} w HAha -"),
                "castling rights",
                "`HAha` is neither - nor letters of KQkq in this order, each once at most",
            ),
            (format!("{board} w -"), "en passant square", MISSING),
            (
                format!("{board} w - e9"),
                "en passant square",
                "`e9` is neither - nor a square from a1 to h8",
            ),
            (
                format!("{board} w - - "),
                "halfmove clock",
                "`` is not a number up to 65535 in plain digits",
            ),
            (
                format!("{board} w - - -1 1"),
                "halfmove clock",
                "`-1` is not a number up to 65535 in plain digits",
            ),
            (
                format!("{board} w - - 0 +1"),
                "fullmove number",
                "`+1` is not a number up to 65535 in plain digits",
            ),
            (
                format!("{board} w - - 0 65536"),
                "fullmove number",
                "`65536` is not a number up to 65535 in plain digits",
            ),
            (
                format!("{board} w - - 0 01"),
                "fullmove number",
                "`01` is not a number up to 65535 in plain digits",
            ),
            (
                format!("{board} w - - 0 1 ;D1 5"),
                "fullmove number",
                "the last field, but `;D1` follows",
            ),
            (
                format!("{board} w - - 0 1\n"),
                "fullmove number",
                "`1\\n` is not a number up to 65535 in plain digits",
            ),
        ] {
            assert_eq!(error(&text), format!("{field}: {why}"), "{text:?}");
        }
    }

    #[test]
    fn a_long_text_is_shortened_in_the_error() {
        let text = format!("4k3/8/8/8/8/8/8/4K3 {} - -", "x".repeat(1000));
        let shown = "x".repeat(24);
        assert_eq!(error(&text), format!("side to move: `{shown}...` is neither w nor b"));
    }
}
