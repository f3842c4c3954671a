//! The self-test from the journal to the page.

mod fixture;
use fixture::{Recipe, read, text};
use raywalk_reports::page;
use raywalk_reports::schema::{Band, Found, Grade, Knee, KneePoint, Record, Selftest, Trial};

fn selftest() -> Selftest {
    let found = Found { value: 30.0, low: 29.0, high: 31.0, unit: "cycles/miss".to_owned() };
    let trial = |instrument: &str, found: Vec<Found>, grade, why: &str| Trial {
        instrument: instrument.to_owned(),
        kernel: "a formula".to_owned(),
        expected: Band::between(5.0, 60.0),
        found,
        grade,
        why: why.to_owned(),
    };
    let wrong = Found { value: 90.0, ..found.clone() };
    Selftest {
        seconds: 1.5,
        trials: vec![
            trial("synthetic right", vec![found], Grade::Usable, ""),
            trial("synthetic wrong", vec![wrong], Grade::NotUsable, "It is <b>bent</b>."),
            trial("synthetic absent", Vec::new(), Grade::NotUsable, "There is none."),
        ],
        knee: Some(Knee {
            branches: 20_000.0,
            low: 19_000.0,
            high: 21_000.0,
            learnt_ns: 0.5,
            fresh_ns: 3.5,
            curve: vec![KneePoint { period: 256, ns: 0.5 }],
        }),
    }
}

/// The fixture, in which the instruments were tried so many times.
fn journal(times: usize) -> Vec<Record> {
    let mut records = Recipe::SMALL.records();
    for _ in 0..times {
        records.insert(1, Record::Selftest(selftest()));
    }
    records
}

#[test]
fn every_self_test_of_a_journal_is_read_as_it_was_written() {
    for times in 0..3 {
        assert_eq!(read(&text(&journal(times))).selftest, vec![selftest(); times]);
    }
}

#[test]
fn a_knee_that_was_not_found_is_absent_and_not_zero() {
    let line = serde_json::to_string(&Selftest { knee: None, ..selftest() }).expect("JSON");
    assert!(!line.contains("knee"));
    let back: Selftest = serde_json::from_str(&line).expect("a self-test");
    assert_eq!(back.knee, None);
}

#[test]
fn what_failed_stands_on_the_page_with_its_reason_and_what_is_absent_in_the_table() {
    let page = page(&[read(&text(&journal(1)))]);
    let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text:?}"));
    assert!(place(">Machine and build<") < place(">Self-test<"));
    assert!(place(">Self-test<") < place(">Designs<"));
    assert!(page.contains("1 trial gave the known answer, 1 another one, 1 not available"));
    assert!(page.contains("<strong>synthetic wrong</strong>: 90.0 cycles/miss"));
    assert!(!page.contains("<strong>synthetic absent</strong>"));
    assert!(page.contains("It is &lt;b&gt;bent&lt;/b&gt;."));
    assert!(page.contains("20,000 random outcomes"));
}

#[test]
fn a_journal_without_a_self_test_has_no_such_section() {
    assert!(!page(&[read(&text(&journal(0)))]).contains("Self-test"));
}
