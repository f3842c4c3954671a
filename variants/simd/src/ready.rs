//! Tables of moves that are ready, and the vectors that select among them.
//!
//! `pext` turns the relevant occupancy of a slider into an index, and the entry has one bit per move on the
//! empty board: whether the piece gets there. A second `pext`, of the squares that are wanted by all squares
//! that the piece may reach, gives one bit per move as well. The intersection of both is the mask of a word
//! compress. The moves themselves are never computed, only selected.
//!
//! Two sliders fit into a vector of 32 moves, and so do a king, two knights and the double pushes of all pawns.
//!
//! **Layout.** 65 records of 64 bytes for bishops and for rooks, 65 of 32 for knights, 64 of 32 for the king,
//! and 107,648 entries of two bytes: 227,744 bytes.

use raywalk_core::bitboards::attacks::walk;
use raywalk_core::{Kind, Move, Square};

use crate::sets::squares;
use crate::slots::{Pieces, Slots};
use crate::tables::{ENTRIES, boxed, occupancies, relevant};

/// The moves of all pieces but pawns on the empty board, and which of them an occupancy leaves.
#[repr(C, align(64))]
pub(crate) struct ReadyMoves {
    pub(crate) bishops: [Slider; 65],
    pub(crate) rooks: [Slider; 65],
    pub(crate) knights: [Leaper; 65],
    pub(crate) kings: [Leaper; 64],
    /// For each relevant occupancy, a bit for each move of the record: whether the square is reached.
    entries: Box<[u16; ENTRIES]>,
}

/// The moves of a bishop or rook on the empty board, by target. One cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Slider {
    pub(crate) moves: [Move; 16],
    /// The targets of the moves.
    reach: u64,
    /// The squares whose occupancy matters.
    relevant: u64,
    /// Index of the first entry.
    first: u64,
}

/// The moves of a knight or king, by target.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub(crate) struct Leaper {
    pub(crate) moves: [Move; 8],
    /// The targets of the moves.
    reach: u64,
}

const UNUSED: Move = Move::from_bits(0);
const NO_SLIDER: Slider = Slider { moves: [UNUSED; 16], reach: 0, relevant: 0, first: 0 };
const NO_LEAPER: Leaper = Leaper { moves: [UNUSED; 8], reach: 0 };

/// The moves from a square to each target, lowest first, in a record of `N`.
fn moves<const N: usize>(from: Square, reach: u64) -> [Move; N] {
    let mut moves = [UNUSED; N];
    for (slot, to) in moves.iter_mut().zip(squares(reach)) {
        *slot = Move::new(from, to);
    }
    moves
}

fn leaper(kind: Kind, from: Square) -> Leaper {
    let reach = walk(kind, from, 0);
    Leaper { moves: moves(from, reach), reach }
}

/// The squares of `set` as one bit for each square of `reach`, in the order of `pext`.
fn selection(set: u64, reach: u64) -> u16 {
    squares(reach).enumerate().map(|(n, to)| u16::from(set & to.bit() != 0) << n).sum()
}

impl ReadyMoves {
    pub(crate) fn build() -> ReadyMoves {
        let mut entries: Box<[u16; ENTRIES]> = boxed(0);
        let mut first = 0;
        let mut sliders = |kind| {
            let mut records = [NO_SLIDER; 65];
            for (from, record) in Square::all().zip(&mut records) {
                let reach = walk(kind, from, 0);
                let relevant = relevant(kind, from);
                *record =
                    Slider { moves: moves(from, reach), reach, relevant, first: first as u64 };
                for (_, attacks) in occupancies(kind, from) {
                    entries[first] = selection(attacks, reach);
                    first += 1;
                }
            }
            records
        };
        let (rooks, bishops) = (sliders(Kind::Rook), sliders(Kind::Bishop));
        let mut knights = [NO_LEAPER; 65];
        for (from, record) in Square::all().zip(&mut knights) {
            *record = leaper(Kind::Knight, from);
        }
        let kings = std::array::from_fn(|n| leaper(Kind::King, Square::from_low_bits(n as u32)));
        ReadyMoves { bishops, rooks, knights, kings, entries }
    }

    pub(crate) fn table_bytes(&self) -> usize {
        let ReadyMoves { bishops, rooks, knights, kings, entries } = self;
        size_of_val(bishops)
            + size_of_val(rooks)
            + size_of_val(knights)
            + size_of_val(kings)
            + size_of_val(&**entries)
    }
}

