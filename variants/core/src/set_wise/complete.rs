//! The completion of codes: from target and direction to the move.

use super::view::{Special, special_of_piece};
use super::{MoveCode, Rays, View};
use crate::{Cursor, Move, Square};

/// Turns codes into moves of one position.
///
/// The special targets of each direction and of all together are found once per position. So a move
/// costs one bit test, whatever its direction, and promotions, en passant and castling share the
/// branch behind it, which is rarely taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Completer<'a> {
    rays: &'a Rays,
    view: &'a View,
    pieces: u64,
    specials: &'a [u64; 16],
    /// The special targets of any direction.
    special: u64,
}

impl<'a> Completer<'a> {
    /// A completer for the moves of a view with its [`specials`](super::Marks::specials).
    #[inline(always)]
    pub(crate) fn new(rays: &'a Rays, view: &'a View, specials: &'a [u64; 16]) -> Completer<'a> {
        // Other directions have none.
        let special = specials[..8].iter().fold(0, |all, set| all | set);
        Completer { rays, view, pieces: view.occupied(), specials, special }
    }

    /// The special targets of a direction; a superset.
    #[inline(always)]
    pub(crate) const fn specials(&self, direction: usize) -> u64 {
        self.specials[direction & 15]
    }

    /// Whether the code stands for promotions, en passant or castling.
    #[inline(always)]
    pub(crate) const fn is_special(&self, code: MoveCode) -> bool {
        let number = code.target().number();
        self.special >> number & 1 != 0 && self.specials(code.direction()) >> number & 1 != 0
    }

    /// The move of a code that [is not special](Self::is_special).
    #[inline(always)]
    pub(crate) fn plain(&self, code: MoveCode) -> Move {
        self.view.mv(self.rays.source(code, self.pieces), code.target(), 0)
    }

    /// Appends the moves of a code: four promotions or one move.
    #[inline(always)]
    pub(crate) fn push(&self, code: MoveCode, list: &mut Cursor<'_>) {
        if self.is_special(code) {
            self.push_special(code, list);
        } else {
            list.push(self.plain(code));
        }
    }

    /// Appends the moves of a special code.
    #[inline(always)]
    pub(crate) fn push_special(&self, code: MoveCode, list: &mut Cursor<'_>) {
        let (from, to) = (self.rays.source(code, self.pieces), code.target());
        match Special::of(to) {
            Special::Promotion => {
                self.view.promotions(from, to).into_iter().for_each(|mv| list.push(mv));
            }
            Special::Marked(mark) => list.push(self.view.mv(from, to, mark)),
        }
    }
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
