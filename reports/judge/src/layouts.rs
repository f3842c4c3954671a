//! Whether a branch predictor explains the differences between layouts of the program.
//!
//! A session with layouts has measured each ratio in each of them. The models have replayed the same branches at the
//! addresses of each layout, so they predict a change of every ratio: the change of the mispredictions, at the cost
//! of one that the self-test has measured. Nothing is fitted to the layouts. If a model predicts too little change,
//! the rest comes from effects outside the model: targets of branches, lines of code, and the decoders.

use std::collections::BTreeMap;

use raywalk_results::schema::{LayoutMisses, RegimeKind, Stage, Trace};
use raywalk_results::statistics::Moments;

use crate::Judged;
use crate::gap;
use crate::spread::{Deviation, Effect};
use crate::summary::{PanelSummary, Row};

/// A design whose ratio was measured and predicted in several layouts.
#[derive(Clone, Debug, PartialEq)]
pub struct InLayouts<'a> {
    /// The panel that was measured in these layouts.
    pub panel: &'a PanelSummary,
    /// The row of the design in that panel.
    pub row: &'a Row,
    /// One per layout, in the order of the seeds.
    pub points: Vec<Point>,
    /// The measured deviation between layouts, in ln, without the noise of processes.
    pub measured: Deviation,
    /// The predicted deviation between layouts, in ln.
    pub predicted: f64,
    /// Correlation of measured and predicted effects; absent if either is the same in all layouts.
    pub correlation: Option<f64>,
}

/// From this correlation on, over at least [`ENOUGH`] layouts, the predictor is called an explanation.
pub const EXPLAINS: f64 = 0.8;
/// Fewest layouts with a meaningful correlation.
pub const ENOUGH: usize = 4;

impl InLayouts<'_> {
    /// Whether mispredictions explain what the layouts change.
    pub fn is_explained(&self) -> bool {
        self.points.len() >= ENOUGH && self.correlation.is_some_and(|it| it >= EXPLAINS)
    }
}

/// A design in one layout. Both effects are ln of the ratio over that of the mean layout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Seed of the order of sections.
    pub layout: u64,
    /// As it was measured, mean over the processes of the layout.
    pub measured: f64,
    /// As the model of the predictor explains it.
    pub predicted: f64,
}

/// Every design of every panel that was measured and traced in at least two layouts. Empty if the session has none, or
/// if the self-test has not measured the cost of a misprediction.
pub fn in_layouts<'a>(judged: &'a Judged<'a>) -> Vec<InLayouts<'a>> {
    let Some(cost) = gap::misprediction_cost(judged) else { return Vec::new() };
    let designs = judged
        .panels
        .iter()
        .flat_map(|panel| panel.rows.iter().map(move |row| (panel, row)))
        .filter(|(panel, row)| row.id != panel.panel.baseline);
    designs.filter_map(|(panel, row)| design(judged, panel, row, cost)).collect()
}

fn design<'a>(
    judged: &'a Judged<'a>,
    panel: &'a PanelSummary,
    row: &'a Row,
    cost: f64,
) -> Option<InLayouts<'a>> {
    let measured = row.spread.layouts?;
    let by_layout = means(&row.spread.effects);
    let baseline = panel.row(&panel.panel.baseline)?;
    let (ours, theirs) =
        (shares(judged, panel, row, cost)?, shares(judged, panel, baseline, cost)?);
    let mut points = Vec::new();
    for (&layout, &measured) in &by_layout {
        let predicted = ours.get(&layout)? - theirs.get(&layout)?;
        points.push(Point { layout, measured, predicted });
    }
    let column = |of: fn(&Point) -> f64| points.iter().map(of).collect::<Vec<_>>();
    let moments = Moments::of(&column(|it| it.measured), &column(|it| it.predicted))?;
    for point in &mut points {
        point.measured -= moments.x;
        point.predicted -= moments.y;
    }
    Some(InLayouts {
        panel,
        row,
        measured,
        predicted: (moments.yy / (points.len() - 1) as f64).sqrt(),
        correlation: moments.correlation(),
        points,
    })
}

/// The mean effect in each layout.
fn means(effects: &[Effect]) -> BTreeMap<u64, f64> {
    let mut sums: BTreeMap<u64, (f64, f64)> = BTreeMap::new();
    for effect in effects {
        let Some(layout) = effect.layout else { continue };
        let (sum, count) = sums.entry(layout).or_default();
        *sum += effect.log;
        *count += 1.0;
    }
    sums.into_iter().map(|(layout, (sum, count))| (layout, sum / count)).collect()
}

/// The part of a design's cycles that its mispredictions take in each layout.
fn shares(
    judged: &Judged<'_>,
    panel: &PanelSummary,
    row: &Row,
    cost: f64,
) -> Option<BTreeMap<u64, f64>> {
    let (rules, cycles) = (&panel.panel, row.cycles_position?);
    if rules.call.stage() != Some(Stage::All) {
        return None;
    }
    let Trace { layouts, replay, .. } =
        judged.results.trace(&row.id, &rules.workload, Stage::All)?;
    let is_learnt = match rules.regime.kind {
        RegimeKind::Stream => false,
        RegimeKind::Replay if rules.regime.period == Some(*replay) => true,
        RegimeKind::Replay if judged.matched()?.long.panel.id == rules.id => false,
        _ => return None,
    };
    let misses = |it: &LayoutMisses| match is_learnt {
        true => it.replay,
        false => it.stream,
    };
    Some(layouts.iter().map(|it| (it.layout, cost * misses(it) / cycles)).collect())
}
