//! Legal moves: checks and pins in eight directions at once, ready moves, word compress.
//!
//! **Source.** The vectors of checks and pins are ours. The fill is Steffan Westcott's, and that pins are where
//! the fills of king and enemy meet is Gerd Isenberg's DirGolem. The ready moves are those of
//! [`Records`](crate::Records).
//!
//! **Method.** `threats.rs` finds the squares that the king must avoid, those that resolve a check, and the
//! pinned pieces. A check cuts the squares on which moves may end, and a double check leaves none, so neither
//! needs a branch. Pinned knights have no moves. Pinned pawns are left out of the directions that leave their
//! line. Pinned sliders are left out of the slots and written one by one, behind a branch that few positions
//! take. The rest is that of the pseudo-legal design.
//!
//! **Cost.** Two fills and their reductions to words stand before the first mask. In return no move has to be
//! taken back.
//!
//! **Counting.** The masks are the same, and their bits are counted; no move is selected or stored.
//!
//! **Perft.** `copy_make.rs` walks a tree on boards of its own, each in one register.

use raywalk_core::{
    Bitboards, Card, Control, CopyMake, Counting, Feature, Generator, Leaves, Legality, Move,
    MoveList, Stage,
};

#[cfg(target_arch = "x86_64")]
use crate::copy_make::{NoKeys, eight_lanes};
use crate::cpu::{Vectors, with_vectors};
use crate::legal_tables::CompressTables;

/// Legal moves: finds checks and pins in eight lanes, and takes moves from tables of ready ones.
#[repr(C, align(64))]
pub struct Legal {
    pub(crate) tables: CompressTables,
    pub(crate) vectors: Vectors,
}

impl crate::ready::Caller for Legal {}

impl Generator for Legal {
    const CARD: Card = Card {
        id: "simd/legal",
        name: "Legal by pins in eight lanes, ready moves",
        author: "Raywalk, after Stockfish developers, Steffan Westcott and Gerd Isenberg",
        year: Some(2026),
        source: "Raywalk; Stockfish, commit 1554a2c, 4 May 2026; Chess Programming Wiki, Kogge-Stone Algorithm, \
                 DirGolem",
        control: Control::Mixed,
        legality: Legality::Legal,
        published_bytes: None,
        needs: &[Feature::Bmi2, Feature::Avx512Vbmi2],
        reconstructed: "The sources show ready moves, fills and pins by fills. How they go together is ours: pinned \
                        sliders are written behind a branch, all else without one.",
    };
    type Board = Bitboards;
    type Moves = Move;
    const WHOLE_VECTORS: bool = true;

    fn build() -> Result<Box<Self>, Feature> {
        let vectors = Vectors::detect()?;
        Ok(Box::new(Legal { tables: CompressTables::build(), vectors }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList) {
        with_vectors!(self.vectors, x86_64::generate::<S>(&self.tables, board, list));
    }

    fn table_bytes(&self) -> usize {
        self.tables.bytes()
    }
}

impl Counting for Legal {
    #[inline(always)]
    fn count(&self, board: &Bitboards) -> u64 {
        with_vectors!(self.vectors, x86_64::count(&self.tables, board))
    }
}

impl CopyMake for Legal {
    #[inline(always)]
    fn perft(&self, board: &Bitboards, depth: u32, leaves: Leaves) -> u64 {
        with_vectors!(self.vectors, eight_lanes::perft(&self.tables, NoKeys, board, depth, leaves))
    }
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use raywalk_core::{All, Board, Kind, Sliders};

    use super::*;
    use crate::castling;
    use crate::en_passant::{self, Passing};
    use crate::pawns::{DOUBLE_PUSHES, PawnTargets};
    use crate::ready::{View, leaps};
    use crate::sets::wanted;
    use crate::sides::Sides;
    use crate::slots::{Pieces, Slots};
    use crate::threats::Threats;

    #[target_feature(
        enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
    )]
    pub(super) fn generate<S: Stage>(
        tables: &CompressTables,
        board: &Bitboards,
        list: &mut MoveList,
    ) {
        let CompressTables { rays, ready } = tables;
        let threats = Threats::find(rays, &Sides::of(board));
        let Threats { attacked, evasion, pins } = threats;
        let (slots, more) = Slots::of(Pieces::own::<S>(board));
        let pawns = PawnTargets::legal::<S>(&Sides::of(board), evasion, pins);
        let pinned = pins.all & board.kinds([Kind::Bishop, Kind::Rook, Kind::Queen]);
        let passes = S::CAPTURES && PawnTargets::attacked_by_own(board) & board.en_passant() != 0;
        if (pinned != 0) | more.any() | (!S::SLIDERS_ONLY & (passes | pawns.any_rare())) {
            write_rare::<S>(tables, board, &threats, list);
        }

        let side = board.state().side;
        let wanted = wanted::<S>(board);
        let view = View { wanted: wanted & evasion, occupied: board.occupied(), pinned: pins.all };
        let mut cursor = list.cursor();
        if !S::SLIDERS_ONLY {
            pawns.write::<S>(&mut cursor);
            if S::QUIETS {
                castling::push(side, castling::allowed(board, attacked), &mut cursor);
            }
            // The king resolves a check by leaving it.
            let king = (board.king(side), wanted & !attacked);
            let doubles = (&DOUBLE_PUSHES[side.index()], pawns.double_pushes());
            ready.append_leapers::<S, Legal>(king, slots, view, doubles, &mut cursor);
        }
        ready.append_sliders::<S, Legal>(slots, view, &mut cursor);
    }

