//! One sample: a design is brought to a batch, timed over it, and nothing else.
//!
//! The timed region counts moves. Afterwards, never before, because a predictor learns from it, the
//! same calls are made once more and every move is folded: that is what the sample is held to.
//!
//! A sample is cut into blocks of some sixty microseconds, each timed by itself without a pause between
//! them: an interruption spoils one block and not the sample.
//!
//! Where something happens before each call, the calls are timed one by one, and the sample is a
//! difference: a block of disturbed calls, and beside it the same block with empty calls, which of
//! the two comes first in turn. What is left is the call without the reading of the clock. The mean
//! of the middle half of the blocks' differences (the midmean, J. W. Tukey, *Exploratory Data
//! Analysis*, 1977) is what is kept: one interruption of milliseconds within a call is more than all
//! calls of a sample together.

use std::time::Duration;

use raywalk_core::{Checksum, Position};
use raywalk_reports::schema::Sample;
use raywalk_reports::statistics::midmean;

use super::feed::{Feed, Portion, WarmUp};
use super::runner::passes;
use super::sizing;
use crate::measure::clock::Clock;
use crate::measure::counters::{Counters, Event, Reading};
use crate::measure::disturb::Disturb;
use crate::measure::subject::{Call, Subject};

/// Passes after which a replay counts as learnt; eight were enough for random sequences of half
/// the length that a predictor can hold.
const LEARNING_PASSES: u32 = 16;
/// A replay is passed over at least this long, whatever its length.
const LEAST_LEARNING: Duration = Duration::from_micros(250);
/// And, once over it at least, no longer than this.
const MOST_LEARNING: Duration = Duration::from_millis(5);
/// A clock that stands still must not keep a design learning for ever.
const MOST_PASSES: u32 = 100_000;
/// Disturbed calls before the timed ones: what the undisturbed lead has taught is forgotten over
/// several of them.
const SETTLING_CALLS: usize = 64;
/// A change of the core's clock within a sample by more than this is marked.
const CLOCK_STEP: f64 = 0.01;

/// The instruments, and what they are held to in one panel.
pub(super) struct Sampler<'a, C: Clock, K: Counters> {
    pub clock: &'a C,
    pub counters: &'a mut K,
    pub feed: &'a Feed,
    pub positions: &'a [Position],
    pub call: Call,
    /// Into how many blocks a sample is cut, about.
    pub blocks: usize,
    /// What happens before each call, if anything.
    pub disturb: Option<Box<dyn Disturb>>,
    /// The block that each design has on its boards, if it stays there.
    pub loaded: Vec<Option<usize>>,
}

