//! `raywalk audit`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Error, Result, bail};
use raywalk_audit::{
    Audit, EntryStage, Exception, Finding, Program, Report, Unavailable, supported,
};
use raywalk_results::schema::Build;
use serde::Serialize;

use crate::audit::{self, AuditedLoop, CLoops, Libraries, SOURCES};
use crate::folders;
use crate::manifest;
use crate::output::{Format, screen, write_json};
use crate::plugin::Plugins;
use crate::registry::Designs;

mod table;

/// Disassemble the compiled designs and check their control flow; exit code 1 if a check fails
///
/// Reads the machine code of this program, with everything that a design calls, and finds what each conditional jump
/// depends on. A check fails if the code can panic, if a loop divides or calls a function, or if an innermost loop uses
/// variables on the stack or stores the length of the list. It fails if the branches contradict the card: a branchless
/// design branches on a square, the walk of a branchy one does not, or no part of a mixed one does. And it fails if
/// designs that should differ in one parameter also differ in copies of a loop, unrolling or vectorisation. A single
/// design is shown with its innermost loops.
///
/// A plug-in is audited in its library. The same checks apply, except two: stores of the list length, and the
/// comparison with other designs. Branches on squares are recognised only with --cells.
///
/// Executed instructions are counted by exact traces over 32 positions of famous games; the column "iteration" is the
/// shortest iteration of the loop over the squares of sliders, the one for an empty square, and "chain" the cycles by
/// which it waits for the one before, with four cycles for a load, three for a multiplication, none for a copy and one
/// for everything else. Both are compared with a loop in C. Counts that differ from those stored for this compiler are
/// a warning.
///
/// A program that cannot be audited, because it has no symbols or source lines or was installed from packages, ends
/// with exit code 2. On a machine other than x86-64 Linux it prints that nothing is audited.
#[derive(clap::Args)]
pub(super) struct AuditCode {
    /// Audit only these designs: an id, a family, or a pattern such as `bitboard/*`
    #[arg(long, value_name = "ID")]
    design: Vec<String>,
    #[command(flatten)]
    plugins: Plugins,
    /// Bytes at the beginning of a plug-in's board that stand for squares
    #[arg(long, value_name = "BYTES", requires = "files")]
    cells: Option<usize>,
    /// Audit only these entries [default: all that a design has]
    #[arg(long, value_parser = audit::entry_stages())]
    stage: Vec<EntryStage>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Also write the table of executed instructions per visited square to this file, with the counts of this
    /// program in place of those of its compiler. Entries that cannot be executed here keep their counts
    #[arg(long, value_name = "FILE", conflicts_with_all = ["design", "stage", "files"])]
    write: Option<PathBuf>,
}

impl AuditCode {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        if self.write.is_some() && cfg!(debug_assertions) {
            bail!(
                "cannot store the instructions of a program with debug assertions; build it with --release"
            );
        }
        let entries = Designs::with(&self.plugins)?.beside_plugins(&self.design)?;
        let (plugins, built_in): (Vec<_>, Vec<_>) =
            entries.iter().copied().partition(|entry| entry.plugin().is_some());
        let (mut reports, unavailable) = match audited(!built_in.is_empty()) {
            Ok(reports) => (reports?, None),
            Err(reason) => (Vec::new(), Some(answer(reason, self.write.is_some())?)),
        };
        // Before the checks, because the walk is the loop that executes most.
        audit::count_executed(&mut reports, &entries)?;
        let mut findings = audit::findings(&reports);
        let Libraries { reports: mut further, notes } = match &unavailable {
            None => audit::audit_plugins(&plugins, self.cells)?,
            Some(_) => Libraries::default(),
        };
        findings.extend(raywalk_audit::check(&further, &[], &[]));
        let is_selected = |design: &str, stage: EntryStage| {
            entries.iter().any(|entry| entry.card.id == design)
                && (self.stage.is_empty() || self.stage.contains(&stage))
        };
        reports.retain(|report| is_selected(&report.design, report.stage));
        further.retain(|report| is_selected(&report.design, report.stage));
        findings.retain(|finding| concerns(finding, is_selected));
        let build = manifest::build();
        if let Some(path) = self.write {
            folders::write(&path, &audit::replaced(&build, &reports))?;
        }
        // No counts are stored for plug-ins.
        let mut warnings = audit::warnings(&build, &reports);
        warnings.extend(audit::uncounted(&reports));
        reports.extend(further);
        let Build { rustc, flags, profile, .. } = build;
        let outcome = Outcome {
            rustc,
            flags,
            profile: profile.to_string(),
            findings,
            exceptions: audit::exceptions(&reports),
            warnings,
            c_loops: CLoops::new().audited(&reports),
            notes,
            reports,
            unavailable,
        };
        match self.format {
            Format::Table => {
                let mut text = screen();
                outcome.write(entries.len() == 1, &mut text);
                out.write_all(text.as_str().as_bytes())?;
            }
            // As a value, whose keys are sorted.
            Format::Json => write_json(out, &serde_json::to_value(&outcome)?)?,
        }
        Ok(ExitCode::from(u8::from(!outcome.findings.is_empty())))
    }
}

