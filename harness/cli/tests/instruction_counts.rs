//! What castling and en passant cost on square boards, and what a move costs that is taken from sets one by one,
//! counted by exact traces.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod folder;

use folder::Folder;
use raywalk_core::{CastlingRights, Position, State};
use raywalk_positions::Store;
use serde_json::Value;

/// The designs that stand for the square boards, in any order: one or more for each geometry, boards of colours and
/// kinds and boards for each side among them, and for each code but one, which differs from another in its pawns alone.
const DESIGNS: [&str; 11] = [
    "mailbox/10x12",
    "mailbox/0x88",
    "bell/last-square",
    "butterfly/i16",
    "dense-index/u32",
    "mailbox/10x12-two-arrays-two-boards",
    "bell/two-boards",
    "reul/blocker-loop",
    "raylist",
    "gambiet/computed",
    "diep/conditional-write",
];

/// A position in which a rule may apply.
struct Case {
    name: &'static str,
    /// The position, with `*` in the place of the field that brings the rule about.
    fen: &'static str,
    /// That field; `-` turns the rule off.
    field: &'static str,
    /// Instructions that each of the designs executed for the rule in the first form of the shared code.
    before: [u64; DESIGNS.len()],
}

/// Castling, when each of the king's three squares was asked for attacks along all rays and leaps: the shared code of
/// commit 4e42b83 in the designs of today. The last position has none of the pawns that keep a king safe, so the
/// squares in front of him are empty.
const CASTLING: [Case; 5] = [
    Case {
        name: "both ways blocked",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w * - 0 1",
        field: "KQkq",
        before: [143, 136, 126, 125, 126, 131, 134, 144, 136, 147, 126],
    },
    Case {
        name: "one way half clear",
        fen: "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w * - 0 1",
        field: "KQkq",
        before: [143, 136, 126, 125, 126, 131, 134, 144, 136, 147, 126],
    },
    Case {
        name: "one way clear",
        fen: "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w * - 0 1",
        field: "KQkq",
        before: [1125, 1073, 1121, 1120, 1122, 1239, 1378, 1126, 1070, 1219, 1147],
    },
    Case {
        name: "both ways clear",
        fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w * - 0 1",
        field: "KQkq",
        before: [2137, 2035, 2138, 2137, 2140, 2375, 2655, 2138, 2029, 2321, 2190],
    },
    Case {
        name: "an open board",
        fen: "r3k2r/8/8/8/8/8/8/R3K2R w * - 0 1",
        field: "KQkq",
        before: [3029, 2927, 3162, 3161, 3164, 3587, 3947, 3038, 2921, 3101, 3178],
    },
];

/// En passant, when each generation looked for the two pawns that may capture: the shared code of commit 4e42b83 in the
/// designs of today.
const EN_PASSANT: [Case; 4] = [
    Case {
        name: "no pawn captures",
        fen: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq * 0 1",
        field: "e3",
        before: [31, 26, 14, 14, 11, 16, 28, 31, 26, 28, 12],
    },
    Case {
        name: "one pawn captures",
        fen: "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq * 0 3",
        field: "f6",
        before: [38, 33, 22, 21, 18, 23, 35, 38, 33, 35, 19],
    },
    Case {
        name: "one on the edge",
        fen: "rnbqkbnr/1ppppppp/8/pP6/8/8/P1PPPPPP/RNBQKBNR w KQkq * 0 3",
        field: "a6",
        before: [38, 33, 22, 21, 18, 23, 35, 38, 33, 35, 19],
    },
    Case {
        name: "two pawns capture",
        fen: "4k3/8/8/8/1pPp4/8/8/4K3 b - * 0 1",
        field: "c3",
        before: [45, 40, 30, 28, 25, 30, 42, 45, 40, 42, 26],
    },
];

/// Positions of the famous games in which a pawn has just passed two squares, and the instructions that each of the
/// designs executed for en passant in all of them together. Eleven pawns capture in them: each position costs what it
/// does where no pawn captures, and each capture what it adds.
const PASSED_IN_GAMES: (usize, [u64; DESIGNS.len()]) =
    (264, [8261, 6941, 3784, 3773, 2981, 4301, 7469, 8261, 6941, 7469, 3245]);

/// Designs that take moves from sets one by one, and the instructions per move that they executed at commit 4e42b83
/// over positions with 37 moves on average. That count includes castling, so a third of it is a little more than a
/// third of the count without.
const TAKEN_ONE_BY_ONE: [(&str, f64); 2] =
    [("setwise/kogge-stone-incremental", 101.9), ("setwise/kogge-stone-delayed", 96.0)];

