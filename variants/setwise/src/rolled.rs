//! Fills with the direction as a value: one loop for the eight rays and one for the eight leaps.
//!
//! The fill is Kogge–Stone's. A rotation replaces the shift, because a rotation by a negative
//! distance goes the other way, so one instruction serves all directions. It also brings what leaves
//! the board back on the opposite side, so each direction needs a mask of the squares that its step
//! can enter, for ranks as well as files. Distances and masks come from a table of 256 bytes.
//!
//! # Source
//! Chess Programming Wiki, *Kogge-Stone Algorithm*, generalized rays. The page expects it to be a bit
//! slower than a copy per direction, for the lookups and for shifts whose distance is in a register.
//! *Pieces versus Directions* expects the loop over directions to be unrolled.

use std::hint::black_box;

use raywalk_core::set_wise::{DIRECTIONS, TargetSets, View};

use crate::targets::Directions;

/// A step in one direction.
struct Step {
    /// The distance, as a rotation to the left.
    rotation: u32,
    /// The squares that the step can enter.
    entered: u64,
}

/// The steps of the sixteen directions.
static STEPS: [Step; 16] = {
    let mut steps = [const { Step { rotation: 0, entered: 0 } }; 16];
    let mut n = 0;
    while n < 16 {
        let (files, ranks) = DIRECTIONS[n];
        let row = if files > 0 { 0xff << files & 0xff } else { 0xff >> -files };
        let rows: u64 = if ranks > 0 { !0 << (8 * ranks) } else { !0 >> (-8 * ranks) };
        steps[n] = Step {
            rotation: (files + 8 * ranks) as u32 & 63,
            entered: (row * 0x0101_0101_0101_0101) & rows,
        };
        n += 1;
    }
    steps
};

impl Step {
    /// Moves all pieces of a set by one step, and drops those that leave the board.
    #[inline(always)]
    const fn of(&self, set: u64) -> u64 {
        set.rotate_left(self.rotation) & self.entered
    }

    /// The squares that sliders attack in this direction, up to and including the first piece.
    #[inline(always)]
    const fn attacks(&self, sliders: u64, occupied: u64) -> u64 {
        let mut empty = !occupied & self.entered;
        let mut flood = sliders;
        flood |= empty & flood.rotate_left(self.rotation);
        empty &= empty.rotate_left(self.rotation);
        flood |= empty & flood.rotate_left(2 * self.rotation);
        empty &= empty.rotate_left(2 * self.rotation);
        flood |= empty & flood.rotate_left(4 * self.rotation);
        self.of(flood)
    }
}

/// Kogge–Stone fills in a loop over the directions.
pub struct Rolled;

impl Directions for Rolled {
    const TABLE_BYTES: usize = size_of_val(&STEPS);

    #[inline(always)]
    fn add(view: &View, wanted: u64, sets: &mut TargetSets) {
        let (own, occupied) = (view.own, view.occupied());
        let king = own & view.kings;
        // Bit 1 of a direction marks a diagonal.
        let sliders = [own & view.straight, own & view.diagonal];
        let knights = own & view.knights;
        for (n, step) in steps(&STEPS[..8]) {
            let attacks = step.attacks(sliders[n >> 1 & 1], occupied);
            sets.add(n, (attacks | step.of(king)) & wanted);
        }
        for (n, step) in steps(&STEPS[8..]) {
            sets.add(8 + n, step.of(knights) & wanted);
        }
    }
}

/// The steps with their places, hidden from the compiler: their number, because it would unroll the
/// loop over them, and each of them, because it would take four directions at a time in vectors.
#[inline(always)]
fn steps(steps: &[Step]) -> impl Iterator<Item = (usize, &Step)> {
    black_box(steps).iter().map(black_box).enumerate()
}

#[cfg(test)]
mod tests {
    use raywalk_core::Square;

    use super::*;

    #[test]
    fn a_step_enters_exactly_the_squares_that_its_offset_reaches() {
        for (step, (files, ranks)) in STEPS.iter().zip(DIRECTIONS) {
            for from in Square::all() {
                let to = from.offset(files, ranks).map_or(0, Square::bit);
                assert_eq!(step.of(from.bit()), to, "{from} by {files} files, {ranks} ranks");
            }
            let entered = Square::all().filter_map(|from| from.offset(files, ranks));
            assert_eq!(step.entered, entered.fold(0, |set, to| set | to.bit()));
        }
    }

    #[test]
    fn bit_1_of_a_ray_direction_marks_a_diagonal() {
        for (n, (files, ranks)) in DIRECTIONS.into_iter().take(8).enumerate() {
            assert_eq!(n >> 1 & 1 == 1, files != 0 && ranks != 0, "{files} files, {ranks} ranks");
        }
    }

    #[test]
    fn the_table_has_256_bytes() {
        assert_eq!(Rolled::TABLE_BYTES, 256);
    }
}
