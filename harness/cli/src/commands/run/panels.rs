//! The panels that `--workload` and `--stage` select from a plan or add to it.

use anyhow::{Result, ensure};
use raywalk_measure::plan::{Chosen, PanelPlan, Plan};
use raywalk_results::schema::Stage;

use super::Run;

impl Run {
    /// Keeps the panels of these workloads and stages. A workload without one gets a panel.
    pub(super) fn select_panels(&self, plan: &mut Plan) -> Result<()> {
        let is_asked = |panel: &PanelPlan| {
            let has = |stage| self.stage.contains(&stage);
            self.stage.is_empty() || panel.call.stage().is_some_and(has)
        };
        if !self.workload.is_empty() {
            let chosen = self.workload.iter().map(|word| Chosen::find(word));
            let chosen: Vec<Chosen> = chosen.collect::<Result<_, _>>()?;
            // The panels of the plan have regimes of their own.
            plan.panels.retain(|panel| {
                self.replay.is_none() && chosen.iter().any(|workload| workload.is_of(panel))
            });
            for workload in &chosen {
                self.complete(workload, plan)?;
            }
        }
        plan.panels.retain(is_asked);
        let hint = if self.workload.is_empty() { "; name a --workload" } else { "" };
        ensure!(!plan.panels.is_empty(), "no panel of plan `{}` has this stage{hint}", plan.name);
        Ok(())
    }

    /// Adds the panels of a workload that are missing: one for each asked stage, or one of all moves if it has none.
    fn complete(&self, workload: &Chosen, plan: &mut Plan) -> Result<()> {
        if self.stage.is_empty() && !plan.panels.iter().any(|panel| workload.is_of(panel)) {
            plan.add(workload.panel(self.replay, Stage::All)?)?;
        }
        for &stage in &self.stage {
            let has_it =
                |panel: &PanelPlan| workload.is_of(panel) && panel.call.stage() == Some(stage);
            if !plan.panels.iter().any(has_it) {
                plan.add(workload.panel(self.replay, stage)?)?;
            }
        }
        Ok(())
    }
}
