//! Lists of nodes in the lanes of a vector: all lanes step to their next node together.
//!
//! A node is that of the dense index list (Matthew R. Brades and Gerd Isenberg, 2012), one word of 32 bits:
//!
//! ```text
//! 31                 20 19                  8 7          0
//! |  next if occupied  |    next if empty    |   target   |
//! ```
//!
//! The code of a square holds the shift that selects the next node, 8 or 20. A gather loads the nodes of all lanes,
//! the codes of their targets come next, and one shift with a count per lane replaces the choice. Lanes whose
//! target is wanted give moves, which a word compress moves together and one store writes. Link 0 ends a list. A
//! lane that has ended walks on through the list at node 0, and gives no moves.

use raywalk_core::{Kind, Square};

/// Places for nodes: as many as a link of twelve bits can address.
pub(crate) const PLACES: usize = 4_096;
/// The place of the first row of heads, copies of first nodes. There are as many rows as kinds.
pub(crate) const HEADS: usize = PLACES - 64 * Kind::ALL.len();

/// Nodes, and behind them in each row, by origin, a copy of the first node of a list. So the first nodes are
/// gathered like all others, without an index that is looked up before.
#[repr(C, align(64))]
pub(crate) struct Nodes {
    places: [u32; PLACES],
    used: usize,
}

impl Nodes {
    pub(crate) fn new() -> Nodes {
        Nodes { places: [0; PLACES], used: 0 }
    }

    /// Stores a node, with 0 for a link that ends the list.
    pub(crate) fn push(&mut self, to: Square, [empty, occupied]: [usize; 2]) {
        self.places[self.used] = u32::from(to.number()) | (empty << 8 | occupied << 20) as u32;
        self.used += 1;
        assert!(self.used <= HEADS, "the nodes reach the heads");
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.used
    }

    /// Names the first node of the list from an origin.
    pub(crate) fn set_head(&mut self, row: usize, from: usize, head: usize) {
        self.places[HEADS + 64 * row + from] = self.places[head];
    }

    /// Bytes of the nodes and of as many rows of heads.
    pub(crate) fn bytes(&self, rows: usize) -> usize {
        size_of::<u32>() * (self.used + 64 * rows)
    }
}

