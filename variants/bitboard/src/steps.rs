//! Steps from square to square, as a mailbox makes them, on a board of sets.
//!
//! **Source.** Raywalk: a control for designs that find the attack set of a slider by operations on whole sets.
//! *Building a Chess Move Generator* says that these beat adding steps to squares; bitboards and mailboxes differ in
//! board, piece list and loops as well, and this design differs from [`Hyperbola`](crate::Hyperbola) in the attack sets
//! of sliders only.
//!
//! **Method.** A set of one square is shifted by the step of a direction until it leaves the board or meets a piece.
//! Squares that a step cannot land on, such as the a-file for a step to the east, mark the edge, as guard cells do in a
//! mailbox.
//!
//! **Layout.** No table: steps and edges are constants in the code.
//!
//! **Cost.** Four instructions and one branch per visited square, and as many mispredictions as a mailbox has: the
//! length of each ray is a question of its own.

use raywalk_core::{Card, Control, Feature, Kind, Legality, Square};

use crate::piecewise::{Attacks, Piecewise};

/// Steps in the shared frame, without a table for sliders.
pub type Steps = Piecewise<StepAttacks>;

/// Attack sets of sliders, collected square by square.
pub struct StepAttacks;

/// One direction of a slider.
struct Direction {
    /// By how many squares a step turns the board to the left.
    turn: u32,
    /// The squares that a step from another square of the board can land on.
    landings: u64,
}

/// The eight directions in the order of [`Kind::steps`]: the first four are those of the rook.
const DIRECTIONS: [Direction; 8] = {
    let mut directions = [const { Direction { turn: 0, landings: 0 } }; 8];
    let mut n = 0;
    while n < 8 {
        let (files, ranks) = Kind::Queen.steps()[n];
        let mut from = 0;
        while from < 64 {
            if let Some(to) = Square::from_low_bits(from).offset(files, ranks) {
                directions[n].turn = (to.number() as u32).wrapping_sub(from) % 64;
                directions[n].landings |= to.bit();
            }
            from += 1;
        }
        n += 1;
    }
    directions
};

/// The squares in one direction, up to and including the first piece. The direction is a constant of the code, as it is
/// in the designs that this one is compared with.
#[inline(always)]
fn ray<const DIRECTION: usize>(square: Square, occupied: u64) -> u64 {
    let Direction { turn, landings } = const { &DIRECTIONS[DIRECTION] };
    let mut at = square.bit();
    let mut seen = 0;
    loop {
        at = at.rotate_left(*turn) & landings;
        seen |= at;
        // Beyond the edge the set is empty, so one test ends the ray there and at a piece.
        if at & !occupied == 0 {
            return seen;
        }
    }
}

impl Attacks for StepAttacks {
    const CARD: Card = Card {
        id: "bitboard/steps",
        name: "Steps on bitboards",
        author: "Raywalk",
        year: Some(2026),
        source: "Raywalk: a control for bitboard/hyperbola, not published elsewhere",
        control: Control::Branchy,
        legality: Legality::Pseudo,
        published_bytes: None,
        needs: &[],
        reconstructed: "the attack set of a slider is collected square by square; everything else is \
                        bitboard/hyperbola",
    };
    type Occupied = u64;

    fn build() -> Result<StepAttacks, Feature> {
        Ok(StepAttacks)
    }

    #[inline(always)]
    fn bishop(&self, square: Square, occupied: u64) -> u64 {
        ray::<4>(square, occupied)
            | ray::<5>(square, occupied)
            | ray::<6>(square, occupied)
            | ray::<7>(square, occupied)
    }

    #[inline(always)]
    fn rook(&self, square: Square, occupied: u64) -> u64 {
        ray::<0>(square, occupied)
            | ray::<1>(square, occupied)
            | ray::<2>(square, occupied)
            | ray::<3>(square, occupied)
    }
}
