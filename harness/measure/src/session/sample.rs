//! Takes one sample: prepares a design for a batch of positions, times it, then verifies its moves.
//!
//! Inside the timed region moves are only counted. A second, untimed pass verifies every move. It runs
//! after the timed one, because running it first would train the branch predictor on the batch.
//!
//! A sample is cut into blocks of some ten microseconds. Each is timed by itself, without a pause
//! between them, so an interruption affects one block and not the whole sample.
//!
//! In a perturbed regime each call is timed by itself, in a block of its own, and the sample is a difference: perturbed
//! calls minus empty calls at the same places, in alternating order. The difference is the
//! cost of the call without the overhead of the clock. One interruption of milliseconds within a call exceeds all calls
//! of a sample together, so the sample is the mean of the differences that lie within a reach that no call exceeds. A
//! mean of the middle ones would leave out the same positions each time, those that cost least and most.

use raywalk_core::{Checksum, Position};
use raywalk_results::schema::{Call, Event, Mark, Sample};
use raywalk_results::statistics::mean_within;

use super::recorded::Recorded;
use crate::clock::Clock;
use crate::counters::{Counters, EventCounts};
use crate::design::{Design, Invocation, Perturbed, Walked};
use crate::environment::Environment;
use crate::learning::{self, Learnt};
use crate::machine::placement;
use crate::perturb::Perturb;
use crate::schedule::Places;
use crate::source::{Batch, Preparation, Span};

/// Perturbed calls before the timed ones. The predictor needs several of them to forget what it learnt
/// from the unperturbed prefix.
const SETTLING_CALLS: usize = 64;
/// A larger relative change of the core's clock rate within a sample is marked.
const CLOCK_STEP: f64 = 0.01;
/// Differences of calls lie within so many of the larger quartile of their median: the dearest positions cost a design
/// some five times as much as most others do, and an interruption takes microseconds.
const REACH: f64 = 8.0;

pub(super) struct Sampler<'a, C: Clock> {
    pub clock: &'a C,
    pub counters: &'a mut dyn Counters,
    pub positions: &'a [Position],
    /// The searches that made the positions, for a call that needs them.
    pub recorded: Option<Recorded>,
    pub call: Call,
    /// Runs before each call, if anything does.
    pub perturb: Option<Box<dyn Perturb>>,
    /// Passes over a replay before each sample, the same for every design.
    pub learning_passes: u64,
    /// The places of the turn.
    pub places: Places,
    /// The boards that each design has loaded and keeps.
    pub loaded: Vec<Option<Span>>,
    /// Seconds in which designs were prepared for turns.
    pub preparing: f64,
}

