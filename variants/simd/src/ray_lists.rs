//! Ray lists: the squares that a piece reaches on the empty board, ray after ray, with their moves.
//!
//! Each square of a list is a byte. Its six lower bits are the number of the square, which a byte permutation or a bit
//! shuffle takes as an index and ignores the others: whether the square is the first of its ray, and whether it is the
//! last.
//!
//! **Layout.** 65 records of 64 bytes for bishops and for rooks, 65 of 32 for knights, 64 of 32 for the king: 12,448
//! bytes. A queen is a bishop and a rook.

use raywalk_core::{Castling, Color, Kind, Move, Square, Wing};

/// Where the castling moves of a king on its first square are: behind its five steps.
const CASTLES: usize = 5;

/// The lists of all kinds. The one behind those of the squares is that of an empty slot.
#[repr(C, align(64))]
pub(crate) struct RayLists {
    bishops: [Slider; 65],
    rooks: [Slider; 65],
    knights: [Leaper; 65],
    kings: [Leaper; 64],
}

/// The moves of a bishop or rook on the empty board, ray after ray. One cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Slider {
    moves: [Move; 16],
    targets: [u8; 16],
}

/// The moves of a knight or king.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
struct Leaper {
    moves: [Move; 8],
    /// The targets, and eight places without one.
    targets: [u8; 16],
}

/// The bits of a target that is the first of its ray, and of one that is the last.
pub(crate) const FIRST: u8 = 0x40;
pub(crate) const LAST: u8 = 0x80;

const UNUSED: Move = Move::from_bits(0);
const NO_SLIDER: Slider = Slider { moves: [UNUSED; 16], targets: [0; 16] };
const NO_LEAPER: Leaper = Leaper { moves: [UNUSED; 8], targets: [0; 16] };

/// The moves of a kind from a square, and their targets with the bits of their places in a ray.
fn record<const N: usize>(kind: Kind, from: Square) -> ([Move; N], [u8; 16]) {
    let (mut moves, mut targets) = ([UNUSED; N], [0; 16]);
    let mut slots = moves.iter_mut().zip(&mut targets);
    for &(files, ranks) in kind.steps() {
        let furthest = if kind.is_slider() { 7 } else { 1 };
        let on_ray = |n| if n > furthest { None } else { from.offset(n * files, n * ranks) };
        for n in 1..=furthest {
            let Some(to) = on_ray(n) else { break };
            let (mv, target) = slots.next().expect("a slot for each move of the kind");
            *mv = Move::new(from, to);
            *target = to.number();
            *target |= if n == 1 { FIRST } else { 0 };
            *target |= if on_ray(n + 1).is_none() { LAST } else { 0 };
        }
    }
    (moves, targets)
}

fn leaper(kind: Kind, from: Square) -> Leaper {
    let (moves, targets) = record(kind, from);
    Leaper { moves, targets }
}

/// The list of a king, with its castling moves at places of which no ray knows.
fn king(from: Square) -> Leaper {
    let mut king = leaper(Kind::King, from);
    for color in Color::ALL {
        for (place, wing) in (CASTLES..).zip([Wing::King, Wing::Queen]) {
            let Castling { king_from, king_to, .. } = Castling::of(color, wing);
            if king_from == from {
                king.moves[place] = Move::castle(from, king_to);
            }
        }
    }
    king
}

impl RayLists {
    pub(crate) fn build() -> RayLists {
        let slider = |kind, n: usize| {
            let (moves, targets) = record(kind, Square::from_low_bits(n as u32));
            Slider { moves, targets }
        };
        let knight = |n: usize| {
            if n < 64 { leaper(Kind::Knight, Square::from_low_bits(n as u32)) } else { NO_LEAPER }
        };
        let sliders =
            |kind| std::array::from_fn(|n| if n < 64 { slider(kind, n) } else { NO_SLIDER });
        RayLists {
            bishops: sliders(Kind::Bishop),
            rooks: sliders(Kind::Rook),
            knights: std::array::from_fn(knight),
            kings: std::array::from_fn(|n| king(Square::from_low_bits(n as u32))),
        }
    }

