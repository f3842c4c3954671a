//! The second phase: finds the sixteen sets of legal targets.

use raywalk_core::set_wise::{FOURTH_RANK, Fill, TargetSets, View, step};
use raywalk_core::{Stage, StageId};

use crate::threats::Threats;

/// The castling rights of the side to move, 0 or 1 each, so that they can be shifted into place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rights {
    pub king_side: u64,
    pub queen_side: u64,
}

/// All legal targets of stage `S`. `en_passant` holds the target square if the capture is *legal*,
/// else nothing.
#[inline(always)]
pub(crate) fn targets<F: Fill, S: Stage>(
    view: &View,
    threats: &Threats,
    en_passant: u64,
    rights: Rights,
) -> TargetSets {
    let (own, enemy, occupied) = (view.own, view.enemy, view.occupied());
    let wanted = match S::ID {
        StageId::All => !own,
        StageId::Captures => enemy,
        StageId::Quiets => !occupied,
    };
    let target = wanted & threats.evasion;
    let safe = wanted & !threats.danger;
    let king = own & view.kings;

    // A piece between on one line may move along that line only. For each line, exclude the pieces
    // that are pinned on another one.
    let between = &threats.between;
    let pinned = between.all();
    let off_horizontal = !(pinned ^ between.horizontal);
    let off_vertical = !(pinned ^ between.vertical);
    let off_diagonal = !(pinned ^ between.diagonal);
    let off_antidiagonal = !(pinned ^ between.antidiagonal);

    let straight = own & view.straight;
    let (ranks, files) = (straight & off_horizontal, straight & off_vertical);
    let diagonal = own & view.diagonal;
    let (rising, falling) = (diagonal & off_diagonal, diagonal & off_antidiagonal);
    let mut rays = [
        F::attacks::<0, 1>(files, occupied) & target | step::<0, 1>(king) & safe,
        F::attacks::<1, 0>(ranks, occupied) & target | step::<1, 0>(king) & safe,
        F::attacks::<1, 1>(rising, occupied) & target | step::<1, 1>(king) & safe,
        F::attacks::<-1, 1>(falling, occupied) & target | step::<-1, 1>(king) & safe,
        F::attacks::<0, -1>(files, occupied) & target | step::<0, -1>(king) & safe,
        F::attacks::<-1, 0>(ranks, occupied) & target | step::<-1, 0>(king) & safe,
        F::attacks::<-1, -1>(rising, occupied) & target | step::<-1, -1>(king) & safe,
        F::attacks::<1, -1>(falling, occupied) & target | step::<1, -1>(king) & safe,
    ];

    let pawns = own & view.pawns;
    if S::QUIETS {
        // Only the last square of a push must resolve a check, so `single` is not cut before
        // `double`.
        let single = step::<0, 1>(pawns & off_vertical) & !occupied;
        let double = step::<0, 1>(single) & !occupied & FOURTH_RANK;
        rays[0] |= (single | double) & target;
        let [king_side, queen_side] = castling(occupied, threats.danger, rights);
        rays[1] |= king_side;
        rays[5] |= queen_side;
    }
    if S::CAPTURES {
        let takes = enemy & target | en_passant;
        rays[2] |= step::<1, 1>(pawns & off_diagonal) & takes;
        rays[3] |= step::<-1, 1>(pawns & off_antidiagonal) & takes;
    }
    TargetSets::new(rays, TargetSets::leaps(own & view.knights & !pinned, target))
}

/// The target squares of castling on the king side and the queen side, each empty if castling is
/// not allowed. Ours, as the source leaves castling to the reader. The bits join the sets of east
/// and west, where no other move of the king goes two squares.
#[inline(always)]
fn castling(occupied: u64, danger: u64, rights: Rights) -> [u64; 2] {
    // Squares between king and rook must be empty (f1 g1; b1 c1 d1). Squares that the king stands
    // on, crosses or reaches must be safe (e1 f1 g1; c1 d1 e1).
    let king_side = occupied & 0x60 | danger & 0x70;
    let queen_side = occupied & 0x0e | danger & 0x1c;
    [
        (rights.king_side & (king_side == 0) as u64) << 6,
        (rights.queen_side & (queen_side == 0) as u64) << 2,
    ]
}
