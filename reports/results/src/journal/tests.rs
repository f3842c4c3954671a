use super::*;
use crate::likeness::Difference;
use crate::schema::{
    Build, Call, Clock, ClockSource, Control, Design, Machine, Order, Panel, Process, Record,
    RecordKind, Regime, RegimeKind, Round, Sample, SchemaVersion, Session, Stage, Status,
};
use std::collections::BTreeMap;

fn session() -> Session {
    Session {
        schema: SchemaVersion::CURRENT,
        started: "2026-01-01T00:00:00Z".to_owned(),
        plan: "quick".to_owned(),
        seed: 1,
        command: "raywalk run".to_owned(),
        machine: Machine { cpu: "CPU".to_owned(), ..Machine::default() },
        build: Build { version: "0.1.0".to_owned(), ..Build::default() },
        clock: Clock {
            source: ClockSource::Fake,
            hertz: 1e9,
            quantum: 1,
            overhead: 0,
            invariant: true,
        },
        corpora: Vec::new(),
        absent: Vec::new(),
        processor: None,
        siblings: Vec::new(),
        load: None,
        shares: 1,
        layouts: Vec::new(),
        shard: None,
        merged: None,
        margin: 0.01,
        headline: "p".to_owned(),
        plan_file: String::new(),
    }
}

fn design() -> Design {
    Design::bare("a", Control::Branchy, Status::Verified { checks: 1 })
}

fn panel(id: &str) -> Panel {
    Panel {
        id: id.to_owned(),
        workload: "ab4".to_owned(),
        regime: Regime {
            kind: RegimeKind::Replay,
            order: Order::Tree,
            period: Some(16),
            boards: None,
            lists: None,
            intensity: None,
            label: "replay of 16".to_owned(),
            description: "the same 16 positions".to_owned(),
        },
        call: Call::generate(Stage::All),
        positions: 16,
        roots: 1,
        batch: 64,
        blocks: 1,
        designs: vec!["a".to_owned()],
        baseline: "a".to_owned(),
        aa_control: "a again".to_owned(),
        rounds: 3,
        learning: None,
        memorisation_curve: false,
    }
}

fn process() -> Process {
    Process {
        number: 0,
        share: 0,
        layout: None,
        padding: 0,
        heap_padding: 48,
        code: "0x1".to_owned(),
        stack: "0x2".to_owned(),
        heap: "0x3".to_owned(),
    }
}

fn round(panel: &str, round: u64) -> Round {
    let sample = |design: &str| Sample {
        design: design.to_owned(),
        ticks: 1_000 + round,
        blocks: Vec::new(),
        empty_calls: None,
        positions: 64,
        moves: 2_000,
        cycles_per_tick: Some(1.625),
        events: BTreeMap::new(),
        marks: Vec::new(),
    };
    Round {
        panel: panel.to_owned(),
        round,
        process: 0,
        first: 0,
        root: 0,
        delayed_ms: 0,
        steal_ms: None,
        marks: Vec::new(),
        samples: vec![sample("a"), sample("a again")],
    }
}

/// Writes the missing part of a small session, as a session does.
fn complete(mut journal: Journal) {
    journal.design(&design()).expect("a design");
    for id in ["p", "q"] {
        journal.panel(&panel(id)).expect("a panel");
    }
    if journal.contents().processes.is_empty() {
        journal.append(Record::Process(process())).expect("a process");
    }
    for id in ["p", "q"] {
        for number in journal.rounds(id)..3 {
            journal.round(round(id, number)).expect("a round");
        }
    }
    journal.end("2026-01-01T00:01:00Z".to_owned()).expect("an end");
}

#[test]
fn a_byte_order_mark_before_a_journal_is_skipped() {
    let line = serde_json::to_string(&Record::Session(session())).expect("JSON");
    let marked = format!("\u{feff}{line}\n");
    assert_eq!(read(marked.as_bytes()).expect("a journal").session, session());
}

