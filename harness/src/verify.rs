//! Is a design right? Asked by `raywalk verify`, and at the start of every run: a design that is
//! wrong is named and not timed.
//!
//! The questions (design × fact) are independent, so all cores take them from one queue; answers
//! come back in the order of the list, whoever found them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use raywalk_core::{Card, Leaves, Move, Position, StageId};
use raywalk_positions::epd::Fact;
use raywalk_positions::oracle;

use crate::design::Design;

/// What one design said about one fact.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Counts that were checked and right.
    pub checks: u64,
    /// Counts passed over because they exceed the limit.
    pub skipped: u64,
    /// Leaves visited.
    pub nodes: u64,
    /// The first thing that was wrong.
    pub mismatch: Option<Mismatch>,
}

impl Outcome {
    /// Adds the answers to further questions; the first mismatch stays.
    pub fn add(&mut self, other: Outcome) {
        self.checks += other.checks;
        self.skipped += other.skipped;
        self.nodes += other.nodes;
        self.mismatch = self.mismatch.take().or(other.mismatch);
    }
}

/// A wrong answer, with all that is needed to see it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Name of the fact.
    pub name: String,
    /// The position.
    pub position: Position,
    /// What was asked.
    pub question: Question,
    /// The right answer.
    pub expected: u64,
    /// The design's.
    pub found: u64,
}

/// What a fact asks of a design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Leaves at this depth.
    Perft(u32),
    /// Legal moves of a stage.
    Legal(StageId),
    /// Moves that stand in *all* but in neither part, in both parts, or twice.
    Stages,
    /// Legal moves that differ from those of an independent oracle.
    Oracle,
}

impl std::fmt::Display for Question {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Question::Perft(depth) => write!(f, "leaves at depth {depth}"),
            Question::Legal(stage) => write!(f, "legal moves of stage {}", stage.name()),
            Question::Stages => write!(f, "moves that break `all = captures + quiets`"),
            Question::Oracle => write!(f, "legal moves unlike cozy-chess's"),
        }
    }
}

/// A design under examination.
pub struct Candidate<'a> {
    /// Its card.
    pub card: &'a Card,
    /// Itself.
    pub design: Box<dyn Design>,
}

/// Which counts are checked. The rest is skipped, and counted as skipped.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// No count above this.
    pub nodes: u64,
    /// No depth beyond this.
    pub depth: u32,
}

