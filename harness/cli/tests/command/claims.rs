//! `raywalk claims`: lists, judges stored results, and measures.

use predicates::prelude::*;
use serde_json::Value;

use crate::folder::{Folder, is_documented, journal, output, raywalk};

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// A session of three designs, two of which have the ids that T12 is about. `ferret/end-origin` takes this many
/// times its time.
fn session(stretch: f64) -> String {
    let named = journal(1, stretch).replace("synthetic-beta", "ferret/end-origin");
    named.replace("synthetic-alpha", "butterfly/i16")
}

#[test]
fn the_list_tells_what_supports_and_what_contradicts_each_claim() {
    let text = output(raywalk(&["claims", "--list"]));
    assert!(text.contains("1. measured, one parameter differs\n"), "{text}");
    assert!(text.contains("without a session: contradicted"), "{text}");
    let list = json(&output(raywalk(&["claims", "--list", "--format", "json"])));
    is_documented(&["claims"], &list);
    let list = list.as_array().expect("claims");
    assert_eq!(list.len(), 76);
    for claim in list {
        let tests = claim["tests"].as_array().expect("tests");
        assert_eq!(tests.is_empty(), !claim["verdict"]["why"].is_null(), "{claim}");
    }
    let t7 = list.iter().find(|claim| claim["claim"] == "T7").expect("a claim");
    assert_eq!(t7["verdict"]["decision"], "contradicted");
}

#[test]
fn a_stored_session_judges_every_claim_and_the_opposite_one_the_other_way() {
    let folder = Folder::new();
    folder.write("fast/journal.jsonl", &session(0.7));
    folder.write("slow/journal.jsonl", &session(1.6));
    let judged = json(&folder.answer(&["claims", "fast", "slow", "--format", "json"]));
    is_documented(&["claims", "compare"], &judged);
    let decision = |place: usize| {
        let claims = judged[place]["claims"].as_array().expect("claims");
        assert_eq!(claims.len(), 76);
        let t12 = claims.iter().find(|claim| claim["claim"] == "T12").expect("a claim").clone();
        assert_eq!(t12["robustness"][0]["conditions"], 2);
        t12["decision"].clone()
    };
    assert_eq!((decision(0), decision(1)), ("supported".into(), "contradicted".into()));
    let text = folder.answer(&["claims", "slow", "--claim", "T12"]);
    let expected = "contradicts in 2 conditions: regime replay, stream;";
    assert!(text.contains(expected), "{text}");
    assert!(text.ends_with("Of 1 claim: 1 contradicted.\n"), "{text}");
    let markdown = folder.answer(&["claims", "slow", "--format", "markdown"]);
    assert!(
        markdown.contains("| T12 | Ferret's list") && markdown.contains("\n## Not testable here\n")
    );
}

#[test]
fn the_plan_of_the_claims_is_a_plan_file() {
    let folder = Folder::new();
    let plan = folder.answer(&["claims", "--claim", "T26", "--print-plan"]);
    folder.write("claims.toml", &plan);
    let shown = folder.answer(&["run", "--plan", "claims.toml", "--dry-run"]);
    assert!(shown.contains("2 designs: reul/blocker-loop, reul/vector-attacks"), "{shown}");
    assert!(shown.contains("ab4/cold-tree/captures"), "{shown}");
}

/// A measurement of six rounds resolves nothing, and says so.
#[test]
fn claims_are_measured_by_a_plan_and_judged() {
    let plan = "seed = 7\nrounds = 6\nbatch-ms = 0.1\nprocesses = 2\n\
                designs = [\"bell/last-square\", \"bell/steps\"]\n[[panels]]\nworkload = \"cycle-16\"\n";
    let folder = Folder::planned(plan);
    let words =
        ["claims", "--claim", "T11", "--plan", "small.toml", "--out", "result", "--format", "json"];
    let judged = json(&folder.answer(&words));
    let claim = &judged[0]["claims"][0];
    assert_eq!(claim["claim"], "T11");
    assert_eq!(claim["conditions"][0]["one"], "bell/last-square");
    assert!(folder.path("result/report.html").exists());
    // The run has ended, so its journal is judged again.
    let again = folder.answer(&[&words[..], &["--resume"]].concat());
    assert_eq!(json(&again), judged);
    folder.write("small.toml", &plan.replace("rounds = 6", "rounds = 8"));
    let other = folder.raywalk(&[&words[..], &["--resume"]].concat()).assert().code(2).stdout("");
    other
        .stderr(predicate::str::contains("was begun with other flags: rounds `6` there, `8` here"));
}

#[test]
fn bad_input_gets_one_sentence() {
    let folder = Folder::new();
    for (words, why) in [
        (&["claims", "nowhere"][..], "cannot open nowhere"),
        (&["claims", "--claim", "Q1"], "no claim is called `Q1`"),
        (&["claims", "--list", "--resume"], "cannot be used with"),
        (&["claims", "nowhere", "--plan", "quick"], "cannot be used with"),
        (&["claims", "--claim", "T16"], "no measurement is needed for these claims"),
        (&["claims", "--plan", "nowhere.toml"], "nowhere.toml"),
    ] {
        let refused = folder.raywalk(words).assert().code(2).stdout("");
        refused.stderr(predicate::str::contains(why));
    }
}
