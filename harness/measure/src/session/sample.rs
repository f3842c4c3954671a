//! Takes one sample: prepares a design for a batch of positions, times it, then verifies its moves.
//!
//! Inside the timed region moves are only counted. A second, untimed pass verifies every move. It runs
//! after the timed one, because running it first would train the branch predictor on the batch.
//!
//! A sample is cut into blocks of about sixty microseconds. Each is timed by itself, without a pause
//! between them, so an interruption affects one block and not the whole sample.
//!
//! In a disturbed regime each call is timed by itself, and the sample is a difference: blocks of
//! disturbed calls minus the same blocks with empty calls, in alternating order. The difference is the
//! cost of the call without the overhead of the clock. The sample is the interquartile mean of the blocks'
//! differences (the midmean of J. W. Tukey, *Exploratory Data Analysis*, 1977), because one
//! interruption of milliseconds within a call exceeds all calls of a sample together.

use raywalk_core::{Checksum, Position};
use raywalk_results::schema::{Call, Event, Mark, Sample};
use raywalk_results::statistics::interquartile_mean;

use crate::clock::Clock;
use crate::counters::{Counters, EventCounts};
use crate::design::{Design, Invocation};
use crate::disturb::Disturb;
use crate::learning::{self, Learnt};
use crate::sizing;
use crate::source::{Batch, PositionSource, Preparation};

/// Disturbed calls before the timed ones. The predictor needs several of them to forget what it learnt
/// from the undisturbed prefix.
const SETTLING_CALLS: usize = 64;
/// A larger relative change of the core's clock rate within a sample is marked.
const CLOCK_STEP: f64 = 0.01;

pub(super) struct Sampler<'a, C: Clock> {
    pub clock: &'a C,
    pub counters: &'a mut dyn Counters,
    pub source: &'a PositionSource,
    pub positions: &'a [Position],
    pub call: Call,
    /// Approximate number of blocks of a sample.
    pub blocks: usize,
    /// Runs before each call, if anything does.
    pub disturb: Option<Box<dyn Disturb>>,
    /// Passes over a replay before each sample, the same for every design.
    pub learning_passes: u64,
    /// The resident stretch that each design has loaded.
    pub loaded: Vec<Option<usize>>,
}

