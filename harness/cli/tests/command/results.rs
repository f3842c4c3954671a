//! Commands that read journals: `compare`, `export`, `report`, `schema` and `show`, on synthetic sessions.

use predicates::prelude::*;
use raywalk_results::fixture::{self, Recipe};
use raywalk_results::schema::SchemaVersion;

use crate::folder::{Folder, journal};

#[test]
fn a_significant_regression_beyond_the_gate_is_exit_code_1() {
    let folder = Folder::new();
    folder.write("a.jsonl", &journal(1, 1.0));
    folder.write("same.jsonl", &journal(2, 1.0));
    folder.write("slow.jsonl", &journal(3, 1.03));
    let compare = |words: &[&str]| folder.raywalk(&[&["compare"], words].concat()).assert();
    compare(&["a.jsonl", "same.jsonl"]).success().stdout(predicate::str::contains(
        "No significant regression beyond the equality margin of 1.0 %.",
    ));
    compare(&["a.jsonl", "slow.jsonl"]).code(1).stdout(predicate::str::contains(
        "2 significant regressions beyond the equality margin of 1.0 %: synthetic-beta in",
    ));
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
fn different_machines_are_compared_only_by_force_and_then_marked() {
    let folder = Folder::new();
    folder.write("a.jsonl", &journal(1, 1.0));
    folder.write("b.jsonl", &journal(2, 1.0).replace("\"cpu\":\"Synthetic\"", "\"cpu\":\"Else\""));
    folder
        .raywalk(&["compare", "a.jsonl", "b.jsonl"])
        .assert()
        .code(2)
        .stdout("")
        .stderr(predicate::str::contains("CPU is `Synthetic, family 0"))
        .stderr(predicate::str::contains("--force"));
    let forced = folder.answer(&["compare", "a.jsonl", "b.jsonl", "--force"]);
    assert!(forced.lines().all(|line| line.starts_with("forced |")), "{forced}");
    // A journal of another major version cannot be read, not even by force.
    folder.write("c.jsonl", &journal(2, 1.0).replace("raywalk/3", "raywalk/9"));
    folder
        .raywalk(&["compare", "a.jsonl", "c.jsonl", "--force"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("raywalk/9"));
}

#[test]
fn records_that_only_a_newer_minor_version_knows_are_skipped_and_counted() {
    let folder = Folder::new();
    let newer = journal(1, 1.0).replacen("raywalk/3.11", "raywalk/3.12", 1);
    let (first, rest) = newer.split_once('\n').expect("lines");
    let unknown = "{\"record\":\"weather\",\"rain\":true}\n";
    folder.write("newer.jsonl", &format!("{first}\n{unknown}{unknown}{rest}"));
    folder
        .raywalk(&["export", "newer.jsonl", "--format", "csv"])
        .assert()
        .success()
        .stderr("newer.jsonl: skipped 2 records that only schema `raywalk/3.12` knows\n");
}

#[test]
fn the_tables_of_a_result_are_the_same_as_text_as_markdown_and_as_csv() {
    let folder = Folder::new();
    folder.write("journal.jsonl", &journal(1, 1.0));
    let show = |words: &[&str]| folder.answer(&[&["show", "."], words].concat());
    let (text, markdown) = (show(&[]), show(&["--format", "markdown"]));
    assert_eq!(markdown.matches("\n### ").count(), 1, "{markdown}");
    let rows: Vec<&str> = markdown.lines().filter(|line| line.starts_with("| ")).collect();
    // Headings, rule, and three designs.
    assert_eq!(rows.len(), 2 + 3, "{markdown}");
    for row in &rows[2..] {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let same = |line: &str| cells.iter().all(|cell| line.contains(cell));
        assert!(text.lines().any(same), "{row} is not in\n{text}");
    }
    let csv = show(&["--workload", "*", "--format", "csv"]);
    assert_eq!(csv.lines().count(), 1 + 2 * 3, "{csv}");
    assert!(csv.starts_with("panel,workload,stage,rounds,rank,design,"), "{csv}");
    let all = show(&["--workload", "*"]);
    assert_eq!(all.matches("A/A control: ").count(), 2, "{all}");
    for words in [["--workload", "nowhere"], ["--stage", "quiets"]] {
        let words = [&["show", "."], &words[..]].concat();
        let refused = folder.raywalk(&words).assert().code(2).stdout("");
        refused.stderr("raywalk: . has no panel with rounds that matches --workload and --stage\n");
    }
}

#[test]
fn the_page_of_a_journal_is_the_same_from_every_process() {
    let folder = Folder::new();
    folder.write("journal.jsonl", &fixture::text(&Recipe::FULL.records()));
    let [one, other] = [1, 2].map(|_| {
        folder.answer(&["report", "."]);
        folder.read("report.html")
    });
    assert!(one == other, "the same journal, another page");
}

#[test]
fn other_tables_of_the_page_are_shown_in_every_format_with_the_filters_of_panels() {
    let folder = Folder::new();
    let records = Recipe { designs: 3, ..Recipe::FULL }.records();
    folder.write("journal.jsonl", &fixture::text(&records));
    let show = |words: &[&str]| folder.answer(&[&["show", ".", "--table"], words].concat());
    let matrix = show(&["matrix"]);
    assert!(matrix.contains("Time over that of the baseline of the plan"), "{matrix}");
    assert!(matrix.contains("Provenance: measured. Regime: "), "{matrix}");
    let csv = |words: &[&str]| show(&[words, &["--format", "csv"]].concat());
    let whole = csv(&["matrix"]);
    assert!(whole.starts_with("Design,") && whole.lines().count() == 1 + 3, "{whole}");
    let columns = |csv: &str| csv.lines().next().map_or(0, |head| head.split(',').count());
    let some = csv(&["matrix", "--workload", "cycle-*", "--stage", "all"]);
    assert!(columns(&some) > 2 && columns(&some) < columns(&whole), "{some}");
    assert!(some.lines().any(|line| line.starts_with("synthetic-alpha,")), "{some}");
    let chains = show(&["chains", "--format", "markdown"]);
    assert_eq!(
        chains.lines().filter(|line| line.starts_with("| synthetic-")).count(),
        3,
        "{chains}"
    );
    assert!(chains.contains("bsf rax, rbx") && chains.contains(" to "), "{chains}");
    let refused = folder.raywalk(&["show", ".", "--table", "calls"]).assert().code(2).stdout("");
    refused.stderr(
        predicate::str::contains(". has no table `calls` of these panels, but matrix, ")
            .and(predicate::str::contains(", chains, ")),
    );
    let none = ["show", ".", "--table", "chains", "--workload", "nowhere"];
    let none = folder.raywalk(&none).assert().code(2).stdout("");
    none.stderr("raywalk: . has no panel that matches --workload and --stage\n");
}

#[test]
fn the_gap_between_two_designs_needs_its_parts() {
    let folder = Folder::new();
    folder.write("journal.jsonl", &journal(1, 1.0));
    let gap = ["show", ".", "--gap", "alpha", "beta"];
    folder.raywalk(&gap).assert().code(2).stdout("").stderr(
        "raywalk: . has no parts of a gap: they need the memorisation curve with its memory-matched control, traces, \
         and a measured misprediction cost\n",
    );
    let csv = [&gap[..], &["--format", "csv"]].concat();
    let refused = "raywalk: --gap writes a table or Markdown, not CSV\n";
    folder.raywalk(&csv).assert().code(2).stdout("").stderr(refused);
    let same = folder.raywalk(&["show", ".", "--gap", "alpha", "alpha"]).assert();
    same.code(2).stdout("").stderr("raywalk: --gap needs two designs, and `alpha` is one\n");
}

#[test]
fn a_figure_is_a_file_of_its_own_and_an_unknown_one_is_answered_with_the_known_ones() {
    let folder = Folder::new();
    folder.write("journal.jsonl", &journal(1, 1.0));
    let svg = folder.answer(&["show", ".", "--figure", "forest-planned"]);
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" "), "{svg}");
    assert!(svg.ends_with("</svg>\n") && svg.matches("<svg").count() == 1, "{svg}");
    let refused = folder.raywalk(&["show", ".", "--figure", "horizon"]).assert().code(2).stdout("");
    let refused = String::from_utf8(refused.get_output().stderr.clone()).expect("text");
    assert!(
        refused.contains("no figure `horizon`, but ") && refused.contains("forest-planned"),
        "{refused}"
    );
}

