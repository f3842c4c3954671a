//! Instructions of the loop of a design in C: the numbers for `loops.c`.

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
    /// The function in `loops.c`.
    pub(crate) function: String,
    /// Instructions for one visited empty square.
    pub(crate) instructions: usize,
    /// Why the loop of the design is longer, if it is.
    #[serde(default)]
    pub(crate) longer: Option<String>,
}

/// The loop in C of an audited design.
#[derive(Serialize)]
pub(crate) struct AuditedLoop {
    pub(crate) design: String,
    #[serde(flatten)]
    pub(crate) in_c: CLoop,
}

/// The loops by design.
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

    /// A sentence about each loop that is longer than in C without a reason, and about each reason that no entry of
    /// its design needs.
    pub(crate) fn warnings(&self, reports: &[Report]) -> Vec<String> {
        let of_design = |(design, c): (&String, &CLoop)| {
            let turn = |report: &Report| {
                self.of(report).filter(|_| report.design == *design)?;
                Some((report.stage, report.turn()?))
            };
            let turns: Vec<(EntryStage, usize)> = reports.iter().filter_map(turn).collect();
            let is_longer = |turn: usize| turn > c.instructions + MARGIN;
            if c.longer.is_some() {
                let is_outdated =
                    !turns.is_empty() && !turns.iter().any(|&(_, turn)| is_longer(turn));
                let outdated = format!("{design}: the loop is not longer than in C any more.");
                return Vec::from_iter(is_outdated.then_some(outdated));
            }
            let longer = turns.into_iter().filter(|&(_, turn)| is_longer(turn));
            longer
                .map(|(stage, turn)| {
                    format!(
                        "{design} {stage}: {turn} instructions for a visited empty square, {} in C.",
                        c.instructions
                    )
                })
                .collect()
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
                (design, c.instructions, counted(&c.function).map(|turn| turn + branch))
            })
            .filter(|&(_, stated, counted)| counted != Some(stated))
            .collect();
        assert!(wrong.is_empty(), "design, stated and counted: {wrong:?}");
    }

    /// The instructions of a function for a visited empty square. The library is not loaded: that its function stands
    /// at some address says where the others are.
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    fn compiled(image: &Image, function: &str) -> Option<usize> {
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
        report.loops.iter().filter(is_walk).map(|one| one.shortest_turn).min()
    }

    #[test]
    fn the_loops_belong_to_designs() {
        let CLoops(loops) = CLoops::new();
        assert!(loops.len() > 20);
        for (design, c) in loops {
            assert!(DESIGNS.iter().any(|entry| entry.card.id == design), "{design}");
            assert!((5..40).contains(&c.instructions), "{design}");
            assert!(c.longer.is_none_or(|reason| reason.ends_with('.')), "{design}");
        }
    }
}
