//! Clock, counters, designs and positions that need no machine: everything that happens in a
//! session happens on virtual time, and the same way every time.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::rc::Rc;

use raywalk_core::{
    CastlingRights, Checksum, Color, Kind, Legality, Piece, Position, Scope, Square, StageId, State,
};
use raywalk_reports::schema::Regime;

use super::clock::{Clock, Facts};
use super::counters::{Counters, Event, Reading, Unavailable};
use super::disturb::{Disturb, Disturbances};
use super::schedule::mix;
use super::session::Workloads;
use super::subject::{self, Burden, Subject, Timed};

/// Virtual time, shared by all that moves it; one tick is one nanosecond.
pub type Time = Rc<Cell<u64>>;

/// A clock that stands still until somebody works.
#[derive(Debug)]
pub struct FakeClock {
    now: Time,
    facts: Facts,
    rates: RefCell<VecDeque<f64>>,
}

impl FakeClock {
    /// A clock of 1 GHz in steps of ten ticks, without overhead.
    pub fn new(now: &Time) -> FakeClock {
        let facts = Facts {
            source: "fake".to_owned(),
            hertz: 1e9,
            quantum: 10,
            step: 10,
            overhead: 0,
            invariant: true,
        };
        FakeClock { now: Rc::clone(now), facts, rates: RefCell::default() }
    }

    /// The next readings of core cycles per tick; 2.0 when they are used up.
    #[must_use]
    pub fn with_rates(self, rates: &[f64]) -> FakeClock {
        self.rates.borrow_mut().extend(rates);
        self
    }

    /// Ticks of an empty region.
    #[must_use]
    pub fn with_overhead(mut self, overhead: u64) -> FakeClock {
        self.facts.overhead = overhead;
        self
    }
}

impl Clock for FakeClock {
    fn start(&self) -> u64 {
        self.now.get()
    }

    fn end(&self) -> u64 {
        self.now.get() + self.facts.overhead
    }

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn cycles_per_tick(&self) -> Option<f64> {
        Some(self.rates.borrow_mut().pop_front().unwrap_or(2.0))
    }
}

/// Counters that read what they were told to.
#[derive(Debug, Default)]
pub struct FakeCounters {
    /// The next readings; quiet ones when they are used up.
    pub readings: VecDeque<Reading>,
    /// What is said to be missing.
    pub unavailable: Vec<Unavailable>,
}

impl FakeCounters {
    /// A region without a context switch.
    pub fn quiet() -> Reading {
        Reading { values: BTreeMap::from([(Event::ContextSwitches, 0)]), partial: false }
    }
}

impl Counters for FakeCounters {
    fn start(&mut self) {}

    fn stop(&mut self) -> Reading {
        self.readings.pop_front().unwrap_or_else(FakeCounters::quiet)
    }

    fn events(&self) -> Vec<Event> {
        vec![Event::ContextSwitches]
    }

    fn unavailable(&self) -> &[Unavailable] {
        &self.unavailable
    }
}

/// What a design was asked to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// [`Subject::load`] with so many positions, the first being [`position`] of this number.
    Load(u16, usize),
    /// [`Subject::call`].
    Pass(Range<usize>),
    /// [`Subject::check`].
    Check(Range<usize>),
    /// [`Subject::disturbed`], and whether anything is called.
    Disturbed(Range<usize>, bool),
}

/// Calls in order, with the id of the design.
pub type Calls = Rc<RefCell<Vec<(String, Call)>>>;

/// A design that takes a fixed time per position and finds one move in each.
#[derive(Clone)]
pub struct FakeSubject {
    id: String,
    legality: Legality,
    cost: u64,
    now: Time,
    calls: Calls,
    boards: Vec<u16>,
    wrong: Option<u16>,
    missed: Option<u16>,
    scopes: &'static [Scope],
}

impl FakeSubject {
    /// A design of `cost` ticks per position.
    pub fn new(id: &str, cost: u64, now: &Time) -> FakeSubject {
        FakeSubject {
            id: id.to_owned(),
            legality: Legality::Pseudo,
            cost,
            now: Rc::clone(now),
            calls: Rc::default(),
            boards: Vec::new(),
            wrong: None,
            missed: None,
            scopes: &Scope::ALL,
        }
    }

    /// Has no sliders apart.
    #[must_use]
    pub fn whole_only(mut self) -> FakeSubject {
        self.scopes = &[Scope::Whole];
        self
    }

    /// Finds a wrong move in [`position`] of this number.
    #[must_use]
    pub fn wrong_at(mut self, number: u16) -> FakeSubject {
        self.wrong = Some(number);
        self
    }

    /// Misses the move of [`position`] of this number while it is timed, and finds it when checked.
    #[must_use]
    pub fn missing_at(mut self, number: u16) -> FakeSubject {
        self.missed = Some(number);
        self
    }

    /// Promises legal moves, and finds others than those who do not.
    #[must_use]
    pub fn legal(mut self) -> FakeSubject {
        self.legality = Legality::Legal;
        self
    }

    /// Tells what it is asked to do.
    #[must_use]
    pub fn telling(mut self, calls: &Calls) -> FakeSubject {
        self.calls = Rc::clone(calls);
        self
    }
}