#[test]
fn an_export_has_a_row_for_each_sample() {
    let folder = Folder::new();
    folder.write("journal.jsonl", &journal(1, 1.0));
    let csv = folder.answer(&["export", ".", "--format", "csv"]);
    // Two panels, 40 rounds, three designs and the A/A control; plus the header.
    assert_eq!(csv.lines().count(), 2 * 40 * 4 + 1);
    let columns = "session,cpu,panel,workload,stage,scope,search,operation,regime,k,";
    assert!(csv.starts_with(columns), "{csv}");
    let printed = folder.answer(&["export", ".", "--format", "parquet", "-o", "samples.parquet"]);
    assert_eq!(printed, "samples.parquet: 320 rows\n");
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
    assert_eq!(schema["title"], SchemaVersion::CURRENT.to_string());
}

/// Every fault, with every command that reads a journal.
#[test]
fn a_corrupted_journal_is_rejected_with_the_number_of_the_line() {
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
        (with(10, torn), "line 10: not a record of schema `raywalk/"),
        (with(10, "PK\u{3}\u{4}"), "line 10: not a record of schema `raywalk/"),
        (with(10, &no_ticks), "line 10: not a record of schema `raywalk/"),
        (with(10, lines[10]), "line 10: round 1 of panel"),
        (with(3, lines[1]), "line 3: duplicate design \"synthetic-alpha\""),
        (with(1, lines[1]), "line 1: a journal begins with a session"),
        (with(1, "%PDF-1.7"), "line 1: not a session of a journal"),
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
fn a_torn_last_line_loses_only_that_line() {
    let folder = Folder::new();
    let sound = journal(1, 1.0);
    // Without the end, the last line is a round.
    let rounds = sound.trim_end().rsplit_once('\n').expect("lines").0;
    let start = rounds.rfind('\n').expect("lines") + 1;
    for cut in [start + 1, start + 2, start + 40, rounds.len() - 1] {
        folder.write("journal.jsonl", &rounds[..cut]);
        folder.answer(&["report", "."]);
        let page = folder.read("report.html");
        assert!(page.contains("stopped within a record, which is left out"));
        let csv = folder.answer(&["export", ".", "--format", "csv"]);
        assert_eq!(csv.lines().count(), (2 * 40 - 1) * 4 + 1);
    }
}
