//! A case: what the program is given, and what it must answer.

use std::ffi::OsString;
use std::path::Path;

/// One input and the answer to it.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// Unique among the cases of its kind.
    pub name: String,
    pub words: Vec<OsString>,
    /// Standard input; empty if absent.
    pub stdin: Option<Vec<u8>>,
    /// Files of the working folder, by name.
    pub files: Vec<(String, Vec<u8>)>,
    /// Variables that are set, or removed if they have no value.
    pub variables: Vec<(String, Option<OsString>)>,
    /// Whether all other variables are removed.
    pub bare: bool,
    /// Prepares the working folder further: links, pipes, permissions.
    pub prepare: Option<fn(&Path)>,
    pub expected: Expected,
    /// Part of the answer: of stderr for a refusal, else of both streams.
    pub part: String,
    /// Whether colours are expected in the answer.
    pub colours: bool,
}

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// 0: done.
    Done,
    /// 1: a check failed.
    Failed,
    /// 2, with one sentence.
    Refused,
    /// 2, with the usage of the command.
    Usage,
    /// 3: another program failed.
    External,
}

impl Expected {
    pub(crate) fn code(self) -> i32 {
        match self {
            Expected::Done => 0,
            Expected::Failed => 1,
            Expected::Refused | Expected::Usage => 2,
            Expected::External => 3,
        }
    }
}

/// A case of these words, in an empty folder.
pub(crate) fn case(expected: Expected, name: &str, words: &[&str], part: &str) -> Case {
    Case {
        name: name.to_owned(),
        words: words.iter().map(OsString::from).collect(),
        stdin: None,
        files: Vec::new(),
        variables: Vec::new(),
        bare: false,
        prepare: None,
        expected,
        part: part.to_owned(),
        colours: false,
    }
}

/// The program does what was asked.
pub(crate) fn accepted(name: &str, words: &[&str], part: &str) -> Case {
    case(Expected::Done, name, words, part)
}

/// A check fails.
pub(crate) fn failed(name: &str, words: &[&str], part: &str) -> Case {
    case(Expected::Failed, name, words, part)
}

/// The input is refused with a sentence.
pub(crate) fn refused(name: &str, words: &[&str], part: &str) -> Case {
    case(Expected::Refused, name, words, part)
}

/// The command line is refused with the usage of the command.
pub(crate) fn usage(name: &str, words: &[&str], part: &str) -> Case {
    case(Expected::Usage, name, words, part)
}

/// Another program fails.
pub(crate) fn external(name: &str, words: &[&str], part: &str) -> Case {
    case(Expected::External, name, words, part)
}

impl Case {
    /// With this standard input.
    pub(crate) fn stdin(mut self, bytes: impl AsRef<[u8]>) -> Case {
        self.stdin = Some(bytes.as_ref().to_owned());
        self
    }

    /// With this file in the working folder.
    pub(crate) fn file(mut self, name: &str, bytes: impl AsRef<[u8]>) -> Case {
        self.files.push((name.to_owned(), bytes.as_ref().to_owned()));
        self
    }

    /// With this variable set.
    pub(crate) fn set(mut self, variable: &str, value: impl Into<OsString>) -> Case {
        self.variables.push((variable.to_owned(), Some(value.into())));
        self
    }

    /// Without this variable.
    pub(crate) fn unset(mut self, variable: &str) -> Case {
        self.variables.push((variable.to_owned(), None));
        self
    }

    /// Without any variable but those that are set.
    pub(crate) fn bare(mut self) -> Case {
        self.bare = true;
        self
    }

    /// With another word at the end, which need not be UTF-8.
    pub(crate) fn word(mut self, word: impl Into<OsString>) -> Case {
        self.words.push(word.into());
        self
    }

    /// With the working folder prepared by this function, after its files were written.
    pub(crate) fn prepared(mut self, prepare: fn(&Path)) -> Case {
        self.prepare = Some(prepare);
        self
    }

    /// With colours in the answer.
    pub(crate) fn coloured(mut self) -> Case {
        self.colours = true;
        self
    }
}
