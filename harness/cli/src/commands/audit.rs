//! `raywalk audit`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use raywalk_audit::{
    Audit, EntryStage, Exception, Executed, Finding, InnerLoop, Program, Report, Unavailable,
};
use raywalk_judge::format::NONE;
use raywalk_page::terminal::text_table::{Cell, TextTable, number, text};
use raywalk_page::terminal::{Screen, Tone};
use raywalk_results::schema::Build;
use serde::Serialize;

use crate::audit::{self, AuditedLoop, CLoops, Libraries, SOURCES};
use crate::folders;
use crate::manifest;
use crate::output::{Format, screen, write_json};
use crate::plugin::Plugins;
use crate::registry::Designs;

/// Disassemble the compiled designs and check their control flow; exit code 1 if a check fails
///
/// Reads the machine code of this program, with everything that a design calls, and finds what each conditional jump
/// depends on. A check fails if the code can panic, if a loop divides or calls a function, if a branchless design
/// branches on a square or the walk of a branchy one does not, if an innermost loop uses variables on the stack or
/// stores the length of the list, and if designs that should differ in one parameter also differ in copies of a loop,
/// unrolling or vectorisation. A single design is shown with its innermost loops.
///
/// A plug-in is audited in its library. The same checks apply, except two: stores of the list length, and the
/// comparison with other designs. Branches on squares are recognised only with --cells.
///
/// Executed instructions are counted by exact traces over 32 positions of famous games; the column "iteration" is the
/// shortest iteration of the loop over the squares of sliders, the one for an empty square, and "chain" the cycles by
/// which it waits for the one before, with four cycles for a load, three for a multiplication, none for a copy and one
/// for everything else. Both are compared with a loop in C. Counts that differ from those stored for this compiler are
/// a warning.
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
            Err(reason) => (Vec::new(), Some(reason)),
        };
        // Before the checks, because the walk is the loop that executes most.
        audit::count_executed(&mut reports, &entries)?;
        let mut findings = audit::findings(&reports);
        let Libraries { reports: mut further, notes } = match unavailable {
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
        findings.retain(|finding| is_selected(&finding.design, finding.stage));
        let build = manifest::build();
        if let Some(path) = self.write.filter(|_| unavailable.is_none()) {
            folders::write(&path, &audit::replaced(&build, &reports))?;
        }
        // No counts are stored for plug-ins.
        let warnings = audit::warnings(&build, &reports);
        reports.extend(further);
        let Build { rustc, flags, profile, .. } = build;
        let outcome = Outcome {
            rustc,
            flags,
            profile,
            findings,
            exceptions: audit::exceptions(&reports),
            warnings,
            c_loops: CLoops::new().audited(&reports),
            notes,
            reports,
            unavailable: unavailable.map(|reason| reason.to_string()),
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
    let image = audit::image()?;
    if !any {
        return Ok(Ok(Vec::new()));
    }
    let program = Program::parse(&image)?;
    let audit = Audit::new(&program, SOURCES)?;
    Ok(audit::reports(&audit, &audit::subjects(&EntryStage::ALL)))
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

impl Outcome {
    fn write(&self, with_loops: bool, out: &mut Screen) {
        if let Some(reason) = &self.unavailable {
            out.line(format!("Not available here: {reason}."));
            return;
        }
        table(&self.reports, out);
        if with_loops {
            self.reports.iter().for_each(|report| loops(report, out));
        }
        out.blank();
        for exception in &self.exceptions {
            out.line(format!("Accepted, {}: {}", entries_of(exception), exception.reason));
        }
        for AuditedLoop { design, in_c } in &self.c_loops {
            if let Some(reason) = &in_c.longer {
                out.line(format!("Longer than in C, {design}: {reason}"));
            }
            if let Some(waits) = &in_c.waits {
                out.line(format!("A longer chain than in C, {design}: {}", waits.why));
            }
        }
        let mut not_executed: Vec<_> =
            self.reports.iter().filter_map(|report| report.not_executed.as_deref()).collect();
        not_executed.sort_unstable();
        not_executed.dedup();
        for reason in not_executed {
            out.line(format!("Not executed, where numbers are missing: {reason}."));
        }
        stack_use(&self.reports).into_iter().for_each(|line| out.line(line));
        self.notes.iter().for_each(|note| out.line(note));
        self.warnings.iter().for_each(|warning| out.toned(warning, Tone::Warning));
        self.findings.iter().for_each(|finding| out.toned(finding.to_string(), Tone::Bad));
        if cfg!(debug_assertions) {
            let note = "This program was built with debug assertions, whose checks can panic.";
            out.toned(note, Tone::Warning);
        }
        out.line(summary(self.reports.len(), self.findings.len()));
    }
}

/// The designs with their stages: `bell/steps (captures, quiets)`.
fn entries_of(exception: &Exception) -> String {
    let entries = exception.entries.iter();
    let named =
        |(design, stages): &(&str, &[EntryStage])| format!("{design} ({})", audit::listed(stages));
    entries.map(named).collect::<Vec<_>>().join(", ")
}

/// Number of entries with variables on the stack in their innermost loops, and the highest count that is executed.
fn stack_use(reports: &[Report]) -> Option<String> {
    let with: Vec<&Report> =
        reports.iter().filter(|report| report.counts.stack_operands > 0).collect();
    let per_square =
        |report: &&Report| report.executed.as_ref().map(|executed| executed.stack_per_square);
    let executed = with.iter().filter_map(|report| Some((per_square(report)?, report)));
    let (most, report) = executed.max_by(|one, other| one.0.total_cmp(&other.0))?;
    Some(format!(
        "{} of {} entries have variables on the stack in innermost loops. Most are executed in {} {}, {most:.2} for each \
         visited square.",
        with.len(),
        reports.len(),
        report.design,
        report.stage,
    ))
}

fn summary(entries: usize, findings: usize) -> String {
    let counted = |count: usize, one: &str, several: &str| {
        format!("{count} {}", if count == 1 { one } else { several })
    };
    let entries = counted(entries, "entry", "entries");
    match findings {
        0 => format!("{entries} audited, nothing found."),
        _ => format!("{entries} audited, {}.", counted(findings, "finding", "findings")),
    }
}

/// Writes one row per entry.
fn table(reports: &[Report], out: &mut Screen) {
    let mut table = TextTable::new([
        text("design"),
        text("stage"),
        number("bytes"),
        number("instructions"),
        number("copies"),
        number("unrolled"),
        number("copies of the rest"),
        number("unrolled in it"),
        number("loop ends"),
        number("guards"),
        number("board"),
        number("rules"),
        number("indirect"),
        number("calls").section(),
        number("cmov"),
        number("setcc"),
        number("adc, sbb"),
        number("loads"),
        number("stores"),
        number("stack"),
        number("length"),
        number("vector"),
        number("iteration"),
        number("in C"),
        number("chain"),
        number("chain in C"),
        number("per square"),
        number("per move"),
        number("stack per square"),
    ]);
    let c_loops = CLoops::new();
    for report in reports {
        let counts = &report.counts;
        let executed = |of: fn(&Executed) -> f64, digits: usize| {
            report
                .executed
                .as_ref()
                .map_or(NONE.to_owned(), |executed| format!("{:.digits$}", of(executed)))
        };
        let numbers = [
            counts.code_bytes,
            counts.instructions,
            report.shape.walk.copies.times,
            report.shape.walk.unrolled.times,
            report.shape.rest.copies.times,
            report.shape.rest.unrolled.times,
            counts.jumps.loop_ends,
            counts.jumps.guards,
            counts.jumps.board,
            counts.jumps.rules,
            counts.indirect_jumps,
            counts.calls,
            counts.cmov,
            counts.setcc,
            counts.carries,
            counts.loads,
            counts.stores,
            counts.stack_operands,
            counts.length_stores,
            counts.vector,
        ];
        let names = [report.design.clone(), report.stage.to_string()];
        let numbers = numbers.iter().map(ToString::to_string);
        let or_none = |number: Option<String>| number.unwrap_or(NONE.to_owned());
        let c = c_loops.of(report);
        let last = [
            or_none(report.iteration().map(|iteration| iteration.to_string())),
            or_none(c.map(|c| c.instructions.to_string())),
            or_none(report.chain().map(|chain| format!("{chain:.1}"))),
            or_none(c.map(|c| format!("{:.1}", c.chain))),
            executed(|one| one.per_square, 1),
            executed(|one| one.per_move, 1),
            executed(|one| one.stack_per_square, 2),
        ];
        table.row(names.into_iter().chain(numbers).chain(last).map(Cell::from));
    }
    table.write(out);
}

/// Writes the innermost loops of the walk with their source lines.
fn loops(report: &Report, out: &mut Screen) {
    for one in report.loops.iter().filter(|one| !one.rules) {
        out.blank();
        let source = one.source.as_ref().map_or(NONE.to_owned(), ToString::to_string);
        out.toned(format!("{} {}: loop of {source}", report.design, report.stage), Tone::Heading);
        out.line(format!("  {}", description(one)));
        one.lines.iter().for_each(|line| out.line(format!("  {line}")));
    }
}

fn description(one: &InnerLoop) -> String {
    let mut text = format!(
        "{} instructions in the shortest iteration, whose chain takes {:.1} cycles; {} cells read, {} moves stored",
        one.shortest_iteration, one.chain, one.cell_loads, one.move_stores
    );
    if one.entries > 1 {
        text += &format!(", {} entries", one.entries);
    }
    text
}
