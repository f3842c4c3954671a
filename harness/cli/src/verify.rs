//! Verifies designs, for `raywalk verify` and at the start of every run, where a wrong design is
//! reported and not timed.
//!
//! Unlike the conformance kit, which tests one design type per crate and panics, this module runs any
//! built designs on any facts and returns outcomes. Both compare move lists with
//! [`Difference`](raywalk_positions::difference::Difference).
//!
//! The checks (design × fact) are independent, so all cores take them from one queue. The outcomes do not depend on
//! the order in which they finish.

use std::ops::ControlFlow;

use raywalk_core::parallel::{self, in_order};
use raywalk_core::{Card, Leaves, Legality, Move, Position};
use raywalk_measure::design::{Design, PerftOptions};
use raywalk_positions::difference::Difference;
use raywalk_positions::epd::Fact;
use raywalk_results::schema::{Operation, Stage};

mod calls;
mod explain;
mod stages;

use calls::Expected;
pub(crate) use explain::explain;
use stages::Stages;

/// Perft that makes every leaf and uses no hash table.
const MADE: PerftOptions<'_> = PerftOptions { leaves: Leaves::Made, table: None };

/// Perft that counts the moves of the last ply and uses no hash table.
const BULK: PerftOptions<'_> = PerftOptions { leaves: Leaves::Bulk, table: None };

/// Plies up to which a verification makes every leaf.
const DEEPEST_MADE: u32 = 3;

/// How a verification counts the leaves of a depth. Making and testing them takes most of the time, so in deeper counts
/// of a pseudo-legal design only those moves of the last ply are made whose legality is not seen before. The plies
/// above are made in full, which covers all moves of a count to three plies. A plug-in counts by its own functions.
fn leaves_of(design: &dyn Design, depth: u32) -> PerftOptions<'static> {
    let is_pseudo_legal = design.legality() == Legality::Pseudo;
    if depth > DEEPEST_MADE && is_pseudo_legal && !design.is_plugin() { BULK } else { MADE }
}

/// The result of checking one design.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// Number of right counts.
    pub checks: u64,
    /// Number of counts skipped because of the limits.
    pub skipped: u64,
    /// Number of leaves that the design counted.
    pub nodes: u64,
    /// The first wrong answer.
    pub mismatch: Option<Mismatch>,
}

impl Outcome {
    /// Adds the outcome of further questions. The first mismatch is kept.
    pub(crate) fn add(&mut self, other: Outcome) {
        self.checks += other.checks;
        self.skipped += other.skipped;
        self.nodes += other.nodes;
        self.mismatch = self.mismatch.take().or(other.mismatch);
    }
}

/// A wrong answer, with everything needed to reproduce it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mismatch {
    /// Name of the fact or of the list of positions.
    pub name: String,
    /// The position in which the answer was wrong.
    pub position: Position,
    /// The question that was answered wrongly.
    pub question: Question,
    /// The right count; 0 for questions that count wrong moves.
    pub expected: u64,
    /// The count of the design.
    pub found: u64,
}

/// A question to a design about one position. The answer is a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// Number of leaves at this depth.
    Perft(u32),
    /// Number of legal moves of a stage.
    Legal(Stage),
    /// Number of moves by which *all* differs from *captures* and *quiets* together, plus the moves that
    /// *all* repeats, plus the quiet moves in *captures* and the captures in *quiets*.
    Stages,
    /// Number of legal moves that differ from those of the oracle.
    Oracle,
    /// Number of wrong answers to another call.
    Call(Operation),
}

impl std::fmt::Display for Question {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Question::Perft(depth) => write!(f, "leaves at depth {depth}"),
            Question::Legal(stage) => write!(f, "legal moves of stage {stage}"),
            Question::Stages => write!(f, "moves that are not in their stages once"),
            Question::Oracle => write!(f, "legal moves that differ from those of cozy-chess"),
            Question::Call(operation) => write!(f, "wrong answers of the call `{operation}`"),
        }
    }
}

/// A design to verify.
pub(crate) struct Candidate<'a> {
    /// The card from the registry.
    pub card: &'a Card,
    pub design: Box<dyn Design>,
}

