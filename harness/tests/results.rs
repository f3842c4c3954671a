//! What becomes of a journal: compared, exported, refused, repaired. The journals are synthetic,
//! but for the one that a run goes on with.

use predicates::prelude::*;
use raywalk_reports::schema::Record;

#[path = "../../reports/tests/fixture/mod.rs"]
mod fixture;
mod folder;
use fixture::Recipe;
use folder::Folder;

/// A session of one machine, in which beta takes so many times the ticks that it took.
fn journal(seed: u64, stretch: f64) -> String {
    let mut records = Recipe { seed, designs: 3, rounds: 40, ..Recipe::SMALL }.records();
    if let Some(Record::Session(session)) = records.first_mut() {
        session.machine.cpu = "Synthetic".to_owned();
    }
    fixture::stretch(&mut records, "synthetic-beta", stretch);
    fixture::text(&records)
}

#[test]
fn a_proved_regression_is_exit_code_1_and_only_beyond_the_gate() {
    let folder = Folder::new();
    folder.write("a.jsonl", &journal(1, 1.0));
    folder.write("same.jsonl", &journal(2, 1.0));
    folder.write("slow.jsonl", &journal(3, 1.03));
    let compare = |words: &[&str]| folder.raywalk(&[&["compare"], words].concat()).assert();
    compare(&["a.jsonl", "same.jsonl"])
        .success()
        .stdout(predicate::str::contains("No regression beyond 1.0 % is proved."));
    compare(&["a.jsonl", "slow.jsonl"])
        .code(1)
        .stdout(predicate::str::contains("2 proved regressions beyond 1.0 %: synthetic-beta in"));
    compare(&["a.jsonl", "slow.jsonl", "--gate", "5%"]).success();
    compare(&["slow.jsonl", "a.jsonl"]).success();
    compare(&["a.jsonl", "slow.jsonl", "--design", "synthetic-gamma"]).success();
    compare(&["a.jsonl", "slow.jsonl", "--design", "*-beta", "--gate", "0.5 %"]).code(1);
    compare(&["a.jsonl", "slow.jsonl", "--gate", "0.05"]).code(2);
    compare(&["a.jsonl", "slow.jsonl", "--design", "nobody"])
        .code(2)
        .stderr(predicate::str::contains("no panel in common"));
}

