//! A design that takes a fixed time per position.

use std::ops::Range;
use std::sync::{Arc, Mutex};

use raywalk_core::random::mix;
use raywalk_core::{Checksum, Legality, Position};
use raywalk_results::schema::{Call, Stage};

use super::clock::Time;
use crate::design::{Design, ExtraWork, Invocation, Perturbed, Timed, Walk, Walked, Walking};

/// A recorded call of a fake design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// [`Design::load_after`]: the number of the first [`position`](super::position), and how many.
    Load(u16, usize),
    /// [`Design::load_nodes`]: the first place, and for each position whether it is a quiescence node.
    Nodes(usize, Vec<bool>),
    /// [`Walking::load`]: the number of nodes of each walk.
    Walks(Vec<usize>),
    /// [`Design::pass`]: the range of boards.
    Pass(Range<usize>),
    /// [`Design::check`]: the range of boards.
    Check(Range<usize>),
    /// [`Design::perturbed_pass`], and whether the invocation was a call.
    Perturbed(Range<usize>, bool),
}

/// Recorded calls in order, each with the id of the design.
pub type Calls = Arc<Mutex<Vec<(String, Recorded)>>>;

/// A design that takes a fixed time per position and finds one move in each.
#[derive(Clone)]
pub struct FakeDesign {
    id: String,
    legality: Legality,
    cost: u64,
    now: Time,
    calls: Calls,
    boards: Vec<u16>,
    quiescence: Vec<bool>,
    walked: Walked,
    /// Legal moves that walks lose.
    lost: u64,
    wrong: Option<u16>,
    missed: Option<u16>,
    whole_only: bool,
    plugin: bool,
    /// Boards until it has learnt, and boards seen in timed passes so far.
    learning: (u64, u64),
}

impl FakeDesign {
    /// A design of `cost` ticks per position.
    pub fn new(id: &str, cost: u64, now: &Time) -> FakeDesign {
        FakeDesign {
            id: id.to_owned(),
            legality: Legality::Pseudo,
            cost,
            now: now.clone(),
            calls: Arc::default(),
            boards: Vec::new(),
            quiescence: Vec::new(),
            walked: Walked::default(),
            lost: 0,
            wrong: None,
            missed: None,
            whole_only: false,
            plugin: false,
            learning: (0, 0),
        }
    }

    /// Begins at twice its cost and becomes 2 % faster with every 256 boards of its passes, up to this
    /// number of boards.
    #[must_use]
    pub fn learning(mut self, boards: u64) -> FakeDesign {
        self.learning = (boards, 0);
        self
    }

    /// Does not offer the scope of the sliders, nor calls that only some designs offer.
    #[must_use]
    pub fn whole_only(mut self) -> FakeDesign {
        self.whole_only = true;
        self
    }

    /// Says that it is a plug-in: [`Design::is_plugin`].
    #[must_use]
    pub fn plugin(mut self) -> FakeDesign {
        self.plugin = true;
        self
    }

    /// Finds a wrong move in the [`position`](super::position) of this number.
    #[must_use]
    pub fn wrong_at(mut self, number: u16) -> FakeDesign {
        self.wrong = Some(number);
        self
    }

    /// Misses the move of the [`position`](super::position) of this number in timed passes and finds it in
    /// checks.
    #[must_use]
    pub fn missing_at(mut self, number: u16) -> FakeDesign {
        self.missed = Some(number);
        self
    }

    /// Takes a legal move of each pass over a walk for an illegal one.
    #[must_use]
    pub fn losing_moves(mut self) -> FakeDesign {
        self.lost = 1;
        self
    }

    /// Promises legal moves, and finds other moves than pseudo-legal designs do.
    #[must_use]
    pub fn legal(mut self) -> FakeDesign {
        self.legality = Legality::Legal;
        self
    }

    /// Appends each of its calls to `calls`.
    #[must_use]
    pub fn recording(mut self, calls: &Calls) -> FakeDesign {
        self.calls = Arc::clone(calls);
        self
    }
}

impl FakeDesign {
    fn record(&self, call: Recorded) {
        self.calls.lock().expect("no test panics while it records").push((self.id.clone(), call));
    }

    /// Takes the time of one board and finds one move, unless the invocation is empty.
    fn work(&self, invocation: Invocation) -> u64 {
        if invocation == Invocation::Empty {
            return 0;
        }
        self.now.set(self.now.get() + self.cost);
        1
    }

