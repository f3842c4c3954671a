//! Attack sets by the same tables: the squares that the ray loop visits.

use raywalk_core::square_board::Code;
use raywalk_core::{AttackSets, Attacking, Color, Kind, Piece, Square};

use crate::boards::{BoardOf, Boards};
use crate::tables::RayEnd;
use crate::{Bell, Variant};

impl<E: RayEnd, B: Boards> Bell<E, B> {
    #[inline(always)]
    fn set(&self, board: &BoardOf<B>, piece: Piece, from: u8) -> u64 {
        match piece.kind {
            Kind::Rook => self.rays_from(board, 0..4, from),
            Kind::Bishop => self.rays_from(board, 4..8, from),
            Kind::Queen => self.rays_from(board, 0..8, from),
            Kind::Knight => {
                let (steps, valid) = self.jumps.of(from);
                let jumps = steps.iter().enumerate().filter(|(jump, _)| valid >> jump & 1 != 0);
                jumps.fold(0, |set, (_, step)| set | bit(from.wrapping_add(*step)))
            }
            Kind::King => (0..8).fold(0, |set, direction| {
                let (step, end) = self.rays.ray(direction, from);
                if E::is_empty(end, from) { set } else { set | bit(from.wrapping_add(step)) }
            }),
            Kind::Pawn => {
                let up = if piece.color == Color::White { 1 } else { -1 };
                let from = Square::from_low_bits(from.into());
                let targets = [-1, 1].into_iter().filter_map(|file| from.offset(file, up));
                targets.fold(0, |set, target| set | target.bit())
            }
        }
    }

    /// The squares of some rays, each up to and including its first piece.
    #[inline(always)]
    fn rays_from(&self, board: &BoardOf<B>, directions: std::ops::Range<usize>, from: u8) -> u64 {
        let mut set = 0;
        for direction in directions {
            let (step, mut end) = self.rays.ray(direction, from);
            if E::is_empty(end, from) {
                continue;
            }
            let mut to = from;
            loop {
                to = to.wrapping_add(step);
                set |= bit(to);
                if !B::Code::is_empty(board.code(to)) || E::ends(&mut end, to) {
                    break;
                }
            }
        }
        set
    }
}

#[inline(always)]
fn bit(cell: u8) -> u64 {
    1 << (cell & 63)
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
