//! Findings of the checks.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::entry_stage::EntryStage;
use crate::lines::Source;

raywalk_results::texts! {
    /// A check of the audit.
    #[derive(Deserialize, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Check: label {
        /// The code can panic.
        Panic = "a panic",
        /// A loop divides.
        Division = "a division in a loop",
        /// A loop calls a function.
        Call = "a call in a loop",
        /// A branchless design branches on a square.
        BoardJump = "a branch on a square",
        /// A square decides where a loop of a branchless design ends.
        BoardLoopEnd = "a square decides where a loop ends",
        /// No square decides a jump in the walk of a branchy design or in any part of a mixed one, or the branch by
        /// which the designs of a pair differ is not there.
        NoBoardJump = "no branch on a square in the walk",
        /// An innermost loop uses variables on the stack.
        Stack = "a variable on the stack in an innermost loop",
        /// An innermost loop stores the length of the list.
        Length = "the length of the list stored in an innermost loop",
        /// The designs of a pair have different numbers of copies of the walk.
        Copies = "copies of a loop",
        /// The designs of a pair are unrolled differently.
        Unrolling = "unrolling",
        /// One design of a pair is vectorised.
        Vectorisation = "vector arithmetic",
        /// The analysis could not follow a jump or a call.
        Lost = "code that the analysis could not follow",
        /// A declared exception has no finding that it excepts.
        Exception = "an exception without a finding",
    }
}

/// A failed check: which one, where, and what was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The check that found it.
    pub check: Check,
    /// Id of the design in the registry, such as `bell/steps`.
    pub design: String,
    /// Id of the other design, if the finding is about a pair.
    pub against: Option<String>,
    /// The entry of the design.
    pub stage: EntryStage,
    /// Address in the file; `None` for a finding about the whole entry.
    pub address: Option<u64>,
    /// The source line, if there is one.
    pub source: Option<Source>,
    /// The violation in words, without the place.
    pub what: String,
    /// Of stack operands: the part of the executed instructions that have one of them; `None` if nothing was traced.
    pub fraction: Option<f64>,
}

impl Finding {
    /// The designs that it is about: one, or both of a pair.
    pub fn designs(&self) -> impl Iterator<Item = &str> {
        [Some(&self.design), self.against.as_ref()].into_iter().flatten().map(String::as_str)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.design, self.stage, self.what)?;
        if let Some(address) = self.address {
            write!(f, " at {address:#x}")?;
        }
        if let Some(source) = &self.source {
            write!(f, " ({source})")?;
        }
        f.write_str(".")
    }
}
