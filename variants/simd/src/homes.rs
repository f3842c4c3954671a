//! Castling rights as squares: those of the king and the rooks that have not moved.

use raywalk_core::{Castling, CastlingRights, Color, Wing};

/// The squares of all rights.
pub(crate) const HOMES: u64 = 0x9100_0000_0000_0091;

/// Each right with its squares.
fn rights() -> impl Iterator<Item = (CastlingRights, u64)> {
    let wings = |color| [Wing::King, Wing::Queen].map(|wing| (color, wing));
    let each = Color::ALL.into_iter().flat_map(wings);
    each.map(|(color, wing)| {
        let Castling { king_from, rook_from, .. } = Castling::of(color, wing);
        (CastlingRights::one(color, wing), king_from.bit() | rook_from.bit())
    })
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
