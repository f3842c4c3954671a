//! The legal moves of a board in one register.

use std::arch::x86_64::*;

use raywalk_core::{All, MoveList};

use super::restrictions::threats;
use crate::copy_make::register::{Register, side};
use crate::copy_make::walk::{Parts, append_rest};
use crate::legal_tables::CompressTables;
use crate::pawns::{DOUBLE_PUSHES, PawnTargets};
use crate::ready::{Caller, View};
use crate::sides::Sides;
use crate::slots::Slots;
use crate::store::{append_8, load_8};
use crate::threats::Threats;

/// The caller of the shared functions that write a list, which have one instance for each.
struct Children;

impl Caller for Children {}

/// Lists the legal moves in parts. `WINGS` is the caller's: the compiler inlines a function that has one caller.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
)]
pub(super) fn list<const WHITE: bool, const WINGS: u8>(
    tables: &CompressTables,
    board: &Register,
    list: &mut MoveList,
) -> Parts {
    let CompressTables { rays, ready } = tables;
    let side = side::<WHITE>();
    let sides = board.view::<WHITE>();
    let Sides { own, enemy, .. } = sides;
    let occupied = own | enemy;
    let Threats { attacked, evasion, pins } = threats::<WHITE>(tables, board, &sides);
    let king = sides.king();

    let (slots, more) = Slots::of(sides.pieces::<All>(own & !pins.all));
    let view = View { wanted: !own & evasion, occupied, pinned: 0 };
    let pawns = PawnTargets::legal::<All>(&sides, evasion, pins);
    let mut cursor = list.cursor();
    pawns.write::<All>(&mut cursor);
    let king_wanted = (king, !own & !attacked);
    let no_table = (&DOUBLE_PUSHES[side.index()], 0);
    ready.append_leapers::<All, Children>(king_wanted, slots, view, no_table, &mut cursor);
    ready.append_sliders::<All, Children>(slots, view, &mut cursor);
    // A pinned slider stays on its line. A knight has no move there.
    let pinned = pins.all & (board.diagonal | board.straight);
    if pinned != 0 || more.any() {
        let on_line = |from| View { wanted: view.wanted & rays.through(king, from), ..view };
        ready.append_each(more, |_| view, &mut cursor);
        ready.append_each(sides.pieces::<All>(pinned), on_line, &mut cursor);
    }
    drop(cursor);

    let doubles = list.len();
    let selected = pawns.double_pushes();
    let moves = _mm_maskz_compress_epi16(selected, load_8(&DOUBLE_PUSHES[side.index()]));
    append_8(moves, selected.count_ones(), &mut list.cursor());
    let rest = list.len();
    append_rest::<WHITE>(board, pawns, attacked, list);
    Parts { doubles, rest }
}
