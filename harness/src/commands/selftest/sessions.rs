//! Whole sessions of which the answer is known.
//!
//! What a verdict is worth shows where the truth is known. In one experiment a design is held
//! against itself, on a stream of real positions: any difference that a session finds is false. In the
//! other a chain of 2,010 steps is held against one of 2,000: a session that finds no difference has
//! missed one, and a session that finds the shorter chain slower has the wrong sign. Each session
//! is a whole one: sized, made by fresh processes, kept in a journal, judged by what judges every
//! report.

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use raywalk_core::StageId;
use raywalk_reports::journal::{self, Results};
use raywalk_reports::schema::{self, Status};
use raywalk_reports::statistics::{Verdict, median};
use raywalk_reports::summary::{self, PanelSummary};

use crate::commands::positions::Positions;
use crate::commands::processes::FreshProcesses;
use crate::commands::report;
use crate::commands::workplace::Workplace;
use crate::machine::built;
use crate::measure::disturb::OfThisMachine;
use crate::measure::journal::Journal;
use crate::measure::plan::{PanelPlan, Plan, Rounds};
use crate::measure::progress::Silent;
use crate::measure::quiet::Look;
use crate::measure::session::{Instruments, Session};
use crate::measure::utc;
use crate::registry;
use crate::selftest::known;

/// What is compared, and what is true of it.
pub(super) struct Experiment {
    /// Names its folders.
    pub name: &'static str,
    /// What it does, for the table.
    pub what: &'static str,
    /// Where the positions come from.
    pub workload: &'static str,
    /// Whether the second of the two truly does more.
    pub differs: bool,
    /// Seconds of measuring in one session.
    pub seconds: u64,
}

/// Both experiments.
pub(super) const EXPERIMENTS: [Experiment; 2] = [
    Experiment {
        name: "same",
        what: "`ferret/pointer` against itself, stream of `ab4`",
        workload: "ab4",
        differs: false,
        seconds: 10,
    },
    Experiment {
        name: "apart",
        what: "2,010 dependent steps against 2,000: 0.5 % more",
        workload: "cycle-16",
        differs: true,
        seconds: 5,
    },
];

impl Experiment {
    /// Ids of the two subjects: the baseline, and the one that is judged.
    pub fn subjects(&self) -> [String; 2] {
        match self.differs {
            true => [known::chain(2_000), known::chain(2_010)],
            false => ["ferret/pointer".to_owned(), known::second("ferret/pointer")],
        }
    }

    fn plan(&self, seed: u64) -> Result<Plan> {
        let panel = PanelPlan::of(self.workload, StageId::All).context("no such workload")?;
        let time = Duration::from_secs(self.seconds);
        Ok(Plan {
            name: self.name.to_owned(),
            seed,
            rounds: Rounds::Budget { time, least: 40, most: 10_000 },
            panels: vec![panel],
            // Any difference that is certain counts, however small.
            margin: 0.0,
            ..Plan::quick()
        })
    }
}

/// What a session found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Found {
    /// Of the second subject against the first.
    pub answer: Answer,
    /// The second ÷ the first.
    pub ratio: f64,
    /// Half the width of the interval of the first against itself.
    pub half_width: f64,
}

/// What was said of the second subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// It costs more.
    Slower,
    /// It costs less.
    Faster,
    /// Neither.
    NoDifference,
}

