//! The calls of a session side by side: the cost of each call for each design on the same positions.

use raywalk_results::journal::Results;
use raywalk_results::schema::{Call, Design, Status};

use crate::summary::PanelSummary;

/// The panels of one workload in one regime that differ in their call only.
#[derive(Clone, Debug)]
pub struct CallTable<'a> {
    /// The panels, generation of stages first, then in the order of the plan. At least two are of other
    /// calls.
    pub panels: Vec<&'a PanelSummary>,
    /// The verified designs, in the order of the registry.
    pub designs: Vec<&'a Design>,
}

/// Cost of one call of a design, if the design offers the call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CallCost {
    /// The design was timed in the panel.
    Nanoseconds {
        /// Nanoseconds of one call: those of the baseline, times the ratio.
        ns: f64,
        /// [Half the width](crate::summary::Row::half_width) of its interval, as a fraction.
        half_width: Option<f64>,
    },
    /// The design does not offer the call.
    NotOffered,
    /// The panel has the design, but no block is left that was clean for it and for the baseline.
    NoSample,
}

impl CallTable<'_> {
    /// The cost of a design in a panel.
    pub fn cost(&self, panel: &PanelSummary, design: &Design) -> CallCost {
        match panel.row(&design.id) {
            Some(row) => CallCost::Nanoseconds { ns: row.ns_position, half_width: row.half_width },
            None if panel.panel.designs.contains(&design.id) => CallCost::NoSample,
            None => CallCost::NotOffered,
        }
    }
}

/// The tables of a session: one for each workload and regime with more than one call that generates no
/// stage. Panels without rounds are left out, and perfts of single positions, which have tables of their own.
pub fn tables<'a>(results: &'a Results, panels: &'a [PanelSummary]) -> Vec<CallTable<'a>> {
    let verified = |design: &&Design| matches!(design.status, Status::Verified { .. });
    let designs: Vec<&Design> = results.designs.iter().filter(verified).collect();
    let is_shown =
        |panel: &&PanelSummary| !panel.rows.is_empty() && !panel.is_perft_of_a_position();
    let measured: Vec<&PanelSummary> = panels.iter().filter(is_shown).collect();
    let mut tables: Vec<CallTable<'a>> = Vec::new();
    for &panel in &measured {
        let is_alike = |other: &PanelSummary| {
            (&other.panel.workload, &other.panel.regime)
                == (&panel.panel.workload, &panel.panel.regime)
        };
        if tables.iter().any(|table| is_alike(table.panels[0])) {
            continue;
        }
        let mut alike: Vec<&PanelSummary> =
            measured.iter().copied().filter(|other| is_alike(other)).collect();
        let is_other = |panel: &&PanelSummary| panel.panel.call.operation().is_some();
        if alike.iter().filter(|panel| is_other(panel)).count() < 2 {
            continue;
        }
        // The scope of the sliders is a part of a call, not another one.
        alike.retain(|panel| is_other(panel) || panel.panel.call.is_offered_by_all());
        alike.sort_by_key(|panel| match panel.panel.call {
            Call::Generate { stage, .. } => (0, Some(stage)),
            Call::Search { .. } => (1, None),
            Call::Operation { .. } => (2, None),
        });
        tables.push(CallTable { panels: alike, designs: designs.clone() });
    }
    tables
}
