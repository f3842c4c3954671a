//! Readers with known faults: the driver must find each of them, at the right input.

use std::sync::atomic::AtomicU64;

use anyhow::anyhow;
use raywalk_core::{CastlingRights, Position, State};

use super::*;
use crate::kinds::position::check_fen;
use crate::kinds::{KINDS, refused};

/// Long enough for any machine.
const PATIENT: Watch = Watch { interval: Duration::from_millis(10), looks: 60_000 };

fn words() -> Corpus {
    Corpus { seeds: vec![b"one two three".to_vec()], words: &["four"] }
}

fn task(kind: &'static Kind, inputs: u64) -> Task {
    Task {
        kinds: vec![kind],
        seed: 3,
        first: 0,
        amount: Amount::Inputs(inputs),
        threads: 2,
        watch: PATIENT,
    }
}

#[test]
fn right_answers_are_counted() {
    static HALF: Kind = Kind {
        name: "half",
        corpus: words,
        read: |_, number| match number % 2 {
            0 => Ok(Answer::Accepted),
            _ => refused(&anyhow!("an odd number")),
        },
    };
    let tallies = run(Task { kinds: vec![&HALF, &HALF], ..task(&HALF, 4_001) }).expect("no fault");
    let counts: Vec<_> = tallies.iter().map(|tally| (tally.accepted, tally.refused)).collect();
    assert_eq!(counts, [(1001, 1000), (1000, 1000)]);
    assert!(tallies.iter().all(|tally| (1..2001).contains(&tally.distinct)), "{tallies:?}");
}

#[test]
fn a_run_of_some_time_ends() {
    static ALL: Kind = Kind { name: "all", corpus: words, read: |_, _| Ok(Answer::Accepted) };
    let amount = Amount::Time(Duration::from_millis(20));
    let tallies = run(Task { amount, ..task(&ALL, 0) }).expect("no fault");
    assert!(tallies[0].accepted > 0);
}

#[test]
fn a_panic_is_found_with_its_message_and_its_input() {
    static PANICS: Kind = Kind {
        name: "panics",
        corpus: words,
        read: |input, number| {
            assert!(number != 700, "{} bytes are too many", input.len());
            Ok(Answer::Accepted)
        },
    };
    let failure = run(task(&PANICS, 1_000)).expect_err("a panic");
    let expected = words().input(mix(3) ^ mix(!700));
    assert_eq!((failure.kind, failure.seed, failure.number), ("panics", 3, 700));
    assert_eq!(failure.input, expected);
    let message = format!("panic: {} bytes are too many (", expected.len());
    assert!(failure.what.starts_with(&message), "{}", failure.what);
    assert!(failure.what.contains("tests.rs:"), "{}", failure.what);
    // The same input again, as the failure tells.
    let again = Task { first: 700, ..task(&PANICS, 1) };
    assert_eq!(run(again).expect_err("a panic").input, expected);
}

#[test]
fn a_hang_is_found_while_another_thread_works() {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    static RELEASED: AtomicBool = AtomicBool::new(false);
    static HANGS: Kind = Kind {
        name: "hangs",
        corpus: words,
        read: |_, number| {
            CALLS.fetch_add(1, Relaxed);
            while number == 50 && !RELEASED.load(Relaxed) {
                thread::sleep(Duration::from_millis(1));
            }
            Ok(Answer::Accepted)
        },
    };
    let watch = Watch { interval: Duration::from_millis(5), looks: 20 };
    let failure = run(Task { watch, ..task(&HANGS, u64::MAX) }).expect_err("a hang");
    RELEASED.store(true, Relaxed);
    assert_eq!((failure.kind, failure.number), ("hangs", 50));
    assert_eq!(failure.what, "no answer within 100ms");
    assert_eq!(failure.input, words().input(mix(3) ^ mix(!50)));
    assert!(CALLS.load(Relaxed) > 51, "the other thread stood still");
}

#[test]
fn an_input_hangs_only_if_it_is_seen_in_a_row() {
    let mut seen = Seen::default();
    let looks = [4, 4, 5, 5, 5, 0, 0, 5].map(|place| seen.look(place));
    assert_eq!(looks, [1, 2, 1, 2, 3, 0, 0, 1]);
}

/// Reads a FEN without its castling rights.
fn without_rights(input: &[u8], _number: u64) -> Checked {
    let text = String::from_utf8_lossy(input);
    let Ok(position) = text.parse::<Position>() else { return refused(&anyhow!("no FEN")) };
    let state = State { rights: CastlingRights::NONE, ..position.state() };
    let misread = Position::trusted(*position.squares(), state);
    check_fen(&text, &misread).map(|()| Answer::Accepted)
}

/// Accepts every FEN that is well formed, also with the wrong side in check.
fn without_validation(input: &[u8], _number: u64) -> Checked {
    let text = String::from_utf8_lossy(input);
    let Ok(position) = text.parse::<Position>() else { return refused(&anyhow!("no FEN")) };
    let state = State { side: !position.side(), en_passant: None, ..position.state() };
    let impossible = Position::trusted(*position.squares(), state);
    check_fen(&impossible.to_string(), &impossible).map(|()| Answer::Accepted)
}

#[test]
fn readers_that_accept_wrongly_are_found() {
    static FORGETS: Kind = Kind { name: "forgets", corpus: KINDS[0].corpus, read: without_rights };
    static LENIENT: Kind =
        Kind { name: "lenient", corpus: KINDS[0].corpus, read: without_validation };
    let failure = run(task(&FORGETS, 100_000)).expect_err("a position that is misread");
    assert!(failure.what.starts_with("the text is read as "), "{}", failure.what);
    let failure = run(task(&LENIENT, 100_000)).expect_err("an impossible position");
    assert!(failure.what.contains("then refused: "), "{}", failure.what);
}

#[test]
fn an_empty_message_is_found() {
    static WORDY: Kind = Kind {
        name: "wordy",
        corpus: words,
        read: |_, number| refused(&anyhow!(if number == 9 { "" } else { "one" })),
    };
    let failure = run(task(&WORDY, 100)).expect_err("an empty message");
    assert_eq!((failure.number, failure.what.as_str()), (9, "the message is empty"));
}
