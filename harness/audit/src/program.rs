//! The running program's file: segments, symbols and relocations, and the way from an address of the
//! process to an address of the file.
//!
//! The program is position-independent, so all addresses of the analysis are addresses of the file. Calls
//! between crates go through the global offset table, whose slots the file describes by relocations: a
//! RELATIVE relocation names an address in the same file, the others name an imported symbol.

use std::collections::HashMap;
use std::ops::Range;

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
    /// The mappings of the process are read from `/proc`.
    #[error("the audit finds its own code through /proc/self, which this system does not have")]
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
    /// The file or the mappings cannot be read.
    #[error("the file of this program cannot be read: {0}")]
    File(#[from] std::io::Error),
}

/// The file of the running program and its mappings.
pub struct Image {
    bytes: Vec<u8>,
    /// Addresses of the process, and the place in the file where each range begins.
    mappings: Vec<(Range<u64>, u64)>,
}

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
        let known = (Image::running as *const ()).addr() as u64;
        let mappings = own_mappings(&std::fs::read_to_string("/proc/self/maps")?, known);
        // Through the link, so that the file is found even after another build has replaced it.
        Ok(Image { bytes: std::fs::read("/proc/self/exe")?, mappings })
    }
}

/// The mappings of the file that contains the address `known`: range and offset in the file.
fn own_mappings(maps: &str, known: u64) -> Vec<(Range<u64>, u64)> {
    let lines: Vec<_> = maps.lines().filter_map(mapping).collect();
    let own = lines.iter().find(|(range, ..)| range.contains(&known)).map(|(.., file)| *file);
    lines
        .into_iter()
        .filter(|(.., file)| Some(*file) == own)
        .map(|(range, offset, _)| (range, offset))
        .collect()
}

/// Range, offset, and device with inode of one line of `/proc/self/maps`.
fn mapping(line: &str) -> Option<(Range<u64>, u64, (&str, &str))> {
    let mut words = line.split_ascii_whitespace();
    let (start, end) = words.next()?.split_once('-')?;
    let hexadecimal = |text| u64::from_str_radix(text, 16).ok();
    let range = hexadecimal(start)?..hexadecimal(end)?;
    let offset = words.nth(1).and_then(hexadecimal)?;
    Some((range, offset, (words.next()?, words.next()?)))
}

/// A parsed file.
pub struct Program<'data> {
    pub(crate) elf: ElfFile64<'data, Endianness>,
    mappings: &'data [(Range<u64>, u64)],
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
    file: Range<u64>,
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
        let elf = ElfFile64::<Endianness>::parse(image.bytes.as_slice())?;
        let mut segments = Vec::new();
        for segment in elf.segments() {
            let (offset, size) = segment.file_range();
            let data = segment.data()?;
            segments.push(Segment {
                address: segment.address(),
                file: offset..offset + size,
                data,
            });
        }
        let symbols = functions(&elf)?;
        if elf.section_by_name(".debug_line").is_none() {
            return Err(Unavailable::Lines);
        }
        let (relative, imported) = slots(&elf);
        Ok(Program { mappings: &image.mappings, elf, segments, symbols, relative, imported })
    }

    /// The address in the file of an address of the running process.
    pub(crate) fn in_file(&self, address: u64) -> Option<u64> {
        let (range, offset) = self.mappings.iter().find(|(range, _)| range.contains(&address))?;
        let place = address - range.start + offset;
        let segment = self.segments.iter().find(|segment| segment.file.contains(&place))?;
        Some(place - segment.file.start + segment.address)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mappings_of_the_own_file_are_those_with_its_device_and_inode() {
        let maps = "\
            1000-2000 r--p 00000000 fe:00 77 /home/a raywalk\n\
            2000-4000 r-xp 00001000 fe:00 77 /home/a raywalk (deleted)\n\
            7000-8000 r-xp 00000000 fe:00 78 /lib/libc.so\n\
            9000-a000 rw-p 00000000 00:00 0 [stack]\n";
        assert_eq!(own_mappings(maps, 0x2010), [(0x1000..0x2000, 0), (0x2000..0x4000, 0x1000)]);
        assert_eq!(own_mappings(maps, 0x6000), []);
    }
}
