//! Slots for pieces, so that the number of pieces of a kind decides no branch.

use raywalk_core::{Bitboards, Kind, Stage};

use crate::sets::take;

/// Pieces by kind, apart from king and pawns.
#[derive(Clone, Copy)]
pub(crate) struct Pieces {
    pub(crate) knights: u64,
    pub(crate) bishops: u64,
    pub(crate) rooks: u64,
    pub(crate) queens: u64,
}

impl Pieces {
    /// The pieces of the side to move in the scope of a stage.
    #[inline(always)]
    pub(crate) fn own<S: Stage>(board: &Bitboards) -> Pieces {
        Pieces::among::<S>(board, board.own())
    }

    /// The pieces of a set in the scope of a stage.
    #[inline(always)]
    pub(crate) fn among<S: Stage>(board: &Bitboards, set: u64) -> Pieces {
        Pieces {
            knights: if S::SLIDERS_ONLY { 0 } else { set & board.kind(Kind::Knight) },
            bishops: set & board.kind(Kind::Bishop),
            rooks: set & board.kind(Kind::Rook),
            queens: set & board.kind(Kind::Queen),
        }
    }

    /// Removes the pieces of a set.
    #[inline(always)]
    pub(crate) fn remove(&mut self, set: u64) {
        for kind in [&mut self.knights, &mut self.bishops, &mut self.rooks, &mut self.queens] {
            *kind &= !set;
        }
    }

    /// Whether there is any piece.
    #[inline(always)]
    pub(crate) fn any(self) -> bool {
        self.knights | self.bishops | self.rooks | self.queens != 0
    }
}

/// The squares of two knights, two bishops, two rooks and a queen; 64 for a slot without a piece.
#[derive(Clone, Copy)]
pub(crate) struct Slots {
    pub(crate) knights: (usize, usize),
    pub(crate) bishops: (usize, usize),
    pub(crate) rooks: (usize, usize),
    pub(crate) queen: usize,
}

impl Slots {
    /// The slots, and the pieces that have none, which only promotions bring.
    #[inline(always)]
    pub(crate) fn of(mut pieces: Pieces) -> (Slots, Pieces) {
        let slots = Slots {
            knights: (take(&mut pieces.knights), take(&mut pieces.knights)),
            bishops: (take(&mut pieces.bishops), take(&mut pieces.bishops)),
            rooks: (take(&mut pieces.rooks), take(&mut pieces.rooks)),
            queen: take(&mut pieces.queens),
        };
        (slots, pieces)
    }
}

/// Finds the slots and the pawns, and writes the moves that precede them in the list: castling, and rare moves. The
/// board has sets, or the caller says how to find occupied squares, pieces and pawns. A macro, because the caller's
/// functions need its vector features.
macro_rules! before_slots {
    // Of a board with sets, with castling by `castling::write`.
    ($stage:ty, $board:expr, $list:ident, $write_rare:expr $(,)?) => {
        $crate::slots::before_slots!(
            $stage,
            $board,
            $crate::castling::write($board, $list),
            $write_rare
        )
    };
    // Of a board of cells in one vector.
    ($stage:ty, $board:expr, $list:ident, cells $view:ident, $write_rare:expr $(,)?) => {
        $crate::slots::before_slots!(
            $stage,
            $board,
            ($view.occupied(), $view.pieces::<$stage>(), $view.pawns::<$stage>($board)),
            $crate::cells::write_castling::<_, $stage>($board, $list),
            $write_rare
        )
    };
    ($stage:ty, $board:expr, $castle:expr, $write_rare:expr $(,)?) => {
        $crate::slots::before_slots!(
            $stage,
            $board,
            (
                $board.occupied(),
                $crate::slots::Pieces::own::<$stage>($board),
                $crate::pawns::PawnTargets::of::<$stage>($board)
            ),
            $castle,
            $write_rare
        )
    };
    ($stage:ty, $board:expr, ($occupied:expr, $pieces:expr, $pawns:expr), $castle:expr, $write_rare:expr $(,)?) => {{
        let (slots, more) = $crate::slots::Slots::of($pieces);
        let pawns = $pawns;
        if <$stage>::QUIETS
            && !<$stage>::SLIDERS_ONLY
            && $crate::castling::is_unobstructed($board.state(), $occupied)
        {
            $castle;
        }
        if more.any() | (!<$stage>::SLIDERS_ONLY & pawns.any_rare()) {
            $write_rare;
        }
        (slots, pawns)
    }};
}
pub(crate) use before_slots;
