//! Cost against the intensity of a regime: branches that run before each call, or other data that are read between
//! calls.

use raywalk_results::schema::{Panel, RegimeKind};

use crate::summary::{PanelSummary, Row};

/// A panel with its intensity, in units of the caller.
type Step<'a> = (u64, &'a PanelSummary);

/// The panels of one workload and call that differ in intensity only, by rising intensity.
#[derive(Clone, Debug)]
pub struct Series<'a> {
    /// In the regime itself, at least two.
    pub panels: Vec<Step<'a>>,
    /// In the regime of its placebo, if it has one.
    pub placebo: Vec<Step<'a>>,
}

/// A design: its cost in each panel of a series.
#[derive(Clone, Debug)]
pub struct Curve<'a> {
    /// The design in the first panel.
    pub row: &'a Row,
    /// One point for each panel with the design.
    pub points: Vec<Point<'a>>,
    /// One per panel of the placebo that has the design.
    pub placebo: Vec<Point<'a>>,
}

/// A design in one panel.
#[derive(Clone, Copy, Debug)]
pub struct Point<'a> {
    /// Intensity of the perturbation, in the unit of its regime.
    pub at: u64,
    /// Cost per position, in the unit of the curve.
    pub cost: f64,
    /// The row of the panel that the cost was taken from.
    pub row: &'a Row,
}

/// The panels of a regime that differ from another one in regime and intensity only.
fn alike<'a>(
    panels: &'a [PanelSummary],
    kind: RegimeKind,
    like: &Panel,
) -> impl Iterator<Item = &'a PanelSummary> {
    panels.iter().filter(move |summary| {
        let panel = &summary.panel;
        !summary.rows.is_empty()
            && panel.regime.kind == kind
            && (&panel.workload, panel.call) == (&like.workload, like.call)
    })
}

/// The panel of the [placebo](RegimeKind::placebo) of a panel at the same intensity, if there is one.
pub fn placebo_of<'a>(panels: &'a [PanelSummary], panel: &Panel) -> Option<&'a PanelSummary> {
    let amount = |panel: &Panel| Some(panel.regime.intensity?.amount);
    let at = amount(panel)?;
    alike(panels, panel.regime.kind.placebo()?, panel).find(|it| amount(&it.panel) == Some(at))
}

impl<'a> Series<'a> {
    /// The workload and call with the most intensities of a regime; the first of the plan if several have as many.
    /// Intensities are in units of `size`. `None` below two.
    pub fn of(panels: &'a [PanelSummary], regime: RegimeKind, size: u64) -> Option<Series<'a>> {
        let of = |kind: RegimeKind, like: &PanelSummary| {
            let alike = alike(panels, kind, &like.panel);
            let at = |panel: &PanelSummary| Some(panel.panel.regime.intensity?.amount / size);
            let mut steps: Vec<Step<'a>> = alike.filter_map(|it| Some((at(it)?, it))).collect();
            // A logarithmic axis has no zero.
            steps.retain(|&(at, _)| at > 0);
            steps.sort_by_key(|&(at, _)| at);
            steps.dedup_by_key(|&mut (at, _)| at);
            steps
        };
        let all =
            panels.iter().filter(|like| like.panel.regime.kind == regime).map(|like| Series {
                panels: of(regime, like),
                placebo: regime.placebo().map_or_else(Vec::new, |placebo| of(placebo, like)),
            });
        // Of equal ones `max_by_key` takes the last.
        let all: Vec<_> = all.filter(|series| series.panels.len() >= 2).collect();
        all.into_iter().rev().max_by_key(|series| series.panels.len())
    }

    /// The designs that all panels have.
    pub fn curves(&self, cost: fn(&Row) -> Option<f64>) -> Vec<Curve<'a>> {
        let points = |steps: &[Step<'a>], id: &str| -> Vec<Point<'a>> {
            let point = |&(at, panel): &Step<'a>| {
                let row = panel.row(id)?;
                Some(Point { at, cost: cost(row)?, row })
            };
            steps.iter().filter_map(point).collect()
        };
        let curve = |row: &'a Row| Curve {
            row,
            points: points(&self.panels, &row.id),
            placebo: points(&self.placebo, &row.id),
        };
        let curves = self.panels[0].1.rows.iter().map(curve);
        curves.filter(|curve| curve.points.len() == self.panels.len()).collect()
    }
}
