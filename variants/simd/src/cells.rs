//! A board of bytes in one register.
//!
//! There are no sets on such a board: the pieces of a kind, the enemy's and the empty squares are comparisons of
//! the register.

use std::arch::x86_64::*;

use raywalk_core::square_board::{Board8x8, Code, ColourBits};
use raywalk_core::{Color, Kind, MoveList, Piece, Square, Stage, StageId};

use crate::pawns::PawnTargets;
use crate::slots::Pieces;

/// Both colour bits of the code.
pub(crate) const COLOURS: u8 = 24;

/// The board in a register, and whose turn it is.
#[derive(Clone, Copy)]
pub(crate) struct CellVector {
    pub(crate) cells: __m512i,
    pub(crate) side: Color,
}

impl CellVector {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn of(board: &Board8x8) -> CellVector {
        // SAFETY: the cells are the 64 bytes of the vector, and the load needs no alignment.
        let cells = unsafe { _mm512_loadu_si512(board.cells().as_ptr().cast()) };
        CellVector { cells, side: board.side() }
    }

    /// The cells of up to 64 squares in the order of a list. The upper two bits of a byte of the list do not
    /// matter.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vbmi")]
    pub(crate) fn listed(self, squares: __m512i) -> CellVector {
        CellVector { cells: _mm512_permutexvar_epi8(squares, self.cells), ..self }
    }

    /// The squares that hold a bit of `bits`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn with(self, bits: u8) -> u64 {
        _mm512_test_epi8_mask(self.cells, _mm512_set1_epi8(bits.cast_signed()))
    }

    /// The squares that hold a piece.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn occupied(self) -> u64 {
        self.with(COLOURS)
    }

    /// The squares on which moves of stage `S` may end.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn wanted<S: Stage>(self) -> u64 {
        match S::ID {
            StageId::All => !self.with(colour(self.side)),
            StageId::Captures => self.with(colour(!self.side)),
            StageId::Quiets => !self.occupied(),
        }
    }

    /// The own pieces of a kind.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn own(self, kind: Kind) -> u64 {
        // With their colours exchanged, Black's pieces are White's, so only one vector depends on the side.
        let exchange = if self.side == Color::Black { COLOURS } else { 0 };
        let exchanged = _mm512_xor_si512(self.cells, _mm512_set1_epi8(exchange.cast_signed()));
        let code = ColourBits::of(Piece::new(Color::White, kind));
        _mm512_cmpeq_epi8_mask(exchanged, _mm512_set1_epi8(code.cast_signed()))
    }

    /// The pieces that go into slots.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn pieces<S: Stage>(self) -> Pieces {
        Pieces {
            knights: if S::SLIDERS_ONLY { 0 } else { self.own(Kind::Knight) },
            bishops: self.own(Kind::Bishop),
            rooks: self.own(Kind::Rook),
            queens: self.own(Kind::Queen),
        }
    }

    /// The targets of the pawns.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn pawns<S: Stage>(self, board: &Board8x8) -> PawnTargets {
        let enemy = self.with(colour(!self.side));
        let passed = board.en_passant().map_or(0, Square::bit);
        let pawns = self.own(Kind::Pawn);
        PawnTargets::from_sets::<S>(self.side, pawns, enemy, !self.occupied(), passed)
    }
}

/// The colour bit of a side.
#[inline(always)]
fn colour(side: Color) -> u8 {
    8 << side.index()
}

/// Appends castling, which rights and path rule out in most positions.
#[cold]
#[inline(never)]
pub(crate) fn write_castling<S: Stage>(board: &Board8x8, list: &mut MoveList) {
    board.castling_moves::<S>(list);
}
