//! Writes positions as FEN and as diagrams.

use std::fmt::{self, Write};

use crate::{Color, Position, Square};

impl fmt::Display for Position {
    /// Writes all six fields of FEN, in one piece: a session writes thousands of positions for each turn of a plug-in.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Text { bytes: [0; LONGEST], length: 0 };
        for rank in (0..8).rev() {
            let mut empty = b'0';
            for file in 0..8 {
                match self.piece_at(Square::new(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        text.run(empty)?;
                        empty = b'0';
                        text.byte(piece.letter() as u8)?;
                    }
                }
            }
            text.run(empty)?;
            text.byte(if rank > 0 { b'/' } else { b' ' })?;
        }
        let state = self.state();
        text.byte(match state.side {
            Color::White => b'w',
            Color::Black => b'b',
        })?;
        write!(text, " {} ", state.rights)?;
        match state.en_passant {
            Some(square) => write!(text, "{square}")?,
            None => text.byte(b'-')?,
        }
        write!(text, " {} {}", state.halfmove, state.fullmove)?;
        f.write_str(std::str::from_utf8(&text.bytes[..text.length]).map_err(|_| fmt::Error)?)
    }
}

/// Bytes of the longest FEN: 64 squares, 7 slashes, side, rights, square of en passant, two numbers of five digits,
/// five blanks.
const LONGEST: usize = 64 + 7 + 1 + 4 + 2 + 2 * 5 + 5;

/// A FEN that is being written.
struct Text {
    bytes: [u8; LONGEST],
    length: usize,
}

impl Text {
    fn byte(&mut self, byte: u8) -> fmt::Result {
        *self.bytes.get_mut(self.length).ok_or(fmt::Error)? = byte;
        self.length += 1;
        Ok(())
    }

    /// Writes a run of empty squares: one digit, or nothing if the run is empty.
    fn run(&mut self, empty: u8) -> fmt::Result {
        if empty > b'0' { self.byte(empty) } else { Ok(()) }
    }
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().try_for_each(|byte| self.byte(byte))
    }
}

impl fmt::Debug for Position {
    /// Writes FEN, which is more readable in a failed test than 64 optional pieces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Writes the diagram of [`Position::drawn`].
pub(super) struct Diagram<'a>(pub(super) &'a Position);

impl fmt::Display for Diagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            write!(f, "{} ", rank + 1)?;
            for file in 0..8 {
                let piece = self.0.piece_at(Square::new(file, rank));
                write!(f, " {}", piece.map_or('.', |piece| piece.letter()))?;
            }
            f.write_char('\n')?;
        }
        write!(f, "   a b c d e f g h   {:?} to move", self.0.side())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_and_writing_a_fen_gives_the_same_text() {
        for fen in [
            Position::START,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 99 65535",
            "8/7p/p5pb/4k3/P1pPn3/8/P5PP/1rB2RK1 b - d3 0 28",
            "r3k2r/p1p1p1p1/1p1p1p2/8/3Pp3/1P3P1P/P1P1P1P1/R3K2R b KQkq d3 0 65535",
        ] {
            let position: Position = fen.parse().expect(fen);
            assert_eq!(position.to_string(), fen);
            assert_eq!(format!("{position:?}"), fen);
        }
    }

    #[test]
    fn the_diagram_shows_white_at_the_bottom() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1";
        let position: Position = fen.parse().expect(fen);
        let expected = "\
8  r . . . k . . r
7  p . p p q p b .
6  b n . . p n p .
5  . . . P N . . .
4  . p . . P . . .
3  . . N . . Q . p
2  P P P B B P P P
1  R . . . K . . R
   a b c d e f g h   Black to move";
        assert_eq!(position.drawn().to_string(), expected);
    }
}
