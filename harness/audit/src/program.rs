//! The file of the running program, or of a library that it has loaded: segments, symbols and relocations, and the
//! conversion from an address of the process to one of the file.
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
    /// The disassembler and the analysis support one instruction set.
    #[error("the audit reads x86-64 code, and this program was built for another architecture")]
    Architecture,
    /// Other systems have other formats of programs.
    #[error("the audit reads programs of Linux, and this system is another one")]
    Platform,
    /// The file has another format.
    #[error("the audit reads ELF files, and this is another kind of file: {0}")]
    Format(#[from] object::Error),
    /// Functions are delimited by symbols.
    #[error("the file has no symbols; build it without `strip`")]
    Stripped,
    /// Code of a design is told from shared code by source lines.
    #[error("the file has no source lines; build it with `debug = \"line-tables-only\"`")]
    Lines,
    /// The file at the path of a library is another one now.
    #[error("the file has no function `{0}`, which the loaded library has")]
    Changed(String),
    /// The sources of designs are told from others by their folder in the workspace.
    #[error(
        "the program was installed from packages, whose paths do not show which code is a design's; build it in the \
         source tree"
    )]
    Packaged,
    /// The file cannot be read.
    #[error("the file cannot be read: {0}")]
    File(#[from] std::io::Error),
}

impl Unavailable {
    /// Whether the machine is the reason, as in [`supported`], and not the file.
    pub fn is_about_the_machine(&self) -> bool {
        matches!(self, Unavailable::Architecture | Unavailable::Platform)
    }
}

/// The file of the running program.
pub struct Image(Vec<u8>);

impl Image {
    /// Reads the file of the running program.
    ///
    /// # Errors
    /// The reason why this program cannot be audited here.
    pub fn running() -> Result<Image, Unavailable> {
        supported()?;
        Ok(Image(raywalk_trace::program_file()?))
    }

    /// Reads the file of a library.
    ///
    /// # Errors
    /// The reason why it cannot be audited here.
    pub fn library(path: &Path) -> Result<Image, Unavailable> {
        supported()?;
        Ok(Image(std::fs::read(path)?))
    }

    /// Reads the file of a program that was linked from the same functions as the running one.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn linked(path: &Path) -> Result<Image, Unavailable> {
        Ok(Image(std::fs::read(path)?))
    }
}

/// Whether programs and libraries of this machine can be audited.
///
/// # Errors
/// They have other instructions or another format.
pub fn supported() -> Result<(), Unavailable> {
    match (cfg!(target_arch = "x86_64"), cfg!(target_os = "linux")) {
        (false, _) => Err(Unavailable::Architecture),
        (_, false) => Err(Unavailable::Platform),
        _ => Ok(()),
    }
}

/// An ELF file with its symbols and source lines.
pub struct Program<'data> {
    pub(crate) bytes: &'data [u8],
    /// An address in the process minus the same address in the file.
    base: u64,
    has_lines: bool,
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
    /// Parses the file of a program.
    ///
    /// # Errors
    /// The reason why this file cannot be audited.
    pub fn parse(image: &'data Image) -> Result<Program<'data>, Unavailable> {
        let program = Program::at(image, |_| Ok(raywalk_trace::image_base()))?;
        if program.has_lines { Ok(program) } else { Err(Unavailable::Lines) }
    }

    /// Parses the file of a loaded library, with or without source lines. Its exported function `name` is at
    /// `address` in this process.
    ///
    /// # Errors
    /// The reason why this file cannot be audited.
    pub fn parse_library(
        image: &'data Image,
        name: &str,
        address: usize,
    ) -> Result<Program<'data>, Unavailable> {
        Program::at(image, |elf| {
            let exported = elf.dynamic_symbols().find(|one| one.name() == Ok(name));
            let exported = exported.filter(ObjectSymbol::is_definition);
            let exported = exported.ok_or_else(|| Unavailable::Changed(name.to_owned()))?;
            Ok((address as u64).wrapping_sub(exported.address()))
        })
    }

    /// Parses a file that is loaded at the address that `base` finds.
    fn at(
        image: &'data Image,
        base: impl FnOnce(&ElfFile64<'data, Endianness>) -> Result<u64, Unavailable>,
    ) -> Result<Program<'data>, Unavailable> {
        let bytes = image.0.as_slice();
        let elf = ElfFile64::<Endianness>::parse(bytes)?;
        let mut segments = Vec::new();
        for segment in elf.segments() {
            segments.push(Segment { address: segment.address(), data: segment.data()? });
        }
        let symbols = functions(&elf)?;
        let has_lines = elf.section_by_name(".debug_line").is_some();
        let (relative, imported) = slots(&elf);
        let base = base(&elf)?;
        Ok(Program { bytes, base, has_lines, segments, symbols, relative, imported })
    }

    /// An address in the process minus the same address in the file.
    pub fn base(&self) -> u64 {
        self.base
    }

    /// Whether instructions have source lines.
    pub fn has_lines(&self) -> bool {
        self.has_lines
    }

    /// The address in the file of an address of the running process.
    pub(crate) fn in_file(&self, address: u64) -> Option<u64> {
        address.checked_sub(self.base)
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
