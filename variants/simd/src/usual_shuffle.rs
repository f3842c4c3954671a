//! The usual moves of a legal list, packed by shuffles: those that move one piece and may capture another.

use raywalk_core::{Cursor, MoveList, Sliders, Square, Stage};

use crate::legal_tables::ShuffleTables;
use crate::patterns::{Patterns, append, append_pawns, append_slider};
use crate::pawns::{DOUBLE_PUSHES, PawnTargets};
use crate::ready::{ReadyMoves, View, leaps, unless_in};
use crate::sets::squares;
use crate::sides::Sides;
use crate::slots::{Pieces, Slots};
use crate::store::load_8;
use crate::threats::{Pins, Threats};

/// Appends the moves that only move a piece and may capture one, double pushes aside.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn append_usual<S: Stage>(
    tables: &ShuffleTables,
    sides: &Sides,
    Threats { attacked, evasion, pins }: Threats,
    pawns: PawnTargets,
    list: &mut MoveList,
) {
    let ShuffleTables { ready, patterns, .. } = tables;
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
    let records = (ready, patterns);
    append_slider(records, (&ready.bishops[bishops.0], free(bishops.0)), view, &mut cursor);
    append_slider(records, (&ready.bishops[bishops.1], free(bishops.1)), view, &mut cursor);
    append_slider(records, (&ready.rooks[rooks.0], free(rooks.0)), view, &mut cursor);
    append_slider(records, (&ready.rooks[rooks.1], free(rooks.1)), view, &mut cursor);
    append_slider(records, (&ready.bishops[queen], free(queen)), view, &mut cursor);
    append_slider(records, (&ready.rooks[queen], free(queen)), view, &mut cursor);
    drop(cursor);
    if more.any() | (pins.all & (sides.diagonal | sides.straight) != 0) {
        write_rare::<S>(tables, sides, evasion, pins, list);
    }
}

/// Appends the moves of pinned sliders and of pieces without a slot. It finds everything again, so that a position
/// without such moves keeps no values for it.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn write_rare<S: Stage>(
    tables: &ShuffleTables,
    sides: &Sides,
    evasion: u64,
    pins: Pins,
    list: &mut MoveList,
) {
    let ShuffleTables { rays, ready, patterns, .. } = tables;
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
pub(crate) fn append_doubles(tables: &ShuffleTables, pawns: PawnTargets, list: &mut MoveList) {
    let doubles = load_8(&DOUBLE_PUSHES[pawns.side.index()]);
    append(&tables.patterns, doubles, pawns.double_pushes(), &mut list.cursor());
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
        append_slider((ready, patterns), (&ready.bishops[from.index()], !0), view(from), cursor);
    }
    for from in squares(rooks | queens) {
        append_slider((ready, patterns), (&ready.rooks[from.index()], !0), view(from), cursor);
    }
}
