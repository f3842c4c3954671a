//! Journals: a synthetic one, of which single fields, lines and bytes are broken, through every command
//! that reads journals.

use std::path::Path;

use super::case::{Case, Expected, accepted, case, failed, refused};
use super::journal_fields::{Edit, REST, RIGHT, SESSION};
use crate::folder;

/// The commands that read the journal `bad.jsonl`, and `good.jsonl` for comparison. Rows take them in turn.
const COMMANDS: [&[&str]; 4] = [
    &["report", "bad.jsonl"],
    &["export", "bad.jsonl", "--format", "csv"],
    &["compare", "good.jsonl", "bad.jsonl"],
    &["ranking", "bad.jsonl", "good.jsonl"],
];

fn sound() -> String {
    folder::journal(1, 1.0)
}

pub(crate) fn cases() -> Vec<Case> {
    let sound = sound();
    let edits = SESSION.iter().chain(REST).enumerate();
    let mut cases: Vec<Case> = edits
        .map(|(number, edit)| {
            let why = format!("bad.jsonl: {}", edit.4);
            let words = COMMANDS[number % COMMANDS.len()];
            refused(edit.0, words, if why.contains(": line") { &why } else { edit.4 })
                .file("bad.jsonl", edited(&sound, edit))
        })
        .collect();
    cases.extend(RIGHT.iter().map(|edit| {
        accepted(edit.0, &["ranking", "bad.jsonl", "good.jsonl"], edit.4)
            .file("bad.jsonl", edited(&sound, edit))
    }));
    cases.extend(files(&sound));
    cases.extend(commands(&sound));
    for case in &mut cases {
        case.files.push(("good.jsonl".to_owned(), folder::journal(2, 1.0).into()));
    }
    cases
}

/// The journal with one text of one line replaced.
fn edited(journal: &str, &(name, line, from, to, _): &Edit) -> String {
    let mut lines: Vec<String> = journal.lines().map(str::to_owned).collect();
    assert!(lines[line - 1].contains(from), "{name}: line {line} lacks {from}");
    lines[line - 1] = lines[line - 1].replacen(from, to, 1);
    lines.join("\n") + "\n"
}

/// The journal with the same text replaced in every line.
fn everywhere(journal: &str, from: &str, to: &str) -> String {
    assert!(journal.contains(from), "no line has {from}");
    journal.replace(from, to)
}

