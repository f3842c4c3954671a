//! The peers: in the plans that name them, left out with a sentence where they cannot be built, and, for
//! real, verified and measured.

#![cfg(unix)]

use predicates::prelude::*;
use serde_json::Value;

use crate::folder::{self, Folder, raywalk};

const PEERS: [&str; 4] = ["peer/cozy-chess-pext", "peer/cozy-chess", "peer/owlchess", "peer/chess"];

/// Legal and pseudo-legal designs with all peers: a stream in all stages, and a recorded search.
const PLAN: &str = r#"
seed = 7
rounds = 4
batch-ms = 0.1
processes = 2
designs = ["bitboard/hyperbola", "legal/hyperbola", "peer"]

[[panels]]
workload = "density-3"
stages = ["all", "captures", "quiets"]

[[panels]]
workload = "ab4"
calls = ["tree"]
"#;

fn first_line(words: &[&str]) -> String {
    // In a folder of its own, because a run tries whether a result can be written there.
    let shown = Folder::new().answer(words);
    shown.split("panel").next().expect("a line").replace('\n', " ")
}

#[test]
fn the_built_in_plans_name_peers_and_a_flag_leaves_them_out() {
    let dry = |more: &[&str]| first_line(&[&["run", "--dry-run"], more].concat());
    let quick = dry(&[]);
    assert!(quick.contains("plan quick, 15 designs"), "{quick}");
    for (peer, is_quick) in PEERS.into_iter().zip([true, false, true, false]) {
        let mut words = quick.split([' ', ',']);
        assert_eq!(words.any(|word| word == peer), is_quick, "{peer}: {quick}");
        assert!(dry(&["--plan", "full"]).contains(peer));
        assert!(dry(&["--design", "bell", "--design", "peer"]).contains(peer));
    }
    for words in [&["--no-peers"][..], &["--plan", "full", "--no-peers"], &["--design", "bell"]] {
        assert!(!dry(words).contains("peer/"), "{words:?}");
    }
    let none = predicate::str::contains("no built-in design takes part");
    Folder::new().raywalk(&["run", "--design", "peer"]).assert().code(2).stderr(none);
}

#[test]
fn peers_that_cannot_be_built_are_left_out_with_a_sentence() {
    // Nothing that takes long to make, because the cache is empty.
    let (plan, _) = PLAN.split_once("\n[[panels]]\nworkload = \"ab4\"").expect("two panels");
    let folder = Folder::planned(plan);
    // In the source tree, without which peers are left out for another reason.
    let path = |name| folder.path(name).display().to_string();
    let mut run = raywalk(&["run", "--plan", &path("small.toml"), "--out", &path("result")]);
    run.env("CARGO", "/no/such/cargo").env("RAYWALK_CACHE", folder.path("cache"));
    let assert = run.assert().success();
    let errors = String::from_utf8(assert.get_output().stderr.clone()).expect("text");
    for peers in ["peer/cozy-chess-pext", "peer/cozy-chess, peer/owlchess, peer/chess"] {
        let sentence = format!("without {peers}: cargo cannot be started");
        assert_eq!(errors.matches(&sentence).count(), 1, "{errors}");
    }
    let journal = folder.read(folder::JOURNAL);
    assert!(journal.contains("legal/hyperbola") && !journal.contains("peer/"));
    // The journal does not name them, so they stay out.
    folder.raywalk(&["run", "--resume", "--out", "result"]).assert().success();
}

/// The records of a kind in the journal of the run.
fn journal(folder: &Folder, kind: &str) -> Vec<Value> {
    let text = folder.read(folder::JOURNAL);
    let records = text.lines().map(|line| serde_json::from_str(line).expect("a record"));
    records.filter(|record: &Value| record["record"] == kind).collect()
}

#[test]
#[ignore = "builds the peers, which takes a minute"]
fn the_peers_are_built_once_verified_and_measured() {
    let folder = Folder::planned(PLAN);
    let cache = folder.path("cache");
    let command = |words: &[&str]| {
        let mut command = folder.raywalk(words);
        command.env("RAYWALK_CACHE", &cache);
        command
    };
    let built = command(&["peers"]).assert().success();
    let output = built.get_output().clone();
    let files = String::from_utf8(output.stdout).expect("paths");
    assert!(String::from_utf8_lossy(&output.stderr).contains("building peer/cozy-chess-pext"));
    command(&["peers"]).assert().success().stdout(files.clone()).stderr("");

    let plugins = files.lines().flat_map(|file| ["--plugin", file]);
    let words: Vec<&str> = ["verify", "--workload", "sp1:2000", "--format", "json"]
        .into_iter()
        .chain(plugins)
        .collect();
    let verified = command(&words).assert().success();
    let rows: Vec<Value> = serde_json::from_slice(&verified.get_output().stdout).expect("rows");
    let ids: Vec<_> = rows.iter().map(|row| row["design"].as_str().expect("an id")).collect();
    assert_eq!(ids, PEERS);
    assert!(rows.iter().all(|row| row["verified"] == true), "{rows:?}");

    command(&folder::RUN).assert().success();
    let designs = journal(&folder, "design");
    assert_eq!(designs.len(), 6);
    assert!(designs.iter().filter(|design| design["plugin"].is_object()).count() == 4);
    for panel in journal(&folder, "panel") {
        assert_eq!(panel["designs"].as_array().expect("ids").len(), 6, "{panel}");
    }
    assert!(journal(&folder, "dropped").is_empty());
    let page = folder.read(folder::PAGE);
    assert!(PEERS.iter().all(|peer| page.contains(peer)) && page.contains("(plug-in)"));
    // The same peers join a resumed run.
    command(&["run", "--resume", "--out", "result"]).assert().success();
}
