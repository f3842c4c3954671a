//! The dense index list, cut into lines: sixteen short lists in the lanes of a vector.
//!
//! **Source.** The nodes are those of Matthew R. Brades and Gerd Isenberg, 2012. Lists of lines in lanes are ours.
//!
//! **Method.** See `lanes.rs` for the walk. The lanes of a vector end together, so what counts is the longest list.
//! A queen's has up to 27 squares. Here each list is one line through a square, the two rays of a rank, of a file or of
//! one of the diagonals, which have at most seven squares together. Lanes 0 to 7 hold the ranks and files of up
//! to four rooks and queens, lanes 8 to 15 the diagonals of up to four bishops and queens, and further pieces, which
//! only promotions bring, go through the same lanes again. So a queen walks four lists at once.
//!
//! Knights and kings have no rays: the order of their squares depends on nothing, and links would be wasted. Their
//! moves are ready in records of eight. The records of two knights and the king go through one permutation of the
//! board, and one compress keeps those that are wanted, together with the double pushes of all pawns. A place
//! without a move is marked in its sign.
//!
//! **Layout.** 1,460 nodes and 256 heads of four bytes, 65 records of knights and 64 of kings of 16 bytes: 8,928 bytes.
//!
//! **Cost.** Seven steps from each square and on each board, so no branch depends on where a list ends, and the
//! walks of successive calls overlap. Most lanes have ended before the last step.

use raywalk_core::square_board::{CountedArrays, Grid8x8, ShiftCode, SquareBoard};
use raywalk_core::{Card, Feature, Generator, Kind, Move, MoveList, Square, Stage};

use crate::cpu::{Vectors, with_vectors};
use crate::gather_lists::CARD;
use crate::lanes::Nodes;

/// The steps along each line in both directions: file, rank, diagonal, antidiagonal.
const LINES: [[(i8, i8); 2]; 4] =
    [[(0, 1), (0, -1)], [(1, 0), (-1, 0)], [(1, 1), (-1, -1)], [(1, -1), (-1, 1)]];

/// The number of squares of the longest line, its origin aside.
const LONGEST: usize = 7;

/// The moves of a knight or king, and places without a move.
type Record = [Move; 8];

/// A place without a move. No move has this bit alone set.
const NONE: Move = Move::from_bits(0x8000);

/// Lists of lines in lanes.
#[repr(C, align(64))]
pub struct GatherLines {
    nodes: Nodes,
    /// The last record is that of a missing knight.
    knights: [Record; 65],
    kings: [Record; 64],
    vectors: Vectors,
}

/// The moves of a knight or king from a square.
fn record(kind: Kind, from: Square) -> Record {
    let mut record = [NONE; 8];
    let targets = kind.steps().iter().filter_map(|&(files, ranks)| from.offset(files, ranks));
    for (place, to) in record.iter_mut().zip(targets) {
        *place = Move::new(from, to);
    }
    record
}

/// Appends the list of a line through a square.
fn push_line(nodes: &mut Nodes, row: usize, from: Square, steps: [(i8, i8); 2]) {
    let head = nodes.len();
    let rays = steps.map(|(files, ranks)| {
        let step = move |square: &Square| square.offset(files, ranks);
        std::iter::successors(step(&from), step).collect::<Vec<_>>()
    });
    let end = head + rays[0].len() + rays[1].len();
    if end == head {
        // A corner has one diagonal. The other list has the origin itself, to which no stage keeps a move.
        nodes.push(from, [0; 2]);
    }
    for ray in rays {
        let next_ray = nodes.len() + ray.len();
        for to in ray {
            let links = [nodes.len() + 1, next_ray];
            nodes.push(to, links.map(|link| if link == end { 0 } else { link }));
        }
    }
    nodes.set_head(row, from.index(), head);
}

impl Generator for GatherLines {
    const CARD: Card =
        Card { id: "simd/gather-lines", name: "Dense index list, sixteen lines in lanes", ..CARD };
    type Board = SquareBoard<Grid8x8, ShiftCode, CountedArrays>;
    type Moves = Move;
    const WHOLE_VECTORS: bool = true;

