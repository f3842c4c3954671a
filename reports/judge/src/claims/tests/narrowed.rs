//! Claims about some processors, about machine code, and about a change from one panel to another.

use raywalk_results::schema::{Code, CodeLine, CpuModel, RegimeKind, WalkLoop};

use super::*;

/// Beta takes this part of the time of gamma under pressure, and half of it elsewhere.
fn under_pressure(part: f64) -> Results {
    let times = [("synthetic-beta", 0.5), ("synthetic-gamma", 1.0)];
    let mut results = fixture::with_times(Recipe::FULL.results(), &times);
    let pressure = |panel: &&mut raywalk_results::journal::PanelRounds| {
        panel.panel.regime.kind == RegimeKind::Pressure
    };
    for panel in results.panels.iter_mut().filter(pressure) {
        for sample in panel.rounds.iter_mut().flat_map(|round| &mut round.samples) {
            if sample.design == "synthetic-beta" {
                let scale = |ticks: u64| (ticks as f64 * part / 0.5) as u64;
                sample.ticks = scale(sample.ticks);
                sample.blocks.iter_mut().for_each(|ticks| *ticks = scale(*ticks));
            }
        }
    }
    results
}

#[test]
fn a_ratio_is_compared_with_that_of_the_same_designs_elsewhere() {
    let falls = beta_against_gamma(
        ", where = { regimes = [\"pressure\"] }, against = { regimes = [\"stream\"] }",
    );
    let (conditions, decision) = judged(&under_pressure(0.2), &falls);
    assert_eq!(decision, Decision::Supported);
    for Condition { place, .. } in &conditions {
        assert_eq!(place.regime, Some(RegimeKind::Pressure));
        assert!(place.against.as_ref().is_some_and(|id| id.contains("stream")), "{place:?}");
    }
    let Some(Verdict::Faster(by)) = conditions[0].verdict else { panic!("{conditions:?}") };
    assert!((by.middle - 2.5).abs() < 0.1, "{by:?}");
    // Beta is the faster of both, and yet relatively slower than elsewhere.
    assert_eq!(decided(&under_pressure(0.8), &falls), Decision::Contradicted);
    let same = decided(&under_pressure(0.5), &falls);
    assert!(matches!(same, Decision::Equal { .. } | Decision::NotResolved), "{same:?}");
    let test = falls.tests().remove(0);
    assert_eq!(
        test.supports,
        "the ratio of `synthetic-beta` to `synthetic-gamma` is lower in (all moves; pressure) than in (all moves; stream)"
    );
    let nowhere = beta_against_gamma(", against = { workloads = [\"elsewhere\"] }");
    let lacks = vec![
        "no panel of the session has both sides (all moves; with a second panel: elsewhere)"
            .to_owned(),
    ];
    assert_eq!(decided(&under_pressure(0.5), &nowhere), Decision::NotMeasured { lacks });
}

#[test]
fn a_claim_about_some_processors_is_not_judged_on_others() {
    let mut results = session(0.5);
    let about = |on: &str| {
        claim(&format!(
            "on = \"{on}\"\ncompare = [{{ one = [\"synthetic-beta\"], other = [\"synthetic-gamma\"] }}]"
        ))
    };
    let machine = &mut results.session.machine;
    (machine.vendor, machine.model) =
        ("AuthenticAMD".to_owned(), CpuModel::Cpuid { family: 23, model: 1, stepping: 2 });
    assert_eq!(decided(&results, &about("amd-before-zen-3")), Decision::Supported);
    let lacks = vec!["the claim is about a Zen 4".to_owned()];
    assert_eq!(decided(&results, &about("zen-4")), Decision::NotMeasured { lacks });
    let test = about("zen-4").tests().remove(0);
    assert!(test.supports.ends_with("(all moves), on a Zen 4"), "{}", test.supports);
    assert!(test.contradicts.ends_with("(all moves), on a Zen 4"), "{}", test.contradicts);
}

#[test]
fn conditional_jumps_and_operands_on_the_stack_are_counted_in_the_loop_of_the_walk() {
    let mut results = session(1.0);
    let code = |design: &str, lines: &[&str]| Code {
        design: design.to_owned(),
        bytes: 100,
        copies: 1,
        per_square: None,
        walk: Some(WalkLoop {
            turn: lines.len() as u64,
            in_c: None,
            lines: lines
                .iter()
                .map(|&text| CodeLine { instruction: text.to_owned(), source: None })
                .collect(),
        }),
    };
    results.codes = vec![
        code("synthetic-beta", &["mov eax,[rdi+rcx*2]", "test eax,eax", "jne 10h", "jmp 20h"]),
        code("synthetic-gamma", &["mov eax,[rsp+8]", "je 10h", "cmp [rsp+rcx],al", "jb 20h"]),
    ];
    let holds = |test: &str| decided(&results, &claim(test));
    let bound = |design: &str, of: &str, most: u64| {
        holds(&format!("bound = [{{ designs = [\"{design}\"], of = \"{of}\", most = {most} }}]"))
    };
    assert_eq!(bound("synthetic-beta", "walk-branches", 1), Decision::Supported);
    assert_eq!(bound("synthetic-beta", "walk-branches", 0), Decision::Contradicted);
    assert_eq!(bound("synthetic-beta", "walk-stack-operands", 0), Decision::Supported);
    assert_eq!(bound("synthetic-gamma", "walk-stack-operands", 2), Decision::Supported);
    assert_eq!(bound("synthetic-gamma", "walk-stack-operands", 1), Decision::Contradicted);
    let less = "count = [{ one = [\"synthetic-beta\"], other = [\"synthetic-gamma\"], of = \"walk-branches\" }]";
    assert_eq!(holds(less), Decision::Supported);
    results.codes.clear();
    let lacks = vec!["the session lacks the audited loop of a walk".to_owned()];
    assert_eq!(decided(&results, &claim(less)), Decision::NotMeasured { lacks });
}

#[test]
fn one_design_that_fails_contradicts_a_claim_about_all() {
    let results = session(1.0);
    let both = claim("verified = [\"synthetic-beta\", \"synthetic-nu\"]");
    let (conditions, decision) = judged(&results, &both);
    assert_eq!((conditions.len(), decision), (1, Decision::Contradicted));
}
