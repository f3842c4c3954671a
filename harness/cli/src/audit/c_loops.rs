//! Instructions of the loop of a design in C, and their dependency chain: the numbers for `loops.c`.

use std::collections::BTreeMap;

use raywalk_audit::{EntryStage, Report};
use serde::{Deserialize, Serialize};

const LOOPS: &str = include_str!("loops.toml");

/// A loop may be this much longer than in C without a reason.
const MARGIN: usize = 2;

/// The loop of a design in C.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CLoop {
    /// Name of the function in `loops.c` that contains the loop.
    pub(crate) function: String,
    /// Instructions for one visited empty square.
    pub(crate) instructions: usize,
    /// Cycles of a nominal core by which each square waits for the one before.
    pub(crate) chain: f64,
    /// Why the loop of the design is longer, if it is.
    #[serde(default)]
    pub(crate) longer: Option<String>,
    /// The chain of the design, if it is longer.
    #[serde(default)]
    pub(crate) waits: Option<Waits>,
}

/// A chain that is longer than in C.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Waits {
    /// Its length in cycles of a nominal core.
    pub(crate) chain: f64,
    /// Reason why the chain is longer than in C, in words.
    pub(crate) why: String,
}

/// Chains of some iterations have a fraction.
const ROUNDING: f64 = 0.01;

/// What both loops are compared by.
#[derive(Clone, Copy)]
struct Iteration {
    stage: EntryStage,
    instructions: usize,
    chain: f64,
}

impl CLoop {
    /// A sentence about each loop of a design that has more instructions or a longer chain without a reason, and about
    /// each reason that no loop needs. `.ci/run` knows them by their ends.
    fn warnings(&self, design: &str, iterations: &[Iteration]) -> Vec<String> {
        let is_longer = |iteration: &Iteration| iteration.instructions > self.instructions + MARGIN;
        let waits = |iteration: &Iteration| iteration.chain > self.chain + ROUNDING;
        let accepted = self.waits.as_ref().map_or(self.chain, |waits| waits.chain);
        let mut warnings = Vec::new();
        for iteration in iterations {
            let stage = iteration.stage;
            if self.longer.is_none() && is_longer(iteration) {
                warnings.push(format!(
                    "{design} {stage}: {} instructions for a visited empty square, {} in C.",
                    iteration.instructions, self.instructions
                ));
            }
            if iteration.chain > accepted + ROUNDING {
                warnings.push(format!(
                    "{design} {stage}: a chain of {:.1} cycles for a visited empty square, {} in C.",
                    iteration.chain, self.chain
                ));
            }
        }
        if self.longer.is_some() && !iterations.is_empty() && !iterations.iter().any(is_longer) {
            warnings.push(format!("{design}: the loop is not longer than in C any more."));
        }
        if self.waits.is_some() && !iterations.is_empty() && !iterations.iter().any(waits) {
            warnings.push(format!("{design}: the chain is not longer than in C any more."));
        }
        warnings
    }
}

/// The loop in C of an audited design.
#[derive(Serialize)]
pub(crate) struct AuditedLoop {
    pub(crate) design: String,
    #[serde(flatten)]
    pub(crate) in_c: CLoop,
}

/// The loops in C, by the id of the design.
pub(crate) struct CLoops(BTreeMap<String, CLoop>);

impl CLoops {
    pub(crate) fn new() -> CLoops {
        CLoops(toml::from_str(LOOPS).expect("a file that a test reads"))
    }

    /// The loop of an entry. It is that of all moves and of sliders; the other stages test other things.
    pub(crate) fn of(&self, report: &Report) -> Option<&CLoop> {
        let is_whole = matches!(report.stage, EntryStage::All | EntryStage::Sliders);
        self.0.get(&report.design).filter(|_| is_whole)
    }

    /// The loops of audited designs.
    pub(crate) fn audited(&self, reports: &[Report]) -> Vec<AuditedLoop> {
        let is_audited = |design: &str| reports.iter().any(|report| report.design == design);
        let audited = self.0.iter().filter(|(design, _)| is_audited(design));
        let with_design = |(design, c): (&String, &CLoop)| AuditedLoop {
            design: design.clone(),
            in_c: c.clone(),
        };
        audited.map(with_design).collect()
    }

    /// The warnings about all loops.
    pub(crate) fn warnings(&self, reports: &[Report]) -> Vec<String> {
        let of_design = |(design, c): (&String, &CLoop)| {
            let iteration = |report: &Report| {
                self.of(report).filter(|_| report.design == *design)?;
                let (instructions, chain) = (report.iteration()?, report.chain()?);
                Some(Iteration { stage: report.stage, instructions, chain })
            };
            c.warnings(design, &reports.iter().filter_map(iteration).collect::<Vec<_>>())
        };
        self.0.iter().flat_map(of_design).collect()
    }
}

#[cfg(test)]
mod tests {
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    use raywalk_audit::{Audit, Image, InnerLoop, Program, Sources, Subject};
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    use raywalk_results::schema::Control;

    use super::*;
    use crate::registry::DESIGNS;

