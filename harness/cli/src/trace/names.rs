//! Names of branches: lines of the designs' own sources.

use raywalk_trace::{Line, Lines, image_base};

/// The folder of the designs in the paths that the compiler was given.
const VARIANTS: &str = "variants/";
/// The crate whose code the designs share, below that folder.
const SHARED: &str = "variants/core/";

/// Where a branch is in the sources, as `variants/…/file.rs:line`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// The innermost line below `variants/`.
    pub(crate) line: Option<String>,
    /// The innermost line in the design's own crate, if that is another one.
    pub(crate) caller: Option<String>,
}

/// Finds the names of branches.
pub(crate) struct Names<'a> {
    lines: Lines<'a>,
    base: u64,
}

impl Names<'_> {
    /// Reads the debug information in the file of the running program.
    ///
    /// # Errors
    /// A sentence if it holds none.
    pub(crate) fn new(program: &[u8]) -> Result<Names<'_>, String> {
        Ok(Names { lines: Lines::new(program)?, base: image_base() })
    }

    /// The name of the branch at an address.
    pub(crate) fn place(&self, address: u64) -> Place {
        place(&self.lines.at(self.relative(address)))
    }

    /// An address relative to the start of the program, which does not change with its load address.
    pub(crate) fn relative(&self, address: u64) -> u64 {
        address.wrapping_sub(self.base)
    }
}

/// The name of a branch whose lines are these, the innermost first.
fn place(lines: &[Line]) -> Place {
    let known = lines.iter().filter(|line| line.line > 0);
    let mut inside = known.filter_map(|Line { file, line }| {
        let start =
            file.rfind(VARIANTS).filter(|&start| start == 0 || file[..start].ends_with('/'));
        start.map(|start| format!("{}:{line}", &file[start..]))
    });
    let line = inside.next();
    let caller = match &line {
        Some(line) if line.starts_with(SHARED) => inside.find(|line| !line.starts_with(SHARED)),
        _ => None,
    };
    Place { line, caller }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_is_named_by_the_innermost_line_of_a_design() {
        let lines = |files: &[(&str, u32)]| -> Vec<Line> {
            files.iter().map(|&(file, line)| Line { file: file.to_owned(), line }).collect()
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
        assert_eq!(place(&lines(&[("/x/invariants/y.rs", 1)])), Place::default());
    }
}
