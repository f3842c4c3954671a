//! Errors in the printed forms of 0x88 and its tables, compared with our tables.
//!
//! The printed source is *Building a Chess Move Generator: What You Need to Get Started*, which
//! follows the Mediocre Chess blog.

mod printed;

use raywalk_core::square_board::{Differences, Geometry, Grid0x88};
use raywalk_core::{Color, Kind, Piece, Square};

use printed::{ATTACKS, OFFSETS};

const WHITE_PAWN: u8 = 3;
const BLACK_PAWN: u8 = 4;

fn square(name: &str) -> Square {
    name.parse().expect("a square")
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

/// The index over which `attacker` attacks `attacked`. The page has the two the other way round.
fn index(attacker: Square, attacked: Square) -> usize {
    usize::from(Grid0x88::cell(attacker)) + 119 - usize::from(Grid0x88::cell(attacked))
}

/// Whether the printed legend of the attack table lists this piece for the code.
fn is_listed(code: u8, piece: Piece) -> bool {
    use Kind::{Bishop, King, Knight, Queen, Rook};
    let kinds: &[Kind] = match code {
        0 => &[],
        1 => &[King, Queen, Rook],
        2 => &[Queen, Rook],
        3 | 4 => &[King, Queen, Bishop],
        5 => &[Queen, Bishop],
        6 => &[Knight],
        _ => panic!("the legend has no code {code}"),
    };
    let pawn = if piece.color == Color::White { WHITE_PAWN } else { BLACK_PAWN };
    kinds.contains(&piece.kind) || piece.kind == Kind::Pawn && code == pawn
}

/// The step (files, ranks) along which a piece on an empty board attacks `to`, found by walking.
fn step_of(piece: Piece, from: Square, to: Square) -> Option<(i8, i8)> {
    let up = if piece.color == Color::White { 1 } else { -1 };
    let pawn = [(-1, up), (1, up)];
    let steps = if piece.kind == Kind::Pawn { &pawn } else { piece.kind.steps() };
    let length = if piece.kind.is_slider() { 7 } else { 1 };
    steps.iter().copied().find(|&(files, ranks)| {
        let next = |at: &Square| at.offset(files, ranks);
        std::iter::successors(next(&from), next).take(length).any(|at| at == to)
    })
}

fn pairs() -> impl Iterator<Item = (Square, Square)> {
    Square::all().flat_map(|from| Square::all().map(move |to| (from, to)))
}

/// The indexes of the printed attack table whose code lists a piece that does not attack, or lacks one
/// that does. Looks up every pair of squares and all twelve pieces.
fn wrong_attacks(index: impl Fn(Square, Square) -> usize) -> Vec<usize> {
    let mut wrong = Vec::new();
    for (attacker, attacked) in pairs() {
        let index = index(attacker, attacked);
        let pieces = Color::ALL.into_iter().flat_map(|c| Kind::ALL.map(|k| Piece::new(c, k)));
        for piece in pieces {
            let attacks = step_of(piece, attacker, attacked).is_some();
            if is_listed(ATTACKS[index], piece) != attacks {
                wrong.push(index);
            }
        }
    }
    wrong.sort_unstable();
    wrong.dedup();
    wrong
}

#[test]
fn all_239_printed_attacks_are_right_for_attacker_minus_attacked() {
    assert_eq!(wrong_attacks(index), []);
    // No pair of squares has the other fourteen differences.
    let mut unread = ATTACKS;
    pairs().for_each(|(from, to)| unread[index(from, to)] = 0);
    assert_eq!(unread, [0; 239]);
}

#[test]
fn the_printed_index_is_wrong_for_the_four_entries_with_pawns_alone() {
    let wrong = wrong_attacks(|attacker, attacked| index(attacked, attacker));
    assert_eq!(wrong, [102, 104, 134, 136]);
}

/// A step is relative to the attacker. The printed steps lead from the attacker to its target for
/// sliders, and away from it for knights.
#[test]
fn all_239_printed_steps_are_right_but_those_of_knights_have_the_opposite_sign() {
    let mut unread = OFFSETS;
    for (attacker, attacked) in pairs() {
        let index = index(attacker, attacked);
        let step = |kind| step_of(Piece::new(Color::White, kind), attacker, attacked);
        let cells = |(files, ranks)| Grid0x88::step(files, ranks) as i8;
        let expected = match (step(Kind::Queen), step(Kind::Knight)) {
            (Some(along), None) => cells(along),
            (None, Some(leap)) => -cells(leap),
            (None, None) => 0,
            (Some(_), Some(_)) => panic!("{attacker} {attacked}: queen and knight"),
        };
        assert_eq!(OFFSETS[index], expected, "{attacker} {attacked}");
        unread[index] = 0;
    }
    assert_eq!(unread, [0; 239]);
}

#[test]
fn the_printed_index_exchanges_the_pawns_and_the_opposite_one_does_not() {
    // A white pawn on e4 attacks d5 and f5.
    for target in ["d5", "f5"] {
        let (attacker, attacked) = (square("e4"), square(target));
        assert_eq!(ATTACKS[index(attacked, attacker)], BLACK_PAWN, "as printed");
        assert_eq!(ATTACKS[index(attacker, attacked)], WHITE_PAWN, "reversed");
        let ours = Differences::new(Grid0x88::WIDTH);
        let [from, to] = [attacker, attacked].map(Grid0x88::cell);
        let reaches = |color| ours.reaches::<Grid0x88>(Piece::new(color, Kind::Pawn), from, to);
        assert!(reaches(Color::White) && !reaches(Color::Black));
    }
}

/// The worked example asks whether a bishop on c3 attacks the king on e1, and computes with c1.
#[test]
fn the_worked_example_takes_c1_for_c3_and_denies_the_check() {
    let bishop = Piece::new(Color::Black, Kind::Bishop);
    let printed = index(square("e1"), square("c1"));
    assert_eq!((printed, ATTACKS[printed]), (121, 2));
    assert!(!is_listed(ATTACKS[printed], bishop), "by the printed square, no check");
    let meant = index(square("e1"), square("c3"));
    assert_eq!((meant, ATTACKS[meant]), (89, 5));
    assert!(is_listed(ATTACKS[meant], bishop));
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
    let from = Grid0x88::cell(square("d4"));
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
