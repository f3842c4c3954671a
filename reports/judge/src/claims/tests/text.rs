//! Claims: reading, sentences and needs.

use raywalk_results::schema::{Intensity, IntensityUnit, Regime};

use super::*;

#[test]
fn the_sentences_are_made_from_the_tests() {
    let tests = |text: &str| claim(text).tests();
    let compared = beta_against_gamma(
        ", factor = 0.8, where = { calls = [\"captures\"], regimes = [\"cold\"] }",
    );
    let test = &compared.tests()[0];
    assert_eq!(
        test.supports,
        "`synthetic-beta` takes less time than 0.800 times `synthetic-gamma` (captures only; cold)"
    );
    assert_eq!(
        test.contradicts,
        "`synthetic-beta` takes more time than 0.800 times `synthetic-gamma` (captures only; cold)"
    );
    let bound = tests(
        "bound = [{ designs = [\"a\", \"b/*\"], of = \"loads\", per = \"square\", least = 1, most = 2.5 }]",
    );
    assert_eq!(bound[0].supports, "`a`, `b/*`: loads per visited square 1 to 2.5");
    let figure =
        tests("figure = [{ what = \"the size\", terms = [[2, 3000], [4]], least = 1, most = 1 }]");
    assert_eq!(figure[0].contradicts, "the size, 2 × 3,000 + 4, is not 1");
}

#[test]
fn a_faulty_claim_is_reported_in_one_sentence() {
    let head = "[[claim]]\nid = \"X1\"\nsays = \"so\"\nsource = \"a test\"\n";
    let fault = |tests: &str| {
        let error = parse("x.toml", &format!("{head}{tests}\n")).expect_err("a fault").to_string();
        assert!(!error.contains('\n'), "{error}");
        error
    };
    assert_eq!(fault(""), "x.toml: claim `X1` has neither a test nor a reason why there is none");
    assert_eq!(
        fault("untestable = \"no\"\nverified = [\"a\"]"),
        "x.toml: claim `X1` has tests and a reason why there are none"
    );
    let compare =
        |more: &str| fault(&format!("compare = [{{ one = [\"a\"], other = [\"b\"]{more} }}]"));
    assert_eq!(
        compare(", where = { calls = [\"jump\"] }"),
        "x.toml: claim `X1` names the call `jump`, which does not exist"
    );
    assert_eq!(
        compare(", factor = -1.0"),
        "x.toml: claim `X1` has the factor -1, which is not above 0"
    );
    assert_eq!(
        fault("compare = [{ one = [\"a*b\"], other = [\"b\"] }]"),
        "x.toml: claim `X1` has the pattern `a*b`; only its last letter may be `*`"
    );
    assert_eq!(
        fault("compare = [{ one = [\"a/*\"], other = [\"b\"], audited = true }]"),
        "x.toml: claim `X1` calls a comparison of more than two designs audited"
    );
    assert_eq!(
        fault("bound = [{ designs = [\"a\"], of = \"loads\" }]"),
        "x.toml: claim `X1` has a bound without a finite `least` or `most`"
    );
    assert_eq!(
        fault("compare = [{ one = [\"a\"], other = [\"b\"], against = { perturbed = true } }]"),
        "x.toml: claim `X1` names an order or a perturbation in `against` without its regime"
    );
    assert_eq!(
        fault("bound = [{ designs = [\"a\"], of = \"table-bytes\", per = \"move\", most = 1 }]"),
        "x.toml: claim `X1` divides a number of the code or a size by something that is executed"
    );
    let wide =
        format!("figure = [{{ what = \"x\", terms = [[{0}, 3]], least = 0, most = 1 }}]", i64::MAX);
    assert_eq!(
        fault(&wide),
        "x.toml: claim `X1` has a figure that is no sum of products within 64 bits"
    );
    let unknown = fault("verdict = \"true\"");
    assert!(unknown.starts_with("x.toml, line 5: unknown field `verdict`"), "{unknown}");
    let twice = format!("{head}verified = [\"a\"]\n{head}verified = [\"a\"]\n");
    let error = parse("x.toml", &twice).expect_err("a fault").to_string();
    assert_eq!(error, "x.toml: claim `X1` occurs twice");
}

#[test]
fn the_needs_of_claims_are_those_of_their_tests() {
    let timed = beta_against_gamma(
        ", other-call = \"quiets\", where = { calls = [\"captures\"], regimes = [\"cold\"], workloads = [\"qs\"] }",
    );
    let needs = Needs::of([&timed]);
    let ids = ["synthetic-beta", "synthetic-gamma"].map(str::to_owned);
    let place = Where {
        regimes: vec![RegimeKind::Cold],
        workloads: vec!["qs".to_owned()],
        ..Where::default()
    };
    let asked = |stage| Asked { call: Call::generate(stage), place: place.clone() };
    let expected = Needs {
        designs: ids.into(),
        panels: [Stage::Captures, Stage::Quiets].map(asked).into(),
        traces: false,
    };
    assert_eq!(needs, expected);
    let captures = &needs.panels[0];
    let accepts = |stage, regime, workload| {
        let regime = Regime { kind: regime, ..Regime::stream(Order::Tree) };
        captures.accepts(Call::generate(stage), &regime, workload)
    };
    assert!(accepts(Stage::Captures, RegimeKind::Cold, "qs"));
    assert!(!accepts(Stage::All, RegimeKind::Cold, "qs"));
    assert!(!accepts(Stage::Captures, RegimeKind::Stream, "qs"));
    assert!(!accepts(Stage::Captures, RegimeKind::Cold, "ab4"));
    let by_amount = |perturbed: bool| {
        let test = format!(", where = {{ regimes = [\"pressure\"], perturbed = {perturbed} }}");
        let claim = beta_against_gamma(&test);
        let asked = Needs::of([&claim]).panels.remove(0);
        [0, 64].map(|amount| {
            let intensity = Some(Intensity { amount, unit: IntensityUnit::Bytes });
            let kind = RegimeKind::Pressure;
            let regime = Regime { kind, intensity, ..Regime::stream(Order::Tree) };
            asked.accepts(Call::generate(Stage::All), &regime, "ab4")
        })
    };
    assert_eq!([false, true].map(by_amount), [[true, false], [false, true]]);
    let sizes = claim("bound = [{ designs = [\"a\"], of = \"table-bytes\", most = 1 }]");
    let counts = claim("count = [{ one = [\"a\"], other = [\"b\"], of = \"loads\" }]");
    assert!(!Needs::of([&sizes]).traces && Needs::of([&sizes, &counts]).traces);
    assert_eq!(Needs::of([&sizes, &counts]).designs.len(), 2);
}
