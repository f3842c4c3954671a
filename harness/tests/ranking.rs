//! Rankings of several results, as a user asks for them.

use predicates::prelude::*;

#[path = "../../reports/tests/fixture/mod.rs"]
mod fixture;
mod folder;
use fixture::Recipe;
use folder::Folder;

/// A session in which beta takes so many times the ticks that it took.
fn journal(seed: u64, stretch: f64) -> String {
    let mut records = Recipe { seed, designs: 3, rounds: 40, ..Recipe::SMALL }.records();
    fixture::stretch(&mut records, "synthetic-beta", stretch);
    fixture::text(&records)
}

#[test]
fn a_ranking_is_stable_until_two_results_contradict_each_other() {
    let folder = Folder::new();
    let write = |name: &str, text: &str| folder.write(&format!("{name}/journal.jsonl"), text);
    write("one", &journal(1, 1.0));
    write("two", &journal(2, 1.0));
    write("three", &journal(3, 2.0));
    write("empty", &fixture::text(&Recipe { rounds: 0, ..Recipe::SMALL }.records()));
    write("broken", "{}\n");
    let ranking = |words: &[&str]| folder.raywalk(&[&["ranking"], words].concat()).assert();
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
