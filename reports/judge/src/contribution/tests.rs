use raywalk_results::fixture::Recipe;
use raywalk_results::schema::{Mark, Plugin, Profile, Selftest};

use super::*;

/// A session with nothing against it.
fn sound() -> Results {
    let mut results = Recipe { designs: 3, shares: 8, rounds: 24, ..Recipe::SMALL }.results();
    let session = &mut results.session;
    session.build.dirty = false;
    session.build.profile = Profile::release();
    session.command = "raywalk run --plan full --out result".to_owned();
    results.selftest.push(Selftest::default());
    results.designs.retain(|design| !matches!(design.status, Status::Wrong { .. }));
    results
}

fn found(change: fn(&mut Results)) -> Vec<String> {
    let mut results = sound();
    change(&mut results);
    let judged = Judged::of(&results);
    let is_known = |build: &Build| build.commit.as_deref() == Some("0000000");
    let is_workload = |name: &str| name != "own";
    let names = ["deepblue", "alice"].map(str::to_owned);
    let problems = problems(&judged, is_known, is_workload, &names);
    problems.iter().map(Problem::to_string).collect()
}

#[test]
fn a_complete_undisturbed_session_of_a_known_build_has_no_problem() {
    assert_eq!(found(|_| {}), Vec::<String>::new());
}

#[test]
fn what_is_missing_is_named() {
    let start = |change: fn(&mut Results), sentence: &str| {
        let found = found(change);
        assert!(found[0].starts_with(sentence) && found.len() == 1, "{sentence}: {found:?}");
    };
    start(|it| it.end = None, "The session was stopped before its end; resume");
    start(|it| it.truncated = true, "The session was stopped before its end; resume");
    start(|it| it.session.shard = Shard::new(2, 3), "It is shard 2/3 of its plan; put all");
    start(|it| it.skipped = 2, "2 records of a newer Raywalk were skipped");
    start(
        |it| it.panels[1].panel.rounds = 30,
        "Panel ab4/stream-tree/all has 24 of its 30 rounds.",
    );
    start(|it| it.selftest.clear(), "It has no results of the self-test");
}

#[test]
fn a_disturbed_session_and_an_unknown_build_are_named() {
    let disturbed = found(|it| {
        let rounds = it.panels.iter_mut().flat_map(|panel| &mut panel.rounds);
        rounds.for_each(|round| round.marks = vec![Mark::BusyNeighbour]);
    });
    assert!(
        disturbed[0].starts_with("100 % of the rounds were disturbed from outside"),
        "{disturbed:?}"
    );
    assert!(
        disturbed[0].ends_with("Stop other work on the machine or its host, and measure again.")
    );
    let loaded = found(|it| it.session.load = Some([9.0; 3]));
    assert!(loaded[0].starts_with("9.0 processes were ready to run"), "{loaded:?}");
    assert!(found(|it| it.session.build.commit = None)[0].starts_with("The build names no commit"));
    assert!(found(|it| it.session.build.dirty = true)[0].contains("had uncommitted changes"));
    let other = found(|it| it.session.build.commit = Some("1234".to_owned()));
    assert!(other[0].starts_with("The commit 1234 of the build is not known here"), "{other:?}");
    let flags = found(|it| it.session.build.flags.clear());
    assert!(flags[0].starts_with("The build lacks flags of the workspace"), "{flags:?}");
}

#[test]
fn what_others_do_not_have_is_named() {
    let plugin = Plugin { file: "mine.so".to_owned(), digest: String::new() };
    let mut with = sound();
    with.designs[1].plugin = Some(plugin);
    let judged = Judged::of(&with);
    let found_plugin = problems(&judged, |_| true, |_| true, &[]);
    assert_eq!(found_plugin, [Problem::Plugin { design: "synthetic-beta".to_owned() }]);
    let own = found(|it| it.panels[0].panel.workload = "own".to_owned());
    assert_eq!(own, ["Workload own comes from a file, which others do not have."]);
    let wrong = found(|it| it.designs[2].status = Status::Wrong { why: "perft".to_owned() });
    assert_eq!(wrong, ["synthetic-gamma is wrong on this machine: perft."]);
}

#[test]
fn folders_and_names_of_a_machine_are_found_wherever_they_stand() {
    let path = |path: &str| vec![format!("It names a folder of a machine, `{path}`.")];
    let plan = "workload = \"/home/alicia/own.epd\"\n";
    let mut results = sound();
    results.session.plan_file = plan.to_owned();
    let texts = private(&results, &[]);
    assert_eq!(texts, [Problem::Folder { path: "/home/alicia/own.epd".to_owned() }]);
    let flags = |it: &mut Results| it.session.build.flags.push_str(" -C linker=/opt/x/ld");
    assert_eq!(found(flags), path("/opt/x/ld"));
    assert_eq!(found(|it| it.session.command = "raywalk run --out ~/x".to_owned()), path("~/x"));
    let name =
        |it: &mut Results| it.session.machine.os = "Linux 6.1-deepblue (deepblue)".to_owned();
    let sentence = "It contains `deepblue`, the name of this machine or of its user.";
    assert_eq!(found(name), [sentence]);
    for (word, expected) in [
        ("/rustc/5980/library/core/src/slice.rs:12", false),
        ("ab4/stream-tree/all", false),
        ("/", false),
        ("/2", false),
        ("C:\\Users\\x", true),
        ("/work/x", true),
        ("//x", false),
    ] {
        assert_eq!(is_folder(word), expected, "{word}");
    }
    assert_eq!(private(&Recipe::FULL.results(), &["alice".to_owned()]), []);
}
