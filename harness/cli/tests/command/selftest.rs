//! `raywalk selftest`: its JSON, and a cargo that fails before its sessions begin.

use serde_json::Value;

use crate::folder::{Folder, is_documented, journal};
use predicates::str::contains;

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// On a busy machine an instrument may give a wrong answer in so short a time, which is exit code 1.
#[test]
fn the_trials_are_json_for_programs() {
    let words = ["selftest", "--seconds", "1", "--format", "json"];
    let output = Folder::new().raywalk(&words).output().expect("it runs");
    let code = output.status.code();
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(keys(&found), ["knee", "seconds", "trials", "width"]);
    assert!(found["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0), "{found}");
    let trials = found["trials"].as_array().expect("a list");
    let mut wrong = false;
    for trial in trials {
        assert_eq!(keys(trial), ["expected", "found", "grade", "instrument", "kernel", "why"]);
        assert_eq!(keys(&trial["expected"]), ["high", "low"]);
        let usable = match trial["grade"].as_str() {
            Some("usable") => true,
            Some("not-usable") => false,
            other => panic!("grade {other:?}"),
        };
        let measured = trial["found"].as_array().expect("a list");
        for one in measured {
            assert_eq!(keys(one), ["high", "low", "unit", "value"]);
        }
        assert_eq!(trial["why"].as_str().is_some_and(str::is_empty), usable, "{trial}");
        wrong |= !usable && !measured.is_empty();
    }
    assert!(trials.iter().any(|trial| trial["instrument"] == "clock"), "{found}");
    assert_eq!(code, Some(i32::from(wrong)), "{found}");
    is_documented(&["selftest"], &found);
}

/// Sessions take minutes, so a page is checked before the first one begins.
#[test]
fn a_page_without_places_for_the_tables_is_refused_before_anything_is_measured() {
    let folder = Folder::new();
    folder.write("bare.md", "# Trust\n");
    folder.write("half.md", "<!-- table: known-differences -->\n<!-- end -->\n");
    for (page, missing) in [("bare.md", "known-differences"), ("half.md", "coverage")] {
        folder
            .raywalk(&["selftest", "--sessions", "1000", "--write", page, "--out", "out"])
            .assert()
            .code(2)
            .stdout("")
            .stderr(contains(format!("no line `<!-- table: {missing} -->` marks the place")));
    }
    assert!(!folder.path("out").exists(), "sessions began");
    // Without a table there is nothing to write.
    folder.raywalk(&["selftest", "--write", "bare.md"]).assert().code(2).stdout("");
}

/// Stored sessions make tables without measuring.
#[test]
fn stored_results_are_paired_and_simulated_on_a_page() {
    let folder = Folder::new();
    for seed in 1..=4 {
        folder.write(&format!("{seed}/journal.jsonl"), &journal(seed, 1.0));
    }
    let page = "Before.\n<!-- table: pairs -->\nold\n<!-- end -->\n\
                <!-- table: coverage -->\n<!-- end -->\nAfter.\n";
    folder.write("page.md", page);
    let of = ["selftest", "--of", "1", "2", "3", "4", "--write", "page.md", "--format", "json"];
    let output = folder.raywalk(&of).assert().success().get_output().stdout.clone();
    let printed: Value = serde_json::from_slice(&output).expect("JSON");
    assert_eq!(keys(&printed), ["pairs"]);
    assert_eq!(printed["pairs"]["pairs"], 2);
    let written = folder.read("page.md");
    assert!(
        written.starts_with("Before.\n<!-- table: pairs -->\n\n`raywalk selftest --of 1 2 3 4")
    );
    assert!(written.ends_with("<!-- table: coverage -->\n<!-- end -->\nAfter.\n"), "{written}");
    assert!(!written.contains("\nold\n"), "{written}");
    let file: Value = serde_json::from_str(&folder.read("page.json")).expect("JSON");
    assert_eq!(file, printed);
    is_documented(&["selftest"], &file);
    // A synthetic session of one process has no components.
    folder
        .raywalk(&["selftest", "--components", "1"])
        .assert()
        .code(2)
        .stderr(contains("no components of variance"));
}

/// Cargo fails in its own words, which are shown.
#[test]
#[cfg(unix)]
fn a_cargo_on_the_search_path_that_fails_is_exit_code_3() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    // A folder that looks like the source tree, because cargo is started there.
    folder.write("variants/core/Cargo.toml", "");
    for (script, expected) in [
        (
            "echo 'error: no space left on device' >&2\nexit 1",
            "error: no space left on device\nraywalk: cargo cannot build the criterion benchmark\n",
        ),
        (
            "echo '{\"reason\":\"build-finished\",\"success\":true}'",
            "raywalk: cargo does not name the benchmark that it built\n",
        ),
    ] {
        folder.write("bin/cargo", &format!("#!/bin/sh\n{script}\n"));
        let cargo = folder.path("bin/cargo");
        std::fs::set_permissions(&cargo, std::fs::Permissions::from_mode(0o755)).expect("own file");
        folder
            .raywalk(&["selftest", "--criterion", "1000", "--out", "out"])
            .env_remove("CARGO")
            .env("PATH", folder.path("bin"))
            .assert()
            .code(3)
            .stdout("")
            .stderr(predicates::prelude::predicate::str::ends_with(expected));
    }
    assert!(!folder.path("out").exists(), "sessions began");
}
