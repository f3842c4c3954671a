//! Positions and counts from outside: FEN, EPD, standard input, perft and its formats.

use std::process::{Command, Stdio};

use assert_cmd::assert::OutputAssertExt;
use predicates::prelude::*;
use serde_json::Value;

use crate::folder::{Folder, is_documented, output, raywalk};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const FEW_MOVES: &str = "8/8/7k/7p/7P/7K/8/8 w - - 0 1";
const BELL: [&str; 3] = ["verify", "--design", "bell/steps"];

fn answer(words: &[&str]) -> String {
    output(raywalk(words))
}

fn json(words: &[&str]) -> Value {
    serde_json::from_str(&answer(words)).expect("JSON")
}

/// The sentence with which bad input is refused.
fn refusal(command: &mut assert_cmd::Command) -> String {
    let output = command.assert().code(2).stdout("").get_output().clone();
    let error = String::from_utf8(output.stderr).expect("text");
    assert_eq!(error.trim_end().lines().count(), 1, "{error}");
    assert!(error.starts_with("raywalk: ") && error.len() < 2_000, "{error}");
    error
}

/// The instructions of a count are the same each time, and more where leaves are made.
#[test]
fn the_instructions_of_a_perft_are_counted_exactly() {
    let folder = Folder::new();
    let count = |depth: &str, count: &str| {
        // Every instruction is a step, and this position has few.
        let words =
            ["perft", depth, "--fen", FEW_MOVES, "--design", "legal/hyperbola", "--count", count];
        let words = [&words[..], &["--instructions", "--format", "json"]].concat();
        let answer = folder.raywalk(&words).output().expect("an answer");
        if !answer.status.success() {
            let why = String::from_utf8_lossy(&answer.stderr).into_owned();
            assert!(why.contains("tracing is not available here"), "{why}");
            return None;
        }
        let answer: Value = serde_json::from_slice(&answer.stdout).expect("one JSON value");
        assert_eq!(answer["leaves"], if depth == "2" { 9 } else { 57 });
        answer["instructions"].as_u64()
    };
    let Some(bulk) = count("2", "bulk") else { return };
    assert_eq!(count("2", "bulk"), Some(bulk));
    assert!(count("2", "make") > Some(bulk));
    // Three counts of depth 2, each of a position with twice as many leaves.
    let deeper = count("3", "bulk").expect("a count");
    assert!((3 * bulk..30 * bulk).contains(&deeper), "{bulk} and {deeper}");
}

/// A shell runs the lines of `--split`, as a scheduler does.
#[test]
#[cfg(unix)]
fn jobs_of_a_perft_are_lines_of_a_shell_and_add_up() {
    let folder = Folder::new();
    let split = ["perft", "3", "--fen", KIWIPETE, "--split", "1", "--count", "bulk"];
    let jobs = folder.answer(&split);
    assert_eq!(jobs.lines().count(), 48, "{jobs}");
    folder.write("jobs.sh", &jobs.replace("raywalk perft", "\"$0\" perft"));
    let mut shell = Command::new("sh");
    let script = ". ./jobs.sh > answers";
    shell.args(["-c", script, env!("CARGO_BIN_EXE_raywalk")]).current_dir(folder.path(""));
    shell.assert().success();
    let sum = folder.answer(&[&split[..], &["--sum", "answers"]].concat());
    assert!(sum.starts_with("97862 leaves at depth 3 (legal/hyperbola, bulk, "), "{sum}");
    let error = refusal(&mut folder.raywalk(&[&split[..], &["--sum", "jobs.sh"]].concat()));
    assert!(error.starts_with("raywalk: answer 1 is not that of a job: "), "{error}");
    let deep = refusal(&mut folder.raywalk(&["perft", "1", "--split", "2"]));
    assert_eq!(deep, "raywalk: --split 2 is deeper than depth 1\n");
}

#[test]
fn a_verification_that_checks_nothing_is_an_error() {
    let folder = Folder::new();
    folder.write("empty.epd", "");
    folder.write("comments.epd", "# [a] b\n\n");
    folder.write("no-counts.epd", &format!("{KIWIPETE}\nstartpos ; start\n"));
    folder.write("counts.epd", "startpos ;D2 400\n");
    let cases: &[(&[&str], &str)] = &[
        (&["--epd", "empty.epd"], "empty.epd: nothing to verify: there is no position"),
        (&["--epd", "comments.epd"], "there is no position"),
        (&["--epd", "counts.epd", "--epd", "empty.epd"], "empty.epd: nothing to verify"),
        (&["--epd", "no-counts.epd"], "no line gives a count"),
        (&["--epd", "counts.epd", "--max-depth", "1"], "above the limits"),
        (&["--epd", "counts.epd", "--max-nodes", "399"], "above the limits"),
        (&["--max-depth", "0"], "the bundled facts: nothing to verify"),
        (&["--workload", "ab4:0"], "`0` in `ab4:0` is not a number above 0"),
    ];
    for (words, expected) in cases {
        let error = refusal(&mut folder.raywalk(&[&BELL, *words].concat()));
        assert!(error.contains(expected), "{words:?}: {error}");
    }
}

