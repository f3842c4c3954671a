//! Which journals are read and which are refused, with the line and the reason.

use proptest::prelude::*;
use raywalk_results::fixture::{self, Recipe};
use raywalk_results::journal::{LONGEST_LINE, read};
use raywalk_results::schema::{Corpus, Record, Round, SchemaVersion, Status};

fn records() -> Vec<Record> {
    Recipe { designs: 3, rounds: 2, ..Recipe::SMALL }.records()
}

/// The sentence with which the journal is refused.
fn refusal(text: &str) -> String {
    read(text.as_bytes()).expect_err("the journal should be refused").to_string()
}

/// The refusal of the fixture after a change to its first record of a kind.
fn changed(change: impl Fn(&mut Record) -> bool) -> String {
    let mut records = records();
    assert!(records.iter_mut().any(change), "there is nothing to change");
    refusal(&fixture::text(&records))
}

#[test]
fn a_journal_is_read_as_it_was_written() {
    let results = fixture::read(&fixture::text(&records()));
    assert_eq!((results.designs.len(), results.panels.len()), (5, 2));
    assert!(results.panels.iter().all(|panel| panel.rounds.len() == 2));
    assert_eq!(results.end.map(|end| end.rounds), Some(4));
    assert!(!results.truncated);
}

proptest! {
    /// A run is resumed from what is read, and a report repeats it, so no digit may change.
    #[test]
    fn numbers_are_read_exactly_as_they_were_written(
        hertz in 1.0..1e12_f64,
        margin in 0.0..=1.0_f64,
    ) {
        let mut records = records();
        if let Some(Record::Session(session)) = records.first_mut() {
            session.clock.hertz = hertz;
            session.margin = margin;
        }
        let session = fixture::read(&fixture::text(&records)).session;
        prop_assert_eq!(session.clock.hertz.to_bits(), hertz.to_bits());
        prop_assert_eq!(session.margin.to_bits(), margin.to_bits());
    }
}

#[test]
fn the_first_line_must_be_a_session() {
    assert!(refusal("").contains("empty"));
    assert!(refusal("{\"record\":\"end\"}\n").contains("line 1: a journal begins with a session"));
    assert!(refusal("not json\n").starts_with("line 1: not a session of a journal"));
    let nameless = "{\"record\":\"session\"}\n";
    assert_eq!(refusal(nameless), "line 1: the session names no schema");
    let still = changed(|record| match record {
        Record::Session(session) => {
            session.clock.hertz = 0.0;
            true
        }
        _ => false,
    });
    assert!(still.contains("clock.hertz is 0"), "{still}");
}

/// The fixture in another version of the schema, with a record of a kind that no version has.
fn of_version(schema: &str) -> String {
    let text = fixture::text(&records());
    let current = SchemaVersion::CURRENT.to_string();
    assert!(text.contains(&current));
    let text = text.replacen(&current, schema, 1);
    let end = text.trim_end().rfind('\n').expect("more than one line") + 1;
    format!("{}{{\"record\":\"surprise\",\"value\":1}}\n{}", &text[..end], &text[end..])
}

#[test]
fn another_major_version_is_refused_with_the_version_of_its_writer() {
    assert_eq!(
        refusal(&of_version("raywalk/1")),
        "the journal was written by raywalk 0.0.0 in schema `raywalk/1`; this raywalk reads schema \
         `raywalk/3.11` only, so make the session again"
    );
    // Another version may spell everything else differently.
    let foreign = "{\"record\":\"session\",\"schema\":\"raywalk/9.1\"}\n";
    assert!(refusal(foreign).starts_with("the journal was written by raywalk of unknown version"));
    let nonsense = "{\"record\":\"session\",\"schema\":\"raywalk\"}\n";
    assert!(refusal(nonsense).contains("`raywalk` is not a schema version such as `raywalk/3.11`"));
}

#[test]
fn unknown_kinds_of_a_newer_minor_version_are_skipped_and_counted() {
    let results = fixture::read(&of_version("raywalk/3.12"));
    assert_eq!(results.skipped, 1);
    let known = fixture::read(&fixture::text(&records()));
    assert_eq!(known.skipped, 0);
    assert_eq!((results.panels, results.end), (known.panels, known.end));
    // A record of a known kind with a fault is not skipped.
    let faulty = of_version("raywalk/3.12").replace("\"surprise\"", "\"end\"");
    assert!(refusal(&faulty).contains("missing field `finished`"));
}

#[test]
fn unknown_kinds_of_the_own_version_are_refused() {
    let sentence = refusal(&of_version("raywalk/3.11"));
    assert!(sentence.contains("not a record of schema `raywalk/3.11`"), "{sentence}");
    assert!(sentence.contains("unknown name `surprise`"), "{sentence}");
}

#[test]
fn chains_of_an_older_minor_version_have_no_interval_and_do_not_say_what_was_assumed() {
    let text = fixture::text(&Recipe::FULL.records());
    let line = text.lines().find(|line| line.contains("\"record\":\"chain\"")).expect("a chain");
    let start = line.find("\"assumed\"").expect("a list");
    let end = line.find("\"per_ray\"").expect("a number");
    let middle = &line[start..end];
    let measured =
        middle.split(',').find(|part| part.starts_with("\"measured\"")).expect("a slope");
    let older = line.replace(middle, &format!("{measured},"));
    let results = fixture::read(&text.replace(line, &older));
    let chains = &results.chains;
    assert_eq!((chains[0].interval, &chains[0].assumed), (None, &None));
    assert!(chains[1].interval.is_some() && chains[1].assumed.is_some());
}