    /// Work in a timed pass, in which a design learns and may miss moves.
    fn timed(&mut self, invocation: Invocation, place: usize) -> u64 {
        let (until, seen) = &mut self.learning;
        if *seen < *until {
            let passes = i32::try_from(*seen / 256).unwrap_or(i32::MAX);
            let extra = (self.cost as f64 * 0.98f64.powi(passes)) as u64;
            self.now.set(self.now.get() + extra);
            *seen += 1;
        }
        let found = self.work(invocation);
        if self.missed == Some(self.boards[place]) { 0 } else { found }
    }

    /// A word that identifies the move.
    fn word(&self, call: Call, place: usize) -> u64 {
        let board = self.boards[place];
        let call = match call {
            Call::Generate { stage, scope } => (stage as u64) << 1 | scope as u64,
            Call::Search { search } => 1 << 20 | (search as u64) << 12,
            Call::Operation { operation } => 1 << 21 | (operation as u64) << 12,
        };
        let node = self.quiescence.get(place).copied().unwrap_or_default();
        let call = call ^ u64::from(node) << 24;
        let seen = u64::from(board) << 8 | call << 4 | self.legality as u64;
        mix(seen) ^ u64::from(self.wrong == Some(board))
    }
}

impl Walking for FakeDesign {
    /// A node counts as the board of its number.
    fn load(&mut self, walks: &[&Walk]) {
        let nodes: usize = walks.iter().map(|walk| walk.len()).sum();
        self.boards = (0..nodes).map(|node| node as u16).collect();
        self.walked = Walked::default();
        self.record(Recorded::Walks(walks.iter().map(|walk| walk.len()).collect()));
    }

    fn walked(&self) -> Walked {
        self.walked
    }

    fn are_at_roots(&self) -> bool {
        true
    }
}

impl Design for FakeDesign {
    fn id(&self) -> &str {
        &self.id
    }

    fn legality(&self) -> Legality {
        self.legality
    }

    fn is_plugin(&self) -> bool {
        self.plugin
    }

    fn offers(&self, call: Call) -> bool {
        !self.whole_only || call.is_offered_by_all()
    }

    fn table_bytes(&self) -> usize {
        0
    }

    fn walks(&mut self) -> Option<&mut dyn Walking> {
        Some(self)
    }

    fn load_after(&mut self, kept: usize, positions: &[Position]) {
        self.boards.truncate(kept);
        self.boards.extend(positions.iter().map(|position| position.state().fullmove - 1));
        self.record(Recorded::Load(self.boards.get(kept).copied().unwrap_or(0), positions.len()));
    }

    fn load_nodes(&mut self, kept: usize, quiescence: &[bool]) {
        self.quiescence.truncate(kept);
        self.quiescence.extend(quiescence);
        self.record(Recorded::Nodes(kept, quiescence.to_vec()));
    }

    fn pass(&mut self, invocation: Invocation, range: Range<usize>) -> u64 {
        if let Invocation::Call(call) = invocation
            && call.is_walk()
        {
            let nodes = range.len() as u64;
            self.walked.nodes += nodes;
            self.walked.legal += nodes.saturating_sub(self.lost);
        }
        let moves = range.clone().map(|place| self.timed(invocation, place)).sum();
        self.record(Recorded::Pass(range));
        moves
    }

    fn perturbed_pass(&mut self, invocation: Invocation, run: Perturbed<'_>) -> Timed {
        let Perturbed { range, before, clock } = run;
        let mut timed = Timed::default();
        for place in range.clone() {
            before.perturb();
            let start = clock.start();
            timed.moves += self.timed(invocation, place);
            timed.ticks += clock.end().saturating_sub(start);
        }
        self.record(Recorded::Perturbed(range, invocation != Invocation::Empty));
        timed
    }

    fn pass_with_extra(&mut self, _: ExtraWork, range: Range<usize>) -> u64 {
        self.pass(Call::generate(Stage::All).into(), range)
    }

    fn check(&mut self, call: Call, range: Range<usize>) -> Checksum {
        let mut checksum = Checksum::default();
        for place in range.clone() {
            checksum.moves += self.work(call.into());
            checksum.word = checksum.word.rotate_left(7) ^ self.word(call, place);
        }
        self.record(Recorded::Check(range));
        checksum
    }
}