impl<C: Clock> Sampler<'_, C> {
    /// Loads the boards and warms the design up.
    pub(crate) fn prepare(&mut self, number: usize, design: &mut dyn Design, batch: &Batch) {
        let begun = self.clock.seconds();
        design.choose_list(self.places.list);
        self.load(number, design, batch);
        let loaded = self.clock.seconds();
        match &batch.preparation {
            Preparation::Prefix(prefix) => {
                design.pass(self.call.into(), prefix.clone());
            }
            Preparation::Done => {}
            Preparation::Learn(all) => {
                for _ in 0..self.learning_passes {
                    design.pass(self.call.into(), all.clone());
                }
            }
        }
        self.settle(design, batch);
        let passed = self.clock.seconds() - loaded;
        // Each batch of a walk loads its prefix again.
        let share = if self.call.is_walk() { 0.0 } else { batch.share_of_preparation() };
        self.preparing += passed + (loaded - begun) * share;
    }

    /// Finds out how many passes a design needs to learn a batch of boards that stay loaded.
    pub(crate) fn learn(
        &mut self,
        number: usize,
        design: &mut dyn Design,
        batch: &Batch,
    ) -> Learnt {
        self.load(number, design, batch);
        let (clock, overhead) = (self.clock, self.clock.facts().overhead);
        learning::learn(batch.timed.len(), || {
            let start = clock.start();
            design.pass(self.call.into(), batch.timed.clone());
            clock.end().saturating_sub(start + overhead)
        })
    }

    /// Repeats the last calls of the warm-up prefix with the perturbation.
    fn settle(&mut self, design: &mut dyn Design, batch: &Batch) {
        if let (Some(perturb), Preparation::Prefix(prefix)) =
            (&mut self.perturb, &batch.preparation)
        {
            let first = prefix.end.saturating_sub(SETTLING_CALLS).max(prefix.start);
            perturb.settle();
            let calls = first..prefix.end;
            let run = Perturbed { range: calls, before: &mut **perturb, clock: self.clock };
            design.perturbed_pass(self.call.into(), run);
        }
    }

    fn load(&mut self, number: usize, design: &mut dyn Design, batch: &Batch) {
        let kept = &batch.kept;
        if let Some(recorded) = self.recorded.as_ref().filter(|_| self.call.is_walk()) {
            let spans = [kept, &batch.fresh].into_iter();
            let legality = design.legality();
            let walks: Vec<_> = spans.flat_map(|span| recorded.walks(span, legality)).collect();
            if let Some(own) = design.walks() {
                own.load(&walks);
            }
            return;
        }
        if self.loaded[number].as_ref() != Some(kept) {
            design.load(&kept.positions(self.positions));
            self.load_nodes(design, 0, kept);
            self.loaded[number] = Some(kept.clone());
        }
        if batch.fresh.boards > 0 {
            design.load_after(kept.boards, &batch.fresh.positions(self.positions));
            self.load_nodes(design, kept.boards, &batch.fresh);
        }
    }

    fn load_nodes(&self, design: &mut dyn Design, kept: usize, span: &Span) {
        if let Some(recorded) = &self.recorded {
            design.load_nodes(kept, &span.positions(recorded.quiescence()));
        }
    }

    /// The timed region. Returns the ticks of each block and the moves of all passes.
    pub(crate) fn time(&mut self, design: &mut dyn Design, batch: &Batch) -> (Vec<u64>, u64) {
        let mut ticks = vec![0; batch.blocks.len()];
        let mut moves = 0;
        for ((range, repeats), ticks) in batch.blocks.iter().zip(&mut ticks) {
            let start = self.clock.start();
            for _ in 0..*repeats {
                moves += design.pass(self.call.into(), range.clone());
            }
            *ticks = self.clock.end().saturating_sub(start);
        }
        // Subtracted behind the loop, so that the blocks follow each other without a pause.
        let overhead = self.clock.facts().overhead;
        ticks.iter_mut().for_each(|ticks| *ticks = ticks.saturating_sub(overhead));
        (ticks, moves)
    }

    /// The timed region, with what was counted in it.
    fn region(&mut self, design: &mut dyn Design, batch: &Batch) -> Sample {
        if self.perturb.is_some() {
            return self.difference(design, batch);
        }
        self.counters.start();
        let (blocks, moves) = self.time(design, batch);
        let counts = self.counters.stop();
        let ticks = blocks.iter().sum();
        Sample { ticks, blocks, ..counted(design, batch, moves, counts) }
    }

    /// The timed region of a perturbed regime: calls minus empty calls. Each block is one call.
    fn difference(&mut self, design: &mut dyn Design, batch: &Batch) -> Sample {
        let mut moves = 0;
        let mut counts = [EventCounts::default(), EventCounts::default()];
        let (mut differences, mut empty_calls) = (Vec::new(), Vec::new());
        for (place, (boards, _)) in batch.blocks.iter().enumerate() {
            let mut ticks = [0; 2];
            for turn in 0..2 {
                // The order alternates from call to call, so that drift within a pair cancels out.
                let empty = (place + turn) % 2;
                let invocation = [self.call.into(), Invocation::Empty][empty];
                let Some(perturb) = &mut self.perturb else { continue };
                let range = boards.clone();
                let run = Perturbed { range, before: &mut **perturb, clock: self.clock };
                self.counters.start();
                let timed = design.perturbed_pass(invocation, run);
                counts[empty].add(self.counters.stop());
                ticks[empty] = timed.ticks;
                moves += timed.moves;
            }
            differences.push(ticks[0] as f64 - ticks[1] as f64);
            empty_calls.push(ticks[1] as f64);
        }
        let whole = |calls: Vec<f64>| batch.timed.len() as f64 * mean_within(REACH, calls);
        let ticks = whole(differences);
        let [with, without] = counts;
        let mut sample = counted(design, batch, moves, with.minus(without));
        // Costs in a journal are positive, so a difference below 1 becomes 1 and is marked.
        if ticks < 1.0 {
            sample.marks.push(Mark::NoDifference);
        }
        sample.ticks = ticks.max(1.0).round() as u64;
        sample.empty_calls = Some(whole(empty_calls).round() as u64);
        sample
    }

    /// Takes a sample at the places of the turn: prepare, calibrate, time and count, calibrate, check.
    pub(crate) fn sample(
        &mut self,
        number: usize,
        design: &mut dyn Design,
        batch: &Batch,
        mut environment: Option<&mut (dyn Environment + '_)>,
    ) -> Taken {
        let mut has_neighbour = |cycles_per_tick| {
            environment.as_deref_mut().is_some_and(|it| it.has_neighbour(cycles_per_tick))
        };
        let mut taken = None;
        placement::deeper(self.places.stack, &mut || {
            self.prepare(number, design, batch);
            let before = self.clock.cycles_per_tick();
            let mut is_shared = has_neighbour(before);
            let mut sample = self.region(design, batch);
            let after = self.clock.cycles_per_tick();
            is_shared |= has_neighbour(after);
            let walked = design.walks().map_or_else(Walked::default, |walks| walks.walked());
            let once = design.check(self.call, batch.timed.clone());
            let rates = before.zip(after);
            if rates.is_some_and(|(before, after)| (after / before - 1.0).abs() > CLOCK_STEP) {
                sample.marks.push(Mark::ClockStep);
            }
            if is_shared {
                sample.marks.push(Mark::BusyNeighbour);
            }
            sample.cycles_per_tick = rates.map(|(before, after)| (before + after) / 2.0);
            // The check makes one pass, and the timed region as many as the batch repeats.
            let checked = Checksum { moves: once.moves * batch.repeats, word: once.word };
            let found = Checksum { moves: sample.moves, ..checked };
            taken = Some(Taken { found, checked, walked, sample });
        });
        taken.expect("a sample was taken")
    }
}

