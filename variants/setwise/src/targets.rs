//! The sixteen sets of a position, pseudo-legal.

use raywalk_core::set_wise::{Fill, TargetSets, View, step};
use raywalk_core::{Stage, StageId};

/// The ranks, as own pawns count them, where a double push ends.
const FOURTH_RANK: u64 = 0xff << 24;
/// The files on which a castling king lands.
const FILE_G: u64 = 0x4040_4040_4040_4040;
const FILE_C: u64 = 0x0404_0404_0404_0404;

/// All targets that stage `S` wants. `castling` holds the squares where the king may land by
/// castling, as the side to move sees them.
///
/// Nothing here depends on which pieces there are, so there is no branch, unless the fill asks for
/// its guard: then the four fills of a class without sliders, and the leaps, are passed over.
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

    // Kings take part in all eight directions; castling is a king's move, two squares long.
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

/// North, east, south, west.
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

/// North-east, north-west, south-west, south-east.
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
