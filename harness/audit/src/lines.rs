//! Source lines of instructions, through all functions that were inlined.
//!
//! A fifth of all instructions has its first frame in the standard library, and a sixth has no line
//! because LLVM merged code of two lines. So an instruction belongs to the innermost frame that lies in
//! the sources of the designs and has a line.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

use serde::Serialize;

use crate::binary::demangled;
use crate::program::{Program, Unavailable};

/// Sources of designs, and the part that each belongs to. Paths are compared at their ends.
#[derive(Clone, Copy, Debug)]
pub struct Sources {
    /// The folder of all designs; paths are shown from here. `None` for all code that is not of the standard
    /// library of Rust, with whole paths.
    pub root: Option<&'static str>,
    /// Shared rules that are rarely executed, such as castling. They are no part of a design's walk.
    pub rare: &'static [&'static str],
    /// Accessors that all code calls. A line in them does not identify the caller.
    pub accessors: &'static [&'static str],
    /// Sources about pawns, castling and en passant alone.
    pub rest: &'static [&'static str],
}

/// Part of the names of functions that write the promotions of a pawn move.
const PROMOTION: &str = "promot";

/// Parts of the names of functions about pawns, castling and en passant.
const REST: [&str; 6] = ["pawn", PROMOTION, "passant", "passing", "castl", "special"];

raywalk_results::named! {
    /// A portion of the code of an entry, by what it generates.
    pub enum Portion {
        /// Moves of pieces over the squares of rays, lists and sets.
        Walk = "walk",
        /// Moves of pawns, castling and en passant.
        Rest = "rest",
    }
}

/// A line of a source file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Source {
    /// Path from the folder of all designs.
    pub file: String,
    /// Line, counted from 1.
    pub line: u32,
}

impl Source {
    /// Whether this is the end of its path, or of its path and line.
    pub(crate) fn ends_with(&self, end: &str) -> bool {
        self.file.ends_with(end) || self.to_string().ends_with(end)
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Source lines of an instruction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origin {
    /// Frames in the sources of designs, the innermost first. The line is 0 where LLVM merged lines.
    pub(crate) frames: Vec<Source>,
    /// Whether it belongs to the shared rules.
    pub(crate) rare: bool,
    /// Whether it belongs to a function about promotions.
    pub(crate) promotes: bool,
    /// Whether it belongs to a source or a function about pawns, castling or en passant.
    pub(crate) rest: bool,
    /// The innermost frame with a line.
    pub(crate) source: Option<Source>,
    /// The innermost frame with a line outside of accessors.
    pub(crate) place: Option<Source>,
}

/// Looks up the origin of instructions.
pub(crate) trait Origins {
    fn of(&self, address: u64) -> Rc<Origin>;
}

/// The line tables of a program.
pub(crate) struct Lines<'data> {
    lines: raywalk_trace::Lines<'data>,
    sources: Sources,
    known: RefCell<HashMap<u64, Rc<Origin>>>,
}

impl<'data> Lines<'data> {
    pub(crate) fn new(
        program: &Program<'data>,
        sources: Sources,
    ) -> Result<Lines<'data>, Unavailable> {
        let lines = raywalk_trace::Lines::new(program.bytes).map_err(|_| Unavailable::Lines)?;
        Ok(Lines { lines, sources, known: RefCell::default() })
    }

    fn find(&self, address: u64) -> Origin {
        let lines = self.lines.at(address);
        let promotes = lines.iter().any(|line| line.function.contains(PROMOTION));
        let rest = lines.iter().any(|line| is_of_rest(&line.function));
        let frames = lines.into_iter().filter_map(|raywalk_trace::Line { file, line, .. }| {
            let start = match self.sources.root {
                // The last one: a folder above the workspace may have the same name.
                Some(root) => file.rfind(root)?,
                None if file.starts_with("/rustc/") => return None,
                None => 0,
            };
            Some(Source { file: file[start..].to_owned(), line })
        });
        let frames = frames.collect();
        let origin = Origin::new(frames, &self.sources);
        Origin { promotes, rest: rest || origin.rest, ..origin }
    }
}

/// Whether a function is about pawns, castling or en passant by its own name. Path and types do not count, because a
/// design may be called after its pawns.
fn is_of_rest(function: &str) -> bool {
    let name = demangled(function);
    // The name of an inlined function is not mangled. It has no path, and the types behind it.
    let own = if name == function {
        function.split('<').next()
    } else {
        name.rsplit("::").find(|part| !part.starts_with('{'))
    };
    own.is_some_and(|own| REST.iter().any(|part| own.contains(part)))
}

impl Origins for Lines<'_> {
    fn of(&self, address: u64) -> Rc<Origin> {
        if let Some(known) = self.known.borrow().get(&address) {
            return Rc::clone(known);
        }
        let origin = Rc::new(self.find(address));
        self.known.borrow_mut().insert(address, Rc::clone(&origin));
        origin
    }
}

impl Origin {
    pub(crate) fn portion(&self) -> Portion {
        if self.rest || self.rare { Portion::Rest } else { Portion::Walk }
    }

    pub(crate) fn new(frames: Vec<Source>, sources: &Sources) -> Origin {
        let one_of =
            |source: &Source, files: &[&str]| files.iter().any(|file| source.file.ends_with(file));
        let has_line = |source: &&Source| source.line > 0;
        Origin {
            rare: frames.iter().any(|frame| one_of(frame, sources.rare)),
            promotes: false,
            rest: frames.iter().any(|frame| one_of(frame, sources.rest)),
            source: frames.iter().find(has_line).cloned(),
            place: frames
                .iter()
                .filter(has_line)
                .find(|frame| !one_of(frame, sources.accessors))
                .cloned(),
            frames,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(file: &str, line: u32) -> Source {
        Source { file: file.to_owned(), line }
    }

    #[test]
    fn an_instruction_belongs_to_the_innermost_frame_with_a_line() {
        let sources = Sources {
            root: Some("variants/"),
            rare: &["/rules.rs"],
            accessors: &["/list.rs"],
            rest: &["/pawns.rs"],
        };
        let walk = source("variants/a/walk.rs", 7);
        let frames = [source("variants/core/list.rs", 0), source("variants/core/list.rs", 3)];
        let mut frames = frames.to_vec();
        frames.push(walk.clone());
        let origin = Origin::new(frames.clone(), &sources);
        assert!(!origin.rare);
        assert_eq!(origin.portion(), Portion::Walk);
        assert_eq!((origin.source, origin.place), (Some(frames[1].clone()), Some(walk)));
        let with = |file| {
            let frames = frames.iter().cloned().chain([source(file, 9)]).collect();
            Origin::new(frames, &sources)
        };
        let rules = with("variants/core/rules.rs");
        assert!(rules.rare && rules.portion() == Portion::Rest);
        assert_eq!(with("variants/a/pawns.rs").portion(), Portion::Rest);
    }

    #[test]
    fn a_function_about_pawns_is_told_by_its_own_name() {
        for name in [
            "_ZN4walk4pawn17h0123456789abcdefE",
            "_ZN4walk15push_promotions28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE",
            "_ZN8castling12add_castling17h0123456789abcdefE",
            "pawn<core::All>",
        ] {
            assert!(is_of_rest(name), "{name}");
        }
        for name in [
            "_ZN16pawns_one_by_one5slide17h0123456789abcdefE",
            "captures<core::All, walk::{impl#2}::pawn::{closure_env#0}>",
            "{closure#0}<walk::pawn>",
            "",
        ] {
            assert!(!is_of_rest(name), "{name}");
        }
    }
}
