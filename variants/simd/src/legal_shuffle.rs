//! Legal moves on a CPU without AVX-512: checks and pins in two times four directions, ready moves, byte shuffle.
//!
//! **Source.** The ready moves and their packing are those of [`RecordsShuffle`](crate::RecordsShuffle), checks and
//! pins those of [`Legal`](crate::Legal) with other vectors; see `threats_256.rs`.
//!
//! **Method.** A pinned piece is taken out of the slots. Pinned sliders are written one by one along their line, behind
//! a branch that few positions take; so are pieces without a slot, promotions and en passant.
//!
//! **Perft.** `copy_make.rs` walks a tree on boards of its own, each in two registers. It reads another 863,272 bytes
//! of attack sets.

use raywalk_core::{
    Bitboards, Card, CopyMake, Counting, Feature, Generator, Leaves, Move, MoveList, Stage,
};

#[cfg(target_arch = "x86_64")]
use crate::copy_make::{NoKeys, two_halves};
use crate::cpu::{Shuffles, with_vectors};
use crate::legal::Legal;
use crate::legal_tables::ShuffleTables;

/// Legal moves from records, packed by shuffles.
#[repr(C, align(64))]
pub struct LegalShuffle {
    tables: ShuffleTables,
    shuffles: Shuffles,
}

impl Generator for LegalShuffle {
    const CARD: Card = Card {
        id: "simd/legal-shuffle",
        name: "Legal by pins in four lanes, byte shuffle",
        needs: &[Feature::Bmi2, Feature::Avx2],
        ..Legal::CARD
    };
    type Board = Bitboards;
    type Moves = Move;
    const WHOLE_VECTORS: bool = true;

    fn build() -> Result<Box<Self>, Feature> {
        let shuffles = Shuffles::detect()?;
        Ok(Box::new(LegalShuffle { tables: ShuffleTables::build(shuffles), shuffles }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList) {
        with_vectors!(self.shuffles, x86_64::generate::<S>(&self.tables, board, list));
    }

    fn table_bytes(&self) -> usize {
        self.tables.bytes_of_lists()
    }
}

impl Counting for LegalShuffle {
    #[inline(always)]
    fn count(&self, board: &Bitboards) -> u64 {
        with_vectors!(self.shuffles, x86_64::count_on_board(&self.tables, board))
    }
}

impl CopyMake for LegalShuffle {
    #[inline(always)]
    fn perft(&self, board: &Bitboards, depth: u32, leaves: Leaves) -> u64 {
        with_vectors!(self.shuffles, two_halves::perft(&self.tables, NoKeys, board, depth, leaves))
    }
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use raywalk_core::{All, Board, Sliders};

    use super::*;
    use crate::castling;
    use crate::en_passant::{self, Passing};
    use crate::pawns::PawnTargets;
    use crate::ready::{View, leaps};
    use crate::sets::LAST_RANKS;
    use crate::sides::Sides;
    use crate::slots::Slots;
    use crate::threats::Threats;
    use crate::usual_shuffle::{append_doubles, append_usual};

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn generate<S: Stage>(
        tables: &ShuffleTables,
        board: &Bitboards,
        list: &mut MoveList,
    ) {
        let sides = Sides::of(board);
        let threats = Threats::find_by_halves(&sides);
        let pawns = PawnTargets::legal::<S>(&sides, threats.evasion, threats.pins);
        append_usual::<S>(tables, &sides, threats, pawns, list);
        if S::SLIDERS_ONLY {
            return;
        }
        if S::QUIETS {
            append_doubles(tables, pawns, list);
            castling::push(
                sides.side,
                castling::allowed(board, threats.attacked),
                &mut list.cursor(),
            );
        }
        if (pawns.west | pawns.east | pawns.once) & LAST_RANKS != 0 {
            pawns.write_rare(list);
        }
        en_passant::write::<S>(board, &sides, list);
    }

    /// The number of legal moves.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn count_on_board(tables: &ShuffleTables, board: &Bitboards) -> u64 {
        let sides = Sides::of(board);
        let threats = Threats::find_by_halves(&sides);
        let [king_side, queen_side] = castling::allowed(board, threats.attacked);
        let castling = u32::from(king_side) + u32::from(queen_side);
        let passed = board.state().en_passant;
        let passing = passed.map_or(0, |to| Passing::of(&sides, to).takers().count_ones());
        u64::from(count(tables, &sides, threats) + castling + passing)
    }

    /// The number of legal moves but castling and en passant.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn count(tables: &ShuffleTables, sides: &Sides, threats: Threats) -> u32 {
        let ShuffleTables { rays, ready, .. } = tables;
        let Threats { attacked, evasion, pins } = threats;
        let Sides { own, enemy, .. } = *sides;
        let wanted = !own & evasion;
        let view = View { wanted, occupied: own | enemy, pinned: 0 };
        let (slots, more) = Slots::of(sides.pieces::<All>(own & !pins.all));
        let king = sides.king();
        let king_moves = leaps(&ready.kings[king.index()], !own & !attacked).count_ones();
        let mut count = PawnTargets::legal::<All>(sides, evasion, pins).count()
            + king_moves
            + ready.count_slots(slots, view);
        let pinned = sides.pieces::<Sliders>(own & pins.all);
        if pinned.any() | more.any() {
            let on_line =
                |from| View { wanted: wanted & rays.through_by_halves(king, from), ..view };
            count += ready.count_each(more, |_| view) + ready.count_each(pinned, on_line);
        }
        count
    }
}
