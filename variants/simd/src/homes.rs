//! Castling rights as squares: those of the king and the rooks that have not moved.

use raywalk_core::{Castling, CastlingRights, Color, Wing};

/// The squares of all rights.
pub(crate) const HOMES: u64 = 0x9100_0000_0000_0091;

/// The squares of king and rook of one right.
fn squares_of_right(color: Color, wing: Wing) -> u64 {
    let squares = Castling::of(color, wing);
    squares.king_from.bit() | squares.rook_from.bit()
}

fn rights() -> impl Iterator<Item = (CastlingRights, u64)> {
    let wings = |color| [Wing::King, Wing::Queen].map(|wing| (color, wing));
    let each = Color::ALL.into_iter().flat_map(wings);
    each.map(|(color, wing)| (CastlingRights::one(color, wing), squares_of_right(color, wing)))
}

/// The squares of king and rook for each right that is held.
pub(crate) fn of_rights(held: CastlingRights) -> u64 {
    rights().filter(|&(right, _)| held.contains(right)).fold(0, |homes, (_, both)| homes | both)
}

/// The rights whose king and rook have not moved.
pub(crate) fn rights_of(homes: u64) -> CastlingRights {
    let held = rights().filter(|&(_, both)| homes & both == both);
    held.fold(CastlingRights::NONE, |held, (right, _)| held.union(right))
}