/// Makes one session of an experiment below `folder`.
pub(super) fn session(
    experiment: &Experiment,
    number: u64,
    seed: u64,
    positions: &mut Positions,
    folder: &Path,
) -> Result<Found> {
    let plan = experiment.plan(seed)?;
    let corpora = positions.corpora(&plan)?;
    let mut place = Workplace::open(crate::machine::load_average());
    let folder = folder.join(format!("{}-{number:02}", experiment.name));
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make {}", folder.display()))?;
    let path = folder.join(report::JOURNAL);
    let mut journal = Journal::create(&path, &place.session(&plan, corpora))?;
    let ids = experiment.subjects();
    let mut subjects = Vec::new();
    for id in &ids {
        subjects.push(known::subject(id)?);
        journal.design(&design(id))?;
    }
    Session {
        plan: &plan,
        instruments: Instruments {
            subjects: &mut subjects,
            workloads: positions,
            clock: &place.clock,
            counters: &mut place.counters,
            disturbances: &OfThisMachine,
        },
        workers: &mut FreshProcesses::of_this_program(place.pinned.ok())?,
        build: built::build(),
        knee: None,
        best: Look::default(),
        journal: &mut journal,
        progress: &mut Silent,
    }
    .run()?;
    journal.end(utc::now())?;
    let file = File::open(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let results = journal::read(BufReader::new(file))?;
    found(&results, &ids[1]).with_context(|| format!("{} holds no verdict", path.display()))
}

/// The record of a subject that is right by construction.
fn design(id: &str) -> schema::Design {
    let name = id.strip_suffix(" (second)").unwrap_or(id);
    let status = Status::Verified { checks: 0 };
    match registry::named(name) {
        Ok(entry) => {
            let record = entry.record(None, status);
            schema::Design { id: id.to_owned(), ..record }
        }
        Err(_) => schema::Design {
            id: id.to_owned(),
            name: id.to_owned(),
            author: String::new(),
            year: None,
            source: String::new(),
            control: "branchless".to_owned(),
            legality: "pseudo-legal".to_owned(),
            published_bytes: None,
            table_bytes: None,
            board_bytes: None,
            needs: Vec::new(),
            reconstructed: String::new(),
            status,
        },
    }
}

fn found(results: &Results, second: &str) -> Option<Found> {
    let panels = summary::summarise(results);
    let panel: &PanelSummary = panels.first()?;
    let row = panel.row(second)?;
    let answer = match row.verdict? {
        Verdict::Slower(_) => Answer::Slower,
        Verdict::Faster(_) => Answer::Faster,
        Verdict::Equal { .. } | Verdict::NotResolved => Answer::NoDifference,
    };
    Some(Found { answer, ratio: row.ratio, half_width: panel.itself?.half_width() })
}

/// A line of the table: what a harness said in all its sessions of one experiment.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    pub harness: String,
    pub what: &'static str,
    pub differs: bool,
    pub found: Vec<Found>,
    /// Seconds of one session, in the middle.
    pub seconds: f64,
}

impl Line {
    fn count(&self, answer: Answer) -> usize {
        self.found.iter().filter(|found| found.answer == answer).count()
    }

    /// Answers that are not the truth.
    pub fn wrong(&self) -> usize {
        let right = if self.differs { Answer::Slower } else { Answer::NoDifference };
        self.found.len() - self.count(right)
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
        let widths: Vec<f64> = line.found.iter().map(|f| 100.0 * f.half_width).collect();
        let width = median(&widths).filter(|width| width.is_finite());
        let width = width.map_or("–".to_owned(), |width| format!("{width:.3} %"));
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {middle:+.2} % ({least:+.2} to {most:+.2}) | {width} \
             | {:.0} |",
            line.harness,
            line.what,
            line.found.len(),
            line.count(Answer::Slower),
            line.count(Answer::Faster),
            line.count(Answer::NoDifference),
            line.seconds
        )?;
    }
    Ok(())
}

/// All sessions of both experiments.
pub(super) fn all(sessions: u64, seed: u64, folder: &Path) -> Result<Vec<Line>> {
    let mut positions = Positions::new();
    in_turn("raywalk", sessions, |experiment, number| {
        session(experiment, number, seed.wrapping_add(number), &mut positions, folder)
    })
}

/// Makes the sessions of both experiments in turn, so that the machine's moods fall on both.
pub(super) fn in_turn(
    harness: &str,
    sessions: u64,
    mut session: impl FnMut(&Experiment, u64) -> Result<Found>,
) -> Result<Vec<Line>> {
    let mut lines = EXPERIMENTS.map(|experiment| Line {
        harness: harness.to_owned(),
        what: experiment.what,
        differs: experiment.differs,
        found: Vec::new(),
        seconds: 0.0,
    });
    let mut times = [const { Vec::new() }; 2];
    for number in 1..=sessions {
        for (place, experiment) in EXPERIMENTS.iter().enumerate() {
            let begun = Instant::now();
            let found = session(experiment, number)?;
            times[place].push(begun.elapsed().as_secs_f64());
            eprintln!(
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

/// The folder of the sessions of one call.
pub(super) fn folder() -> PathBuf {
    PathBuf::from("raywalk-results").join(format!("selftest-{}", utc::now().replace(':', "")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(differs: bool, answers: &[Answer]) -> Line {
        let found = |&answer: &Answer| Found { answer, ratio: 1.005, half_width: 0.0008 };
        Line {
            harness: "raywalk".to_owned(),
            what: "a formula",
            differs,
            found: answers.iter().map(found).collect(),
            seconds: 7.4,
        }
    }

    #[test]
    fn an_answer_is_wrong_by_what_is_true() {
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
            "| raywalk | a formula | 2 | 2 | 0 | 0 | +0.50 % (+0.50 to +0.50) | 0.080 % | 7 |";
        assert_eq!(text.lines().nth(2), Some(row));
    }

    #[test]
    fn the_two_subjects_of_an_experiment_are_there() {
        for experiment in &EXPERIMENTS {
            let [one, other] = experiment.subjects();
            assert_ne!(one, other);
            assert!(known::subject(&one).is_ok() && known::subject(&other).is_ok());
            assert!(experiment.plan(1).is_ok());
        }
    }
}
