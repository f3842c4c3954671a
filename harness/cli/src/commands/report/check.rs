//! `raywalk report --check`: whether a journal can be contributed.

use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;
use raywalk_judge::Judged;
use raywalk_judge::contribution::problems;
use raywalk_judge::format::plural;
use raywalk_measure::machine::program::{self, Stderr};
use raywalk_positions::Workload;
use raywalk_results::journal::Results;
use raywalk_results::schema::Build;

use crate::console::plain;
use crate::{manifest, workspace};

/// Writes what speaks against each journal, and returns whether nothing does.
pub(super) fn check(paths: &[PathBuf], sessions: &[Results], out: &mut dyn Write) -> Result<bool> {
    let names = names();
    let mut all_fit = true;
    for (path, results) in paths.iter().zip(sessions) {
        let judged = Judged::of(results);
        let is_workload = |name: &str| Workload::describe(name).is_ok();
        let found = problems(&judged, is_known, is_workload, &names);
        let name = path.display();
        if found.is_empty() {
            let rounds = results.panels.iter().map(|panel| panel.rounds.len()).sum();
            let (panels, rounds) = (plural(results.panels.len(), "panel"), plural(rounds, "round"));
            let cpu = plain(&results.session.machine.processor());
            writeln!(out, "{name}: can be contributed: {cpu}, {panels}, {rounds}")?;
            continue;
        }
        all_fit = false;
        writeln!(out, "{name}: cannot be contributed")?;
        for problem in found {
            writeln!(out, "  {}", plain(&problem.to_string()))?;
        }
    }
    Ok(all_fit)
}

/// Whether a build is that of this program, or its commit is in the history of the source tree.
fn is_known(build: &Build) -> bool {
    let own = manifest::build();
    if (&own.commit, &own.sources) == (&build.commit, &build.sources) && !own.dirty {
        return true;
    }
    let is_hash = |commit: &&String| commit.bytes().all(|letter| letter.is_ascii_hexdigit());
    let (Some(commit), Ok(root)) = (build.commit.as_ref().filter(is_hash), workspace::find())
    else {
        return false;
    };
    let mut git = Command::new("git");
    git.arg("-C").arg(root).args(["merge-base", "--is-ancestor", commit, "HEAD"]);
    program::run(&mut git, workspace::DESCRIBE, Stderr::Read)
        .is_ok_and(|answer| answer.status.success())
}

/// The names of this machine and of its user that a journal made here must not contain. Names that every machine may
/// have are none.
fn names() -> Vec<String> {
    const COMMON: [&str; 4] = ["root", "user", "localhost", "home"];
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let user = ["USER", "LOGNAME", "USERNAME", "COMPUTERNAME"].map(|name| std::env::var(name).ok());
    let names = user.into_iter().chain([host]).flatten().map(|name| name.trim().to_owned());
    names.filter(|name| name.len() > 2 && !COMMON.contains(&name.as_str())).collect()
}
