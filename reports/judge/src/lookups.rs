//! Attack sets per second: the look-up of slider attacks alone, in the regimes of a session.
//!
//! A published table draws the squares of queens at random and runs nothing else, so all that a method reads stays in
//! the caches. The panels of the full plan show whether its order holds on shuffled positions, in a loop over so few
//! positions that every branch is learnt, on the positions of a search in their order, and with caches under pressure.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use raywalk_results::schema::Call;
use raywalk_results::statistics::Verdict;
use serde::Deserialize;

use crate::Judged;
use crate::format::{certain, cost, plural};
use crate::summary::{PanelSummary, Row};

/// A public table of look-ups.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// Author, place and conditions.
    pub source: String,
    /// Million attack sets per second, by design.
    pub millions: BTreeMap<String, f64>,
}

/// The table that sessions are held against.
pub static PUBLISHED: LazyLock<Published> = LazyLock::new(|| {
    toml::from_str(include_str!("../lookups.toml")).expect("a test reads the table of look-ups")
});

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

    /// The rank of a design: one more than the designs that are resolved to be faster, so that designs which the panel
    /// cannot tell apart may share a rank. `None` if the design is compared with no other.
    pub fn rank(judged: &Judged<'_>, summary: &PanelSummary, design: &str) -> Option<usize> {
        let row = summary.row(design)?;
        let others = summary.rows.iter().filter(|other| other.id != row.id);
        let judge = judged.pairs(summary)?;
        let verdicts: Vec<Verdict> =
            others.filter_map(|other| judge.verdict(&other.id, &row.id)).collect();
        let faster = verdicts.iter().filter(|it| matches!(it, Verdict::Faster(_))).count();
        (!verdicts.is_empty()).then_some(1 + faster)
    }

    /// The pairs of designs of the public table whose order a panel resolves: how many have the order of that table,
    /// and how many there are.
    fn agreement(judged: &Judged<'_>, summary: &PanelSummary) -> (usize, usize) {
        let Some(judge) = judged.pairs(summary) else { return (0, 0) };
        let published: Vec<_> = PUBLISHED.millions.iter().collect();
        let pairs = published
            .iter()
            .enumerate()
            .flat_map(|(place, one)| published[place + 1..].iter().map(move |other| (one, other)));
        let agrees = pairs.filter_map(|((one, first), (other, second))| {
            match judge.verdict(one, other)? {
                Verdict::Faster(_) => Some(first > second),
                Verdict::Slower(_) => Some(first < second),
                Verdict::Equal { .. } | Verdict::NotResolved => None,
            }
        });
        agrees.fold((0, 0), |(same, all), agrees| (same + usize::from(agrees), all + 1))
    }

    /// The fastest design of each panel, and whether the public table has the same order.
    pub fn finding(&self, judged: &Judged<'_>) -> Option<String> {
        let mut sentences = Vec::new();
        for it @ (_, summary) in &self.panels {
            let lead = judged.lead(summary, &summary.rows)?;
            let first = lead.first;
            let millions = certain(Self::millions(it, &first.id)?, first.half_width, cost);
            sentences.push(format!(
                "On {}, {}, the fastest is {}; {} finds {millions} million attack sets per second.",
                summary.panel.workload,
                summary.panel.regime.description,
                lead.named(),
                first.name,
            ));
            if let (same, all @ 1..) = Self::agreement(judged, summary) {
                let pairs = plural(all, "resolved pair");
                sentences
                    .push(format!("Of {pairs} of the public table, {same} have its order there."));
            }
        }
        Some(sentences.join(" "))
    }
}