#[test]
fn unlike_results_are_refused_unless_forced_and_then_marked() {
    let folder = Folder::new();
    folder.write("a.jsonl", &journal(1, 1.0));
    folder.write("b.jsonl", &journal(2, 1.0).replace("\"cpu\":\"Synthetic\"", "\"cpu\":\"Else\""));
    folder
        .raywalk(&["compare", "a.jsonl", "b.jsonl"])
        .assert()
        .code(2)
        .stdout("")
        .stderr(predicate::str::contains("the CPU is `Synthetic, family 0"))
        .stderr(predicate::str::contains("--force"));
    let forced = folder.answer(&["compare", "a.jsonl", "b.jsonl", "--force"]);
    assert!(forced.lines().all(|line| line.starts_with("forced |")), "{forced}");
    // Another schema cannot be read, so it cannot be forced either.
    folder.write("c.jsonl", &journal(2, 1.0).replace("raywalk/1", "raywalk/9"));
    folder
        .raywalk(&["compare", "a.jsonl", "c.jsonl", "--force"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("line 1: schema is \"raywalk/9\""));
}

#[test]
fn an_export_has_a_row_for_each_sample() {
    let folder = Folder::new();
    folder.write("journal.jsonl", &journal(1, 1.0));
    let csv = folder.answer(&["export", ".", "--format", "csv"]);
    // Two panels, 40 rounds, three designs and the twin; and the line of names.
    assert_eq!(csv.lines().count(), 2 * 40 * 4 + 1);
    assert!(csv.starts_with("session,cpu,panel,workload,stage,scope,regime,k,"), "{csv}");
    let said = folder.answer(&["export", ".", "--format", "parquet", "-o", "samples.parquet"]);
    assert_eq!(said, "samples.parquet: 320 rows\n");
    let bytes = std::fs::read(folder.path("samples.parquet")).expect("a file");
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    folder.raywalk(&["export", ".", "--format", "xlsx"]).assert().code(2);
    folder
        .raywalk(&["export", ".", "--format", "csv", "-o", "no-such/folder.csv"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("no-such/folder.csv"));
}

#[test]
fn the_schema_is_json_and_names_its_version() {
    let text = Folder::new().answer(&["schema"]);
    let schema: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(schema["title"], raywalk_reports::schema::SCHEMA);
    assert_eq!(schema["$defs"]["Session"]["properties"]["schema"]["const"], "raywalk/1");
}

/// The faults that a journal can have, each through every command that reads one.
#[test]
fn a_corrupted_journal_is_refused_with_the_number_of_the_line() {
    let folder = Folder::new();
    let sound = journal(1, 1.0);
    folder.write("sound.jsonl", &sound);
    let lines: Vec<&str> = sound.lines().collect();
    let with = |number: usize, line: &str| {
        let mut lines = lines.clone();
        lines[number - 1] = line;
        lines.join("\n") + "\n"
    };
    let torn = &lines[9][..lines[9].len() / 2];
    let no_ticks = lines[9].replacen("\"ticks\":", "\"ticks\":-", 1);
    let cases = [
        (with(10, torn), "line 10: not a record of raywalk/1"),
        (with(10, "PK\u{3}\u{4}"), "line 10: not a record of raywalk/1"),
        (with(10, &no_ticks), "line 10: not a record of raywalk/1"),
        (with(10, lines[10]), "line 11: round 2 of panel"),
        (with(3, lines[1]), "line 3: design \"synthetic-alpha\" stands here a second time"),
        (with(1, lines[1]), "line 1: a journal begins with a session"),
        (with(1, "%PDF-1.7"), "line 1: not a session of schema raywalk/1"),
        (String::new(), "the journal is empty"),
    ];
    for (text, expected) in cases {
        folder.write("bad.jsonl", &text);
        for words in [
            &["report", "bad.jsonl"][..],
            &["export", "bad.jsonl", "--format", "csv"],
            &["compare", "sound.jsonl", "bad.jsonl"],
        ] {
            folder
                .raywalk(words)
                .assert()
                .code(2)
                .stdout("")
                .stderr(predicate::str::contains(expected))
                .stderr(predicate::str::contains("bad.jsonl"));
        }
    }
}

#[test]
fn a_last_line_that_was_cut_off_costs_that_line_alone() {
    let folder = Folder::new();
    let sound = journal(1, 1.0);
    // Without the end, the last line is a round.
    let rounds = sound.trim_end().rsplit_once('\n').expect("lines").0;
    let start = rounds.rfind('\n').expect("lines") + 1;
    for cut in [start + 1, start + 2, start + 40, rounds.len() - 1] {
        folder.write("journal.jsonl", &rounds[..cut]);
        folder.answer(&["report", "."]);
        let page = std::fs::read_to_string(folder.path("report.html")).expect("a page");
        assert!(page.contains("stopped in the middle of a record, which is left out"));
        let csv = folder.answer(&["export", ".", "--format", "csv"]);
        assert_eq!(csv.lines().count(), (2 * 40 - 1) * 4 + 1);
    }
}

/// Two designs, one workload, six rounds.
const PLAN: &str = r#"
seed = 7
rounds = 6
batch-ms = 0.1
designs = ["bell/last-square", "bitboard/hyperbola"]

[[panels]]
workload = "cycle-16"
"#;

#[test]
fn a_run_is_graded_and_its_journal_goes_on_only_where_it_is_sound() {
    let folder = Folder::new();
    folder.write("small.toml", PLAN);
    let run = ["run", "--plan", "small.toml", "--out", "result"];
    let resume = [&run[..], &["--resume"]].concat();
    let said = folder.answer(&run);
    assert!(said.contains("session grade "), "{said}");
    let journal = folder.path("result/journal.jsonl");
    let text = std::fs::read_to_string(&journal).expect("a journal");
    let page = std::fs::read_to_string(folder.path("result/report.html")).expect("a page");
    assert!(page.contains("Session grade"));
    // Without its end it could go on, but for the line that is not one.
    let lines: Vec<&str> = text.lines().collect();
    let (last, before) = lines[..lines.len() - 1].split_last().expect("rounds");
    let number = before.len();
    for (broken, expected) in [
        ([&before[..number - 1], &["{\"record\":"], &[*last]].concat(), number),
        ([before, &["", "nonsense"]].concat(), number + 2),
        ([before, &[*last, *last]].concat(), number + 2),
    ] {
        std::fs::write(&journal, broken.join("\n") + "\n").expect("written");
        folder
            .raywalk(&resume)
            .assert()
            .code(2)
            .stderr(predicate::str::contains(format!("line {expected}:")));
    }
    // A line that was cut off is cut away, and its round made again.
    std::fs::write(&journal, format!("{}\n{}", before.join("\n"), &last[..last.len() / 2]))
        .expect("written");
    folder.raywalk(&resume).assert().success();
    let repaired = std::fs::read_to_string(&journal).expect("a journal");
    assert!(repaired.starts_with(&(before.join("\n") + "\n")));
    // A process of its own made the round that was missing, and warmed up for it.
    let rounds =
        |text: &str| text.lines().filter(|line| line.contains("\"record\":\"round\"")).count();
    assert_eq!(rounds(&repaired), rounds(&text));
    assert_eq!(repaired.lines().count(), lines.len() + 2);
}
