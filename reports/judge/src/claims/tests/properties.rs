//! Claims that hold under some conditions and fail under others: the properties that they depend on.

use raywalk_results::schema::RegimeKind;

use super::*;

/// Beta twice as fast as gamma, but twice as slow in the replay. Each panel is there so many times, with workloads of
/// their own.
fn turning(times: usize) -> Results {
    let mut results = session(0.5);
    for round in &mut results.panels[0].rounds {
        let beta =
            |sample: &&mut raywalk_results::schema::Sample| sample.design == "synthetic-beta";
        round.samples.iter_mut().filter(beta).for_each(|sample| sample.ticks *= 4);
    }
    for panel in results.panels.clone() {
        for number in 1..times {
            let mut again = panel.clone();
            again.panel.id = format!("{}-{number}", panel.panel.id);
            again.panel.workload = format!("{}-{number}", panel.panel.workload);
            results.panels.push(again);
        }
    }
    results
}

#[test]
fn outcomes_that_differ_name_what_they_turn_on() {
    let results = turning(8);
    let (conditions, decision) = judged(&results, &beta_against_gamma(""));
    let outcomes = |outcome| conditions.iter().filter(|one| one.outcome == outcome).count();
    assert_eq!((outcomes(Outcome::Contradicts), outcomes(Outcome::Holds)), (8, 8));
    // A session without a curve does not show what is memorised; each workload is there once.
    let on = [Property::Regime, Property::Order].map(|one| vec![one]).into();
    assert_eq!(decision, Decision::Depends { on, against: 0 });
    // Two conditions differ in everything, and chance would separate them.
    let decision = decided(&turning(1), &beta_against_gamma(""));
    assert_eq!(decision, Decision::Depends { on: Vec::new(), against: 0 });
    let replay = beta_against_gamma(", where = { regimes = [\"replay\"] }");
    assert_eq!(decided(&results, &replay), Decision::Contradicted);
    let tree = beta_against_gamma(", where = { orders = [\"tree\"], workloads = [\"ab*\"] }");
    assert_eq!(decided(&results, &tree), Decision::Supported);
}

#[test]
fn a_difference_that_shows_only_in_what_is_memorised_turns_on_that() {
    let times = [("synthetic-beta", 0.5), ("synthetic-gamma", 1.0)];
    let mut results = fixture::with_times(Recipe::FULL.results(), &times);
    let before = results.clone();
    let known = |panel: &raywalk_results::schema::Panel| {
        let judged = Judged::of(&before);
        let learnt = |id: &str| judged.has_memorised(panel, id) == Some(true);
        learnt("synthetic-beta") || learnt("synthetic-gamma")
    };
    let mut turned = 0;
    for panel in &mut results.panels {
        if known(&panel.panel) {
            turned += 1;
            for sample in panel.rounds.iter_mut().flat_map(|round| &mut round.samples) {
                // Learnt costs become lower still, so what is known stays known.
                if sample.design == "synthetic-gamma" {
                    sample.ticks = sample.ticks * 2 / 5;
                }
            }
        }
    }
    assert!((2..7).contains(&turned), "{turned}");
    // Each panel four times: chance would separate a few conditions.
    for panel in results.panels.clone() {
        for number in 1..4 {
            let mut again = panel.clone();
            again.panel.id = format!("{}-{number}", panel.panel.id);
            results.panels.push(again);
        }
    }
    let replays = beta_against_gamma(", where = { regimes = [\"replay\"] }");
    let (conditions, decision) = judged(&results, &replays);
    let contradicts = conditions.iter().filter(|one| one.outcome == Outcome::Contradicts);
    assert_eq!(contradicts.count(), 4 * turned);
    assert_eq!(decision, Decision::Depends { on: vec![vec![Property::Memorised]], against: 0 });
}

#[test]
fn two_properties_together_may_separate_what_neither_does() {
    use Outcome::{Contradicts, Holds};
    let condition = |regime: RegimeKind, call: Stage, workload: &str, outcome: Outcome| {
        let place = Place {
            regime: Some(regime),
            call: Some(Call::generate(call)),
            workload: Some(workload.to_owned()),
            ..Place::default()
        };
        Condition { place, ..Condition::new(0, Kind::Measured, outcome) }
    };
    // All moves in a stream hold, everything else contradicts, on each of eight workloads.
    let conditions: Vec<Condition> = ["a", "b", "c", "d", "e", "f", "g", "h"]
        .iter()
        .flat_map(|name| {
            [
                condition(RegimeKind::Stream, Stage::All, name, Holds),
                condition(RegimeKind::Stream, Stage::Captures, name, Contradicts),
                condition(RegimeKind::Replay, Stage::All, name, Contradicts),
            ]
        })
        .collect();
    let on = vec![vec![Property::Regime, Property::Call]];
    assert_eq!(decision::decide(&conditions, &[None]), Decision::Depends { on, against: 0 });
    // A count that holds has no regime and hides nothing.
    let mut counted = conditions.clone();
    counted.push(Condition::new(1, Kind::Counted, Holds));
    let on = vec![vec![Property::Regime, Property::Call]];
    assert_eq!(decision::decide(&counted, &[None, None]), Decision::Depends { on, against: 0 });
    // Without the workloads every condition has a pair of its own.
    assert_eq!(
        decision::decide(&conditions[..3], &[None]),
        Decision::Depends { on: Vec::new(), against: 0 }
    );
}