#[test]
fn a_journal_cut_at_any_byte_is_resumed_to_the_same_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = folder.path().join("whole.jsonl");
    complete(Journal::create(&whole, &session()).expect("a journal"));
    let expected = std::fs::read(&whole).expect("a file");
    let end = expected[..expected.len() - 1].iter().rposition(|&b| b == b'\n').expect("lines") + 1;
    // Every byte of the last rounds, and some of all lines before: each trial is forced to disk.
    for length in (0..=end).filter(|length| length % 89 == 0 || length + 400 > end) {
        let path = folder.path().join("cut.jsonl");
        std::fs::write(&path, &expected[..length]).expect("a file");
        complete(Journal::resume(&path, &session()).expect("a journal to resume"));
        assert!(std::fs::read(&path).expect("a file") == expected, "cut after {length} bytes");
    }
}

#[test]
fn a_last_line_that_lacks_its_end_only_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    let mut journal = Journal::create(&path, &session()).expect("a journal");
    journal.design(&design()).expect("a design");
    drop(journal);
    let expected = std::fs::read(&path).expect("a file");
    std::fs::write(&path, &expected[..expected.len() - 1]).expect("a file");
    let journal = Journal::resume(&path, &session()).expect("a journal to resume");
    assert!(journal.contents().design(&design().id).is_some());
    drop(journal);
    assert!(std::fs::read(&path).expect("a file") == expected);
}

#[test]
fn a_file_that_is_refused_stays_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("notes");
    let foreign = serde_json::to_string(&Record::Session(Session {
        plan: "another".to_owned(),
        build: Build { version: "another".to_owned(), ..session().build },
        ..session()
    }));
    let foreign = format!("{}\n{{\"record\":", foreign.expect("JSON"));
    let one_line = foreign.split_once('\n').expect("lines").0;
    let begun = "{\"record\":\"session\"}";
    let notes = [format!("{begun} my notes"), format!("{begun}\nnotes")];
    for text in ["a line", "two lines\nof notes", &notes[0], &notes[1], &foreign, one_line] {
        std::fs::write(&path, text).expect("a file");
        Journal::resume(&path, &session()).expect_err(text);
        Journal::beside(&path, &session().machine, &session().build).expect_err(text);
        assert_eq!(std::fs::read_to_string(&path).expect("a file"), text);
    }
    std::fs::write(&path, &foreign[..100]).expect("a file");
    let error = Journal::beside(&path, &session().machine, &session().build).expect_err("torn");
    assert!(error.to_string().ends_with("ends within its first line, which must be a session"));
    let error = Journal::beside(folder.path(), &session().machine, &session().build);
    let error = error.expect_err("a folder").to_string();
    assert!(error.ends_with(": it is not a regular file"), "{error}");
}

#[test]
fn a_finished_journal_is_not_resumed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    complete(Journal::create(&path, &session()).expect("a journal"));
    let error = Journal::resume(&path, &session()).expect_err("finished").to_string();
    assert!(error.ends_with("this session was finished at 2026-01-01T00:01:00Z"), "{error}");
}

#[test]
fn a_journal_that_cannot_be_compared_is_refused_with_both_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    drop(Journal::create(&path, &session()).expect("a journal"));
    let change = |change: &dyn Fn(&mut Session)| {
        let mut other = session();
        change(&mut other);
        Journal::resume(&path, &other).map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(change(&|s| s.started = "later".to_owned()), Ok(()));
    for (error, sentence) in [
        (change(&|s| s.plan = "full".to_owned()), "plan differs, `quick` there and `full` here"),
        (change(&|s| s.seed = 2), "seed differs, `1` there and `2` here"),
        (
            change(&|s| s.build.dirty = true),
            "commit differs, `unknown` there and `unknown, changed`",
        ),
        (
            change(&|s| s.build.sources = "0123".to_owned()),
            "digest of the sources differs, `` there and `0123` here",
        ),
        (
            change(&|s| s.shares = 9),
            "shares differs, `1 in layouts []` there and `9 in layouts []`",
        ),
        (change(&|s| s.machine.cpu = "Other".to_owned()), "CPU differs, `CPU` there"),
        (change(&|s| s.clock.source = ClockSource::Tsc), "clock differs, `fake` there and `tsc`"),
    ] {
        let error = error.expect_err("another session");
        assert!(error.contains(sentence), "{error}");
    }
    std::fs::write(&path, "{\"record\":\"session\",\"schema\":\"raywalk/0\"}\n").expect("a file");
    let error = change(&|_| {}).expect_err("another schema");
    assert!(error.contains("in schema `raywalk/0`"), "{error}");
}

