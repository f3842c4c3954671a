//! Attack sets by the same tables: the squares that the ray loop visits.

use std::ops::Range;

use raywalk_core::square_board::Code;
use raywalk_core::{AttackSets, Attacking, Color, Kind, Piece, Square};

use crate::boards::{BoardOf, Boards};
use crate::tables::RayEnd;
use crate::{Bell, Variant};

impl<E: RayEnd, B: Boards> Bell<E, B> {
    #[inline(always)]
    fn set(&self, board: &BoardOf<B>, piece: Piece, from: u8) -> u64 {
        let square = Square::from_low_bits(from.into());
        match piece.kind {
            Kind::Rook => self.rays_from(board, 0..4, square),
            Kind::Bishop => self.rays_from(board, 4..8, square),
            Kind::Queen => self.rays_from(board, 0..8, square),
            Kind::Knight => {
                let bit = |cell| Square::from_low_bits(u32::from(cell)).bit();
                let (steps, valid) = self.jumps.of(from);
                let jumps = steps.iter().enumerate().filter(|(jump, _)| valid >> jump & 1 != 0);
                jumps.fold(0, |set, (_, step)| set | bit(from.wrapping_add(*step)))
            }
            Kind::King => {
                let targets = (0..8).filter_map(|direction| self.rays.first(direction, square));
                targets.fold(0, |set, target| set | target.bit())
            }
            Kind::Pawn => {
                let up = if piece.color == Color::White { 1 } else { -1 };
                let targets = [-1, 1].into_iter().filter_map(|file| square.offset(file, up));
                targets.fold(0, |set, target| set | target.bit())
            }
        }
    }

    /// The squares of some rays, each up to and including its first piece.
    #[inline(always)]
    fn rays_from(&self, board: &BoardOf<B>, directions: Range<usize>, from: Square) -> u64 {
        let mut set = 0;
        for direction in directions {
            let Some(mut ray) = self.rays.ray(direction, from) else { continue };
            loop {
                // SAFETY: the loop ends after the last square.
                let to = unsafe { ray.enter() };
                set |= to.bit();
                if !B::Code::is_empty(board.code(to.number())) || ray.is_at_end() {
                    break;
                }
            }
        }
        set
    }
}

impl<E: RayEnd, B: Boards> Attacking for Bell<E, B>
where
    (E, B): Variant,
{
    #[inline(always)]
    fn attacks_of(&self, board: &BoardOf<B>, square: Square) -> u64 {
        board.attack_set(square, |piece, from| self.set(board, piece, from))
    }

    #[inline(always)]
    fn attacks_of_side(&self, board: &BoardOf<B>, sets: &mut AttackSets) {
        board.attack_sets(sets, |piece, from| self.set(board, piece, from));
    }
}