/// Where the codes of the targets come from.
pub trait Cells: Send + Sync + 'static {
    /// Whether they are gathered from memory, and not permuted from a register that holds the board.
    const GATHERED: bool;
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64::*;

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::x86_64::*;

    use raywalk_core::square_board::ShiftCode;
    use raywalk_core::{Board, Cursor, MoveList, Stage, StageId};

    use super::{Cells, HEADS, Nodes, PLACES};
    use crate::castling;
    use crate::cells::ByteBoard;
    use crate::pawns::PawnTargets;
    use crate::store::{append_8, append_16};

    pub(crate) type View = crate::cells::CellVector<ShiftCode>;

    /// The bits of a link.
    const LINK: u32 = PLACES as u32 - 1;
    /// The bits of a code that are the shift.
    const SHIFT: u32 = 0b1_1100;
    /// The bit that only the code of an empty square has.
    pub(crate) const EMPTY: u8 = 0b0_1000;
    /// The bits of a target.
    const TARGET: u32 = 63;

    /// Lists in lanes, of which only the first eight may be used.
    pub(crate) struct Lanes {
        /// The origins.
        pub(crate) from: __m512i,
        /// The places of the next nodes.
        pub(crate) next: __m512i,
        /// The lanes that hold a list.
        pub(crate) live: u16,
    }

    /// The same word in all lanes.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn splat(word: u32) -> __m512i {
        _mm512_set1_epi32(word.cast_signed())
    }

    /// The board in a register and the targets of its pawns, after the moves that come first in the list: castling, and
    /// rare moves.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn before_walk<S: Stage>(
        board: &ByteBoard<ShiftCode>,
        list: &mut MoveList,
    ) -> (View, PawnTargets) {
        let view = View::of(board);
        let pawns = view.pawns::<S>(board);
        let castles = || castling::is_unobstructed(board.state(), view.occupied());
        if S::QUIETS && !S::SLIDERS_ONLY && castles() {
            board.castling_moves::<S>(list);
        }
        if !S::SLIDERS_ONLY && pawns.any_rare() {
            write_rare::<S>(board, list);
        }
        (view, pawns)
    }

    /// Appends promotions and en passant. It finds everything again, so that a position without such moves keeps
    /// no values for it.
    #[cold]
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn write_rare<S: Stage>(board: &ByteBoard<ShiftCode>, list: &mut MoveList) {
        View::of(board).pawns::<S>(board).write_rare(list);
    }

    /// The places of the heads in a row of each lane; `rows` has 64 times the number of the row.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn heads(rows: __m512i, from: __m512i) -> __m512i {
        let place = _mm512_add_epi32(_mm512_or_si512(rows, from), splat(HEADS as u32));
        _mm512_and_si512(place, splat(LINK))
    }

    /// The words at eight or sixteen indexes.
    ///
    /// # Safety
    /// There is a word at each index.
    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn gather<const LANES: usize>(words: *const i32, at: __m512i) -> __m512i {
        const { assert!(LANES == 8 || LANES == 16) };
        // SAFETY: as the caller promises.
        unsafe {
            if LANES == 8 {
                let at = _mm512_castsi512_si256(at);
                return _mm512_zextsi256_si512(_mm256_i32gather_epi32::<4>(words, at));
            }
            _mm512_i32gather_epi32::<4>(at, words)
        }
    }

    /// The codes of the targets of nodes, each in the low byte of its lane.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vbmi")]
    fn codes<C: Cells, const LANES: usize>(
        board: &ByteBoard<ShiftCode>,
        view: View,
        nodes: __m512i,
    ) -> __m512i {
        if !C::GATHERED {
            return view.codes(nodes);
        }
        let word = _mm512_srli_epi32::<2>(_mm512_and_si512(nodes, splat(TARGET)));
        // SAFETY: the board has sixteen words of four squares, and the number of a word is below sixteen.
        let words = unsafe { gather::<LANES>(board.cells().as_ptr().cast(), word) };
        let bits = _mm512_and_si512(_mm512_slli_epi32::<3>(nodes), splat(24));
        _mm512_srlv_epi32(words, bits)
    }

    /// Walks `LANES` lists, eight or sixteen, and appends their moves of stage `S`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
    pub(crate) fn walk<S: Stage, C: Cells, const LANES: usize>(
        nodes: &Nodes,
        board: &ByteBoard<ShiftCode>,
        view: View,
        lanes: Lanes,
        cursor: &mut Cursor<'_>,
    ) {
        let Lanes { from, mut next, mut live } = lanes;
        while live != 0 {
            let places = _mm512_and_si512(next, splat(LINK));
            // SAFETY: all values of the bits of a link are places.
            let node = unsafe { gather::<LANES>(nodes.places.as_ptr().cast(), places) };
            let codes = codes::<C, LANES>(board, view, node);
            let kept = match S::ID {
                StageId::All => {
                    _mm512_mask_testn_epi32_mask(live, codes, splat(view.own_bit().into()))
                }
                StageId::Captures => {
                    _mm512_mask_test_epi32_mask(live, codes, splat(view.enemy_bit().into()))
                }
                StageId::Quiets => _mm512_mask_test_epi32_mask(live, codes, splat(EMPTY.into())),
            };
            // Bits 6 and 7 of a node are clear.
            let to = _mm512_and_si512(_mm512_slli_epi32::<6>(node), splat(TARGET << 6));
            let moves = _mm512_cvtepi32_epi16(_mm512_or_si512(to, from));
            if LANES == 8 {
                let moves = _mm_maskz_compress_epi16(kept as u8, _mm256_castsi256_si128(moves));
                append_8(moves, kept.count_ones(), cursor);
            } else {
                let moves = _mm256_maskz_compress_epi16(kept, moves);
                append_16(moves, kept.count_ones(), cursor);
            }
            next = _mm512_srlv_epi32(node, _mm512_and_si512(codes, splat(SHIFT)));
            live = _mm512_mask_test_epi32_mask(live, next, splat(LINK));
        }
    }
}
