//! Claims judged on the synthetic session, in both directions.

use raywalk_results::fixture::{self, Recipe};
use raywalk_results::journal::Results;
use raywalk_results::schema::{Call, Search, Stage};
use raywalk_results::statistics::Verdict;

use super::*;

mod narrowed;
mod properties;
mod text;

/// A claim with these lines.
fn claim(tests: &str) -> Claim {
    let text = format!("[[claim]]\nid = \"X1\"\nsays = \"so\"\nsource = \"a test\"\n{tests}\n");
    parse("x.toml", &text).expect("a claim").remove(0)
}

fn beta_against_gamma(more: &str) -> Claim {
    claim(&format!(
        "compare = [{{ one = [\"synthetic-beta\"], other = [\"synthetic-gamma\"]{more} }}]"
    ))
}

/// The small session in which gamma takes the time of alpha and beta takes this part of it.
fn session(beta: f64) -> Results {
    let times = [("synthetic-beta", beta), ("synthetic-gamma", 1.0)];
    fixture::with_times(Recipe::SMALL.results(), &times)
}

fn judged(results: &Results, claim: &Claim) -> (Vec<Condition>, Decision) {
    let judged = Judged::of(results);
    let claims = [claim.clone()];
    let Judgement { conditions, decision, .. } = judge(&judged, &claims).remove(0);
    (conditions, decision)
}

fn decided(results: &Results, claim: &Claim) -> Decision {
    judged(results, claim).1
}

#[test]
fn a_claim_is_supported_by_a_session_and_contradicted_by_the_opposite_one() {
    let less = beta_against_gamma("");
    let (conditions, decision) = judged(&session(0.5), &less);
    assert_eq!((conditions.len(), decision), (2, Decision::Supported));
    for condition in &conditions {
        let Some(Verdict::Faster(by)) = condition.verdict else { panic!("{condition:?}") };
        assert!((by.middle - 2.0).abs() < 1e-3, "{by:?}");
        assert_eq!(condition.outcome, Outcome::Holds);
    }
    let (conditions, decision) = judged(&session(2.0), &less);
    assert_eq!(decision, Decision::Contradicted);
    let Some(Verdict::Slower(by)) = conditions[0].verdict else { panic!("{conditions:?}") };
    assert!((by.middle - 2.0).abs() < 1e-3, "{by:?}");
}

#[test]
fn what_is_expected_decides_what_equal_times_mean() {
    let same = session(1.0);
    let Decision::Equal { within } = decided(&same, &beta_against_gamma("")) else {
        panic!("not equal")
    };
    assert!((0.01..0.05).contains(&within), "{within}");
    assert_eq!(decided(&same, &beta_against_gamma(", expect = \"no-more\"")), Decision::Supported);
    let equal = beta_against_gamma(", expect = \"equal\"");
    assert_eq!(decided(&same, &equal), Decision::Supported);
    assert_eq!(decided(&session(0.5), &equal), Decision::Contradicted);
    assert_eq!(decided(&session(2.0), &equal), Decision::Contradicted);
}

#[test]
fn a_factor_asks_for_a_larger_difference() {
    let results = session(0.7);
    assert_eq!(decided(&results, &beta_against_gamma(", factor = 0.8")), Decision::Supported);
    assert_eq!(decided(&results, &beta_against_gamma(", factor = 0.6")), Decision::Contradicted);
    // As much as is claimed, neither more nor less, and no equality.
    assert_eq!(decided(&results, &beta_against_gamma(", factor = 0.7")), Decision::NotResolved);
    let slower = session(1.05);
    let little = beta_against_gamma(", expect = \"no-more\", factor = 1.1");
    assert_eq!(decided(&slower, &little), Decision::Supported);
}

#[test]
fn a_few_rounds_resolve_nothing() {
    let results = Recipe { rounds: 4, ..Recipe::SMALL }.results();
    let (conditions, decision) = judged(&results, &beta_against_gamma(""));
    assert_eq!(decision, Decision::NotResolved);
    assert!(conditions.iter().all(|one| one.verdict.is_none()) && conditions.len() == 2);
}

