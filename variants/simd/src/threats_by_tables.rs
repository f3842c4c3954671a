//! Attacked squares, checks and pins by looking sliders up, piece by piece.
//!
//! **Method.** The attack sets of the enemy's pieces are joined. What the king sees as a slider gives checks. What it
//! would see behind the own pieces that it sees, and did not see before, are the sliders that pin. The loops end at
//! the number of pieces, which the branches of a tree walk learn: neighbours in a tree have the same pieces. On
//! positions without such an order, `threats_256.rs` is faster.

use raywalk_core::Square;
use raywalk_core::bitboards::attacks;

use crate::compress::Attacks;
use crate::compress_pext::PextAttacks;
use crate::sets::squares;
use crate::sides::{Sides, lowest};
use crate::threats::{Pins, Rays, Threats};

impl Threats {
    /// The threats against the side to move.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn find_by_tables(rays: &Rays, sliders: &PextAttacks, sides: &Sides) -> Threats {
        let Sides { own, enemy, .. } = *sides;
        let king = sides.king();
        let (straight, diagonal) = (sides.straight & enemy, sides.diagonal & enemy);
        let occupied = own | enemy;
        let without_king = occupied ^ king.bit();
        let mut attacked = sides.attacked_nearby();
        for from in squares(sides.knights & enemy) {
            attacked |= attacks::knight(from);
        }
        for from in squares(diagonal) {
            attacked |= sliders.bishop(from.index(), without_king);
        }
        for from in squares(straight) {
            attacked |= sliders.rook(from.index(), without_king);
        }

        let bishop = |occupied| sliders.bishop(king.index(), occupied);
        let rook = |occupied| sliders.rook(king.index(), occupied);
        let (on_diagonals, on_lines) = (bishop(occupied), rook(occupied));
        let seen = on_diagonals | on_lines;
        let leapers = sides.checking_leapers();
        let checkers = leapers | on_diagonals & diagonal | on_lines & straight;
        let evasion = if checkers == 0 {
            !0
        } else if checkers & (checkers - 1) != 0 {
            0
        } else {
            // A leaper is on no ray of the king, or next to it.
            checkers | rays.through_by_halves(king, lowest(checkers)) & seen
        };

        let behind = bishop(occupied ^ on_diagonals & own) & diagonal & !on_diagonals
            | rook(occupied ^ on_lines & own) & straight & !on_lines;
        let mut all = 0;
        for pinning in squares(behind) {
            all |= rays.through_by_halves(king, pinning) & seen & own;
        }
        Threats { attacked, evasion, pins: Pins::from(rays, king, all) }
    }
}

impl Pins {
    /// The pins of pieces that stand on the lines of the king.
    #[inline(always)]
    fn from(rays: &Rays, king: Square, all: u64) -> Pins {
        let [north, south, _, _, north_east, south_west, north_west, south_east] = *rays.from(king);
        Pins {
            all,
            file: all & (north | south),
            diagonal: all & (north_east | south_west),
            antidiagonal: all & (north_west | south_east),
        }
    }
}