#[test]
fn a_misspelt_operation_is_refused_with_its_line() {
    let folder = Folder::new();
    for operation in ["D1=21", "perft 1 21", "X 20", "D99999999999 1", "D1 20 D2 400", "D1 +20"] {
        folder.write("facts.epd", &format!("startpos ;D1 20\nstartpos ;{operation}\n"));
        let words = [&BELL[..], &["--epd", "facts.epd"]].concat();
        let error = refusal(&mut folder.raywalk(&words));
        assert!(error.contains("facts.epd: line 2: "), "{operation}: {error}");
    }
}

#[test]
fn facts_of_the_standard_form_are_read_from_standard_input() {
    let facts = format!(
        "\u{feff}{KIWIPETE} ;D1 48 ;C 8 ;Q 40 kiwipete\r\n\
         rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; D1 20; id \"a; start\";\r\n"
    );
    raywalk(&[&BELL[..], &["--epd", "-"]].concat())
        .write_stdin(facts)
        .assert()
        .success()
        .stderr("")
        .stdout(
            "design      verdict   checks  leaves  skipped\n\
             bell/steps  verified       8     116        0\n",
        );
}

#[test]
fn names_cannot_control_the_terminal() {
    raywalk(&[&BELL[..], &["--epd", "-"]].concat())
        .write_stdin("startpos ;D1 21 ;bad\u{1b}[2Jname")
        .assert()
        .code(1)
        .stdout(predicate::str::contains("bell/steps is wrong in bad\\u{1b}[2Jname\n"));
}

#[test]
fn long_lines_are_cut() {
    let long = "x".repeat(5_000_000);
    let verify = [&BELL[..], &["--epd", "-"]].concat();
    for line in [
        long.clone(),
        format!("startpos ;{long}=1"),
        format!("startpos ;D1 {long}"),
        format!("{KIWIPETE} {long}"),
    ] {
        let error = refusal(raywalk(&verify).write_stdin(line));
        assert!(error.contains("line 1: "), "{error}");
    }
    let fen = refusal(&mut raywalk(&["fen", &long[..100_000]]));
    assert!(fen.contains("1 rank instead of 8"), "{fen}");
}

#[test]
fn startpos_and_standard_input_are_positions() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    assert!(answer(&["fen", "startpos"]).ends_with(start));
    assert_eq!(answer(&["moves", "--fen", "startpos"]).lines().count(), 20);
    assert!(answer(&["perft", "2", "--fen", "startpos"]).starts_with("400 leaves"));
    let text = format!("\u{feff}{KIWIPETE}\r\n");
    for (words, expected) in [
        (&["fen", "-"][..], KIWIPETE),
        (&["moves", "--fen", "-"], "e1g1"),
        (&["perft", "1", "--fen", "-"], "48 leaves"),
        (&["perftree", "1", "-"], "\n\n48\n"),
    ] {
        raywalk(words)
            .write_stdin(text.as_str())
            .assert()
            .success()
            .stdout(predicate::str::contains(expected));
    }
    assert!(refusal(raywalk(&["fen", "-"]).write_stdin("")).contains("is empty"));
}

#[test]
fn halfmove_clocks_of_real_games_are_accepted() {
    for clock in [101, 149, 255] {
        let fen = format!("8/8/4k3/8/8/3BK3/8/7r w - - {clock} 190");
        assert!(answer(&["fen", &fen]).ends_with(&format!("{fen}\n")));
        assert!(answer(&["perft", "2", "--fen", &fen]).contains(" leaves at depth 2"));
    }
    let error = refusal(&mut raywalk(&["fen", "8/8/4k3/8/8/3BK3/8/7r w - - 256 190"]));
    assert!(error.contains("halfmove clock: 256 is more than 255 plies"), "{error}");
}

#[test]
fn the_quick_profile_says_what_it_leaves_out_and_a_limit_turns_it_off() {
    let quick = answer(&BELL);
    let (_, last) = quick.split_once("\nQuick profile, ").expect("a sentence below the table");
    assert!(last.contains("--full adds 378 counts"), "{last}");
    raywalk(&BELL).assert().stderr("");
    let limited = ["--max-depth", "3", "--max-nodes", "1000000000"];
    assert!(!answer(&[&BELL[..], &limited].concat()).contains("Quick profile"));
    let rows = json(&[&BELL[..], &["--format", "json"]].concat());
    assert_eq!(rows.as_array().map(Vec::len), Some(1));
}

