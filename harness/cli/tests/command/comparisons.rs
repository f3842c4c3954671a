//! `compare` and `ranking` as JSON, sessions that are named twice, and checks of `selftest` that come
//! before its sessions.

use std::path::Path;

use predicates::prelude::*;
use raywalk_results::fixture::{self, Recipe};
use raywalk_results::schema::Record;
use serde_json::{Value, json};

use crate::folder::{Folder, is_documented, journal};

fn value(text: &[u8]) -> Value {
    serde_json::from_slice(text).expect("JSON")
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

const SESSION: [&str; 8] =
    ["commit", "complete", "cpu", "dirty", "plan", "resolution", "severity", "started"];

#[test]
fn a_comparison_is_json_for_programs() {
    let folder = Folder::new();
    folder.write("a.jsonl", &journal(1, 1.0));
    folder.write("slow.jsonl", &journal(3, 1.03));
    let assert = folder.raywalk(&["compare", "a.jsonl", "slow.jsonl", "--format", "json"]).assert();
    let found = value(&assert.code(1).get_output().stdout);
    assert_eq!(
        keys(&found),
        ["a", "b", "differences", "intervals", "left_out", "margin", "panels", "regressions"]
    );
    assert_eq!((keys(&found["a"]), keys(&found["b"])), (SESSION.into(), SESSION.into()));
    assert_eq!((&found["differences"], &found["margin"]), (&json!([]), &json!(0.01)));
    assert_eq!(
        found["regressions"][0],
        json!({"panel": found["panels"][0]["panel"], "design": "synthetic-beta"})
    );
    let panel = &found["panels"][0];
    assert_eq!(
        keys(panel),
        ["baseline", "designs", "floor", "panel", "replaced_baseline", "rounds"]
    );
    assert_eq!(panel["rounds"], json!([40, 40]));
    let designs = panel["designs"].as_array().expect("a list");
    let row = |id: &str| designs.iter().find(|row| row["design"] == id).expect("a row");
    let beta = row("synthetic-beta");
    assert_eq!(keys(beta), ["design", "ratio", "regression", "spread", "time", "verdict"]);
    assert_eq!((&beta["regression"], &beta["verdict"]["is"]), (&json!(true), &json!("slower")));
    let by = beta["verdict"]["by"]["estimate"].as_f64().expect("a factor");
    assert!((1.02..1.04).contains(&by), "{by}");
    assert_eq!(keys(&beta["ratio"]), ["estimate", "high", "low"]);
    let baseline = row(panel["baseline"].as_str().expect("an id"));
    assert_eq!(keys(baseline), keys(beta));
    assert!(baseline["ratio"].is_null() && baseline["verdict"].is_null(), "{baseline}");
    is_documented(&["compare"], &found);
}

#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn an_audit_is_json_for_programs() {
    let folder = Folder::new();
    let words = ["audit", "--design", "ferret/pointer", "--stage", "sliders", "--format", "json"];
    let output = folder.raywalk(&words).output().expect("it runs");
    let found = value(&output.stdout);
    is_documented(&["audit"], &found);
    assert_eq!(found["unavailable"], Value::Null);
    let entries = found["entries"].as_array().expect("entries");
    assert_eq!((entries.len(), &entries[0]["stage"]), (1, &json!("sliders")));
    let loops = entries[0]["loops"].as_array().expect("loops");
    assert!(loops.iter().any(|one| one["cell_loads"].as_u64() > Some(0)), "{loops:#?}");
    // A program with debug assertions can panic, so the code depends on the profile.
    let fails = found["findings"].as_array().is_some_and(|findings| !findings.is_empty());
    assert_eq!(output.status.code(), Some(i32::from(fails)));
}

