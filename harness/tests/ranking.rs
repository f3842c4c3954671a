//! Rankings of several results, as a user asks for them.

use assert_cmd::Command;
use predicates::prelude::*;
use raywalk_reports::schema::Record;

#[path = "../../reports/tests/fixture/mod.rs"]
mod fixture;
use fixture::Recipe;

/// A session in which beta takes so many times the ticks that it took.
fn journal(seed: u64, stretch: f64) -> String {
    let mut records = Recipe { seed, designs: 3, rounds: 40, ..Recipe::SMALL }.records();
    let rounds = records.iter_mut().filter_map(|record| match record {
        Record::Round(round) => Some(round),
        _ => None,
    });
    for sample in rounds.flat_map(|round| &mut round.samples) {
        if sample.design == "synthetic-beta" {
            sample.ticks = (sample.ticks as f64 * stretch) as u64;
        }
    }
    fixture::text(&records)
}

#[test]
fn a_ranking_is_stable_until_two_results_contradict_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        std::fs::create_dir_all(folder.path().join(name)).expect("a folder");
        std::fs::write(folder.path().join(name).join("journal.jsonl"), text).expect("written");
    };
    write("one", &journal(1, 1.0));
    write("two", &journal(2, 1.0));
    write("three", &journal(3, 2.0));
    write("empty", &fixture::text(&Recipe { rounds: 0, ..Recipe::SMALL }.records()));
    write("broken", "{}\n");
    let ranking = |words: &[&str]| {
        let mut command = Command::cargo_bin("raywalk").expect("the program of this package");
        command.current_dir(folder.path()).arg("ranking").args(words).assert()
    };
    let stable = "stable: no two sessions contradict each other (2 panels)\n";
    ranking(&["one", "two/journal.jsonl"]).success().stdout(predicate::str::ends_with(stable));
    ranking(&["one", "two", "three"])
        .code(1)
        .stdout(predicate::str::contains("synthetic-alpha in ab4/stream-tree/all"))
        .stdout(predicate::str::contains("\nnot stable: "));
    for (words, why) in [
        (&["one", "nowhere"][..], "cannot open nowhere"),
        (&["one", "broken"], "line 1"),
        (&["one", "empty"], "no panel in common"),
        (&["one"], "2 values required"),
        (&[], "RESULT"),
    ] {
        ranking(words).code(2).stdout("").stderr(predicate::str::contains(why));
    }
}