/// One outcome per candidate over all facts.
///
/// `tick` is called after each answered question, from any thread.
pub fn facts(
    candidates: &[Candidate<'_>],
    facts: &[Fact],
    limits: Limits,
    tick: &(dyn Fn() + Sync),
) -> Vec<Outcome> {
    on_all_cores(candidates, facts, tick, |candidate, fact| {
        fact_of(&*candidate.design, fact, limits)
    })
}

/// One outcome per candidate: legal moves, as sorted sets, against cozy-chess, and the stage
/// contract, over a list of positions.
pub fn move_sets(
    candidates: &[Candidate<'_>],
    name: &str,
    positions: &[Position],
    tick: &(dyn Fn() + Sync),
) -> Vec<Outcome> {
    let chunks: Vec<_> = positions.chunks(256).collect();
    on_all_cores(candidates, &chunks, tick, |candidate, chunk| {
        let mut outcome = Outcome::default();
        for position in *chunk {
            outcome.add(moves_of(&*candidate.design, name, position));
            if outcome.mismatch.is_some() {
                break;
            }
        }
        outcome
    })
}

fn on_all_cores<Q: Sync>(
    candidates: &[Candidate<'_>],
    questions: &[Q],
    tick: &(dyn Fn() + Sync),
    ask: impl Fn(&Candidate<'_>, &Q) -> Outcome + Sync,
) -> Vec<Outcome> {
    let next = AtomicUsize::new(0);
    let total = candidates.len() * questions.len();
    let work = || {
        let mut answers = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= total {
                return answers;
            }
            // By question first: the long ones of all designs spread over the cores.
            let (question, candidate) = (number / candidates.len(), number % candidates.len());
            answers.push((question, candidate, ask(&candidates[candidate], &questions[question])));
            tick();
        }
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut answers: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .flat_map(|w| w.join().unwrap_or_else(|p| std::panic::resume_unwind(p)))
            .collect()
    });
    answers.sort_by_key(|(question, candidate, _)| (*question, *candidate));
    let mut outcomes = vec![Outcome::default(); candidates.len()];
    for (_, candidate, outcome) in answers {
        outcomes[candidate].add(outcome);
    }
    outcomes
}

fn fact_of(design: &dyn Design, fact: &Fact, limits: Limits) -> Outcome {
    let mut outcome = stages_of(design, &fact.name, &fact.position);
    let mut ask = |question, expected, found: &dyn Fn() -> u64| {
        if outcome.mismatch.is_some() {
            return;
        }
        let beyond = matches!(question, Question::Perft(depth) if depth > limits.depth);
        if beyond || expected > limits.nodes {
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
        ask(Question::Perft(depth), nodes, &|| design.perft(position, depth, Leaves::Made));
    }
    for (stage, count) in [(StageId::Captures, fact.captures), (StageId::Quiets, fact.quiets)] {
        if let Some(count) = count {
            ask(Question::Legal(stage), count, &|| design.legal(position, stage).len() as u64);
        }
    }
    outcome
}

fn moves_of(design: &dyn Design, name: &str, position: &Position) -> Outcome {
    let mut outcome = stages_of(design, name, position);
    let found = design.legal(position, StageId::All);
    outcome.nodes += found.len() as u64;
    let expected = right_moves(position);
    let unlike = unlike(&found, &expected);
    if unlike == 0 {
        outcome.checks += 1;
    } else if outcome.mismatch.is_none() {
        outcome.mismatch = Some(mismatch(name, position, Question::Oracle, unlike));
    }
    outcome
}

/// All = captures + quiets, as generated, with no move twice.
fn stages_of(design: &dyn Design, name: &str, position: &Position) -> Outcome {
    let sorted = |stage| {
        let mut moves = design.generated(position, stage);
        moves.sort_unstable();
        moves
    };
    let all = sorted(StageId::All);
    let mut parts = [sorted(StageId::Captures), sorted(StageId::Quiets)].concat();
    parts.sort_unstable();
    let doubles = all.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64;
    let broken = unlike(&all, &parts) + doubles;
    Outcome {
        checks: u64::from(broken == 0),
        mismatch: (broken > 0).then(|| mismatch(name, position, Question::Stages, broken)),
        ..Outcome::default()
    }
}

fn mismatch(name: &str, position: &Position, question: Question, found: u64) -> Mismatch {
    Mismatch { name: name.to_owned(), position: *position, question, expected: 0, found }
}

/// The oracle's legal moves, sorted. A position that it refuses has none, so no design passes it.
fn right_moves(position: &Position) -> Vec<Move> {
    oracle::legal_moves(position).unwrap_or_default()
}

/// How many moves stand in one of two sorted lists alone.
fn unlike(left: &[Move], right: &[Move]) -> u64 {
    let alone = |these: &[Move], those: &[Move]| {
        these.iter().filter(|mv| those.binary_search(mv).is_err()).count() as u64
    };
    let lengths = left.len().abs_diff(right.len()) as u64;
    (alone(left, right) + alone(right, left)).max(lengths)
}

/// The root moves on which a wrong count differs from a right design's, one line each, and whose
/// answer the right one is. The right design is the first that gives the expected count; failing
/// that, the question has no judge and the fact itself is in doubt.
pub fn explain(wrong: &dyn Design, mismatch: &Mismatch, others: &[&Candidate<'_>]) -> Vec<String> {
    let position = &mismatch.position;
    let Question::Perft(depth) = mismatch.question else {
        let found = wrong.legal(position, StageId::All);
        let right = right_moves(position);
        let alone = |these: &[Move], those: &[Move], text: &str| -> Vec<String> {
            these
                .iter()
                .filter(|mv| !those.contains(mv))
                .map(|mv| format!("{mv}: {text}"))
                .collect()
        };
        return [
            alone(&found, &right, "generated, and not legal"),
            alone(&right, &found, "legal, and not generated"),
        ]
        .concat();
    };
    let right = others
        .iter()
        .find(|other| other.design.perft(position, depth, Leaves::Made) == mismatch.expected);
    let Some(right) = right else {
        return vec!["no design gives the expected count: the fact itself may be wrong".to_owned()];
    };
    let expected = right.design.divide(position, depth, Leaves::Made);
    let found = wrong.divide(position, depth, Leaves::Made);
    let count = |rows: &[(Move, u64)], mv| rows.iter().find(|row| row.0 == mv).map(|row| row.1);
    let mut moves: Vec<_> = expected.iter().chain(&found).map(|row| row.0).collect();
    moves.sort_by_cached_key(Move::to_string);
    moves.dedup();
    let show = |count: Option<u64>| count.map_or("no such move".to_owned(), |n| n.to_string());
    let mut lines =
        vec![format!("divide at depth {depth}, where it differs from {}:", right.card.id)];
    for mv in moves {
        let (expected, found) = (count(&expected, mv), count(&found, mv));
        if expected != found {
            lines.push(format!("  {mv}: expected {}, found {}", show(expected), show(found)));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    const LIMITS: Limits = Limits { nodes: 1000, depth: 9 };

    /// A design that forgets every move to a1's file: wrong in a way that all checks can see.
    struct Forgetful(Box<dyn Design>);

    impl Forgetful {
        fn keep(mv: &Move) -> bool {
            mv.to().file() != 0
        }
    }

    impl Design for Forgetful {
        fn perft(&self, position: &Position, depth: u32, leaves: Leaves) -> u64 {
            self.divide(position, depth, leaves).iter().map(|row| row.1).sum()
        }
        fn perft_hashed(&self, position: &Position, depth: u32, leaves: Leaves, _: usize) -> u64 {
            self.perft(position, depth, leaves)
        }
        fn divide(&self, position: &Position, depth: u32, leaves: Leaves) -> Vec<(Move, u64)> {
            let rows = self.0.divide(position, depth, leaves);
            rows.into_iter().filter(|(mv, _)| Forgetful::keep(mv)).collect()
        }
        fn generated(&self, position: &Position, stage: StageId) -> Vec<Move> {
            self.0.generated(position, stage).into_iter().filter(Forgetful::keep).collect()
        }
        fn legal(&self, position: &Position, stage: StageId) -> Vec<Move> {
            self.0.legal(position, stage).into_iter().filter(Forgetful::keep).collect()
        }
        fn table_bytes(&self) -> usize {
            0
        }
    }

    fn candidates() -> [Candidate<'static>; 2] {
        let entry = registry::named(registry::REFERENCE).expect("the reference");
        let build = || entry.build().expect("it needs nothing");
        [
            Candidate { card: &entry.card, design: Box::new(Forgetful(build())) },
            Candidate { card: &entry.card, design: build() },
        ]
    }

    fn fact(line: &str) -> Vec<Fact> {
        raywalk_positions::epd::read(line).expect("a line of EPD")
    }

    #[test]
    fn a_missing_move_is_found_and_the_right_design_is_not_blamed() {
        let facts = fact(&format!("{} ;D1 20 ;D2 400 ;D7 3195901860 ; start", Position::START));
        let candidates = candidates();
        let outcomes = super::facts(&candidates, &facts, LIMITS, &|| ());
        let mismatch = outcomes[0].mismatch.clone().expect("two moves are missing");
        assert_eq!(
            (mismatch.question, mismatch.expected, mismatch.found),
            (Question::Perft(1), 20, 17)
        );
        assert_eq!(outcomes[1], Outcome { checks: 3, skipped: 1, nodes: 420, mismatch: None });
        let lines = explain(&*candidates[0].design, &mismatch, &[&candidates[1]]);
        let missing: Vec<_> = lines[1..].iter().map(|line| line.trim()).collect();
        assert_eq!(
            missing,
            [
                "a2a3: expected 1, found no such move",
                "a2a4: expected 1, found no such move",
                "b1a3: expected 1, found no such move",
            ]
        );
    }

    #[test]
    fn captures_and_quiets_are_counted_with_promotions_and_castling_in_their_places() {
        // Kiwipete: 48 legal moves, of which 8 take and 2 castle.
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let facts = fact(&format!("{fen} ;D1 48 ;C 8 ;Q 40 ; kiwipete"));
        let outcomes = super::facts(&candidates()[1..], &facts, LIMITS, &|| ());
        assert_eq!((outcomes[0].checks, &outcomes[0].mismatch), (4, &None));
        let wrong = fact(&format!("{fen} ;C 9 ; kiwipete"));
        let outcomes = super::facts(&candidates()[1..], &wrong, LIMITS, &|| ());
        let mismatch = outcomes[0].mismatch.clone().expect("nine is wrong");
        assert_eq!(mismatch.question, Question::Legal(StageId::Captures));
    }

    #[test]
    fn move_sets_are_held_against_an_independent_oracle() {
        let outcomes = move_sets(&candidates(), "start", &[Position::default()], &|| ());
        assert_eq!(
            outcomes[0].mismatch.as_ref().map(|m| (m.question, m.found)),
            Some((Question::Oracle, 3))
        );
        assert_eq!(outcomes[1].mismatch, None);
    }
}
