//! What several tests share: a temporary folder in which the command runs, a small plan, and synthetic
//! journals.

#![allow(dead_code, reason = "each test file uses a part")]

use std::path::PathBuf;

use assert_cmd::Command;
use raywalk_results::fixture::{self, Recipe};
use raywalk_results::schema::Record;
use serde_json::Value;

/// Two designs, one panel that repeats its positions and one that does not, 12 rounds.
pub(crate) const PLAN: &str = r#"
seed = 7
rounds = 6
batch-ms = 0.1
processes = 4
designs = ["bell/last-square", "bitboard/hyperbola"]

[[panels]]
workload = "cycle-16"

[[panels]]
workload = "density-3"
stages = ["captures"]
"#;

/// The rounds of [`PLAN`].
pub(crate) const ROUNDS: usize = 12;

/// A temporary folder, deleted at the end of the test.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    /// A folder with a plan as `small.toml`.
    pub(crate) fn planned(plan: &str) -> Folder {
        let folder = Folder::new();
        folder.write("small.toml", plan);
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file and creates its folder.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect(name)
    }

    /// The command, run in this folder.
    pub(crate) fn raywalk(&self, words: &[&str]) -> Command {
        let mut command = raywalk(words);
        command.current_dir(self.0.path());
        command
    }

    /// `raywalk run` with the plan `small.toml`, into the folder `result`.
    pub(crate) fn run(&self, more: &[&str]) -> Command {
        self.raywalk(&[&RUN, more].concat())
    }

    /// The output of a command that succeeds.
    pub(crate) fn answer(&self, words: &[&str]) -> String {
        output(self.raywalk(words))
    }
}

/// The program that is tested: of this package, or the build that the variable `RAYWALK_PROGRAM` names.
pub(crate) fn program() -> PathBuf {
    let other = std::env::var_os("RAYWALK_PROGRAM").map(PathBuf::from);
    other.unwrap_or_else(|| assert_cmd::cargo::cargo_bin!("raywalk").to_owned())
}

/// The command, run in the folder of the test.
pub(crate) fn raywalk(words: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.args(words);
    command
}

/// The output of a command that succeeds.
pub(crate) fn output(mut command: Command) -> String {
    let output = command.assert().success().get_output().stdout.clone();
    String::from_utf8(output).expect("text")
}

/// The words of [`Folder::run`].
pub(crate) const RUN: [&str; 5] = ["run", "--plan", "small.toml", "--out", "result"];
/// The journal of [`Folder::run`].
pub(crate) const JOURNAL: &str = "result/journal.jsonl";
/// The report of [`Folder::run`].
pub(crate) const PAGE: &str = "result/report.html";

/// The records of a journal, one per line.
pub(crate) fn records(journal: &str) -> Vec<Record> {
    journal.lines().map(|line| Record::parse(line.as_bytes()).expect(line)).collect()
}

/// The number of rounds in a journal.
pub(crate) fn rounds(journal: &str) -> usize {
    records(journal).iter().filter(|record| matches!(record, Record::Round(_))).count()
}

/// A synthetic session of two panels, 40 rounds and three designs, in which the ticks of
/// `synthetic-beta` are multiplied by `stretch`.
pub(crate) fn journal(seed: u64, stretch: f64) -> String {
    let mut records = Recipe { seed, designs: 3, rounds: 40, ..Recipe::SMALL }.records();
    if let Some(Record::Session(session)) = records.first_mut() {
        session.machine.cpu = "Synthetic".to_owned();
    }
    fixture::stretch(&mut records, "synthetic-beta", stretch);
    fixture::text(&records)
}

/// Every key of a JSON value, at any depth.
fn keys(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                found.push(key.clone());
                keys(value, found);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

/// Checks that `docs/json.md` names every key in the sections of these commands.
pub(crate) fn is_documented(commands: &[&str], value: &Value) {
    let document = include_str!("../../../../docs/json.md");
    let of = |command: &&str| {
        let begins = |section: &&str| section.starts_with(&format!("`{command}`\n"));
        document.split("\n## ").find(begins).expect("a section")
    };
    let text: String = commands.iter().map(of).collect();
    let mut found = Vec::new();
    keys(value, &mut found);
    for key in found {
        assert!(text.contains(&format!("`{key}`")), "{commands:?}: `{key}` is not documented");
    }
}
