//! How often intervals contain the true ratio: in simulated sessions, and in those of a design against its copy.

use std::path::PathBuf;

use anyhow::{Context, Result};
use raywalk_judge::Judged;
use raywalk_judge::agreement::COMPARISONS;
use raywalk_judge::ratios::Times;
use raywalk_judge::simulation::{Components, Simulation, Size};
use raywalk_results::journal::Results;
use raywalk_results::statistics::{Confidence, median};
use serde_json::{Value, json};

use super::experiments::{NULL, Ours};
use super::known_differences::Line;
use super::page::{Table, rows};
use crate::folders;

/// Simulated sessions in each row.
const SESSIONS: u64 = 200;
/// Standard deviations between rounds, beside that of the measured sessions.
const OF_ROUNDS: [f64; 3] = [0.01, 0.03, 0.06];

/// Components and size of each comparison of the headline panels of these results.
pub(super) fn components_of(paths: &[PathBuf]) -> Result<Vec<(Components, Size)>> {
    let mut all = Vec::new();
    for path in paths {
        let found = of_headline(&folders::read_journal(path)?);
        all.extend(found.with_context(|| {
            format!("{}: its headline panel has no components of variance", path.display())
        })?);
    }
    Ok(all)
}

fn of_headline(results: &Results) -> Option<Vec<(Components, Size)>> {
    let judged = Judged::of(results);
    let panel = &judged.headline()?.panel;
    let times = Times::of(results, results.panel(&panel.id)?);
    let size = Size::of(&times)?;
    let others = panel.designs.iter().filter(|id| **id != panel.baseline);
    let found: Vec<_> = others
        .filter_map(|id| Some((Components::of(&times, id, &panel.baseline)?, size)))
        .collect();
    (!found.is_empty()).then_some(found)
}

/// The components of the sessions of a design against its copy.
pub(super) fn components_of_null(lines: &[Line]) -> Vec<(Components, Size)> {
    let null = lines.iter().filter(|line| line.experiment.name == NULL);
    null.flat_map(|line| &line.found).filter_map(|found| found.ours?.components).collect()
}

/// The table. `lines` are the sessions of known differences, if they were run.
pub(super) fn table(measured: &[(Components, Size)], lines: &[Line], seed: u64) -> Table {
    let mut text = String::new();
    let mut json = serde_json::Map::new();
    let mut simulated = Vec::new();
    if let Some((components, size)) = medians(measured) {
        let rounds = OF_ROUNDS.into_iter().chain([components.round]);
        for round in rounds {
            let components = Components { round, ..components };
            let simulation = Simulation { components, size };
            let covered = simulation.covered(confidences(), SESSIONS, seed);
            simulated.push((components, covered));
        }
        json.insert("size".to_owned(), of_size(size));
        let Size { roots, visited, processes, rounds } = size;
        text = format!(
            "Simulated sessions: {rounds} rounds in {processes} processes, on {visited} of {roots} \
             roots.\n\n{}",
            simulated_rows(&simulated)
        );
    }
    let object = |(components, [at_95, at_99]): &(Components, [u64; 2])| {
        let Components { root, process, round } = components;
        json!({
            "root": root, "process": process, "round": round,
            "sessions": SESSIONS, "held_95": at_95, "held_99": at_99,
        })
    };
    json.insert("simulated".to_owned(), simulated.iter().map(object).collect());
    let empirical = empirical(lines);
    if let Some([sessions, at_95, at_99]) = empirical {
        if !text.is_empty() {
            text.push('\n');
        }
        let heads = ["measured sessions without a difference", "held at 95 %", "held at 99.4 %"];
        text += &rows(&heads, [[sessions, at_95, at_99].map(|count| count.to_string())]);
    }
    let object = |[sessions, at_95, at_99]: [usize; 3]| json!({ "sessions": sessions, "held_95": at_95, "held_99": at_99 });
    json.insert("measured".to_owned(), empirical.map_or(Value::Null, object));
    Table { name: "coverage", text, json }
}

fn confidences() -> [Confidence; 2] {
    [Confidence::NINETY_FIVE, Confidence::NINETY_FIVE.shared_by(COMPARISONS)]
}

fn simulated_rows(simulated: &[(Components, [u64; 2])]) -> String {
    let heads = [
        "SD of roots",
        "SD of processes",
        "SD of rounds",
        "simulated sessions",
        "held at 95 %",
        "held at 99.4 %",
    ];
    let percent = |value: f64| format!("{:.2} %", 100.0 * value);
    let share = |held: u64| format!("{held} ({:.1} %)", 100.0 * held as f64 / SESSIONS as f64);
    let row = |(components, held): &(Components, [u64; 2])| {
        let Components { root, process, round } = *components;
        let [at_95, at_99] = held.map(share);
        [percent(root), percent(process), percent(round), SESSIONS.to_string(), at_95, at_99]
    };
    rows(&heads, simulated.iter().map(row))
}