#[test]
fn a_comparison_is_written_as_a_page_with_its_designs_and_its_gate() {
    let folder = Folder::new();
    folder.write("a.jsonl", &journal(1, 1.0));
    folder.write("slow.jsonl", &journal(3, 1.03));
    let compare = |more: &[&str]| {
        let words = [&["compare", "a.jsonl", "slow.jsonl", "--page", "page.html"], more].concat();
        folder.raywalk(&words).assert()
    };
    compare(&[]).code(1);
    let page = folder.read("page.html");
    assert!(page.contains("What changed from session 1 to session 2?"));
    assert!(page.contains("slower: a regression"), "no regression");
    compare(&["--gate", "10%", "--design", "synthetic-gamma"]).code(0);
    let page = folder.read("page.html");
    assert!(!page.contains(": a regression") && page.contains("changes below 10 %"));
    compare(&["--force"]).code(2).stdout("");
}

#[test]
fn a_forced_comparison_lists_the_differences() {
    let folder = Folder::new();
    folder.write("a.jsonl", &journal(1, 1.0));
    folder.write("b.jsonl", &journal(2, 1.0).replace("\"cpu\":\"Synthetic\"", "\"cpu\":\"Else\""));
    let text = folder.answer(&["compare", "a.jsonl", "b.jsonl", "--force", "--format", "json"]);
    let found = value(text.as_bytes());
    is_documented(&["compare"], &found);
    assert_eq!(found["differences"][0]["property"], "CPU");
    assert!(found["differences"][0]["b"].as_str().is_some_and(|b| b.starts_with("Else")));
    folder
        .raywalk(&["compare", "a.jsonl", "b.jsonl", "--format", "json"])
        .assert()
        .code(2)
        .stdout("");
}

#[test]
fn a_comparison_is_markdown_for_pull_requests() {
    let folder = Folder::new();
    folder.write("a.jsonl", &journal(1, 1.0));
    folder.write("b.jsonl", &journal(3, 1.03));
    let other = journal(3, 1.03).replace("\"cpu\":\"Synthetic\"", "\"cpu\":\"Else\"");
    folder.write("else.jsonl", &other);
    let printed = |b: &str, more: &[&str]| {
        let words = [&["compare", "a.jsonl", b, "--format", "markdown"], more].concat();
        let assert = folder.raywalk(&words).assert();
        String::from_utf8(assert.get_output().stdout.clone()).expect("text")
    };
    let text = printed("b.jsonl", &[]);
    assert!(text.contains("| design | B÷A | interval |"), "{text}");
    assert!(!text.contains(" equal within ") && text.contains(" are left out."), "{text}");
    let place = |part: &str| text.find(part).expect("a part");
    assert!(place(" beyond the equality margin of ") < place("| design | "), "{text}");
    let row = text.lines().find(|line| line.contains(" slower: a regression | "));
    assert!(row.is_some_and(|row| row.starts_with("| synthetic-")), "{text}");
    // Every paragraph and every row is marked; headings of tables are not quoted alone.
    let forced = printed("else.jsonl", &["--force"]);
    let is_marked = |line: &str| {
        line.is_empty()
            || ["forced \\| ", "| forced \\| ", "| design | ", "| --- | "]
                .iter()
                .any(|start| line.trim_start_matches("### ").starts_with(start))
    };
    let plain: Vec<&str> = forced.lines().filter(|line| !is_marked(line)).collect();
    assert!(plain.is_empty() && forced.contains("| forced \\| synthetic-"), "{plain:?}\n{forced}");
}

#[test]
fn a_ranking_is_json_for_programs() {
    let folder = Folder::new();
    folder.write("one.jsonl", &journal(1, 1.0));
    folder.write("two.jsonl", &journal(2, 2.0));
    let assert =
        folder.raywalk(&["ranking", "one.jsonl", "two.jsonl", "--format", "json"]).assert();
    let found = value(&assert.code(1).get_output().stdout);
    assert_eq!(keys(&found), ["left_out", "memorisation", "panels", "sessions", "stable"]);
    assert_eq!(found["stable"], false);
    let mut session = [&SESSION[..], &["differs_in"]].concat();
    session.sort_unstable();
    assert_eq!(keys(&found["sessions"][1]), session);
    let panel = &found["panels"][0];
    assert_eq!(keys(panel), ["designs", "moved", "pairs", "panel", "resolved", "rounds"]);
    assert_eq!((&panel["rounds"], &panel["pairs"]), (&json!([40, 40]), &json!(3)));
    assert_eq!(panel["designs"][0]["ranks"].as_array().map(Vec::len), Some(2));
    let moved = &panel["moved"][0];
    assert_eq!(keys(moved), ["against", "contradiction", "design", "verdicts"]);
    assert_eq!(moved["contradiction"], true);
    is_documented(&["ranking", "compare"], &found);
    assert_eq!(moved["verdicts"][0]["is"], "faster");
    assert_eq!(moved["verdicts"][1]["is"], "slower");
}

