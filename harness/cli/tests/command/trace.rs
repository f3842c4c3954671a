//! `raywalk trace`, and traces of real designs.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use crate::folder::{Folder, is_documented, output, raywalk};
use predicates::prelude::*;
use serde_json::Value;

/// Positions that differ in every respect: the start, a middle game, promotions, en passant, few pieces,
/// check, and the position with the most moves.
const POSITIONS: &str = "\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1
r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1
n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1
8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - e3 0 1
8/8/8/3k4/8/8/8/3K4 w - - 0 1
rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3
R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1
";

fn rows(text: &str) -> Vec<Value> {
    serde_json::from_str(text).expect("JSON")
}

/// One design of each family, and one whose addresses no trap reads. `.ci/run` traces every design.
fn one_of_each_family() -> Vec<&'static str> {
    let mut ids: Vec<&str> = raywalk::registry::DESIGNS.iter().map(|entry| entry.card.id).collect();
    ids.dedup_by_key(|id| id.split('/').next());
    ids.push("simd/gather-lists");
    ids
}

#[test]
fn steps_and_breakpoints_agree_in_every_family() {
    let folder = Folder::new();
    folder.write("positions.epd", POSITIONS);
    let designs = one_of_each_family();
    let mut words = vec!["trace", "--workload", "./positions.epd", "--format", "json"];
    words.extend(designs.iter().flat_map(|id| ["--design", id]));
    let all = rows(&folder.answer(&[&words[..], &["--max-positions", "3"]].concat()));
    is_documented(&["trace"], &all.clone().into());
    let parts = ["--max-positions", "1", "--stage", "captures", "--stage", "quiets"];
    let parts = rows(&folder.answer(&[&words[..], &parts].concat()));
    assert_eq!((all.len(), parts.len()), (designs.len(), 2 * designs.len()));
    for row in all.iter().chain(&parts).filter(|row| row["missing"].is_null()) {
        let name = format!("{} {}", row["design"], row["stage"]);
        assert_eq!(
            (&row["difference"], &row["breakpoints"]),
            (&Value::Null, &Value::Null),
            "{name}"
        );
        let positions = if row["stage"] == "all" { 3 } else { 1 };
        assert_eq!(row["positions"], positions, "{name}");
        assert_eq!(row["stepped"], positions, "{name}");
        let count = |key: &str| row["counts"][key].as_u64().expect("a number");
        assert!(count("instructions") > count("conditional"), "{name}");
        assert!(count("conditional") >= count("taken"), "{name}");
        // The lanes of a gather have addresses in vector registers, which no trap reads.
        let gathers = name.contains("simd/gather-");
        assert_eq!(count("unknown_addresses") != 0, gathers, "{name}");
    }
    // Every design is divided by the same number of squares.
    let mut present = all.iter().filter(|row| row["missing"].is_null());
    assert!(present.all(|row| row["squares"] == all[0]["squares"]));
}

#[test]
fn counts_of_tens_of_positions_repeat_to_the_last_digit() {
    let mut words = vec!["trace", "--format", "json"];
    for design in ["bell/last-square", "bitboard/pext", "dense-index/u32"] {
        words.extend(["--design", design]);
    }
    // Another process has other addresses of code, stack and heap.
    let [first, second] = [output(raywalk(&words)), output(raywalk(&words))];
    assert_eq!(first, second);
    for row in rows(&first) {
        assert_eq!((&row["stepped"], &row["difference"]), (&40.into(), &Value::Null));
        // Nodes of both types are in the sample, and their executions add up.
        for branch in row["branches"].as_array().expect("a list") {
            let executed = |value: &Value| value["executed"].as_u64().unwrap_or(0);
            let nodes = executed(&branch["interior"]) + executed(&branch["quiescence"]);
            assert_eq!(executed(branch), nodes, "{branch}");
        }
    }
}