/// Audits all built-in designs, because the selected ones are compared with the others of their group; none if none
/// is selected.
fn audited(any: bool) -> Result<Result<Vec<Report>>, Unavailable> {
    if !any {
        // A plug-in is in a file of its own, so that of the program does not matter.
        supported()?;
        return Ok(Ok(Vec::new()));
    }
    let image = audit::image()?;
    let program = Program::parse(&image)?;
    let audit = Audit::new(&program, SOURCES)?;
    Ok(audit::reports(&audit, &audit::subjects(&EntryStage::ALL)))
}

/// The sentence that takes the place of an audit on a machine where no program can be audited.
///
/// # Errors
/// The reason is the file of the program, or the instructions of its designs were to be stored: without an audit
/// nothing is known, and success would say that every check has passed.
fn answer(reason: Unavailable, stores: bool) -> Result<String> {
    match reason.is_about_the_machine() && !stores {
        true => Ok(reason.to_string()),
        false => Err(Error::new(reason).context("cannot audit this program")),
    }
}

/// Whether a finding is about a selected entry, alone or beside the other one of a pair.
fn concerns(finding: &Finding, is_selected: impl Fn(&str, EntryStage) -> bool) -> bool {
    finding.designs().any(|design| is_selected(design, finding.stage))
}

/// The results of an audit, as `docs/json.md` describes them.
#[derive(Serialize)]
struct Outcome {
    unavailable: Option<String>,
    rustc: String,
    flags: String,
    profile: String,
    #[serde(rename = "entries")]
    reports: Vec<Report>,
    findings: Vec<Finding>,
    exceptions: Vec<&'static Exception>,
    warnings: Vec<String>,
    /// The loops in C, by design.
    c_loops: Vec<AuditedLoop>,
    /// Properties of plug-ins that are not known.
    notes: Vec<String>,
}

#[cfg(test)]
mod tests {
    use raywalk_audit::Check;

    use super::*;

    #[test]
    fn only_a_machine_without_audits_is_no_failure_and_nothing_is_stored_there() {
        for reason in [Unavailable::Architecture, Unavailable::Platform] {
            let text = reason.to_string();
            assert_eq!(answer(reason, false).expect("a sentence"), text);
        }
        let reasons = [
            (Unavailable::Architecture, true),
            (Unavailable::Platform, true),
            (Unavailable::Stripped, false),
            (Unavailable::Lines, false),
            (Unavailable::Packaged, false),
            (Unavailable::File(std::io::ErrorKind::NotFound.into()), false),
            (Unavailable::Stripped, true),
        ];
        for (reason, stores) in reasons {
            let text = reason.to_string();
            let (line, code) =
                crate::console::answer(&answer(reason, stores).expect_err("an error"));
            assert_eq!((line, code), (format!("raywalk: cannot audit this program: {text}"), 2));
        }
    }

    #[test]
    fn a_finding_of_a_pair_is_shown_for_each_of_its_designs() {
        let finding = |against: Option<&str>| Finding {
            check: Check::Copies,
            design: "mailbox/unguarded-8x8".to_owned(),
            against: against.map(str::to_owned),
            stage: EntryStage::All,
            address: None,
            source: None,
            what: "has 2 copies".to_owned(),
            fraction: None,
        };
        let found = |against, id: &str, stage| {
            concerns(&finding(against), |design, of| design == id && of == stage)
        };
        let pair = Some("mailbox/10x12");
        assert!(found(pair, "mailbox/unguarded-8x8", EntryStage::All));
        assert!(found(pair, "mailbox/10x12", EntryStage::All));
        assert!(!found(pair, "mailbox/10x12", EntryStage::Quiets));
        assert!(!found(pair, "mailbox/0x88", EntryStage::All));
        assert!(!found(None, "mailbox/10x12", EntryStage::All));
    }
}