#[test]
fn a_ranking_refuses_a_session_that_is_named_twice() {
    let folder = Folder::new();
    folder.write("one/journal.jsonl", &journal(1, 1.0));
    folder.write("two/journal.jsonl", &journal(2, 1.0));
    folder.write("copy.jsonl", &journal(1, 1.0));
    // A copy that was made before the session ended.
    let all = journal(1, 1.0);
    let lines: Vec<&str> = all.lines().collect();
    folder.write("early.jsonl", &(lines[..lines.len() - 10].join("\n") + "\n"));
    for words in [
        ["ranking", "one", "one"],
        ["ranking", "one", "one/journal.jsonl"],
        ["ranking", "one", "copy.jsonl"],
        ["ranking", "one", "early.jsonl"],
    ] {
        folder
            .raywalk(&words)
            .assert()
            .code(2)
            .stdout("")
            .stderr(predicate::str::contains("are the same session"));
    }
    folder.raywalk(&["ranking", "one", "two", "one"]).assert().code(2);
    folder.raywalk(&["ranking", "one", "two"]).assert().success();
}

#[test]
fn results_with_too_few_rounds_are_refused_instead_of_called_equal() {
    let folder = Folder::new();
    for seed in [1, 2] {
        let mut records = Recipe { seed, designs: 3, rounds: 3, ..Recipe::SMALL }.records();
        if let Some(Record::Session(session)) = records.first_mut() {
            session.machine.cpu = "Synthetic".to_owned();
        }
        folder.write(&format!("{seed}.jsonl"), &fixture::text(&records));
    }
    folder.write("long.jsonl", &journal(3, 1.0));
    for format in ["table", "json"] {
        for (words, why) in [
            (
                &["compare", "1.jsonl", "2.jsonl"][..],
                "nothing can be judged: every panel has too few",
            ),
            (
                &["compare", "1.jsonl", "long.jsonl"],
                "nothing can be judged: every panel has too few",
            ),
            (&["ranking", "1.jsonl", "2.jsonl"], "nothing can be ranked: no two results judge"),
            (&["ranking", "1.jsonl", "long.jsonl"], "nothing can be ranked: no two results judge"),
        ] {
            folder
                .raywalk(&[words, &["--format", format]].concat())
                .assert()
                .code(2)
                .stdout("")
                .stderr(predicate::str::contains(why));
        }
    }
}

#[test]
fn a_comparison_of_the_baseline_alone_is_refused() {
    let folder = Folder::new();
    folder.write("a.jsonl", &journal(1, 1.0));
    folder.write("b.jsonl", &journal(2, 1.0));
    let compare = ["compare", "a.jsonl", "b.jsonl", "--baseline", "synthetic-alpha", "--design"];
    let of = |id| folder.raywalk(&[&compare[..], &[id]].concat()).assert();
    of("synthetic-beta").success();
    of("synthetic-alpha").code(2).stdout("").stderr(predicate::str::contains("only its baseline"));
}

#[test]
fn selftest_looks_for_the_source_tree_before_the_sessions() {
    let folder = Folder::new();
    // An installed program: neither it nor the working folder is in the source tree.
    let program = folder.path(&format!("raywalk{}", std::env::consts::EXE_SUFFIX));
    std::fs::copy(env!("CARGO_BIN_EXE_raywalk"), &program).expect("a copy of the program");
    assert_cmd::Command::new(program)
        .args(["selftest", "--criterion", "1000", "--out", "out"])
        .current_dir(folder.path("."))
        .assert()
        .code(2)
        .stdout("")
        .stderr(predicate::str::contains("cannot find the source tree"));
    assert!(!folder.path("out").exists());
}

