//! The running program's file: segments, symbols and relocations, and the way from an address of the
//! process to an address of the file.
//!
//! The program is position-independent, so all addresses of the analysis are addresses of the file. Calls
//! between crates go through the global offset table, whose slots the file describes by relocations: a
//! RELATIVE relocation names an address in the same file, the others name an imported symbol.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use object::read::elf::ElfFile64;
use object::{
    Endianness, Object, ObjectSegment, ObjectSymbol, ObjectSymbolTable, RelocationFlags,
    RelocationTarget, SymbolKind, elf,
};

/// Why no audit is possible.
#[derive(Debug, thiserror::Error)]
pub enum Unavailable {
    /// The disassembler and the analysis know one instruction set.
    #[error("the audit reads x86-64 code, and this program was built for another architecture")]
    Architecture,
    /// Other systems have other formats of programs.
    #[error("the audit reads programs of Linux, and this system is another one")]
    Platform,
    /// The file has another format.
    #[error("the audit reads ELF files, and the file of this program is none: {0}")]
    Format(#[from] object::Error),
    /// Functions are delimited by symbols.
    #[error("the file of this program has no symbols; build it without `strip`")]
    Stripped,
    /// Code of a design is told from shared code by source lines.
    #[error(
        "the file of this program has no source lines; build it with `debug = \"line-tables-only\"`"
    )]
    Lines,
    /// The sources of designs are told from others by their folder in the workspace.
    #[error(
        "the program was installed from packages, whose paths do not show which code is a design's; build it in the \
         source tree"
    )]
    Packaged,
    /// The file cannot be read.
    #[error("the file of this program cannot be read: {0}")]
    File(#[from] std::io::Error),
}

/// The file of the running program.
pub struct Image(Vec<u8>);

impl Image {
    /// Reads the file of the running program.
    ///
    /// # Errors
    /// The reason why this program cannot be audited here.
    pub fn running() -> Result<Image, Unavailable> {
        if !cfg!(target_arch = "x86_64") {
            return Err(Unavailable::Architecture);
        }
        if !cfg!(target_os = "linux") {
            return Err(Unavailable::Platform);
        }
        Ok(Image(raywalk_trace::program_file()?))
    }

    /// Reads the file of a program that was linked from the same functions as the running one.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn linked(path: &Path) -> Result<Image, Unavailable> {
        Ok(Image(std::fs::read(path)?))
    }
}

/// A parsed file.
pub struct Program<'data> {
    pub(crate) bytes: &'data [u8],
    segments: Vec<Segment<'data>>,
    /// Functions, sorted by address.
    symbols: Vec<Symbol<'data>>,
    /// Slots that hold an address of this file.
    relative: HashMap<u64, u64>,
    /// Slots that hold an address of a shared library.
    imported: HashMap<u64, String>,
}

struct Segment<'data> {
    address: u64,
    data: &'data [u8],
}

struct Symbol<'data> {
    range: Range<u64>,
    name: &'data str,
}

impl<'data> Program<'data> {
    /// Parses the file.
    ///
    /// # Errors
    /// The reason why this file cannot be audited.
    pub fn parse(image: &'data Image) -> Result<Program<'data>, Unavailable> {
        let bytes = image.0.as_slice();
        let elf = ElfFile64::<Endianness>::parse(bytes)?;
        let mut segments = Vec::new();
        for segment in elf.segments() {
            segments.push(Segment { address: segment.address(), data: segment.data()? });
        }
        let symbols = functions(&elf)?;
        if elf.section_by_name(".debug_line").is_none() {
            return Err(Unavailable::Lines);
        }
        let (relative, imported) = slots(&elf);
        Ok(Program { bytes, segments, symbols, relative, imported })
    }

    /// The address in the file of an address of the running process.
    pub(crate) fn in_file(&self, address: u64) -> Option<u64> {
        address.checked_sub(raywalk_trace::image_base())
    }

    /// The bytes of the file from an address to the end of its segment.
    pub(crate) fn bytes(&self, address: u64) -> Option<&'data [u8]> {
        let within = |segment: &&Segment<'data>| {
            address.checked_sub(segment.address).is_some_and(|n| n < segment.data.len() as u64)
        };
        let segment = self.segments.iter().find(within)?;
        segment.data.get(usize::try_from(address - segment.address).ok()?..)
    }

    /// The function whose code contains an address: its range and mangled name.
    pub(crate) fn function(&self, address: u64) -> Option<(Range<u64>, &'data str)> {
        let next = self.symbols.partition_point(|symbol| symbol.range.start <= address);
        let symbol = self.symbols[..next].last()?;
        symbol.range.contains(&address).then(|| (symbol.range.clone(), symbol.name))
    }

    /// All functions by address: range and mangled name.
    pub(crate) fn functions(&self) -> impl Iterator<Item = (Range<u64>, &'data str)> + '_ {
        self.symbols.iter().map(|symbol| (symbol.range.clone(), symbol.name))
    }

    /// The address of this file that a slot holds at run time.
    pub(crate) fn slot(&self, address: u64) -> Option<u64> {
        self.relative.get(&address).copied()
    }

    /// The imported function whose address a slot holds at run time.
    pub(crate) fn import(&self, address: u64) -> Option<&str> {
        self.imported.get(&address).map(String::as_str)
    }
}

/// The functions by address. A symbol without a size, as assembly may have it, ends where the next begins.
fn functions<'data>(elf: &ElfFile64<'data, Endianness>) -> Result<Vec<Symbol<'data>>, Unavailable> {
    let mut symbols: Vec<_> = elf
        .symbols()
        .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition())
        .filter_map(|symbol| {
            let start = symbol.address();
            Some(Symbol { range: start..start + symbol.size(), name: symbol.name().ok()? })
        })
        .collect();
    if symbols.is_empty() {
        return Err(Unavailable::Stripped);
    }
    // The larger of two at one address comes last, and lookups take the last.
    symbols.sort_by_key(|symbol| (symbol.range.start, symbol.range.end));
    for n in 0..symbols.len() - 1 {
        if symbols[n].range.is_empty() {
            symbols[n].range.end = symbols[n + 1].range.start;
        }
    }
    Ok(symbols)
}

/// The slots with addresses of this file, and those with imported functions.
fn slots(elf: &ElfFile64<'_, Endianness>) -> (HashMap<u64, u64>, HashMap<u64, String>) {
    let (mut relative, mut imported) = (HashMap::new(), HashMap::new());
    let names = elf.dynamic_symbol_table();
    for (slot, relocation) in elf.dynamic_relocations().into_iter().flatten() {
        match (relocation.flags(), relocation.target()) {
            (RelocationFlags::Elf { r_type: elf::R_X86_64_RELATIVE }, _) => {
                relative.insert(slot, relocation.addend().cast_unsigned());
            }
            (_, RelocationTarget::Symbol(index)) => {
                let symbol = names.as_ref().and_then(|names| names.symbol_by_index(index).ok());
                if let Some(name) = symbol.as_ref().and_then(|symbol| symbol.name().ok()) {
                    imported.insert(slot, name.to_owned());
                }
            }
            _ => {}
        }
    }
    (relative, imported)
}