/// The caller of the functions that append moves. Each has instances of its own, which the compiler then inlines: the
/// cursor must stay in registers.
pub(crate) trait Caller {
    /// Whether its compress instruction writes to memory, and not to a register that one store writes.
    const TO_MEMORY: bool = false;
}

/// What decides which moves of a record exist.
#[derive(Clone, Copy)]
pub(crate) struct View {
    /// The squares on which moves may end.
    pub(crate) wanted: u64,
    pub(crate) occupied: u64,
    /// Pieces whose moves are not written. Slots and look-ups do not depend on it, so that they need not wait
    /// until pins are known.
    pub(crate) pinned: u64,
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64::{leaps, unless_in};

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::x86_64::*;
    use std::hint::black_box;

    use raywalk_core::{Cursor, Stage};

    use super::*;
    use crate::store::{append_8, append_16, append_32, append_selected, load_8, load_16};

    impl ReadyMoves {
        /// Appends the moves of a king, which may end on other squares than those of the rest, of the knights in
        /// slots, and of a table of eight.
        #[expect(
            clippy::extra_unused_type_parameters,
            reason = "an instance for each stage, as for the sliders"
        )]
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi2,popcnt")]
        pub(crate) fn append_leapers<S: Stage, D: Caller>(
            &self,
            (king, king_wanted): (Square, u64),
            slots: Slots,
            view: View,
            (table, selected): (&[Move; 8], u8),
            cursor: &mut Cursor<'_>,
        ) {
            let king = &self.kings[king.index()];
            let (first, second) = slots.knights;
            let (one, other) = (&self.knights[first], &self.knights[second]);
            let mask = leaps(king, king_wanted)
                | (leaps(one, view.wanted) & unless_in(view.pinned, first)) << 8
                | (leaps(other, view.wanted) & unless_in(view.pinned, second)) << 16
                | u32::from(selected) << 24;
            let low = _mm256_set_m128i(load_8(&one.moves), load_8(&king.moves));
            let high = _mm256_set_m128i(load_8(table), load_8(&other.moves));
            let moves = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high);
            append::<D>((moves, mask), cursor);
        }

        /// Appends the moves of the sliders in slots.
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi2,popcnt")]
        pub(crate) fn append_sliders<S: Stage, D: Caller>(
            &self,
            slots: Slots,
            view: View,
            cursor: &mut Cursor<'_>,
        ) {
            let free = |slot| unless_in(view.pinned, slot);
            let (one, other) = slots.bishops;
            let bishops = (&self.bishops[one], &self.bishops[other]);
            append::<D>(self.pair::<S, D>(bishops, (free(one), free(other)), view), cursor);
            let (one, other) = slots.rooks;
            let rooks = (&self.rooks[one], &self.rooks[other]);
            append::<D>(self.pair::<S, D>(rooks, (free(one), free(other)), view), cursor);
            let queen = (&self.bishops[slots.queen], &self.rooks[slots.queen]);
            let free = free(slots.queen);
            append::<D>(self.pair::<S, D>(queen, (free, free), view), cursor);
        }

        /// The moves of two sliders that `masks` leave: a vector of ready moves, and which of them exist.
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi2,popcnt")]
        fn pair<S: Stage, D>(
            &self,
            (one, other): (&Slider, &Slider),
            masks: (u32, u32),
            view: View,
        ) -> (__m512i, u32) {
            let low = self.slides(one, view) & masks.0;
            let high = self.slides(other, view) & masks.1;
            let moves = _mm512_castsi256_si512(load_16(&one.moves));
            (_mm512_inserti64x4::<1>(moves, load_16(&other.moves)), low | high << 16)
        }

        /// The moves of a slider to squares that are wanted and reached, as a mask.
        #[inline]
        #[target_feature(enable = "bmi2")]
        pub(crate) fn slides(&self, slider: &Slider, view: View) -> u32 {
            let reached = self.entry(slider, view.occupied);
            u32::from(reached) & _pext_u64(view.wanted, slider.reach) as u32
        }

        /// A bit for each move of a record: whether the slider reaches its target.
        #[inline]
        #[target_feature(enable = "bmi2")]
        fn entry(&self, slider: &Slider, occupied: u64) -> u16 {
            let index = slider.first + _pext_u64(occupied, slider.relevant);
            debug_assert!(index < ENTRIES as u64);
            // SAFETY: `pext` by `relevant` gives a number below that of the occupancies that `build` has written
            // behind `first`, with a bounds check; and 0 for a slot without a piece.
            unsafe { *self.entries.get_unchecked(index as usize) }
        }

        /// The squares that a bishop attacks.
        #[inline]
        #[target_feature(enable = "bmi2")]
        pub(crate) fn bishop(&self, from: Square, occupied: u64) -> u64 {
            self.reached(&self.bishops[from.index()], occupied)
        }

        /// The squares that a rook attacks.
        #[inline]
        #[target_feature(enable = "bmi2")]
        pub(crate) fn rook(&self, from: Square, occupied: u64) -> u64 {
            self.reached(&self.rooks[from.index()], occupied)
        }

        /// The squares that a slider reaches.
        #[inline]
        #[target_feature(enable = "bmi2")]
        fn reached(&self, slider: &Slider, occupied: u64) -> u64 {
            _pdep_u64(self.entry(slider, occupied).into(), slider.reach)
        }

        /// The number of moves of the knights and sliders in slots.
        #[inline]
        #[target_feature(enable = "bmi2,popcnt")]
        pub(crate) fn count_slots(&self, slots: Slots, view: View) -> u32 {
            let mut count = 0;
            for slot in [slots.knights.0, slots.knights.1] {
                let mask = leaps(&self.knights[slot], view.wanted) & unless_in(view.pinned, slot);
                count += mask.count_ones();
            }
            for slot in [slots.bishops.0, slots.bishops.1, slots.queen] {
                let mask = self.slides(&self.bishops[slot], view) & unless_in(view.pinned, slot);
                count += mask.count_ones();
            }
            for slot in [slots.rooks.0, slots.rooks.1, slots.queen] {
                let mask = self.slides(&self.rooks[slot], view) & unless_in(view.pinned, slot);
                count += mask.count_ones();
            }
            count
        }

        /// The number of moves of pieces, each with a view of its own.
        #[inline]
        #[target_feature(enable = "bmi1,bmi2,popcnt")]
        pub(crate) fn count_each(&self, pieces: Pieces, view: impl Fn(Square) -> View) -> u32 {
            let Pieces { knights, bishops, rooks, queens } = pieces;
            let mut count = 0;
            for from in squares(knights) {
                count += leaps(&self.knights[from.index()], view(from).wanted).count_ones();
            }
            for (kind, pieces) in [(&self.bishops, bishops | queens), (&self.rooks, rooks | queens)]
            {
                for from in squares(pieces) {
                    count += self.slides(&kind[from.index()], view(from)).count_ones();
                }
            }
            count
        }

        /// Appends the moves of pieces one by one, each with a view of its own.
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
        pub(crate) fn append_each(
            &self,
            pieces: Pieces,
            view: impl Fn(Square) -> View,
            cursor: &mut Cursor<'_>,
        ) {
            let Pieces { knights, bishops, rooks, queens } = pieces;
            for from in squares(knights) {
                let record = &self.knights[from.index()];
                let mask = leaps(record, view(from).wanted);
                let moves = _mm_maskz_compress_epi16(mask as u8, load_8(&record.moves));
                append_8(moves, mask.count_ones(), cursor);
            }
            // Hidden from the compiler, which would copy the loop. Few positions come here.
            let kinds = [(&self.bishops, bishops | queens), (&self.rooks, rooks | queens)];
            for &(kind, pieces) in black_box(&kinds[..]) {
                for from in squares(pieces) {
                    let record = &kind[from.index()];
                    let mask = self.slides(record, view(from));
                    let moves = _mm256_maskz_compress_epi16(mask as u16, load_16(&record.moves));
                    append_16(moves, mask.count_ones(), cursor);
                }
            }
        }
    }

    /// Appends the selected moves of 32.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")]
    fn append<D: Caller>((moves, selected): (__m512i, u32), cursor: &mut Cursor<'_>) {
        if D::TO_MEMORY {
            return append_selected(moves, selected, cursor);
        }
        append_32(_mm512_maskz_compress_epi16(selected, moves), selected.count_ones(), cursor);
    }

    /// All bits set, or none if the square of a slot is in the set. A slot without a piece has no moves anyway.
    #[inline(always)]
    pub(crate) fn unless_in(set: u64, slot: usize) -> u32 {
        ((set >> (slot & 63)) as u32 & 1).wrapping_sub(1)
    }

    /// The moves of a leaper to squares that are wanted, as a mask.
    #[inline]
    #[target_feature(enable = "bmi2")]
    pub(crate) fn leaps(leaper: &Leaper, wanted: u64) -> u32 {
        _pext_u64(wanted, leaper.reach) as u32
    }
}
