//! A problem of a session, and how serious it is.

use std::fmt;

use super::warning::Warning;

/// Severity of a problem, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; the numbers hold.
    Note,
    /// The numbers hold within the limits stated.
    Limit,
    /// Only large differences can be trusted.
    Serious,
    /// The numbers must not be quoted.
    Fatal,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Note => "note",
            Severity::Limit => "limit",
            Severity::Serious => "serious",
            Severity::Fatal => "fatal",
        })
    }
}

impl Severity {
    /// The severity of a value that should be small: a note up to the first limit, fatal above the last.
    pub(super) fn of(value: f64, limits: [f64; 3]) -> Severity {
        match limits.iter().position(|&limit| value <= limit) {
            Some(0) => Severity::Note,
            Some(1) => Severity::Limit,
            Some(_) => Severity::Serious,
            None => Severity::Fatal,
        }
    }
}

/// A problem of a session and its weight.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// How far the problem limits the trust in the session.
    pub severity: Severity,
    /// The problem that limits the trust in the session.
    pub warning: Warning,
}

impl Reason {
    /// `None` for a note: no problem.
    pub(super) fn if_limiting(severity: Severity, warning: Warning) -> Option<Reason> {
        (severity > Severity::Note).then_some(Reason { severity, warning })
    }

    pub(super) fn new(severity: Severity, warning: Warning) -> Reason {
        Reason { severity, warning }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_above_its_limits_is_more_serious() {
        let of = |value| Severity::of(value, [0.1, 0.2, 0.3]);
        assert_eq!(
            [0.0, 0.1, 0.2, 0.25, 0.31].map(of).map(|l| l.to_string()),
            ["note", "note", "limit", "serious", "fatal"]
        );
    }
}
