//! Crafted inputs: positions, facts, games, plans, journals, flags, paths and environments that a careless or a
//! hostile user may pass. Each case runs the program as a process and states its exit code and a part of
//! its answer.
//!
//! The rules that hold for every case:
//!
//! * The exit code is 0 if what was asked was done, 1 if a check failed, 2 for bad input, 3 if another
//!   program failed. The program ends within [`LONGEST`](run::LONGEST) and never panics.
//! * Bad input has no answer on stdout, and one line on stderr that begins with `raywalk: ` and contains what the
//!   user needs. Only the syntax of the command line is different: there the parser answers with `error: `, several
//!   lines of usage and a hint at `--help`.
//! * No control character reaches a stream, except line ends and the colours that were asked for.
//! * A message has fewer than [`MOST`](run::MOST) characters and names no type of Rust.

#![cfg(unix)]

mod case;
mod environment;
mod epd;
mod fen;
mod flags;
mod journal;
mod journal_fields;
mod paths;
mod pgn;
mod plan;
mod run;

use case::Case;

#[test]
fn every_crafted_input_has_the_exit_code_and_the_message_of_its_kind() {
    let kinds: [(&str, Vec<Case>); 8] = [
        ("fen", fen::cases()),
        ("epd", epd::cases()),
        ("pgn", pgn::cases()),
        ("plan", plan::cases()),
        ("journal", journal::cases()),
        ("flags", flags::cases()),
        ("paths", paths::cases()),
        ("environment", environment::cases()),
    ];
    let counts: Vec<String> =
        kinds.iter().map(|(kind, cases)| format!("{kind} {}", cases.len())).collect();
    let total: usize = kinds.iter().map(|(_, cases)| cases.len()).sum();
    println!("{total} crafted inputs: {}", counts.join(", "));
    assert!(total >= 500, "only {total} cases");
    for (kind, cases) in &kinds {
        run::assert_different(kind, cases);
    }
    let cases: Vec<(&str, &Case)> = kinds
        .iter()
        .flat_map(|(kind, cases)| cases.iter().map(move |case| (*kind, case)))
        .collect();
    let failures = run::all(&cases);
    assert!(failures.is_empty(), "{} of {total}:\n\n{}", failures.len(), failures.join("\n\n"));
}
