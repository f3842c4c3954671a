//! Tests of counted numbers: those of traces, machine code and cards, and arithmetic.
//!
//! A count has no noise, so its verdict is that of an interval of width zero. Two counts within the equality
//! margin of the session are equal, like two times.

use raywalk_results::schema::{CacheName, Call, Code, CodeLine, Design, Legality, Status, Trace};
use raywalk_results::statistics::{Floor, Interval, Verdict};

use super::condition::{Condition, Kind, Outcome, Place};
use super::data::{Bound, Count, Counted, Figure, PerWork, matches};
use super::timed::absent;
use raywalk_results::journal::Results;

/// Sizes and counts of designs, without their times.
#[derive(Clone, Copy)]
pub(super) struct Facts<'a> {
    pub designs: &'a [Design],
    pub traces: &'a [Trace],
    pub codes: &'a [Code],
    /// Numbers that differ by less are equal.
    pub margin: f64,
    /// Bytes of the first-level cache for data and of the second-level one, if they are known.
    pub caches: [Option<u64>; 2],
}

impl<'a> Facts<'a> {
    pub(crate) fn of(results: &'a Results) -> Facts<'a> {
        let margin = results.session.margin;
        let caches = &results.session.machine.caches;
        let bytes = |is: &dyn Fn(CacheName) -> bool| {
            caches.iter().find(|cache| is(cache.name)).map(|cache| cache.bytes)
        };
        let caches = [bytes(&CacheName::is_first_for_data), bytes(&|name| name == CacheName::L2)];
        let (designs, traces, codes) = (&results.designs, &results.traces, &results.codes);
        Facts { designs, traces, codes, margin, caches }
    }
}

impl Facts<'_> {
    fn legality(&self, design: &str) -> Option<Legality> {
        self.designs.iter().find(|one| one.id == design).map(|one| one.legality)
    }
}

/// A number of one design in one place.
struct Number<'a> {
    design: &'a str,
    legality: Option<Legality>,
    value: f64,
    place: Place,
}

/// Compares the lowest numbers of both sides in every place that has both.
pub(super) fn compare(facts: Facts<'_>, count: &Count, test: usize) -> Vec<Condition> {
    let ones = numbers(facts, &count.one, count.of, None);
    let mut others = numbers(facts, &count.other, count.of, None);
    others.retain(|other| !matches(&count.one, other.design));
    let mut places: Vec<(&Place, Option<Legality>)> = Vec::new();
    for one in &ones {
        if !places.contains(&(&one.place, one.legality)) {
            places.push((&one.place, one.legality));
        }
    }
    let mut conditions = Vec::new();
    for (place, legality) in places {
        let lowest = |numbers: &[Number<'_>]| {
            let here = numbers.iter().filter(|it| it.place == *place && it.legality == legality);
            let lowest = here.min_by(|a, b| a.value.total_cmp(&b.value))?;
            Some((lowest.design.to_owned(), lowest.value))
        };
        let Some(((one, low), (other, high))) = lowest(&ones).zip(lowest(&others)) else {
            continue;
        };
        let verdict = exact(low, high * count.factor, facts.margin);
        conditions.push(Condition {
            one: Some(one),
            other: Some(other),
            place: place.clone(),
            verdict: Some(verdict),
            ..Condition::new(
                test,
                Kind::of(count.of),
                Outcome::of(count.expect, count.factor, Some(verdict)),
            )
        });
    }
    conditions
}

/// Holds each design to the bound, in every place.
pub(super) fn bound(facts: Facts<'_>, bound: &Bound, test: usize) -> Vec<Condition> {
    let numbers = numbers(facts, &bound.designs, bound.of, bound.per);
    let condition = |number: Number<'_>| {
        let low = bound.least.is_some_and(|least| number.value < least);
        let high = bound.most.is_some_and(|most| number.value > most);
        let outcome = if low || high { Outcome::Contradicts } else { Outcome::Holds };
        Condition {
            one: Some(number.design.to_owned()),
            place: number.place,
            value: Some(number.value),
            ..Condition::new(test, Kind::of(bound.of), outcome)
        }
    };
    numbers.into_iter().map(condition).collect()
}

pub(super) fn figure(figure: &Figure, test: usize) -> Condition {
    let value = figure.value();
    let outcome = match value {
        Some(value) if (figure.least..=figure.most).contains(&value) => Outcome::Holds,
        Some(_) => Outcome::Contradicts,
        None => Outcome::NotResolved,
    };
    let value = value.map(|value| value as f64);
    Condition { value, ..Condition::new(test, Kind::Arithmetic, outcome) }
}