#[test]
#[cfg(unix)]
fn a_cargo_that_fails_is_exit_code_3() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = Folder::new();
    let out = folder.path("out");
    folder.write("endless", "#!/bin/sh\nexec yes\n");
    let endless = folder.path("endless");
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&endless, executable).expect("own file");
    for (cargo, expected) in [
        (Path::new("/no/such/cargo"), "cargo cannot be started: "),
        (Path::new("false"), "cargo cannot build the criterion benchmark"),
        (&endless, "cargo printed more than 65536 KiB"),
    ] {
        folder
            .raywalk(&["selftest", "--criterion", "1", "--out"])
            .arg(&out)
            .current_dir(&root)
            .env("CARGO", cargo)
            .timeout(std::time::Duration::from_secs(300))
            .assert()
            .code(3)
            .stdout("")
            .stderr(predicate::str::contains(format!("raywalk: {expected}")));
    }
    assert!(!out.exists());
}

#[test]
fn the_doctor_names_instruments_reasons_and_remedies() {
    let found = value(Folder::new().answer(&["doctor", "--format", "json"]).as_bytes());
    is_documented(&["doctor"], &found);
    let entries = found["entries"].as_array().expect("a list");
    assert!(!entries.is_empty());
    for entry in entries {
        assert_eq!(keys(entry), ["detail", "instrument", "reason", "remedy", "state"]);
    }
}

/// The output of `raywalk trace --format json`, of the keys that are compared.
fn counts(design: &str, moves: u64, instructions: u64) -> String {
    let counts = json!({
        "instructions": instructions, "conditional": 40, "loads": 300, "stores": 200, "vector": 0
    });
    let row = json!({
        "design": design, "workload": "ab4", "stage": "all", "positions": 40, "moves": moves,
        "digest": "8483a35506f0bd2f", "counts": counts, "branches": []
    });
    json!([row]).to_string()
}

#[test]
fn the_counts_of_two_traces_are_compared_exactly() {
    let folder = Folder::new();
    folder.write("a.json", &counts("mine", 1_000, 50_000));
    folder.write("more.json", &counts("mine", 1_000, 50_001));
    folder.write("wrong.json", &counts("mine", 1_001, 50_000));
    folder.write("cut.json", "[{\"design\": ");
    folder.write("session.jsonl", &journal(1, 1.0));
    let compare = |b: &str, more: &[&str]| {
        folder.raywalk(&[&["compare", "a.json", b], more].concat()).assert()
    };
    compare("a.json", &["--gate", "0%"]).code(0).stdout(predicate::str::contains("equal"));
    compare("more.json", &[]).code(0).stdout(predicate::str::contains("more, within the"));
    compare("more.json", &["--format", "markdown"]).code(0).stdout(
        predicate::str::contains("| mine | ").and(predicate::str::contains(" | 50,001 | ")),
    );
    let exact = compare("more.json", &["--gate", "0%", "--format", "json"]).code(1);
    let found = value(&exact.get_output().stdout);
    assert_eq!(keys(&found), ["left_out", "margin", "provenance", "rows"]);
    assert_eq!(found["rows"][0]["instructions"], json!([50_000, 50_001]));
    is_documented(&["compare"], &found);
    for (b, more, part) in [
        ("wrong.json", &[][..], "A finds 1000 moves and B 1001"),
        ("session.jsonl", &[], "a.json has the counts of a trace, and session.jsonl is a session"),
        ("cut.json", &[], "cut.json is not the output of `raywalk trace --format json`"),
        ("a.json", &["--force"], "counts need no --baseline, no --force and no --page"),
        ("a.json", &["--design", "other"], "no counts of the same design"),
    ] {
        compare(b, more).code(2).stdout("").stderr(predicate::str::contains(part));
    }
}
