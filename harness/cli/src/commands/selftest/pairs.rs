//! Pairs of sessions of the quick plan: how often one session confirms the other.
//!
//! The second session of a pair begins a given time after the first. Meanwhile other pairs begin, so the
//! machine is always measuring. Each session is a `raywalk run` like that of a user. The same table shows how
//! far a neighbour shifts the second session of a pair.

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail, ensure};
use raywalk_judge::agreement::{self, Twice};
use raywalk_judge::compare::{format_difference, unlike};
use raywalk_measure::machine::program::{self, Limits, Stderr};
use raywalk_results::journal::Results;
use raywalk_results::schema::RegimeKind;
use raywalk_results::statistics::median;
use serde_json::json;

use super::neighbour;
use super::page::{Table, rows};
use crate::arguments::seed_after;
use crate::console::{External, note};
use crate::{folders, workspace};

/// Limits of one session, which takes a minute after the build.
const LIMITS: Limits = Limits { time: Duration::from_secs(3_600), bytes: 16 << 20 };

#[derive(Debug, PartialEq, Eq)]
enum Step {
    /// Run the first session of a new pair.
    First,
    /// Run the second session of the pair that has waited longest.
    Second,
    Wait(Duration),
    Done,
}

/// `waited` is the time since the oldest pair without a second session began.
fn next(begun: u64, pairs: u64, waited: Option<Duration>, apart: Duration) -> Step {
    match waited {
        Some(waited) if waited >= apart => Step::Second,
        _ if begun < pairs => Step::First,
        Some(waited) => Step::Wait(apart - waited),
        None => Step::Done,
    }
}

/// Runs the sessions and returns their folders, pair by pair. Sessions that are in the folder already are
/// not run again.
pub(super) fn run(pairs: u64, apart: Duration, seed: u64, folder: &Path) -> Result<Vec<PathBuf>> {
    let home = |pair: u64, which: char| folder.join(format!("pair-{pair:02}-{which}"));
    let mut open: VecDeque<(u64, SystemTime)> = VecDeque::new();
    let mut begun = 0;
    loop {
        let waited = open.front().map(|&(_, since)| since.elapsed().unwrap_or_default());
        match next(begun, pairs, waited, apart) {
            Step::Done => break,
            Step::Wait(time) => std::thread::sleep(time),
            Step::First => {
                begun += 1;
                let home = home(begun, 'a');
                note!("pair {begun} of {pairs}, first session");
                session(&home, seed_after(seed, 2 * begun))?;
                open.push_back((begun, started(&folders::read_journal(&home)?)?));
            }
            Step::Second => {
                let Some((pair, _)) = open.pop_front() else { break };
                note!("pair {pair} of {pairs}, second session");
                session(&home(pair, 'b'), seed_after(seed, 2 * pair + 1))?;
            }
        }
    }
    Ok((1..=pairs).flat_map(|pair| [home(pair, 'a'), home(pair, 'b')]).collect())
}

/// Runs pairs of sessions, the second of each beside a neighbour that streams through memory. Sessions that
/// are in the folder already are not run again.
pub(super) fn run_beside_a_neighbour(pairs: u64, seed: u64, folder: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for pair in 1..=pairs {
        let home = |which: &str| folder.join(format!("neighbour-{pair:02}-{which}"));
        let [alone, beside] = ["alone", "beside"].map(home);
        note!("pair {pair} of {pairs}, alone");
        session(&alone, seed_after(seed, 2 * pair))?;
        note!("pair {pair} of {pairs}, beside a neighbour");
        neighbour::beside(|| session(&beside, seed_after(seed, 2 * pair + 1)))??;
        paths.extend([alone, beside]);
    }
    Ok(paths)
}

/// Runs one session of the quick plan, or what is missing of it.
fn session(home: &Path, seed: u64) -> Result<()> {
    let journal = home.join(folders::JOURNAL);
    if folders::read_journal(&journal).is_ok_and(|results| results.end.is_some()) {
        return Ok(());
    }
    let mut run = Command::new(workspace::this_program()?);
    run.args(["run", "--plan", "quick", "--out"]).arg(home);
    match journal.exists() {
        true => run.arg("--resume"),
        false => run.args(["--seed", &seed.to_string()]),
    };
    let answer = program::run(&mut run, LIMITS, Stderr::Read)
        .map_err(|failure| External(format!("raywalk run {failure}")))?;
    let words = String::from_utf8_lossy(&answer.stderr);
    let failed = || External(format!("raywalk run failed: {}", words.trim()));
    ensure!(answer.status.success(), failed());
    Ok(())
}