/// Whole files: cut, mixed up, of another kind, of another encoding.
fn files(sound: &str) -> Vec<Case> {
    let lines: Vec<&str> = sound.lines().collect();
    let joined = |lines: &[&str]| lines.join("\n") + "\n";
    let without = |range: std::ops::Range<usize>| {
        joined(&[&lines[..range.start], &lines[range.end..]].concat())
    };
    let texts: Vec<(&str, Vec<u8>, &str)> = vec![
        ("empty journal", "".into(), "the journal is empty; its first line must be a session"),
        ("one line end", "\n".into(), "line 1: not a session of a journal"),
        ("byte order mark only", "\u{feff}".into(), "line 1: not a session of a journal"),
        ("NUL", "\0".into(), "line 1: not a session of a journal"),
        ("empty object", "{}\n".into(), "line 1: a journal begins with a session"),
        ("list", "[]\n".into(), "line 1: a journal begins with a session"),
        ("number", "7\n".into(), "line 1: a journal begins with a session"),
        ("text", "\"session\"\n".into(), "line 1: a journal begins with a session"),
        ("page", "<!DOCTYPE html>\n".into(), "line 1: not a session of a journal"),
        ("export of ours", "session,cpu,panel\n".into(), "line 1: not a session of a journal"),
        ("UTF-16", b"\xff\xfe{\0\"\0".to_vec(), "line 1: not a session of a journal"),
        (
            "compressed file",
            b"\x1f\x8b\x08\0\0\0\0\0".to_vec(),
            "line 1: not a session of a journal",
        ),
        ("deep nesting", "[".repeat(100_000).into(), "line 1: not a session of a journal"),
        (
            "two byte order marks",
            format!("\u{feff}\u{feff}{sound}").into(),
            "line 1: not a session",
        ),
        ("no session", without(0..1).into(), "line 1: a journal begins with a session"),
        (
            "no designs",
            without(1..4).into(),
            "line 4: panel \"repeat-1/replay-1/all\" names unknown",
        ),
        ("no panels", without(6..8).into(), "line 8: a round of unknown panel"),
        (
            "no process",
            without(8..9).into(),
            "line 9: round 0 belongs to process 0, which never started",
        ),
        ("no first round", without(9..10).into(), "line 10: round 1 of panel"),
        ("a round lost", without(20..21).into(), "line 21: round 12 of panel"),
        (
            "last round lost",
            without(88..89).into(),
            "line 89: the end counts 80 rounds, and the journal has 79",
        ),
        ("session twice", format!("{}\n{sound}", lines[0]).into(), "line 2: a second session"),
        ("two journals in one file", sound.repeat(2).into(), "line 91: a second session"),
        (
            "lines reversed",
            joined(&lines.iter().rev().copied().collect::<Vec<_>>()).into(),
            "line 1: a journal begins",
        ),
        (
            "record in two lines",
            sound.replacen("\"id\"", "\n\"id\"", 1).into(),
            "line 2: not a record",
        ),
        (
            "two records in one line",
            sound.replacen("}\n{\"record\":\"panel\"", "}{\"record\":\"panel\"", 1).into(),
            "line 6: not a record",
        ),
        (
            "byte that is not UTF-8",
            replaced(sound, b"The fixture", b"The \xff"),
            "line 2: not a record",
        ),
        (
            "Latin-1 name",
            replaced(sound, b"Synthetic alpha", b"Synth\xe9tique"),
            "line 2: not a record",
        ),
        ("NUL in a line", replaced(sound, b"\"id\"", b"\0\"id\""), "line 2: not a record"),
        (
            "name of a megabyte in an error",
            format!("{}\n{{\"record\":\"{}\"}}\n", lines[0], "x".repeat(1 << 20)).into(),
            "line 2: not a record",
        ),
        ("no line end within 17 MiB", vec![b' '; 17 << 20], "line 1 is longer than 16 MiB"),
    ];
    texts
        .into_iter()
        .enumerate()
        .map(|(number, (name, bytes, why))| {
            refused(name, COMMANDS[number % COMMANDS.len()], &format!("bad.jsonl: {why}"))
                .file("bad.jsonl", bytes)
        })
        .collect()
}

/// The journal with the first of these bytes replaced.
fn replaced(journal: &str, from: &[u8], to: &[u8]) -> Vec<u8> {
    let text = journal.as_bytes();
    let at = text.windows(from.len()).position(|window| window == from).expect("the bytes");
    [&text[..at], to, &text[at + from.len()..]].concat()
}