/// The traces of all moves of some positions by each of the designs.
fn traced(fens: &[String], designs: &[&str]) -> Vec<Value> {
    let folder = Folder::new();
    folder.write("positions.epd", &(fens.join("\n") + "\n"));
    let count = fens.len().to_string();
    let mut words = vec!["trace", "--workload", "./positions.epd", "--format", "json"];
    words.extend(["--max-positions", &count]);
    words.extend(designs.iter().flat_map(|design| ["--design", *design]));
    let rows: Vec<Value> = serde_json::from_str(&folder.answer(&words)).expect("JSON");
    // The rows are in the order of the registry.
    let of = |design: &str| rows.iter().find(|row| row["design"] == design).expect("a row");
    designs.iter().map(|design| of(design).clone()).collect()
}

/// Executed instructions of all moves of some positions by each of the designs.
fn instructions(fens: &[String]) -> Vec<u64> {
    let count = |row: &Value| row["counts"]["instructions"].as_u64().expect("a number");
    traced(fens, &DESIGNS).iter().map(count).collect()
}

/// What a rule costs in each design, and what it did. Prints both.
fn costs(
    name: &str,
    [with, without]: [Vec<u64>; 2],
    before: [u64; DESIGNS.len()],
) -> Vec<(u64, u64)> {
    println!("{:35} {:18} before  now  share", "design", "position");
    let counted = with.into_iter().zip(without).zip(before).zip(DESIGNS);
    let cost = |(((with, without), before), design): (((u64, u64), u64), &str)| {
        let now = with - without;
        println!("{design:35} {name:18} {before:6} {now:4}  {:.2}", now as f64 / before as f64);
        (now, before)
    };
    counted.map(cost).collect()
}

fn costs_of(Case { name, fen, field, before }: &Case) -> Vec<(u64, u64)> {
    costs(name, [field, "-"].map(|field| instructions(&[fen.replace('*', field)])), *before)
}

fn at_most_a_fifth(costs: &[(u64, u64)]) {
    assert!(costs.iter().all(|(now, before)| 5 * now <= *before), "{costs:?}");
}

#[test]
#[cfg_attr(
    debug_assertions,
    ignore = "counts a release build: RAYWALK_PROGRAM=target/release/raywalk cargo test --test instruction_counts -- --include-ignored"
)]
fn castling_costs_at_most_a_fifth_of_what_it_did() {
    CASTLING.iter().for_each(|case| at_most_a_fifth(&costs_of(case)));
}

/// Where a pawn captures, its move must be written, and that alone is more than a fifth of what it took to look for the
/// pawn on a plain board. There nothing may be left but the writing.
#[test]
#[cfg_attr(
    debug_assertions,
    ignore = "counts a release build: RAYWALK_PROGRAM=target/release/raywalk cargo test --test instruction_counts -- --include-ignored"
)]
fn en_passant_costs_at_most_a_fifth_of_what_it_did() {
    let [none_captures, captures @ ..] = &EN_PASSANT;
    at_most_a_fifth(&costs_of(none_captures));
    for case in captures {
        let costs = costs_of(case);
        let with_looking = costs.iter().zip(none_captures.before);
        let mut writing = with_looking.map(|((now, before), looking)| (now, before - looking));
        assert!(writing.all(|(now, writing)| *now <= writing), "{costs:?}");
    }

    let famous = Store::in_memory().ordered("famous").expect("bundled games");
    let passed = famous.positions.iter().filter(|one| one.state().en_passant.is_some());
    let (with, without): (Vec<String>, Vec<String>) = passed
        .map(|position| {
            let state = State { en_passant: None, ..position.state() };
            let without = Position::trusted(*position.squares(), state);
            (position.to_string(), without.to_string())
        })
        .unzip();
    let (count, before) = PASSED_IN_GAMES;
    assert_eq!(with.len(), count, "the games are those that were counted before");
    at_most_a_fifth(&costs("famous games", [instructions(&with), instructions(&without)], before));
}

/// Castling is left out of the count of today: it belongs to the shared rules, and its tests are no part of a move.
#[test]
#[cfg_attr(
    debug_assertions,
    ignore = "counts a release build: RAYWALK_PROGRAM=target/release/raywalk cargo test --test instruction_counts -- --include-ignored"
)]
fn moves_that_are_taken_from_sets_one_by_one_cost_at_most_a_third_of_what_they_did() {
    let positions = Store::open_default().first("cycle-65536", 1_000).expect("a bundled workload");
    let without = |position: &Position| {
        let state = State { rights: CastlingRights::NONE, ..position.state() };
        Position::trusted(*position.squares(), state).to_string()
    };
    let fens: Vec<String> = positions.iter().map(without).collect();
    let rows = traced(&fens, &TAKEN_ONE_BY_ONE.map(|(design, _)| design));
    for (row, (design, before)) in rows.iter().zip(TAKEN_ONE_BY_ONE) {
        let now = row["per_move"]["instructions"].as_f64().expect("a number");
        println!("{design:35} {before:6.1} {now:6.1} instructions a move");
        assert!(3.0 * now <= before, "{design}: {now}");
    }
}
