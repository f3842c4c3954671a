//! The limit of list writing: moves per cycle of the designs, and the most that the machine can write.
//!
//! The self-test measures the cycles of a move that is pushed behind another one, and those of a move in a vector
//! that is stored whole, with nothing to compute. No design that stores its moves one by one can be faster than the
//! first, and no design at all faster than the second.

use raywalk_results::schema::{Call, Legality, Per, Quantity, Scope, Stage, Unit};

use crate::Judged;
use crate::format::{percent, rate};
use crate::summary::{PanelSummary, Row};

/// The limit, and how near the designs come to it.
#[derive(Clone, Debug, PartialEq)]
pub struct WriteLimit<'a> {
    /// Generation of all moves of the headline workload.
    pub panel: &'a PanelSummary,
    /// Moves per cycle that the machine writes one by one, by the self-test.
    pub one_by_one: f64,
    /// Moves per cycle that it writes by whole vectors, by the self-test; absent where it did not measure this.
    pub by_vectors: Option<f64>,
    /// The designs with their moves per cycle, the most first.
    pub designs: Vec<Writing<'a>>,
}

/// Rate at which a design writes moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Writing<'a> {
    /// Row of the design in its panel.
    pub row: &'a Row,
    /// Moves written per core cycle.
    pub moves: f64,
    /// The limit that binds it, in moves per cycle: by vectors if it stores moves by whole vectors, else one by one.
    /// Absent if that one was not measured, or if the journal does not contain how the design stores.
    pub limit: Option<f64>,
}

impl Writing<'_> {
    /// The part of its limit that it reaches.
    pub fn fraction(&self) -> Option<f64> {
        Some(self.moves / self.limit?)
    }
}

impl<'a> WriteLimit<'a> {
    /// `None` without core cycles, without a self-test, or if the headline workload has no such panel.
    pub fn of(judged: &'a Judged<'_>) -> Option<WriteLimit<'a>> {
        let trials = judged.results.selftest.iter().flat_map(|selftest| &selftest.trials);
        let found: Vec<_> =
            trials.filter(|trial| !trial.failed()).flat_map(|trial| &trial.found).collect();
        let most = |per| {
            let cycles = found.iter().filter(|it| it.unit == Unit::per(Quantity::Cycles, per));
            Some(1.0 / cycles.map(|it| it.value).reduce(f64::min)?)
        };
        let (one_by_one, by_vectors) = (most(Per::Move)?, most(Per::MoveInVector));
        let headline = judged.headline()?;
        let panel = judged.panels.iter().find(|summary| {
            let (panel, regime) = (&summary.panel, &summary.panel.regime);
            panel.workload == headline.panel.workload
                && panel.call == Call::Generate { stage: Stage::All, scope: Scope::Whole }
                && regime.period.is_none()
                && regime.lists.is_none()
                && !regime.is_perturbed()
        })?;
        let writing = |row: &'a Row| {
            let limit = match judged.results.design(&row.id)?.whole_vectors {
                Some(true) => by_vectors,
                Some(false) => Some(one_by_one),
                None => None,
            };
            Some(Writing { row, moves: 1.0 / row.cycles_move?, limit })
        };
        let mut designs: Vec<Writing<'_>> = panel.rows.iter().filter_map(writing).collect();
        designs.sort_by(|one, other| other.moves.total_cmp(&one.moves));
        (!designs.is_empty()).then_some(WriteLimit { panel, one_by_one, by_vectors, designs })
    }

    /// The limits, and the fastest design of those that each one binds.
    pub fn finding(&self, judged: &Judged<'_>) -> String {
        let mut text = format!(
            "This machine writes at most {} moves per cycle to a list one by one",
            rate(self.one_by_one)
        );
        if let Some(by_vectors) = self.by_vectors {
            text.push_str(&format!(", and {} by whole vectors", rate(by_vectors)));
        }
        text.push_str(" (self-test).");
        // Verdicts are about times per position, and legal designs write fewer moves of it.
        let bound_by = |limit| {
            let designs = self.designs.iter().filter(|it| it.row.legality == Legality::PseudoLegal);
            designs.filter(move |it| it.limit == Some(limit))
        };
        let nearest =
            [(Some(self.one_by_one), "write one by one"), (self.by_vectors, "store whole vectors")];
        for (limit, which) in nearest {
            let designs = || limit.into_iter().flat_map(bound_by);
            if let Some(it) = designs().next()
                && let Some(share) = it.fraction()
                && let Some(lead) = judged.lead(self.panel, designs().map(|it| it.row))
            {
                text.push_str(&format!(
                    " The fastest of the pseudo-legal designs that {which} is {}; {} writes {} moves per \
                     cycle, {} of its limit.",
                    lead.named(),
                    it.row.name,
                    rate(it.moves),
                    percent(share)
                ));
            }
        }
        text
    }
}
