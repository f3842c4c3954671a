use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use raywalk_core::{Checksum, Legality};
use raywalk_measure::design::{ExtraWork, Invocation};
use raywalk_results::schema::Call;

use super::*;
use crate::registry;

const LIMITS: Limits = Limits { nodes: 1000, depth: 9 };

#[test]
fn counts_in_bulk_equal_those_of_leaves_that_are_made() {
    // A board with a list of pieces, one without, and bitboards.
    for id in ["bell/last-square", "mailbox/10x12", "bitboard/hyperbola"] {
        let design = registry::named(id).expect(id).built().expect("every processor can run it");
        assert_eq!(design.legality(), Legality::Pseudo, "{id}");
        for fact in raywalk_positions::facts::perft() {
            for &(depth, count) in fact.perft.iter().filter(|&&(_, count)| count <= 10_000) {
                let counts = [MADE, BULK].map(|how| design.perft(&fact.position, depth, how));
                assert_eq!(counts, [count; 2], "{id}: {} at depth {depth}", fact.name);
            }
        }
    }
}

/// A design without moves to the a-file, an error that every check detects.
struct WithoutFileA(Box<dyn Design>);

impl WithoutFileA {
    fn keep(mv: &Move) -> bool {
        mv.to().file() != 0
    }
}

impl Design for WithoutFileA {
    fn id(&self) -> &str {
        self.0.id()
    }
    fn legality(&self) -> Legality {
        self.0.legality()
    }
    fn offers(&self, call: Call) -> bool {
        self.0.offers(call)
    }
    fn load_after(&mut self, kept: usize, positions: &[Position]) {
        self.0.load_after(kept, positions);
    }
    fn pass(&mut self, invocation: Invocation, range: Range<usize>) -> u64 {
        self.0.pass(invocation, range)
    }
    fn pass_with_extra(&mut self, extra: ExtraWork, range: Range<usize>) -> u64 {
        self.0.pass_with_extra(extra, range)
    }
    fn check(&mut self, call: Call, range: Range<usize>) -> Checksum {
        self.0.check(call, range)
    }
    fn perft(&self, position: &Position, depth: u32, options: PerftOptions<'_>) -> u64 {
        self.divide(position, depth, options.leaves).iter().map(|row| row.1).sum()
    }
    fn divide(&self, position: &Position, depth: u32, leaves: Leaves) -> Vec<(Move, u64)> {
        let rows = self.0.divide(position, depth, leaves);
        rows.into_iter().filter(|(mv, _)| WithoutFileA::keep(mv)).collect()
    }
    fn generated(&self, position: &Position, stage: Stage) -> Vec<Move> {
        self.0.generated(position, stage).into_iter().filter(WithoutFileA::keep).collect()
    }
    fn legal(&self, position: &Position, stage: Stage) -> Vec<Move> {
        self.0.legal(position, stage).into_iter().filter(WithoutFileA::keep).collect()
    }
    fn answers(&self, operation: Operation, position: &Position, legal: &[Move]) -> Vec<u64> {
        self.0.answers(operation, position, legal)
    }
    fn table_bytes(&self) -> usize {
        0
    }
}

fn candidates() -> [Candidate<'static>; 2] {
    let entry = registry::named(registry::REFERENCE).expect("the reference");
    let build = || entry.build().expect("it needs nothing");
    [
        Candidate { card: &entry.card, design: Box::new(WithoutFileA(build())) },
        Candidate { card: &entry.card, design: build() },
    ]
}

fn fact(line: &str) -> Vec<Fact> {
    raywalk_positions::epd::read(line).expect("a line of EPD")
}

