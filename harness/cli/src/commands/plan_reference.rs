//! `raywalk plan-reference`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use raywalk_measure::plan::{Examples, Plan};

/// Designs of the example plan.
const EXAMPLES: Examples = Examples {
    family: "bell",
    design: "bitboard/magic",
    pattern: "legal/*",
    baseline: "bell/last-square",
};

/// Print the reference of the plan file in Markdown, as in docs/plan-file.md
#[derive(clap::Args)]
pub(super) struct PlanReference {}

impl PlanReference {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        write!(out, "{}", Plan::reference(EXAMPLES))?;
        Ok(ExitCode::SUCCESS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::DESIGNS;

    #[test]
    fn the_reference_of_the_plan_file_is_current() {
        let page = include_str!("../../../../docs/plan-file.md");
        assert!(
            page == Plan::reference(EXAMPLES),
            "docs/plan-file.md is outdated: replace it by the output of `raywalk plan-reference`"
        );
    }

    #[test]
    fn the_example_names_designs_of_this_program() {
        for id in [EXAMPLES.design, EXAMPLES.baseline] {
            assert!(DESIGNS.iter().any(|entry| entry.card.id == id), "{id}");
        }
    }
}
