use proptest::prelude::*;
use raywalk_core::bitboards::attacks::walk;
use raywalk_core::{Generator, Kind, Square};

use super::*;
use crate::classical::ClassicalAttacks;
use crate::classical_branchy::Branch;
use crate::hyperbola::HyperbolaAttacks;
use crate::hyperbola_dual::HyperbolaDualAttacks;
use crate::hyperbola_reversal::HyperbolaReversalAttacks;
use crate::kindergarten::KindergartenAttacks;
use crate::kindergarten_512::Kindergarten512Attacks;
use crate::magic::MagicAttacks;
use crate::magic_black::BlackMagicAttacks;
use crate::magic_fixed::FixedMagicAttacks;
use crate::magic_plain::PlainMagicAttacks;
use crate::o_minus_2r::OMinus2RAttacks;
use crate::obstruction::ObstructionAttacks;
use crate::pext::PextAttacks;
use crate::pext_pdep::PextPdepAttacks;
use crate::piecewise::{Attacks, Occupied};
use crate::rotated::RotatedAttacks;
use crate::rotated_board::Orders;
use crate::steps::StepAttacks;
use crate::tables::{STORED, occupancies, relevant};

/// Builds a design, or returns `None` if this CPU lacks a feature that its card names.
fn design<A: Attacks>() -> Option<Box<Piecewise<A>>> {
    match Piecewise::<A>::build() {
        Ok(design) => Some(design),
        Err(missing) => {
            assert!(A::CARD.needs.contains(&missing), "{} lacks {missing}", A::CARD.id);
            None
        }
    }
}

/// Occupied sets of about 8, 32 or 48 squares.
fn occupied_sets() -> impl Strategy<Value = u64> {
    (any::<[u64; 3]>(), 0..3).prop_map(|([a, b, c], density)| match density {
        0 => a & b & c,
        1 => a,
        _ => a | b,
    })
}

/// Occupied squares in the form that a method reads, from a set.
trait FromSet: Occupied {
    fn from_set(occupied: u64) -> Self;
}

impl FromSet for u64 {
    fn from_set(occupied: u64) -> u64 {
        occupied
    }
}

impl FromSet for Orders {
    fn from_set(occupied: u64) -> Orders {
        Orders::from_set(occupied)
    }
}

fn attacks_equal_a_walk<A: Attacks<Occupied: FromSet>>() {
    let Some(design) = design::<A>() else { return };
    let sliders = &design.sliders;
    proptest!(|(occupied in occupied_sets())| {
        let read = A::Occupied::from_set(occupied);
        for square in Square::all() {
            let fast = [
                (Kind::Bishop, sliders.bishop(square, read)),
                (Kind::Rook, sliders.rook(square, read)),
                (Kind::Queen, sliders.queen(square, read)),
            ];
            for (kind, fast) in fast {
                let slow = walk(kind, square, occupied);
                prop_assert_eq!(fast, slow, "{} {:?} {}", A::CARD.id, kind, square);
            }
        }
    });
    // Exhaustive for tables: every relevant occupancy, with all other squares empty or occupied.
    for kind in STORED {
        for square in Square::all() {
            for (inner, set) in occupancies(kind, square) {
                for occupied in [inner, inner | !relevant(kind, square)] {
                    let read = A::Occupied::from_set(occupied);
                    let fast = match kind {
                        Kind::Rook => sliders.rook(square, read),
                        _ => sliders.bishop(square, read),
                    };
                    assert_eq!(fast, set, "{} {kind:?} {square} {occupied:#x}", A::CARD.id);
                }
            }
        }
    }
}

/// Compares the size of the slider tables with the sum over the published layout.
fn table_sizes_are<A: Attacks>(bytes: usize) {
    let Some(design) = design::<A>() else { return };
    assert_eq!(design.sliders.table_bytes(), bytes, "{}", A::CARD.id);
    assert_eq!(design.table_bytes(), bytes + 1_024, "{}", A::CARD.id);
}

#[test]
fn table_sizes_of_other_designs_are_the_sums_of_their_parts() {
    let one_by_one = HyperbolaPawnsOneByOne::build().expect("no feature needed");
    assert_eq!(one_by_one.table_bytes(), 2_560 + 1_024 + 1_024);
    let legal = LegalHyperbola::build().expect("no feature needed");
    assert_eq!(legal.table_bytes(), 2_560 + 1_024);
}

macro_rules! methods {
    ($($name:ident: $method:ty, $bytes:expr;)+) => {$(
        mod $name {
            use super::*;

            #[test]
            fn attacks_equal_a_walk_for_every_occupancy() {
                super::attacks_equal_a_walk::<$method>();
            }

            #[test]
            fn table_sizes_follow_from_the_layout() {
                table_sizes_are::<$method>($bytes);
            }
        }
    )+};
}

methods! {
    rotated_bitboards: RotatedAttacks<256>, 4 * 64 * 256 * 8 + 128;
    rotated_bitboards_with_inner_squares: RotatedAttacks<64>, 4 * 64 * 64 * 8 + 128;
    classical_rays: ClassicalAttacks, 8 * 64 * 8;
    classical_rays_with_branches: ClassicalAttacks<Branch>, 8 * 64 * 8;
    steps: StepAttacks, 0;
    subtraction: OMinus2RAttacks, 64 * 24 + 256;
    hyperbola_quintessence: HyperbolaAttacks, 2_048 + 512;
    hyperbola_quintessence_by_bit_reversal: HyperbolaReversalAttacks, 2_048;
    dual_hyperbola_quintessence: HyperbolaDualAttacks, 64 * 64 + 512;
    obstruction_difference: ObstructionAttacks, 64 * 4 * 24;
    kindergarten_bitboards: KindergartenAttacks, 4_096 + 4_096 + 1_536;
    kindergarten_bitboards_with_a_shared_table: Kindergarten512Attacks, 512 + 1_536;
    plain_magic: PlainMagicAttacks, 2_097_152 + 262_144 + 2_048;
    fancy_magic: MagicAttacks, 861_184 + 4_096;
    fixed_shift_fancy_magic: FixedMagicAttacks, 108_235 * 8 + 128 * 24;
    black_magic: BlackMagicAttacks, 105_920 * 8 + 128 * 24;
    extraction: PextAttacks, 861_184 + 2_048;
    extraction_and_deposit: PextPdepAttacks, 215_296 + 3_072;
}

/// "Only 64 bits to represent the board" describes one set. A position needs twelve sets, or eight
/// if colours and kinds are stored separately, so it takes no fewer bytes than the 64 cells of a
/// mailbox.
#[test]
fn a_position_as_bitboards_is_not_smaller_than_a_mailbox() {
    let set = size_of::<u64>();
    let mailbox = 64 * size_of::<u8>();
    assert_eq!((12 * set, 8 * set, mailbox), (96, 64, 64));
    assert_eq!(size_of::<raywalk_core::Bitboards>(), 8 * set + size_of::<raywalk_core::State>());
}
