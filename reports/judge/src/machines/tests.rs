use raywalk_results::fixture::{self, Recipe};
use raywalk_results::journal::Results;
use raywalk_results::schema::{Cache, CacheName, Knee};

use super::*;
use crate::claims::parse;

/// A session of machine `seed` in which beta takes this part of the time of gamma.
fn session(seed: u64, beta: f64, reach: f64, last_cache: u64) -> Results {
    let times = [("synthetic-beta", beta), ("synthetic-gamma", 1.0)];
    let recipe = Recipe { seed, designs: 3, ..Recipe::SMALL };
    let mut results = fixture::with_times(recipe.results(), &times);
    let knee = Knee {
        branches: reach,
        low: reach,
        high: reach,
        learnt_ns: 1.0,
        fresh_ns: 5.0,
        curve: Vec::new(),
    };
    results.selftest = vec![Selftest { knee: Some(knee), width: Some(4.0), ..Selftest::default() }];
    let cache = |name, bytes| Cache { name, bytes, ways: 8, line: 64 };
    results.session.machine.caches =
        vec![cache(CacheName::L1Data, 32 << 10), cache(CacheName::L2, last_cache)];
    results
}

fn claims() -> Vec<Claim> {
    let compare = |id: &str, one: &str, other: &str| {
        format!(
            "[[claim]]\nid = \"{id}\"\nsays = \"so\"\nsource = \"a test\"\n\
             compare = [{{ one = [\"synthetic-{one}\"], other = [\"synthetic-{other}\"] }}]\n"
        )
    };
    let text = [
        compare("X1", "beta", "gamma"),
        compare("X2", "beta", "alpha"),
        compare("X3", "beta", "nobody"),
    ];
    parse("x.toml", &text.concat()).expect("claims")
}

/// Id, the verdict on each machine, and what separates them.
type Row = (String, Vec<String>, Option<Vec<Trait>>);

fn side_by_side(sessions: &[Results], claims: &[Claim]) -> Option<Vec<Row>> {
    let judged: Vec<Judged<'_>> = sessions.iter().map(Judged::of).collect();
    let found = machines(&judged, claims)?;
    let text = |verdict: Option<String>| verdict.unwrap_or_else(|| "open".to_owned());
    let row = |one: OnMachines<'_>| {
        let verdicts = one.verdicts.into_iter().map(text).collect();
        (one.claim.id.clone(), verdicts, one.turns)
    };
    Some(found.claims.into_iter().map(row).collect())
}

#[test]
fn a_verdict_that_turns_names_the_traits_that_separate_the_machines() {
    let claims = claims();
    // Reach rises with the verdict, the last cache does not.
    let sessions = [
        session(1, 0.8, 9_000.0, 1 << 20),
        session(2, 1.25, 2_000.0, 4 << 20),
        session(3, 0.8, 9_500.0, 8 << 20),
    ];
    let found = side_by_side(&sessions, &claims).expect("three machines");
    let words = |verdicts: [&str; 3]| verdicts.map(str::to_owned).to_vec();
    assert_eq!(
        found,
        [
            (
                "X1".to_owned(),
                words(["supported", "contradicted", "supported"]),
                Some(vec![Trait::Reach])
            ),
            (
                "X2".to_owned(),
                words(["supported", "contradicted", "supported"]),
                Some(vec![Trait::Reach])
            )
        ],
        "nobody decides X3"
    );
    // Of the first two machines the caches differ as well, and nothing tells the traits apart.
    let found = side_by_side(&sessions[..2], &claims).expect("two machines");
    let both = vec![Trait::Reach, Trait::SecondCache, Trait::LastCache];
    assert_eq!(found[0].2, Some(both));
}

#[test]
fn a_verdict_that_all_machines_share_does_not_turn_and_one_machine_is_not_compared() {
    let claims = claims();
    let alike = [session(1, 0.8, 9_000.0, 1 << 20), session(2, 0.7, 2_000.0, 4 << 20)];
    let found = side_by_side(&alike, &claims).expect("two machines");
    assert!(found.iter().all(|(_, verdicts, turns)| {
        turns.is_none() && verdicts.iter().all(|verdict| verdict == "supported")
    }));
    let mut again = session(2, 1.25, 9_000.0, 1 << 20);
    again.session.machine = alike[0].session.machine.clone();
    assert_eq!(side_by_side(&[alike[0].clone(), again.clone()], &claims), None);
    // Two sessions of one machine that disagree are one verdict of that machine.
    let found = side_by_side(&[alike[0].clone(), again, alike[1].clone()], &claims);
    let found = found.expect("two machines");
    assert_eq!(found[0].1, ["supported, and in another session contradicted", "supported"]);
    assert!(found[0].2.is_some());
}

#[test]
fn a_trait_that_some_machine_does_not_know_separates_nothing() {
    let claims = claims();
    let mut sessions = [session(1, 0.8, 9_000.0, 1 << 20), session(2, 1.25, 2_000.0, 1 << 20)];
    assert_eq!(side_by_side(&sessions, &claims).expect("two")[0].2, Some(vec![Trait::Reach]));
    sessions[1].selftest.clear();
    assert_eq!(side_by_side(&sessions, &claims).expect("two")[0].2, Some(Vec::new()));
    let judged: Vec<Judged<'_>> = sessions.iter().map(Judged::of).collect();
    let found = machines(&judged, &claims).expect("two machines");
    let texts = |number: usize| {
        let traits = Trait::ALL.into_iter().zip(found.machines[number].traits);
        traits.map(|(one, value)| one.text(value)).collect::<Vec<_>>()
    };
    assert_eq!(texts(0), ["9,000", "4.00", "32 KiB", "1 MiB", "1 MiB"]);
    assert_eq!(texts(1), ["–", "–", "32 KiB", "1 MiB", "1 MiB"]);
    assert_eq!((found.turning().count(), found.stable().count()), (2, 0));
}