#[test]
fn positions_beyond_the_steps_are_followed_with_breakpoints() {
    let folder = Folder::new();
    folder.write("positions.epd", POSITIONS);
    let words = ["trace", "--workload", "./positions.epd", "--format", "json"];
    let design = ["--design", "mailbox/0x88"];
    let stepped = rows(&folder.answer(&[&words[..], &design].concat()));
    let followed = rows(&folder.answer(&[&words[..], &design, &["--steps", "2"]].concat()));
    assert_eq!((&stepped[0]["stepped"], &followed[0]["stepped"]), (&8.into(), &2.into()));
    for key in ["instructions", "loads", "stores", "conditional", "taken", "code_bytes"] {
        assert_eq!(stepped[0]["counts"][key], followed[0]["counts"][key], "{key}");
    }
    assert_eq!(stepped[0]["branches"], followed[0]["branches"]);
}

#[test]
fn a_single_design_is_shown_with_its_branches_by_line_and_node() {
    let text = output(raywalk(&["trace", "--design", "bell/steps", "--max-positions", "4"]));
    assert!(text.contains("ab4, all: 4 of "), "{text}");
    assert!(text.contains("variants/bell/src/"), "{text}");
    assert!(text.contains("quiescence"), "{text}");
}

#[test]
fn the_squares_per_position_are_those_of_the_position() {
    let folder = Folder::new();
    folder.write("start.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n");
    let words = ["trace", "--workload", "./start.epd", "--design", "bitboard/hyperbola"];
    folder
        .raywalk(&words)
        .assert()
        .success()
        .stdout(predicate::str::contains("24.0 visited squares"));
}

#[test]
fn a_branchy_walk_is_memorised_in_a_replay_and_not_in_a_stream() {
    let mut words = vec!["trace", "--model", "--steps", "4", "--max-positions", "4"];
    words.extend(["--workload", "cycle-65536", "--format", "json", "--model-positions", "2048"]);
    for design in ["bell/last-square", "bitboard/hyperbola"] {
        words.extend(["--design", design]);
    }
    let rows = rows(&output(raywalk(&words)));
    is_documented(&["trace"], &rows.clone().into());
    for row in &rows {
        let predictors = &row["predictors"];
        assert_eq!((&row["not_modelled"], &predictors["replay_of"]), (&Value::Null, &256.into()));
        assert_eq!((&predictors["positions"], &predictors["warm_up"]), (&1536.into(), &512.into()));
        let missed = |model: &str, order: &str| {
            let models = predictors["models"].as_array().expect("a list");
            let model = models.iter().find(|one| one["model"] == model).expect("the model");
            let rate = |kind: &str| model[order][kind].as_f64().expect("a number");
            // The rates of the branches add up to that of the predictor.
            let branches = predictors["branches"].as_array().expect("a list");
            let of_branch = |branch: &Value| {
                let missed = branch["missed"].as_array().expect("a list");
                let one = missed.iter().find(|one| one["model"] == model["model"]);
                one.and_then(|one| one[order].as_f64()).expect("a number")
            };
            let sum: f64 = branches.iter().map(of_branch).sum();
            assert!((sum - rate("conditional") - rate("indirect")).abs() < 1e-9, "{sum}");
            sum
        };
        let bell = row["design"] == "bell/last-square";
        // Rates of the prototype on sliders alone: 14 in a shuffled stream and 0.07 in a replay.
        if bell {
            assert!(missed("tage", "stream") > 10.0, "{}", missed("tage", "stream"));
        }
        assert!(missed("tage", "replay") < missed("tage", "stream") / 20.0, "{}", row["design"]);
        // Seven outcomes of history tell positions apart only a little better when they are repeated.
        let (stream, replay) = (missed("callgrind", "stream"), missed("callgrind", "replay"));
        assert!(replay > stream / 2.0, "{stream} {replay}");
        let levels = row["caches"]["levels"].as_array().expect("a list");
        assert!(
            levels.iter().all(|level| level["once"].as_u64() >= row["caches"]["lines"].as_u64())
        );
    }
}
