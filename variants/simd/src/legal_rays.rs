//! Legal moves from ray lists.

use raywalk_core::{Bitboards, Card, Feature, Generator, Move, MoveList, Stage};

use crate::cpu::{Vectors, with_vectors};
use crate::legal::Legal;
use crate::ray_lists::RayLists;
use crate::threats::Rays;

/// Legal moves from ray lists.
#[repr(C, align(64))]
pub struct LegalRays {
    tables: Tables,
    vectors: Vectors,
}

#[repr(C, align(64))]
struct Tables {
    rays: Rays,
    lists: RayLists,
}

impl Generator for LegalRays {
    const CARD: Card = Card {
        id: "simd/legal-rays",
        name: "Legal by pins in eight lanes, rays in a row",
        reconstructed: "The sources show ready moves, fills and pins by fills. How they go together is ours.",
        ..Legal::CARD
    };
    type Board = Bitboards;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        let vectors = Vectors::detect()?;
        let tables = Tables { rays: Rays::build(), lists: RayLists::build() };
        Ok(Box::new(LegalRays { tables, vectors }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList) {
        with_vectors!(self.vectors, x86_64::generate::<S>(&self.tables, board, list));
    }

    fn table_bytes(&self) -> usize {
        size_of_val(&self.tables.rays) + self.tables.lists.bytes()
    }
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use raywalk_core::bitboards::attacks;
    use raywalk_core::{Board, Sliders};

    use super::*;
    use crate::castling;
    use crate::en_passant::Passing;
    use crate::fill::splat;
    use crate::pawns::PawnTargets;
    use crate::ray_lists::{Chosen, castles, with_king};
    use crate::sets::{squares, wanted};
    use crate::sides::Sides;
    use crate::slots::{Pieces, Slots};
    use crate::threats::{Pins, Sniped, attacked_by_enemy};

    #[target_feature(
        enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512bitalg,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
    )]
    pub(super) fn generate<S: Stage>(tables: &Tables, board: &Bitboards, list: &mut MoveList) {
        let Tables { rays, lists } = tables;
        let sides = Sides::of(board);
        let sniped = Sniped::find(rays, &sides);
        let Restricted { evasion, pinned } = if sniped.is_safe() {
            Restricted { evasion: !0, pinned: 0 }
        } else {
            write_pinned::<S>(tables, board, sniped, list)
        };
        let (slots, more) = Slots::of(Pieces::among::<S>(board, sides.own & !pinned));
        let pawns = PawnTargets::legal::<S>(&sides, evasion, Pins::without_lines(pinned));
        let passes = S::CAPTURES && PawnTargets::attacked_by_own(board) & board.en_passant() != 0;
        if more.any() | (!S::SLIDERS_ONLY & (passes | pawns.any_rare())) {
            write_rare::<S>(tables, board, evasion, pinned, list);
        }

        let king = sides.king();
        let wanted = wanted::<S>(board);
        let chosen = Chosen::of(lists, king, slots);
        // A king that has no piece to capture needs no more: no square is wanted then.
        let attacked = if S::SLIDERS_ONLY || !S::QUIETS && attacks::king(king) & wanted == 0 {
            0
        } else {
            attacked_by_enemy(&sides)
        };
        let [sliders, last] = chosen.lists::<S>();
        let (occupied, slots_wanted) = (splat(board.occupied()), splat(wanted & evasion));
        let sliders = sliders.reached(occupied, slots_wanted);
        // The king resolves a check by leaving it.
        let king_wanted = with_king(slots_wanted, wanted & !attacked);
        let mut last = last.reached(occupied, king_wanted);
        if S::QUIETS && !S::SLIDERS_ONLY {
            last |= castles(castling::allowed(board, attacked));
        }
        let mut cursor = list.cursor();
        chosen.append::<S, LegalRays>([sliders, last], None, &mut cursor);
        if !S::SLIDERS_ONLY {
            pawns.write_together::<S>(&mut cursor);
        }
    }

    /// What a check and pins leave.
    #[derive(Clone, Copy)]
    struct Restricted {
        /// The squares that resolve every check.
        evasion: u64,
        /// The pieces whose moves are written already.
        pinned: u64,
    }

    /// Finds checks and pins, and appends the moves of pinned pieces, en passant aside.
    #[cold]
    #[inline(never)]
    #[target_feature(
        enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512bitalg,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
    )]
    fn write_pinned<S: Stage>(
        tables: &Tables,
        board: &Bitboards,
        sniped: Sniped,
        list: &mut MoveList,
    ) -> Restricted {
        let Tables { rays, lists } = tables;
        let (evasion, pins) = sniped.evasion_and_pins();
        let sides = Sides::of(board);
        let wanted = wanted::<S>(board) & evasion;
        let king = sides.king();
        // A pinned slider stays on its line. A knight has no move there.
        let on_line = |from| wanted & rays.through(king, from);
        let pinned = Pieces::among::<Sliders>(board, pins.all & sides.own);
        lists.append_each(pinned, board.occupied(), on_line, &mut list.cursor());
        if !S::SLIDERS_ONLY && pins.all & sides.pawns != 0 {
            let sides = Sides { pawns: pins.all & sides.pawns, ..sides };
            let pawns = PawnTargets::legal::<S>(&sides, evasion, pins);
            pawns.write_together::<S>(&mut list.cursor());
            pawns.write_rare(list);
        }
        Restricted { evasion, pinned: pins.all }
    }

    /// Appends promotions, en passant and the moves of pieces without a slot. It finds pieces and pawns again, so that
    /// a position without such moves keeps no values for it.
    #[cold]
    #[inline(never)]
    #[target_feature(
        enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512bitalg,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
    )]
    fn write_rare<S: Stage>(
        tables: &Tables,
        board: &Bitboards,
        evasion: u64,
        pinned: u64,
        list: &mut MoveList,
    ) {
        let sides = Sides::of(board);
        let wanted = wanted::<S>(board) & evasion;
        let (_, more) = Slots::of(Pieces::among::<S>(board, sides.own & !pinned));
        tables.lists.append_each(more, board.occupied(), |_| wanted, &mut list.cursor());
        if !S::SLIDERS_ONLY {
            let pins = Pins::without_lines(pinned);
            PawnTargets::legal::<S>(&sides, evasion, pins).write_rare(list);
            if S::CAPTURES
                && let Some(to) = board.state().en_passant
            {
                let takers = squares(Passing::of(&sides, to).takers());
                takers.for_each(|from| list.push(Move::en_passant(from, to)));
            }
        }
    }
}
