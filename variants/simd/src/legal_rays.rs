//! Legal moves from ray lists, with checks and pins behind one branch.
//!
//! **Source.** Ours. The ray lists are those of [`BitRays`](crate::BitRays), the king's rays and the fill in eight
//! lanes those of [`Legal`].
//!
//! **Method.** Each ray of the king is cut at the nearest enemy piece. If this piece slides along the ray and at most
//! one own piece stands before it, there is a check or a pin. Most positions have neither, and no knight or pawn gives
//! check. Every piece then moves as in the pseudo-legal design, and only the king avoids attacked squares. One branch
//! leads all other positions to code that cuts the wanted squares to those that resolve a check, and that leaves pinned
//! pieces out of the slots. Both are compiled from one function. Pinned sliders are written one by one, as are
//! promotions, en passant and pieces without a slot.
//!
//! A fill finds the attacked squares. Its last step takes the enemy's king and pawns along, so they need no look-up.
//! Captures do without the fill if no enemy piece stands next to the king.
//!
//! **Cost.** The branch depends on a chain of vector instructions, so it is decided late, and a wrong guess costs about
//! as much as the list itself. In return, most positions compute neither the squares that resolve a check nor the lines
//! of pins, for which everything else would have to wait. [`Legal`] computes both in every position.

use raywalk_core::bitboards::attacks;
use raywalk_core::{Bitboards, Card, Control, Feature, Generator, Move, MoveList, Stage};

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
        name: "Legal by rays in a row, checks and pins behind a branch",
        author: "Raywalk, after 87flowers, Stockfish developers, Steffan Westcott and Gerd Isenberg",
        source: "Raywalk; 87flowers, articles on the byteboard of the engine Rose, 2025; Stockfish, commit 1554a2c, \
                 4 May 2026; Chess Programming Wiki, Kogge-Stone Algorithm, DirGolem",
        control: Control::Mixed,
        reconstructed: "The sources show rays by permutation, ready moves, fills and pins by fills. Rays from sets, \
                        checks and pins behind a branch, and how they go together, are ours.",
        ..Legal::CARD
    };
    type Board = Bitboards;
    type Moves = Move;
    const WHOLE_VECTORS: bool = true;

    fn build() -> Result<Box<Self>, Feature> {
        let vectors = Vectors::detect()?;
        let tables = Tables { rays: Rays::build(), lists: RayLists::build() };
        Ok(Box::new(LegalRays { tables, vectors }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList) {
        with_vectors!(self.vectors, x86_64::generate::<S>(&self.tables, board, list));
    }

    /// With the tables of leapers, which find the checks of knights and pawns and, in captures, the king's targets.
    fn table_bytes(&self) -> usize {
        let Tables { rays, lists } = &self.tables;
        size_of_val(rays) + lists.bytes() + attacks::leaper_table_bytes()
    }
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use raywalk_core::Sliders;

    use super::*;
    use crate::castling;
    use crate::en_passant;
    use crate::fill::splat;
    use crate::pawns::PawnTargets;
    use crate::ray_lists::{Chosen, castles, with_king};
    use crate::sets::wanted;
    use crate::sides::Sides;
    use crate::slots::{Pieces, Slots};
    use crate::threats::{Pins, Sniped, attacked_by_enemy};

    #[target_feature(
        enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512bitalg,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
    )]
    pub(super) fn generate<S: Stage>(tables: &Tables, board: &Bitboards, list: &mut MoveList) {
        let sniped = Sniped::find(&tables.rays, &Sides::of(board));
        if sniped.is_safe() {
            append::<S, false>(tables, board, !0, Pins::NONE, list);
        } else {
            append_restricted::<S>(tables, board, &sniped, list);
        }
    }

    /// Appends all moves where there is a check or a pin.
    #[inline(never)]
    #[target_feature(
        enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512bitalg,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
    )]
    fn append_restricted<S: Stage>(
        tables: &Tables,
        board: &Bitboards,
        sniped: &Sniped,
        list: &mut MoveList,
    ) {
        let (evasion, pins) = sniped.evasion_and_pins();
        append::<S, true>(tables, board, evasion, pins, list);
    }

    /// Appends all moves. Without restrictions, which the compiler knows then, every square resolves a check and no
    /// piece is pinned.
    #[inline]
    #[target_feature(
        enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512bitalg,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
    )]
    fn append<S: Stage, const RESTRICTED: bool>(
        tables: &Tables,
        board: &Bitboards,
        evasion: u64,
        pins: Pins,
        list: &mut MoveList,
    ) {
        let (evasion, pins) = if RESTRICTED { (evasion, pins) } else { (!0, Pins::NONE) };
        let lists = &tables.lists;
        let sides = Sides::of(board);
        let (slots, more) = Slots::of(Pieces::among::<S>(board, sides.own & !pins.all));
        let pawns = PawnTargets::legal::<S>(&sides, evasion, pins);
        let pinned = pins.all & (sides.diagonal | sides.straight);
        let passes = S::CAPTURES && PawnTargets::attacked_by_own(board) & board.en_passant() != 0;
        if (pinned != 0) | more.any() | (!S::SLIDERS_ONLY & (passes | pawns.any_rare())) {
            write_rare::<S>(tables, board, evasion, pins, list);
        }

        let king = sides.king();
        let wanted = wanted::<S>(board);
        let chosen = Chosen::of(lists, king, slots);
        // A king without a piece to capture has no move of this stage, whatever is attacked.
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
        if !S::SLIDERS_ONLY {
            pawns.usual().write_together::<S>(&mut cursor);
        }
        chosen.append::<S, LegalRays>([sliders, last], &mut cursor);
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
        pins: Pins,
        list: &mut MoveList,
    ) {
        let sides = Sides::of(board);
        let wanted = wanted::<S>(board) & evasion;
        let (_, more) = Slots::of(Pieces::among::<S>(board, sides.own & !pins.all));
        let mut cursor = list.cursor();
        tables.lists.append_each(more, board.occupied(), |_| wanted, &mut cursor);
        // A pinned slider stays on its line. A knight has no move there.
        let king = sides.king();
        let on_line = |from| wanted & tables.rays.through(king, from);
        let pinned = Pieces::among::<Sliders>(board, pins.all);
        tables.lists.append_each(pinned, board.occupied(), on_line, &mut cursor);
        drop(cursor);
        if !S::SLIDERS_ONLY {
            PawnTargets::legal::<S>(&sides, evasion, pins).write_rare(list);
            en_passant::write::<S>(board, &sides, list);
        }
    }
}
