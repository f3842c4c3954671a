//! What the king allows: checks, pins, and the squares that it may enter.

use raywalk_core::{Color, Kind};

use super::board::{LinkedPieces, Links, link};
use super::code;
use super::tables::{DIFFERENCES, NONE, STEPS, slides};

/// A side to move as a type, so that the steps of its pawns and the bits of its pieces are constants.
pub(crate) trait Side {
    const OWN: Color;
    const ENEMY: Color;
    /// One square ahead of a pawn.
    const AHEAD: i8;
    /// The first cells of the ranks from which pawns may go two squares, and on which the next step promotes.
    const START: u8;
    const LAST_BUT_ONE: u8;
    /// The bit of an enemy's piece.
    const TAKES: u8 = code::PIECE_OF[Self::ENEMY as usize];
    /// The bit of an own piece.
    const MINE: u8 = code::PIECE_OF[Self::OWN as usize];
    /// The bit of a cell that an own piece cannot enter.
    const BLOCKS: u8 = code::BLOCKS[Self::OWN as usize];
    /// The number of that bit, from 0.
    const BLOCKS_BIT: u32 = code::BLOCKS_BIT[Self::OWN as usize];

    /// Whether a cell of the board is on the rank that begins behind `guard`.
    #[inline(always)]
    fn on_rank(cell: u8, guard: u8) -> bool {
        cell.wrapping_sub(guard) < 10
    }
}

pub(crate) struct White;
impl Side for White {
    const OWN: Color = Color::White;
    const ENEMY: Color = Color::Black;
    const AHEAD: i8 = 10;
    const START: u8 = 30;
    const LAST_BUT_ONE: u8 = 80;
}

pub(crate) struct Black;
impl Side for Black {
    const OWN: Color = Color::Black;
    const ENEMY: Color = Color::White;
    const AHEAD: i8 = -10;
    const START: u8 = 80;
    const LAST_BUT_ONE: u8 = 30;
}

/// The checks and pins of a position.
pub(crate) struct Safety {
    /// The cell of the own king, and its links.
    pub(crate) king: u8,
    pub(crate) around: Links,
    /// Bit *n* is set if an enemy slider gives check from direction *n* of the king.
    pub(crate) checks: u32,
    /// Bit *n* is set if the first piece in direction *n* of the king is pinned by the second one.
    pub(crate) pins: u32,
    /// The cell of a knight or pawn that gives check, or 0. There is one at most.
    pub(crate) leaper: u8,
}

impl Safety {
    /// Looks along the links of the king and along those of the pieces that they lead to.
    #[inline(always)]
    pub(crate) fn of<D: Side>(board: &LinkedPieces) -> Safety {
        let king = board.king_cell(D::OWN);
        let around = board.links(king);
        let (mut checks, mut pins) = (0, 0);
        for direction in 0..8 {
            let slider = D::TAKES | slides(direction);
            let first = link(around, direction);
            let second = link(board.links(first), direction);
            let code = board.code(first);
            let checked = code & slider == slider;
            let pinned = (code & D::MINE != 0) & (board.code(second) & slider == slider);
            checks |= u32::from(checked) << direction;
            pins |= u32::from(pinned) << direction;
        }
        let mut leaper = 0;
        for &knight in board.cells(D::ENEMY, Kind::Knight) {
            if DIFFERENCES.leap[usize::from(knight.wrapping_sub(king))] {
                leaper = knight;
            }
        }
        for pawn in [D::AHEAD - 1, D::AHEAD + 1].map(|step| king.wrapping_add_signed(step)) {
            if board.code(pawn) == code::of(D::ENEMY, Kind::Pawn) {
                leaper = pawn;
            }
        }
        Safety { king, around, checks, pins, leaper }
    }

    /// Whether the king is in check.
    #[inline(always)]
    pub(crate) fn in_check(&self) -> bool {
        (self.checks != 0) | (self.leaper != 0)
    }

    /// The squares beside the king that it may enter, unless they are attacked: bit *n* for direction *n*.
    #[inline(always)]
    pub(crate) fn exits<D: Side>(&self, board: &LinkedPieces) -> u32 {
        let mut exits = 0;
        for (direction, step) in STEPS.into_iter().enumerate() {
            let code = board.code(self.king.wrapping_add_signed(step));
            exits |= u32::from(code & D::BLOCKS == 0) << direction;
        }
        exits
    }

    /// Whether an enemy attacks a square once the king has left its own.
    #[inline(always)]
    pub(crate) fn attacked<D: Side>(&self, board: &LinkedPieces, target: u8) -> bool {
        let pawn = code::of(D::ENEMY, Kind::Pawn);
        let ahead = target.wrapping_add_signed(D::AHEAD);
        if (board.code(ahead.wrapping_sub(1)) == pawn) | (board.code(ahead.wrapping_add(1)) == pawn)
        {
            return true;
        }
        let king = target.wrapping_sub(board.king_cell(D::ENEMY));
        if DIFFERENCES.step[usize::from(king)] {
            return true;
        }
        for &knight in board.cells(D::ENEMY, Kind::Knight) {
            if DIFFERENCES.leap[usize::from(target.wrapping_sub(knight))] {
                return true;
            }
        }
        let slides = |kind, directions: &[u8; 256]| {
            board.cells(D::ENEMY, kind).iter().any(|&slider| {
                let direction = directions[usize::from(target.wrapping_sub(slider))];
                direction != NONE && board.reaches(slider, target, direction, self.king)
            })
        };
        slides(Kind::Bishop, &DIFFERENCES.diagonal)
            || slides(Kind::Rook, &DIFFERENCES.straight)
            || slides(Kind::Queen, &DIFFERENCES.any)
    }
}
