//! `raywalk selftest`: its JSON, and a cargo that fails before its sessions begin.

use serde_json::Value;

mod folder;
use folder::{Folder, is_documented};

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
    assert_eq!(keys(&found), ["knee", "seconds", "trials"]);
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
            .raywalk(&["selftest", "--sessions", "1000", "--criterion", "--out", "out"])
            .env_remove("CARGO")
            .env("PATH", folder.path("bin"))
            .assert()
            .code(3)
            .stdout("")
            .stderr(predicates::prelude::predicate::str::ends_with(expected));
    }
    assert!(!folder.path("out").exists(), "sessions began");
}
