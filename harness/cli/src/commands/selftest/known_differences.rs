//! Tables of known differences: our sessions alone, or next to Criterion's.

use raywalk_results::statistics::median;
use serde::Serialize;
use serde_json::Value;

use super::experiments::{Answer, Experiment, Found, Harness};
use super::page::{Table, rows};

/// A row of the table: all sessions of one experiment with one harness.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) experiment: &'static Experiment,
    pub(super) harness: Harness,
    pub(super) found: Vec<Found>,
}

impl Line {
    pub(super) fn of(experiment: &'static Experiment, harness: Harness) -> Line {
        Line { experiment, harness, found: Vec::new() }
    }

    fn count(&self, answer: Answer) -> usize {
        self.found.iter().filter(|found| found.answer == answer).count()
    }

    /// Number of sessions whose answer is not the expected one.
    pub(super) fn wrong(&self) -> usize {
        self.found.len() - self.count(self.experiment.expected())
    }

    /// Median half-width of the A/A control; `None` for a harness without one.
    fn half_width(&self) -> Option<f64> {
        let widths = self.found.iter().filter_map(|found| Some(found.ours?.half_width));
        median(&widths.collect::<Vec<_>>())
    }

    /// Median of the ratios, with the extremes, as a difference in per cent.
    fn estimate(&self) -> String {
        let percent: Vec<f64> = self.found.iter().map(|f| 100.0 * (f.ratio - 1.0)).collect();
        let Some(middle) = median(&percent) else { return "–".to_owned() };
        let least = percent.iter().copied().fold(f64::INFINITY, f64::min);
        let most = percent.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        format!("{middle:+.2} % ({least:+.2} to {most:+.2})")
    }

    /// Median of the times that are known.
    fn seconds(&self) -> Option<f64> {
        let seconds = self.found.iter().filter_map(|found| found.seconds);
        median(&seconds.collect::<Vec<_>>())
    }
}

/// A row of the table as JSON. docs/json.md documents every key.
#[derive(Serialize)]
struct Row<'a> {
    experiment: &'a str,
    harness: Harness,
    description: &'a str,
    expected: Answer,
    sessions: usize,
    slower: usize,
    faster: usize,
    no_difference: usize,
    wrong: usize,
    ratios: Vec<f64>,
    aa_half_width: Option<f64>,
    seconds: Option<f64>,
}

impl Row<'_> {
    fn of(line: &Line) -> Row<'_> {
        Row {
            experiment: line.experiment.name,
            harness: line.harness,
            description: line.experiment.description,
            expected: line.experiment.expected(),
            sessions: line.found.len(),
            slower: line.count(Answer::Slower),
            faster: line.count(Answer::Faster),
            no_difference: line.count(Answer::NoDifference),
            wrong: line.wrong(),
            ratios: line.found.iter().map(|found| found.ratio).collect(),
            aa_half_width: line.half_width(),
            seconds: line.seconds(),
        }
    }
}

/// The table under this name. Only one of several harnesses names them in a column.
pub(super) fn table(name: &'static str, lines: &[Line]) -> Table {
    let several = lines.iter().any(|line| line.harness != lines[0].harness);
    let heads = [
        "experiment",
        "harness",
        "sessions",
        "found slower",
        "found faster",
        "no difference",
        "wrong",
        "estimate, median (extremes)",
        "A/A half-width, median",
        "seconds each",
    ];
    let row = |line: &Line| {
        let width = line.half_width();
        [
            line.experiment.description.to_owned(),
            line.harness.to_string(),
            line.found.len().to_string(),
            line.count(Answer::Slower).to_string(),
            line.count(Answer::Faster).to_string(),
            line.count(Answer::NoDifference).to_string(),
            line.wrong().to_string(),
            line.estimate(),
            width.map_or("–".to_owned(), |width| format!("{:.3} %", 100.0 * width)),
            line.seconds().map_or("–".to_owned(), |seconds| format!("{seconds:.0}")),
        ]
    };
    let text = match several {
        true => rows(&heads, lines.iter().map(row)),
        false => rows(&without_harness(heads), lines.iter().map(row).map(without_harness)),
    };
    let json = lines.iter().map(|line| serde_json::to_value(Row::of(line)).unwrap_or_default());
    Table {
        name,
        text,
        json: [("experiments".to_owned(), Value::Array(json.collect()))].into_iter().collect(),
    }
}

fn without_harness<T>([experiment, _, cells @ ..]: [T; 10]) -> [T; 9] {
    let mut cells = [experiment].into_iter().chain(cells);
    std::array::from_fn(|_| cells.next().expect("nine cells"))
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::experiments::{EXPERIMENTS, Ours};
    use super::*;
    use raywalk_results::statistics::Interval;

    /// A line with these answers, each with a ratio of 1.005 and intervals that hold 1 at 99.4 % only.
    pub(in super::super) fn line(place: usize, answers: &[Answer]) -> Line {
        let interval = |low| Interval { low, middle: 1.005, high: 1.01 };
        let intervals = [interval(1.001), interval(0.999)];
        let ours = Ours { half_width: 0.0008, intervals, components: None };
        let found =
            |&answer: &Answer| Found { answer, ratio: 1.005, ours: Some(ours), seconds: Some(7.4) };
        Line {
            experiment: &EXPERIMENTS[place],
            harness: Harness::Raywalk,
            found: answers.iter().map(found).collect(),
        }
    }

    #[test]
    fn wrong_answers_are_counted() {
        let answers = [Answer::Slower, Answer::NoDifference, Answer::Faster, Answer::Slower];
        assert_eq!(line(1, &answers).wrong(), 2);
        assert_eq!(line(0, &answers).wrong(), 3);
    }

    #[test]
    fn the_table_counts_the_answers() {
        let text = table("criterion", &[line(1, &[Answer::Slower; 2]), line(0, &[])]).text;
        let row = "| 2,010 dependent steps against 2,000 | 2 | 2 | 0 | 0 | 0 \
                   | +0.50 % (+0.50 to +0.50) | 0.080 % | 7 |";
        assert_eq!(text.lines().nth(2), Some(row));
        assert!(
            text.lines().nth(3).is_some_and(|row| row.ends_with("| 0 | – | – | – |")),
            "{text}"
        );
    }

    #[test]
    fn a_table_of_two_harnesses_names_them() {
        let theirs = Line { harness: Harness::Criterion, ..line(1, &[Answer::Faster]) };
        let text = table("criterion", &[line(1, &[Answer::Slower]), theirs]).text;
        let cells = |row: usize| {
            let row = text.lines().nth(row).expect("a row");
            row.split(" | ").skip(1).take(4).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(cells(0), ["harness", "sessions", "found slower", "found faster"]);
        assert_eq!(cells(2), ["Raywalk", "1", "1", "0"]);
        assert_eq!(cells(3), ["Criterion", "1", "0", "1"]);
    }

    #[test]
    fn the_table_is_json_for_programs() {
        let lines = [line(1, &[Answer::Slower, Answer::Faster]), line(0, &[])];
        let json = table("known-differences", &lines).json;
        assert_eq!(
            json["experiments"][0],
            serde_json::json!({
                "experiment": "steps",
                "harness": "raywalk",
                "description": "2,010 dependent steps against 2,000",
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
        assert_eq!(json["experiments"][1]["expected"], "no-difference");
        assert!(json["experiments"][1]["aa_half_width"].is_null());
    }
}
