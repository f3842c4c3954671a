//! A board of 64 bytes in one register, and the sets that comparisons find in it.

use std::arch::x86_64::*;
use std::marker::PhantomData;

use raywalk_core::square_board::{
    Code, ColourBits, CountedArrays, Grid8x8, ShiftCode, SquareBoard,
};
use raywalk_core::{Color, Kind, MoveList, Piece, Square, Stage, StageId};

use crate::pawns::PawnTargets;
use crate::slots::Pieces;

/// A code with one bit for each colour, which no other square has. The codes of a black piece and of a white one of the
/// same kind differ in these two bits alone.
pub(crate) trait ColourMarks: Code {
    /// The bit of White. That of Black is the next higher one.
    const WHITE: u8;
}

impl ColourMarks for ColourBits {
    const WHITE: u8 = 8;
}

impl ColourMarks for ShiftCode {
    const WHITE: u8 = 1;
}

/// A board with codes `C`.
pub(crate) type ByteBoard<C> = SquareBoard<Grid8x8, C, CountedArrays>;

/// The board in a register, and whose turn it is.
pub(crate) struct CellVector<C> {
    pub(crate) cells: __m512i,
    pub(crate) side: Color,
    code: PhantomData<C>,
}

impl<C> Clone for CellVector<C> {
    #[inline(always)]
    fn clone(&self) -> CellVector<C> {
        *self
    }
}

impl<C> Copy for CellVector<C> {}

impl<C: ColourMarks> CellVector<C> {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn of(board: &ByteBoard<C>) -> CellVector<C> {
        // SAFETY: the cells are the 64 bytes of the vector, and the load needs no alignment.
        let cells = unsafe { _mm512_loadu_si512(board.cells().as_ptr().cast()) };
        CellVector { cells, side: board.side(), code: PhantomData }
    }

    /// The cells of up to 64 squares in the order of a list.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vbmi")]
    pub(crate) fn listed(self, numbers: __m512i) -> CellVector<C> {
        CellVector { cells: self.codes(numbers), ..self }
    }

    /// The codes of the squares whose numbers are in the bytes of a vector. The upper two bits of a byte do not
    /// count.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vbmi")]
    pub(crate) fn codes(self, numbers: __m512i) -> __m512i {
        _mm512_permutexvar_epi8(numbers, self.cells)
    }

    /// The bit that the pieces of the side to move have.
    #[inline(always)]
    pub(crate) fn own_bit(self) -> u8 {
        C::WHITE << self.side.index()
    }

    /// The bit that the pieces of the other side have.
    #[inline(always)]
    pub(crate) fn enemy_bit(self) -> u8 {
        self.own_bit() ^ (3 * C::WHITE)
    }

    /// The squares that hold a bit of `bits`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn with(self, bits: u8) -> u64 {
        _mm512_test_epi8_mask(self.cells, _mm512_set1_epi8(bits.cast_signed()))
    }

    /// The occupied squares.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn occupied(self) -> u64 {
        self.with(3 * C::WHITE)
    }

    /// The squares of the side to move.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn all_own(self) -> u64 {
        self.with(self.own_bit())
    }

    /// The squares that give a move of stage `S` to a piece which reaches them.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn wanted<S: Stage>(self) -> u64 {
        match S::ID {
            StageId::All => !self.all_own(),
            StageId::Captures => self.with(self.enemy_bit()),
            StageId::Quiets => !self.occupied(),
        }
    }

    /// The own pieces of a kind.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn own(self, kind: Kind) -> u64 {
        // With their colours exchanged, Black's pieces are White's, so only one vector depends on the side.
        let exchange = if self.side == Color::Black { 3 * C::WHITE } else { 0 };
        let exchanged = _mm512_xor_si512(self.cells, _mm512_set1_epi8(exchange.cast_signed()));
        let code = C::of(Piece::new(Color::White, kind));
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
    pub(crate) fn pawns<S: Stage>(self, board: &ByteBoard<C>) -> PawnTargets {
        let enemy = self.with(self.enemy_bit());
        let passed = board.en_passant().map_or(0, Square::bit);
        let pawns = self.own(Kind::Pawn);
        PawnTargets::from_sets::<S>(self.side, pawns, enemy, !self.occupied(), passed)
    }
}

/// Appends castling, which rights and path rule out in most positions.
#[cold]
#[inline(never)]
pub(crate) fn write_castling<C: ColourMarks, S: Stage>(board: &ByteBoard<C>, list: &mut MoveList) {
    board.castling_moves::<S>(list);
}
