//! `raywalk run --shard` and `raywalk merge`: a plan in parts.

use predicates::prelude::*;
use raywalk_results::journal::{self, Results};

use crate::folder::{Folder, PLAN};

/// Runs a shard of the plan `small.toml` into a folder of its name.
fn shard(folder: &Folder, shard: &str, out: &str, more: &[&str]) {
    let words = ["run", "--plan", "small.toml", "--shard", shard, "--out", out];
    folder.raywalk(&[&words, more].concat()).assert().success();
}

fn read(folder: &Folder, out: &str) -> Results {
    let text = folder.read(&format!("{out}/journal.jsonl"));
    journal::read(text.as_bytes()).expect("a journal")
}

/// Panel, round, first position and root of each round, and what the seed draws for its process.
fn windows(results: &Results) -> Vec<(String, u64, u64, u64, u64, u64)> {
    let process = |number: u64| &results.processes[number as usize];
    let of = |round: &raywalk_results::schema::Round| {
        let place = process(round.process);
        (round.panel.clone(), round.round, round.first, round.root, place.share, place.padding)
    };
    results.panels.iter().flat_map(|panel| panel.rounds.iter().map(of)).collect()
}

#[test]
fn merged_shards_have_the_windows_of_the_whole_plan() {
    let folder = Folder::planned(PLAN);
    // At once, since no time is compared.
    std::thread::scope(|scope| {
        scope.spawn(|| folder.run(&[]).assert().success());
        for (number, out) in ["1/3", "2/3", "3/3"].into_iter().zip(["a", "b", "c"]) {
            let folder = &folder;
            scope.spawn(move || shard(folder, number, out, &[]));
        }
    });
    let merged = folder.answer(&["merge", "all", "c", "a", "b/journal.jsonl"]);
    assert!(merged.starts_with("3 shards of small, 2 panels, 12 rounds in "), "{merged}");
    let (whole, all) = (read(&folder, "result"), read(&folder, "all"));
    assert_eq!(windows(&all), windows(&whole));
    let ids = |results: &Results| -> Vec<String> {
        results.panels.iter().map(|panel| panel.panel.id.clone()).collect()
    };
    assert_eq!(ids(&all), ids(&whole), "the order of the plan");
    // A shard says what it is, alone and on its page.
    let lone = folder.answer(&["report", "b", "-o", "b.html"]);
    assert!(lone.ends_with("b.html\n"), "{lone}");
    assert!(folder.read("b.html").contains("shard 2/3 of its plan"));
    folder.raywalk(&["report", "all"]).assert().success();
    assert!(folder.read("all/report.html").contains("3 merged shards"));

    let refused = |words: &[&str], sentence: &str| {
        let words = [&["merge", "other"], words].concat();
        folder.raywalk(&words).assert().code(2).stderr(predicate::str::contains(sentence));
        assert!(!folder.path("other").exists());
    };
    refused(&["a", "c"], "a shard is missing: 2/3");
    refused(&["a", "b", "c", "b"], "shard 2/3 is there twice: b and b");
    refused(&["a", "result"], "result is no shard");
    shard(&folder, "2/3", "seed", &["--seed", "8"]);
    refused(&["a", "seed", "c"], "seed is `7` in the first and `8` in the second");
    let stopped = folder.read("b/journal.jsonl");
    let (before, _) = stopped.trim_end().rsplit_once('\n').expect("lines");
    folder.write("stopped/journal.jsonl", &format!("{before}\n"));
    refused(&["a", "stopped", "c"], "stopped is not finished; continue shard 2/3");
    folder.raywalk(&["merge", "all", "a", "b", "c"]).assert().code(2);
    // Resuming needs no flag but the folder, and gives the missing shard.
    folder.raywalk(&["run", "--resume", "--out", "stopped"]).assert().success();
    folder.raywalk(&["merge", "again", "a", "stopped", "c"]).assert().success();
    assert_eq!(windows(&read(&folder, "again")), windows(&whole));
}

#[test]
fn a_dry_run_of_a_shard_prints_its_rounds() {
    let folder = Folder::planned(PLAN);
    let rounds = |shard: &str| -> u64 {
        let text = folder.answer(&["run", "--plan", "small.toml", "--dry-run", "--shard", shard]);
        let rows = text.lines().filter(|line| line.contains('/') && line.starts_with("  "));
        rows.filter_map(|row| row.split_whitespace().nth(1)?.parse::<u64>().ok()).sum()
    };
    let shards = ["1/3", "2/3", "3/3"].map(rounds);
    assert_eq!(shards.iter().sum::<u64>(), rounds("1/1"), "{shards:?}");
    assert!(shards.iter().all(|&rounds| rounds > 0), "{shards:?}");
}
