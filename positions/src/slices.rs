//! Slices: the positions of one game phase within a corpus.

use raywalk_core::{Kind, Position};

use crate::sample::Sample;

/// A phase of the game, or check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Slice {
    /// Before ply 16.
    Opening,
    /// From ply 16 on, with at least 14 points of pieces of both sides (queen 4, rook 2, minor
    /// piece 1).
    Middlegame,
    /// At most 8 points of pieces, at any ply.
    Endgame,
    /// Kings, pawns and at least one rook, nothing else.
    RookEnding,
    /// Kings and pawns only.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "too rare for a workload; tests verify its known total")
    )]
    PawnEnding,
    /// The side to move is in check.
    Check,
}

impl Slice {
    /// Whether a position belongs to the slice.
    pub(crate) fn holds(self, sample: &Sample) -> bool {
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

    /// The positions of the slice, in the given order.
    pub(crate) fn of(self, samples: &[Sample]) -> Vec<Sample> {
        samples.iter().filter(|sample| self.holds(sample)).copied().collect()
    }
}

/// Plies played before this position, in a game that began at the start position.
fn ply(position: &Position) -> u32 {
    let state = position.state();
    2 * u32::from(state.fullmove.saturating_sub(1)) + state.side as u32
}

/// Numbers of pieces of both sides.
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
        let board = fen.parse().expect("a FEN that cozy-chess accepts");
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
    fn material_and_ply_determine_the_slices_of_a_position() {
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