fn started(results: &Results) -> Result<SystemTime> {
    let text = &results.session.started;
    humantime::parse_rfc3339(text).with_context(|| format!("`{text}` is no time"))
}

/// Results in pairs: the first with the second, the third with the fourth, and so on.
pub(super) struct Pairs(Vec<[Results; 2]>);

impl Pairs {
    /// Reads results and checks that the two of each pair can be compared.
    pub(super) fn read(paths: &[PathBuf]) -> Result<Pairs> {
        ensure!(
            paths.len().is_multiple_of(2),
            "{} results are no pairs; name the two results of each pair one after the other",
            paths.len()
        );
        let mut results = folders::read_journals(paths)?;
        let mut pairs = Vec::new();
        for (b, names) in paths.chunks_exact(2).enumerate().rev() {
            let second = results.pop().with_context(|| format!("pair {b} is not complete"))?;
            let first = results.pop().with_context(|| format!("pair {b} is not complete"))?;
            if let Some(difference) = unlike(&first, &second).first() {
                bail!(
                    "{} (A) and {} (B) are no pair: {}",
                    names[0].display(),
                    names[1].display(),
                    format_difference(difference)
                );
            }
            pairs.insert(0, [first, second]);
        }
        Ok(Pairs(pairs))
    }

    /// A table. `about` describes what the two of a pair have in common.
    pub(super) fn table(&self, name: &'static str, about: &str) -> Result<Table> {
        let all: Vec<Twice> = self.0.iter().flat_map(|[a, b]| agreement::of(a, b)).collect();
        ensure!(!all.is_empty(), "no comparison has an interval in both sessions of a pair");
        let apart: Vec<f64> = self.0.iter().map(seconds_apart).collect::<Result<_>>()?;
        let apart = median(&apart).unwrap_or_default();
        let undisturbed: Vec<&Twice> = all.iter().filter(|twice| twice.undisturbed).collect();
        let row = |what: &str, some: &[&Twice]| {
            let count = some.len();
            let share = |number: usize, of: usize| match of {
                0 => "–".to_owned(),
                of => format!("{:.1} %", 100.0 * number as f64 / of as f64),
            };
            let held = some.iter().map(|twice| twice.held()).sum::<usize>();
            let disjoint = some.iter().filter(|twice| twice.is_disjoint()).count();
            let rms = agreement::rms(some.iter().copied());
            let text = [
                what.to_owned(),
                count.to_string(),
                share(held, 2 * count),
                share(disjoint, count),
                rms.map_or("–".to_owned(), |rms| format!("{:.2} %", 100.0 * rms.exp_m1())),
            ];
            let json = json!({
                "comparisons": count, "held": held, "disjoint": disjoint, "rms": rms,
            });
            (text, json)
        };
        let (every, every_json) = row("all", &all.iter().collect::<Vec<_>>());
        let (quiet, quiet_json) =
            row("no disturbed round, no sample beside a neighbour", &undisturbed);
        let regimes: BTreeSet<RegimeKind> = all.iter().map(|twice| twice.regime).collect();
        let (mut lines, mut by_regime) = (vec![every, quiet], Vec::new());
        for regime in regimes {
            let some: Vec<&Twice> = all.iter().filter(|twice| twice.regime == regime).collect();
            let (line, mut json) = row(&format!("regime {regime}"), &some);
            lines.push(line);
            json["regime"] = regime.to_string().into();
            by_regime.push(json);
        }
        let heads = [
            "comparisons",
            "number",
            "99.4 % intervals that hold the estimate of the other session",
            "disjoint intervals",
            "RMS disagreement",
        ];
        let minutes = apart / 60.0;
        let text = format!(
            "{} pairs of sessions{about}, {minutes:.1} minutes apart (median).\n\n{}",
            self.0.len(),
            rows(&heads, lines)
        );
        let json = json!({
            "pairs": self.0.len(), "seconds_apart": apart, "all": every_json,
            "undisturbed": quiet_json, "by_regime": by_regime,
        });
        let json = json.as_object().cloned().unwrap_or_default();
        Ok(Table { name, text, json })
    }
}

