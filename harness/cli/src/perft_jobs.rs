//! Perft cut into jobs, each of which counts below one position and may run on any machine.
//!
//! Different orders of the same moves lead to the same position, which is counted once and added once for each order.
//! A job is named by its position, so the answers may come in any order and from any number of files.

use std::collections::HashMap;
use std::ops::ControlFlow;

use anyhow::{Context, Result, anyhow, bail, ensure};
use raywalk_core::parallel::in_order_on;
use raywalk_core::{Bitboards, Board, Position};
use raywalk_judge::format::plural;
use raywalk_measure::design::{Design, PerftOptions};
use raywalk_results::json_error::in_words;
use raywalk_results::schema::Stage;
use serde::Deserialize;

use crate::arguments;

/// A position some plies below the root.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) position: Position,
    /// Sequences of moves that lead to it.
    pub(crate) paths: u64,
}

/// Output of a job with `--format json`.
#[derive(Deserialize)]
struct Answer {
    design: String,
    fen: String,
    depth: u32,
    count: String,
    leaves: u64,
    seconds: f64,
}

/// The parameters that all jobs share.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) design: &'a str,
    /// Name of the way to count leaves.
    pub(crate) count: &'a str,
    pub(crate) depth: u32,
}

/// The sum over all jobs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sum {
    pub(crate) leaves: u64,
    /// Time of all jobs together.
    pub(crate) seconds: f64,
}

