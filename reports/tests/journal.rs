//! What a journal may hold and what is refused, with the line and the reason.

mod fixture;
use fixture::Recipe;
use proptest::prelude::*;
use raywalk_reports::journal::read;
use raywalk_reports::schema::{Record, Status};

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
fn a_sound_journal_is_read_as_it_was_written() {
    let results = fixture::read(&fixture::text(&records()));
    assert_eq!((results.designs.len(), results.panels.len()), (5, 2));
    assert!(results.panels.iter().all(|panel| panel.rounds.len() == 2));
    assert_eq!(results.end.map(|end| end.rounds), Some(4));
    assert!(!results.truncated);
}

#[test]
fn the_first_line_has_to_be_a_session_of_this_schema() {
    assert!(refusal("").contains("empty"));
    assert!(refusal("{\"record\":\"end\"}\n").contains("line 1: a journal begins with a session"));
    let foreign = fixture::text(&records()).replacen("raywalk/1", "raywalk/7", 1);
    let said = refusal(&foreign);
    assert_eq!(said, "line 1: schema is \"raywalk/7\"; this reader knows raywalk/1 only");
    assert!(refusal("not json\n").starts_with("line 1: not a session of schema raywalk/1"));
    let still = changed(|record| match record {
        Record::Session(session) => {
            session.clock.hertz = 0.0;
            true
        }
        _ => false,
    });
    assert!(still.contains("clock.hertz is 0"), "{still}");
}

#[test]
fn a_broken_line_in_the_middle_is_named() {
    let text = fixture::text(&records());
    let mut lines: Vec<&str> = text.lines().collect();
    lines[4] = "{\"record\":\"design\",\"id\":";
    assert!(refusal(&(lines.join("\n") + "\n")).starts_with("line 5: not a record of raywalk/1"));
    lines[4] = "{\"record\":\"surprise\"}";
    assert!(refusal(&(lines.join("\n") + "\n")).contains("unknown variant `surprise`"));
}

#[test]
fn a_last_line_cut_off_is_a_flag_and_costs_that_line_alone() {
    let text = fixture::text(&records());
    let cut = &text[..text.len() - 10];
    let results = read(cut.as_bytes()).expect("a cut journal is readable");
    assert!(results.truncated && results.end.is_none());
    // Nonsense is not a cut, even at the end.
    assert!(refusal(&(text.clone() + "nonsense")).contains("not a record"));
    // A missing newline after a whole record is nothing.
    assert!(!read(text.trim_end().as_bytes()).expect("all is there").truncated);
}

#[test]
fn references_to_what_nobody_introduced_are_refused() {
    let said = changed(|record| match record {
        Record::Round(round) => {
            round.panel = "elsewhere".to_owned();
            true
        }
        _ => false,
    });
    assert!(said.contains("a round of unknown panel \"elsewhere\""), "{said}");
    let said = changed(|record| match record {
        Record::Panel(panel) => {
            panel.designs.push("nobody".to_owned());
            true
        }
        _ => false,
    });
    assert!(said.contains("names unknown design \"nobody\""), "{said}");
    let said = changed(|record| match record {
        Record::Design(design) => {
            design.status = Status::Wrong { why: "a test".to_owned() };
            true
        }
        _ => false,
    });
    assert!(said.contains("times unverified design"), "{said}");
}

#[test]
fn an_incomplete_or_impossible_round_is_refused() {
    let of_round = |change: &dyn Fn(&mut raywalk_reports::schema::Round)| {
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
    assert!(of_round(&|round| round.round = 1).contains("stands here again"));
    let said = of_round(&|round| round.samples[0].cycles_per_tick = Some(-1.0));
    assert!(said.contains("cycles_per_tick"), "{said}");
    let twice = of_round(&|round| round.samples.push(round.samples[0].clone()));
    assert!(twice.contains("twice"), "{twice}");
}

#[test]
fn two_sessions_in_one_file_are_refused() {
    let text = fixture::text(&records());
    assert!(refusal(&(text.clone() + &text)).contains("a second session"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn a_journal_cut_anywhere_after_its_first_line_is_read(share in 0.0f64..1.0) {
        let text = fixture::text(&records());
        let first = text.find('\n').expect("more than one line") + 1;
        let cut = first + ((text.len() - first) as f64 * share) as usize;
        let results = read(&text.as_bytes()[..cut]);
        prop_assert!(results.is_ok(), "{:?}", results.err());
        prop_assert!(!raywalk_reports::page(&[results.expect("just tested")]).is_empty());
    }
}
