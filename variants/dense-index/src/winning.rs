//! Winning captures: the lists walked as for all captures, with another test of the target.
//!
//! The Chess Programming Wiki doubts that such lists pay for captures: a queen in a late ending visits up to 27
//! empty squares, with a store for each, to find none. It recommends Reul's two ways instead, of which
//! `reul/vector-attacks` begins at the captured pieces. This call makes the comparison possible. The queen and the
//! king win nothing and are not walked. The code of a square holds the kind in its highest bits, in the order
//! of worth, so one comparison tells whether the piece is worth more.

use raywalk_core::square_board::{Code, ShiftCode};
use raywalk_core::two_way::Heads;
use raywalk_core::{Captures, Color, Kind, MoveList, Piece, Square, Stage, Winning};

use crate::lists::{ListWalk, Lists};
use crate::occupancy::{Of, ReadsCode};
use crate::walk::{DenseIndex, Variant, Walk};

impl<V: Variant> Winning for DenseIndex<V>
where
    for<'a> V::Occupancy<'a>: ReadsCode<'a>,
{
    #[inline(always)]
    fn winning_captures(&self, board: &Self::Board, list: &mut MoveList) {
        let occupancy = V::Occupancy::new(board);
        let walk = Walk::<V> { table: &self.table, occupancy, list: list.cursor() };
        board.visit::<Captures>(&mut Lists::<Captures, _>::new(board.side(), WinningWalk(walk)));
    }
}

/// A [`Walk`] that keeps the moves that win.
struct WinningWalk<'a, V: Variant>(Walk<'a, V>);

/// The least code of a piece that is worth more than one of this kind.
#[inline(always)]
fn least_victim(kind: Kind) -> u8 {
    let victim = match kind {
        Kind::Pawn => Kind::Knight,
        Kind::Knight | Kind::Bishop => Kind::Rook,
        Kind::Rook => Kind::Queen,
        Kind::Queen | Kind::King => Kind::King,
    };
    ShiftCode::of(Piece::new(Color::White, victim))
}

impl<'a, V: Variant> WinningWalk<'a, V>
where
    V::Occupancy<'a>: ReadsCode<'a>,
{
    #[inline(always)]
    fn walk<const PROMOTES: bool>(&mut self, kind: Kind, from: Square, heads: &[u16; 64]) {
        let least = least_victim(kind);
        self.0.walk::<PROMOTES>(from, heads, |occupancy, reading| {
            occupancy.holds_enemy_from(reading, least)
        });
    }
}

impl<'a, V: Variant> ListWalk<'a, Captures> for WinningWalk<'a, V>
where
    V::Occupancy<'a>: ReadsCode<'a>,
{
    #[inline(always)]
    fn heads(&self) -> &'a Heads<u16> {
        self.0.table.heads()
    }

    #[inline(always)]
    fn pawn<Wanted: Stage, const PROMOTES: bool>(&mut self, from: Square, heads: &[u16; 64]) {
        self.walk::<PROMOTES>(Kind::Pawn, from, heads);
    }

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: Square, heads: &[u16; 64]) {
        if !matches!(kind, Kind::Queen | Kind::King) {
            self.walk::<false>(kind, from, heads);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kinds_from_the_least_victim_on_are_those_of_more_worth() {
        for kind in Kind::ALL.into_iter().filter(|&kind| kind != Kind::King) {
            for victim in Kind::ALL {
                let code = ShiftCode::of(Piece::new(Color::White, victim));
                let wins = code >= least_victim(kind);
                assert_eq!(wins, victim.is_worth_more_than(kind), "{kind:?} takes {victim:?}");
            }
        }
    }
}
