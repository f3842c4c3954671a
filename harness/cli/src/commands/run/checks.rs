//! Checks of a plan before work begins. `--dry-run` makes them too.

use anyhow::{Result, anyhow, bail, ensure};
use raywalk_judge::format::bytes;
use raywalk_measure::machine::{emulation, memory};
use raywalk_measure::plan::Plan;
use raywalk_measure::regime;

use crate::console::External;
use crate::layouts::{self, LayoutError};
use crate::registry::Entry;
use crate::{peers, workspace};

/// Fails at the first reason why the plan cannot be run with these designs on this machine.
pub(super) fn check(plan: &Plan, entries: &[&Entry]) -> Result<()> {
    emulation::check()?;
    let built_in = entries.iter().filter(|entry| entry.plugin().is_none());
    let ids: Vec<&str> = built_in.map(|entry| entry.card.id).collect();
    ensure!(
        !ids.is_empty(),
        "no built-in design takes part, and ratios refer to one; add one with --design"
    );
    // Peers are plug-ins that are not loaded yet.
    let is_plugin = |id: &&String| {
        peers::is_peer(id) || entries.iter().any(|entry| entry.card.id == id.as_str())
    };
    let baseline = plan.baseline.as_ref().filter(|id| !ids.contains(&id.as_str()));
    ensure!(
        baseline.filter(is_plugin).is_none(),
        "the baseline must be a built-in design, because a plug-in may have to be left out"
    );
    takes_part(plan, &ids)?;
    fits(plan, memory::available())?;
    for panel in &plan.panels {
        ensure!(
            panel.call.is_offered_by_all() || entries.iter().any(|entry| entry.offers(panel.call)),
            "panel `{}`: no design that takes part offers this call",
            panel.id()
        );
        regime::works_here(&panel.regime)
            .map_err(|why| anyhow!("panel `{}`: {why}", panel.id()))?;
    }
    if !plan.layouts.is_empty() {
        layouts::check(&workspace::find()?, &plan.layouts).map_err(failure)?;
    }
    Ok(())
}

/// Fails if the baseline is neither the id nor the family of one of the designs.
pub(super) fn takes_part(plan: &Plan, designs: &[&str]) -> Result<()> {
    let Some(baseline) = &plan.baseline else { return Ok(()) };
    let is_one = |id: &&str| id == baseline || id.split('/').next() == Some(baseline);
    if designs.iter().any(is_one) {
        return Ok(());
    }
    let near = raywalk_positions::nearest(baseline, designs.iter().copied());
    let near = match near.as_slice() {
        [] => String::new(),
        near => format!("; did you mean {}?", near.join(" or ")),
    };
    bail!("the baseline `{baseline}` is not one of the designs that take part{near}")
}

/// Fails if a panel needs more memory than there is.
fn fits(plan: &Plan, available: Option<u64>) -> Result<()> {
    if let (Some((panel, needed)), Some(available)) = (plan.largest_memory(), available) {
        ensure!(
            needed <= available,
            "panel `{panel}` needs {} of memory, and {} MiB are available; use a smaller size",
            bytes(needed),
            available >> 20
        );
    }
    Ok(())
}

/// The error of a layout. Cargo and the linked programs fail in their own words.
pub(super) fn failure(error: LayoutError) -> anyhow::Error {
    if error.is_external() { External(error.to_string()).into() } else { error.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_baseline_is_an_id_or_a_family_of_a_design_that_takes_part() {
        let ids = ["bell/last-square", "ferret/pointer"];
        let check = |name: &str| {
            let plan = Plan { baseline: Some(name.to_owned()), ..Plan::quick() };
            takes_part(&plan, &ids).map_err(|error| error.to_string())
        };
        assert_eq!((check("bell"), check("ferret/pointer")), (Ok(()), Ok(())));
        let error = check("ferret/pointr").expect_err("no such design");
        assert!(
            error.contains("not one of the designs")
                && error.contains("did you mean ferret/pointer")
        );
        assert!(check("bitboard/magic").is_err(), "not taking part");
    }

    #[test]
    fn a_failure_of_cargo_is_one_of_another_program() {
        let failed = failure(LayoutError::Build("error: no space left".to_owned()));
        assert!(failed.is::<External>() && failed.to_string().ends_with("error: no space left"));
        assert!(!failure(LayoutError::Seed(0)).is::<External>());
    }

    #[test]
    fn a_ring_that_is_larger_than_the_memory_is_refused() {
        let full = Plan::full(160);
        assert!(fits(&full, Some(8 << 20)).is_ok() && fits(&full, None).is_ok());
        let error = fits(&full, Some((8 << 20) - 1)).expect_err("8 MiB");
        assert!(error.to_string().contains("needs 8 MiB of memory, and 7 MiB are"), "{error}");
    }
}
