//! Names of branches: lines of the designs' own sources.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

use raywalk_trace::{Line, Lines, Loaded};

/// The folder of the designs in the paths that the compiler was given.
const VARIANTS: &str = "variants/";
/// The crate whose code the designs share, below that folder.
const SHARED: &str = "variants/core/";

/// Place of a branch in the sources, as `variants/…/file.rs:line`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// The innermost line below `variants/`.
    pub(crate) line: Option<String>,
    /// The innermost line of another file of the design that it was inlined into.
    pub(crate) caller: Option<String>,
}

/// Finds the names of branches.
pub(crate) struct Names<'a> {
    lines: Lines<'a>,
    loaded: Loaded,
    sources: Sources,
}

/// The sources that the program was built from, as far as they are still there.
#[derive(Default)]
struct Sources {
    /// When the program was written. A file that was changed since then may have other lines.
    built: Option<SystemTime>,
    /// The lines of each file that was asked for; empty if it cannot be used.
    files: RefCell<BTreeMap<String, Vec<String>>>,
}

impl Sources {
    fn of_this_program() -> Sources {
        // Nothing is traced, and no branch named, where there is no such link.
        Sources { built: changed(Path::new("/proc/self/exe")), ..Sources::default() }
    }

    /// Text of a line, trimmed.
    fn text(&self, Line { file, line, .. }: &Line) -> Option<String> {
        let mut files = self.files.borrow_mut();
        let lines =
            files.entry(file.clone()).or_insert_with(|| self.read(file).unwrap_or_default());
        let text = lines.get((*line as usize).checked_sub(1)?)?.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    fn read(&self, file: &str) -> Option<Vec<String>> {
        let is_current = changed(Path::new(file))? <= self.built?;
        let text = is_current.then(|| std::fs::read_to_string(file).ok())??;
        Some(text.lines().map(str::to_owned).collect())
    }
}

fn changed(file: &Path) -> Option<SystemTime> {
    file.metadata().ok()?.modified().ok()
}

impl Names<'_> {
    /// Reads the debug information in the file of the running program. The plug-ins whose branches are asked for are
    /// loaded already.
    ///
    /// # Errors
    /// A sentence if it holds none.
    pub(crate) fn new(program: &[u8]) -> Result<Names<'_>, String> {
        let sources = Sources::of_this_program();
        Ok(Names { lines: Lines::new(program)?, loaded: Loaded::now(), sources })
    }

    /// Text of the source line of the branch at an address, if the source exists.
    pub(crate) fn text(&self, address: u64) -> Option<String> {
        let lines = self.lines_at(address);
        let innermost = lines.iter().find(|line| line.line > 0 && below(&line.file).is_some());
        self.sources.text(innermost?)
    }

    /// The name of the branch at an address.
    pub(crate) fn place(&self, address: u64) -> Place {
        place(&self.lines_at(address))
    }

    /// The lines of an address of the program; none for one of a plug-in, whose debug information is in another file.
    fn lines_at(&self, address: u64) -> Vec<Line> {
        match self.loaded.is_program(address) {
            true => self.lines.at(self.relative(address)),
            false => Vec::new(),
        }
    }

    /// An address relative to the file of the code, which does not change with its load address.
    pub(crate) fn relative(&self, address: u64) -> u64 {
        self.loaded.relative(address)
    }
}

/// The name of a branch whose lines are these, the innermost first.
fn place(lines: &[Line]) -> Place {
    let known = lines.iter().filter(|line| line.line > 0);
    let mut inside = known
        .filter_map(|Line { file, line, .. }| below(file).map(|path| format!("{path}:{line}")));
    let line = inside.next();
    // Several functions use an iterator over a set, so its line alone does not tell their branches apart.
    let caller = line.as_deref().and_then(|line| {
        inside.find(|other| !other.starts_with(SHARED) && file_of(other) != file_of(line))
    });
    Place { line, caller }
}

/// The file of a line `FILE:NUMBER`.
fn file_of(line: &str) -> &str {
    line.rsplit_once(':').map_or(line, |(file, _)| file)
}

/// The part of a path from the folder of the designs on.
fn below(file: &str) -> Option<&str> {
    let start = file.rfind(VARIANTS).filter(|&start| start == 0 || file[..start].ends_with('/'));
    start.map(|start| &file[start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_line_is_that_of_the_build() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("lib.rs");
        std::fs::write(&file, "first\n\n    while board[to] == EMPTY {\n").expect("a file");
        let file = file.to_string_lossy().into_owned();
        let line = |line: u32| Line { file: file.clone(), line, function: String::new() };
        let written = changed(Path::new(&file)).expect("a time");
        let of = |built| Sources { built: Some(built), ..Sources::default() };
        let sources = of(written);
        assert_eq!(sources.text(&line(3)).as_deref(), Some("while board[to] == EMPTY {"));
        for nothing in [0, 2, 4] {
            assert_eq!(sources.text(&line(nothing)), None, "line {nothing}");
        }
        let older = of(written - std::time::Duration::from_secs(1));
        assert_eq!(older.text(&line(3)), None, "changed after the build");
    }

    #[test]
    fn a_branch_is_named_by_the_innermost_line_of_a_design() {
        let lines = |files: &[(&str, u32)]| -> Vec<Line> {
            files
                .iter()
                .map(|&(file, line)| Line { file: file.to_owned(), line, function: String::new() })
                .collect()
        };
        let own = lines(&[
            ("/rustc/1/library/core/src/num.rs", 9),
            ("/home/x/variants/bell/src/lib.rs", 7),
            ("/home/x/variants/bell/src/lib.rs", 5),
        ]);
        let expected = Place { line: Some("variants/bell/src/lib.rs:7".to_owned()), caller: None };
        assert_eq!(place(&own), expected);
        let shared = lines(&[
            ("variants/core/src/square.rs", 1),
            ("variants/core/src/movelist.rs", 2),
            ("variants/bell/src/lib.rs", 3),
        ]);
        let expected = Place {
            line: Some("variants/core/src/square.rs:1".to_owned()),
            caller: Some("variants/bell/src/lib.rs:3".to_owned()),
        };
        assert_eq!(place(&shared), expected);
        let set = lines(&[
            ("variants/bitboard/src/sets.rs", 21),
            ("variants/bitboard/src/sets.rs", 9),
            ("variants/bitboard/src/pieces.rs", 40),
            ("variants/core/src/generator.rs", 8),
        ]);
        let expected = Place {
            line: Some("variants/bitboard/src/sets.rs:21".to_owned()),
            caller: Some("variants/bitboard/src/pieces.rs:40".to_owned()),
        };
        assert_eq!(place(&set), expected);
        assert_eq!(place(&lines(&[("/x/invariants/y.rs", 1)])), Place::default());
    }
}
