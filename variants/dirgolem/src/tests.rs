use raywalk_core::bitboards::sets::ones_if_empty;
use raywalk_core::set_wise::index;
use raywalk_core::{All, Captures, Entries, Position, Square};

use super::*;
use crate::targets::targets;

fn board(fen: &str) -> Bitboards {
    Bitboards::new(&fen.parse().expect("a possible position"))
}

fn square(name: &str) -> Square {
    name.parse().expect("a square")
}

fn set(names: &str) -> u64 {
    names.split_whitespace().map(|name| square(name).bit()).sum()
}

fn moves<G: Entries<Board = Bitboards>>(fen: &str) -> Vec<String> {
    let mut list = MoveList::new();
    G::build().expect("no feature needed").all(&board(fen), &mut list);
    let mut moves: Vec<_> = list.moves().map(|mv| mv.to_string()).collect();
    moves.sort_unstable();
    moves
}

const NO_RIGHTS: Rights = Rights { king_side: 0, queen_side: 0 };

#[test]
fn the_table_of_rays_is_the_only_table() {
    assert_eq!(size_of::<DirGolemKoggeStone>(), 4_096);
    assert_eq!(size_of::<TargetSets>(), 128);
}

#[test]
fn the_in_between_set_holds_the_squares_of_a_check_or_the_pinned_piece() {
    let threats = |fen| Threats::new::<KoggeStone>(&View::new(&board(fen)));
    // Nothing between: check, and the set holds all empty squares.
    let check = threats("4k3/8/8/8/8/8/8/r3K3 w - - 0 1");
    assert_eq!(check.between.horizontal, set("b1 c1 d1"));
    assert_eq!(check.evasion, set("a1 b1 c1 d1"));
    assert_eq!(check.danger & set("f1 g1 h1"), set("f1 g1 h1"), "through the king");
    // One piece between: the set holds this piece.
    let pin = threats("4k3/8/8/8/8/8/8/r1N1K3 w - - 0 1");
    assert_eq!(pin.between.all(), set("c1"));
    assert_eq!(pin.evasion, !0);
    // Two pieces between: the set is empty.
    assert_eq!(threats("4k3/8/8/8/8/8/8/rNN1K3 w - - 0 1").between.all(), 0);
    // Double check: no square resolves it.
    assert_eq!(threats("4k3/8/8/8/8/3n4/8/r3K3 w - - 0 1").evasion, 0);
}

/// Erratum: the sign of `x - 1` distinguishes the empty set from one square, but for h8 the
/// subtraction overflows a signed word. The wrapped result happens to be correct; our test does not
/// depend on it.
#[test]
fn the_published_test_for_emptiness_overflows_with_a_king_on_h8() {
    // The source shifts the sign of `set - 1` through the word. That is wrong for sets of several squares that
    // include h8, and for h8 alone it needs a subtraction that wraps.
    let published = |set: u64| ((set as i64).wrapping_sub(1) >> 63) as u64;
    for square in Square::all() {
        assert_eq!(published(square.bit()), ones_if_empty(square.bit()), "{square}");
    }
    assert_eq!(published(0), ones_if_empty(0));
    assert_eq!((square("h8").bit() as i64).checked_sub(1), None);
    // The published form takes a set of several squares that include h8 for empty.
    assert_eq!((published(set("a8 h8")), ones_if_empty(set("a8 h8"))), (!0, 0));
    let fen = "7K/8/8/8/8/8/k7/7r w - - 0 1";
    assert_eq!(moves::<DirGolemKoggeStone>(fen), ["h8g7", "h8g8"]);
}

/// Erratum: the source adds the en passant square to the targets unconditionally.
#[test]
fn an_unchecked_en_passant_square_exposes_the_king() {
    // Both pawns leave the fourth rank, on which king and queen face each other.
    let board = board("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1");
    let view = View::new(&board);
    let threats = Threats::new::<KoggeStone>(&view);
    assert_eq!(threats.legal_en_passant::<KoggeStone>(&view), 0);
    let captures = |en_passant| {
        let sets = targets::<KoggeStone, Captures>(&view, &threats, en_passant, NO_RIGHTS);
        sets.ray::<-1, 1>() | sets.ray::<1, 1>()
    };
    assert_eq!(captures(view.en_passant), set("d6"), "d3, as Black sees it");
    assert_eq!(captures(0), 0);
}

