//! Slices: the positions of one phase, taken out of the self-play corpora.

use raywalk_core::{Kind, Position};

use crate::Sample;

/// A phase of the game, or check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slice {
    /// The first sixteen plies.
    Opening,
    /// Later, with at least 14 points of pieces on the board (queen 4, rook 2, minor piece 1).
    Middlegame,
    /// At most 8 points of pieces.
    Endgame,
    /// Kings, rooks and pawns, a rook at least.
    RookEnding,
    /// Kings and pawns.
    PawnEnding,
    /// The side to move is in check.
    Check,
}

impl Slice {
    /// Whether a position belongs to the slice.
    pub fn holds(self, sample: &Sample) -> bool {
        let position = &sample.position;
        match self {
            Slice::Opening => ply(position) < 16,
            Slice::Middlegame => ply(position) >= 16 && Pieces::of(position).points() >= 14,
            Slice::Endgame => Pieces::of(position).points() <= 8,
            Slice::RookEnding => {
                let Pieces { minor, rooks, queens } = Pieces::of(position);
                rooks > 0 && minor == 0 && queens == 0
            }
            Slice::PawnEnding => Pieces::of(position).points() == 0,
            Slice::Check => sample.check,
        }
    }

    /// The positions that belong, in the order given.
    pub fn of(self, samples: &[Sample]) -> Vec<Sample> {
        samples.iter().filter(|sample| self.holds(sample)).copied().collect()
    }
}

/// Plies played before this position, in a game that began at the start position.
fn ply(position: &Position) -> u32 {
    let state = position.state();
    2 * u32::from(state.fullmove.saturating_sub(1)) + state.side as u32
}

/// The pieces of both sides.
struct Pieces {
    minor: u32,
    rooks: u32,
    queens: u32,
}

impl Pieces {
    fn of(position: &Position) -> Pieces {
        let mut pieces = Pieces { minor: 0, rooks: 0, queens: 0 };
        for (_, piece) in position.pieces() {
            match piece.kind {
                Kind::Knight | Kind::Bishop => pieces.minor += 1,
                Kind::Rook => pieces.rooks += 1,
                Kind::Queen => pieces.queens += 1,
                Kind::Pawn | Kind::King => {}
            }
        }
        pieces
    }

    const fn points(&self) -> u32 {
        self.minor + 2 * self.rooks + 4 * self.queens
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slices(fen: &str) -> Vec<Slice> {
        let board = fen.parse().expect("a FEN that cozy-chess takes");
        let sample = Sample::of(&board, 0);
        let all = [
            Slice::Opening,
            Slice::Middlegame,
            Slice::Endgame,
            Slice::RookEnding,
            Slice::PawnEnding,
            Slice::Check,
        ];
        all.into_iter().filter(|slice| slice.holds(&sample)).collect()
    }

    #[test]
    fn a_position_is_in_the_slices_that_its_men_and_its_ply_say() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        assert_eq!(slices(&format!("{start} 0 8")), [Slice::Opening]);
        assert_eq!(slices(&format!("{start} 0 9")), [Slice::Middlegame]);
        let rooks = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 40";
        assert_eq!(slices(rooks), [Slice::Endgame, Slice::RookEnding]);
        let rook_and_knight = "4k3/8/8/8/8/8/4r3/4KN2 w - - 0 40";
        assert_eq!(slices(rook_and_knight), [Slice::Endgame, Slice::Check]);
        let pawns = "8/2p5/8/K6k/8/8/4P3/8 b - - 0 40";
        assert_eq!(slices(pawns), [Slice::Endgame, Slice::PawnEnding]);
    }
}
