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
    Bitboards, Card, Control, CopyMake, Counting, Feature, Generator, Leaves, Legality, Move,
    MoveList, Stage,
};

use crate::compress_pext::PextAttacks;
use crate::cpu::{Shuffles, with_vectors};
use crate::patterns::Patterns;
use crate::ready::ReadyMoves;
use crate::threats::Rays;

/// Legal moves from records, packed by shuffles.
#[repr(C, align(64))]
pub struct LegalShuffle {
    pub(crate) rays: Rays,
    pub(crate) ready: ReadyMoves,
    pub(crate) patterns: Patterns,
    /// Only for perft.
    pub(crate) sliders: PextAttacks,
    shuffles: Shuffles,
}

impl Generator for LegalShuffle {
    const CARD: Card = Card {
        id: "simd/legal-shuffle",
        name: "Legal by pins in four lanes, byte shuffle",
        author: "Raywalk, after Stockfish developers, Steffan Westcott and Gerd Isenberg",
        year: Some(2026),
        source: "Raywalk; Stockfish, commit 1554a2c, 4 May 2026; Chess Programming Wiki, Kogge-Stone Algorithm, \
                 DirGolem",
        control: Control::Branchless,
        legality: Legality::Legal,
        published_bytes: None,
        needs: &[Feature::Bmi2, Feature::Avx2],
        reconstructed: "The sources show ready moves, fills and pins by fills. How they go together is ours.",
    };
    type Board = Bitboards;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        let shuffles = Shuffles::detect()?;
        let (ready, patterns) = (ReadyMoves::build(), Patterns::build());
        let sliders = PextAttacks::new(shuffles.into());
        Ok(Box::new(LegalShuffle { rays: Rays::build(), ready, patterns, sliders, shuffles }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList) {
        with_vectors!(self.shuffles, x86_64::generate::<S>(self, board, list));
    }

    fn table_bytes(&self) -> usize {
        size_of_val(&self.rays) + self.ready.table_bytes() + size_of_val(&self.patterns)
    }
}

impl Counting for LegalShuffle {
    #[inline(always)]
    fn count(&self, board: &Bitboards) -> u64 {
        with_vectors!(self.shuffles, x86_64::count_on_board(self, board))
    }
}

impl CopyMake for LegalShuffle {
    #[inline(always)]
    fn perft(&self, board: &Bitboards, depth: u32, leaves: Leaves) -> u64 {
        with_vectors!(
            self.shuffles,
            crate::copy_make::two_halves::perft(self, board, depth, leaves)
        )
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64::{append_doubles, append_usual};

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use raywalk_core::{All, Board, Cursor, Sliders, Square};

    use super::*;
    use crate::castling;
    use crate::en_passant::Passing;
    use crate::patterns::{append, append_pawns, append_slider};
    use crate::pawns::{DOUBLE_PUSHES, PawnTargets};
    use crate::ready::{View, leaps, unless_in};
    use crate::sets::{LAST_RANKS, squares};
    use crate::sides::Sides;
    use crate::slots::{Pieces, Slots};
    use crate::store::load_8;
    use crate::threats::{Pins, Threats};

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn generate<S: Stage>(
        design: &LegalShuffle,
        board: &Bitboards,
        list: &mut MoveList,
    ) {
        let sides = Sides::of(board);
        let threats = Threats::find_by_halves(&sides);
        let pawns = pawn_targets::<S>(&sides, threats);
        append_usual::<S>(design, &sides, threats, pawns, list);
        if S::SLIDERS_ONLY {
            return;
        }
        if S::QUIETS {
            append_doubles(design, pawns, list);
            let unobstructed = castling::unobstructed(board.state(), board.occupied());
            let safe = castling::safe(board, threats.attacked);
            let allowed = [unobstructed[0] & safe[0], unobstructed[1] & safe[1]];
            castling::push(sides.side, allowed, &mut list.cursor());
        }
        if (pawns.west | pawns.east | pawns.once) & LAST_RANKS != 0 {
            pawns.write_rare(list);
        }
        if S::CAPTURES
            && let Some(to) = board.state().en_passant
        {
            for from in squares(Passing::of(&sides, to).takers()) {
                list.push(Move::en_passant(from, to));
            }
        }
    }

    /// The targets of pawns.
    #[inline(always)]
    fn pawn_targets<S: Stage>(
        sides: &Sides,
        Threats { evasion, pins, .. }: Threats,
    ) -> PawnTargets {
        let Sides { side, own, enemy, pawns, .. } = *sides;
        let others = (enemy, !(own | enemy));
        PawnTargets::legal_from_sets::<S>(side, own & pawns, others, evasion, pins)
    }

    /// Appends the moves that only move a piece and may capture one, double pushes aside.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn append_usual<S: Stage>(
        design: &LegalShuffle,
        sides: &Sides,
        Threats { attacked, evasion, pins }: Threats,
        pawns: PawnTargets,
        list: &mut MoveList,
    ) {
        let LegalShuffle { ready, patterns, .. } = design;
        let wanted = sides.wanted::<S>();
        let occupied = sides.own | sides.enemy;
        let view = View { wanted: wanted & evasion, occupied, pinned: 0 };
        let (slots, more) = Slots::of(sides.pieces::<S>(sides.own));
        let free = |slot| unless_in(pins.all, slot);
        let Slots { knights, bishops, rooks, queen } = slots;
        let king = sides.king();
        let mut cursor = list.cursor();
        if !S::SLIDERS_ONLY {
            append_pawns::<S>(patterns, sides.own & sides.pawns, pawns, &mut cursor);
            // The king resolves a check by leaving it.
            let record = &ready.kings[king.index()];
            let selected = leaps(record, wanted & !attacked) as u8;
            append(patterns, load_8(&record.moves), selected, &mut cursor);
            let knight = &ready.knights[knights.0];
            let selected = (leaps(knight, view.wanted) & free(knights.0)) as u8;
            append(patterns, load_8(&knight.moves), selected, &mut cursor);
            let knight = &ready.knights[knights.1];
            let selected = (leaps(knight, view.wanted) & free(knights.1)) as u8;
            append(patterns, load_8(&knight.moves), selected, &mut cursor);
        }
        let tables = (ready, patterns);
        append_slider(tables, (&ready.bishops[bishops.0], free(bishops.0)), view, &mut cursor);
        append_slider(tables, (&ready.bishops[bishops.1], free(bishops.1)), view, &mut cursor);
        append_slider(tables, (&ready.rooks[rooks.0], free(rooks.0)), view, &mut cursor);
        append_slider(tables, (&ready.rooks[rooks.1], free(rooks.1)), view, &mut cursor);
        append_slider(tables, (&ready.bishops[queen], free(queen)), view, &mut cursor);
        append_slider(tables, (&ready.rooks[queen], free(queen)), view, &mut cursor);
        drop(cursor);
        if more.any() | (pins.all & (sides.diagonal | sides.straight) != 0) {
            write_rare::<S>(design, sides, evasion, pins, list);
        }
    }