/// Seconds between the beginnings of two sessions.
fn seconds_apart([a, b]: &[Results; 2]) -> Result<f64> {
    let (a, b) = (started(a)?, started(b)?);
    let apart = b.duration_since(a).or_else(|_| a.duration_since(b));
    Ok(apart.map(|time| time.as_secs_f64()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_results::fixture::{self, Recipe};
    use raywalk_results::schema::Record;

    /// Steps through sessions of this length. Returns their order, and the times between the two of a
    /// pair, in minutes.
    fn order(pairs: u64, length: f64, apart: f64) -> (String, Vec<f64>) {
        let minutes = |number: f64| Duration::from_secs_f64(60.0 * number);
        let (mut now, mut begun, mut order) = (0.0, 0, String::new());
        let (mut open, mut times) = (VecDeque::new(), Vec::new());
        loop {
            let waited = open.front().map(|since| minutes(now - since));
            match next(begun, pairs, waited, minutes(apart)) {
                Step::Done => return (order, times),
                Step::Wait(time) => now += time.as_secs_f64() / 60.0 + 1e-9,
                Step::First => {
                    open.push_back(now);
                    (begun, now) = (begun + 1, now + length);
                    order.push('a');
                }
                Step::Second => {
                    times.push(now - open.pop_front().expect("one waits"));
                    now += length;
                    order.push('b');
                }
            }
        }
    }

    #[test]
    fn sessions_of_a_minute_five_minutes_apart_are_interleaved_by_fives() {
        let (order, times) = order(10, 1.0, 5.0);
        assert_eq!(order, "aaaaabbbbbaaaaabbbbb");
        assert!(times.iter().all(|time| (5.0..5.1).contains(time)), "{times:?}");
    }

    #[test]
    fn the_second_session_never_begins_early_and_every_pair_is_completed() {
        for (pairs, length, apart) in [(1, 1.0, 5.0), (3, 1.3, 5.0), (7, 0.9, 2.0), (2, 6.0, 5.0)] {
            let (order, times) = order(pairs, length, apart);
            assert_eq!(order.matches('b').count() as u64, pairs);
            assert_eq!(times.len() as u64, pairs);
            assert!(times.iter().all(|&time| time >= apart && time < apart + length + 0.1));
        }
    }

    /// A journal that began at this minute.
    fn journal(folder: &Path, seed: u64, minute: u64) -> PathBuf {
        let mut records = Recipe { seed, rounds: 48, shares: 12, ..Recipe::SMALL }.records();
        if let Some(Record::Session(session)) = records.first_mut() {
            session.started = format!("2026-03-01T12:{minute:02}:00Z");
            session.machine.cpu = "Synthetic".to_owned();
        }
        let path = folder.join(seed.to_string());
        folders::write(&path, &fixture::text(&records)).expect("written");
        path
    }

    #[test]
    fn stored_results_are_compared_pair_by_pair() {
        let folder = tempfile::tempdir().expect("a folder");
        let paths = [(1, 0), (2, 5), (3, 1), (4, 8)]
            .map(|(seed, minute)| journal(folder.path(), seed, minute));
        let Table { json, text, .. } =
            Pairs::read(&paths).expect("pairs").table("pairs", "").expect("comparisons");
        assert_eq!(
            (json["pairs"].as_u64(), json["seconds_apart"].as_f64()),
            (Some(2), Some(360.0))
        );
        // Two pairs, two panels, seven designs beside the baseline.
        assert_eq!(json["all"]["comparisons"], 28);
        let held = json["all"]["held"].as_u64().expect("a number");
        assert!((40..=56).contains(&held), "{json:?}");
        assert!(text.starts_with("2 pairs of sessions, 6.0 minutes apart"), "{text}");
        let Err(error) = Pairs::read(&paths[..3]) else { panic!("three are no pairs") };
        assert!(error.to_string().starts_with("3 results are no pairs"), "{error}");
        assert!(Pairs::read(&[paths[0].clone(), paths[0].clone()]).is_err());
    }
}