/// The fields of a position that its moves depend on, which do not include the clocks.
fn key(position: &Position) -> String {
    let fen = position.to_string();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// The positions `plies` below the root, in the order in which `design` finds them.
pub(crate) fn split(design: &dyn Design, root: &Position, plies: u32) -> Vec<Job> {
    let mut jobs = vec![Job { position: *root, paths: 1 }];
    for _ in 0..plies {
        let mut next: Vec<Job> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        for Job { position, paths } in jobs {
            for mv in design.legal(&position, Stage::All) {
                let mut board = Bitboards::new(&position);
                board.make(mv);
                let position = board.position();
                let place = *places.entry(key(&position)).or_insert(next.len());
                if place == next.len() {
                    next.push(Job { position, paths: 0 });
                }
                next[place].paths += paths;
            }
        }
        jobs = next;
    }
    jobs
}

/// Adds the answers of all jobs.
///
/// # Errors
/// A sentence about the first answer that is not of a job, or about jobs that are missing or answered twice.
pub(crate) fn sum(jobs: &[Job], asked: Asked<'_>, answers: &str) -> Result<Sum> {
    let Asked { design, count, depth } = asked;
    let places: HashMap<String, usize> =
        jobs.iter().enumerate().map(|(place, job)| (key(&job.position), place)).collect();
    let mut found: Vec<Option<u64>> = vec![None; jobs.len()];
    let mut seconds = 0.0;
    let stream = serde_json::Deserializer::from_str(answers).into_iter::<Answer>();
    for (number, answer) in (1..).zip(stream) {
        let answer = answer.map_err(|error| {
            anyhow!("answer {number} is not that of a job: {}", in_words(&error))
        })?;
        let position = arguments::position(&answer.fen)?;
        let Some(&place) = places.get(&key(&position)) else {
            bail!("answer {number}: no job counts below {position}");
        };
        ensure!(
            answer.depth == depth,
            "answer {number} has depth {} instead of {depth}",
            answer.depth
        );
        ensure!(
            answer.design == design && answer.count == count,
            "answer {number} is that of {} with --count {}, and not of {design} with --count {count}",
            answer.design,
            answer.count
        );
        if found[place].replace(answer.leaves).is_some() {
            bail!("answer {number}: the job of {position} is answered twice");
        }
        ensure!(answer.seconds >= 0.0, "answer {number} has a time below zero");
        seconds += answer.seconds;
    }
    let missing: Vec<&Job> =
        jobs.iter().zip(&found).filter(|(_, found)| found.is_none()).map(|(job, _)| job).collect();
    if let Some(first) = missing.first() {
        bail!(
            "{} without an answer, the first is that of {}",
            plural(missing.len(), "job"),
            first.position
        );
    }
    let leaves = jobs
        .iter()
        .zip(found.into_iter().flatten())
        .try_fold(0_u64, |sum, (job, leaves)| sum.checked_add(job.paths.checked_mul(leaves)?));
    Ok(Sum { leaves: leaves.context("the sum of all leaves does not fit into 64 bits")?, seconds })
}

/// Plies that are split off before threads count: some hundred jobs, so that none has to wait long for another.
const SPLIT: u32 = 2;

/// Leaves of `depth` plies, counted by this many threads. They take the jobs some plies below the root one by one.
///
/// # Errors
/// A sentence if the sum does not fit into 64 bits.
pub(crate) fn in_threads(
    design: &dyn Design,
    root: &Position,
    depth: u32,
    options: PerftOptions<'_>,
    threads: u32,
) -> Result<u64> {
    let plies = SPLIT.min(depth);
    let jobs = split(design, root, plies);
    let leaves = |place: u64| {
        let job = &jobs[place as usize];
        job.paths.checked_mul(design.perft(&job.position, depth - plies, options))
    };
    let mut sum = Some(0u64);
    in_order_on(threads as usize, jobs.len() as u64, leaves, |found| {
        sum = sum.zip(found).and_then(|(sum, found)| sum.checked_add(found));
        ControlFlow::Continue(())
    });
    sum.context("the sum of all leaves does not fit into 64 bits")
}

#[cfg(test)]
mod tests {
    use raywalk_core::Leaves;
    use raywalk_measure::design::PerftTable;
    use raywalk_positions::facts;

    use super::*;
    use crate::registry;

    const DESIGN: &str = "legal/hyperbola";

    fn asked(depth: u32) -> Asked<'static> {
        Asked { design: DESIGN, count: "bulk", depth }
    }

    fn design() -> Box<dyn Design> {
        registry::named(DESIGN).expect("a design").built().expect("no feature needed")
    }

    /// The answers of all jobs, as one text.
    fn answers(jobs: &[Job], depth: u32) -> Vec<String> {
        let design = design();
        let options = PerftOptions { leaves: Leaves::Bulk, table: None };
        let answer = |job: &Job| {
            let leaves = design.perft(&job.position, depth, options);
            format!(
                r#"{{"design":"{DESIGN}","fen":"{}","depth":{depth},"count":"bulk","leaves":{leaves},"seconds":0.5}}"#,
                job.position
            )
        };
        jobs.iter().map(answer).collect()
    }

    #[test]
    fn threads_with_one_table_find_the_published_counts() {
        let design = design();
        let table = PerftTable::new(1);
        for (fact, depth) in facts::perft().iter().flat_map(|fact| [(fact, 1), (fact, 3)]) {
            let Some(&(_, expected)) = fact.perft.iter().find(|(of, _)| *of == depth) else {
                continue;
            };
            for table in [None, Some(&table)] {
                let options = PerftOptions { leaves: Leaves::Bulk, table };
                let found = in_threads(&*design, &fact.position, depth, options, 3);
                assert_eq!(found.expect("64 bits"), expected, "{} at {depth}", fact.position);
            }
        }
    }

    #[test]
    fn designs_that_count_by_copies_find_the_published_counts_with_a_table() {
        for id in ["simd/legal", "simd/legal-keyed", "simd/legal-shuffle", "legal/pext-constants"] {
            let Ok(design) = registry::named(id).expect("a design").built() else { continue };
            let table = PerftTable::new(1);
            for (fact, depth) in facts::perft().iter().flat_map(|fact| [(fact, 3), (fact, 4)]) {
                let Some(&(_, expected)) = fact.perft.iter().find(|(of, _)| *of == depth) else {
                    continue;
                };
                for leaves in [Leaves::Bulk, Leaves::Made] {
                    let options = PerftOptions { leaves, table: Some(&table) };
                    let found = design.perft(&fact.position, depth, options);
                    assert_eq!(found, expected, "{id}: {} at {depth}", fact.position);
                }
            }
        }
    }

    #[test]
    fn jobs_add_up_to_the_published_count_in_any_order() {
        let jobs = split(&*design(), &Position::START.parse().expect("a position"), 3);
        assert_eq!(jobs.iter().map(|job| job.paths).sum::<u64>(), 8_902);
        assert!(jobs.len() < 8_902, "some positions are reached in several ways");
        let mut answers = answers(&jobs, 2);
        answers.reverse();
        let all = Sum { leaves: 4_865_609, seconds: 0.5 * jobs.len() as f64 };
        assert_eq!(sum(&jobs, asked(2), &answers.join("\n")).expect("all answers"), all);
    }

    #[test]
    fn missing_doubled_and_foreign_answers_are_named() {
        let jobs = split(&*design(), &Position::START.parse().expect("a position"), 1);
        let answers = answers(&jobs, 1);
        let refused = |answers: &[String]| {
            sum(&jobs, asked(1), &answers.join("")).expect_err("refused").to_string()
        };
        let first = &jobs[0].position;
        assert_eq!(
            refused(&answers[1..]),
            format!("1 job without an answer, the first is that of {first}")
        );
        assert_eq!(
            refused(&[]),
            format!("20 jobs without an answer, the first is that of {first}")
        );
        let twice = [&answers[..], &answers[..1]].concat();
        assert_eq!(refused(&twice), format!("answer 21: the job of {first} is answered twice"));
        let other = answers[0].replace(" 0 1", " 7 9");
        let same = [std::slice::from_ref(&other), &answers[1..]].concat();
        assert!(sum(&jobs, asked(1), &same.concat()).is_ok(), "clocks do not matter");
        let deeper = other.replace("\"depth\":1", "\"depth\":2");
        assert_eq!(refused(&[deeper]), "answer 1 has depth 2 instead of 1");
        let bulk = other.replace("\"bulk\"", "\"make\"");
        assert_eq!(
            refused(&[bulk]),
            "answer 1 is that of legal/hyperbola with --count make, and not of legal/hyperbola with --count bulk"
        );
        let foreign = answers[0].replace(&first.to_string(), Position::START);
        assert_eq!(
            refused(&[foreign]),
            format!("answer 1: no job counts below {}", Position::START)
        );
        let empty = refused(&["{}".to_owned()]);
        assert!(empty.starts_with("answer 1 is not that of a job: missing "), "{empty}");
    }
}
