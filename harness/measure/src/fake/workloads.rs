//! Positions that differ by a number only.

use raywalk_core::{CastlingRights, Color, Kind, Piece, Position, Square, State};

use crate::session::{WorkloadPositions, Workloads};

/// Workloads of [`position`] 0, 1, 2, …, as long as the number at the end of their names. A name such as
/// `trees-7-1000` stands for seven trees of unequal lengths.
#[derive(Debug, Default)]
pub struct FakeWorkloads;

impl Workloads for FakeWorkloads {
    fn positions(&mut self, workload: &str) -> Result<WorkloadPositions<'_>, String> {
        let mut numbers = workload.rsplit('-').map_while(|number| number.parse::<u16>().ok());
        let length = numbers.next().ok_or("is not known")?;
        let trees = numbers.next().map_or(0, usize::from);
        // Each tree is longer than the one before.
        let root = |tree: usize| usize::from(length) * tree * tree / (trees * trees);
        Ok(WorkloadPositions {
            positions: (0..length).map(position).collect(),
            roots: (0..trees).map(root).collect(),
        })
    }
}

/// A position of two kings with `number + 1` as its move number.
pub fn position(number: u16) -> Position {
    let mut pieces = [None; 64];
    for (color, home) in [(Color::White, Square::new(4, 0)), (Color::Black, Square::new(4, 7))] {
        pieces[home.index()] = Some(Piece::new(color, Kind::King));
    }
    let state = State {
        side: Color::White,
        rights: CastlingRights::NONE,
        en_passant: None,
        halfmove: 0,
        fullmove: number + 1,
    };
    Position::trusted(pieces, state)
}
