//! The completion of codes: from target and direction to the move.

use super::rays::FindSource;
use super::view::{Special, special_of_piece};
use super::{MoveCode, View};
use crate::{Cursor, Move, Square};

#[inline(always)]
fn push_promotions(moves: [Move; 4], list: &mut Cursor<'_>) {
    moves.into_iter().for_each(|mv| list.push(mv));
}

/// Appends the moves of a special target: four promotions or one move.
#[inline(always)]
pub(super) fn push_special(view: &View, target: Square, direction: usize, list: &mut Cursor<'_>) {
    let from = Special::source(target, direction);
    match Special::of(target) {
        Special::Promotion => {
            push_promotions(view.promotions(from, target), list);
        }
        Special::Marked(mark) => list.push(view.mv(from, target, mark)),
    }
}

/// The move of one code [word](MoveCode::word), when it is made: finds the source and asks for the piece
/// on it.
#[inline(always)]
pub(super) fn complete_word(sources: &impl FindSource, view: &View, word: Move) -> Move {
    let (code, promotion) = MoveCode::of_word(word);
    let (from, to) = (sources.source(code, view.occupied()), code.target());
    match special_of_piece(view, Square::from_low_bits(from), to) {
        None => view.mv(from, to, 0),
        Some(Special::Marked(mark)) => view.mv(from, to, mark),
        Some(Special::Promotion) => view.promotions(from, to)[promotion],
    }
}