/// Limits of the counts to check. Counts beyond them are skipped and reported as skipped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Largest count to check, in leaves.
    pub nodes: u64,
    /// Largest depth to check, in plies.
    pub depth: u32,
}

impl Limits {
    /// Whether a count of leaves is checked. Legal captures and quiets have depth 1.
    fn allow(self, depth: u32, count: u64) -> bool {
        depth <= self.depth && count <= self.nodes
    }

    /// Work of checking these facts for one design.
    pub(crate) fn extent(self, facts: &[Fact]) -> Extent {
        let mut extent = Extent::default();
        for fact in facts {
            for (depth, count) in counts(fact) {
                if self.allow(depth, count) {
                    extent.counts += 1;
                } else {
                    extent.skipped += 1;
                }
            }
            extent.work += self.work(fact);
        }
        extent
    }

    /// The leaves that a fact takes, and a share for the check of its stages.
    fn work(self, fact: &Fact) -> u64 {
        let allowed = fact.perft.iter().filter(|&&(depth, count)| self.allow(depth, count));
        let leaves = |&(depth, count): &(u32, u64)| match depth {
            ..4 => count,
            // Most of them are counted and not made, which takes three tenths of the time.
            _ => count / 10 * 3,
        };
        STAGES_WORK + allowed.map(leaves).sum::<u64>()
    }
}

/// The counts of a fact with their depths.
fn counts(fact: &Fact) -> impl Iterator<Item = (u32, u64)> + '_ {
    let moves = [fact.captures, fact.quiets].into_iter().flatten().map(|count| (1, count));
    fact.perft.iter().copied().chain(moves)
}

/// Work of a verification for one design.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extent {
    /// Number of counts within the limits, which are checked.
    pub counts: u64,
    /// Number of counts beyond the limits, which are skipped.
    pub skipped: u64,
    /// Leaves to visit, roughly; a unit for progress and remaining time.
    pub work: u64,
}

/// Approximate work of checking the stages and the other calls, in leaves.
const STAGES_WORK: u64 = 2_000;

/// Approximate work of comparing one position with the oracle, in leaves.
pub(crate) const POSITION_WORK: u64 = 2_200;

