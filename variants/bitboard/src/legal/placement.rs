//! The board that is copied: the sets alone, in one cache line.

use raywalk_core::{Bitboards, Castling, Color, Kind, Square};

use super::view::Sets;

/// Sets by colour and by kind. State is not part of it: the function that reads a placement knows it.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Placement {
    by_color: [u64; 2],
    by_kind: [u64; 6],
}

impl Placement {
    pub(super) fn of(board: &Bitboards) -> Placement {
        Placement {
            by_color: Color::ALL.map(|color| board.color(color)),
            by_kind: Kind::ALL.map(|kind| board.kind(kind)),
        }
    }

    /// The placement behind a move of a piece, which arrives as a piece of the kind `arrives`. Whatever stands on the
    /// target is taken from all sets, without a branch.
    #[inline(always)]
    pub(super) fn moved(
        &self,
        side: Color,
        [leaves, arrives]: [Kind; 2],
        [from, to]: [Square; 2],
    ) -> Placement {
        let mut child = *self;
        child.by_color[(!side).index()] &= !to.bit();
        child.by_kind.iter_mut().for_each(|set| *set &= !to.bit());
        child.by_color[side.index()] ^= from.bit() | to.bit();
        child.by_kind[leaves.index()] ^= from.bit();
        child.by_kind[arrives.index()] ^= to.bit();
        child
    }

    /// The placement behind an en passant capture.
    #[inline(always)]
    pub(super) fn passing(&self, side: Color, [from, to]: [Square; 2]) -> Placement {
        let victim = Square::new(to.file(), from.rank());
        let mut child = *self;
        child.by_color[(!side).index()] ^= victim.bit();
        child.by_color[side.index()] ^= from.bit() | to.bit();
        child.by_kind[Kind::Pawn.index()] ^= from.bit() | to.bit() | victim.bit();
        child
    }

    /// The placement behind castling.
    #[inline(always)]
    pub(super) fn castled(&self, side: Color, squares: &Castling) -> Placement {
        let king = squares.king_from.bit() | squares.king_to.bit();
        let rook = squares.rook_from.bit() | squares.rook_to.bit();
        let mut child = *self;
        child.by_color[side.index()] ^= king | rook;
        child.by_kind[Kind::King.index()] ^= king;
        child.by_kind[Kind::Rook.index()] ^= rook;
        child
    }
}

impl Sets for Placement {
    #[inline(always)]
    fn color(&self, color: Color) -> u64 {
        self.by_color[color.index()]
    }

    #[inline(always)]
    fn kind(&self, kind: Kind) -> u64 {
        self.by_kind[kind.index()]
    }
}