/// Whether each design that ran here passed its verification. The claim is about all of them, so those that passed do
/// not count beside one that did not.
pub(super) fn verified(facts: Facts<'_>, patterns: &[String], test: usize) -> Vec<Condition> {
    let condition = |design: &Design| {
        let outcome = match design.status {
            Status::Verified { .. } => Outcome::Holds,
            Status::Wrong { .. } => Outcome::Contradicts,
            Status::Missing { .. } => return None,
        };
        let one = Some(design.id.clone());
        Some(Condition { one, ..Condition::new(test, Kind::Verified, outcome) })
    };
    let designs = facts.designs.iter().filter(|design| matches(patterns, &design.id));
    let mut conditions: Vec<Condition> = designs.filter_map(condition).collect();
    if conditions.iter().any(|one| one.outcome == Outcome::Contradicts) {
        conditions.retain(|one| one.outcome == Outcome::Contradicts);
    }
    conditions
}

/// Names the data without which a session cannot decide a comparison of counts.
pub(super) fn missing(facts: Facts<'_>, count: &Count) -> String {
    let absent = absent(facts.designs, &count.one).or_else(|| absent(facts.designs, &count.other));
    absent.unwrap_or_else(|| nothing(count.of))
}

/// Names the data without which a session cannot decide a bound.
pub(super) fn missing_bound(facts: Facts<'_>, bound: &Bound) -> String {
    absent(facts.designs, &bound.designs).unwrap_or_else(|| nothing(bound.of))
}

fn nothing(of: Counted) -> String {
    let lacks = if of.is_executed() {
        "the session has no trace of both sides"
    } else if of.is_of_code() {
        "the session lacks the audited loop of a walk"
    } else {
        "the cards of the session lack this size"
    };
    lacks.to_owned()
}

/// The verdict on two exact numbers.
fn exact(one: f64, other: f64, margin: f64) -> Verdict {
    if one == other {
        return Verdict::Equal { within: margin };
    }
    let at = |log: f64| Interval { low: log, middle: log, high: log };
    Verdict::of(at((one / other).ln()), Floor::of(at(0.0)), margin)
}

/// A number of each design that matches, in every place where it is known.
fn numbers<'a>(
    facts: Facts<'a>,
    patterns: &[String],
    of: Counted,
    per: Option<PerWork>,
) -> Vec<Number<'a>> {
    if of.is_executed() {
        let traces = facts.traces.iter().filter(|trace| matches(patterns, &trace.design));
        return traces.filter_map(|trace| traced(facts, trace, of, per)).collect();
    }
    if of.is_of_code() {
        let codes = facts.codes.iter().filter(|code| matches(patterns, &code.design));
        return codes.filter_map(|code| audited(facts, code, of)).collect();
    }
    let designs = facts.designs.iter().filter(|design| matches(patterns, &design.id));
    let size = |design: &'a Design| {
        let bytes = match of {
            Counted::TableBytes => design.table_bytes,
            Counted::BoardBytes => design.board_bytes,
            _ => design.move_bytes,
        };
        // Sizes of legal and pseudo-legal designs may be compared.
        let (design, legality, place) = (&*design.id, None, Place::default());
        Some(Number { design, legality, value: bytes? as f64, place })
    };
    designs.filter_map(size).collect()
}

fn traced<'a>(
    facts: Facts<'_>,
    trace: &'a Trace,
    of: Counted,
    per: Option<PerWork>,
) -> Option<Number<'a>> {
    let counts = &trace.counts;
    let value = match of {
        Counted::Instructions => counts.instructions,
        Counted::Branches => counts.conditional + counts.indirect,
        Counted::Loads => counts.loads,
        Counted::Stores => counts.stores,
        Counted::Lines => trace.caches.lines_per_position,
        Counted::Mispredictions => trace.predictors.first()?.stream,
        Counted::WalkBranches
        | Counted::WalkStackOperands
        | Counted::TableBytes
        | Counted::BoardBytes
        | Counted::MoveBytes => return None,
    };
    let work = match per {
        None => 1.0,
        Some(PerWork::Move) => counts.moves,
        Some(PerWork::Square) => counts.squares,
        Some(PerWork::Instruction) => counts.instructions,
    };
    let place = Place {
        workload: Some(trace.workload.clone()),
        call: Some(Call::generate(trace.stage)),
        ..Place::default()
    };
    let legality = facts.legality(&trace.design);
    let design = &*trace.design;
    (work > 0.0).then(|| Number { design, legality, value: value / work, place })
}

/// A number of the loop of the walk; `None` if the design has no such loop.
fn audited<'a>(facts: Facts<'_>, code: &'a Code, of: Counted) -> Option<Number<'a>> {
    let counts = match of {
        Counted::WalkBranches => CodeLine::is_conditional_jump,
        _ => CodeLine::has_stack_operand,
    };
    let value = code.walk.as_ref()?.lines.iter().filter(|line| counts(line)).count() as f64;
    let legality = facts.legality(&code.design);
    Some(Number { design: &code.design, legality, value, place: Place::default() })
}
