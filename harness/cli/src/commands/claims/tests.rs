//! The plan of the claims, what can be decided with it, and the page of the claims.

use std::collections::HashMap;

use raywalk_judge::claims::{Comparison, Counted, DecisionKind};
use raywalk_measure::design::Design;
use raywalk_measure::plan::PanelPlan;
use raywalk_results::pattern::is_match;
use raywalk_results::schema::{Call, Operation};

use super::*;

fn all() -> Vec<Claim> {
    claims::all()
}

/// The designs of the registry that can run here.
struct Designs(HashMap<&'static str, Box<dyn Design>>);

impl Designs {
    fn new() -> Designs {
        let built = |entry: &registry::Entry| Some((entry.card.id, entry.build().ok()?));
        Designs(registry::DESIGNS.iter().filter_map(built).collect())
    }

    /// Whether each pattern has a design of which this is true.
    fn all_have(&self, patterns: &[String], is: impl Fn(&dyn Design) -> bool) -> bool {
        patterns.iter().all(|pattern| {
            let named = self.0.iter().filter(|(id, _)| is_match(pattern, id));
            named.into_iter().any(|(_, design)| is(&**design))
        })
    }
}

/// Whether a plan has a panel with whose ratio that of another one is compared, if it is not compared with 1.
fn has_against(plan: &Plan, test: &Comparison) -> bool {
    let Some(against) = &test.against else { return true };
    let (here, there) = (claims::asked(test), claims::asked_against(test));
    let is_asked = |asked: &[claims::Asked], panel: &PanelPlan| {
        asked.iter().any(|one| one.accepts(panel.call, &panel.regime, &panel.workload))
    };
    plan.panels.iter().filter(|panel| is_asked(&here, panel)).any(|panel| {
        plan.panels.iter().any(|other| {
            let is_named = !against.workloads.is_empty() || other.workload == panel.workload;
            is_asked(&there, other)
                && is_named
                && other.call == panel.call
                && !std::ptr::eq(other, panel)
        })
    })
}

/// Whether a plan has a panel in which both sides of a comparison take part.
fn is_timed(plan: &Plan, designs: &Designs, test: &Comparison) -> bool {
    let offer =
        |patterns: &[String], call: Call| designs.all_have(patterns, |design| design.offers(call));
    let asked = claims::asked(test);
    let [one, others @ ..] = &asked[..] else { return false };
    // Of several calls each is enough; a second call of the other side has to be there as well.
    let (others, other_call) = match test.other_call {
        Some(_) => (&others[..others.len() - 1], others.last()),
        None => (others, None),
    };
    std::iter::once(one).chain(others).any(|asked| {
        plan.panels.iter().any(|panel| {
            let beside = other_call.is_none_or(|other| {
                plan.panels.iter().any(|next| {
                    (&next.workload, &next.regime, next.call)
                        == (&panel.workload, &panel.regime, other.call)
                })
            });
            let call = other_call.map_or(panel.call, |other| other.call);
            asked.accepts(panel.call, &panel.regime, &panel.workload)
                && beside
                && offer(&test.one, panel.call)
                && offer(&test.other, call)
        })
    })
}

/// Without counters a session has the clock, traces and what is modelled from them, sizes, verification and
/// arithmetic.
#[test]
fn at_least_65_claims_can_be_decided_on_a_machine_without_counters() {
    let claims = all();
    let plan = plan::of(&claims).expect("a plan");
    let designs = Designs::new();
    let has = |patterns: &[String]| designs.all_have(patterns, |_| true);
    let is_counted = |of: Counted| !of.is_executed() || plan.trace > 0;
    let is_decidable = |claim: &&Claim| {
        claim.compare.iter().any(|test| is_timed(&plan, &designs, test))
            || claim
                .count
                .iter()
                .any(|test| is_counted(test.of) && has(&test.one) && has(&test.other))
            || claim.bound.iter().any(|test| is_counted(test.of) && has(&test.designs))
            || !claim.figure.is_empty()
            || !claim.verified.is_empty() && has(&claim.verified)
    };
    let decidable = claims.iter().filter(is_decidable).count();
    assert!(decidable >= 65, "{decidable} of {}", claims.len());
}

#[test]
fn the_plan_has_a_panel_for_every_comparison() {
    let claims = all();
    let plan = plan::of(&claims).expect("a plan");
    let designs = Designs::new();
    for claim in &claims {
        for test in &claim.compare {
            let is_here = |side: &[String]| designs.all_have(side, |_| true);
            if is_here(&test.one) && is_here(&test.other) {
                assert!(is_timed(&plan, &designs, test), "{}: {test:?}", claim.id);
                assert!(has_against(&plan, test), "{}: {test:?}", claim.id);
            }
        }
    }
}

#[test]
fn the_plan_has_no_panel_that_nothing_asks_for_except_the_memorisation_curve() {
    let captures = selected(all(), &["T26".to_owned()]).expect("a claim");
    let plan = plan::of(&captures).expect("a plan");
    assert_eq!(plan.designs, ["reul/blocker-loop", "reul/vector-attacks"]);
    let (curve, others): (Vec<_>, Vec<_>) = plan.panels.iter().partition(|one| one.call.is_whole());
    assert!(curve.iter().all(|panel| panel.regime.period.is_some()) && curve.len() == 6);
    let winning = Call::from(Operation::WinningCaptures);
    let winning = others.iter().filter(|one| one.call == winning).count();
    assert_eq!(winning, 2, "two streams");
    let captures = others.len() - winning;
    assert_eq!(captures, 8, "two replays, two streams, cold, pressure of three sizes");
    let figure = selected(all(), &["T16".to_owned()]).expect("a claim");
    assert!(plan::of(&figure).is_err(), "arithmetic needs no measurement");
}

#[test]
fn the_plan_of_the_claims_can_be_written_as_a_plan_file() {
    let plan = plan::of(&all()).expect("a plan");
    assert_eq!(plan.headline(), "ab4/stream-tree/all");
    let read = Plan::parse(&plan.to_toml(), plan::NAME, "a file").expect("a plan");
    assert_eq!(read, plan);
}

#[test]
fn arithmetic_and_sizes_decide_claims_without_a_session() {
    let designs = sizes();
    let claims = all();
    let judgements = judge_static(&designs, Plan::MARGIN, &claims);
    let verdict = |id: &str| {
        let found = judgements.iter().find(|one| one.claim.id == id);
        found.expect("a claim").decision.kind().name()
    };
    // The butterfly has twice the size that its source gives; 16 dense words are 128 bytes.
    assert_eq!(verdict("T7"), "contradicted");
    assert_eq!(verdict("T16"), "supported");
    assert_eq!(verdict("T18"), "true in part");
    assert_eq!(verdict("G4"), "supported");
    assert_eq!(verdict("T12"), "not measured");
    assert_eq!(verdict("T2"), "not testable here");
}

#[test]
fn an_unknown_claim_is_named() {
    let error = selected(all(), &["T99".to_owned()]).expect_err("no such claim").to_string();
    assert_eq!(error, "no claim is called `T99`; `raywalk claims --list` shows all claims");
    assert_eq!(selected(all(), &["T1*".to_owned()]).expect("claims").len(), 11);
}

#[test]
fn the_documentation_has_every_claim_as_the_command_prints_it() {
    let page = include_str!("../../../../../docs/claims.md");
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| ")).collect();
    let claims = all();
    for claim in &claims {
        let start = markdown::start_of(claim);
        let row = rows.iter().find(|row| row.starts_with(&start));
        let row = row.unwrap_or_else(|| {
            panic!("docs/claims.md lacks a row that begins with {start}; see its introduction")
        });
        match &claim.untestable {
            Some(why) => assert!(row.ends_with(&format!("| {why} |")), "{row}"),
            None => {
                let verdict = row[start.len()..].trim_start();
                let mut kinds =
                    DecisionKind::ALL.iter().filter(|it| **it != DecisionKind::NotTestable);
                assert!(kinds.any(|kind| verdict.starts_with(kind.name())), "{row}");
            }
        }
    }
    let sessions: Vec<_> = page.lines().filter(|line| line.starts_with("Session of ")).collect();
    assert!(matches!(sessions[..], [one] if one.contains(" plan `full`, ")), "{sessions:?}");
    // Two headings with the lines below them.
    assert_eq!(rows.len(), claims.len() + 4);
    let is_decided = |row: &&&str| {
        let verdict = row.split(" | ").nth(3).unwrap_or_default();
        let mut decided = DecisionKind::ALL.iter().filter(|kind| kind.is_decided());
        decided.any(|kind| verdict.starts_with(kind.name()))
    };
    assert!(
        rows.iter().filter(is_decided).count() >= 65,
        "verdicts of this machine without counters"
    );
    // The page of the same session.
    let sample = include_str!("../../../../../docs/sample/report.html");
    let seed = sessions[0].split("seed ").nth(1).and_then(|rest| rest.split(':').next());
    assert!(sample.contains(&format!("seed {}", seed.expect("a seed"))), "{sessions:?}");
}
