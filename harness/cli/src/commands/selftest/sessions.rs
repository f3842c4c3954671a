//! Whole sessions with known answers.
//!
//! Error rates of verdicts can only be measured on experiments with known answers. Each session is complete:
//! its panels are sized, its rounds run in fresh processes and go to a journal, and it is judged like every
//! report. A command that was stopped resumes with the journals in its folder.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use raywalk_judge::Judged;
use raywalk_judge::agreement::COMPARISONS;
use raywalk_judge::ratios::Times;
use raywalk_judge::simulation::{Components, Size};
use raywalk_measure::machine;
use raywalk_measure::progress::Silent;
use raywalk_results::journal::{Journal, Results};
use raywalk_results::statistics::{Confidence, Verdict};

use super::criterion;
use super::experiments::{Answer, EXPERIMENTS, Experiment, Found, Harness, Ours};
use super::known_differences::Line;
use crate::arguments::seed_after;
use crate::console::{External, note};
use crate::corpora::Corpora;
use crate::folders;
use crate::known;
use crate::layouts;
use crate::registry::DESIGNS;
use crate::session::Assembly;
use crate::workspace;

/// Settings that all sessions share.
pub(super) struct Setting<'a> {
    /// The folder of their folders.
    pub(super) folder: &'a Path,
    /// The seed that theirs come from.
    pub(super) seed: u64,
    /// Number of programs, each with code and copy elsewhere, that a session without a difference measures; 0 for this
    /// program alone.
    pub(super) layouts: u64,
}

/// The programs of a session, by layout seed.
type Programs = Vec<(Option<u64>, PathBuf)>;

/// Links a program for each of these seeds.
fn relink(seeds: &[u64], into: &Path) -> Result<Programs> {
    let root = workspace::find()?;
    // Found before its file is replaced.
    workspace::this_program()?;
    let programs =
        layouts::relink(&root, seeds, into, |_| ()).map_err(|error| match error.is_external() {
            true => anyhow::Error::new(External(error.to_string())),
            false => error.into(),
        })?;
    Ok(seeds.iter().copied().map(Some).zip(programs).collect())
}

/// The folder of a session.
fn home(experiment: &Experiment, number: u64, folder: &Path) -> PathBuf {
    folder.join(format!("{}-{number:02}", experiment.name))
}

/// Runs one session of an experiment and keeps its journal below `folder`, or resumes the journal that is there.
fn session(
    experiment: &Experiment,
    number: u64,
    corpora: &mut Corpora,
    setting: &Setting<'_>,
) -> Result<Found> {
    let folder = home(experiment, number, setting.folder);
    folders::create(&folder)?;
    let path = folder.join(folders::JOURNAL);
    let begun = Instant::now();
    let resume = path.exists();
    if !resume || !Journal::has_ended(&path)? {
        run(experiment, seed_after(setting.seed, number), corpora, setting.layouts, &path)?;
    }
    let results = folders::read_journal(&path)?;
    let ids = (experiment.designs)();
    let found =
        found(&results, &ids).with_context(|| format!("{} contains no verdict", path.display()))?;
    Ok(Found { seconds: (!resume).then(|| begun.elapsed().as_secs_f64()), ..found })
}

/// Runs a session with this seed, or resumes its journal with the seeds that it names.
fn run(
    experiment: &Experiment,
    seed: u64,
    corpora: &mut Corpora,
    layouts: u64,
    journal: &Path,
) -> Result<()> {
    // A journal whose first line is torn begins anew.
    let earlier = Journal::session(journal).ok();
    let mut plan = experiment.plan(earlier.as_ref().map_or(seed, |session| session.seed))?;
    // The designs of the others run the same code, so that its place cannot make a difference.
    if !experiment.differs {
        plan.draw_layouts(layouts);
        if let Some(session) = earlier {
            plan.layouts = session.layouts;
        }
    }
    let into = journal.with_file_name("layouts");
    let programs = match plan.layouts.is_empty() {
        true => None,
        false => Some(relink(&plan.layouts, &into)?),
    };
    let ids = (experiment.designs)();
    let entries: Vec<_> = DESIGNS.iter().collect();
    Assembly {
        plan: &plan,
        entries: &entries,
        designs: ids.iter().map(|id| known::built_in(id)).collect::<Result<_>>()?,
        records: ids.iter().map(|id| known::record(id)).collect(),
        corpora,
        programs,
        journal,
        resume: journal.exists(),
        selftest: false,
        begun: Instant::now(),
        plugin_timeout: Duration::MAX,
        load: machine::load_average(),
        progress: &mut Silent,
    }
    .run()?;
    if !plan.layouts.is_empty() {
        // Tens of megabytes each. If they cannot be removed, they only waste space.
        let _ = std::fs::remove_dir_all(into);
    }
    Ok(())
}

