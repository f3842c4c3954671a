//! Source lines of addresses, from the debug information of the running program.

use std::fmt::Display;
use std::io;

use addr2line::Context;
use addr2line::gimli::{Dwarf, EndianSlice, LittleEndian, SectionId};
use object::{Object, ObjectSection};

/// A line of a source file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    /// The file, as the compiler was given it.
    pub file: String,
    /// The line, from 1; 0 where the compiler merged code of several lines.
    pub line: u32,
    /// The mangled name of the function, or nothing if it is not known.
    pub function: String,
}

/// The debug information of a program.
pub struct Lines<'a> {
    context: Context<EndianSlice<'a, LittleEndian>>,
}

/// The bytes of the running program's file.
///
/// # Errors
/// If it is gone or cannot be read.
pub fn program_file() -> io::Result<Vec<u8>> {
    // Linux has a link to the file itself, which another build may have replaced at its path.
    let link = cfg!(target_os = "linux").then(|| "/proc/self/exe".into());
    std::fs::read(link.map_or_else(std::env::current_exe, Ok)?)
}

impl Lines<'_> {
    /// Reads the debug information in the bytes of an ELF file.
    ///
    /// # Errors
    /// A sentence if they hold none that can be used.
    pub fn new(program: &[u8]) -> Result<Lines<'_>, String> {
        let wrong = |error: &dyn Display| {
            format!("the debug information of the program cannot be read: {error}")
        };
        let file = object::File::parse(program).map_err(|error| wrong(&error))?;
        let section = |id: SectionId| -> Result<EndianSlice<'_, LittleEndian>, String> {
            let data = match file.section_by_name(id.name()) {
                Some(section) => section.data().map_err(|error| wrong(&error))?,
                None => &[],
            };
            Ok(EndianSlice::new(data, LittleEndian))
        };
        let dwarf = Dwarf::load(section)?;
        let context = Context::from_dwarf(dwarf).map_err(|error| wrong(&error))?;
        Ok(Lines { context })
    }

    /// The lines of an address relative to the [base](crate::image_base) of the program: where the
    /// instruction was written, then where each inlined function around it is called. Empty if there is no
    /// debug information.
    pub fn at(&self, relative: u64) -> Vec<Line> {
        let mut lines = Vec::new();
        let Ok(mut frames) = self.context.find_frames(relative).skip_all_loads() else {
            return lines;
        };
        while let Ok(Some(frame)) = frames.next() {
            let Some(place) = frame.location else { continue };
            let Some(file) = place.file else { continue };
            let function = frame.function.as_ref().and_then(|name| name.raw_name().ok());
            lines.push(Line {
                file: file.to_owned(),
                line: place.line.unwrap_or(0),
                function: function.map_or_else(String::new, |name| name.into_owned()),
            });
        }
        lines
    }
}
