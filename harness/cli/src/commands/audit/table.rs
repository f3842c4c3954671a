//! The results of an audit as text.

use raywalk_audit::{EntryStage, Exception, Executed, InnerLoop, Report};
use raywalk_judge::format::NONE;
use raywalk_page::terminal::text_table::{Cell, TextTable, number, text};
use raywalk_page::terminal::{Screen, Tone};

use super::Outcome;
use crate::audit::{self, AuditedLoop, CLoops};

impl Outcome {
    /// Writes the results; `with_loops` also shows the innermost loops of the walk.
    pub(super) fn write(&self, with_loops: bool, out: &mut Screen) {
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
