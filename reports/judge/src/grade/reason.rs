//! The letters of a grade, and a problem with its letter.

use std::fmt;

use super::warning::Warning;

/// The grade of a session, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "see `Letter::meaning`")]
pub enum Letter {
    A,
    B,
    C,
    D,
}

impl fmt::Display for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl Letter {
    /// What the numbers of such a session can be used for.
    pub fn meaning(self) -> &'static str {
        match self {
            Letter::A => "no known problem",
            Letter::B => "sound, within the limits stated",
            Letter::C => "good for large differences only",
            Letter::D => "not to be quoted",
        }
    }

    /// The letter of a value that should be small: A up to the first limit, D above the last.
    pub(super) fn of(value: f64, limits: [f64; 3]) -> Letter {
        match limits.iter().position(|&limit| value <= limit) {
            Some(0) => Letter::A,
            Some(1) => Letter::B,
            Some(_) => Letter::C,
            None => Letter::D,
        }
    }
}

/// A problem of a session and its weight.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// The best grade that a session with this problem can have.
    pub letter: Letter,
    /// The problem.
    pub warning: Warning,
}

impl Reason {
    /// `None` for an A: no problem.
    pub(super) fn below_a(letter: Letter, warning: Warning) -> Option<Reason> {
        (letter > Letter::A).then_some(Reason { letter, warning })
    }

    pub(super) fn new(letter: Letter, warning: Warning) -> Reason {
        Reason { letter, warning }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_graded_by_its_limits() {
        let of = |value| Letter::of(value, [0.1, 0.2, 0.3]);
        assert_eq!(
            [0.0, 0.1, 0.2, 0.25, 0.31].map(of).map(|l| l.to_string()),
            ["A", "A", "B", "C", "D"]
        );
    }
}
