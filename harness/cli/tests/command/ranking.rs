//! `raywalk ranking` on several results.

use predicates::prelude::*;
use raywalk_results::fixture::{self, Recipe};

use crate::folder::{Folder, journal};

#[test]
fn a_ranking_is_stable_unless_two_results_contradict_each_other() {
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
        (&["one", "empty"], "no panel has rounds in all"),
        (&["one"], "2 values required"),
        (&[], "RESULT"),
    ] {
        ranking(words).code(2).stdout("").stderr(predicate::str::contains(why));
    }
}
