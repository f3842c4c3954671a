//! Leaves per second: perft of single positions side by side, with the geometric mean over them.
//!
//! Authors of generators compare perft first, on a few well-known positions. The longest perft must not dominate the
//! mean over them, so it is the geometric mean, of rates as of ratios.

use raywalk_results::schema::Operation;
use raywalk_results::statistics::Verdict;

use crate::Judged;
use crate::format::{certain, cost, middle, plural};
use crate::lead::Lead;
use crate::summary::{PanelSummary, Row};

/// The panels that count leaves in one way, each of one position.
#[derive(Clone, Debug, PartialEq)]
pub struct LeafTable<'a> {
    /// The operation that counts the leaves: `perft` or `perft-bulk`.
    pub operation: Operation,
    /// The panels, in the order of the plan.
    pub panels: Vec<&'a PanelSummary>,
    /// The designs that take part in all of them, those with the highest mean first.
    pub designs: Vec<&'a Row>,
    /// Designs that means are compared with: the baseline of the panels, if they have the same, and the fastest
    /// plug-in, if there is one.
    pub references: Vec<&'a Row>,
}

/// The tables of a session: one for each way of counting.
pub fn tables<'a>(judged: &'a Judged<'_>) -> Vec<LeafTable<'a>> {
    let ways = Operation::ALL.iter().filter(|operation| operation.counts_leaves());
    ways.filter_map(|&operation| LeafTable::of(judged, operation)).collect()
}

impl<'a> LeafTable<'a> {
    /// `None` without such a panel.
    fn of(judged: &'a Judged<'_>, operation: Operation) -> Option<LeafTable<'a>> {
        let is_of_one = |it: &&PanelSummary| {
            it.is_perft_of_a_position() && it.panel.call.operation() == Some(operation)
        };
        let measured = judged.panels.iter().filter(|it| !it.rows.is_empty());
        let panels: Vec<&PanelSummary> = measured.filter(is_of_one).collect();
        let first = panels.first()?;
        let mut table = LeafTable {
            operation,
            panels: panels.clone(),
            designs: Vec::new(),
            references: Vec::new(),
        };
        let mut ranked: Vec<(f64, &Row)> =
            first.rows.iter().filter_map(|row| Some((table.mean(&row.id)?, row))).collect();
        ranked.sort_by(|one, other| other.0.total_cmp(&one.0));
        table.designs = ranked.into_iter().map(|(_, row)| row).collect();
        let is_baseline = |row: &&&Row| panels.iter().all(|panel| panel.panel.baseline == row.id);
        let is_plugin = |row: &&&Row| {
            judged.results.design(&row.id).is_some_and(|design| design.plugin.is_some())
        };
        let designs = table.designs.iter();
        let baseline = designs.clone().find(is_baseline);
        table.references =
            baseline.into_iter().chain(designs.clone().find(is_plugin)).copied().collect();
        Some(table)
    }

    /// Million leaves per second of a design in one panel.
    pub fn millions(panel: &PanelSummary, design: &str) -> Option<f64> {
        panel.row(design)?.millions_per_second()
    }

    /// The geometric mean of the million leaves per second of a design over all panels; `None` if it is not in all.
    pub fn mean(&self, design: &str) -> Option<f64> {
        let logs = self.panels.iter().map(|panel| Some(Self::millions(panel, design)?.ln()));
        Some((logs.sum::<Option<f64>>()? / self.panels.len() as f64).exp())
    }

    /// Half the width of the interval of the mean, as a fraction, as if the errors of all panels had one cause. `None`
    /// without an interval in each.
    pub fn half_width(&self, design: &str) -> Option<f64> {
        let logs = self.panels.iter().map(|panel| Some(panel.row(design)?.half_width?.ln_1p()));
        Some((logs.sum::<Option<f64>>()? / self.panels.len() as f64).exp_m1())
    }

    /// Leaves per second ÷ those of a reference, as the geometric mean over all panels.
    pub fn speed(&self, design: &str, reference: &str) -> Option<f64> {
        Some(self.mean(design)? / self.mean(reference)?)
    }

    /// The verdict on a design against another one in the geometric mean over all panels. `None` without an interval in
    /// each.
    fn verdict(&self, judged: &Judged<'_>, design: &Row, other: &Row) -> Option<Verdict> {
        Some(judged.compared_over(&self.panels, design, other)?.verdict)
    }

    /// The position of a panel, as its workload calls it: `kiwipete` for `perft-kiwipete` if the names of all
    /// panels begin with the same word. A single panel keeps the whole name.
    pub fn position<'p>(&self, panel: &'p PanelSummary) -> &'p str {
        let split = |panel: &'p PanelSummary| panel.panel.workload.split_once('-');
        let Some((word, rest)) = split(panel).filter(|_| self.panels.len() > 1) else {
            return &panel.panel.workload;
        };
        let begins_alike = |it: &&PanelSummary| {
            it.panel.workload.split_once('-').is_some_and(|(first, _)| first == word)
        };
        match self.panels.iter().all(begins_alike) {
            true => rest,
            false => &panel.panel.workload,
        }
    }

    /// The fastest design and its mean, and whether others may be as fast.
    pub fn finding(&self, judged: &Judged<'_>) -> Option<String> {
        let first = *self.designs.first()?;
        let lead = Lead::of(self.designs.iter().copied(), |row| self.verdict(judged, row, first))?;
        let mut text = format!(
            "In the geometric mean over {}, the fastest of {} in {} is {}. {} counts {} million leaves per second",
            plural(self.panels.len(), "position"),
            plural(self.designs.len(), "design"),
            self.operation.label(),
            lead.named(),
            first.name,
            certain(self.mean(&first.id)?, self.half_width(&first.id), cost),
        );
        for reference in self.references.iter().filter(|row| row.id != first.id) {
            if let Some(Verdict::Faster(by)) = self.verdict(judged, first, reference) {
                text.push_str(&format!(", {} times as many as {}", middle(by), reference.name));
            }
        }
        Some(text + ".")
    }
}
