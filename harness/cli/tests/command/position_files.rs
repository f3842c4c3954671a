//! Workloads of the user: files of positions in FEN, EPD and PGN.

use predicates::prelude::*;
use raywalk_results::journal;

use crate::folder::{self, Folder, JOURNAL, output, raywalk};

const EPD: &str = "# own\nstartpos\n4k3/8/8/8/8/8/8/R3K3 w Q - bm O-O-O; id \"castles\";\n\
                   8/8/8/3k4/8/3K4/8/8 w - - 0 1 ;D1 5 ; kings\nstartpos\n";
const PGN: &str =
    "[Event \"?\"]\n\n1. f3 e5 (1... e6) 2. g4 {bad} Qh4# 0-1\n\n[Event \"?\"]\n\n1. e4 *\n";

/// FENs of two kings: 3,612 distinct positions, more than a predictor memorises.
fn kings() -> String {
    let apart = |a: u32, b: u32| (a % 8).abs_diff(b % 8).max((a / 8).abs_diff(b / 8)) > 1;
    let mut text = String::new();
    for (white, black) in (0..64).flat_map(|a| (0..64).map(move |b| (a, b))) {
        if !apart(white, black) {
            continue;
        }
        let mut empty = 0;
        for square in 0..64 {
            let king = [(white, 'K'), (black, 'k')].into_iter().find(|king| king.0 == square);
            let digit = |empty: u32| char::from_digit(empty, 10).filter(|_| empty > 0);
            if let Some((_, king)) = king {
                text.extend(digit(empty).into_iter().chain([king]));
                empty = 0;
            } else {
                empty += 1;
            }
            if square % 8 == 7 {
                text.extend(digit(empty));
                text.push(if square == 63 { ' ' } else { '/' });
                empty = 0;
            }
        }
        text.push_str("w - - 0 1\n");
    }
    text
}

/// A folder with the files of the tests, and a plan of two designs without a panel of a file.
fn folder() -> Folder {
    let folder = Folder::planned(folder::PLAN);
    folder.write("kings.fen", &kings());
    folder.write("own.epd", EPD);
    folder.write("games.txt", PGN);
    folder
}

/// The number of checks that the first design passes.
fn checks(text: &str) -> usize {
    let words: Vec<&str> = text.lines().nth(1).expect("a row").split_whitespace().collect();
    assert_eq!(words[1], "verified", "{text}");
    words[2].parse().expect("a number")
}

#[test]
fn positions_of_a_file_are_verified() {
    let folder = folder();
    folder.write("one.epd", "startpos ;D1 20\n");
    let verify = |more: &[&str]| {
        let words = ["verify", "--design", "bell/last-square", "--epd", "one.epd"];
        folder.raywalk(&[&words, more].concat())
    };
    let none = checks(&output(verify(&[])));
    let one = checks(&output(verify(&["--workload", "own.epd:1"]))) - none;
    assert!(one > 0);
    for (file, positions) in
        [("own.epd", 4), ("./own.epd:3", 3), ("games.txt", 7), ("kings.fen", 3612), ("tricky:5", 5)]
    {
        let found = checks(&output(verify(&["--workload", file]))) - none;
        assert_eq!(found, positions * one, "{file}");
    }
    let mut input = verify(&["--workload", "-"]);
    assert_eq!(checks(&output_of(input.write_stdin(PGN))) - none, 7 * one);
}

fn output_of(command: &mut assert_cmd::Command) -> String {
    let assert = command.assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).expect("text")
}

#[test]
fn a_file_is_measured_under_its_name_and_the_page_does_not_name_its_folder() {
    let folder = folder();
    let path = folder.path("kings.fen").to_string_lossy().into_owned();
    let text = output_of(&mut folder.run(&["--workload", &path]));
    let line = text.lines().next().expect("a line");
    // 22,176 king moves in all, counted by another program.
    let start = "kings.fen: 3,612 positions, 3,612 distinct, 6.1 legal moves per position, 0.0 %";
    assert!(line.starts_with(start), "{line}");
    assert!(line.ends_with("memorisation curve up to K = 3,612"), "{line}");
    let found = journal::read(folder.read(JOURNAL).as_bytes()).expect("a journal");
    let [corpus] = found.session.corpora.as_slice() else { panic!("{:?}", found.session.corpora) };
    assert_eq!((corpus.name.as_str(), corpus.positions), ("kings.fen", 3612));
    assert!(line.contains(&format!("digest {}", corpus.digest)), "{line}");
    let [panel] = found.panels.as_slice() else { panic!("one panel") };
    assert_eq!(panel.panel.id, "kings.fen/stream-listed/all");
    assert_eq!(panel.rounds.len(), 6);

    let page = folder.read("result/report.html");
    assert!(page.contains("kings.fen") && page.contains(&corpus.digest));
    let above = folder.path("").to_string_lossy().trim_end_matches('/').to_owned();
    assert!(!page.contains(&above), "the page names {above}");
    assert!(found.session.plan_file.contains(&path), "the plan names the file for --resume");
}

