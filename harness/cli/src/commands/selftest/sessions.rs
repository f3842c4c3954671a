//! Whole sessions with known answers.
//!
//! Error rates of verdicts can only be measured on experiments with known answers. The first experiment
//! compares a design with itself on a stream of real positions, so every difference found is a false
//! positive. The second compares a chain of 2,010 steps with one of 2,000: finding no difference is a false
//! negative, and finding the longer chain faster is an error of sign. Each session is complete: its panels
//! are sized, its rounds run in fresh processes and go to a journal, and it is judged like every report.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use raywalk_judge::Judged;
use raywalk_measure::machine;
use raywalk_measure::plan::{PanelPlan, Plan, Rounds};
use raywalk_measure::progress::Silent;
use raywalk_results::schema::Stage;
use raywalk_results::statistics::{Verdict, median};
use serde::Serialize;

use crate::console::note;
use crate::corpora::Corpora;
use crate::folders;
use crate::known;
use crate::session::Assembly;

/// A comparison of two designs with a known answer.
pub(super) struct Experiment {
    /// Prefix of the names of its folders.
    pub(super) name: &'static str,
    /// Its row heading in the table.
    description: &'static str,
    /// Workload that provides the positions.
    pub(super) workload: &'static str,
    /// Whether the second design does more work than the first.
    differs: bool,
    /// Seconds of measuring in one session.
    seconds: u64,
}

const EXPERIMENTS: [Experiment; 2] = [
    Experiment {
        name: "identical",
        description: "`ferret/pointer` against itself, stream of `ab4`",
        workload: "ab4",
        differs: false,
        seconds: 10,
    },
    Experiment {
        name: "half-percent",
        description: "2,010 dependent steps against 2,000: 0.5 % more",
        workload: "cycle-16",
        differs: true,
        seconds: 5,
    },
];

impl Experiment {
    /// Ids of the baseline and of the design that is compared with it.
    pub(super) fn designs(&self) -> [String; 2] {
        match self.differs {
            true => [known::chain(2_000), known::chain(2_010)],
            false => ["ferret/pointer".to_owned(), known::second("ferret/pointer")],
        }
    }

    fn plan(&self, seed: u64) -> Result<Plan> {
        let panel = PanelPlan::of(self.workload, Stage::All).context("unknown workload")?;
        let time = Duration::from_secs(self.seconds);
        Ok(Plan {
            name: self.name.to_owned(),
            seed: Some(seed),
            rounds: Rounds::Budget { time, least: 40, most: 10_000 },
            panels: vec![panel],
            // Every significant difference counts, however small.
            margin: 0.0,
            ..Plan::quick()
        })
    }
}

/// Result of a session.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) answer: Answer,
    /// Time of the second design ÷ time of the first.
    pub(super) ratio: f64,
    /// Half the width of the confidence interval of the A/A control.
    pub(super) half_width: f64,
}

/// Verdict on the second design, compared with the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Answer {
    Slower,
    Faster,
    NoDifference,
}

/// Creates the folder of the sessions. Fails if one of their journals exists, before any session runs.
pub(super) fn prepare(sessions: u64, folder: &Path) -> Result<()> {
    for experiment in &EXPERIMENTS {
        for number in 1..=sessions {
            let journal = home(experiment, number, folder).join(folders::JOURNAL);
            ensure!(
                !journal.exists(),
                "{} already exists; choose another folder with --out",
                journal.display()
            );
        }
    }
    folders::create(folder)
}

/// The folder of a session.
fn home(experiment: &Experiment, number: u64, folder: &Path) -> PathBuf {
    folder.join(format!("{}-{number:02}", experiment.name))
}

/// Runs one session of an experiment and keeps its journal below `folder`.
fn session(
    experiment: &Experiment,
    number: u64,
    seed: u64,
    corpora: &mut Corpora,
    folder: &Path,
) -> Result<Found> {
    let plan = experiment.plan(seed)?;
    let folder = home(experiment, number, folder);
    folders::create(&folder)?;
    let path = folder.join(folders::JOURNAL);
    let ids = experiment.designs();
    Assembly {
        plan: &plan,
        designs: ids.iter().map(|id| known::design(id)).collect::<Result<_>>()?,
        records: ids.iter().map(|id| known::record(id)).collect(),
        corpora,
        programs: None,
        journal: &path,
        resume: false,
        selftest: false,
        load: machine::load_average(),
        progress: &mut Silent,
    }
    .run()?;
    let results = folders::read_journal(&path)?;
    found(&Judged::of(&results), &ids[1])
        .with_context(|| format!("{} contains no verdict", path.display()))
}

