//! Positions that differ by a number only.

use std::sync::Arc;

use raywalk_core::{CastlingRights, Color, Kind, Move, Piece, Position, Square, State};
use raywalk_positions::recording::{RecordedTree, Step};

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

    /// Workloads of trees have recorded searches.
    fn recording(&mut self, workload: &str) -> Result<Arc<[RecordedTree]>, String> {
        let WorkloadPositions { positions, roots } = self.positions(workload)?;
        if roots.is_empty() {
            return Err("has no recorded search".to_owned());
        }
        let ends = roots.iter().skip(1).copied().chain([positions.len()]);
        let trees = roots.iter().zip(ends).map(|(&begin, end)| tree(begin as u16, end - begin));
        Ok(trees.collect())
    }
}

/// The search of a tree of this many nodes: the white king goes to d1 and back again and again. Every other
/// node is a quiescence node.
fn tree(root: u16, nodes: usize) -> RecordedTree {
    let [e1, d1] = [Square::new(4, 0), Square::new(3, 0)];
    let step =
        |node: usize| Step::legal(Move::new(e1, d1)).generating(node % 2 == 1).taking_back(1);
    RecordedTree { root: position(root), steps: (1..nodes).map(step).collect() }
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
