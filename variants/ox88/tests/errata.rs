//! Errors in the printed forms of 0x88 and its tables, compared with our tables.
//!
//! The printed source is *Building a Chess Move Generator: What You Need to Get Started*, which
//! follows the Mediocre Chess blog. Only the entries that a test needs are quoted.

use raywalk_core::square_board::{Differences, Geometry, Grid0x88};
use raywalk_core::{Color, Kind, Piece, Square};

const WHITE_PAWN: u8 = 3;
const BLACK_PAWN: u8 = 4;
/// The four entries of the printed attack table that contain a pawn: index and code.
const PRINTED_PAWNS: [(usize, u8); 4] =
    [(102, WHITE_PAWN), (104, WHITE_PAWN), (134, BLACK_PAWN), (136, BLACK_PAWN)];
/// The eight knight entries of the printed offset table: index and step.
const PRINTED_KNIGHT_STEPS: [(usize, i8); 8] =
    [(86, -33), (88, -31), (101, -18), (105, -14), (133, 14), (137, 18), (150, 31), (152, 33)];

fn cell(name: &str) -> usize {
    usize::from(Grid0x88::cell(name.parse().expect("a square")))
}

#[test]
fn the_table_announced_with_240_entries_has_239_of_which_225_are_reachable() {
    assert_eq!(Differences::entries::<Grid0x88>(), 239);
    let cells = || Square::all().map(Grid0x88::cell).map(usize::from);
    let mut reachable: Vec<_> =
        cells().flat_map(|from| cells().map(move |to| from + 119 - to)).collect();
    reachable.sort_unstable();
    reachable.dedup();
    assert_eq!(reachable.len(), 225);
    assert_eq!((reachable[0], reachable[224]), (0, 238));
}

#[test]
fn the_printed_index_exchanges_the_pawns_and_the_opposite_one_does_not() {
    let printed = |index: usize| {
        PRINTED_PAWNS.iter().find(|(entry, _)| *entry == index).map(|&(_, code)| code)
    };
    // A white pawn on e4 attacks d5 and f5.
    for target in ["d5", "f5"] {
        let (attacker, attacked) = (cell("e4"), cell(target));
        assert_eq!(printed(attacked + 119 - attacker), Some(BLACK_PAWN), "as printed");
        assert_eq!(printed(attacker + 119 - attacked), Some(WHITE_PAWN), "reversed");
        let ours = Differences::new(Grid0x88::WIDTH);
        let pawn = |color| Piece::new(color, Kind::Pawn);
        let reaches = |color| ours.reaches::<Grid0x88>(pawn(color), attacker as u8, attacked as u8);
        assert!(reaches(Color::White) && !reaches(Color::Black));
    }
}

#[test]
fn the_printed_knight_steps_lead_away_from_the_target() {
    let ours = Differences::new(Grid0x88::WIDTH);
    let e5 = cell("e5");
    for (index, printed) in PRINTED_KNIGHT_STEPS {
        let attacker = (e5 + index - 119) as u8;
        let step = ours.step::<Grid0x88>(attacker, e5 as u8);
        assert_eq!(attacker.wrapping_add(step), e5 as u8, "ours reaches the target");
        assert_eq!(step as i8, -printed);
    }
}

#[test]
#[allow(clippy::precedence, reason = "the precedence is the subject")]
fn the_printed_test_for_the_edge_is_read_differently_by_c_and_by_rust() {
    // In C, == binds more tightly than &, so the mask becomes (0x88 == 0), which is 0: no cell is
    // valid.
    let as_c_reads_it = |destination: u8| destination & u8::from(0x88u8 == 0) != 0;
    let as_rust_reads_it = |destination: u8| destination & 0x88 == 0;
    for destination in 0..=255u8 {
        assert!(!as_c_reads_it(destination));
        assert_eq!(as_rust_reads_it(destination), Grid0x88::on_board(destination));
    }
}

#[test]
fn the_mask_of_a_cell_off_the_board_has_one_of_three_values_and_is_never_1() {
    let mut values: Vec<_> =
        (0..=255u8).filter(|&cell| !Grid0x88::on_board(cell)).map(|cell| cell & 0x88).collect();
    values.sort_unstable();
    values.dedup();
    assert_eq!(values, [0x08, 0x80, 0x88]);
}

/// The loop in the forum post has two statements, the step and the test of the target, but lost the
/// braces around them. Without braces only the step is repeated: the walk runs over the edge and
/// then tests a single cell, which is not a square.
#[test]
fn the_loop_without_braces_looks_once_and_beyond_the_board() {
    let north = Grid0x88::step(0, 1);
    let from = Grid0x88::cell("d4".parse().expect("a square"));
    let next = |cell: u8| cell.wrapping_add(north);

    let (mut with_braces, mut cell) = (Vec::new(), next(from));
    while Grid0x88::on_board(cell) {
        with_braces.push(Grid0x88::square(cell).to_string());
        cell = next(cell);
    }
    assert_eq!(with_braces, ["d5", "d6", "d7", "d8"]);

    let mut cell = next(from);
    while Grid0x88::on_board(cell) {
        cell = next(cell);
    }
    assert!(!Grid0x88::on_board(cell), "the printed form tests one cell, which is not a square");
}
