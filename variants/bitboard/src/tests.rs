use proptest::prelude::*;
use raywalk_core::bitboards::attacks::walk;
use raywalk_core::{Generator, Kind, Square};

use super::*;

/// The tables of one design, or why this machine cannot have it.
fn sliders<A: Attacks>() -> Option<Box<Piecewise<A>>> {
    match Piecewise::<A>::build() {
        Ok(design) => Some(design),
        Err(missing) => {
            assert!(A::CARD.needs.contains(&missing), "{} lacks {missing}", A::CARD.id);
            None
        }
    }
}

/// Few, half or most squares occupied.
fn occupancy() -> impl Strategy<Value = u64> {
    (any::<[u64; 3]>(), 0..3).prop_map(|([a, b, c], density)| match density {
        0 => a & b & c,
        1 => a,
        _ => a | b,
    })
}

fn equals_the_walk<A: Attacks>() {
    let Some(design) = sliders::<A>() else { return };
    let sliders = design.sliders();
    proptest!(|(occupied in occupancy())| {
        for square in Square::all() {
            let fast = [
                (Kind::Bishop, sliders.bishop(square, occupied)),
                (Kind::Rook, sliders.rook(square, occupied)),
                (Kind::Queen, sliders.queen(square, occupied)),
            ];
            for (kind, fast) in fast {
                let slow = walk(kind, square, occupied);
                prop_assert_eq!(fast, slow, "{} {:?} {}", A::CARD.id, kind, square);
            }
        }
    });
    // Exhaustive where a table is: every relevant occupancy, with all other squares empty or full.
    for kind in occupancy::STORED {
        for square in Square::all() {
            for (inner, set) in occupancy::occupancies(kind, square) {
                for occupied in [inner, inner | !occupancy::relevant(kind, square)] {
                    let fast = match kind {
                        Kind::Rook => sliders.rook(square, occupied),
                        _ => sliders.bishop(square, occupied),
                    };
                    assert_eq!(fast, set, "{} {kind:?} {square} {occupied:#x}", A::CARD.id);
                }
            }
        }
    }
}

/// Counted bytes of the slider tables against the sum that the literature's layout gives.
fn occupies<A: Attacks>(bytes: usize) {
    let Some(design) = sliders::<A>() else { return };
    assert_eq!(design.sliders().table_bytes(), bytes, "{}", A::CARD.id);
    assert_eq!(design.table_bytes(), bytes + 1_024, "{}", A::CARD.id);
}

#[test]
fn other_designs_are_as_large_as_their_parts() {
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
                equals_the_walk::<$method>();
            }

            #[test]
            fn tables_are_as_large_as_their_layout_says() {
                occupies::<$method>($bytes);
            }
        }
    )+};
}

methods! {
    classical_rays: ClassicalAttacks, 8 * 64 * 8;
    subtraction: OMinus2RAttacks, 64 * 24 + 256;
    hyperbola_quintessence: HyperbolaAttacks, 2_048 + 512;
    kindergarten_bitboards: KindergartenAttacks, 4_096 + 4_096 + 1_536;
    plain_magic: PlainMagicAttacks, 2_097_152 + 262_144 + 2_048;
    fancy_magic: MagicAttacks, 861_184 + 4_096;
    black_magic: BlackMagicAttacks, 105_920 * 8 + 128 * 24;
    extraction: PextAttacks, 861_184 + 2_048;
    extraction_and_deposit: PextPdepAttacks, 215_296 + 3_072;
}

/// "Only 64 bits to represent the board" describes one set. A position needs twelve, or eight in the
/// usual factoring: no fewer bytes than the 64 cells of a mailbox.
#[test]
fn a_position_of_sets_is_not_smaller_than_a_mailbox() {
    let set = size_of::<u64>();
    let mailbox = 64 * size_of::<u8>();
    assert_eq!((12 * set, 8 * set, mailbox), (96, 64, 64));
    assert_eq!(size_of::<raywalk_core::Bitboards>(), 8 * set + size_of::<raywalk_core::State>());
}