impl<C: Clock, K: Counters> Sampler<'_, C, K> {
    /// Loads the boards and warms the design up.
    pub fn prepare(&mut self, number: usize, subject: &mut dyn Subject, portion: &Portion) {
        self.load(number, subject, portion);
        match &portion.warm_up {
            WarmUp::Lead(lead) => {
                subject.call(self.call, lead.clone());
            }
            WarmUp::Learn { all, then } => {
                let begun = self.clock.start();
                let [least, most] =
                    [LEAST_LEARNING, MOST_LEARNING].map(|limit| self.clock.ticks(limit));
                for pass in 1..=MOST_PASSES {
                    subject.call(self.call, all.clone());
                    let spent = self.clock.end().saturating_sub(begun);
                    if spent >= most || (pass >= LEARNING_PASSES && spent >= least) {
                        break;
                    }
                }
                subject.call(self.call, then.clone());
            }
        }
    }

    /// Lets the last positions of the lead be disturbed as those of the batch will be.
    fn settle(&mut self, subject: &mut dyn Subject, portion: &Portion) {
        if let (Some(disturb), WarmUp::Lead(lead)) = (&mut self.disturb, &portion.warm_up) {
            let first = lead.end.saturating_sub(SETTLING_CALLS).max(lead.start);
            disturb.settle();
            subject.disturbed(self.call, first..lead.end, &mut **disturb, self.clock);
        }
    }

    fn load(&mut self, number: usize, subject: &mut dyn Subject, portion: &Portion) {
        if portion.block.is_none() || self.loaded[number] != portion.block {
            subject.load(&portion.positions_to_load(self.positions));
            self.loaded[number] = portion.block;
        }
    }

    /// The answer of a referee, untimed: the moves of all repeats, and the word of one.
    pub fn answer(
        &mut self,
        number: usize,
        subject: &mut dyn Subject,
        portion: &Portion,
    ) -> Checksum {
        let portion = &portion.without_lead();
        self.load(number, subject, portion);
        let once = passes(subject, self.call, portion);
        Checksum { moves: once.moves * portion.repeats, word: once.word }
    }

    /// The timed region: ticks of each block, and the moves of all passes.
    pub fn time(&mut self, subject: &mut dyn Subject, portion: &Portion) -> (Vec<u64>, u64) {
        let blocks = portion.blocks(self.blocks);
        let mut ticks = vec![0; blocks.len()];
        let mut moves = 0;
        for ((range, repeats), ticks) in blocks.into_iter().zip(&mut ticks) {
            let start = self.clock.start();
            for _ in 0..repeats {
                moves += subject.call(self.call, range.clone());
            }
            *ticks = self.clock.end().saturating_sub(start);
        }
        let overhead = self.clock.facts().overhead;
        ticks.iter_mut().for_each(|ticks| *ticks = ticks.saturating_sub(overhead));
        (ticks, moves)
    }

    /// Ticks of one disturbance, about.
    pub fn time_disturbance(&mut self, subject: &mut dyn Subject) -> Option<f64> {
        let disturb = &mut **self.disturb.as_mut()?;
        let start = self.clock.start();
        subject.disturbed(Call::Nothing, 0..sizing::DISTURBED_TRIAL, disturb, self.clock);
        let ticks = self.clock.end().saturating_sub(start);
        Some(ticks as f64 / sizing::DISTURBED_TRIAL as f64)
    }

    /// The timed region and what was counted in it.
    fn region(&mut self, subject: &mut dyn Subject, portion: &Portion) -> Region {
        if self.disturb.is_some() {
            return self.difference(subject, portion);
        }
        self.counters.start();
        let (blocks, moves) = self.time(subject, portion);
        let reading = self.counters.stop();
        Region { ticks: blocks.iter().sum(), blocks, moves, control: None, reading, lost: false }
    }

    /// The blocks with calls minus those with empty ones.
    fn difference(&mut self, subject: &mut dyn Subject, portion: &Portion) -> Region {
        let mut moves = 0;
        let mut readings = [Reading::default(), Reading::default()];
        let (mut differences, mut controls) = (Vec::new(), Vec::new());
        for (place, boards) in portion.timed.iter().enumerate() {
            let mut ticks = [0; 2];
            for turn in 0..2 {
                let empty = (place + turn) % 2;
                let call = [self.call, Call::Nothing][empty];
                let Some(disturb) = &mut self.disturb else { continue };
                self.counters.start();
                let timed = subject.disturbed(call, boards.clone(), &mut **disturb, self.clock);
                readings[empty].add(self.counters.stop());
                ticks[empty] = timed.ticks;
                moves += timed.moves;
            }
            differences.push(ticks[0] as f64 - ticks[1] as f64);
            controls.push(ticks[1] as f64);
        }
        let whole = |blocks: Vec<f64>| blocks.len() as f64 * midmean(blocks);
        let ticks = whole(differences);
        let [with, without] = readings;
        Region {
            // A journal holds no cost that is not positive; this one is marked.
            ticks: ticks.max(1.0).round() as u64,
            blocks: Vec::new(),
            moves,
            control: Some(whole(controls).round() as u64),
            reading: with.minus(without),
            lost: ticks < 1.0,
        }
    }

    /// A whole sample: prepare, calibrate, count, time, calibrate, check. What was found is to equal
    /// [`answer`](Sampler::answer): the moves counted while they were timed, and the word of the
    /// check, which knows every move of every position.
    pub fn sample(
        &mut self,
        number: usize,
        subject: &mut dyn Subject,
        portion: &Portion,
    ) -> (Sample, Checksum) {
        self.prepare(number, subject, portion);
        self.settle(subject, portion);
        let before = self.clock.cycles_per_tick();
        let Region { ticks, blocks, moves, control, reading, lost } = self.region(subject, portion);
        let after = self.clock.cycles_per_tick();
        let found = Checksum { moves, word: passes(subject, self.call, portion).word };
        let mut marks = Vec::new();
        for (event, mark) in [
            (Event::ContextSwitches, "context-switch"),
            (Event::PageFaults, "page-fault"),
            (Event::CpuMigrations, "migration"),
        ] {
            if reading.values.get(&event).is_some_and(|&count| count > 0) {
                marks.push(mark.to_owned());
            }
        }
        if reading.partial {
            marks.push("counters-shared".to_owned());
        }
        if lost {
            marks.push("no-difference".to_owned());
        }
        let rates = before.zip(after);
        if rates.is_some_and(|(before, after)| (after / before - 1.0).abs() > CLOCK_STEP) {
            marks.push("clock-step".to_owned());
        }
        let events = reading.values.iter();
        let sample = Sample {
            design: subject.id().to_owned(),
            ticks,
            blocks,
            control,
            positions: portion.positions(),
            moves,
            cycles_per_tick: rates.map(|(before, after)| (before + after) / 2.0),
            events: events.map(|(event, &value)| (event.name().to_owned(), value)).collect(),
            marks,
        };
        (sample, found)
    }
}

/// What a timed region gave.
struct Region {
    ticks: u64,
    /// Ticks of each block; none if the sample is a difference.
    blocks: Vec<u64>,
    moves: u64,
    /// What was subtracted, if anything.
    control: Option<u64>,
    reading: Reading,
    /// The calls took less than nothing.
    lost: bool,
}
