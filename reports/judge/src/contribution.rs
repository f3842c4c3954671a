//! Whether a journal can be contributed: complete, undisturbed enough, of a known build, of positions and
//! designs that everybody has, and without names of a user's folders.
//!
//! Only a source tree shows whether a commit is known, so the caller checks that.

use raywalk_results::journal::Results;
use raywalk_results::schema::{Build, Shard, Status};
use serde::Serialize;
use serde_json::Value;

use crate::Judged;
use crate::format::plural;
use crate::trust::{Severity, Warning};

/// A reason why a journal should not be contributed, as one sentence.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the sentence of each variant documents it")]
pub enum Problem {
    #[error("The session was stopped before its end; resume it with raywalk run --resume.")]
    Stopped,
    #[error("It is shard {shard} of its plan; put all shards together with raywalk merge.")]
    Shard { shard: Shard },
    #[error("{} of a newer Raywalk {} skipped; check the result with that version.", plural(*records, "record"), if *records == 1 { "was" } else { "were" })]
    Newer { records: usize },
    #[error("Panel {panel} has {found} of its {planned} rounds.")]
    Rounds { panel: String, found: u64, planned: u64 },
    #[error("It has no rounds.")]
    Empty,
    #[error("It has no results of the self-test, which show what this machine can measure.")]
    NoSelftest,
    #[error("{0} {advice}", advice = .0.advice())]
    Disturbed(Warning),
    #[error("The source tree of the build had uncommitted changes, so nobody else can build it.")]
    Dirty,
    #[error("The build names no commit, so nobody else can build it.")]
    NoCommit,
    #[error(
        "The commit {commit} of the build is not known here; build from a commit that is published, and check where its source tree is."
    )]
    UnknownCommit { commit: String },
    #[error("{design} is a plug-in, which others do not have; `--no-peers` leaves out the peers.")]
    Plugin { design: String },
    #[error("{design} is wrong on this machine: {why}.")]
    Wrong { design: String, why: String },
    #[error("Workload {workload} comes from a file, which others do not have.")]
    OwnPositions { workload: String },
    #[error("It names a folder of a machine, `{path}`.")]
    Folder { path: String },
    #[error("It contains `{name}`, the name of this machine or of its user.")]
    Name { name: String },
}

/// All reasons against contributing a journal. `is_known` tests whether a build's commit is known; `is_workload`
/// whether everybody has the workload of this name; `names` are those of this machine and of its user.
pub fn problems(
    judged: &Judged<'_>,
    is_known: impl Fn(&Build) -> bool,
    is_workload: impl Fn(&str) -> bool,
    names: &[String],
) -> Vec<Problem> {
    let results = judged.results;
    let mut found = incomplete(results);
    found.extend(of_build(&results.session.build, is_known));
    // Stopped and dirty sessions have sentences of their own above.
    let told = |warning: &Warning| matches!(warning, Warning::Stopped | Warning::Dirty);
    let serious = judged.trust.reasons.iter().filter(|one| one.severity >= Severity::Serious);
    let serious = serious.map(|reason| reason.warning.clone()).filter(|warning| !told(warning));
    found.extend(serious.map(Problem::Disturbed));
    for design in &results.designs {
        let id = || design.id.clone();
        match &design.status {
            _ if design.plugin.is_some() => found.push(Problem::Plugin { design: id() }),
            Status::Wrong { why } => {
                found.push(Problem::Wrong { design: id(), why: why.clone() });
            }
            Status::Verified { .. } | Status::Missing { .. } => {}
        }
    }
    let mut own: Vec<&str> = results.panels.iter().map(|one| &*one.panel.workload).collect();
    own.retain(|workload| !is_workload(workload));
    own.sort_unstable();
    own.dedup();
    found.extend(own.into_iter().map(|name| Problem::OwnPositions { workload: name.to_owned() }));
    found.extend(private(results, names));
    found
}

fn incomplete(results: &Results) -> Vec<Problem> {
    let mut found = Vec::new();
    found.extend((results.end.is_none() || results.truncated).then_some(Problem::Stopped));
    found.extend(results.session.shard.map(|shard| Problem::Shard { shard }));
    let records = results.skipped;
    found.extend((records > 0).then_some(Problem::Newer { records }));
    found.extend(results.panels.is_empty().then_some(Problem::Empty));
    found.extend(results.selftest.is_empty().then_some(Problem::NoSelftest));
    // Those of a shard are in the others.
    let whole = results.session.shard.is_none();
    for panel in results.panels.iter().filter(|_| whole) {
        let (found_rounds, planned) = (panel.rounds.len() as u64, panel.panel.rounds);
        if found_rounds != planned {
            let panel = panel.panel.id.clone();
            found.push(Problem::Rounds { panel, found: found_rounds, planned });
        }
    }
    found
}

fn of_build(build: &Build, is_known: impl Fn(&Build) -> bool) -> Option<Problem> {
    match &build.commit {
        None => Some(Problem::NoCommit),
        Some(_) if build.dirty => Some(Problem::Dirty),
        Some(_) if is_known(build) => None,
        Some(commit) => Some(Problem::UnknownCommit { commit: commit.clone() }),
    }
}

/// Folders and names in the texts of a journal, each once. Rounds have no text but ids.
fn private(results: &Results, names: &[String]) -> Vec<Problem> {
    let mut texts = Vec::new();
    texts_of(&results.session, &mut texts);
    texts_of(&results.selftest, &mut texts);
    texts_of(&results.codes, &mut texts);
    texts_of(&results.traces, &mut texts);
    texts_of(&results.dropped, &mut texts);
    texts_of(&results.counts, &mut texts);
    texts_of(&results.timings, &mut texts);
    let mut found = Vec::new();
    let mut add = |problem| {
        if !found.contains(&problem) {
            found.push(problem);
        }
    };
    for text in &texts {
        for word in
            text.split(|letter: char| letter.is_whitespace() || "\"'`=(),;".contains(letter))
        {
            if is_folder(word) {
                add(Problem::Folder { path: word.to_owned() });
            }
        }
        let words = text.split(|letter: char| !letter.is_alphanumeric() && !"-_.".contains(letter));
        for name in words.filter(|word| names.iter().any(|name| name == word)) {
            add(Problem::Name { name: name.to_owned() });
        }
    }
    found
}

/// Whether a word is the path of something below a folder at the root of a file system, but for the sources of the
/// compiler, which have the same path everywhere.
fn is_folder(word: &str) -> bool {
    let is_windows = word.len() > 3
        && word.as_bytes()[0].is_ascii_alphabetic()
        && matches!(&word.as_bytes()[1..3], b":\\" | b":/");
    let below = |rest: &str| {
        rest.split_once('/').is_some_and(|(first, _)| !first.is_empty() && first != "rustc")
    };
    is_windows || word.starts_with("~/") || word.strip_prefix('/').is_some_and(below)
}

/// All texts in a record.
fn texts_of(record: &impl Serialize, texts: &mut Vec<String>) {
    fn add(value: Value, texts: &mut Vec<String>) {
        match value {
            Value::String(text) => texts.push(text),
            Value::Array(values) => values.into_iter().for_each(|value| add(value, texts)),
            Value::Object(fields) => fields.into_iter().for_each(|(_, value)| add(value, texts)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    // A record of a journal is always JSON.
    add(serde_json::to_value(record).unwrap_or_default(), texts);
}

#[cfg(test)]
mod tests;
