//! The loop that scans the rays of a piece.

use std::hint::assert_unchecked;
use std::marker::PhantomData;
use std::ops::Range;

use raywalk_core::square_board::{Board8x8, Code, ColourBits, Visitor};
use raywalk_core::{
    Color, Cursor, Kind, Move, MoveList, Origin, Square, Stage, Target, opaque, opaque_square,
};

use crate::database::{Database, Width, signed};

pub(crate) struct Walk<'a, S, W: Width> {
    database: &'a Database<W>,
    board: &'a Board8x8,
    side: Color,
    list: Cursor<'a>,
    stage: PhantomData<S>,
}

impl<'a, S: Stage, W: Width> Walk<'a, S, W> {
    #[inline(always)]
    pub(crate) fn new(
        database: &'a Database<W>,
        board: &'a Board8x8,
        list: &'a mut MoveList,
    ) -> Self {
        Walk { database, board, side: board.side(), list: list.cursor(), stage: PhantomData }
    }

    /// Calls `append` with origin and target of each move of a pawn.
    #[inline(always)]
    fn pawn_rays(&mut self, from: u8, append: impl Fn(&mut Cursor<'_>, Square, Square)) {
        let origin = Square::from_low_bits(u32::from(from));
        let mut rays = self.database.rays_of_pawn(self.side, from);
        // The push comes first, then the captures.
        if let Some(push) = rays.next()
            && S::QUIETS
        {
            for index in self.database.ray(push) {
                let to = self.database.square(index);
                if !ColourBits::is_empty(self.board.code(to.number())) {
                    break;
                }
                append(&mut self.list, origin, to);
            }
        }
        if S::CAPTURES {
            for ray in rays {
                for index in self.database.ray(ray) {
                    let to = self.database.square(index);
                    // A ray of one square, so there is nothing to stop at.
                    if ColourBits::is_enemy(self.board.code(to.number()), self.side) {
                        append(&mut self.list, origin, to);
                    }
                }
            }
        }
    }
}

impl<S: Stage, W: Width> Visitor for Walk<'_, S, W> {
    #[inline(always)]
    fn pawn(&mut self, from: u8) {
        if self.side.view(Square::from_low_bits(u32::from(from))).rank() == 6 {
            self.pawn_rays(from, |list, from, to| list.push_promotions(from, to));
        } else {
            self.pawn_rays(from, |list, from, to| list.push(Move::new(from, to)));
        }
    }

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: u8) {
        let from = Square::from_low_bits(u32::from(from));
        let origin = Origin::of(from);
        for ray in self.database.rays_of_piece(kind, from.number()) {
            let Range { start, end } = self.database.ray(ray);
            let (mut index, mut cell, step) = (start, from.index(), signed(start));
            // No ray is empty, so the end is tested behind the first square.
            loop {
                let to = if W::STEPS {
                    // Opaque, or the compiler would compute the square from the index.
                    cell = opaque(cell.wrapping_add_signed(step));
                    // SAFETY: this is a ray of a piece from this square, and the database has checked that its squares
                    // are a step apart. A mask would be part of the dependency chain.
                    unsafe { assert_unchecked(cell < 64) };
                    Square::from_low_bits(cell as u32)
                } else {
                    // Opaque, or the compiler would extend it for the board and again for the move.
                    opaque_square(self.database.square(index))
                };
                if !ColourBits::is_empty(self.board.code(to.number())) {
                    if S::CAPTURES {
                        // Read again, as the loop in C does: no iteration has to keep the code in a register.
                        let to = opaque_square(to);
                        if ColourBits::is_enemy(self.board.code(to.number()), self.side) {
                            self.list.push(Move::between(origin, Target::of(to)));
                        }
                    }
                    break;
                }
                if S::QUIETS {
                    self.list.push(Move::between(origin, Target::of(to)));
                }
                index += 1;
                // Not `==`, by which the compiler could not bound the index.
                if index >= end {
                    break;
                }
            }
        }
    }
}