    /// Bytes of all four lists.
    pub(crate) fn bytes(&self) -> usize {
        let RayLists { bishops, rooks, knights, kings } = self;
        size_of_val(bishops) + size_of_val(rooks) + size_of_val(knights) + size_of_val(kings)
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64::*;

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::x86_64::*;
    use std::hint::black_box;

    use raywalk_core::{Cursor, Stage};

    use super::*;
    use crate::fill::splat;
    use crate::sets::squares;
    use crate::slots::{Pieces, Slots};
    use crate::squares::numbers;
    use crate::store::{append_8, append_16, append_32, load_8, load_16};

    /// The records of the pieces in slots.
    #[derive(Clone, Copy)]
    pub(crate) struct Chosen<'a> {
        bishops: (&'a Slider, &'a Slider),
        rooks: (&'a Slider, &'a Slider),
        /// The queen as a bishop and a rook.
        queen: (&'a Slider, &'a Slider),
        king: &'a Leaper,
        knights: (&'a Leaper, &'a Leaper),
    }

    /// A register of lists: 64 squares of the rays of several pieces.
    #[derive(Clone, Copy)]
    pub(crate) struct Listed(pub(crate) __m512i);

    impl<'a> Chosen<'a> {
        #[inline(always)]
        pub(crate) fn of(lists: &'a RayLists, king: Square, slots: Slots) -> Chosen<'a> {
            let RayLists { bishops, rooks, knights, kings } = lists;
            let Slots { queen, .. } = slots;
            Chosen {
                bishops: (&bishops[slots.bishops.0], &bishops[slots.bishops.1]),
                rooks: (&rooks[slots.rooks.0], &rooks[slots.rooks.1]),
                queen: (&bishops[queen], &rooks[queen]),
                king: &kings[king.index()],
                knights: (&knights[slots.knights.0], &knights[slots.knights.1]),
            }
        }

        /// The lists of bishops and rooks, and those of the queen and, unless the stage has only sliders, of king and
        /// knights.
        #[inline]
        #[target_feature(enable = "avx512f")]
        pub(crate) fn lists<S: Stage>(&self) -> [Listed; 2] {
            let (one, other) = self.knights;
            let leapers = if S::SLIDERS_ONLY {
                _mm256_setzero_si256()
            } else {
                let low = _mm_unpacklo_epi64(targets_8(self.king), targets_8(one));
                _mm256_set_m128i(targets_8(other), low)
            };
            let sliders = joined(targets_32(self.bishops), targets_32(self.rooks));
            [Listed(sliders), Listed(joined(targets_32(self.queen), leapers))]
        }

        /// Appends the selected moves, a bit for each place of both lists. The type `D` is the caller's, so that each
        /// caller has an instance of its own, which the compiler then inlines: the cursor must stay in registers.
        ///
        /// The moves of the king come last, because they wait for the squares that the enemy attacks.
        #[expect(
            clippy::extra_unused_type_parameters,
            reason = "an instance for each caller, which is then inlined"
        )]
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")]
        pub(crate) fn append<S: Stage, D>(&self, selected: [u64; 2], cursor: &mut Cursor<'_>) {
            if !S::QUIETS {
                return self.append_captures(selected, cursor);
            }
            let [first, last] = selected;
            append_32_of(two_sliders(self.bishops), first as u32, cursor);
            append_32_of(two_sliders(self.rooks), (first >> 32) as u32, cursor);
            append_32_of(two_sliders(self.queen), last as u32, cursor);
            if !S::SLIDERS_ONLY {
                append_32_of(self.leaps(), (last >> 32) as u32, cursor);
            }
        }

        /// Appends captures. Each ray has at most one, so 16 words hold those of bishops and rooks, and 32 those of
        /// queen, king and knights. A byte compress of the numbers 0 to 63 gives the places of the moves, and one
        /// permutation fetches them from two vectors.
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")]
        fn append_captures(&self, [first, last]: [u64; 2], cursor: &mut Cursor<'_>) {
            let places = |selected| {
                let places = _mm512_maskz_compress_epi8(selected, numbers());
                _mm512_cvtepu8_epi16(_mm512_castsi512_si256(places))
            };
            let (bishops, rooks) = (two_sliders(self.bishops), two_sliders(self.rooks));
            let moves = _mm512_permutex2var_epi16(bishops, places(first), rooks);
            append_16(_mm512_castsi512_si256(moves), first.count_ones(), cursor);
            let queen = two_sliders(self.queen);
            let moves = _mm512_permutex2var_epi16(queen, places(last), self.leaps());
            append_32(moves, last.count_ones(), cursor);
        }

