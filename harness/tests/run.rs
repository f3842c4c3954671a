//! A whole run, small: plan, verification, rounds, journal, page, and going on after a stop.

use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::*;

mod folder;
use folder::Folder;

/// Two designs, two panels of small workloads, six rounds.
const PLAN: &str = r#"
seed = 7
rounds = 6
batch-ms = 0.1
designs = ["bell/last-square", "bitboard/hyperbola"]

[[panels]]
workload = "cycle-16"

[[panels]]
workload = "density-3"
stages = ["captures"]
"#;

/// A folder with the plan.
fn planned() -> Folder {
    let folder = Folder::new();
    folder.write("small.toml", PLAN);
    folder
}

fn run(folder: &Folder, more: &[&str]) -> Command {
    folder.raywalk(&[&["run", "--plan", "small.toml", "--out", "result"], more].concat())
}

fn lines(journal: &Path) -> Vec<String> {
    std::fs::read_to_string(journal).expect("a journal").lines().map(str::to_owned).collect()
}

fn rounds(journal: &Path) -> usize {
    lines(journal).iter().filter(|line| line.starts_with("{\"record\":\"round\"")).count()
}

#[test]
fn a_run_verifies_measures_keeps_its_journal_and_writes_the_page() {
    let folder = planned();
    run(&folder, &[]).assert().success().stdout(predicate::str::contains("report.html"));
    let journal = folder.path("result/journal.jsonl");
    assert_eq!(rounds(&journal), 12);
    assert!(lines(&journal).last().is_some_and(|line| line.starts_with("{\"record\":\"end\"")));
    let page = std::fs::read_to_string(folder.path("result/report.html")).expect("a page");
    for text in ["Bell ray loop", "cycle-16", "density-3", "<svg"] {
        assert!(page.contains(text), "the page lacks {text}");
    }
    // The page again, elsewhere, from the journal alone: the same bytes.
    folder.raywalk(&["report", "result", "-o", "again.html"]).assert().success();
    assert_eq!(std::fs::read_to_string(folder.path("again.html")).expect("a page"), page);
}

#[test]
fn a_stopped_run_goes_on_and_loses_nothing() {
    let folder = planned();
    run(&folder, &[]).assert().success();
    let journal = folder.path("result/journal.jsonl");
    let whole = lines(&journal);
    let third = whole.iter().position(|line| line.contains("\"round\":2")).expect("a third round");
    // As a killed process leaves it: two rounds, and the third torn in the middle.
    let torn = format!("{}\n{}", whole[..third].join("\n"), &whole[third][..40]);
    std::fs::write(&journal, torn).expect("written");

    run(&folder, &[]).assert().code(2).stderr(predicate::str::contains("--resume"));
    run(&folder, &["--resume"]).assert().success();
    assert_eq!(lines(&journal)[..third], whole[..third], "what was journalled has changed");
    assert_eq!(rounds(&journal), 12);
}

#[test]
fn a_dry_run_measures_nothing() {
    let folder = planned();
    run(&folder, &["--dry-run"])
        .assert()
        .success()
        .stdout(predicate::str::contains("cycle-16/replay-16/all"));
    assert!(!folder.path("result").exists());
}

#[test]
fn a_foreign_journal_is_not_gone_on_with() {
    let folder = planned();
    run(&folder, &[]).assert().success();
    let journal = folder.path("result/journal.jsonl");
    let text = std::fs::read_to_string(&journal).expect("a journal");
    std::fs::write(&journal, text.replacen("\"seed\":7", "\"seed\":8", 1)).expect("written");
    run(&folder, &["--resume"]).assert().code(2).stderr(predicate::str::contains("seed"));
}
