//! Writes positions as FEN and as diagrams.

use std::fmt::{self, Write};

use crate::{Color, Position, Square};

impl fmt::Display for Position {
    /// Writes all six fields of FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                match self.piece_at(Square::new(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        run(f, empty)?;
                        empty = 0;
                        f.write_char(piece.letter())?;
                    }
                }
            }
            run(f, empty)?;
            f.write_char(if rank > 0 { '/' } else { ' ' })?;
        }
        let state = self.state();
        f.write_char(match state.side {
            Color::White => 'w',
            Color::Black => 'b',
        })?;
        write!(f, " {} ", state.rights)?;
        match state.en_passant {
            Some(square) => write!(f, "{square}")?,
            None => f.write_char('-')?,
        }
        write!(f, " {} {}", state.halfmove, state.fullmove)
    }
}

/// Writes a run of empty squares: one digit, or nothing if the run is empty.
fn run(f: &mut fmt::Formatter<'_>, empty: u8) -> fmt::Result {
    if empty > 0 { write!(f, "{empty}") } else { Ok(()) }
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
