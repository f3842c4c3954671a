//! Finds the sixteen sets of pseudo-legal targets of a position.

use raywalk_core::set_wise::{Fill, TargetSets, View, step};
use raywalk_core::{Stage, StageId};

use crate::pawns::Pawns;

/// A way to find the targets of sliders, kings and knights in all directions: every [`Fill`] with
/// one copy of the code per direction, or [`Rolled`](crate::Rolled).
pub trait Directions: Send + Sync + 'static {
    /// Size of the tables in bytes.
    const TABLE_BYTES: usize = 0;

    /// Adds the targets of the own sliders, king and knights, restricted to `wanted`, to empty sets.
    fn add(view: &View, wanted: u64, sets: &mut TargetSets);
}

/// Adds all targets of stage `S` to empty sets. `castling` holds the target squares of the king's castling moves, as
/// the side to move sees them.
///
/// The code does not depend on which pieces are on the board and takes no branch. The exception is
/// a guarded fill: a class without pieces then skips its four fills, and knights their leaps.
#[inline(always)]
pub(crate) fn add<D: Directions, P: Pawns, S: Stage>(
    view: &View,
    castling: u64,
    sets: &mut TargetSets,
) {
    let wanted = match S::ID {
        StageId::All => !view.own,
        StageId::Captures => view.enemy,
        StageId::Quiets => !view.occupied(),
    };
    D::add(view, wanted, sets);

    if S::QUIETS {
        sets.add_castling(castling);
    }
    if P::IN_SETS {
        sets.add_pawns::<S>(view);
    }
}

/// Each direction has its own copy of the fill, with the distance and the mask as constants.
impl<F: Fill> Directions for F {
    #[inline(always)]
    fn add(view: &View, wanted: u64, sets: &mut TargetSets) {
        let (own, occupied) = (view.own, view.occupied());
        let king = own & view.kings;
        let [north, east, south, west] = straight::<F>(own & view.straight, occupied);
        let [north_east, north_west, south_west, south_east] =
            diagonal::<F>(own & view.diagonal, occupied);
        let rays = [
            (north | step::<0, 1>(king)) & wanted,
            (east | step::<1, 0>(king)) & wanted,
            (north_east | step::<1, 1>(king)) & wanted,
            (north_west | step::<-1, 1>(king)) & wanted,
            (south | step::<0, -1>(king)) & wanted,
            (west | step::<-1, 0>(king)) & wanted,
            (south_west | step::<-1, -1>(king)) & wanted,
            (south_east | step::<1, -1>(king)) & wanted,
        ];
        let knights = own & view.knights;
        let leaps =
            if F::GUARDED && knights == 0 { [0; 8] } else { TargetSets::leaps(knights, wanted) };
        *sets = TargetSets::new(rays, leaps);
    }
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