    fn build() -> Result<Box<Self>, Feature> {
        let vectors = Vectors::detect()?;
        let mut nodes = Nodes::new();
        for (row, steps) in LINES.into_iter().enumerate() {
            Square::all().for_each(|from| push_line(&mut nodes, row, from, steps));
        }
        let square = |n: usize| Square::from_low_bits(n as u32);
        let knight = |n| if n < 64 { record(Kind::Knight, square(n)) } else { [NONE; 8] };
        Ok(Box::new(GatherLines {
            nodes,
            knights: std::array::from_fn(knight),
            kings: std::array::from_fn(|n| record(Kind::King, square(n))),
            vectors,
        }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Self::Board, list: &mut MoveList) {
        with_vectors!(self.vectors, x86_64::generate::<S>(self, board, list));
    }

    fn table_bytes(&self) -> usize {
        self.nodes.bytes(LINES.len()) + size_of_val(&self.knights) + size_of_val(&self.kings)
    }
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::x86_64::*;

    use raywalk_core::{Board, Cursor, StageId};

    use super::*;
    use crate::cells::ByteBoard;
    use crate::gather_lists::Register;
    use crate::lanes::{EMPTY, View, Walk, before_walk};
    use crate::pawns::{DOUBLE_PUSHES, PawnTargets};
    use crate::sets::{squares, take};
    use crate::squares::numbers;
    use crate::store::{append_32, load_8};

    #[target_feature(
        enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
    )]
    pub(super) fn generate<S: Stage>(
        design: &GatherLines,
        board: &ByteBoard<ShiftCode>,
        list: &mut MoveList,
    ) {
        let (view, pawns) = before_walk!(S, board, list);
        let mut cursor = list.cursor();
        if !S::SLIDERS_ONLY {
            pawns.write::<S>(&mut cursor);
            write_leapers::<S>(design, view, board, pawns, &mut cursor);
        }
        let queens = view.own(Kind::Queen);
        let (straight, diagonal) = (queens | view.own(Kind::Rook), queens | view.own(Kind::Bishop));
        let mut origins = [straight, diagonal]
            .map(|set| _mm512_castsi512_si128(_mm512_maskz_compress_epi8(set, numbers())));
        let mut left = [straight, diagonal].map(u64::count_ones);
        // Four of each at a time.
        while left[0] | left[1] != 0 {
            let [straight, diagonal] = origins.map(|squares| _mm_cvtepu8_epi32(squares));
            let from = _mm512_broadcast_i32x4(straight);
            let from = _mm512_mask_broadcast_i32x4(from, 0xff00, diagonal);
            let [straight, diagonal] = left.map(|count| _bzhi_u32(0xf, count) * 0x11);
            let live = (straight | diagonal << 8) as u16;
            let (nodes, lanes) = (&design.nodes, (rows(), from));
            let mut walk = Walk::<4>::new(nodes, (board, view), lanes, live);
            for _ in 0..LONGEST {
                walk.step::<S, Register>(&mut cursor);
            }
            origins = origins.map(|squares| _mm_srli_si128::<4>(squares));
            left = left.map(|count| count.saturating_sub(4));
        }
    }

    /// The first head of the row of each lane.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn rows() -> __m512i {
        let four = |row: i32| _mm_set1_epi32(64 * row);
        let rows = _mm512_castsi128_si512(four(0));
        let rows = _mm512_inserti32x4::<1>(rows, four(1));
        let rows = _mm512_inserti32x4::<2>(rows, four(2));
        _mm512_inserti32x4::<3>(rows, four(3))
    }

    /// Appends the moves of knights and king, and double pushes.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,popcnt")]
    fn write_leapers<S: Stage>(
        design: &GatherLines,
        view: View,
        board: &ByteBoard<ShiftCode>,
        pawns: PawnTargets,
        cursor: &mut Cursor<'_>,
    ) {
        let mut knights = view.own(Kind::Knight);
        let records = [
            &design.knights[take(&mut knights)],
            &design.knights[take(&mut knights)],
            &design.kings[board.king(pawns.side).index()],
        ];
        let doubles = if S::QUIETS { u32::from(pawns.double_pushes()) } else { 0 };
        let pushes = &DOUBLE_PUSHES[pawns.side.index()];
        write_records::<S>(view, records, (pushes, doubles), cursor);
        for from in squares(knights) {
            let knight = &design.knights[from.index()];
            let none = &design.knights[64];
            write_records::<S>(view, [knight, none, none], (none, 0), cursor);
        }
    }

    /// Appends the moves of three records that are wanted, and those of a fourth one by a mask.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
    fn write_records<S: Stage>(
        view: View,
        records: [&Record; 3],
        (others, mask): (&Record, u32),
        cursor: &mut Cursor<'_>,
    ) {
        let moves = _mm512_castsi128_si512(load_8(records[0]));
        let moves = _mm512_inserti32x4::<1>(moves, load_8(records[1]));
        let moves = _mm512_inserti32x4::<2>(moves, load_8(records[2]));
        let moves = _mm512_inserti32x4::<3>(moves, load_8(others));
        // The target is in the six bits from bit 6, and the code of its square in the low byte of a word.
        let codes = view.codes(_mm512_srli_epi16::<6>(moves));
        let test = |bits: u8| _mm512_set1_epi16(bits.into());
        let wanted = match S::ID {
            StageId::All => _mm512_testn_epi16_mask(codes, test(view.own_bit())),
            StageId::Captures => _mm512_test_epi16_mask(codes, test(view.enemy_bit())),
            StageId::Quiets => _mm512_test_epi16_mask(codes, test(EMPTY)),
        };
        let kept = wanted & !_mm512_movepi16_mask(moves) & 0xff_ffff | mask << 24;
        append_32(_mm512_maskz_compress_epi16(kept, moves), kept.count_ones(), cursor);
    }
}
