//! The code of plug-ins, traced and audited.

use serde_json::Value;

use predicates::prelude::*;

use crate::folder::{Folder, raywalk};
use crate::plugin::{self, ID, broken, changed, right};

#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn a_plugin_is_traced() {
    let folder = Folder::new();
    let file = right(&folder);
    let words = ["trace", "--workload", "density-3", "--max-positions", "3", "--format", "json"];
    let traced =
        folder.raywalk(&[&words[..], &["--plugin", &file]].concat()).output().expect("run");
    if String::from_utf8_lossy(&traced.stderr).contains("not available here") {
        return eprintln!("skipped: no tracer here");
    }
    let rows: Value = serde_json::from_slice(&traced.stdout).expect("rows");
    assert_eq!((traced.status.code(), &rows[0]["design"]), (Some(0), &Value::from(ID)));
    let crash = broken(&folder, "crash.so", &["CRASH"]);
    let beside = ["--plugin", &crash, "--design", "bell/last-square"];
    let shown = folder.raywalk(&[&words[..], &beside].concat()).assert().code(1);
    let rows: Value = serde_json::from_slice(&shown.get_output().stdout).expect("rows");
    let row = |id: &str| {
        let rows = rows.as_array().expect("rows").iter();
        rows.clone().find(|row| row["design"] == id).cloned().expect("a row")
    };
    assert!(row("bell/last-square")["positions"].as_u64() > Some(0), "{rows}");
    let why = row(ID)["missing"].as_str().expect("a reason").to_owned();
    assert!(why.contains("toy/mailbox crashed (signal: 6"), "{why}");
}

#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn the_branches_of_a_plugin_have_the_same_addresses_and_modelled_misses_in_every_process() {
    let folder = Folder::new();
    let file = right(&folder);
    folder.write(
        "positions.epd",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
         r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\n\
         r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1\n\
         8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\n",
    );
    let words = ["trace", "--model", "--workload", "./positions.epd", "--format", "json"];
    let traced = || {
        let traced = folder.raywalk(&[&words[..], &["--plugin", &file]].concat()).output();
        let traced = traced.expect("run");
        if String::from_utf8_lossy(&traced.stderr).contains("not available here") {
            return None;
        }
        Some(serde_json::from_slice::<Value>(&traced.stdout).expect("rows"))
    };
    // Each process loads program and library at other addresses.
    let (Some(one), Some(other)) = (traced(), traced()) else {
        return eprintln!("skipped: no tracer here");
    };
    for key in ["branches", "predictors"] {
        assert!(one[0][key].is_array() || one[0][key].is_object(), "{key}: {one}");
        assert_eq!(one[0][key], other[0][key], "{key}");
    }
    let branches = one[0]["branches"].as_array().expect("a list");
    assert!(branches.len() > 10, "{one}");
    // The lines of the program are not those of the library.
    assert!(branches.iter().all(|branch| branch["line"].is_null()), "{one}");
}

/// The findings, except stack operands in at most 3 % of the executed instructions. These depend on the compiler and on
/// the processor that `-march=native` selects: with GCC 12, 0.7 to 1.8 % of the instructions on Zen 3 and Haswell, none
/// with AVX-512.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
pub(crate) fn faults(audited: &Value) -> Vec<&Value> {
    let findings = audited["findings"].as_array().expect("findings").iter();
    findings
        .filter(|it| {
            it["check"] != "stack" || it["fraction"].as_f64().is_none_or(|fraction| fraction > 0.03)
        })
        .collect()
}

/// The answer of `raywalk audit --format json` about a plug-in. The exit code is 1 if there are findings.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
pub(crate) fn audited(file: &str, more: &[&str]) -> Value {
    let words = [&["audit", "--format", "json", "--plugin", file], more].concat();
    let output = raywalk(&words).output().expect("run");
    let found: Value = serde_json::from_slice(&output.stdout).expect("an object");
    let findings = found["findings"].as_array().expect("findings");
    assert_eq!(output.status.code(), Some(i32::from(!findings.is_empty())), "{findings:?}");
    found
}

#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn a_plugin_is_audited_in_its_library() {
    let folder = Folder::new();
    let with =
        |name: &str, flags: &[&str]| plugin::compile(&folder, &folder.path("whole.c"), name, flags);
    let plain = right(&folder);
    let found = audited(&plain, &[]);
    let entries = found["entries"].as_array().expect("entries");
    let stages: Vec<_> = entries.iter().map(|entry| &entry["stage"]).collect();
    assert_eq!(stages, ["all", "captures", "quiets"]);
    for entry in entries {
        assert_eq!(entry["design"], ID);
        assert!(entry["counts"]["instructions"].as_u64().expect("a count") > 100, "{entry}");
        assert_eq!(entry["counts"]["jumps"]["board"], 0, "its squares are not known");
        assert!(entry["loops"].as_array().expect("loops").len() > 1, "{entry}");
    }
    let notes = |found: &Value| found["notes"].as_array().expect("notes").len();
    assert_eq!(notes(&found), 2, "no lines, no squares: {}", found["notes"]);
    assert_eq!(found["warnings"], serde_json::json!([]));

    let debug = with("debug.so", &["-g"]);
    let found = audited(&debug, &["--cells", "64"]);
    assert_eq!(notes(&found), 0, "{}", found["notes"]);
    let all = &found["entries"][0];
    assert!(all["counts"]["jumps"]["board"].as_u64().expect("a count") > 5, "{all}");
    let sources: Vec<_> = all["loops"].as_array().expect("loops").iter().collect();
    let source = sources[0]["source"]["file"].as_str().expect("a file");
    assert!(source.ends_with("generator.c"), "{source}");
    let is_about_branches = |found: &Value| {
        let findings = found["findings"].as_array().expect("findings");
        findings.iter().any(|one| one["check"].as_str().expect("a check").contains("board-"))
    };
    assert!(!is_about_branches(&found), "its card says branchy, and so is its walk");
    assert!(!is_about_branches(&audited(&plain, &[])), "its squares are not known");
    let branchless = changed(&folder, "branchless.so", "d.control = RAYWALK_BRANCHLESS;");
    assert!(is_about_branches(&audited(&branchless, &["--cells", "64"])));
    assert!(!is_about_branches(&audited(&branchless, &[])));

    let stripped = with("stripped.so", &["-s"]);
    let why = predicate::str::contains("cannot audit stripped.so: the file has no symbols");
    raywalk(&["audit", "--plugin", &stripped]).assert().code(2).stdout("").stderr(why);
    let shown = predicate::str::contains("no line tables").and(predicate::str::contains(ID));
    raywalk(&["audit", "--plugin", &plain, "--stage", "quiets"]).assert().stdout(shown);
}