    #[test]
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    fn the_numbers_are_those_of_the_compiled_file() {
        use std::process::Command;

        const FLAGS: [&str; 2] = ["-O2", "-march=x86-64-v3"];
        // gcc makes one branch of the three selections of this design; the number has their conditional moves.
        const SELECTIONS: (&str, usize) = ("raylist", 3);

        let version = Command::new("gcc").arg("-dumpfullversion").output();
        let version = version.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        if !version.as_ref().is_ok_and(|version| version.starts_with("12.2.")) {
            eprintln!("skipped: the numbers are those of gcc 12.2, and here is {version:?}");
            return;
        }
        let named = format!("gcc 12.2 with\n# {}", FLAGS.join(" "));
        assert!(LOOPS.contains(&named), "{named}");
        let folder = tempfile::tempdir().expect("a folder");
        let library = folder.path().join("loops.so");
        let status = Command::new("gcc")
            .args(FLAGS)
            .args(["-shared", "-fPIC", "-o"])
            .arg(&library)
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/src/audit/loops.c"))
            .status();
        assert!(status.expect("gcc runs").success());
        let image = Image::library(&library).expect("a library");
        let CLoops(loops) = CLoops::new();
        let counted = |function: &str| compiled(&image, function);
        let wrong: Vec<_> = loops
            .iter()
            .map(|(design, c)| {
                let branch = if design == SELECTIONS.0 { SELECTIONS.1 - 1 } else { 0 };
                let counted =
                    counted(&c.function).map(|(iteration, chain)| (iteration + branch, chain));
                (design, (c.instructions, c.chain), counted)
            })
            .filter(|&(_, (instructions, chain), counted)| {
                counted.is_none_or(|(iteration, cycles)| {
                    iteration != instructions || (cycles - chain).abs() > ROUNDING
                })
            })
            .collect();
        assert!(wrong.is_empty(), "design, stated and counted: {wrong:?}");
    }

    /// The instructions of a function for a visited empty square, and their chain. The library is not loaded: that its
    /// function stands at some address says where the others are.
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    fn compiled(image: &Image, function: &str) -> Option<(usize, f64)> {
        const ADDRESS: usize = 0x1000_0000;
        let program = Program::parse_library(image, function, ADDRESS).expect("a function");
        let sources = Sources { root: None, rare: &[], accessors: &[], rest: &[] };
        let audit = Audit::new(&program, sources).expect("a library without lines");
        let subject = Subject {
            design: function.to_owned(),
            stage: EntryStage::All,
            address: ADDRESS,
            control: Control::Mixed,
            cell_bytes: Some(256),
            length_at: None,
            quiets: true,
        };
        let report = audit.examine(&subject).expect("a function");
        // The words of a walk over registers are read before its loop.
        let reads = report.loops.iter().any(|one| one.cell_loads > 0);
        let is_walk = |one: &&InnerLoop| one.move_stores > 0 && (one.cell_loads > 0 || !reads);
        let shortest =
            report.loops.iter().filter(is_walk).min_by_key(|one| one.shortest_iteration)?;
        Some((shortest.shortest_iteration, shortest.chain))
    }

    #[test]
    fn the_loops_belong_to_designs() {
        let CLoops(loops) = CLoops::new();
        assert!(loops.len() > 20);
        for (design, c) in loops {
            assert!(DESIGNS.iter().any(|entry| entry.card.id == design), "{design}");
            assert!((5..40).contains(&c.instructions), "{design}");
            let waits = c.waits.map(|waits| waits.why);
            let mut reasons = [c.longer, waits].into_iter().flatten();
            assert!(reasons.all(|reason| reason.ends_with('.')), "{design}");
        }
    }

    #[test]
    fn a_loop_may_be_two_instructions_longer_and_its_chain_no_longer_without_a_reason() {
        let in_c = |longer: Option<&str>, waits: Option<f64>| CLoop {
            function: "walk".to_owned(),
            instructions: 10,
            chain: 5.0,
            longer: longer.map(str::to_owned),
            waits: waits.map(|chain| Waits { chain, why: "A mask.".to_owned() }),
        };
        let iteration =
            |instructions, chain| Iteration { stage: EntryStage::All, instructions, chain };
        let none: [&str; 0] = [];
        assert_eq!(in_c(None, None).warnings("design", &[iteration(12, 5.0)]), none);
        assert_eq!(
            in_c(None, None).warnings("design", &[iteration(13, 6.0)]),
            [
                "design all: 13 instructions for a visited empty square, 10 in C.",
                "design all: a chain of 6.0 cycles for a visited empty square, 5 in C.",
            ]
        );
        let reasons = in_c(Some("A mask."), Some(6.0));
        assert_eq!(reasons.warnings("design", &[iteration(13, 6.0)]), none);
        assert_eq!(
            reasons.warnings("design", &[iteration(13, 7.0)]),
            ["design all: a chain of 7.0 cycles for a visited empty square, 5 in C."],
            "a reason for another chain"
        );
        assert_eq!(
            reasons.warnings("design", &[iteration(12, 5.0)]),
            [
                "design: the loop is not longer than in C any more.",
                "design: the chain is not longer than in C any more.",
            ]
        );
        assert_eq!(reasons.warnings("design", &[]), none, "nothing was executed");
    }
}