/// What the four commands do with journals that can be read.
fn commands(sound: &str) -> Vec<Case> {
    let lines: Vec<&str> = sound.lines().collect();
    let rounds = |count: usize| [&lines[..9 + count], &[""]].concat().join("\n");
    let mut cases = vec![
        accepted("report of a session alone", &["report", "bad.jsonl"], "report.html")
            .file("bad.jsonl", format!("{}\n", lines[0])),
        accepted(
            "export of a session alone",
            &["export", "bad.jsonl", "--format", "csv"],
            "session,cpu,",
        )
        .file("bad.jsonl", format!("{}\n", lines[0])),
        refused("comparison with a session alone", COMMANDS[2], "no panel in common")
            .file("bad.jsonl", format!("{}\n", lines[0])),
        refused(
            "ranking with a session alone",
            COMMANDS[3],
            "no panel has rounds in all of these results",
        )
        .file("bad.jsonl", format!("{}\n", lines[0])),
        refused(
            "ranking without rounds",
            COMMANDS[3],
            "no panel has rounds in all of these results",
        )
        .file("bad.jsonl", rounds(0)),
        accepted("one round", COMMANDS[0], "report.html").file("bad.jsonl", rounds(1)),
        accepted("cut within the last line", COMMANDS[0], "report.html")
            .file("bad.jsonl", &sound[..sound.len() - 9]),
        accepted("cut before the last line end", COMMANDS[2], "No significant regression")
            .file("bad.jsonl", sound.trim_end()),
        accepted("line ends of Windows", COMMANDS[3], "stable")
            .file("bad.jsonl", sound.replace('\n', "\r\n")),
        accepted("byte order mark", COMMANDS[3], "stable")
            .file("bad.jsonl", format!("\u{feff}{sound}")),
        accepted("every round delayed for ever", COMMANDS[0], "report.html").file(
            "bad.jsonl",
            everywhere(sound, "\"first\":", "\"delayed_ms\":18446744073709551615,\"first\":"),
        ),
        accepted("every round stolen for ever", COMMANDS[3], "stable").file(
            "bad.jsonl",
            everywhere(sound, "\"first\":", "\"steal_ms\":18446744073709551615,\"first\":"),
        ),
        accepted("no moves at all", COMMANDS[0], "report.html")
            .file("bad.jsonl", everywhere(sound, "\"moves\":", "\"moves\":0,\"x\":")),
        accepted("no difference at all", COMMANDS[3], "stable")
            .file("bad.jsonl", everywhere(sound, "\"ticks\":", "\"ticks\":1000,\"x\":")),
        accepted("markup as name of a design", COMMANDS[0], "report.html").file(
            "bad.jsonl",
            everywhere(sound, "Synthetic beta", "</td><script>alert(1)</script>"),
        ),
        accepted("escape sequence as id of a design", COMMANDS[2], "synthetic-gamma")
            .file("bad.jsonl", everywhere(sound, "synthetic-beta", "\\u001b[2Jbeta")),
        accepted("name of a hundred kilobytes", COMMANDS[3], "stable")
            .file("bad.jsonl", everywhere(sound, "Synthetic beta", &"é".repeat(50_000))),
        failed("regression", &["compare", "good.jsonl", "slow.jsonl"], "significant regression")
            .file("slow.jsonl", folder::journal(3, 1.03)),
        failed("contradiction", &["ranking", "good.jsonl", "slow.jsonl"], "not stable")
            .file("slow.jsonl", folder::journal(3, 2.0)),
        refused("other processor", COMMANDS[2], "not comparable: CPU is `Synthetic, family 0")
            .file("bad.jsonl", sound.replace("\"cpu\":\"Synthetic\"", "\"cpu\":\"Else\"")),
        refused("other corpus", COMMANDS[2], "not comparable: ")
            .file("bad.jsonl", sound.replace("0000000000000000", "0000000000000001")),
        refused("other compiler", COMMANDS[2], "not comparable: ")
            .file("bad.jsonl", sound.replace("rustc of no version", "rustc 9")),
        refused("escape sequence in what differs", COMMANDS[2], "\\u{1b}[2J")
            .file("bad.jsonl", sound.replace("rustc of no version", "\\u001b[2J")),
        refused("megabyte in what differs", COMMANDS[2], "not comparable: ")
            .file("bad.jsonl", sound.replace("rustc of no version", &"x".repeat(1 << 20))),
        refused(
            "result compared with itself",
            &["compare", "good.jsonl", "good.jsonl"],
            "are the same session",
        ),
        refused(
            "result compared with its folder",
            &["compare", "run", "run/journal.jsonl"],
            "are the same session",
        )
        .file("run/journal.jsonl", sound),
        refused(
            "result compared with its copy",
            &["compare", "a.jsonl", "bad.jsonl", "--force"],
            "are the same session",
        )
        .file("a.jsonl", sound)
        .file("bad.jsonl", sound),
        refused(
            "session ranked twice",
            &["ranking", "good.jsonl", "good.jsonl"],
            "are the same session",
        ),
        accepted(
            "several reports in one",
            &["report", "bad.jsonl", "good.jsonl", "-o", "x.html"],
            "x.html",
        )
        .file("bad.jsonl", sound),
        refused(
            "second journal wrong",
            &["report", "good.jsonl", "bad.jsonl"],
            "bad.jsonl: the journal is empty",
        )
        .file("bad.jsonl", ""),
        refused("folder without journal", &["report", "empty"], "cannot open empty/journal.jsonl")
            .prepared(|folder| std::fs::create_dir(folder.join("empty")).expect("a folder")),
        refused(
            "folder as journal",
            &["export", "run", "--format", "csv"],
            "run/journal.jsonl: line 1 cannot be read",
        )
        .prepared(|folder: &Path| {
            std::fs::create_dir_all(folder.join("run/journal.jsonl")).expect("a folder");
        }),
    ];
    for (name, place, code) in [
        ("two changes named by force", "rustc of no version", Expected::Done),
        ("processor named by force", "\"cpu\":\"Synthetic\"", Expected::Done),
    ] {
        let words = ["compare", "good.jsonl", "bad.jsonl", "--force"];
        let changed = if place.starts_with('"') { "\"cpu\":\"\\u001b[7m\"" } else { "\\u001b[7m" };
        cases.push(
            case(code, name, &words, "forced | ").file("bad.jsonl", sound.replace(place, changed)),
        );
    }
    cases
}
