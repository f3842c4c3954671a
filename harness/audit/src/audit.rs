//! Audits one entry: follows its code and describes it.

use iced_x86::{Formatter, IntelFormatter};

use crate::binary::Binary;
use crate::counts::{counts, events};
use crate::entry::{Layout, Part, parts};
use crate::lines::{Lines, Origins, Sources};
use crate::program::{Program, Unavailable};
use crate::report::{Called, Report, Subject};
use crate::shape::{inner_loops, shape};

/// Audits entries of the running program.
pub struct Audit<'data> {
    program: &'data Program<'data>,
    lines: Lines<'data>,
}

/// There is no function at the address of an entry.
#[derive(Debug, thiserror::Error)]
#[error("no function of this program begins at the entry of `{design}` for {stage}")]
pub struct NoFunction {
    design: String,
    stage: String,
}

impl<'data> Audit<'data> {
    /// Loads the line tables of the program.
    ///
    /// # Errors
    /// The line tables cannot be read.
    pub fn new(
        program: &'data Program<'data>,
        sources: Sources,
    ) -> Result<Audit<'data>, Unavailable> {
        Ok(Audit { program, lines: Lines::new(program, sources)? })
    }

    /// Audits one entry.
    ///
    /// # Errors
    /// There is no function at the address of the entry.
    pub fn examine(&self, subject: &Subject) -> Result<Report, NoFunction> {
        let address = self.program.in_file(subject.address as u64);
        address.and_then(|address| examine(self.program, &self.lines, address, subject)).ok_or_else(
            || NoFunction { design: subject.design.clone(), stage: subject.stage.clone() },
        )
    }
}

/// Audits the entry at an address of the file.
pub(crate) fn examine(
    binary: &dyn Binary,
    origins: &dyn Origins,
    address: u64,
    subject: &Subject,
) -> Option<Report> {
    let parts = parts(binary, origins, address, subject.cell_bytes)?;
    let layout = Layout { cell_bytes: subject.cell_bytes, length_at: subject.length_at };
    let mut formatter = IntelFormatter::new();
    formatter.options_mut().set_hex_prefix("0x");
    formatter.options_mut().set_hex_suffix("");
    formatter.options_mut().set_rip_relative_addresses(true);
    let mut text = |spot: crate::entry::Spot<'_>| {
        let mut text = String::new();
        formatter.format(spot.instruction(), &mut text);
        text
    };
    Some(Report {
        design: subject.design.clone(),
        stage: subject.stage.clone(),
        control: subject.control,
        address,
        counts: counts(&parts, layout),
        shape: shape(&parts, layout),
        executed: None,
        not_executed: None,
        has_cells: subject.cell_bytes > 0,
        called: parts[1..].iter().map(called).collect(),
        loops: inner_loops(&parts, layout, &mut text),
        events: events(&parts, layout),
    })
}

fn called(part: &Part) -> Called {
    Called {
        name: part.name.clone(),
        code_bytes: part.spots().map(|spot| spot.instruction().len()).sum(),
        instructions: part.spots().count(),
        rules: part.rare,
    }
}