#[test]
fn a_hash_table_that_does_not_fit_is_refused() {
    let error = refusal(&mut raywalk(&["perft", "3", "--hash", "1048576"]));
    assert!(error.contains("--hash 1048576 is too large: "), "{error}");
    assert!(answer(&["perft", "3", "--hash", "1"]).starts_with("8902 leaves"));
    // It may fit on the machines of the jobs.
    let jobs = answer(&["perft", "3", "--hash", "1048576", "--split", "1"]);
    assert_eq!(jobs.matches("--hash 1048576").count(), 20, "{jobs}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_hash_table_above_the_limit_of_the_process_is_refused() {
    // 8 GiB of addresses, in KiB.
    let script = "ulimit -v 8388608 && exec \"$0\" perft 3 --hash 16384";
    Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_raywalk")])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("--hash 16384 is too large: "));
}

#[test]
fn bulk_counts_have_a_design_that_can_make_them() {
    let text = answer(&["perft", "4", "--count", "bulk"]);
    assert!(text.starts_with("197281 leaves at depth 4 (legal/hyperbola, bulk, "), "{text}");
    let words = ["perft", "2", "--count", "bulk", "--design", "bell/steps"];
    let error = refusal(&mut raywalk(&words));
    assert!(
        error.contains("pseudo-legal") && error.contains("--design legal/hyperbola"),
        "{error}"
    );
}

#[test]
fn perft_prints_json() {
    let plain = json(&["perft", "3", "--format", "json"]);
    let expected = [
        ("design", "bitboard/hyperbola".into()),
        ("fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".into()),
        ("depth", 3.into()),
        ("count", "make".into()),
        ("hash_mib", Value::Null),
        ("threads", 1.into()),
        ("leaves", 8902.into()),
        ("instructions", Value::Null),
        ("divide", Value::Null),
    ];
    for (name, value) in &expected {
        assert_eq!(plain[*name], *value, "{name}");
    }
    assert!(plain["seconds"].is_f64());
    assert_eq!(plain.as_object().map(|members| members.len()), Some(expected.len() + 1));

    let words =
        ["perft", "2", "--divide", "--count", "bulk", "--moves", "e2e4", "--format", "json"];
    let divided = json(&words);
    let rows = divided["divide"].as_array().expect("rows");
    assert_eq!((rows.len(), &divided["count"]), (20, &"bulk".into()));
    assert_eq!(rows.iter().filter_map(|row| row["leaves"].as_u64()).sum::<u64>(), 600);
    assert!(rows.iter().any(|row| row["move"] == "g8f6" && row["leaves"] == 30));
    assert!(divided["fen"].as_str().is_some_and(|fen| fen.contains(" b KQkq e3 ")));
    is_documented(&["perft"], &divided);
    assert_eq!(json(&["perft", "3", "--hash", "2", "--format", "json"])["hash_mib"], 2);
}

#[test]
fn verify_prints_json() {
    let verify = |facts: &str| {
        let words = [&BELL[..], &["--epd", "-", "--format", "json"]].concat();
        let output = raywalk(&words).write_stdin(facts).output().expect("it runs");
        let rows: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        (output.status.code(), rows)
    };
    let row = |verified, checks, skipped, leaves, mismatch| {
        serde_json::json!([{
            "design": "bell/steps", "verified": verified, "checks": checks, "skipped": skipped,
            "leaves": leaves, "mismatch": mismatch, "missing": null, "broken": null,
        }])
    };
    let right = row(true, 3, 1, 20, Value::Null);
    assert_eq!(verify("startpos ;D1 20 ;D7 3195901860"), (Some(0), right));
    let mismatch = serde_json::json!({
        "name": "start", "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "question": "leaves at depth 1", "expected": 21, "found": 20,
    });
    let wrong = row(false, 1, 0, 20, mismatch);
    is_documented(&["verify"], &wrong);
    assert_eq!(verify("startpos ;D1 21 ;start"), (Some(1), wrong));
}

/// Calls the command as perftree does: the moves are one word, absent if there are none.
#[cfg(unix)]
#[test]
fn perftree_can_call_the_program_by_the_name_of_a_link() {
    let folder = tempfile::tempdir().expect("a folder");
    let link = folder.path().join("raywalk-perftree");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_raywalk"), &link).expect("a link");
    let call = |words: &[&str], design: &str| {
        let mut command = Command::new(&link);
        command.args(words).env("RAYWALK_DESIGN", design).stdin(Stdio::null());
        String::from_utf8(command.assert().success().stderr("").get_output().stdout.clone())
            .expect("text")
    };
    for design in ["", "bell/steps"] {
        let text = call(&["1", KIWIPETE], design);
        let (moves, total) = text.split_once("\n\n").expect("an empty line");
        assert_eq!((moves.lines().count(), total), (48, "48\n"));
        assert!(moves.lines().any(|line| line == "e1g1 1"), "{moves}");

        let text = call(&["2", "startpos", "e2e4 e7e5"], design);
        assert!(
            text.lines().any(|line| line == "g1f3 29") && text.ends_with("\n\n835\n"),
            "{text}"
        );
        assert_eq!(call(&["0", KIWIPETE, ""], design), "\n1\n");
    }
    Command::new(&link)
        .args(["2", "startpos", "e2e4 e7e6 x"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("move 3 `x` is not legal"));
    Command::new(&link)
        .args(["2", "startpos"])
        .env("RAYWALK_DESIGN", "bell/step")
        .assert()
        .code(2)
        .stderr(predicate::str::contains("RAYWALK_DESIGN: no design is called `bell/step`"));
    assert_eq!(answer(&["perftree", "1", "startpos", "e2e4", "e7e5"]).lines().count(), 31);
}