impl Subject for FakeSubject {
    fn id(&self) -> &str {
        &self.id
    }

    fn legality(&self) -> Legality {
        self.legality
    }

    fn load(&mut self, positions: &[Position]) {
        self.boards = positions.iter().map(|position| position.state().fullmove - 1).collect();
        let call = Call::Load(self.boards.first().copied().unwrap_or(0), self.boards.len());
        self.calls.borrow_mut().push((self.id.clone(), call));
    }

    fn scopes(&self) -> &'static [Scope] {
        self.scopes
    }

    fn call(&mut self, call: subject::Call, range: Range<usize>) -> u64 {
        let moves = range.clone().map(|place| self.timed(call, place)).sum();
        self.calls.borrow_mut().push((self.id.clone(), Call::Pass(range)));
        moves
    }

    fn disturbed(
        &mut self,
        call: subject::Call,
        range: Range<usize>,
        before: &mut dyn Disturb,
        clock: &dyn Clock,
    ) -> Timed {
        let mut timed = Timed::default();
        for place in range.clone() {
            before.disturb();
            let start = clock.start();
            timed.moves += self.timed(call, place);
            timed.ticks += clock.end().saturating_sub(start);
        }
        let called = call != subject::Call::Nothing;
        self.calls.borrow_mut().push((self.id.clone(), Call::Disturbed(range, called)));
        timed
    }

    fn burdened(&mut self, _: Burden, range: Range<usize>) -> u64 {
        self.pass(StageId::All, range)
    }

    fn check(&mut self, call: subject::Call, range: Range<usize>) -> Checksum {
        let mut checksum = Checksum::default();
        for place in range.clone() {
            checksum.moves += self.work(call);
            checksum.word = checksum.word.rotate_left(7) ^ self.word(call, place);
        }
        self.calls.borrow_mut().push((self.id.clone(), Call::Check(range)));
        checksum
    }
}

impl FakeSubject {
    /// One board: time spent and a move found, if anything is called.
    fn work(&mut self, call: subject::Call) -> u64 {
        if call == subject::Call::Nothing {
            return 0;
        }
        self.now.set(self.now.get() + self.cost);
        1
    }

    /// The same in a timed region.
    fn timed(&mut self, call: subject::Call, place: usize) -> u64 {
        let found = self.work(call);
        if self.missed == Some(self.boards[place]) { 0 } else { found }
    }

    /// What tells the move.
    fn word(&self, call: subject::Call, place: usize) -> u64 {
        let stage = match call {
            subject::Call::Stage(stage) => stage as u64,
            subject::Call::Sliders => 3,
            subject::Call::Nothing => return 0,
        };
        let board = self.boards[place];
        let seen = u64::from(board) << 8 | stage << 4 | self.legality as u64;
        mix(seen) ^ u64::from(self.wrong == Some(board))
    }
}

/// Disturbances that take time and do nothing else.
#[derive(Debug, Default)]
pub struct FakeDisturbances {
    /// Moved by each disturbance.
    pub now: Time,
    /// Ticks that the next disturbances take; what is left takes [`FakeDisturbances::COST`].
    pub costs: Rc<RefCell<VecDeque<u64>>>,
}

impl FakeDisturbances {
    /// Ticks of one disturbance.
    pub const COST: u64 = 5_000;
}

impl Disturbances for FakeDisturbances {
    fn of(&self, regime: &Regime) -> Result<Option<Box<dyn Disturb>>, String> {
        match regime {
            Regime::Cold { branches: 0, .. } => Err("is not written for this machine".to_owned()),
            Regime::Cold { .. } | Regime::Pressure { .. } => Ok(Some(Box::new(FakeDisturbance {
                now: Rc::clone(&self.now),
                costs: Rc::clone(&self.costs),
            }))),
            Regime::Replay { .. } | Regime::Stream { .. } => Ok(None),
        }
    }
}

struct FakeDisturbance {
    now: Time,
    costs: Rc<RefCell<VecDeque<u64>>>,
}

impl Disturb for FakeDisturbance {
    fn disturb(&mut self) {
        let cost = self.costs.borrow_mut().pop_front().unwrap_or(FakeDisturbances::COST);
        self.now.set(self.now.get() + cost);
    }
}

/// Workloads of [`position`] 0, 1, 2, …; a workload is as long as the number in its name.
#[derive(Debug, Default)]
pub struct FakeWorkloads;

impl Workloads for FakeWorkloads {
    fn positions(&mut self, workload: &str) -> Result<Cow<'_, [Position]>, String> {
        let number = workload.rsplit('-').next().and_then(|number| number.parse().ok());
        let length: u16 = number.ok_or("is not known")?;
        Ok((0..length).map(position).collect())
    }
}

/// Two kings, and the number in the move counter: positions differ by it alone.
pub fn position(number: u16) -> Position {
    let mut pieces = [None; 64];
    for (color, home) in [(Color::White, Square::new(4, 0)), (Color::Black, Square::new(4, 7))] {
        pieces[home.index()] = Some(Piece::new(color, Kind::King));
    }
    let state = State {
        side: Color::White,
        rights: CastlingRights::NONE,
        en_passant: None,
        halfmove: 0,
        fullmove: number + 1,
    };
    Position::trusted(pieces, state)
}
