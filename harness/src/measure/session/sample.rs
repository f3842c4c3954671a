//! One sample: a design is brought to a batch, timed over it, and nothing else.

use std::time::Duration;

use raywalk_core::{Checksum, Position, StageId};
use raywalk_reports::schema::Sample;

use super::feed::{Feed, Portion, WarmUp};
use super::passes;
use crate::measure::clock::Clock;
use crate::measure::counters::Counters;
use crate::measure::subject::Subject;

/// Passes after which a replay counts as learnt; eight were enough for random sequences of half
/// the length that a predictor can hold.
const LEARNING_PASSES: u32 = 16;
/// A replay is passed over at least this long, whatever its length.
const LEAST_LEARNING: Duration = Duration::from_micros(250);
/// And, once over it at least, no longer than this.
const MOST_LEARNING: Duration = Duration::from_millis(5);
/// A clock that stands still must not keep a design learning for ever.
const MOST_PASSES: u32 = 100_000;
/// A change of the core's clock within a sample by more than this is marked.
const CLOCK_STEP: f64 = 0.01;

/// The instruments, and what they are held to in one panel.
pub(super) struct Sampler<'a, C: Clock, K: Counters> {
    pub clock: &'a C,
    pub counters: &'a mut K,
    pub feed: &'a Feed,
    pub positions: &'a [Position],
    pub stage: StageId,
    /// The block that each design has on its boards, if it stays there.
    pub loaded: Vec<Option<usize>>,
}

impl<C: Clock, K: Counters> Sampler<'_, C, K> {
    /// Loads the boards and warms the design up.
    pub fn prepare(&mut self, number: usize, subject: &mut dyn Subject, portion: &Portion) {
        self.load(number, subject, portion);
        match &portion.warm_up {
            WarmUp::Lead(lead) => drop(subject.pass(self.stage, lead.clone())),
            WarmUp::Learn { all, then } => {
                let begun = self.clock.start();
                let [least, most] =
                    [LEAST_LEARNING, MOST_LEARNING].map(|limit| self.clock.ticks(limit));
                for pass in 1..=MOST_PASSES {
                    subject.pass(self.stage, all.clone());
                    let spent = self.clock.end().saturating_sub(begun);
                    if spent >= most || (pass >= LEARNING_PASSES && spent >= least) {
                        break;
                    }
                }
                subject.pass(self.stage, then.clone());
            }
        }
    }

    fn load(&mut self, number: usize, subject: &mut dyn Subject, portion: &Portion) {
        if portion.block.is_none() || self.loaded[number] != portion.block {
            subject.load(&portion.positions_to_load(self.positions));
            self.loaded[number] = portion.block;
        }
    }

    /// The answer of a referee, untimed.
    pub fn answer(
        &mut self,
        number: usize,
        subject: &mut dyn Subject,
        portion: &Portion,
    ) -> Checksum {
        let portion = &portion.without_lead();
        self.load(number, subject, portion);
        let once = passes(subject, self.stage, portion);
        Checksum {
            moves: once.moves.wrapping_mul(portion.repeats),
            word: once.word.wrapping_mul(portion.repeats),
        }
    }

    /// The timed region: ticks, and the sum of the checksums of all passes.
    pub fn time(&mut self, subject: &mut dyn Subject, portion: &Portion) -> (u64, Checksum) {
        let mut total = Checksum::default();
        let start = self.clock.start();
        for _ in 0..portion.repeats {
            super::add(&mut total, passes(subject, self.stage, portion));
        }
        let end = self.clock.end();
        (end.saturating_sub(start).saturating_sub(self.clock.facts().overhead), total)
    }

    /// A whole sample: prepare, calibrate, count, time, calibrate.
    pub fn sample(
        &mut self,
        number: usize,
        subject: &mut dyn Subject,
        portion: &Portion,
    ) -> (Sample, Checksum) {
        self.prepare(number, subject, portion);
        let before = self.clock.cycles_per_tick();
        self.counters.start();
        let (ticks, total) = self.time(subject, portion);
        let reading = self.counters.stop();
        let after = self.clock.cycles_per_tick();
        let mut marks = Vec::new();
        if reading.switched() {
            marks.push("context-switch".to_owned());
        }
        if reading.partial {
            marks.push("counters-shared".to_owned());
        }
        let rates = before.zip(after);
        if rates.is_some_and(|(before, after)| (after / before - 1.0).abs() > CLOCK_STEP) {
            marks.push("clock-step".to_owned());
        }
        let events = reading.values.iter();
        let sample = Sample {
            design: subject.id().to_owned(),
            ticks,
            positions: portion.positions(),
            moves: total.moves,
            cycles_per_tick: rates.map(|(before, after)| (before + after) / 2.0),
            events: events.map(|(event, &value)| (event.name().to_owned(), value)).collect(),
            marks,
        };
        (sample, total)
    }
}
