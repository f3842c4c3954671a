//! The walk: one loop over all rays of all pieces, and one over the pawns.

use std::hint::select_unpredictable;

use raywalk_core::{
    Color, Cursor, Move, Square, Stage, StageId, opaque,
    square_board::{Code, ColourBits, Geometry, Grid16x12, SquareBoard},
};

use crate::rays::RayList;

/// A 16x12 board with guards, colour bits and the ring of rays.
pub(crate) type RayBoard = SquareBoard<Grid16x12, ColourBits, RayList>;

/// Whether a cell gives a move of stage `S`. A guard never does. `own` is the bit of the pieces of `side`.
#[inline(always)]
fn kept<S: Stage>(code: u8, side: Color, own: &mut usize) -> bool {
    match S::ID {
        StageId::All => {
            // Opaque in each iteration, so that the bit stays a number: one instruction puts it into the carry.
            *own = opaque(*own);
            usize::from(code) >> *own & 1 == 0
        }
        StageId::Captures => ColourBits::takes(code, side),
        StageId::Quiets => ColourBits::is_empty(code),
    }
}

/// Walks once around the ring of rays.
///
/// The visited cell selects the next one: further along the ray if it is empty and the piece
/// slides, else the first cell of the next ray. The next ray is loaded one ray ahead, so the
/// selection is a `cmov`, and only the load from the board depends on it. The end of the ring is
/// the only branch: one misprediction for all pieces of a position, where a list per piece costs
/// one for each.
#[inline(always)]
pub(crate) fn pieces<S: Stage>(board: &RayBoard, list: &mut Cursor<'_>) {
    let side = board.side();
    let rays = board.list();
    let head = rays.head(side);
    let mut ray = head;
    let mut next = rays.ray(ray.next());
    let mut cell = ray.from();
    let mut own = ColourBits::bit_of(side);
    loop {
        cell = cell.wrapping_add(ray.step());
        let code = board.code(cell);
        let mv = Move::to_target(ray.square(), Grid16x12::target(cell));
        list.push_if(mv, kept::<S>(code, side, &mut own));
        let after_next = rays.ray(next.next());
        let continues = ColourBits::is_empty(code | ray.stop());
        // `select_unpredictable`, because a plain `if` may become a branch.
        cell = select_unpredictable(continues, cell, next.from());
        ray = select_unpredictable(continues, ray, next);
        next = select_unpredictable(continues, next, after_next);
        // The king does not slide, so its first ray is visited again only at the end of the ring.
        if ray == head {
            return;
        }
    }
}

/// Appends the pawn moves by arithmetic on the guarded board. Besides the end of the loop, the only
/// branch is the one that separates promotions.
#[inline(always)]
pub(crate) fn pawns<S: Stage>(board: &RayBoard, list: &mut Cursor<'_>) {
    let side = board.side();
    for &from in board.list().pawns(side) {
        match side.view(Grid16x12::square(from)).rank() {
            6 => pawn::<S>(board, from, |from, to, keep| list.push_promotions_if(from, to, keep)),
            _ => pawn::<S>(board, from, |from, to, keep| {
                list.push_if(Move::new(from, to), keep);
            }),
        }
    }
}

#[inline(always)]
fn pawn<S: Stage>(board: &RayBoard, from: u8, mut keep: impl FnMut(Square, Square, bool)) {
    let side = board.side();
    let origin = Grid16x12::square(from);
    let ahead = Grid16x12::step(0, if side == Color::White { 1 } else { -1 });
    let one = from.wrapping_add(ahead);
    if S::QUIETS {
        let two = one.wrapping_add(ahead);
        let home = side.view(origin).rank() == 1;
        let first = ColourBits::is_empty(board.code(one));
        // `&` instead of `&&`, which may become a branch.
        let second = first & home & ColourBits::is_empty(board.code(two));
        keep(origin, Grid16x12::square(one), first);
        keep(origin, Grid16x12::square(two), second);
    }
    if S::CAPTURES {
        for to in [one.wrapping_sub(1), one.wrapping_add(1)] {
            keep(origin, Grid16x12::square(to), ColourBits::takes(board.code(to), side));
        }
    }
}
