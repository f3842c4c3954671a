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
//!
//! The chain from node to node has the latency of a gather, which grows with its width. So the lanes of a vector
//! are parts of four, each with a chain of its own, and only the moves of a step are put together.

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

    /// The number of nodes so far, without the heads.
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
    use raywalk_core::{Cursor, MoveList, Stage, StageId};

    use super::{Cells, HEADS, Nodes, PLACES};
    use crate::cells::ByteBoard;
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

    /// The same word in all lanes.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn splat(word: u32) -> __m512i {
        _mm512_set1_epi32(word.cast_signed())
    }

    /// The same word in four lanes.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn four(word: u32) -> __m128i {
        _mm_set1_epi32(word.cast_signed())
    }

    /// Finds the board in a register and the targets of its pawns, and writes the moves that come first in the list:
    /// castling, and rare moves. A macro, so that it is part of each design's own code.
    macro_rules! before_walk {
        ($stage:ty, $board:expr, $list:expr) => {{
            let view = $crate::lanes::View::of($board);
            let pawns = view.pawns::<$stage>($board);
            if <$stage>::QUIETS
                && !<$stage>::SLIDERS_ONLY
                && $crate::castling::is_unobstructed($board.state(), view.occupied())
            {
                $crate::cells::write_castling::<_, $stage>($board, $list);
            }
            if !<$stage>::SLIDERS_ONLY && pawns.any_rare() {
                $crate::lanes::write_rare::<$stage>($board, $list);
            }
            (view, pawns)
        }};
    }
    pub(crate) use before_walk;

    /// Appends promotions and en passant. It finds everything again, so that a position without such moves keeps
    /// no values for it.
    #[cold]
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(crate) fn write_rare<S: Stage>(board: &ByteBoard<ShiftCode>, list: &mut MoveList) {
        View::of(board).pawns::<S>(board).write_rare(list);
    }

    /// The words at four indexes.
    ///
    /// # Safety
    /// There is a word at each index.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn gather(words: *const i32, at: __m128i) -> __m128i {
        // SAFETY: as the caller promises.
        unsafe { _mm_i32gather_epi32::<4>(words, at) }
    }

    /// The codes of the targets of nodes, each in the low byte of its lane.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl,avx512vbmi")]
    fn codes<C: Cells>(board: &ByteBoard<ShiftCode>, view: View, nodes: __m128i) -> __m128i {
        if !C::GATHERED {
            return _mm512_castsi512_si128(view.codes(_mm512_castsi128_si512(nodes)));
        }
        let word = _mm_srli_epi32::<2>(_mm_and_si128(nodes, four(TARGET)));
        // SAFETY: the board has sixteen words of four squares, and the number of a word is below sixteen.
        let words = unsafe { gather(board.cells().as_ptr().cast(), word) };
        let bits = _mm_and_si128(_mm_slli_epi32::<3>(nodes), four(24));
        _mm_srlv_epi32(words, bits)
    }

    /// The four parts of a vector.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn parts(vector: __m512i) -> [__m128i; 4] {
        [
            _mm512_castsi512_si128(vector),
            _mm512_extracti32x4_epi32::<1>(vector),
            _mm512_extracti32x4_epi32::<2>(vector),
            _mm512_extracti32x4_epi32::<3>(vector),
        ]
    }

    /// Two or four parts as one vector.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn whole<const PARTS: usize>(parts: [__m128i; PARTS]) -> __m512i {
        let pair =
            |n: usize| _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(parts[n]), parts[n + 1]);
        let low = _mm512_zextsi256_si512(pair(0));
        if PARTS == 4 { _mm512_inserti64x4::<1>(low, pair(2)) } else { low }
    }

    /// Walks lists, eight or sixteen, in two or four parts of four lanes.
    pub(crate) struct Walk<'a, const PARTS: usize> {
        nodes: &'a Nodes,
        board: &'a ByteBoard<ShiftCode>,
        view: View,
        from: __m512i,
        /// The links to the next nodes. The bits above a link do not count.
        next: [__m128i; PARTS],
        live: u16,
    }

    impl<'a, const PARTS: usize> Walk<'a, PARTS> {
        /// Walks from the head in a row of each origin; `rows` has 64 times the number of the row. The lanes of
        /// `live` hold a list.
        #[inline]
        #[target_feature(enable = "avx512f,avx512vl")]
        pub(crate) fn new(
            nodes: &'a Nodes,
            (board, view): (&'a ByteBoard<ShiftCode>, View),
            (rows, from): (__m512i, __m512i),
            live: u16,
        ) -> Self {
            const { assert!(PARTS == 2 || PARTS == 4) };
            let heads = _mm512_add_epi32(_mm512_or_si512(rows, from), splat(HEADS as u32));
            let parts = parts(heads);
            Walk { nodes, board, view, from, next: std::array::from_fn(|n| parts[n]), live }
        }

        /// Whether a list has not ended.
        #[inline(always)]
        pub(crate) fn is_live(&self) -> bool {
            self.live != 0
        }

        /// Steps to the next node of each list and appends the moves of stage `S`.
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
        pub(crate) fn step<S: Stage, C: Cells>(&mut self, cursor: &mut Cursor<'_>) {
            let (view, live) = (self.view, self.live);
            // The chain from node to node stays within a part.
            let (mut node, mut code) = ([_mm_setzero_si128(); PARTS], [_mm_setzero_si128(); PARTS]);
            for part in 0..PARTS {
                let place = _mm_and_si128(self.next[part], four(LINK));
                // SAFETY: all values of the bits of a link are places.
                node[part] = unsafe { gather(self.nodes.places.as_ptr().cast(), place) };
                code[part] = codes::<C>(self.board, view, node[part]);
                let shift = _mm_and_si128(code[part], four(SHIFT));
                self.next[part] = _mm_srlv_epi32(node[part], shift);
            }

            let (node, codes) = (whole(node), whole(code));
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
            let moves = _mm512_cvtepi32_epi16(_mm512_or_si512(to, self.from));
            if PARTS == 2 {
                let moves = _mm_maskz_compress_epi16(kept as u8, _mm256_castsi256_si128(moves));
                append_8(moves, kept.count_ones(), cursor);
            } else {
                let moves = _mm256_maskz_compress_epi16(kept, moves);
                append_16(moves, kept.count_ones(), cursor);
            }
            self.live = _mm512_mask_test_epi32_mask(live, whole(self.next), splat(LINK));
        }
    }
}