#[test]
fn a_missing_move_is_found_and_explained_with_a_right_design() {
    let facts = fact(&format!("{} ;D1 20 ;D2 400 ;D7 3195901860 ; start", Position::START));
    let candidates = candidates();
    let outcomes = super::facts(&candidates, &facts, LIMITS, &|_| ());
    let mismatch = outcomes[0].mismatch.clone().expect("two moves are missing");
    assert_eq!(
        (mismatch.question, mismatch.expected, mismatch.found),
        (Question::Perft(1), 20, 17)
    );
    assert_eq!(outcomes[1], Outcome { checks: 4, skipped: 1, nodes: 420, mismatch: None });
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
fn the_extent_is_what_is_checked_and_what_is_ticked() {
    let start = Position::START;
    let facts = fact(&format!("{start} ;D1 20 ;D2 400 ;D3 8902 ;C 0 ;Q 20\n{start}"));
    let extent = LIMITS.extent(&facts);
    assert_eq!((extent.counts, extent.skipped), (4, 1));
    let ticked = AtomicU64::new(0);
    let tick = |work| {
        ticked.fetch_add(work, Ordering::Relaxed);
    };
    let outcomes = super::facts(&candidates()[1..], &facts, LIMITS, &tick);
    // Each of the two lines adds a check of the stages and one of the other calls.
    assert_eq!((outcomes[0].checks, outcomes[0].skipped), (extent.counts + 4, extent.skipped));
    assert_eq!(ticked.into_inner(), extent.work);
    let none = Limits { depth: 0, ..LIMITS }.extent(&facts);
    assert_eq!((none.counts, none.skipped), (0, 5));
}

#[test]
fn captures_and_quiets_are_counted_separately() {
    // Kiwipete: 48 legal moves, among them 8 captures and 2 castlings.
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let facts = fact(&format!("{fen} ;D1 48 ;C 8 ;Q 40 ; kiwipete"));
    let outcomes = super::facts(&candidates()[1..], &facts, LIMITS, &|_| ());
    assert_eq!((outcomes[0].checks, &outcomes[0].mismatch), (5, &None));
    let wrong = fact(&format!("{fen} ;C 9 ; kiwipete"));
    let outcomes = super::facts(&candidates()[1..], &wrong, LIMITS, &|_| ());
    let mismatch = outcomes[0].mismatch.clone().expect("nine is wrong");
    assert_eq!(mismatch.question, Question::Legal(Stage::Captures));
}

#[test]
fn legal_moves_are_compared_with_the_oracle() {
    let outcomes = move_sets(&candidates(), "start", &[Position::default()], &|_| ());
    assert_eq!(
        outcomes[0].mismatch.as_ref().map(|m| (m.question, m.found)),
        Some((Question::Oracle, 3))
    );
    assert_eq!(outcomes[1].mismatch, None);
}

/// A design that is wrong in one respect.
struct WrongIn(Error, Box<dyn Design>);

enum Error {
    /// The answers to an operation have a bit too many.
    Answers(Operation),
    /// All moves are called captures.
    Stages,
}

impl Design for WrongIn {
    fn id(&self) -> &str {
        self.1.id()
    }
    fn legality(&self) -> Legality {
        self.1.legality()
    }
    fn offers(&self, call: Call) -> bool {
        self.1.offers(call)
    }
    fn table_bytes(&self) -> usize {
        0
    }
    fn load_after(&mut self, _: usize, _: &[Position]) {}
    fn pass(&mut self, _: Invocation, _: Range<usize>) -> u64 {
        0
    }
    fn pass_with_extra(&mut self, _: ExtraWork, _: Range<usize>) -> u64 {
        0
    }
    fn check(&mut self, _: Call, _: Range<usize>) -> Checksum {
        Checksum::default()
    }
    fn generated(&self, position: &Position, stage: Stage) -> Vec<Move> {
        match (&self.0, stage) {
            (Error::Stages, Stage::Captures) => self.1.generated(position, Stage::All),
            (Error::Stages, Stage::Quiets) => Vec::new(),
            _ => self.1.generated(position, stage),
        }
    }
    fn legal(&self, position: &Position, stage: Stage) -> Vec<Move> {
        self.1.legal(position, stage)
    }
    fn answers(&self, operation: Operation, position: &Position, legal: &[Move]) -> Vec<u64> {
        let mut answers = self.1.answers(operation, position, legal);
        if matches!(self.0, Error::Answers(wrong) if wrong == operation) {
            answers.iter_mut().for_each(|word| *word ^= 1 << 7);
        }
        answers
    }
}

#[test]
fn a_wrong_answer_to_any_call_is_found_and_a_right_one_is_not() {
    let entry = registry::named(registry::REFERENCE).expect("the reference");
    // Kiwipete with Black to move has captures, and a pawn wins a knight, so no call has an empty answer.
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1";
    let positions = [fen.parse().expect("a FEN")];
    let offered: Vec<Operation> =
        calls::offered(&*entry.build().expect("it needs nothing")).collect();
    for &operation in &offered {
        let design = WrongIn(Error::Answers(operation), entry.build().expect("it needs nothing"));
        let candidates = [Candidate { card: &entry.card, design: Box::new(design) }];
        let outcomes = move_sets(&candidates, "kiwipete", &positions, &|_| ());
        let mismatch = outcomes[0].mismatch.clone().expect("a wrong answer");
        assert_eq!(mismatch.question, Question::Call(operation));
        assert!(!explain(&*candidates[0].design, &mismatch, &[]).is_empty(), "{operation}");
    }
    let candidates = [Candidate { card: &entry.card, design: entry.build().expect("built") }];
    let outcome = &move_sets(&candidates, "kiwipete", &positions, &|_| ())[0];
    assert_eq!((outcome.mismatch.as_ref(), outcome.checks), (None, 3));
}

#[test]
fn a_quiet_move_among_the_captures_is_found_where_both_stages_together_are_right() {
    let entry = registry::named(registry::REFERENCE).expect("the reference");
    let design = WrongIn(Error::Stages, entry.build().expect("it needs nothing"));
    let candidates = [Candidate { card: &entry.card, design: Box::new(design) }];
    let start = fact(Position::START);
    let by_fact = &facts(&candidates, &start, LIMITS, &|_| ())[0];
    let by_set = &move_sets(&candidates, "start", &[Position::default()], &|_| ())[0];
    for outcome in [by_fact, by_set] {
        let mismatch = outcome.mismatch.clone().expect("twenty quiet moves");
        assert_eq!((mismatch.question, mismatch.found), (Question::Stages, 20));
        let lines = explain(&*candidates[0].design, &mismatch, &[]);
        assert_eq!(lines.len(), 20);
        assert!(lines[0].ends_with(": a quiet move in captures, or a capture in quiets"));
    }
}

#[test]
fn leaves_that_are_counted_and_not_made_are_those_that_were_published() {
    for id in ["bell/last-square", "bitboard/hyperbola"] {
        let entry = registry::named(id).expect("a design");
        let design = entry.build().expect("it needs nothing");
        let mut checked = 0;
        for fact in raywalk_positions::facts::perft() {
            for &(depth, nodes) in fact.perft.iter().filter(|(_, nodes)| *nodes <= 20_000) {
                let found = design.perft(&fact.position, depth, BULK);
                assert_eq!(found, nodes, "{id}: depth {depth} of {}", fact.name);
                checked += 1;
            }
        }
        assert!(checked > 600, "{checked} counts");
    }
}
