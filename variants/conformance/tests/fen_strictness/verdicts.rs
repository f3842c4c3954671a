//! Calls the three libraries.
//!
//! Halfmove clocks from 101 to 255 are the exception: real games have them, and cozy-chess rejects them.
//! It is given such a position with a clock of 100.
//!
//! shakmaty uses its standard castling mode and treats all its errors as fatal. cozy-chess reads no
//! Shredder letters. owlchess drops wrong castling rights and en passant squares instead of
//! rejecting the text.

use shakmaty::{CastlingMode, Chess, PositionErrorKinds as Kinds};

/// The results of the three libraries for one text.
pub(crate) struct Verdicts {
    /// The text that cozy-chess writes for the position, or `None` if it rejects the text.
    pub cozy: Option<String>,
    pub shakmaty: Result<(), Option<Kinds>>,
    pub owl: bool,
}

impl Verdicts {
    pub(crate) fn of(fen: &str) -> Verdicts {
        let shakmaty = fen.parse::<shakmaty::fen::Fen>().map_err(|_| None);
        Verdicts {
            cozy: with_clock_of_cozy_chess(fen, |fen| {
                cozy_chess::Board::from_fen(fen, false).ok().map(|board| board.to_string())
            }),
            shakmaty: shakmaty.and_then(|fen| {
                let position = fen.into_position::<Chess>(CastlingMode::Standard);
                position.map(|_| ()).map_err(|error| Some(error.kinds()))
            }),
            owl: owlchess::Board::from_fen(fen).is_ok(),
        }
    }

    pub(crate) fn all_accept(&self) -> bool {
        self.cozy.is_some() && self.shakmaty.is_ok() && self.owl
    }

    /// The names of the libraries that reject the text, separated by spaces.
    pub(crate) fn rejecting(&self) -> String {
        let rejections = [
            (self.cozy.is_none(), "cozy-chess"),
            (self.shakmaty.is_err(), "shakmaty"),
            (!self.owl, "owlchess"),
        ];
        let names: Vec<_> = rejections.into_iter().filter(|r| r.0).map(|r| r.1).collect();
        names.join(" ")
    }
}

/// Calls `read` with a halfmove clock that cozy-chess accepts, and restores the clock in the text that
/// it returns.
fn with_clock_of_cozy_chess(fen: &str, read: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut fields: Vec<&str> = fen.split(' ').collect();
    let high = |clock: &&str| {
        clock.parse::<u16>().is_ok_and(|n| (101..=255).contains(&n) && n.to_string() == *clock)
    };
    let Some(clock) = fields.get(4).copied().filter(high) else { return read(fen) };
    fields[4] = "100";
    let written = read(&fields.join(" "))?;
    let mut fields: Vec<&str> = written.split(' ').collect();
    fields[4] = clock;
    Some(fields.join(" "))
}
