//! A program that a test assembles: functions, constants and slots at chosen addresses.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use iced_x86::code_asm::CodeAssembler;
use iced_x86::{Code, IcedError, Instruction, MemoryOperand, Register};
use raywalk_results::schema::Control;

use crate::audit::examine;
use crate::binary::Binary;
use crate::entry_stage::EntryStage;
use crate::lines::{Origin, Origins, Source, Sources};
use crate::report::{Report, Subject};

/// Address of the entry of a test.
pub(super) const ENTRY: u64 = 0x1_0000;
/// Offset of the length in the list, in all tests.
pub(super) const LENGTH_AT: usize = 0x240;
/// Bytes of the cells in all tests.
pub(super) const CELLS: usize = 64;

pub(super) const SOURCES: Sources = Sources {
    root: Some("variants/"),
    rare: &["/rules.rs"],
    accessors: &["/list.rs"],
    rest: &["/pawns.rs"],
};

/// A program and the lines of its instructions.
#[derive(Default)]
pub(super) struct Fake {
    /// Name and code by address.
    functions: BTreeMap<u64, (String, Vec<u8>)>,
    constants: BTreeMap<u64, Vec<u8>>,
    slots: BTreeMap<u64, u64>,
    imports: BTreeMap<u64, String>,
    /// Frames by the address at which they begin to hold.
    lines: BTreeMap<u64, Vec<Source>>,
    /// Whether all lines belong to a function about promotions.
    promotes: bool,
}

/// Assembles code for an address.
pub(super) fn assembled(
    address: u64,
    code: impl FnOnce(&mut CodeAssembler) -> Result<(), IcedError>,
) -> Vec<u8> {
    let mut assembler = CodeAssembler::new(64).expect("an assembler");
    code(&mut assembler).expect("instructions");
    assembler.assemble(address).expect("code")
}

/// A memory operand at an address of the program, relative to the instruction pointer.
fn at(address: u64) -> MemoryOperand {
    MemoryOperand::with_base_displ(Register::RIP, address.cast_signed())
}

/// `call [slot]`, as code calls functions of other crates.
pub(super) fn call_slot(a: &mut CodeAssembler, slot: u64) -> Result<(), IcedError> {
    a.add_instruction(Instruction::with1(Code::Call_rm64, at(slot))?)
}

/// `mov rax, [slot]`.
pub(super) fn load_slot(a: &mut CodeAssembler, slot: u64) -> Result<(), IcedError> {
    a.add_instruction(Instruction::with2(Code::Mov_r64_rm64, Register::RAX, at(slot))?)
}

/// `lea register, [address]`.
pub(super) fn load_address(
    a: &mut CodeAssembler,
    register: Register,
    address: u64,
) -> Result<(), IcedError> {
    a.add_instruction(Instruction::with2(Code::Lea_r64_m, register, at(address))?)
}

impl Fake {
    /// A program with one function, the entry.
    pub(super) fn entry(code: impl FnOnce(&mut CodeAssembler) -> Result<(), IcedError>) -> Fake {
        Fake::default().function(ENTRY, "entry", code)
    }

    pub(super) fn function(
        mut self,
        address: u64,
        name: &str,
        code: impl FnOnce(&mut CodeAssembler) -> Result<(), IcedError>,
    ) -> Fake {
        self.functions.insert(address, (name.to_owned(), assembled(address, code)));
        self
    }

    pub(super) fn constant(mut self, address: u64, bytes: &[u8]) -> Fake {
        self.constants.insert(address, bytes.to_owned());
        self
    }

    pub(super) fn slot(mut self, address: u64, target: u64) -> Fake {
        self.slots.insert(address, target);
        self
    }

    pub(super) fn import(mut self, address: u64, name: &str) -> Fake {
        self.imports.insert(address, name.to_owned());
        self
    }

    /// Instructions from `address` on come from these lines, the innermost first.
    pub(super) fn lines(mut self, address: u64, frames: &[(&str, u32)]) -> Fake {
        let source = |&(file, line): &(&str, u32)| Source { file: file.to_owned(), line };
        self.lines.insert(address, frames.iter().map(source).collect());
        self
    }

    /// All lines belong to a function about promotions.
    pub(super) fn promoting(self) -> Fake {
        Fake { promotes: true, ..self }
    }

    pub(super) fn report(&self, control: Control) -> Report {
        self.report_on(control, CELLS)
    }

    /// The report on an entry whose board has this number of bytes of cells, 0 for a board of sets.
    pub(super) fn report_on(&self, control: Control, cell_bytes: usize) -> Report {
        let subject = Subject {
            design: "test/design".to_owned(),
            stage: EntryStage::All,
            address: 0,
            control,
            cell_bytes: Some(cell_bytes),
            length_at: Some(LENGTH_AT),
            quiets: true,
        };
        examine(self, self, ENTRY, &subject).expect("the entry")
    }

    fn around(&self, address: u64) -> Option<(Range<u64>, &str, &[u8])> {
        let (&start, (name, code)) = self.functions.range(..=address).next_back()?;
        let range = start..start + code.len() as u64;
        range.contains(&address).then_some((range, name, code))
    }
}

impl Binary for Fake {
    fn function(&self, address: u64) -> Option<Range<u64>> {
        self.around(address).map(|(range, ..)| range)
    }

    fn name(&self, address: u64) -> Option<&str> {
        self.around(address).map(|(_, name, _)| name)
    }

    fn bytes(&self, address: u64) -> Option<&[u8]> {
        if let Some((range, _, code)) = self.around(address) {
            return code.get(usize::try_from(address - range.start).ok()?..);
        }
        let (start, bytes) = self.constants.range(..=address).next_back()?;
        bytes.get(usize::try_from(address - start).ok()?..)
    }

    fn slot(&self, address: u64) -> Option<u64> {
        self.slots.get(&address).copied()
    }

    fn import(&self, address: u64) -> Option<&str> {
        self.imports.get(&address).map(String::as_str)
    }
}

impl Origins for Fake {
    fn of(&self, address: u64) -> Rc<Origin> {
        let frames = self.lines.range(..=address).next_back().map(|(_, frames)| frames.clone());
        let origin = Origin::new(frames.unwrap_or_default(), &SOURCES);
        Rc::new(Origin { promotes: self.promotes, ..origin })
    }
}