#[test]
fn the_first_difference_is_part_of_the_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    drop(Journal::create(&path, &session()).expect("a journal"));
    let other = Session { seed: 2, plan: "full".to_owned(), ..session() };
    let refused = Journal::resume(&path, &other).expect_err("another plan").problem;
    let Problem::Foreign(difference) = refused else { panic!("{refused}") };
    let (what, one, other) = ("plan".to_owned(), "quick".to_owned(), "full".to_owned());
    assert_eq!(*difference, Difference { what, one, other });
}

#[test]
fn an_impossible_line_is_named_by_its_number() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    drop(Journal::create(&path, &session()).expect("a journal"));
    let header = std::fs::read_to_string(&path).expect("a file");
    let line = |record: Record| serde_json::to_string(&record).expect("a line") + "\n";
    let start = line(Record::Design(design()))
        + &line(Record::Panel(panel("p")))
        + &line(Record::Process(process()));
    let unknown = Round { process: 1, ..round("p", 0) };
    for (rest, sentence) in [
        ("nonsense\n".to_owned(), "line 2: "),
        (header.clone(), "line 2: a second session"),
        (
            start.clone() + &line(Record::Round(round("p", 1))),
            "line 5: round 1 of panel \"p\" where round 0 was due",
        ),
        (
            start.clone() + &line(Record::Round(round("x", 0))),
            "line 5: a round of unknown panel \"x\"",
        ),
        (
            start + &line(Record::Round(unknown)),
            "line 5: round 0 belongs to process 1, which never started",
        ),
    ] {
        std::fs::write(&path, header.clone() + &rest).expect("a file");
        let error = Journal::resume(&path, &session()).expect_err("a wrong line").to_string();
        assert!(error.contains(sentence), "{error}");
    }
}

#[test]
fn a_changed_panel_is_refused_and_an_unchanged_one_is_written_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    let mut journal = Journal::create(&path, &session()).expect("a journal");
    journal.design(&design()).expect("a design");
    journal.panel(&panel("p")).expect("a panel");
    journal.panel(&panel("p")).expect("the same panel");
    let changed = Panel { batch: 65, ..panel("p") };
    let error = journal.panel(&changed).expect_err("a changed panel");
    assert!(matches!(error.problem, Problem::Changed { kind: RecordKind::Panel, .. }));
    drop(journal);
    assert_eq!(std::fs::read_to_string(&path).expect("a file").lines().count(), 3);
}

#[test]
fn a_record_that_does_not_fit_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    let mut journal = Journal::create(&path, &session()).expect("a journal");
    let error = journal.panel(&panel("p")).expect_err("an unknown design");
    assert!(matches!(error.problem, Problem::Record(_)), "{error}");
}

#[test]
fn an_existing_journal_is_never_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    drop(Journal::create(&path, &session()).expect("a journal"));
    let error = Journal::create(&path, &session()).expect_err("the file exists");
    assert!(matches!(error.problem, Problem::Io(_)), "{error}");
}

#[test]
fn two_sessions_do_not_write_one_journal() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    let first = Journal::create(&path, &session()).expect("a journal");
    let error = Journal::resume(&path, &session()).expect_err("it is locked");
    assert!(matches!(error.problem, Problem::Busy), "{error}");
    drop(first);
    assert!(Journal::resume(&path, &session()).is_ok());
}
