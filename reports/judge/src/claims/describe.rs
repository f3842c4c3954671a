//! Describes the results that support or contradict a claim, in sentences made from its tests.

use raywalk_results::format::grouped;
use raywalk_results::statistics::factor;

use super::condition::Kind;
use super::data::{Bound, Claim, Comparison, Count, Expected, Figure, PerWork, Where, call};

/// A test in words. Both sentences lack the full stop.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Test {
    /// Source of its outcome: a clock, exact counts or a model.
    pub kind: Kind,
    /// The result that supports the claim.
    pub supports: String,
    /// The result that contradicts it.
    pub contradicts: String,
    /// Whether the designs differ in one parameter, as `raywalk audit` confirms.
    pub audited: bool,
}

impl Claim {
    /// The tests in words, in the order of their numbers.
    pub fn tests(&self) -> Vec<Test> {
        let timed = self.compare.iter().map(Comparison::test);
        let counts = self.count.iter().map(Count::test);
        let bounds = self.bound.iter().map(Bound::test);
        let figures = self.figure.iter().map(Figure::test);
        let verified = (!self.verified.is_empty()).then(|| verified(&self.verified));
        let mut tests: Vec<Test> =
            timed.chain(counts).chain(bounds).chain(figures).chain(verified).collect();
        if let Some(on) = self.on {
            for text in
                tests.iter_mut().flat_map(|test| [&mut test.supports, &mut test.contradicts])
            {
                text.push_str(&format!(", on {}", on.label()));
            }
        }
        tests
    }

    /// The kinds of its tests, without repeats; none if it cannot be tested.
    pub fn kinds(&self) -> Vec<Kind> {
        let mut kinds: Vec<Kind> = self.tests().iter().map(|test| test.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }
}

impl Comparison {
    fn test(&self) -> Test {
        let call_of = |id: &String| call(id).map_or_else(|| id.clone(), |call| call.label());
        let calls: Vec<String> = self.calls().iter().map(|call| call.label()).collect();
        let place = format!(" ({}{})", calls.join(" or "), self.place.text());
        let other_call = self.other_call.as_ref().map(call_of);
        let other = match other_call {
            Some(call) => format!("{} in the call {call}", side(&self.other)),
            None => side(&self.other),
        };
        let sentence = |relation: &str| {
            format!("{} {relation} {}{other}{place}", side(&self.one), times(self.factor))
        };
        if let Some(against) = &self.against {
            let [one, other] = [&self.one, &self.other].map(|patterns| side(patterns));
            let there = format!(" ({}{})", calls.join(" or "), against.text());
            let sentence = |relation: &str| {
                format!("the ratio of {one} to {other} is {relation} in{place} than in{there}")
            };
            return Test {
                kind: Kind::Measured,
                supports: sentence("lower"),
                contradicts: sentence("higher"),
                audited: self.audited,
            };
        }
        let [supports, contradicts] = match self.expect {
            Expected::Less => ["takes less time than", "takes more time than"],
            Expected::NoMore => ["takes no more time than", "takes more time than"],
            Expected::Equal => ["takes the same time as", "takes another time than"],
        };
        Test {
            kind: Kind::Measured,
            supports: sentence(supports),
            contradicts: sentence(contradicts),
            audited: self.audited,
        }
    }
}

impl Where {
    /// Limits of the panels other than the call, as a suffix: `; cold; tree order`.
    pub(super) fn text(&self) -> String {
        let regimes: Vec<&str> = self.regimes.iter().map(|one| one.name()).collect();
        let orders: Vec<&str> = self.orders.iter().map(|one| one.name()).collect();
        let mut text = String::new();
        if !regimes.is_empty() {
            text.push_str(&format!("; {}", regimes.join(" or ")));
        }
        if let Some(perturbed) = self.perturbed {
            text.push_str(if perturbed { " of more than 0" } else { " of 0" });
        }
        if !orders.is_empty() {
            text.push_str(&format!("; order {}", orders.join(" or ")));
        }
        if !self.workloads.is_empty() {
            text.push_str(&format!("; {}", self.workloads.join(" or ")));
        }
        text
    }
}

impl Count {
    fn test(&self) -> Test {
        let sentence = |relation: &str| {
            let (of, by) = (self.of.label(), times(self.factor));
            format!("{} has {relation} {by}{}: {of}", side(&self.one), side(&self.other))
        };
        let [supports, contradicts] = match self.expect {
            Expected::Less => ["fewer than", "more than"],
            Expected::NoMore => ["no more than", "more than"],
            Expected::Equal => ["as many as", "another number than"],
        };
        Test {
            kind: Kind::of(self.of),
            supports: sentence(supports),
            contradicts: sentence(contradicts),
            audited: self.audited,
        }
    }
}

impl Bound {
    fn test(&self) -> Test {
        let of = self.of.label();
        let per = match self.per {
            None if self.of.is_executed() => " per position",
            None => "",
            Some(PerWork::Move) => " per move",
            Some(PerWork::Square) => " per visited square",
            Some(PerWork::Instruction) => " per instruction",
        };
        let range = match (self.least, self.most) {
            (Some(least), Some(most)) if least == most => format!("exactly {least}"),
            (Some(least), Some(most)) => format!("{least} to {most}"),
            (Some(least), None) => format!("at least {least}"),
            (None, most) => format!("at most {}", most.unwrap_or(f64::INFINITY)),
        };
        let designs = self.designs.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>();
        let subject = format!("{}: {of}{per}", designs.join(", "));
        Test {
            kind: Kind::of(self.of),
            supports: format!("{subject} {range}"),
            contradicts: format!("{subject} not {range}"),
            audited: false,
        }
    }
}

impl Figure {
    fn test(&self) -> Test {
        let term =
            |term: &Vec<u64>| term.iter().map(|&one| grouped(one)).collect::<Vec<_>>().join(" × ");
        let sum = self.terms.iter().map(term).collect::<Vec<_>>().join(" + ");
        let range = match self.least == self.most {
            true => grouped(self.least),
            false => format!("{} to {}", grouped(self.least), grouped(self.most)),
        };
        Test {
            kind: Kind::Arithmetic,
            supports: format!("{}, {sum}, is {range}", self.what),
            contradicts: format!("{}, {sum}, is not {range}", self.what),
            audited: false,
        }
    }
}

fn verified(designs: &[String]) -> Test {
    let designs = designs.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ");
    Test {
        kind: Kind::Verified,
        supports: format!("every design of {designs} passes its verification"),
        contradicts: format!("some design of {designs} fails its verification"),
        audited: false,
    }
}

/// `` `bell/steps` `` or ``the best of `mailbox/*`, `bell/*` ``.
fn side(patterns: &[String]) -> String {
    let names: Vec<String> = patterns.iter().map(|one| format!("`{one}`")).collect();
    match patterns {
        [only] if !only.ends_with('*') => names.concat(),
        _ => format!("the best of {}", names.join(", ")),
    }
}

/// `1.250 times `, or nothing for a factor of 1.
fn times(by: f64) -> String {
    if by == 1.0 { String::new() } else { format!("{} times ", factor(by)) }
}
