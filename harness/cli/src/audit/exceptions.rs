//! Findings that are accepted, each with its reason.

use raywalk_audit::{Check, Exception};

/// Findings that are accepted, each with its reason. An exception that no finding needs is a finding.
pub(super) const EXCEPTIONS: &[Exception] = &[
    Exception {
        check: Check::BoardLoopEnd,
        design: "raylist",
        stages: &[],
        source: "raylist/src/walk.rs",
        reason: "The ring ends when its first ray comes again. The cell selects the ray, and rays are part \
                 of the board's piece list instead of a table.",
    },
];