/// Checks all candidates on all facts. Returns one outcome per candidate.
///
/// `tick` is called with the [work](Extent::work) of a fact after each, from any thread.
pub(crate) fn facts(
    candidates: &[Candidate<'_>],
    facts: &[Fact],
    limits: Limits,
    tick: &(dyn Fn(u64) + Sync),
) -> Vec<Outcome> {
    on_all_cores(candidates, facts, |candidate, fact| {
        let outcome = fact_of(&*candidate.design, fact, limits);
        tick(limits.work(fact));
        outcome
    })
}

/// Positions that a candidate checks in one go.
const CHUNK: usize = 256;

/// Checks the legal moves and the other calls of all candidates against cozy-chess, and the stage contract, over a
/// list of positions. Returns one outcome per candidate; a candidate's first mismatch ends its chunk.
pub(crate) fn move_sets(
    candidates: &[Candidate<'_>],
    name: &str,
    positions: &[Position],
    tick: &(dyn Fn(u64) + Sync),
) -> Vec<Outcome> {
    let mut outcomes = vec![Outcome::default(); candidates.len()];
    for batch in positions.chunks(8 * CHUNK) {
        // Computed once for all candidates.
        let expected = parallel::map(batch, Expected::of);
        let chunks: Vec<_> = batch.chunks(CHUNK).zip(expected.chunks(CHUNK)).collect();
        let further = on_all_cores(candidates, &chunks, |candidate, (positions, expected)| {
            let mut outcome = Outcome::default();
            for (position, expected) in positions.iter().zip(*expected) {
                outcome.add(moves_of(&*candidate.design, name, position, expected.as_ref()));
                if outcome.mismatch.is_some() {
                    break;
                }
            }
            tick(POSITION_WORK * positions.len() as u64);
            outcome
        });
        outcomes.iter_mut().zip(further).for_each(|(outcome, further)| outcome.add(further));
    }
    outcomes
}

fn on_all_cores<Q: Sync>(
    candidates: &[Candidate<'_>],
    questions: &[Q],
    ask: impl Fn(&Candidate<'_>, &Q) -> Outcome + Sync,
) -> Vec<Outcome> {
    let mut outcomes = vec![Outcome::default(); candidates.len()];
    // All designs of one question in a row, so that long questions spread over the cores.
    let answer = |number: u64| {
        let (question, candidate) =
            (number as usize / candidates.len(), number as usize % candidates.len());
        (candidate, ask(&candidates[candidate], &questions[question]))
    };
    // In the order of the queue, so that the first mismatch does not depend on the number of cores.
    in_order((candidates.len() * questions.len()) as u64, answer, |(candidate, outcome)| {
        outcomes[candidate].add(outcome);
        ControlFlow::Continue(())
    });
    outcomes
}

fn fact_of(design: &dyn Design, fact: &Fact, limits: Limits) -> Outcome {
    let stages = Stages::of(design, &fact.position);
    let mut outcome = stages.outcome(&fact.name, &fact.position);
    let mut ask = |question, expected, found: &dyn Fn() -> u64| {
        if outcome.mismatch.is_some() {
            return;
        }
        let depth = if let Question::Perft(depth) = question { depth } else { 1 };
        if !limits.allow(depth, expected) {
            outcome.skipped += 1;
            return;
        }
        let found = found();
        outcome.nodes += found;
        outcome.checks += u64::from(found == expected);
        outcome.mismatch = (found != expected).then(|| Mismatch {
            name: fact.name.clone(),
            position: fact.position,
            question,
            expected,
            found,
        });
    };
    let position = &fact.position;
    for &(depth, nodes) in &fact.perft {
        let options = leaves_of(design, depth);
        ask(Question::Perft(depth), nodes, &|| match design.perft(position, depth, options) {
            // A plug-in may count in bulk by another function.
            found if found == nodes && design.is_plugin() => design.perft(position, depth, BULK),
            found => found,
        });
    }
    for (stage, count) in [(Stage::Captures, fact.captures), (Stage::Quiets, fact.quiets)] {
        if let Some(count) = count {
            ask(Question::Legal(stage), count, &|| design.legal(position, stage).len() as u64);
        }
    }
    // Calls are compared with the stages, so they are checked only after these are known to be right.
    if outcome.mismatch.is_none() {
        outcome.add(calls_of(design, &fact.name, Expected::of(position).as_ref(), &stages));
    }
    outcome
}

/// Checks the calls that the design offers besides generation. Those of a position are one check, which cannot fail if
/// cozy-chess rejects the position.
fn calls_of(
    design: &dyn Design,
    name: &str,
    expected: Option<&Expected>,
    stages: &Stages,
) -> Outcome {
    if let Some(expected) = expected {
        for operation in calls::offered(design) {
            let wrong = calls::errors(design, operation, expected, stages).len();
            if wrong > 0 {
                let position = &expected.position;
                let mismatch = Some(mismatch(name, position, Question::Call(operation), wrong));
                return Outcome { mismatch, ..Outcome::default() };
            }
        }
    }
    Outcome { checks: 1, ..Outcome::default() }
}

fn moves_of(
    design: &dyn Design,
    name: &str,
    position: &Position,
    expected: Option<&Expected>,
) -> Outcome {
    let stages = Stages::of(design, position);
    let mut outcome = stages.outcome(name, position);
    let found = design.legal(position, Stage::All);
    outcome.nodes += found.len() as u64;
    let difference = Difference::of(&found, right_moves(expected));
    if difference.is_empty() {
        outcome.checks += 1;
    } else if outcome.mismatch.is_none() {
        outcome.mismatch = Some(mismatch(name, position, Question::Oracle, difference.len()));
    }
    if outcome.mismatch.is_none() {
        outcome.add(calls_of(design, name, expected, &stages));
    }
    outcome
}

fn mismatch(name: &str, position: &Position, question: Question, wrong: usize) -> Mismatch {
    let found = wrong as u64;
    Mismatch { name: name.to_owned(), position: *position, question, expected: 0, found }
}

/// The oracle's legal moves. Empty if the oracle rejects the position, so that every design fails there.
fn right_moves(expected: Option<&Expected>) -> &[Move] {
    expected.map_or(&[], |expected| &expected.legal)
}

#[cfg(test)]
mod tests;