#[test]
fn a_file_that_can_be_memorised_is_measured_as_a_replay_only() {
    let folder = folder();
    let sentence = "raywalk: workload `own.epd` has 3 distinct positions, few enough for a branch \
                    predictor to memorise; a stream needs 2,622; measure a replay instead, with \
                    `--replay 3` or with `regime = { replay = 3 }` in a plan file\n";
    folder.run(&["--workload", "own.epd"]).assert().code(2).stdout("").stderr(sentence);
    assert!(!folder.path("result").exists());
    let more = predicate::str::contains("has 3 distinct positions, too few for a replay of 4");
    folder.run(&["--workload", "own.epd", "--replay", "4"]).assert().code(2).stderr(more);

    folder.run(&["--workload", "own.epd", "--replay", "3"]).assert().success();
    let found = journal::read(folder.read(JOURNAL).as_bytes()).expect("a journal");
    assert_eq!(found.panels[0].panel.id, "own.epd/replay-3/all");
}

#[test]
fn a_replay_is_of_the_workloads_that_were_named() {
    let folder = folder();
    let panels = |more: &[&str]| {
        let text = output_of(&mut folder.run(&[&["--dry-run"], more].concat()));
        let rows = text.lines().filter_map(|line| line.strip_prefix("  "));
        let names = rows.filter_map(|row| row.split_whitespace().next().map(str::to_owned));
        // The first row names the columns.
        names.skip(1).collect::<Vec<_>>()
    };
    assert_eq!(
        panels(&["--workload", "games.txt", "--workload", "ab4", "--replay", "5"]),
        ["games.txt/replay-5/all", "ab4/replay-5/all"]
    );
    assert_eq!(
        panels(&["--workload", "cycle-16", "--workload", "kings.fen"]),
        ["cycle-16/replay-16/all", "kings.fen/stream-listed/all"]
    );
    folder.run(&["--replay", "5"]).assert().code(2);
    folder.run(&["--workload", "ab4", "--replay", "0"]).assert().code(2);
}

#[test]
fn a_plan_file_names_files_as_well() {
    let folder = folder();
    let plan = format!(
        "{}\n[[panels]]\nworkload = \"games.txt\"\nregime = {{ replay = 2 }}\n\
         [[panels]]\nworkload = \"./kings.fen\"\nscope = \"sliders\"\n",
        folder::PLAN
    );
    folder.write("small.toml", &plan);
    let text = output_of(&mut folder.run(&["--dry-run", "--workload", "games.txt"]));
    assert!(text.starts_with("games.txt: 7 positions, 6 distinct, "), "{text}");
    assert!(text.contains("games.txt/replay-2/all") && !text.contains("kings"), "{text}");
    let text = output_of(&mut folder.run(&["--dry-run"]));
    assert!(text.contains("kings.fen/stream-listed/all-sliders"), "{text}");
}

