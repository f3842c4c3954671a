//! Attack sets per second: the look-up of slider attacks alone, in the regimes of a session.
//!
//! Published tables of look-ups repeat a loop that keeps every table in the first-level cache and every branch learnt.
//! Whether their order holds where positions change, or where caches are under pressure, is what the panels show.

use raywalk_results::schema::Call;

use crate::Judged;
use crate::format::{certain, cost};
use crate::summary::{PanelSummary, Row};

/// The panels in which look-ups are timed, in the order of the session.
#[derive(Clone, Debug, PartialEq)]
pub struct LookupTable<'a> {
    /// The panels, each with the attack sets that a position stands for. Those of replays come first.
    pub panels: Vec<(u64, &'a PanelSummary)>,
}

impl<'a> LookupTable<'a> {
    /// `None` without such a panel.
    pub fn of(judged: &'a Judged<'_>) -> Option<LookupTable<'a>> {
        let sets = |summary: &'a PanelSummary| match summary.panel.call {
            Call::Operation { operation } => Some((operation.lookups()?, summary)),
            Call::Generate { .. } | Call::Search { .. } => None,
        };
        let mut panels: Vec<(u64, &PanelSummary)> =
            judged.panels.iter().filter(|it| !it.rows.is_empty()).filter_map(sets).collect();
        panels.sort_by_key(|(_, summary)| summary.panel.regime.period.is_none());
        (!panels.is_empty()).then_some(LookupTable { panels })
    }

    /// The designs of the first panel, the fastest first.
    pub fn designs(&self) -> &'a [Row] {
        self.panels.first().map_or(&[], |(_, summary)| &summary.rows)
    }

    /// Million attack sets per second of a design.
    pub fn millions(&(sets, summary): &(u64, &PanelSummary), design: &str) -> Option<f64> {
        Some(sets as f64 * 1e3 / summary.row(design)?.ns_position)
    }

    /// The rank of a design: one more than the designs that are faster beyond both intervals, so that designs which the
    /// panel cannot tell apart may share a rank.
    pub fn rank((_, summary): &(u64, &PanelSummary), design: &str) -> Option<usize> {
        let ends = |row: &Row| {
            let factor = 1.0 + row.half_width.unwrap_or(0.0);
            (row.ns_position / factor, row.ns_position * factor)
        };
        let (fastest, _) = ends(summary.row(design)?);
        Some(1 + summary.rows.iter().filter(|row| ends(row).1 < fastest).count())
    }

    /// The fastest design of each panel, and whether its lead is resolved.
    pub fn finding(&self) -> Option<String> {
        let mut sentences = Vec::new();
        for it @ (_, summary) in &self.panels {
            let first = summary.rows.first()?;
            let millions = certain(Self::millions(it, &first.id)?, first.half_width, cost);
            let text = format!(
                "On {}, {}, {} is the fastest with {millions} million attack sets per second{}",
                summary.panel.workload,
                summary.panel.regime.description,
                first.name,
                summary.lead_note()
            );
            sentences.push(text + ".");
        }
        Some(sentences.join(" "))
    }
}
