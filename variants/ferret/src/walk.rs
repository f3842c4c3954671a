//! The loop, one for all lists and all kinds of links.

use std::{hint::assert_unchecked, marker::PhantomData};

use raywalk_core::{
    Captures, Color, Cursor, Kind, Move, MoveList, Origin, Quiets, Square, Stage, Target, opaque,
    square_board::{Board8x8, Code, ColourBits, Visitor},
};

use crate::links::{Links, Place};

/// The state of one generation: walks the lists of each piece of the side to move.
pub(crate) struct Walk<'walk, S, L> {
    lists: &'walk L,
    board: &'walk Board8x8,
    list: Cursor<'walk>,
    stage: PhantomData<S>,
}

/// How a move to a kept target is appended. Selected once per pawn, so that the loop never tests
/// the rank of a target.
trait Writer {
    fn push(list: &mut Cursor<'_>, from: Origin, to: Square);
    /// Stores and counts if `keep`, without a branch.
    fn push_if(list: &mut Cursor<'_>, from: Origin, to: Square, keep: bool);
}

/// Appends one move for a target, which is no promotion.
struct OneMove;
impl Writer for OneMove {
    #[inline(always)]
    fn push(list: &mut Cursor<'_>, from: Origin, to: Square) {
        list.push(Move::between(from, Target::of(to)));
    }
    #[inline(always)]
    fn push_if(list: &mut Cursor<'_>, from: Origin, to: Square, keep: bool) {
        list.push_if(Move::between(from, Target::of(to)), keep);
    }
}

/// Appends the four promotions of a pawn on the seventh rank.
struct FourPromotions;
impl Writer for FourPromotions {
    #[inline(always)]
    fn push(list: &mut Cursor<'_>, from: Origin, to: Square) {
        list.push_promotions(from.square(), to);
    }
    #[inline(always)]
    fn push_if(list: &mut Cursor<'_>, from: Origin, to: Square, keep: bool) {
        list.push_promotions_if(from.square(), to, keep);
    }
}

/// The square of an element. Opaque, so that the compiler extends it as it is loaded, and not again before it is an
/// index.
#[inline(always)]
fn square_at(at: impl Place) -> isize {
    opaque(at.square().cast_unsigned()).cast_signed()
}

impl<'walk, S: Stage, L: Links> Walk<'walk, S, L> {
    #[inline(always)]
    pub(crate) fn new(lists: &'walk L, board: &'walk Board8x8, list: &'walk mut MoveList) -> Self {
        Walk { lists, board, list: list.cursor(), stage: PhantomData }
    }

    /// Walks one list and appends the moves of stage `T`.
    ///
    /// As published, the list ends at the sentinel if the last square is empty, and at a null link if
    /// the last ray is blocked. Each end is tested on its own side of the branch.
    #[inline(always)]
    fn walk<T: Stage, W: Writer>(&mut self, heads: &[L::Head; 64], origin: Square) {
        let side = self.board.side();
        let mut at = self.lists.start(heads[origin.index()]);
        let from = Origin::of(origin);
        let mut square = square_at(at);
        loop {
            // SAFETY: `square` is that of a target: heads and links lead to targets or the end, and the walk returns
            // below when it reaches the end. Without the promise a mask and an extension would cost two
            // instructions on every square.
            unsafe { assert_unchecked((0..64).contains(&square)) };
            let to = Square::from_low_bits(square as u32);
            let code = self.board.code(to.number());
            if ColourBits::is_empty(code) {
                if T::QUIETS {
                    W::push(&mut self.list, from, to);
                } else if L::STORES_AT_EMPTY {
                    W::push_if(&mut self.list, from, to, false);
                }
                // SAFETY: `at` is a target. Heads and links lead to targets or the end, and the walk
                // returns below when it reaches the end.
                at = unsafe { at.next() };
                square = square_at(at);
                if L::is_end(square, origin) {
                    return;
                }
            } else {
                if T::CAPTURES {
                    let enemy = ColourBits::is_enemy(code, side);
                    if L::STORES_ALWAYS {
                        W::push_if(&mut self.list, from, to, enemy);
                    } else if enemy {
                        W::push(&mut self.list, from, to);
                    }
                }
                let Some(next_ray) = at.blocked() else { return };
                at = next_ray;
                square = square_at(at);
                if L::LINKS_LEAD_TO_END && L::is_end(square, origin) {
                    return;
                }
            }
        }
    }

    /// Walks the lists of a pawn. Its pushes are one ray of quiet moves, which ends at the first
    /// piece; each of its captures is a ray of its own.
    #[inline(always)]
    fn pawn<W: Writer>(&mut self, side: Color, origin: Square) {
        let heads = self.lists.heads();
        if S::QUIETS {
            self.walk::<Quiets, W>(heads.pushes(side), origin);
        }
        if S::CAPTURES {
            self.walk::<Captures, W>(heads.captures(side), origin);
        }
    }
}

impl<S: Stage, L: Links> Visitor for Walk<'_, S, L> {
    #[inline(always)]
    fn pawn(&mut self, from: u8) {
        let side = self.board.side();
        let origin = Square::from_low_bits(u32::from(from));
        if side.view(origin).rank() == 6 {
            self.pawn::<FourPromotions>(side, origin);
        } else {
            self.pawn::<OneMove>(side, origin);
        }
    }

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: u8) {
        let origin = Square::from_low_bits(u32::from(from));
        self.walk::<S, OneMove>(self.lists.heads().pieces(kind), origin);
    }
}
