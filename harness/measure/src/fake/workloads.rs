//! Positions that differ by a number only.

use std::borrow::Cow;

use raywalk_core::{CastlingRights, Color, Kind, Piece, Position, Square, State};

use crate::session::Workloads;

/// Workloads of [`position`] 0, 1, 2, …, as long as the number at the end of their names.
#[derive(Debug, Default)]
pub struct FakeWorkloads;

impl Workloads for FakeWorkloads {
    fn positions(&mut self, workload: &str) -> Result<Cow<'_, [Position]>, String> {
        let number = workload.rsplit('-').next().and_then(|number| number.parse().ok());
        let length: u16 = number.ok_or("is not known")?;
        Ok((0..length).map(position).collect())
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
