//! Audits one entry: follows its code and describes it.

use iced_x86::{Decoder, DecoderOptions, Formatter, Instruction, IntelFormatter};

use crate::binary::Binary;
use crate::chain::Iteration;
use crate::counts::{counts, events};
use crate::entry::{Operands, Part, parts};
use crate::entry_stage::EntryStage;
use crate::lines::{Lines, Origins, Sources};
use crate::program::{Program, Unavailable};
use crate::report::{Called, Report, Subject};
use crate::shape::{inner_loops, shape};

/// Audits entries of the running program, or of a library that it has loaded.
pub struct Audit<'data> {
    program: &'data Program<'data>,
    lines: Lines<'data>,
}

/// There is no function at the address of an entry.
#[derive(Debug, thiserror::Error)]
#[error("no function begins at the entry of `{design}` for {stage}")]
pub struct NoFunction {
    design: String,
    stage: EntryStage,
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
        address
            .and_then(|address| examine(self.program, &self.lines, address, subject))
            .ok_or_else(|| NoFunction { design: subject.design.clone(), stage: subject.stage })
    }

    /// The instructions at these addresses of the file, as one iteration of a loop; `None` if there is no code at one
    /// of them.
    pub fn iteration(&self, addresses: &[u64]) -> Option<Iteration> {
        let decode = |&address: &u64| {
            let bytes = self.program.bytes(address)?;
            let bytes = &bytes[..bytes.len().min(LONGEST)];
            let one = Decoder::with_ip(64, bytes, address, DecoderOptions::NONE).decode();
            (!one.is_invalid()).then_some(one)
        };
        addresses.iter().map(decode).collect::<Option<Vec<_>>>().map(Iteration)
    }
}

/// The longest instruction, in bytes.
const LONGEST: usize = 15;

impl Iteration {
    /// The instructions in Intel syntax.
    pub fn texts(&self) -> Vec<String> {
        let mut formatter = formatter();
        self.0.iter().map(|one| text_of(&mut formatter, one)).collect()
    }
}

fn formatter() -> IntelFormatter {
    let mut formatter = IntelFormatter::new();
    formatter.options_mut().set_hex_prefix("0x");
    formatter.options_mut().set_hex_suffix("");
    formatter.options_mut().set_rip_relative_addresses(true);
    formatter
}

fn text_of(formatter: &mut IntelFormatter, instruction: &Instruction) -> String {
    let mut text = String::new();
    formatter.format(instruction, &mut text);
    text
}

/// Audits the entry at an address of the file.
pub(crate) fn examine(
    binary: &dyn Binary,
    origins: &dyn Origins,
    address: u64,
    subject: &Subject,
) -> Option<Report> {
    let cell_bytes = subject.cell_bytes;
    let parts = parts(binary, origins, address, cell_bytes.unwrap_or(0))?;
    let operands = Operands { cell_bytes, length_at: subject.length_at, quiets: subject.quiets };
    let mut formatter = formatter();
    let mut text = |spot: crate::entry::Spot<'_>| text_of(&mut formatter, spot.instruction());
    Some(Report {
        design: subject.design.clone(),
        stage: subject.stage,
        control: subject.control,
        address,
        counts: counts(&parts, operands),
        shape: shape(&parts, operands),
        executed: None,
        not_executed: None,
        cell_bytes: subject.cell_bytes,
        called: parts[1..].iter().map(called).collect(),
        loops: inner_loops(&parts, operands, &mut text),
        events: events(&parts, operands),
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
