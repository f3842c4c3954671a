//! The fastest of some designs of a panel, and what the panel shows about the others.
//!
//! The fastest is chosen by the rounds that compare it, so its verdicts share their confidence with all pairs of
//! designs of the panel. A sentence that calls a design the fastest also names those that are not resolved to be
//! slower.

use raywalk_results::statistics::Verdict;

use crate::format::{list, percent};
use crate::summary::Row;

/// The fastest of some designs, and the others by their verdicts against it.
#[derive(Clone, Debug, PartialEq)]
pub struct Lead<'a> {
    /// The design with the least time.
    pub first: &'a Row,
    /// Number of designs that are resolved to be slower.
    pub slower: usize,
    /// Designs that are equal to the first, and the widest band that this holds for, as a fraction.
    equal: (Vec<&'a Row>, f64),
    /// Designs whose difference from the first is not resolved.
    open: Vec<&'a Row>,
    /// Designs without an interval, or without a floor.
    not_compared: Vec<&'a Row>,
}

impl<'a> Lead<'a> {
    /// The lead of the first of some rows, sorted by time. `verdict` judges another one against it. `None` without
    /// rows.
    pub(crate) fn of(
        rows: impl IntoIterator<Item = &'a Row>,
        verdict: impl Fn(&Row) -> Option<Verdict>,
    ) -> Option<Lead<'a>> {
        let mut rows = rows.into_iter();
        let mut lead = Lead {
            first: rows.next()?,
            slower: 0,
            equal: (Vec::new(), 0.0),
            open: Vec::new(),
            not_compared: Vec::new(),
        };
        for row in rows {
            match verdict(row) {
                Some(Verdict::Slower(_)) => lead.slower += 1,
                Some(Verdict::Equal { within }) => {
                    lead.equal.0.push(row);
                    lead.equal.1 = lead.equal.1.max(within);
                }
                // A direct comparison may order two designs the other way round than their ratios to the baseline.
                Some(Verdict::NotResolved | Verdict::Faster(_)) => lead.open.push(row),
                None => lead.not_compared.push(row),
            }
        }
        Some(lead)
    }

    /// Number of designs beside the first.
    pub(crate) fn others(&self) -> usize {
        self.slower + self.equal.0.len() + self.open.len() + self.not_compared.len()
    }

    /// Whether every other design is resolved to be slower.
    pub(crate) fn is_resolved(&self) -> bool {
        self.slower == self.others()
    }

    /// Whether there are other designs, and none of them is compared.
    pub(crate) fn lacks_comparisons(&self) -> bool {
        !self.is_resolved() && self.not_compared.len() == self.others()
    }

    /// Suffix for a sentence that calls the first design the fastest: which of the others are not resolved to be
    /// slower. Empty if all are.
    pub fn note(&self) -> String {
        let (equal, within) = &self.equal;
        let groups = [
            (equal, format!("equal within {} to", percent(*within))),
            (&self.open, "not resolved from".to_owned()),
            (&self.not_compared, "not compared with".to_owned()),
        ];
        let groups = groups.into_iter().filter(|(rows, _)| !rows.is_empty());
        let phrases: Vec<String> =
            groups.map(|(rows, what)| format!("{what} {}", names(rows))).collect();
        match &phrases[..] {
            [] => String::new(),
            some => format!(" ({})", some.join("; ")),
        }
    }
}

/// More names would not be read.
const MOST_NAMES: usize = 2;

/// The names of the first designs, and the number of the others.
fn names(rows: &[&Row]) -> String {
    let mut parts: Vec<String> = rows.iter().map(|row| row.name.clone()).collect();
    if parts.len() > MOST_NAMES + 1 {
        let others = parts.len() - MOST_NAMES;
        parts.truncate(MOST_NAMES);
        parts.push(format!("{others} others"));
    }
    list(&parts)
}