fn found(results: &Results, [one, other]: &[String; 2]) -> Option<Found> {
    let judged = Judged::of(results);
    let panel = judged.panels.first()?;
    let row = panel.row(other)?;
    let answer = match row.verdict? {
        Verdict::Slower(_) => Answer::Slower,
        Verdict::Faster(_) => Answer::Faster,
        Verdict::Equal { .. } | Verdict::NotResolved => Answer::NoDifference,
    };
    let times = Times::of(results, results.panels.first()?);
    let at = |confidence| times.interval(other, one, confidence);
    let ours = Ours {
        half_width: panel.aa_control?.half_width(),
        intervals: [
            at(Confidence::NINETY_FIVE)?,
            at(Confidence::NINETY_FIVE.shared_by(COMPARISONS))?,
        ],
        components: Components::of(&times, other, one).zip(Size::of(&times)),
    };
    Some(Found { answer, ratio: row.ratio, ours: Some(ours), seconds: None })
}

/// Runs all sessions of all experiments with this harness.
pub(super) fn all(sessions: u64, setting: &Setting<'_>) -> Result<Vec<Line>> {
    let mut corpora = Corpora::new([]);
    let mut ours =
        |experiment: &Experiment, number| session(experiment, number, &mut corpora, setting);
    in_turn(sessions, [(Harness::Raywalk, &mut ours)])
}

/// Runs all sessions of all experiments with this harness and with criterion's change detection.
pub(super) fn beside_criterion(
    sessions: u64,
    setting: &Setting<'_>,
    criterion: &criterion::Program,
) -> Result<Vec<Line>> {
    let mut corpora = Corpora::new([]);
    let mut ours =
        |experiment: &Experiment, number| session(experiment, number, &mut corpora, setting);
    let mut theirs =
        |experiment: &Experiment, number| criterion.session(experiment, number, setting.folder);
    in_turn(sessions, [(Harness::Raywalk, &mut ours), (Harness::Criterion, &mut theirs)])
}

/// Runs session `number` of an experiment.
type Session<'a> = &'a mut dyn FnMut(&'static Experiment, u64) -> Result<Found>;

/// Alternates between the experiments, and between the harnesses in each, so that slow states of the machine affect all
/// of them.
fn in_turn<const N: usize>(
    sessions: u64,
    mut harnesses: [(Harness, Session<'_>); N],
) -> Result<Vec<Line>> {
    let line = |experiment| harnesses.each_ref().map(|(harness, _)| Line::of(experiment, *harness));
    let mut lines: Vec<Line> = EXPERIMENTS.iter().flat_map(line).collect();
    for number in 1..=sessions {
        for lines in lines.chunks_mut(N) {
            for (line, (harness, session)) in lines.iter_mut().zip(&mut harnesses) {
                let found = session(line.experiment, number)?;
                note!(
                    "{harness}, session {number} of {sessions}, {}: {}, {:+.3} %",
                    line.experiment.name,
                    found.answer,
                    100.0 * (found.ratio - 1.0)
                );
                line.found.push(found);
            }
        }
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use raywalk_results::fixture::Recipe;

    use super::*;

    #[test]
    fn a_session_is_found_with_its_intervals_and_components() {
        let results = Recipe { designs: 2, rounds: 60, shares: 12, ..Recipe::SMALL }.results();
        let ids = [results.designs[0].id.clone(), results.designs[1].id.clone()];
        let found = found(&results, &ids).expect("a verdict");
        let ours = found.ours.expect("a journal");
        let [narrow, wide] = ours.intervals;
        assert!(wide.low < narrow.low && narrow.high < wide.high, "{ours:?}");
        assert!(narrow.low < found.ratio && found.ratio < narrow.high);
        let row = Judged::of(&results).panels[0].row(&ids[1]).cloned().expect("a row");
        // One comparison has the whole 95 %.
        assert_eq!(row.interval, Ok(narrow));
    }

    #[test]
    fn harnesses_alternate_in_each_experiment() {
        let order = std::cell::RefCell::new(Vec::new());
        let of = |harness, answer| {
            let order = &order;
            move |experiment: &'static Experiment, number| {
                order.borrow_mut().push((number, experiment.name, harness));
                Ok(Found { answer, ratio: 1.0, ours: None, seconds: None })
            }
        };
        let (mut ours, mut theirs) = (of("ours", Answer::Slower), of("theirs", Answer::Faster));
        let lines = in_turn(2, [(Harness::Raywalk, &mut ours), (Harness::Criterion, &mut theirs)]);
        let lines = lines.expect("no failure");
        let first = [(1, "copy", "ours"), (1, "copy", "theirs"), (1, "steps", "ours")];
        assert_eq!(order.borrow()[..3], first);
        assert_eq!(order.borrow().len(), 4 * EXPERIMENTS.len());
        for line in &lines {
            let expected = match line.harness {
                Harness::Raywalk => Answer::Slower,
                Harness::Criterion => Answer::Faster,
            };
            assert!(line.found.len() == 2 && line.found.iter().all(|it| it.answer == expected));
        }
    }
}