    /// Appends the moves of pinned sliders and of pieces without a slot. It finds everything again, so that a position
    /// without such moves keeps no values for it.
    #[cold]
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn write_rare<S: Stage>(
        design: &LegalShuffle,
        sides: &Sides,
        evasion: u64,
        pins: Pins,
        list: &mut MoveList,
    ) {
        let LegalShuffle { rays, ready, patterns, .. } = design;
        let occupied = sides.own | sides.enemy;
        let view = View { wanted: sides.wanted::<S>() & evasion, occupied, pinned: 0 };
        let (_, mut more) = Slots::of(sides.pieces::<S>(sides.own));
        more.remove(pins.all);
        let mut cursor = list.cursor();
        append_each((ready, patterns), more, |_| view, &mut cursor);
        // A pinned slider stays on its line. A knight has no move there.
        let king = sides.king();
        let on_line = |from| {
            let line = rays.through_by_halves(king, from);
            View { wanted: view.wanted & line, ..view }
        };
        let pinned = sides.pieces::<Sliders>(sides.own & pins.all);
        append_each((ready, patterns), pinned, on_line, &mut cursor);
    }

    /// Appends the double pushes.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub(crate) fn append_doubles(design: &LegalShuffle, pawns: PawnTargets, list: &mut MoveList) {
        let doubles = load_8(&DOUBLE_PUSHES[pawns.side.index()]);
        append(&design.patterns, doubles, pawns.double_pushes(), &mut list.cursor());
    }

    /// Appends the moves of pieces one by one, each with a view of its own.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn append_each(
        (ready, patterns): (&ReadyMoves, &Patterns),
        Pieces { knights, bishops, rooks, queens }: Pieces,
        view: impl Fn(Square) -> View,
        cursor: &mut Cursor<'_>,
    ) {
        for from in squares(knights) {
            let knight = &ready.knights[from.index()];
            let selected = leaps(knight, view(from).wanted) as u8;
            append(patterns, load_8(&knight.moves), selected, cursor);
        }
        for from in squares(bishops | queens) {
            append_slider(
                (ready, patterns),
                (&ready.bishops[from.index()], !0),
                view(from),
                cursor,
            );
        }
        for from in squares(rooks | queens) {
            append_slider((ready, patterns), (&ready.rooks[from.index()], !0), view(from), cursor);
        }
    }

    /// The number of legal moves.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn count_on_board(design: &LegalShuffle, board: &Bitboards) -> u64 {
        let sides = Sides::of(board);
        let threats = Threats::find_by_halves(&sides);
        let unobstructed = castling::unobstructed(board.state(), board.occupied());
        let safe = castling::safe(board, threats.attacked);
        let castling = u32::from(unobstructed[0] & safe[0]) + u32::from(unobstructed[1] & safe[1]);
        let passed = board.state().en_passant;
        let passing = passed.map_or(0, |to| Passing::of(&sides, to).takers().count_ones());
        u64::from(count(design, &sides, threats) + castling + passing)
    }

    /// The number of legal moves but castling and en passant.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn count(design: &LegalShuffle, sides: &Sides, threats: Threats) -> u32 {
        let LegalShuffle { rays, ready, .. } = design;
        let Threats { attacked, evasion, pins } = threats;
        let Sides { own, enemy, .. } = *sides;
        let wanted = !own & evasion;
        let view = View { wanted, occupied: own | enemy, pinned: 0 };
        let (slots, more) = Slots::of(sides.pieces::<All>(own & !pins.all));
        let king = sides.king();
        let king_moves = leaps(&ready.kings[king.index()], !own & !attacked).count_ones();
        let mut count = pawn_targets::<All>(sides, threats).count()
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