fn found(session: &Judged<'_>, second: &str) -> Option<Found> {
    let panel = session.panels.first()?;
    let row = panel.row(second)?;
    let answer = match row.verdict? {
        Verdict::Slower(_) => Answer::Slower,
        Verdict::Faster(_) => Answer::Faster,
        Verdict::Equal { .. } | Verdict::NotResolved => Answer::NoDifference,
    };
    Some(Found { answer, ratio: row.ratio, half_width: panel.aa_control?.half_width() })
}

/// A row of the table: all sessions of one experiment with one harness.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    harness: String,
    experiment: &'static str,
    description: &'static str,
    differs: bool,
    found: Vec<Found>,
    /// Median seconds of one session.
    seconds: f64,
}

impl Line {
    fn count(&self, answer: Answer) -> usize {
        self.found.iter().filter(|found| found.answer == answer).count()
    }

    fn expected(&self) -> Answer {
        if self.differs { Answer::Slower } else { Answer::NoDifference }
    }

    /// Number of wrong answers.
    pub(super) fn wrong(&self) -> usize {
        self.found.len() - self.count(self.expected())
    }

    /// Median half-width of the A/A control; `None` for harnesses without one.
    fn half_width(&self) -> Option<f64> {
        let widths: Vec<f64> = self.found.iter().map(|found| found.half_width).collect();
        median(&widths).filter(|width| width.is_finite())
    }
}

/// The table as JSON. docs/json.md documents every key.
#[derive(Serialize)]
pub(super) struct Document<'a> {
    folder: String,
    experiments: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    harness: &'a str,
    experiment: &'static str,
    description: &'static str,
    expected: Answer,
    sessions: usize,
    slower: usize,
    faster: usize,
    no_difference: usize,
    wrong: usize,
    ratios: Vec<f64>,
    aa_half_width: Option<f64>,
    seconds: f64,
}

impl Document<'_> {
    pub(super) fn of<'a>(lines: &'a [Line], folder: &Path) -> Document<'a> {
        let row = |line: &'a Line| Row {
            harness: &line.harness,
            experiment: line.experiment,
            description: line.description,
            expected: line.expected(),
            sessions: line.found.len(),
            slower: line.count(Answer::Slower),
            faster: line.count(Answer::Faster),
            no_difference: line.count(Answer::NoDifference),
            wrong: line.wrong(),
            ratios: line.found.iter().map(|found| found.ratio).collect(),
            aa_half_width: line.half_width(),
            seconds: line.seconds,
        };
        let folder = folder.display().to_string();
        Document { folder, experiments: lines.iter().map(row).collect() }
    }
}

/// Writes the table in Markdown.
pub(super) fn write(out: &mut dyn Write, lines: &[Line]) -> std::io::Result<()> {
    writeln!(
        out,
        "| harness | experiment | sessions | found slower | found faster | no difference | \
         estimate, median (extremes) | A/A half-width, median | seconds each |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|---|---|")?;
    for line in lines {
        let percent: Vec<f64> = line.found.iter().map(|f| 100.0 * (f.ratio - 1.0)).collect();
        let least = percent.iter().copied().fold(f64::INFINITY, f64::min);
        let most = percent.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let middle = median(&percent).unwrap_or(f64::NAN);
        let width = line.half_width();
        let width = width.map_or("–".to_owned(), |width| format!("{:.3} %", 100.0 * width));
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {middle:+.2} % ({least:+.2} to {most:+.2}) | {width} \
             | {:.0} |",
            line.harness,
            line.description,
            line.found.len(),
            line.count(Answer::Slower),
            line.count(Answer::Faster),
            line.count(Answer::NoDifference),
            line.seconds
        )?;
    }
    Ok(())
}

/// Runs all sessions of both experiments with this harness.
pub(super) fn all(sessions: u64, seed: u64, folder: &Path) -> Result<Vec<Line>> {
    let mut corpora = Corpora::new([]);
    in_turn("raywalk", sessions, |experiment, number| {
        session(experiment, number, seed.wrapping_add(number), &mut corpora, folder)
    })
}