#[test]
fn a_claim_is_supported_only_if_every_test_was_measured() {
    let both = claim(
        "compare = [{ one = [\"synthetic-beta\"], other = [\"synthetic-gamma\"] },
         { one = [\"synthetic-mu\"], other = [\"synthetic-gamma\"] }]",
    );
    let why = "`synthetic-mu` needs AVX-512 VBMI2, which this machine lacks";
    let lacks = vec![why.to_owned()];
    assert_eq!(decided(&session(0.5), &both), Decision::NotMeasured { lacks });
    assert_eq!(decided(&session(2.0), &both), Decision::Contradicted);
    let other_call = beta_against_gamma(", where = { calls = [\"perft\"] }");
    let why = "no panel of the session has both sides (perft, every leaf made)";
    let lacks = vec![why.to_owned()];
    assert_eq!(decided(&session(0.5), &other_call), Decision::NotMeasured { lacks });
    let part = claim(
        "compare = [{ one = [\"synthetic-beta\", \"elsewhere/*\"], other = [\"synthetic-gamma\"] }]",
    );
    let lacks = vec!["`elsewhere/*` is not in the session".to_owned()];
    assert_eq!(decided(&session(0.5), &part), Decision::NotMeasured { lacks });
    let unknown = claim("compare = [{ one = [\"elsewhere/*\"], other = [\"synthetic-gamma\"] }]");
    let lacks = vec!["`elsewhere/*` is not in the session".to_owned()];
    assert_eq!(decided(&session(0.5), &unknown), Decision::NotMeasured { lacks });
}

#[test]
fn legal_designs_meet_others_only_where_they_walk_a_search() {
    let legal = claim("compare = [{ one = [\"synthetic-eta\"], other = [\"synthetic-beta\"] }]");
    let times = [("synthetic-eta", 0.5), ("synthetic-beta", 1.0)];
    let mut results = fixture::with_times(Recipe::SMALL.results(), &times);
    assert!(matches!(decided(&results, &legal), Decision::NotMeasured { .. }));
    results.panels[1].panel.call = Call::from(Search::Tree);
    let walk = claim(
        "compare = [{ one = [\"synthetic-eta\"], other = [\"synthetic-beta\"], where = { calls = [\"tree\"] } }]",
    );
    assert_eq!(decided(&results, &walk), Decision::Supported);
}

#[test]
fn the_fastest_of_several_designs_stands_for_them() {
    let best = claim(
        "compare = [{ one = [\"synthetic-zeta/*\"], other = [\"synthetic-*\"], expect = \"no-more\" }]",
    );
    let times = |line| {
        [("synthetic-zeta/line", line), ("synthetic-zeta/ray", 0.4), ("synthetic-delta", 0.3)]
    };
    let results = fixture::with_times(Recipe::SMALL.results(), &times(0.2));
    let (conditions, decision) = judged(&results, &best);
    let names = |one: &Condition| (one.one.clone(), one.other.clone());
    let line = Some("synthetic-zeta/line".to_owned());
    let delta = Some("synthetic-delta".to_owned());
    assert_eq!(conditions.len(), 2, "legal designs stay apart");
    let stream = conditions.iter().find(|one| one.place.order == Some(Order::Tree));
    assert_eq!(stream.map(names), Some((line, delta.clone())));
    assert_eq!(decision, Decision::Supported);
    let opposite = fixture::with_times(Recipe::SMALL.results(), &times(0.5));
    let (conditions, decision) = judged(&opposite, &best);
    let ray = Some("synthetic-zeta/ray".to_owned());
    let stream = conditions.iter().find(|one| one.place.order == Some(Order::Tree));
    assert_eq!((stream.map(names), decision), (Some((ray, delta)), Decision::Contradicted));
}

#[test]
fn two_calls_of_one_design_are_compared_on_the_same_workload_and_regime() {
    let stages = claim(
        "compare = [{ one = [\"synthetic-alpha\"], other = [\"synthetic-alpha\"], \
         other-call = \"captures\", expect = \"no-more\", factor = 1.25 }]",
    );
    // Captures take 42 % of the time of all moves.
    let mut results = Recipe::FULL.results();
    let (conditions, decision) = judged(&results, &stages);
    assert_eq!((conditions.len(), decision), (2, Decision::Contradicted));
    for panel in &mut results.panels {
        if panel.panel.call == Call::generate(Stage::Captures) {
            for sample in panel.rounds.iter_mut().flat_map(|round| &mut round.samples) {
                sample.ticks = (sample.ticks as f64 / 0.42) as u64;
            }
        }
    }
    assert_eq!(decided(&results, &stages), Decision::Supported);
}

#[test]
fn counts_come_from_traces_and_cards() {
    let results = Recipe::FULL.results();
    let count = |one: &str, other: &str, of: &str| {
        claim(&format!("count = [{{ one = [\"{one}\"], other = [\"{other}\"], of = \"{of}\" }}]"))
    };
    // Beta executes 270 ÷ 310 of the instructions of alpha, and misses 1,180 ÷ 1,450 as often.
    let fewer = count("synthetic-beta", "synthetic-alpha", "instructions");
    let (conditions, decision) = judged(&results, &fewer);
    assert_eq!((conditions.len(), decision), (2, Decision::Supported));
    let Some(Verdict::Faster(by)) = conditions[0].verdict else { panic!("{conditions:?}") };
    assert!((by.middle - 310.0 / 270.0).abs() < 1e-9 && by.low == by.high);
    let more = count("synthetic-alpha", "synthetic-beta", "instructions");
    assert_eq!(decided(&results, &more), Decision::Contradicted);
    let misses = count("synthetic-beta", "synthetic-alpha", "mispredictions");
    let (conditions, decision) = judged(&results, &misses);
    assert_eq!((conditions[0].kind, decision), (Kind::Modelled, Decision::Supported));
    let bytes = count("synthetic-beta", "synthetic-gamma", "table-bytes");
    assert_eq!(decided(&results, &bytes), Decision::Supported);
    let untraced = decided(&Recipe::SMALL.results(), &misses);
    let lacks = vec!["the session has no trace of both sides".to_owned()];
    assert_eq!(untraced, Decision::NotMeasured { lacks });
}

#[test]
fn a_bound_holds_for_each_design_and_a_figure_needs_no_session() {
    let results = Recipe::FULL.results();
    // 310 × 2.9 ÷ 6 conditional and 0.5 indirect branches on 60 squares: 2.506.
    let bound = |most: f64| {
        claim(&format!(
            "bound = [{{ designs = [\"synthetic-alpha\"], of = \"branches\", per = \"square\", most = {most} }}]"
        ))
    };
    let (conditions, decision) = judged(&results, &bound(2.51));
    assert!((conditions[0].value.expect("a number") - 2.5056).abs() < 1e-3);
    assert_eq!(decision, Decision::Supported);
    assert_eq!(decided(&results, &bound(2.5)), Decision::Contradicted);
    let figure = |least: u64| {
        claim(&format!(
            "figure = [{{ what = \"a sum\", terms = [[2, 3], [4]], least = {least}, most = 10 }}]"
        ))
    };
    assert_eq!(decided(&results, &figure(10)), Decision::Supported);
    let small =
        claim("figure = [{ what = \"a sum\", terms = [[2, 3], [4]], least = 0, most = 9 }]");
    assert_eq!(decided(&results, &small), Decision::Contradicted);
}

#[test]
fn designs_that_fail_their_verification_contradict() {
    let results = Recipe::SMALL.results();
    let verified = |ids: &str| claim(&format!("verified = [{ids}]"));
    assert_eq!(decided(&results, &verified("\"synthetic-alpha\"")), Decision::Supported);
    assert_eq!(decided(&results, &verified("\"synthetic-nu\"")), Decision::Contradicted);
    assert!(matches!(
        decided(&results, &verified("\"synthetic-mu\"")),
        Decision::NotMeasured { .. }
    ));
}

#[test]
fn a_row_tells_over_what_a_decision_held() {
    let times = [("synthetic-beta", 0.5), ("synthetic-gamma", 1.0)];
    let results = fixture::with_times(Recipe::FULL.results(), &times);
    let judged = Judged::of(&results);
    let claims = [beta_against_gamma("")];
    let judgement = judge(&judged, &claims).remove(0);
    assert_eq!(judgement.decision, Decision::Supported);
    let row = judgement.robustness(OutcomeKind::Holds);
    assert_eq!((row.layouts, row.processes, row.differ), (Some(4), Some(8), false));
    let all = results.panels.iter().filter(|it| it.panel.call.is_whole()).count();
    assert_eq!((row.conditions, all), (11, 11));
    let kinds = [RegimeKind::Replay, RegimeKind::Stream, RegimeKind::Cold, RegimeKind::Pressure];
    assert_eq!(row.regimes, kinds.into());
    assert!(row.workloads.contains("game") && row.workloads.contains("perft3"));
    let corpus = &results.session.corpora[0];
    assert_eq!(row.corpora, [format!("{} {}", corpus.name, corpus.digest)].into());
    assert!(row.text().contains("; corpus tree-ab4 0000000000000000; 4 layouts, 8 processes"));
    assert_eq!(judgement.robustness(OutcomeKind::Contradicts), Robustness::default());
}

/// The claims of the literature on a session in which two designs have the ids of real ones.
#[test]
fn the_claims_of_the_literature_are_judged_in_both_directions() {
    let claims = all();
    let find = |id: &str| claims.iter().find(|claim| claim.id == id).expect("a claim").clone();
    let text = fixture::text(&Recipe::SMALL.records());
    let text = text.replace("synthetic-beta", "ferret/end-origin");
    let named = || fixture::read(&text.replace("synthetic-gamma", "butterfly/i16"));
    let session = |ferret| {
        fixture::with_times(named(), &[("ferret/end-origin", ferret), ("butterfly/i16", 1.0)])
    };
    assert_eq!(decided(&session(0.8), &find("T12")), Decision::Supported);
    assert_eq!(decided(&session(1.25), &find("T12")), Decision::Contradicted);
    assert!(matches!(decided(&session(1.0), &find("T12")), Decision::Equal { .. }));
    // Arithmetic alone.
    assert_eq!(decided(&session(1.0), &find("T7")), Decision::Contradicted);
    assert_eq!(decided(&session(1.0), &find("T16")), Decision::Supported);
    assert_eq!(decided(&session(1.0), &find("T18")), Decision::InPart);
    assert!(matches!(decided(&session(1.0), &find("T2")), Decision::NotTestable { .. }));
}

#[test]
fn a_test_that_nothing_resolves_is_settled_by_narrow_bands_if_they_are_most() {
    let with = |bands: &[Option<f64>], first: Outcome, expected: Expected| {
        let open = |&band| Condition { band, ..Condition::new(0, Kind::Measured, first) };
        let mut conditions: Vec<Condition> = bands.iter().map(open).collect();
        for condition in conditions.iter_mut().skip(1) {
            condition.outcome = Outcome::NotResolved;
        }
        settle(&mut conditions, 0, expected, 1.0);
        conditions.into_iter().map(|one| one.outcome).collect::<Vec<_>>()
    };
    let open = Outcome::NotResolved;
    let equal = |within| Outcome::Equal { within };
    let less = |bands: &[Option<f64>]| with(bands, open, Expected::Less);
    assert_eq!(less(&[Some(0.02), Some(0.04), None]), [equal(0.02), equal(0.04), open]);
    assert_eq!(less(&[Some(0.02), None]), [open, open]);
    assert_eq!(with(&[Some(0.02)], open, Expected::NoMore), [Outcome::Holds]);
    // One resolved condition decides without them.
    let resolved = with(&[None, Some(0.02), Some(0.02)], Outcome::Contradicts, Expected::Less);
    assert_eq!(resolved, [Outcome::Contradicts, open, open]);
}