#[test]
fn bad_files_get_one_sentence_and_exit_code_2() {
    let folder = folder();
    folder.write("empty.epd", "# nothing\n");
    folder.write("wrong.epd", "startpos\n8/8/8/8/8/8/8/8 w - - 0 1\n");
    folder.write("below/kings.fen", &kings());
    folder.write("below/ab4", "startpos\n");
    folder.write("move.pgn", "[Event \"?\"]\n\n1. e4 e5\n2. Ke3 *\n");
    folder.write("comment.pgn", "1. e4 {never closed\n");
    folder.write("variation.pgn", "1. e4 (1. d4\n");
    folder.write("fen.pgn", "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n*\n");
    folder.write("960.pgn", "[Variant \"Chess960\"]\n\n1. e4 *\n");
    folder.write("tag.pgn", "[Event\n\n1. e4 *\n");
    std::fs::write(folder.path("binary.epd"), [0xff, 0xfe, 0]).expect("written");
    let cases = [
        ("missing.epd", "cannot read missing.epd: "),
        ("below", "cannot read below: "),
        ("binary.epd", "cannot read binary.epd: it is not UTF-8 text"),
        ("empty.epd", "cannot read empty.epd: it contains no position"),
        ("wrong.epd", "cannot read wrong.epd: line 2: the position cannot be read: "),
        ("move.pgn", "cannot read move.pgn: line 4, game 1: `Ke3` does not name exactly one"),
        ("comment.pgn", "line 1, game 1: the comment that begins here has no closing brace"),
        ("variation.pgn", "line 1, game 1: the variation that begins here has no closing"),
        ("fen.pgn", "line 1, game 1: the position of the tag FEN cannot be read: "),
        ("960.pgn", "line 1, game 1: the variant `Chess960` is not supported"),
        ("tag.pgn", "line 1, game 1: `[Event` is not a tag"),
        ("below/ab4", "the file below/ab4 is called like the workload `ab4`; rename it"),
        ("ab44", "unknown workload `ab44`; a file of positions is named by its path"),
        ("ab44", "a file of positions is named by its path, such as `./ab44`"),
    ];
    for (word, sentence) in cases {
        for command in [&["verify", "--workload"][..], &["run", "--workload"], &["workloads"]] {
            let assert = folder.raywalk(&[command, &[word]].concat()).assert();
            let error = String::from_utf8(assert.code(2).stdout("").get_output().stderr.clone());
            let error = error.expect("text");
            assert!(error.contains(sentence), "{command:?} {word}: {error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    }
    let twice = ["--workload", "kings.fen", "--workload", "below/kings.fen"];
    let sentence = predicate::str::contains("two files are called `kings.fen`");
    folder.run(&twice).assert().code(2).stderr(sentence);
    let once =
        predicate::str::contains("they cannot come from standard input; write them to a file");
    folder.run(&["--workload", "-"]).write_stdin(PGN).assert().code(2).stderr(once);
    assert!(!folder.path("result").exists());
}

#[test]
fn a_run_is_resumed_only_on_the_positions_that_it_began_with() {
    let folder = folder();
    folder.run(&["--workload", "kings.fen"]).assert().success();
    let whole = folder.read(JOURNAL);
    let lines: Vec<&str> = whole.lines().collect();
    let third = lines.iter().position(|line| line.contains("\"round\":2")).expect("a third round");
    folder.write(JOURNAL, &(lines[..third].join("\n") + "\n"));
    let resume = || folder.raywalk(&["run", "--resume", "--out", "result"]);

    let fewer: String = kings().lines().skip(1).map(|line| format!("{line}\n")).collect();
    folder.write("kings.fen", &fewer);
    let changed =
        predicate::str::contains("kings.fen has changed since the run was begun; restore it");
    resume().assert().code(2).stdout("").stderr(changed);
    std::fs::remove_file(folder.path("kings.fen")).expect("a file");
    let missing =
        predicate::str::contains("cannot read").and(predicate::str::contains("kings.fen: "));
    resume().assert().code(2).stdout("").stderr(missing);
    folder.write("kings.fen", &kings());
    // From another folder, and with the flag again.
    let mut elsewhere = raywalk(&["run", "--resume", "--dry-run", "--out"]);
    elsewhere.arg(folder.path("result")).assert().success();
    folder.run(&["--resume", "--workload", "kings.fen"]).assert().success();
    assert_eq!(folder::rounds(&folder.read(JOURNAL)), 6);
}

#[test]
fn the_content_of_a_workload_is_counted_on_demand() {
    let folder = folder();
    let text = folder.answer(&["workloads", "own.epd", "famous"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("own.epd: 4 positions, 3 distinct, "), "{text}");
    // The totals of the famous games are known from their own test.
    assert_eq!(
        lines[1],
        "famous: 6,204 positions, 6,204 distinct, 28.9 legal moves per position, 8.9 % in check, digest \
         425bf9fba5ef3731, memorisation curve up to K = 6,204"
    );
    let json = folder.answer(&["workloads", "games.txt", "tricky", "--format", "json"]);
    let rows: Vec<serde_json::Value> = serde_json::from_str(&json).expect("JSON");
    let [games, tricky] = rows.as_slice() else { panic!("two rows") };
    assert_eq!((&games["name"], &games["order"]), (&"games.txt".into(), &"game".into()));
    assert_eq!((&games["positions"], &games["timed"]), (&7.into(), &serde_json::Value::Null));
    assert_eq!(games["counted"]["distinct"], 6);
    assert_eq!((&tricky["counted"]["moves"], &tricky["timed"]), (&3396.into(), &false.into()));
    let keys = |row: &serde_json::Value| -> Vec<String> {
        row.as_object().expect("an object").keys().cloned().collect()
    };
    let all = folder.answer(&["workloads", "--format", "json"]);
    let all: Vec<serde_json::Value> = serde_json::from_str(&all).expect("JSON");
    assert!(all.iter().all(|row| keys(row) == keys(games) && row["counted"].is_null()));
    let input = output_of(raywalk(&["workloads", "-"]).write_stdin(PGN));
    assert!(input.starts_with("standard input: 7 positions, 6 distinct, "), "{input}");
}
