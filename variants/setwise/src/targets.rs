//! Finds the sixteen sets of pseudo-legal targets of a position.

use raywalk_core::set_wise::{Fill, TargetSets, View, step};
use raywalk_core::{Stage, StageId};

/// The rank on which a double push ends. Views show the board from the side to move, so it is the
/// same for both colours.
const FOURTH_RANK: u64 = 0xff << 24;
/// The files on which castling puts the king.
const FILE_G: u64 = 0x4040_4040_4040_4040;
const FILE_C: u64 = 0x0404_0404_0404_0404;

/// All targets of stage `S`. `castling` holds the target squares of the king's castling moves, as
/// the side to move sees them.
///
/// The code does not depend on which pieces are on the board and takes no branch. The exception is
/// a guarded fill: a class without pieces then skips its four fills, and knights their leaps.
#[inline(always)]
pub(crate) fn targets<F: Fill, S: Stage>(view: &View, castling: u64) -> TargetSets {
    let (own, occupied) = (view.own, view.occupied());
    let wanted = match S::ID {
        StageId::All => !own,
        StageId::Captures => view.enemy,
        StageId::Quiets => !occupied,
    };
    let king = own & view.kings;
    let [north, east, south, west] = straight::<F>(own & view.straight, occupied);
    let [north_east, north_west, south_west, south_east] =
        diagonal::<F>(own & view.diagonal, occupied);

    // Kings take part in all eight directions. Castling is a king's move of two squares, so it
    // joins the sets of east and west.
    let mut rays = [
        (north | step::<0, 1>(king)) & wanted,
        (east | step::<1, 0>(king)) & wanted | castling & FILE_G,
        (north_east | step::<1, 1>(king)) & wanted,
        (north_west | step::<-1, 1>(king)) & wanted,
        (south | step::<0, -1>(king)) & wanted,
        (west | step::<-1, 0>(king)) & wanted | castling & FILE_C,
        (south_west | step::<-1, -1>(king)) & wanted,
        (south_east | step::<1, -1>(king)) & wanted,
    ];

    let pawns = own & view.pawns;
    if S::QUIETS {
        let single = step::<0, 1>(pawns) & !occupied;
        let double = step::<0, 1>(single) & !occupied & FOURTH_RANK;
        rays[0] |= single | double;
    }
    if S::CAPTURES {
        let takes = view.enemy | view.en_passant;
        rays[2] |= step::<1, 1>(pawns) & takes;
        rays[3] |= step::<-1, 1>(pawns) & takes;
    }

    let knights = own & view.knights;
    let leaps =
        if F::GUARDED && knights == 0 { [0; 8] } else { TargetSets::leaps(knights, wanted) };
    TargetSets { rays, leaps }
}

/// Targets to the north, east, south and west, in this order.
#[inline(always)]
fn straight<F: Fill>(sliders: u64, occupied: u64) -> [u64; 4] {
    if F::GUARDED && sliders == 0 {
        return [0; 4];
    }
    [
        F::attacks::<0, 1>(sliders, occupied),
        F::attacks::<1, 0>(sliders, occupied),
        F::attacks::<0, -1>(sliders, occupied),
        F::attacks::<-1, 0>(sliders, occupied),
    ]
}

/// Targets to the north-east, north-west, south-west and south-east, in this order.
#[inline(always)]
fn diagonal<F: Fill>(sliders: u64, occupied: u64) -> [u64; 4] {
    if F::GUARDED && sliders == 0 {
        return [0; 4];
    }
    [
        F::attacks::<1, 1>(sliders, occupied),
        F::attacks::<-1, 1>(sliders, occupied),
        F::attacks::<-1, -1>(sliders, occupied),
        F::attacks::<1, -1>(sliders, occupied),
    ]
}
