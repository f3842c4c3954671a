//! The completion of codes: from target and direction to the move.

use super::view::{Special, special_of_piece};
use super::{Marks, MoveCode, Rays, View};
use crate::{Move, MoveList, Square};

/// Turns codes into moves of one position.
///
/// The special targets of all directions stand in one table, filled once per position. So a move
/// costs one bit test, whatever its direction, and promotions, en passant and castling share the
/// branch behind it, which is rarely taken.
#[derive(Clone, Debug)]
pub(super) struct Completer<'a> {
    rays: &'a Rays,
    view: View,
    pieces: u64,
    specials: [u64; 16],
}

impl<'a> Completer<'a> {
    /// A completer for the moves of a view.
    #[inline(always)]
    pub fn new(rays: &'a Rays, view: &View) -> Completer<'a> {
        let specials = Marks::new(view).specials();
        Completer { rays, view: *view, pieces: view.occupied(), specials }
    }

    /// The view that the codes refer to.
    #[inline(always)]
    pub const fn view(&self) -> &View {
        &self.view
    }

    /// The special targets of a direction; a superset.
    #[inline(always)]
    pub const fn specials(&self, direction: usize) -> u64 {
        self.specials[direction & 15]
    }

    /// Whether the code stands for promotions, en passant or castling.
    #[inline(always)]
    pub const fn is_special(&self, code: MoveCode) -> bool {
        self.specials(code.direction()) >> code.target().number() & 1 != 0
    }

    /// The number of the square that the piece comes from.
    #[inline(always)]
    pub fn source(&self, code: MoveCode) -> u32 {
        self.rays.source(code, self.pieces)
    }

    /// The move of a code that [is not special](Self::is_special).
    #[inline(always)]
    pub fn plain(&self, code: MoveCode) -> Move {
        self.view.mv(self.source(code), code.target(), 0)
    }

    /// Appends the moves of a code: four promotions or one move.
    #[inline(always)]
    pub fn push(&self, code: MoveCode, list: &mut MoveList) {
        if self.is_special(code) {
            self.push_special(code, list);
        } else {
            list.push(self.plain(code));
        }
    }

    /// Appends the moves of a special code.
    #[inline(always)]
    pub fn push_special(&self, code: MoveCode, list: &mut MoveList) {
        match self.special(code) {
            Completed::Promotions(moves) => moves.into_iter().for_each(|mv| list.push(mv)),
            Completed::Move(mv) => list.push(mv),
        }
    }

    /// The moves of a special code.
    #[inline(always)]
    pub fn special(&self, code: MoveCode) -> Completed {
        let (from, to) = (self.source(code), code.target());
        match Special::of(to) {
            Special::Promotion => Completed::Promotions(self.view.promotions(from, to)),
            Special::Marked(mark) => Completed::Move(self.view.mv(from, to, mark)),
        }
    }
}

/// What a special code stands for.
pub(super) enum Completed {
    /// The four promotions of one pawn move.
    Promotions([Move; 4]),
    /// En passant or castling.
    Move(Move),
}

/// The move of one code [word](MoveCode::word), when it is made: finds the source and asks for the piece
/// on it. For a single move this is cheaper than a [`Completer`] with its table.
#[inline(always)]
pub(super) fn complete_word(rays: &Rays, view: &View, word: Move) -> Move {
    let (code, promotion) = MoveCode::of_word(word);
    let (from, to) = (rays.source(code, view.occupied()), code.target());
    match special_of_piece(view, Square::from_low_bits(from), to) {
        None => view.mv(from, to, 0),
        Some(Special::Marked(mark)) => view.mv(from, to, mark),
        Some(Special::Promotion) => view.promotions(from, to)[promotion],
    }
}