#[test]
fn a_broken_line_in_the_middle_is_named() {
    let text = fixture::text(&records());
    let mut lines: Vec<&str> = text.lines().collect();
    lines[4] = "{\"record\":\"design\",\"id\":";
    let sentence = refusal(&(lines.join("\n") + "\n"));
    assert!(sentence.starts_with("line 5: not a record of schema `raywalk/3.11`"), "{sentence}");
}

#[test]
fn a_torn_last_line_is_left_out_and_reported() {
    let text = fixture::text(&records());
    let cut = &text[..text.len() - 10];
    let results = read(cut.as_bytes()).expect("a cut journal is readable");
    assert!(results.truncated && results.end.is_none());
    // Nonsense is not a torn line, even at the end.
    assert!(refusal(&(text.clone() + "nonsense")).contains("not a record"));
    // A missing newline after a complete record is no fault.
    assert!(!read(text.trim_end().as_bytes()).expect("all is there").truncated);
}

#[test]
fn unknown_panels_and_designs_are_refused() {
    let sentence = changed(|record| match record {
        Record::Round(round) => {
            round.panel = "elsewhere".to_owned();
            true
        }
        _ => false,
    });
    assert!(sentence.contains("a round of unknown panel \"elsewhere\""), "{sentence}");
    let sentence = changed(|record| match record {
        Record::Panel(panel) => {
            panel.designs.push("nobody".to_owned());
            true
        }
        _ => false,
    });
    assert!(sentence.contains("names unknown design \"nobody\""), "{sentence}");
    let sentence = changed(|record| match record {
        Record::Design(design) => {
            design.status = Status::Wrong { why: "a test".to_owned() };
            true
        }
        _ => false,
    });
    assert!(sentence.contains("times unverified design"), "{sentence}");
}

#[test]
fn an_incomplete_or_impossible_round_is_refused() {
    let of_round = |change: &dyn Fn(&mut Round)| {
        changed(|record| match record {
            Record::Round(round) => {
                change(round);
                true
            }
            _ => false,
        })
    };
    assert!(of_round(&|round| drop(round.samples.pop())).contains("has no sample of"));
    assert!(of_round(&|round| round.samples[0].ticks = 0).contains("no ticks or no positions"));
    assert!(of_round(&|round| round.samples[0].positions += 1).contains("differ in positions"));
    assert!(of_round(&|round| round.round = 1).contains("where round 0 was due"));
    // Their sum is the ticks modulo 2^64.
    let blocks = of_round(&|round| {
        round.samples[0].blocks = vec![u64::MAX, 1 + round.samples[0].ticks];
    });
    assert!(blocks.contains("do not add up"), "{blocks}");
    let sentence = of_round(&|round| round.samples[0].cycles_per_tick = Some(-1.0));
    assert!(sentence.contains("cycles_per_tick"), "{sentence}");
    let twice = of_round(&|round| round.samples.push(round.samples[0].clone()));
    assert!(twice.contains("twice"), "{twice}");
}

#[test]
fn a_line_without_end_is_refused() {
    let endless = std::io::BufReader::new(std::io::repeat(0));
    let fault = read(endless).expect_err("no journal");
    assert_eq!(fault.to_string(), "line 1 is longer than 16 MiB");
    let text = fixture::text(&records());
    let lines = text.lines().count();
    let longest = " ".repeat(LONGEST_LINE - 1) + "\n";
    assert!(read((text.clone() + &longest).as_bytes()).is_ok());
    let sentence = refusal(&(text + " " + &longest));
    assert_eq!(sentence, format!("line {} is longer than 16 MiB", lines + 1));
}

#[test]
fn a_workload_has_positions_of_the_corpora_that_name_it() {
    let mut session = fixture::read(&fixture::text(&records())).session;
    // A journal before version 3.7 names none, but where there is one corpus, all positions are of it.
    assert!(session.corpora[0].workloads.is_empty());
    assert_eq!(session.corpora_of("ab4").len(), 1);
    let other = Corpus { name: "sp1".to_owned(), ..session.corpora[0].clone() };
    session.corpora.push(other);
    assert!(session.corpora_of("ab4").is_empty());
    session.corpora[0].workloads = vec!["ab4".to_owned(), "both".to_owned()];
    session.corpora[1].workloads = vec!["both".to_owned()];
    let names = |workload| -> Vec<_> {
        session.corpora_of(workload).into_iter().map(|corpus| corpus.name.as_str()).collect()
    };
    assert_eq!((names("ab4"), names("both")), (vec!["tree-ab4"], vec!["tree-ab4", "sp1"]));
    assert!(names("game").is_empty());
}

#[test]
fn two_sessions_in_one_file_are_refused() {
    let text = fixture::text(&records());
    assert!(refusal(&(text.clone() + &text)).contains("a second session"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn a_journal_cut_anywhere_after_its_first_line_is_read(fraction in 0.0f64..1.0) {
        let text = fixture::text(&records());
        let first = text.find('\n').expect("more than one line") + 1;
        let cut = first + ((text.len() - first) as f64 * fraction) as usize;
        let results = read(&text.as_bytes()[..cut]);
        prop_assert!(results.is_ok(), "{:?}", results.err());
    }
}
