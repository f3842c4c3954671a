//! The boards behind all legal moves: first the list of moves, then one board for each.

use std::arch::x86_64::*;

use raywalk_core::bitboards::attacks;
use raywalk_core::{All, Castling, Move, MoveKind, MoveList, Square};

use super::Room;
use super::leaf::{castling, takers_en_passant};
use super::register::{HOMES, Register, kept, lowest, moved, promoted, side};
use super::restrictions::{Restrictions, colors, sliders};
use crate::legal::Legal;
use crate::pawns::{DOUBLE_PUSHES, PawnTargets};
use crate::ready::View;
use crate::sets::{LAST_RANKS, squares};
use crate::slots::{Pieces, Slots};
use crate::store::{append_8, load_8};

/// Where the parts of a list begin.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    /// Double pushes. Before them are the moves that move one piece and may capture another.
    doubles: usize,
    /// Promotions, castling and en passant.
    rest: usize,
}

/// The caller of the shared functions that write a list, which have one instance for each.
struct Children;

/// Lists the legal moves in parts.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
)]
pub(super) fn list<const WHITE: bool>(
    design: &Legal,
    board: &Register,
    list: &mut MoveList,
) -> Parts {
    let Legal { rays, ready, .. } = design;
    let side = side::<WHITE>();
    let (own, enemy) = board.sides::<WHITE>();
    let occupied = own | enemy;
    let limits = Restrictions::find::<WHITE>(rays, board, colors::<WHITE>(board), sliders(board));
    let (king, attacked) = (limits.king, limits.attacked);
    let evasion = match limits.any_check() {
        false => !0,
        true if limits.checks() > 1 => 0,
        true => limits.resolving(),
    };
    let pins = limits.pins();

    let free = own & !pins.all;
    let (slots, more) = Slots::of(pieces(board, free));
    let view = View { wanted: !own & evasion, occupied, pinned: 0 };
    let pawns = PawnTargets::legal_from_sets::<All>(
        side,
        own & board.pawns,
        (enemy, !occupied),
        evasion,
        pins,
    );
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
        ready.append_each(pieces(board, pinned), on_line, &mut cursor);
    }
    drop(cursor);

    let doubles = list.len();
    let selected = pawns.double_pushes();
    let moves = _mm_maskz_compress_epi16(selected, load_8(&DOUBLE_PUSHES[side.index()]));
    append_8(moves, selected.count_ones(), &mut list.cursor());
    let rest = list.len();
    if (pawns.west | pawns.east | pawns.once) & LAST_RANKS != 0 {
        pawns.write_rare(list);
    }
    if board.special != 0 {
        let allowed = castling::<WHITE>(board, occupied, attacked);
        crate::castling::push(side, allowed, &mut list.cursor());
        let passed = board.special & !HOMES;
        if passed != 0 {
            for from in squares(takers_en_passant::<WHITE>(board)) {
                list.push(Move::en_passant(from, lowest(passed)));
            }
        }
    }
    Parts { doubles, rest }
}

/// The pieces of a set by kind.
#[inline(always)]
fn pieces(board: &Register, set: u64) -> Pieces {
    let Register { diagonal, straight, .. } = *board;
    Pieces {
        knights: set & board.knights,
        bishops: set & diagonal & !straight,
        rooks: set & straight & !diagonal,
        queens: set & diagonal & straight,
    }
}

/// Writes the board behind each move of a [`list`].
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
)]
pub(super) fn make_all<'r, const WHITE: bool>(
    board: &Register,
    moves: &[Move],
    Parts { doubles, rest }: Parts,
    room: &'r mut Room,
) -> &'r [Register] {
    let lanes = board.lanes();
    let kept = kept(lanes);
    let number = moves.len().min(room.len());
    let room = &mut room[..number];
    let moves = &moves[..number];
    let (doubles, rest) = (doubles.min(rest), rest.min(number));
    for (mv, child) in moves[..doubles].iter().zip(&mut room[..doubles]) {
        Register::write(moved(lanes, kept, mv.from(), mv.to()), child);
    }
    for (mv, child) in moves[doubles..rest].iter().zip(&mut room[doubles..rest]) {
        let child = Register::write(moved(lanes, kept, mv.from(), mv.to()), child);
        child.special |= passed_beside_pawn::<WHITE>(board, mv.to());
    }
    for (&mv, child) in moves[rest..].iter().zip(&mut room[rest..]) {
        match mv.kind() {
            MoveKind::Promotion(kind) => {
                Register::write(promoted::<WHITE>(kept, mv.from(), mv.to(), kind), child);
            }
            MoveKind::Castle => {
                child.write(castled::<WHITE>(board, mv));
            }
            MoveKind::EnPassant => {
                child.write(passing::<WHITE>(board, mv));
            }
            MoveKind::Normal => {
                Register::write(moved(lanes, kept, mv.from(), mv.to()), child);
            }
        }
    }
    // SAFETY: each of the three loops has written one part of the room, and together they are all of it.
    unsafe { room.assume_init_ref() }
}

/// The square that a double push has passed, if an enemy pawn can capture there.
#[inline(always)]
fn passed_beside_pawn<const WHITE: bool>(board: &Register, to: Square) -> u64 {
    let passed = if WHITE { to.bit() >> 8 } else { to.bit() << 8 };
    let pawns = board.pawns & board.sides::<WHITE>().1;
    let beside = attacks::pawn(side::<WHITE>(), lowest(passed)) & pawns;
    if beside != 0 { passed } else { 0 }
}

/// The board behind castling.
#[inline(always)]
fn castled<const WHITE: bool>(board: &Register, mv: Move) -> Register {
    let Castling { rook_from, rook_to, .. } = Castling::landing_on(mv.to());
    let king = mv.from().bit() | mv.to().bit();
    let rook = rook_from.bit() | rook_to.bit();
    let mut child = *board;
    child.kings ^= king;
    child.straight ^= rook;
    child.colors[usize::from(!WHITE)] ^= king | rook;
    child.special &= HOMES & if WHITE { !0xff } else { !(0xff << 56) };
    child
}

/// The board behind a capture en passant.
#[inline(always)]
fn passing<const WHITE: bool>(board: &Register, mv: Move) -> Register {
    let capturing = mv.from().bit() | mv.to().bit();
    let captured = if WHITE { mv.to().bit() >> 8 } else { mv.to().bit() << 8 };
    let mut child = *board;
    child.pawns ^= capturing | captured;
    child.colors[usize::from(!WHITE)] ^= capturing;
    child.colors[usize::from(WHITE)] ^= captured;
    child.special &= HOMES;
    child
}
