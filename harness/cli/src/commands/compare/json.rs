//! A comparison as JSON. docs/json.md documents every key.

use raywalk_judge::Judged;
use raywalk_judge::compare::{Comparison, PanelComparison, Row};
use raywalk_results::likeness::Difference;
use serde::Serialize;

use crate::shapes::{Estimate, Judgement, Session};

#[derive(Serialize)]
pub(super) struct Document<'a> {
    a: Session<'a>,
    b: Session<'a>,
    /// Why the two results should not be compared.
    differences: &'a [Difference],
    margin: f64,
    intervals: usize,
    panels: Vec<Panel<'a>>,
    left_out: &'a [String],
    regressions: Vec<Regression<'a>>,
}

#[derive(Serialize)]
struct Panel<'a> {
    panel: &'a str,
    rounds: [usize; 2],
    baseline: &'a str,
    replaced_baseline: Option<&'a str>,
    floor: Option<f64>,
    designs: Vec<Design<'a>>,
}

#[derive(Serialize)]
struct Design<'a> {
    design: &'a str,
    /// `None` for the baseline, which cannot be judged.
    verdict: Option<Judgement>,
    ratio: Option<Estimate>,
    time: Option<Estimate>,
    spread: Option<f64>,
    regression: bool,
}

#[derive(Serialize)]
struct Regression<'a> {
    panel: &'a str,
    design: &'a str,
}

impl<'a> Document<'a> {
    pub(super) fn of(
        [a, b]: [&Judged<'a>; 2],
        unlike: &'a [Difference],
        comparison: &'a Comparison,
    ) -> Document<'a> {
        let regressions = comparison
            .regressions()
            .map(|(panel, row)| Regression { panel: &panel.panel.id, design: &row.id });
        let shown = comparison.panels.iter().filter(|panel| !panel.rows.is_empty());
        Document {
            a: Session::of(a),
            b: Session::of(b),
            differences: unlike,
            margin: comparison.margin,
            intervals: comparison.comparisons,
            panels: shown.map(panel).collect(),
            left_out: &comparison.left_out,
            regressions: regressions.collect(),
        }
    }
}

fn panel(panel: &PanelComparison) -> Panel<'_> {
    Panel {
        panel: &panel.panel.id,
        rounds: panel.rounds,
        baseline: &panel.baseline,
        replaced_baseline: panel.replaced.as_deref(),
        floor: panel.floor.map(|floor| floor.fraction()),
        designs: panel.rows.iter().map(design).collect(),
    }
}

fn design(row: &Row) -> Design<'_> {
    Design {
        design: &row.id,
        verdict: row.relative.map(|_| row.verdict.into()),
        ratio: row.relative.and_then(Estimate::of),
        time: Estimate::of(row.time),
        spread: row.spread.map(f64::exp_m1),
        regression: row.regression,
    }
}
