//! The dense index list, eight pieces at a time in the lanes of a vector.
//!
//! **Source.** The lists are those of Matthew R. Brades and Gerd Isenberg, 2012. Lists in lanes are ours:
//! `dense-index/lock-step-4` at the width of a vector.
//!
//! **Method.** See `lanes.rs` for the walk. The pieces of the side to move, the king among them, are the squares of
//! a byte compress. Eight go into the lanes of a vector, as many as a side has without promotions. Their codes
//! name the rows of the heads, so pieces of all kinds walk together, and no branch depends on how many there are of a
//! kind. A group ends when its longest list has ended. Pawns go by sets, as in the other designs of this crate.
//!
//! [`GatherLists`] gathers the codes of the targets from the board in memory, as the scalar loop loads them.
//! [`GatherListsRegister`] permutes them from a register that holds the board, so one gather is left in a step.
//!
//! **Layout.** 3,668 nodes and 320 heads of four bytes: 15,952 bytes.
//!
//! **Cost.** A gather has several times the latency of a load, and it is part of the chain from node to node. The
//! longest list of a group sets the number of steps, mostly that of the queen, so most lanes idle.

use std::marker::PhantomData;

use raywalk_core::square_board::{CountedArrays, Grid8x8, ShiftCode, SquareBoard};
use raywalk_core::two_way::{PIECE_ENTRIES, TwoWayLists};
use raywalk_core::{Card, Control, Feature, Generator, Kind, Legality, Move, MoveList, Stage};

use crate::cpu::{Vectors, with_vectors};
use crate::lanes::{Cells, Nodes};

/// Lists of whole pieces in lanes.
#[repr(C, align(64))]
pub struct InLanes<C> {
    nodes: Nodes,
    vectors: Vectors,
    cells: PhantomData<C>,
}

/// The codes of the targets are gathered from memory.
pub struct Memory;
/// The codes of the targets are permuted from a register.
pub struct Register;

impl Cells for Memory {
    const GATHERED: bool = true;
}

impl Cells for Register {
    const GATHERED: bool = false;
}

/// Lists in lanes, the board in memory.
pub type GatherLists = InLanes<Memory>;
/// Lists in lanes, the board in a register.
pub type GatherListsRegister = InLanes<Register>;

/// The card that the designs with lists in lanes share.
pub(crate) const CARD: Card = Card {
    id: "simd/gather-lists",
    name: "Dense index list, eight lists in lanes",
    author: "Raywalk, after Matthew R. Brades and Gerd Isenberg",
    year: Some(2026),
    source: "Raywalk: a variant of dense-index/lock-step-4, not published elsewhere",
    control: Control::Mixed,
    legality: Legality::Pseudo,
    published_bytes: None,
    needs: &[Feature::Bmi2, Feature::Avx512Vbmi2],
    reconstructed: "The source shows the lists of sliders and a scalar loop. Lanes, heads with nodes, knights, \
                    king, pawns as sets, and castling by the rules of the square boards are ours. Stepping through \
                    lists takes no branch but the ends of loops; the tests for castling and other rare moves depend \
                    on the squares of the board.",
};

impl<C: Cells> Generator for InLanes<C> {
    const CARD: Card = if C::GATHERED {
        CARD
    } else {
        Card {
            id: "simd/gather-lists-register",
            name: "Dense index list, eight lists in lanes, board in a register",
            ..CARD
        }
    };
    type Board = SquareBoard<Grid8x8, ShiftCode, CountedArrays>;
    type Moves = Move;
    const WHOLE_VECTORS: bool = true;

    fn build() -> Result<Box<Self>, Feature> {
        let vectors = Vectors::detect()?;
        let TwoWayLists { entries, heads } = TwoWayLists::new();
        let mut nodes = Nodes::new();
        for entry in &entries[..PIECE_ENTRIES] {
            nodes.push(entry.to, entry.next.map(|next| next.map_or(0, usize::from)));
        }
        for kind in Kind::PIECES {
            for (from, &head) in heads.pieces(kind).iter().enumerate() {
                nodes.set_head(kind.index(), from, usize::from(head));
            }
        }
        Ok(Box::new(InLanes { nodes, vectors, cells: PhantomData }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Self::Board, list: &mut MoveList) {
        with_vectors!(self.vectors, x86_64::generate::<S, C>(&self.nodes, board, list));
    }

    fn table_bytes(&self) -> usize {
        self.nodes.bytes(Kind::PIECES.len())
    }
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::x86_64::*;

    use raywalk_core::Board;

    use super::*;
    use crate::cells::ByteBoard;
    use crate::lanes::{Walk, before_walk, splat};
    use crate::squares::numbers;

    /// The bits of a code that hold the kind.
    const KIND: u32 = 0b1110_0000;

    #[target_feature(
        enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
    )]
    pub(super) fn generate<S: Stage, C: Cells>(
        nodes: &Nodes,
        board: &ByteBoard<ShiftCode>,
        list: &mut MoveList,
    ) {
        let (view, pawns) = before_walk!(S, board, list);
        let mut cursor = list.cursor();
        let pieces = if S::SLIDERS_ONLY {
            view.own(Kind::Bishop) | view.own(Kind::Rook) | view.own(Kind::Queen)
        } else {
            pawns.write_usual::<S>(&mut cursor);
            view.all_own() & !view.own(Kind::Pawn)
        };
        // At most sixteen squares, of which the loop takes eight at a time.
        let squares = _mm512_maskz_compress_epi8(pieces, numbers());
        let mut squares = _mm512_castsi512_si128(squares);
        let mut live = _bzhi_u32(0xffff, pieces.count_ones());
        while live != 0 {
            let from = _mm512_zextsi256_si512(_mm256_cvtepu8_epi32(squares));
            // The kind begins at bit 5, and a row has 64 heads.
            let rows = _mm512_slli_epi32::<1>(_mm512_and_si512(view.codes(from), splat(KIND)));
            let lanes = (live & 0xff) as u16;
            let mut walk = Walk::<2>::new(nodes, (board, view), (rows, from), lanes);
            while walk.is_live() {
                walk.step::<S, C>(&mut cursor);
            }
            squares = _mm_srli_si128::<8>(squares);
            live >>= 8;
        }
    }
}