/// Alternates between the experiments, so that slow states of the machine affect both.
pub(super) fn in_turn(
    harness: &str,
    sessions: u64,
    mut session: impl FnMut(&Experiment, u64) -> Result<Found>,
) -> Result<Vec<Line>> {
    let mut lines = EXPERIMENTS.map(|experiment| Line {
        harness: harness.to_owned(),
        experiment: experiment.name,
        description: experiment.description,
        differs: experiment.differs,
        found: Vec::new(),
        seconds: 0.0,
    });
    let mut times = [const { Vec::new() }; 2];
    for number in 1..=sessions {
        for (place, experiment) in EXPERIMENTS.iter().enumerate() {
            let start = Instant::now();
            let found = session(experiment, number)?;
            times[place].push(start.elapsed().as_secs_f64());
            note!(
                "{harness}, session {number} of {sessions}, {}: {:?}, {:+.3} %",
                experiment.name,
                found.answer,
                100.0 * (found.ratio - 1.0)
            );
            lines[place].found.push(found);
        }
    }
    for (line, times) in lines.iter_mut().zip(times) {
        line.seconds = median(&times).unwrap_or_default();
    }
    Ok(lines.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(differs: bool, answers: &[Answer]) -> Line {
        let found = |&answer: &Answer| Found { answer, ratio: 1.005, half_width: 0.0008 };
        Line {
            harness: "raywalk".to_owned(),
            experiment: "half-percent",
            description: "an experiment",
            differs,
            found: answers.iter().map(found).collect(),
            seconds: 7.4,
        }
    }

    #[test]
    fn wrong_answers_are_counted() {
        let answers = [Answer::Slower, Answer::NoDifference, Answer::Faster, Answer::Slower];
        assert_eq!(line(true, &answers).wrong(), 2);
        assert_eq!(line(false, &answers).wrong(), 3);
    }

    #[test]
    fn the_table_counts_the_answers() {
        let mut text = Vec::new();
        let bare = Line { found: Vec::new(), ..line(false, &[]) };
        write(&mut text, &[line(true, &[Answer::Slower, Answer::Slower]), bare]).expect("text");
        let text = String::from_utf8(text).expect("text");
        let row =
            "| raywalk | an experiment | 2 | 2 | 0 | 0 | +0.50 % (+0.50 to +0.50) | 0.080 % | 7 |";
        assert_eq!(text.lines().nth(2), Some(row));
    }

    #[test]
    fn the_table_is_json_for_programs() {
        let lines = [line(true, &[Answer::Slower, Answer::Faster]), line(false, &[])];
        let value = serde_json::to_value(Document::of(&lines, Path::new("a/b"))).expect("JSON");
        assert_eq!(
            value["experiments"][0],
            serde_json::json!({
                "harness": "raywalk",
                "experiment": "half-percent",
                "description": "an experiment",
                "expected": "slower",
                "sessions": 2,
                "slower": 1,
                "faster": 1,
                "no_difference": 0,
                "wrong": 1,
                "ratios": [1.005, 1.005],
                "aa_half_width": 0.0008,
                "seconds": 7.4,
            })
        );
        assert_eq!(value["folder"], "a/b");
        assert_eq!(value["experiments"][1]["expected"], "no-difference");
        assert!(value["experiments"][1]["aa_half_width"].is_null());
    }

    #[test]
    fn a_folder_with_journals_is_refused_before_any_session_runs() {
        let folder = tempfile::tempdir().expect("a folder");
        let journal = folder.path().join("half-percent-03").join(folders::JOURNAL);
        assert!(prepare(3, folder.path()).is_ok());
        folders::write(&journal, "").expect("written");
        assert!(prepare(2, folder.path()).is_ok());
        let error = prepare(3, folder.path()).expect_err("the third session has a journal");
        assert!(error.to_string().contains("half-percent-03"), "{error}");
    }

    #[test]
    fn the_designs_of_every_experiment_exist() {
        for experiment in &EXPERIMENTS {
            let [one, other] = experiment.designs();
            assert_ne!(one, other);
            assert!(known::design(&one).is_ok() && known::design(&other).is_ok());
            assert!(experiment.plan(1).is_ok());
        }
    }
}