/// A sample with the answers of its design.
pub(super) struct Taken {
    pub sample: Sample,
    /// The moves of the timed passes, and the word of the check, which depends on every move of every
    /// position.
    pub found: Checksum,
    /// The moves and the word of the check, in all repeats.
    pub checked: Checksum,
    /// Nodes and moves of the walk, the warm-up included.
    pub walked: Walked,
}

/// A sample without its ticks: the work and the events of a region, marked by its disturbances.
fn counted(design: &dyn Design, batch: &Batch, moves: u64, counts: EventCounts) -> Sample {
    let disturbances = [
        (Event::ContextSwitches, Mark::ContextSwitch),
        (Event::PageFaults, Mark::PageFault),
        (Event::CpuMigrations, Mark::Migration),
    ];
    let happened = |event| counts.values.get(&event).is_some_and(|&count| count > 0);
    let marks = disturbances.into_iter().filter(|&(event, _)| happened(event));
    let mut marks: Vec<Mark> = marks.map(|(_, mark)| mark).collect();
    if counts.partial {
        marks.push(Mark::CountersShared);
    }
    Sample {
        design: design.id().to_owned(),
        ticks: 0,
        blocks: Vec::new(),
        empty_calls: None,
        positions: batch.positions(),
        moves,
        cycles_per_tick: None,
        events: counts.values,
        marks,
    }
}