    /// The number of legal moves.
    #[target_feature(
        enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
    )]
    pub(super) fn count(tables: &CompressTables, board: &Bitboards) -> u64 {
        let CompressTables { rays, ready } = tables;
        let threats = Threats::find(rays, &Sides::of(board));
        let Threats { attacked, evasion, pins } = threats;
        let (slots, more) = Slots::of(Pieces::own::<All>(board));
        let wanted = wanted::<All>(board);
        let view = View { wanted: wanted & evasion, occupied: board.occupied(), pinned: pins.all };
        let king = &ready.kings[board.king(board.state().side).index()];
        let [king_side, queen_side] = castling::allowed(board, attacked);
        let mut count = PawnTargets::legal::<All>(&Sides::of(board), evasion, pins).count()
            + leaps(king, wanted & !attacked).count_ones()
            + ready.count_slots(slots, view)
            + u32::from(king_side)
            + u32::from(queen_side);
        let pinned = pins.all & board.kinds([Kind::Bishop, Kind::Rook, Kind::Queen]);
        if (pinned != 0) | more.any() | (board.en_passant() != 0) {
            count += count_rare(tables, board, threats, more);
        }
        count.into()
    }

    /// The number of moves of pinned sliders, of pieces without a slot, and en passant.
    #[cold]
    #[inline(never)]
    #[target_feature(
        enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
    )]
    fn count_rare(
        tables: &CompressTables,
        board: &Bitboards,
        threats: Threats,
        mut more: Pieces,
    ) -> u32 {
        let Threats { evasion, pins, .. } = threats;
        let wanted = wanted::<All>(board) & evasion;
        let view = View { wanted, occupied: board.occupied(), pinned: pins.all };
        more.remove(pins.all);
        let king = board.king(board.state().side);
        let on_line = |from| View { wanted: wanted & tables.rays.through(king, from), ..view };
        let pinned = Pieces::among::<Sliders>(board, pins.all);
        tables.ready.count_each(more, |_| view)
            + tables.ready.count_each(pinned, on_line)
            + takers_en_passant(board).count_ones()
    }

    /// Appends promotions, en passant, and the moves of pinned sliders and of pieces without a slot. It finds
    /// pieces and pawns again, so that a position without such moves keeps no values for them. It does not find the
    /// threats again, which would take too long.
    #[cold]
    #[inline(never)]
    #[target_feature(
        enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
    )]
    fn write_rare<S: Stage>(
        tables: &CompressTables,
        board: &Bitboards,
        &Threats { evasion, pins, .. }: &Threats,
        list: &mut MoveList,
    ) {
        let wanted = wanted::<S>(board) & evasion;
        let view = View { wanted, occupied: board.occupied(), pinned: pins.all };
        let (_, mut more) = Slots::of(Pieces::own::<S>(board));
        more.remove(pins.all);
        let mut cursor = list.cursor();
        tables.ready.append_each(more, |_| view, &mut cursor);
        // A pinned slider stays on its line. A knight has no move there.
        let king = board.king(board.state().side);
        let on_line = |from| View { wanted: wanted & tables.rays.through(king, from), ..view };
        let pinned = Pieces::among::<Sliders>(board, pins.all);
        tables.ready.append_each(pinned, on_line, &mut cursor);
        drop(cursor);
        if !S::SLIDERS_ONLY {
            let sides = Sides::of(board);
            PawnTargets::legal::<S>(&sides, evasion, pins).write_rare(list);
            en_passant::write::<S>(board, &sides, list);
        }
    }

    /// The pawns that may capture en passant and leave the king safe.
    fn takers_en_passant(board: &Bitboards) -> u64 {
        let passed = board.state().en_passant;
        passed.map_or(0, |to| Passing::of(&Sides::of(board), to).takers())
    }
}