/// Erratum: `1 << target` cannot express "none". The sentinel −1, taken modulo 64, is h8.
#[test]
fn a_sentinel_for_no_en_passant_can_be_a_pawn_target() {
    let board = board("4k3/6P1/8/8/8/8/8/4K3 w - - 0 1");
    let view = View::new(&board);
    let threats = Threats::new::<KoggeStone>(&view);
    let captures = |en_passant| {
        targets::<KoggeStone, Captures>(&view, &threats, en_passant, NO_RIGHTS).ray::<1, 1>()
    };
    assert_eq!(captures(1u64.wrapping_shl(-1i32 as u32)), set("h8"));
    assert_eq!(view.en_passant, 0);
    assert_eq!(captures(view.en_passant), 0);
    assert_eq!(1u64.checked_shl(64), None, "a shift by 64 overflows");
}

#[test]
fn en_passant_legality_covers_every_case() {
    let cases = [
        // Rank: two pawns can capture, and the one that stays covers the king.
        ("8/8/8/K1PpP2r/8/8/8/4k3 w - d6 0 1", "d6"),
        ("8/8/8/K1Pp3r/8/8/8/4k3 w - d6 0 1", ""),
        ("8/8/8/K1Pp4/8/8/8/4k3 w - d6 0 1", "d6"),
        // The captured pawn covers a diagonal or a file.
        ("6b1/8/8/3pP3/8/8/K7/4k3 w - d6 0 1", ""),
        ("4K3/k7/8/8/3Pp3/8/8/6B1 b - d3 0 1", ""),
        ("3r4/8/8/3pP3/8/8/3K4/7k w - d6 0 1", "d6"),
        // Check by the captured pawn, and by a rook that its push uncovered.
        ("8/8/8/2pP4/3K4/8/8/7k w - c6 0 1", "c6"),
        ("8/K6r/8/3pP3/8/8/8/7k w - d6 0 1", ""),
    ];
    for (fen, expected) in cases {
        let view = View::new(&board(fen));
        let threats = Threats::new::<Dumb7Fill>(&view);
        assert_eq!(threats.legal_en_passant::<Dumb7Fill>(&view), set(expected), "{fen}");
    }
}

#[test]
fn castling_moves_are_in_the_sets_of_east_and_west() {
    for (fen, east, west) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "g1", "c1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "g1", "c1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 0 1", "g1", ""),
        ("1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "g1", "c1"),
        ("4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", "c1"),
        ("4k3/8/8/8/8/4r3/8/R3K2R w KQ - 0 1", "", ""),
    ] {
        let (view, sets) = DirGolemKoggeStone::targets::<All>(&board(fen));
        let king = view.own & view.kings;
        assert_eq!(king, set("e1"));
        assert_eq!(sets.of(index(1, 0)) & set("g1"), set(east), "{fen}");
        assert_eq!(sets.of(index(-1, 0)) & set("c1") & !view.straight, set(west), "{fen}");
    }
}

/// Ours, as the source leaves promotion to the reader: one target, four moves.
#[test]
fn a_target_of_a_pawn_on_the_last_rank_is_written_four_times() {
    let fen = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    let (_, sets) = DirGolemKoggeStone::targets::<Captures>(&board(fen));
    assert_eq!(sets.of(index(1, 1)), set("b8"));
    let promotions =
        moves::<DirGolemDumb7>(fen).into_iter().filter(|mv| mv.starts_with("a7")).count();
    assert_eq!(promotions, 8);
}

#[test]
fn both_fills_find_the_same_sets() {
    for fen in [
        Position::START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ] {
        let board = board(fen);
        let kogge_stone = DirGolemKoggeStone::targets::<All>(&board);
        assert_eq!(kogge_stone, DirGolemDumb7::targets::<All>(&board), "{fen}");
    }
}
