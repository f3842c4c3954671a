//! The limit of list writing: moves per cycle of the designs, and those that the machine can write one by one.
//!
//! The self-test measures the cycles of a move that is pushed behind another one, with nothing to compute. No design that
//! stores its moves one by one can be faster. A design that stores several at once can.

use raywalk_results::schema::{Call, Per, Quantity, Scope, Stage, Unit};

use crate::Judged;
use crate::format::{percent, plural};
use crate::summary::{PanelSummary, Row};

/// The limit, and how near the designs come to it.
#[derive(Clone, Debug, PartialEq)]
pub struct WriteLimit<'a> {
    /// Generation of all moves of the headline workload.
    pub panel: &'a PanelSummary,
    /// Moves per cycle that the machine writes one by one, by the self-test.
    pub one_by_one: f64,
    /// The designs with their moves per cycle, the most first.
    pub designs: Vec<(&'a Row, f64)>,
}

impl<'a> WriteLimit<'a> {
    /// `None` without core cycles, without a self-test, or if the headline workload has no such panel.
    pub fn of(judged: &'a Judged<'_>) -> Option<WriteLimit<'a>> {
        let unit = Unit { quantity: Quantity::Cycles, per: Some(Per::Move) };
        let trials = judged.results.selftest.iter().flat_map(|selftest| &selftest.trials);
        let found = trials.filter(|trial| !trial.failed()).flat_map(|trial| &trial.found);
        let cycles = found.filter(|found| found.unit == unit).map(|found| found.value);
        let one_by_one = 1.0 / cycles.reduce(f64::min)?;
        let headline = judged.headline()?;
        let panel = judged.panels.iter().find(|summary| {
            let (panel, regime) = (&summary.panel, &summary.panel.regime);
            panel.workload == headline.panel.workload
                && panel.call == Call::Generate { stage: Stage::All, scope: Scope::Whole }
                && regime.period.is_none()
                && regime.lists.is_none()
                && !regime.is_disturbed()
        })?;
        let rate = |row: &'a Row| Some((row, 1.0 / row.cycles_move?));
        let mut designs: Vec<(&Row, f64)> = panel.rows.iter().filter_map(rate).collect();
        designs.sort_by(|one, other| other.1.total_cmp(&one.1));
        (!designs.is_empty()).then_some(WriteLimit { panel, one_by_one, designs })
    }

    /// The limit, the nearest design below it, and the designs beyond it.
    pub fn finding(&self) -> String {
        let mut text = format!(
            "This machine writes at most {:.2} moves per cycle to a list one by one (self-test).",
            self.one_by_one
        );
        let beyond = self.designs.iter().filter(|(_, rate)| *rate > self.one_by_one).count();
        if let (Some((row, rate)), true) = (self.designs.first(), beyond > 0) {
            text.push_str(&format!(
                " {} beyond that, because a store of theirs has several moves; {} finds {rate:.2}.",
                match beyond {
                    1 => "One design is".to_owned(),
                    more => format!("{} are", plural(more, "design")),
                },
                row.name
            ));
        }
        if let Some((row, rate)) = self.designs.get(beyond) {
            text.push_str(&format!(
                " The nearest below it is {} with {rate:.2}, {} of the limit.",
                row.name,
                percent(rate / self.one_by_one)
            ));
        }
        text
    }
}
