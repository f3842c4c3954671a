use super::*;
use raywalk_reports::schema::{Build, Clock, Machine, Regime, Sample};

fn session() -> Session {
    Session {
        schema: SCHEMA.to_owned(),
        started: "2026-01-01T00:00:00Z".to_owned(),
        plan: "quick".to_owned(),
        seed: 1,
        command: "raywalk run".to_owned(),
        machine: Machine { cpu: "CPU".to_owned(), ..Machine::default() },
        build: Build { version: "0.1.0".to_owned(), ..Build::default() },
        clock: Clock::default(),
        corpora: Vec::new(),
        absent: Vec::new(),
        processor: None,
        siblings: Vec::new(),
        load: None,
        shares: 0,
        layouts: Vec::new(),
        margin: None,
    }
}

fn panel(id: &str) -> Panel {
    Panel {
        id: id.to_owned(),
        workload: "ab4".to_owned(),
        regime: Regime::Replay { k: 16 },
        stage: "all".to_owned(),
        scope: None,
        positions: 16,
        batch: 64,
        blocks: 1,
        designs: vec!["a".to_owned()],
        baseline: "a".to_owned(),
        twin: "a (again)".to_owned(),
        rounds: 3,
        memorised: false,
    }
}

fn round(panel: &str, round: u64) -> Round {
    let sample = Sample {
        design: "a".to_owned(),
        ticks: 1_000 + round,
        blocks: Vec::new(),
        control: None,
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
        waited_ms: 0,
        steal_ms: None,
        marks: Vec::new(),
        samples: vec![sample],
    }
}

/// Writes what is missing of a small session, as a session does.
fn go_on(mut journal: Journal) {
    for id in ["p", "q"] {
        journal.panel(&panel(id)).expect("a panel");
        let written = journal.contents().rounds.get(id).copied().unwrap_or(0);
        for number in written..3 {
            journal.round(round(id, number)).expect("a round");
        }
    }
    journal.end("2026-01-01T00:01:00Z".to_owned()).expect("an end");
}

#[test]
fn a_journal_cut_at_any_byte_is_gone_on_with_to_the_same_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = folder.path().join("whole.jsonl");
    go_on(Journal::create(&whole, &session()).expect("a journal"));
    let expected = std::fs::read(&whole).expect("a file");
    let end = expected[..expected.len() - 1].iter().rposition(|&b| b == b'\n').expect("lines") + 1;
    // Every byte of the last rounds, and some of all lines before: each trial is forced to disk.
    for length in (0..=end).filter(|length| length % 89 == 0 || length + 400 > end) {
        let path = folder.path().join("cut.jsonl");
        std::fs::write(&path, &expected[..length]).expect("a file");
        go_on(Journal::resume(&path, &session()).expect("a journal to go on with"));
        assert!(std::fs::read(&path).expect("a file") == expected, "cut after {length} bytes");
    }
}

#[test]
fn a_finished_journal_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    go_on(Journal::create(&path, &session()).expect("a journal"));
    let error = Journal::resume(&path, &session()).expect_err("finished").to_string();
    assert!(error.ends_with("this session was finished at 2026-01-01T00:01:00Z"), "{error}");
}

#[test]
fn a_journal_of_something_else_is_refused_with_both_sides() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    drop(Journal::create(&path, &session()).expect("a journal"));
    let change = |change: &dyn Fn(&mut Session)| {
        let mut other = session();
        change(&mut other);
        Journal::resume(&path, &other).map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(change(&|s| s.started = "later".to_owned()), Ok(()));
    for (error, what) in [
        (change(&|s| s.plan = "full".to_owned()), "its plan is quick, this session's is full"),
        (change(&|s| s.seed = 2), "its seed is 1, this session's is 2"),
        (change(&|s| s.build.dirty = true), "its build is 0.1.0 (no commit, sources )"),
        (
            change(&|s| s.build.sources = "0123".to_owned()),
            "this session's is 0.1.0 (no commit, sources 0123)",
        ),
        (change(&|s| s.shares = 9), "this session's is 9 processes of layouts []"),
        (change(&|s| s.machine.cpu = "Other".to_owned()), "its machine is CPU"),
        (change(&|s| s.clock.source = "tsc".to_owned()), "its clock is"),
    ] {
        let error = error.expect_err("foreign");
        assert!(error.contains(what), "{error}");
    }
    std::fs::write(&path, "{\"record\":\"session\",\"schema\":\"raywalk/0\"}\n").expect("a file");
    let error = change(&|_| {}).expect_err("foreign");
    assert!(error.contains("its schema is raywalk/0"), "{error}");
}

#[test]
fn a_line_that_no_session_wrote_is_named_by_its_number() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    drop(Journal::create(&path, &session()).expect("a journal"));
    let header = std::fs::read_to_string(&path).expect("a file");
    let line = |record: Record| serde_json::to_string(&record).expect("a line") + "\n";
    let p = line(Record::Panel(panel("p")));
    for (rest, sentence) in [
        ("nonsense\n".to_owned(), "line 2: "),
        (header.clone(), "line 2: a second session begins here"),
        (p.clone() + &line(Record::Round(round("p", 1))), "line 3: round 1 where round 0 was due"),
        (p + &line(Record::Round(round("x", 0))), "line 3: a round of panel `x`"),
    ] {
        std::fs::write(&path, header.clone() + &rest).expect("a file");
        let error = Journal::resume(&path, &session()).expect_err("a wrong line").to_string();
        assert!(error.contains(sentence), "{error}");
    }
}

#[test]
fn a_panel_that_changed_is_refused_and_one_that_did_not_is_named_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    let mut journal = Journal::create(&path, &session()).expect("a journal");
    journal.panel(&panel("p")).expect("a panel");
    journal.panel(&panel("p")).expect("the same panel");
    let changed = Panel { batch: 65, ..panel("p") };
    assert!(matches!(journal.panel(&changed), Err(JournalError::Changed { what: "panel", .. })));
    drop(journal);
    assert_eq!(std::fs::read_to_string(&path).expect("a file").lines().count(), 2);
}

#[test]
fn an_existing_journal_is_never_written_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    drop(Journal::create(&path, &session()).expect("a journal"));
    assert!(matches!(Journal::create(&path, &session()), Err(JournalError::Io { .. })));
}

#[test]
fn two_sessions_do_not_write_one_journal() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    let first = Journal::create(&path, &session()).expect("a journal");
    assert!(matches!(Journal::resume(&path, &session()), Err(JournalError::Busy(_))));
    drop(first);
    assert!(Journal::resume(&path, &session()).is_ok());
}
