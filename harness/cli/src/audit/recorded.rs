//! The audit of designs as records of a journal, so that a page shows the code that was timed.

use anyhow::Result;
use raywalk_audit::{Audit, EntryStage, InnerLoop, Program, Report, Subject};
use raywalk_results::schema::{Code, CodeLine, WalkLoop};

use super::{CLoops, SOURCES, count_executed, image, reports, subject};
use crate::registry::Entry;

/// The entries of a design that are audited: that of all moves, and that of sliders, by which the loop of the walk is
/// found.
const STAGES: [EntryStage; 2] = [EntryStage::All, EntryStage::Sliders];

/// The code of these designs; none on a machine where no program can be audited, and of a program that was installed
/// from packages.
///
/// # Errors
/// A program without symbols or source lines, an entry whose code is not found, or positions that cannot be made.
pub(crate) fn codes(designs: &[&Entry]) -> Result<Vec<Code>> {
    let Ok(image) = image() else { return Ok(Vec::new()) };
    let program = Program::parse(&image)?;
    let audit = Audit::new(&program, SOURCES)?;
    let entries = designs.iter().flat_map(|entry| STAGES.map(|stage| (entry, stage)));
    let subjects: Vec<Subject> =
        entries.filter_map(|(entry, stage)| subject(entry, stage, entry.board_cells)).collect();
    let mut reports = reports(&audit, &subjects)?;
    count_executed(&mut reports, designs)?;
    let of_all = reports.iter().filter(|report| report.stage == EntryStage::All);
    Ok(of_all.map(|report| code(report, &CLoops::new())).collect())
}

fn code(report: &Report, c_loops: &CLoops) -> Code {
    let walk = |one: &InnerLoop| WalkLoop {
        turn: one.shortest_iteration as u64,
        in_c: c_loops.of(report).map(|c| c.instructions as u64),
        lines: one.lines.iter().map(line).collect(),
    };
    Code {
        design: report.design.clone(),
        bytes: report.counts.code_bytes as u64,
        copies: report.shape.walk.copies.times as u64,
        per_square: report.executed.as_ref().map(|executed| executed.per_square),
        walk: report.main_loop().map(walk),
    }
}

fn line(line: &raywalk_audit::Line) -> CodeLine {
    CodeLine {
        instruction: line.instruction.clone(),
        source: line.source.as_ref().map(ToString::to_string),
    }
}
