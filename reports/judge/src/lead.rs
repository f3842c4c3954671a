//! The fastest of some designs of a panel, and how many of the others may be as fast.
//!
//! The fastest is chosen by the rounds that compare it, so its verdicts share their confidence with all pairs of
//! designs of the panel. A sentence that calls a design the fastest also counts those that are not resolved to be
//! slower.

use raywalk_results::statistics::Verdict;

use crate::format::percent;
use crate::summary::Row;

/// The fastest of some designs, and the others by their verdicts against it.
#[derive(Clone, Debug, PartialEq)]
pub struct Lead<'a> {
    /// The design with the least time.
    pub first: &'a Row,
    /// Number of designs that are resolved to be slower.
    pub(crate) slower: usize,
    /// Number of designs that are equal to the first, and the widest band that this holds for, as a fraction.
    equal: (usize, f64),
    /// Number of designs whose difference from the first is not resolved, or not in its favour.
    open: usize,
    /// Number of designs without an interval, or without a floor.
    not_compared: usize,
}

impl<'a> Lead<'a> {
    /// The lead of the first of some rows, the fastest first. `verdict` judges another one against it. `None` without
    /// rows.
    pub(crate) fn of(
        rows: impl IntoIterator<Item = &'a Row>,
        verdict: impl Fn(&Row) -> Option<Verdict>,
    ) -> Option<Lead<'a>> {
        let mut rows = rows.into_iter();
        let first = rows.next()?;
        let mut lead = Lead { first, slower: 0, equal: (0, 0.0), open: 0, not_compared: 0 };
        for row in rows {
            match verdict(row) {
                Some(Verdict::Slower(_)) => lead.slower += 1,
                Some(Verdict::Equal { within }) => {
                    lead.equal = (lead.equal.0 + 1, lead.equal.1.max(within));
                }
                // A direct comparison may order two designs the other way round than their ratios to the baseline.
                Some(Verdict::NotResolved | Verdict::Faster(_)) => lead.open += 1,
                None => lead.not_compared += 1,
            }
        }
        Some(lead)
    }

    /// Number of designs beside the first.
    pub(crate) fn others(&self) -> usize {
        self.slower + self.rivals()
    }

    /// Number of designs that may be as fast as the first.
    fn rivals(&self) -> usize {
        self.equal.0 + self.open + self.not_compared
    }

    /// Whether every other design is resolved to be slower.
    pub(crate) fn is_resolved(&self) -> bool {
        self.rivals() == 0
    }

    /// Whether there are other designs, and none of them is compared.
    pub(crate) fn lacks_comparisons(&self) -> bool {
        self.not_compared > 0 && self.not_compared == self.others()
    }

    /// The fastest design as a noun phrase: its name if all others are resolved to be slower, `Bell or one of 7 others`
    /// if not.
    pub fn named(&self) -> String {
        let name = &self.first.name;
        let (rivals, (equal, within)) = (self.rivals(), self.equal);
        let of_them = |count: usize| match count == rivals {
            true => String::new(),
            false => format!("{count} of them "),
        };
        let mut notes = Vec::new();
        if equal > 0 {
            notes.push(format!("{}equal to it within {}", of_them(equal), percent(within)));
        }
        if self.not_compared > 0 {
            notes.push(format!("{}not compared with it", of_them(self.not_compared)));
        }
        let note = match &notes[..] {
            [] => String::new(),
            some => format!(" ({})", some.join(", ")),
        };
        match rivals {
            0 => name.clone(),
            1 => format!("{name} or one other{note}"),
            more => format!("{name} or one of {more} others{note}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use raywalk_results::fixture::Recipe;
    use raywalk_results::statistics::Interval;

    use super::*;
    use crate::Judged;

    #[test]
    fn a_design_that_is_not_resolved_to_be_slower_may_be_the_fastest() {
        let results = Recipe::FULL.results();
        let judged = Judged::of(&results);
        let rows = &judged.headline().expect("a headline").rows[..5];
        let by = Interval { low: 1.1, middle: 1.2, high: 1.3 };
        let named = |verdicts: [Option<Verdict>; 4]| {
            let of = |row: &Row| {
                let place = rows.iter().position(|other| other.id == row.id).expect("a row");
                verdicts[place - 1]
            };
            let lead = Lead::of(rows, of).expect("rows");
            assert_eq!(lead.others(), 4);
            lead.named().strip_prefix(rows[0].name.as_str()).expect("the name").to_owned()
        };
        let (slower, faster) = (Some(Verdict::Slower(by)), Some(Verdict::Faster(by)));
        let (open, equal) = (Some(Verdict::NotResolved), Some(Verdict::Equal { within: 0.02 }));
        assert_eq!(named([slower; 4]), "");
        assert_eq!(named([open, slower, slower, slower]), " or one other");
        assert_eq!(named([open, faster, slower, slower]), " or one of 2 others");
        assert_eq!(
            named([equal, slower, equal, slower]),
            " or one of 2 others (equal to it within 2.0 %)"
        );
        let mixed = " or one of 3 others (1 of them equal to it within 2.0 %, 1 of them not compared with it)";
        assert_eq!(named([equal, open, slower, None]), mixed);
        assert_eq!(named([None; 4]), " or one of 4 others (not compared with it)");
    }
}