        /// The moves of king and knights.
        #[inline]
        #[target_feature(enable = "avx512f")]
        fn leaps(&self) -> __m512i {
            let (one, other) = self.knights;
            let low = _mm256_set_m128i(load_8(&one.moves), load_8(&self.king.moves));
            joined(low, _mm256_zextsi128_si256(load_8(&other.moves)))
        }
    }

    impl Listed {
        /// The places that are reached if `occupied` squares stop rays, and that are `wanted`: sets in all lanes.
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512bitalg")]
        pub(crate) fn reached(self, occupied: __m512i, wanted: __m512i) -> u64 {
            let Listed(lists) = self;
            let first = _mm512_test_epi8_mask(lists, bytes(FIRST));
            let ends = _mm512_bitshuffle_epi64_mask(occupied, lists) | _mm512_movepi8_mask(lists);
            (ends ^ ends.wrapping_sub(first)) & _mm512_bitshuffle_epi64_mask(wanted, lists)
        }
    }

    /// Squares that are wanted, others in the lane of the king's list.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn with_king(wanted: __m512i, by_king: u64) -> __m512i {
        _mm512_mask_set1_epi64(wanted, 1 << 4, by_king.cast_signed())
    }

    /// The places of the castling moves that are allowed, in the second register of lists.
    #[inline(always)]
    pub(crate) fn castles([king_side, queen_side]: [bool; 2]) -> u64 {
        u64::from(king_side) << (32 + CASTLES) | u64::from(queen_side) << (33 + CASTLES)
    }

    impl RayLists {
        /// Appends the moves of pieces one by one, each with wanted squares of its own.
        #[inline]
        #[target_feature(
            enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512bitalg,avx512vbmi2,bmi1,popcnt"
        )]
        pub(crate) fn append_each(
            &self,
            pieces: Pieces,
            occupied: u64,
            wanted: impl Fn(Square) -> u64,
            cursor: &mut Cursor<'_>,
        ) {
            let alone = |list, from| {
                let list = Listed(_mm512_zextsi128_si512(list));
                list.reached(splat(occupied), splat(wanted(from)))
            };
            self.append_selected(pieces, alone, cursor);
        }

        /// Appends the moves of pieces one by one, those that `select` finds in a list of each.
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi1,popcnt")]
        pub(crate) fn append_selected(
            &self,
            pieces: Pieces,
            select: impl Fn(__m128i, Square) -> u64,
            cursor: &mut Cursor<'_>,
        ) {
            let Pieces { knights, bishops, rooks, queens } = pieces;
            for from in squares(knights) {
                let knight = &self.knights[from.index()];
                let selected = select(targets_8(knight), from) as u8;
                let moves = _mm_maskz_compress_epi16(selected, load_8(&knight.moves));
                append_8(moves, selected.count_ones(), cursor);
            }
            // Hidden from the compiler, which would copy the loop. Few positions come here.
            let kinds = [(&self.bishops, bishops | queens), (&self.rooks, rooks | queens)];
            for &(kind, pieces) in black_box(&kinds[..]) {
                for from in squares(pieces) {
                    let slider = &kind[from.index()];
                    let selected = select(targets_16(slider), from) as u16;
                    let moves = _mm256_maskz_compress_epi16(selected, load_16(&slider.moves));
                    append_16(moves, selected.count_ones(), cursor);
                }
            }
        }
    }

    /// A byte in all lanes.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn bytes(byte: u8) -> __m512i {
        _mm512_set1_epi8(byte.cast_signed())
    }

    /// The lists of two sliders.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn targets_32((one, other): (&Slider, &Slider)) -> __m256i {
        _mm256_set_m128i(targets_16(other), targets_16(one))
    }

    /// The list of a slider.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn targets_16(slider: &Slider) -> __m128i {
        // SAFETY: the array has the 16 bytes that are loaded, and the load needs no alignment.
        unsafe { _mm_loadu_si128(slider.targets.as_ptr().cast()) }
    }

    /// The list of a leaper.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn targets_8(leaper: &Leaper) -> __m128i {
        // SAFETY: the array has the 16 bytes that are loaded, and the load needs no alignment.
        unsafe { _mm_loadu_si128(leaper.targets.as_ptr().cast()) }
    }

    /// The moves of two sliders.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn two_sliders((one, other): (&Slider, &Slider)) -> __m512i {
        joined(load_16(&one.moves), load_16(&other.moves))
    }

    /// Two halves of a vector.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn joined(low: __m256i, high: __m256i) -> __m512i {
        _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
    }

    /// Appends the selected moves of 32.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")]
    fn append_32_of(moves: __m512i, selected: u32, cursor: &mut Cursor<'_>) {
        append_32(_mm512_maskz_compress_epi16(selected, moves), selected.count_ones(), cursor);
    }
}
