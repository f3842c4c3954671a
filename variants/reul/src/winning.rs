//! Winning captures from the origin: the blocker loop with another test of the blocker.
//!
//! A flag for each kind makes any set of kinds one mask. So the blocker is asked whether it is of a kind that is
//! worth more than the moving piece, and whether it is an enemy's. The rest of the walk is that of all captures:
//! the empty squares in between are visited whether or not there is anything to win behind them.

use raywalk_core::square_board::{Geometry, Grid15x12, ReulFlags, Visitor};
use raywalk_core::{Color, Cursor, Kind, Move, MoveList, Square};

use crate::LoopBoard;

/// The flags of the kinds that are worth more than each kind.
const VICTIMS: [u8; 6] = {
    let mut victims = [0; 6];
    let mut n = 0;
    while n < 36 {
        if Kind::ALL[n % 6].is_worth_more_than(Kind::ALL[n / 6]) {
            victims[n / 6] |= ReulFlags::flag(Kind::ALL[n % 6]);
        }
        n += 1;
    }
    victims
};

/// A [`Visitor`] that appends the winning captures of each piece.
pub(crate) struct WinningWalk<'a> {
    board: &'a LoopBoard,
    side: Color,
    list: Cursor<'a>,
}

impl<'a> WinningWalk<'a> {
    /// A walk of the side to move that appends to `list`.
    #[inline(always)]
    pub(crate) fn new(board: &'a LoopBoard, list: &'a mut MoveList) -> WinningWalk<'a> {
        WinningWalk { board, side: board.side(), list: list.cursor() }
    }

    /// Whether a code is that of an enemy's piece with one of these flags. A guard has no flag of a kind.
    #[inline(always)]
    fn wins(&self, code: u8, victims: u8) -> bool {
        code & victims != 0 && code & ReulFlags::color(!self.side) != 0
    }

    /// The cell behind one step.
    #[inline(always)]
    fn behind(cell: usize, step: u8) -> usize {
        // Always a cell, because the board is padded.
        Grid15x12::stepped(cell, (step as i8).into()).unwrap_or(cell) & 255
    }

    #[inline(always)]
    fn walk<const SLIDES: bool>(&mut self, kind: Kind, from: u8) {
        let (origin, victims) = (Grid15x12::square(from), VICTIMS[kind.index()]);
        for &step in Grid15x12::STEPS[kind.index()] {
            let mut cell = Self::behind(from.into(), step);
            let mut code = self.board.code(cell as u8);
            while SLIDES && code == 0 {
                cell = Self::behind(cell, step);
                code = self.board.code(cell as u8);
            }
            if self.wins(code, victims) {
                self.list.push(Move::new(origin, Grid15x12::square(cell as u8)));
            }
        }
    }

    #[inline(always)]
    fn pawn_capture(&mut self, from: u8, step: u8, promotes: bool) {
        let to = from.wrapping_add(step);
        if self.wins(self.board.code(to), VICTIMS[Kind::Pawn.index()]) {
            let (from, to): (Square, Square) = (Grid15x12::square(from), Grid15x12::square(to));
            if promotes {
                self.list.push_promotions(from, to);
            } else {
                self.list.push(Move::new(from, to));
            }
        }
    }
}

impl Visitor for WinningWalk<'_> {
    #[inline(always)]
    fn pawn(&mut self, from: u8) {
        let promotes = self.side.view(Grid15x12::square(from)).rank() == 6;
        let ahead = if self.side == Color::White { 1 } else { -1 };
        self.pawn_capture(from, Grid15x12::step(-1, ahead), promotes);
        self.pawn_capture(from, Grid15x12::step(1, ahead), promotes);
    }

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: u8) {
        // The queen could only win a king.
        if matches!(kind, Kind::Queen | Kind::King) {
            return;
        }
        // Two loops, so that neither tests at every cell whether the piece slides.
        if kind.is_slider() {
            self.walk::<true>(kind, from);
        } else {
            self.walk::<false>(kind, from);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pawn_wins_every_piece_and_a_rook_the_queen_only() {
        let (knight, bishop, rook, queen, king) = (8, 16, 32, 64, 128);
        let minor = rook | queen | king;
        assert_eq!(VICTIMS, [knight | bishop | minor, minor, minor, queen | king, king, 0]);
    }
}
