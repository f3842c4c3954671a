use super::*;
use raywalk_core::{Control, Legality};
use raywalk_measure::counters::NoCounters;
use raywalk_results::schema::Profile;

const CARD: Card = Card {
    id: "a/one",
    name: "A",
    author: "B",
    year: Some(2000),
    source: "C",
    control: Control::Mixed,
    legality: Legality::Pseudo,
    published_bytes: None,
    needs: &[Feature::Bmi2, Feature::Avx2],
    reconstructed: "",
};

#[test]
fn a_missing_feature_names_the_designs_that_cannot_run() {
    let cards = [CARD, Card { id: "b", needs: &[Feature::Bmi2], ..CARD }];
    let entries = features(&cards, |feature| feature == Feature::Avx2);
    assert_eq!(entries.len(), 2);
    assert_eq!(entries[0].reason, "This processor lacks it, so a/one, b cannot run.");
    assert_eq!((entries[1].state, entries[1].detail.as_str()), (State::Usable, "needed by a/one"));
}

#[test]
fn the_table_shows_reason_and_remedy_of_missing_instruments() {
    let entries = events(&NoCounters::because(&Reason::Forbidden));
    let diagnosis = Diagnosis { entries: entries[..1].to_vec() };
    let mut table = Screen::new(60, false);
    diagnosis.write_table(&mut table);
    let expected = [
        "instrument  state       finding",
        "cycles      not usable  A security policy, such as a",
        "                        container's seccomp filter, forbids",
        "                        counters.",
        "            Allow perf_event_open in the container's",
        "            security profile.",
        "",
    ];
    assert_eq!(table.as_str(), expected.join("\n"));
}

#[test]
fn the_output_of_a_tool_cannot_control_the_terminal() {
    let entries = vec![Item::usable("valgrind", "valgrind-3\u{1b}[2J\u{1b}]0;title\u{7}")];
    let mut table = Screen::new(100, true);
    Diagnosis { entries }.write_table(&mut table);
    let text = table.as_str();
    assert!(text.contains("valgrind-3\\u{1b}[2J\\u{1b}]0;title\\u{7}"), "{text}");
    assert!(text.contains("\u{1b}[32musable\u{1b}[0m"), "{text}");
}

#[test]
fn a_diagnosis_survives_serialisation() {
    let diagnosis = Diagnosis { entries: vec![load(Some([4.0, 2.0, 1.0]), 2)] };
    let text = serde_json::to_string(&diagnosis).expect("JSON");
    let back: Diagnosis = serde_json::from_str(&text).expect("a diagnosis");
    assert_eq!(back, diagnosis);
    assert!(text.contains(r#""state":"not-usable""#), "{text}");
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let entry = value["entries"][0].as_object().expect("an entry");
    let keys: Vec<&str> = entry.keys().map(String::as_str).collect();
    assert_eq!(keys, ["detail", "instrument", "reason", "remedy", "state"]);
}

#[test]
fn a_build_without_the_flags_of_the_workspace_is_not_usable() {
    let plain = Build { target: "x86_64-unknown-linux-gnu".to_owned(), ..Build::default() };
    let entry = build(&plain);
    assert_eq!(entry.state, State::NotUsable);
    assert!(entry.reason.contains("no-vectorize-slp"));
    assert!(entry.remedy.contains("--path harness/cli"), "{entry:?}");
    let profile = Profile { packaged: true, ..Profile::release() };
    let packaged = build(&Build { profile, ..plain.clone() });
    assert!(
        packaged.remedy.contains("-C no-vectorize-slp -C codegen-units=1\" cargo"),
        "{packaged:?}"
    );
    let flags =
        "-C target-cpu=x86-64-v3 -C llvm-args=-unroll-runtime=false -C no-vectorize-slp".to_owned();
    assert_eq!(build(&Build { flags, ..plain }).state, State::Usable);
}

#[test]
fn a_busy_machine_is_not_usable_and_an_idle_one_is() {
    assert_eq!(load(Some([0.2, 3.0, 3.0]), 2).state, State::Usable);
    assert_eq!(load(Some([2.2, 0.0, 0.0]), 2).state, State::NotUsable);
    assert_eq!(load(None, 2).state, State::NotUsable);
}
