//! `raywalk report --check`: which journals `docs/results` accepts.

use predicates::prelude::*;
use raywalk_results::fixture::{self, Recipe};
use raywalk_results::schema::{Profile, Record, Selftest, Status};

use crate::folder::{Folder, JOURNAL, PLAN, raywalk};

/// The commit that this source tree was made from.
fn commit() -> Option<String> {
    let git = std::process::Command::new("git")
        .args(["-C", env!("CARGO_MANIFEST_DIR"), "rev-parse", "HEAD"])
        .output()
        .ok()?;
    git.status.success().then(|| String::from_utf8_lossy(&git.stdout).trim().to_owned())
}

/// A journal with nothing against it, in which this text replaces that one.
fn journal(commit: &str, from: &str, to: &str) -> String {
    let recipe = Recipe { designs: 3, shares: 8, rounds: 24, ..Recipe::SMALL };
    let mut records = recipe.records();
    records.retain(|record| {
        !matches!(record, Record::Design(design) if matches!(design.status, Status::Wrong { .. }))
    });
    if let Some(Record::Session(session)) = records.first_mut() {
        session.build.dirty = false;
        session.build.commit = Some(commit.to_owned());
        session.build.profile = Profile::release();
    }
    records.insert(1, Record::Selftest(Selftest::default()));
    let text = fixture::text(&records);
    assert!(text.contains(from), "no {from}");
    text.replacen(from, to, 1)
}

#[test]
fn a_sound_journal_is_accepted_and_each_fault_is_a_sentence() {
    let Some(commit) = commit() else { return };
    let folder = Folder::new();
    let path = |name: &str| folder.path(name).display().to_string();
    let check = |name: &str, text: &str| {
        folder.write(name, text);
        // Tests run in the source tree, whose history the command asks.
        raywalk(&["report", "--check", &path(name)]).assert()
    };
    let plan = "\"plan\":\"synthetic\"";
    check("good.jsonl", &journal(&commit, plan, plan)).success().stdout(format!(
        "{}: can be contributed: Synthetic processor 1, family 0 model 0 stepping 0, 2 panels, 48 rounds\n",
        path("good.jsonl")
    ));
    let unknown = "0".repeat(40);
    let folder_of = "none: this journal was made by a formula";
    for (name, text, sentence) in [
        ("commit", journal(&unknown, plan, plan), "of the build is not known here"),
        ("folder", journal(&commit, folder_of, "raywalk run --out=/home/x/y"), "`/home/x/y`"),
        ("dirty", journal(&commit, "\"dirty\":false", "\"dirty\":true"), "uncommitted changes"),
        (
            "plugin",
            journal(
                &commit,
                "\"status\":",
                "\"plugin\":{\"file\":\"x.so\",\"digest\":\"1\"},\"status\":",
            ),
            "is a plug-in",
        ),
        (
            "positions",
            journal(&commit, "\"workload\":\"ab4\"", "\"workload\":\"own\""),
            "Workload own comes from a file",
        ),
        ("rounds", journal(&commit, "\"rounds\":24", "\"rounds\":25"), "has 24 of its 25 rounds"),
        (
            "shard",
            journal(&commit, plan, "\"plan\":\"synthetic\",\"shard\":\"1/2\""),
            "It is shard 1/2 of its plan",
        ),
    ] {
        let name = format!("{name}.jsonl");
        let line =
            predicate::str::starts_with(format!("{}: cannot be contributed\n  ", path(&name)));
        let one = predicate::function(|text: &str| text.lines().count() == 2);
        check(&name, &text).code(1).stdout(line.and(predicate::str::contains(sentence)).and(one));
    }
    let text = journal(&commit, plan, plan);
    let stopped = &text[..text.trim_end().rfind('\n').expect("lines") + 1];
    check("stopped.jsonl", stopped)
        .code(1)
        .stdout(predicate::str::contains("The session was stopped before its end"));
    // One that cannot be contributed is enough; bad input has its own code.
    let both = ["report", "--check", "good.jsonl", "stopped.jsonl"];
    folder.raywalk(&both).assert().code(1);
    folder.raywalk(&["report", "--check", "nowhere.jsonl"]).assert().code(2);
    folder.raywalk(&["report", "--check", "good.jsonl", "--open"]).assert().code(2);
}

#[test]
fn a_measured_journal_names_no_folder_and_no_user() {
    let folder = Folder::planned(PLAN);
    let path = |name: &str| folder.path(name).display().to_string();
    let (plan, out) = (path("small.toml"), path("result"));
    let mut run = folder.raywalk(&["run", "--plan", &plan, "--out", &out]);
    run.env("USER", "someone-special").assert().success();
    let text = folder.read(JOURNAL);
    let above = folder.path("").display().to_string();
    let above = above.trim_end_matches('/');
    for name in ["someone-special", above, env!("CARGO_MANIFEST_DIR")] {
        assert!(!text.contains(name), "{name}");
    }
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    assert!(host.trim().len() < 4 || !text.contains(host.trim()), "{host}");
    // A program with debug assertions was built here, so nothing but its build and its rounds is named.
    let checked = folder.raywalk(&["report", "--check", "result"]).assert();
    let printed = String::from_utf8(checked.get_output().stdout.clone()).expect("text");
    assert!(!printed.contains("names a folder") && !printed.contains("contains `"), "{printed}");
    // Positions from a file keep their folder in the plan, which the check refuses.
    folder.write("own.epd", "4k3/8/8/8/8/8/8/4K2R w K -\n4k3/8/8/8/8/8/8/4K1R1 w - -\n");
    let words = ["run", "--workload", &path("own.epd"), "--replay", "2", "--out", "own"];
    let small = ["--design", "bell/last-square", "--plan", "small.toml"];
    folder.raywalk(&[&words[..], &small].concat()).assert().success();
    let refused = folder.raywalk(&["report", "--check", "own"]).assert().code(1);
    refused.stdout(
        predicate::str::contains("Workload own.epd comes from a file")
            .and(predicate::str::contains("It names a folder of a machine, `/")),
    );
}