fn of_size(size: Size) -> Value {
    let Size { roots, visited, processes, rounds } = size;
    json!({ "roots": roots, "visited": visited, "processes": processes, "rounds": rounds })
}

/// The medians of all components and sizes; `None` without any.
fn medians(all: &[(Components, Size)]) -> Option<(Components, Size)> {
    let of = |value: &dyn Fn(&(Components, Size)) -> f64| {
        median(&all.iter().map(value).collect::<Vec<_>>())
    };
    let components = Components {
        root: of(&|(one, _)| one.root)?,
        process: of(&|(one, _)| one.process)?,
        round: of(&|(one, _)| one.round)?,
    };
    let size = Size {
        roots: of(&|(_, one)| one.roots as f64)? as u64,
        visited: of(&|(_, one)| one.visited as f64)? as u64,
        processes: of(&|(_, one)| one.processes as f64)? as u64,
        rounds: of(&|(_, one)| one.rounds as f64)? as u64,
    };
    Some((components, size))
}

/// How many sessions of a design against its copy there are, and how many intervals hold 1, at 95 % and at
/// 99.4 %. `None` if none was run.
fn empirical(lines: &[Line]) -> Option<[usize; 3]> {
    let null = lines.iter().filter(|line| line.experiment.name == NULL);
    let ours: Vec<_> = null.flat_map(|line| &line.found).filter_map(|found| found.ours).collect();
    let held = |place: usize| {
        let holds =
            |one: &&Ours| one.intervals[place].low <= 1.0 && 1.0 <= one.intervals[place].high;
        ours.iter().filter(holds).count()
    };
    (!ours.is_empty()).then(|| [ours.len(), held(0), held(1)])
}

#[cfg(test)]
mod tests {
    use super::super::experiments::Answer;
    use super::super::known_differences::tests::line;
    use super::*;
    use raywalk_results::fixture::{self, Recipe};

    const MEASURED: (Components, Size) = (
        Components { root: 0.033, process: 0.005, round: 0.02 },
        Size { roots: 64, visited: 64, processes: 12, rounds: 132 },
    );

    #[test]
    fn simulated_intervals_hold_the_truth_and_measured_ones_are_counted() {
        let null = line(0, &[Answer::NoDifference; 3]);
        let other = line(1, &[Answer::Slower]);
        let Table { text, json, .. } = table(&[MEASURED], &[null, other], 5);
        let simulated = json["simulated"].as_array().expect("a list");
        assert_eq!(simulated.len(), 4);
        for row in simulated {
            // 99.4 % of 200, less four standard deviations.
            assert!(row["held_99"].as_u64() >= Some(194), "{row}");
            assert!(row["held_95"].as_u64() <= row["held_99"].as_u64(), "{row}");
        }
        assert_eq!(simulated[3]["round"], 0.02);
        assert_eq!(json["size"]["rounds"], 132);
        assert_eq!(json["measured"], json!({ "sessions": 3, "held_95": 0, "held_99": 3 }));
        assert!(text.contains("| 3.30 % | 0.50 % | 6.00 % | 200 | "), "{text}");
        assert!(text.ends_with("| 3 | 0 | 3 |\n"), "{text}");
    }

    #[test]
    fn without_components_nothing_is_simulated() {
        let Table { text, json, .. } = table(&[], &[line(0, &[Answer::NoDifference])], 5);
        assert_eq!(json["simulated"], json!([]));
        assert_eq!(text.lines().count(), 3, "{text}");
    }

    #[test]
    fn components_come_from_the_headline_of_a_result() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, recipe: Recipe| {
            let path = folder.path().join(name);
            folders::write(&path, &fixture::text(&recipe.records())).expect("written");
            path
        };
        let good = write("good", Recipe { rounds: 48, shares: 12, ..Recipe::SMALL });
        let found = components_of(&[good]).expect("components");
        // Seven designs beside the baseline.
        assert_eq!(found.len(), 7);
        assert_eq!((found[0].1.processes, found[0].1.rounds), (12, 48));
        let short = write("short", Recipe { rounds: 2, ..Recipe::SMALL });
        let error = components_of(&[short]).expect_err("two rounds");
        assert!(error.to_string().contains("no components of variance"), "{error}");
    }
}
