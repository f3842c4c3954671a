//! What castling costs on square boards, counted by exact traces.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod folder;

use folder::Folder;
use serde_json::Value;

/// Positions with castling rights, as FEN without the fields behind the rights. The last one has none of the pawns that
/// keep a king safe, so the squares in front of him are empty.
const CASES: [(&str, &str); 5] = [
    ("both ways blocked", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq"),
    ("one way half clear", "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq"),
    ("one way clear", "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq"),
    ("both ways clear", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq"),
    ("an open board", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq"),
];

/// Instructions of castling in the positions above when each of the king's three squares was asked for attacks along
/// all rays and leaps: the shared code of commit 4e42b83 in the designs of today.
const BEFORE: [(&str, [u64; 5]); 5] = [
    ("mailbox/10x12", [143, 143, 1125, 2137, 3029]),
    ("mailbox/0x88", [136, 136, 1073, 2035, 2927]),
    ("bell/last-square", [126, 126, 1121, 2138, 3162]),
    ("butterfly/i16", [125, 125, 1120, 2137, 3161]),
    ("dense-index/u32", [126, 126, 1122, 2140, 3164]),
];

/// Executed instructions of all moves of a position by each of the designs.
fn instructions(fen: &str) -> Vec<u64> {
    let folder = Folder::new();
    folder.write("position.epd", &format!("{fen} - 0 1\n"));
    let mut words = vec!["trace", "--workload", "./position.epd", "--format", "json"];
    words.extend(BEFORE.iter().flat_map(|(design, _)| ["--design", *design]));
    let rows: Vec<Value> = serde_json::from_str(&folder.answer(&words)).expect("JSON");
    // The rows are in the order of the registry.
    let of = |design: &str| rows.iter().find(|row| row["design"] == design).expect("a row");
    let count = |row: &Value| row["counts"]["instructions"].as_u64().expect("a number");
    BEFORE.iter().map(|(design, _)| count(of(design))).collect()
}

#[test]
#[cfg_attr(
    debug_assertions,
    ignore = "counts a release build: RAYWALK_PROGRAM=target/release/raywalk cargo test --test castling -- --include-ignored"
)]
fn castling_costs_at_most_a_fifth_of_what_it_did() {
    println!("{:18} {:18} before  now  share", "design", "position");
    let mut shares = [0.0_f64; CASES.len()];
    for (place, (name, fen)) in CASES.into_iter().enumerate() {
        let without = fen.replace(" KQkq", " -");
        let pairs = instructions(fen).into_iter().zip(instructions(&without));
        for ((design, before), (with, without)) in BEFORE.iter().zip(pairs) {
            let (before, now) = (before[place], with - without);
            let share = now as f64 / before as f64;
            println!("{design:18} {name:18} {before:6} {now:4}  {share:.2}");
            shares[place] = shares[place].max(share);
        }
    }
    assert!(shares.iter().all(|&share| share <= 0.2), "{shares:.3?}");
}