impl<C: Clock> Sampler<'_, C> {
    /// Loads the boards and warms the design up.
    pub fn prepare(&mut self, number: usize, design: &mut dyn Design, batch: &Batch) {
        self.load(number, design, batch);
        match &batch.preparation {
            Preparation::Prefix(prefix) => {
                design.pass(self.call.into(), prefix.clone());
            }
            Preparation::Learn { all, then } => {
                for _ in 0..self.learning_passes {
                    design.pass(self.call.into(), all.clone());
                }
                design.pass(self.call.into(), then.clone());
            }
        }
    }

    /// Finds out how many passes a design needs to learn a batch; `None` if the batch does not stay
    /// loaded.
    pub fn learn(
        &mut self,
        number: usize,
        design: &mut dyn Design,
        batch: &Batch,
    ) -> Option<Learnt> {
        let Preparation::Learn { all, .. } = &batch.preparation else { return None };
        self.load(number, design, batch);
        let (clock, overhead) = (self.clock, self.clock.facts().overhead);
        Some(learning::learn(all.len(), || {
            let start = clock.start();
            design.pass(self.call.into(), all.clone());
            clock.end().saturating_sub(start + overhead)
        }))
    }

    /// Repeats the last calls of the warm-up prefix with the disturbance.
    fn settle(&mut self, design: &mut dyn Design, batch: &Batch) {
        if let (Some(disturb), Preparation::Prefix(prefix)) =
            (&mut self.disturb, &batch.preparation)
        {
            let first = prefix.end.saturating_sub(SETTLING_CALLS).max(prefix.start);
            disturb.settle();
            let calls = first..prefix.end;
            design.disturbed_pass(self.call.into(), calls, &mut **disturb, self.clock);
        }
    }

    fn load(&mut self, number: usize, design: &mut dyn Design, batch: &Batch) {
        if batch.stretch.is_none() || self.loaded[number] != batch.stretch {
            design.load(&batch.positions_to_load(self.positions));
            self.loaded[number] = batch.stretch;
        }
    }

    /// The answer of a referee, untimed: the number of moves in all repeats, and the word of one.
    pub fn answer(&mut self, number: usize, design: &mut dyn Design, batch: &Batch) -> Checksum {
        let batch = &batch.without_prefix();
        self.load(number, design, batch);
        let once = passes(design, self.call, batch);
        Checksum { moves: once.moves * batch.repeats, word: once.word }
    }

    /// The timed region. Returns the ticks of each block and the moves of all passes.
    pub fn time(&mut self, design: &mut dyn Design, batch: &Batch) -> (Vec<u64>, u64) {
        let blocks = batch.blocks(self.blocks);
        let mut ticks = vec![0; blocks.len()];
        let mut moves = 0;
        for ((range, repeats), ticks) in blocks.into_iter().zip(&mut ticks) {
            let start = self.clock.start();
            for _ in 0..repeats {
                moves += design.pass(self.call.into(), range.clone());
            }
            *ticks = self.clock.end().saturating_sub(start);
        }
        let overhead = self.clock.facts().overhead;
        ticks.iter_mut().for_each(|ticks| *ticks = ticks.saturating_sub(overhead));
        (ticks, moves)
    }

    /// Approximate ticks of one disturbance.
    pub fn time_disturbance(&mut self, design: &mut dyn Design) -> Option<f64> {
        let disturb = &mut **self.disturb.as_mut()?;
        let start = self.clock.start();
        let calls = 0..sizing::DISTURBED_TRIAL;
        design.disturbed_pass(Invocation::Empty, calls, disturb, self.clock);
        let ticks = self.clock.end().saturating_sub(start);
        Some(ticks as f64 / sizing::DISTURBED_TRIAL as f64)
    }

    /// The timed region, with what was counted in it.
    fn region(&mut self, design: &mut dyn Design, batch: &Batch) -> Sample {
        if self.disturb.is_some() {
            return self.difference(design, batch);
        }
        self.counters.start();
        let (blocks, moves) = self.time(design, batch);
        let counts = self.counters.stop();
        let ticks = blocks.iter().sum();
        Sample { ticks, blocks, ..counted(design, batch, moves, counts) }
    }

    /// The timed region of a disturbed regime: blocks with calls minus blocks with empty calls.
    fn difference(&mut self, design: &mut dyn Design, batch: &Batch) -> Sample {
        let mut moves = 0;
        let mut counts = [EventCounts::default(), EventCounts::default()];
        let (mut differences, mut empty_calls) = (Vec::new(), Vec::new());
        for (place, boards) in batch.timed.iter().enumerate() {
            let mut ticks = [0; 2];
            for turn in 0..2 {
                // The order alternates from block to block, so that drift within a pair cancels out.
                let empty = (place + turn) % 2;
                let invocation = [self.call.into(), Invocation::Empty][empty];
                let Some(disturb) = &mut self.disturb else { continue };
                self.counters.start();
                let timed =
                    design.disturbed_pass(invocation, boards.clone(), &mut **disturb, self.clock);
                counts[empty].add(self.counters.stop());
                ticks[empty] = timed.ticks;
                moves += timed.moves;
            }
            differences.push(ticks[0] as f64 - ticks[1] as f64);
            empty_calls.push(ticks[1] as f64);
        }
        let whole = |blocks: Vec<f64>| blocks.len() as f64 * interquartile_mean(blocks);
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

    /// Takes a sample: prepare, calibrate, time and count, calibrate, check. The returned checksum must
    /// equal the referee's [`answer`](Sampler::answer). Its number of moves comes from the timed passes,
    /// its word from the check, which depends on every move of every position.
    pub fn sample(
        &mut self,
        number: usize,
        design: &mut dyn Design,
        batch: &Batch,
    ) -> (Sample, Checksum) {
        self.prepare(number, design, batch);
        self.settle(design, batch);
        let before = self.clock.cycles_per_tick();
        let mut sample = self.region(design, batch);
        let after = self.clock.cycles_per_tick();
        let found = Checksum { moves: sample.moves, word: passes(design, self.call, batch).word };
        let rates = before.zip(after);
        if rates.is_some_and(|(before, after)| (after / before - 1.0).abs() > CLOCK_STEP) {
            sample.marks.push(Mark::ClockStep);
        }
        sample.cycles_per_tick = rates.map(|(before, after)| (before + after) / 2.0);
        (sample, found)
    }
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

/// Adds the checksum of another pass. The order of adding does not matter.
fn add(total: &mut Checksum, pass: Checksum) {
    total.moves = total.moves.wrapping_add(pass.moves);
    total.word = total.word.wrapping_add(pass.word);
}

/// Checksum of every move of a batch, once, untimed.
fn passes(design: &mut dyn Design, call: Call, batch: &Batch) -> Checksum {
    let mut total = Checksum::default();
    for range in &batch.timed {
        add(&mut total, design.check(call, range.clone()));
    }
    total
}
