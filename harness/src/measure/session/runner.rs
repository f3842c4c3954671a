//! The rounds of one panel: every design once, on the same positions, each answer checked.
//!
//! Where the answers come from: the first design of each promise (pseudo-legal, legal) is the
//! *referee* of its class and generates the batch once, untimed. It has been verified against an
//! independent oracle before, on fewer positions; here it shows that the designs of a class agree
//! on every position that is timed. A class of one is compared with itself, which shows only that
//! it repeats itself.

use raywalk_core::{Checksum, Legality, Scope, StageId};
use raywalk_reports::schema::{Panel, Sample, WarmUp};

use super::feed::{Feed, Portion};
use super::sample::Sampler;
use super::{Instruments, SessionError, WrongAnswer, sizing};
use crate::measure::clock::{self, Clock};
use crate::measure::counters::Counters;
use crate::measure::plan::Plan;
use crate::measure::schedule::Schedule;
use crate::measure::subject::{Call, Subject};

/// What the rounds of one panel need.
pub(super) struct Runner<'a, C: Clock, K: Counters> {
    /// Those that have the panel's scope.
    subjects: Vec<&'a mut dyn Subject>,
    baseline: usize,
    referees: Vec<(Legality, usize)>,
    schedule: Schedule,
    panel: &'a Panel,
    sampler: Sampler<'a, C, K>,
}

impl<C: Clock, K: Counters> Instruments<'_, C, K> {
    /// Opens a panel whose designs, baseline and regime are settled; its random orders come from
    /// `seed`.
    pub(super) fn open<R>(
        &mut self,
        panel: &Panel,
        seed: u64,
        work: impl FnOnce(&mut Runner<'_, C, K>) -> Result<R, SessionError>,
    ) -> Result<R, SessionError> {
        let disturb = self
            .disturbances
            .of(&panel.regime)
            .map_err(|why| SessionError::Regime { panel: panel.id.clone(), why })?;
        let unusable = |why| SessionError::Workload { workload: panel.workload.clone(), why };
        let positions = self.workloads.positions(&panel.workload).map_err(unusable)?;
        if positions.len() as u64 != panel.positions {
            let why = format!("has {} positions, not {}", positions.len(), panel.positions);
            return Err(unusable(why));
        }
        let feed = Feed::new(&panel.regime, positions.len()).map_err(unusable)?;
        let mut subjects: Vec<&mut dyn Subject> = Vec::new();
        for subject in self.subjects.iter_mut() {
            if panel.designs.iter().any(|id| id == subject.id()) {
                subjects.push(&mut **subject);
            }
        }
        let baseline = subjects.iter().position(|subject| subject.id() == panel.baseline);
        let (Some(baseline), true) = (baseline, subjects.len() == panel.designs.len()) else {
            return Err(SessionError::NoDesigns);
        };
        work(&mut Runner {
            baseline,
            referees: referees(&subjects),
            schedule: Schedule::new(subjects.len() + 1, seed),
            panel,
            sampler: Sampler {
                clock: self.clock,
                counters: &mut *self.counters,
                feed: &feed,
                positions: &positions,
                call: call_of(panel),
                blocks: panel.blocks as usize,
                disturb,
                loaded: vec![None; subjects.len()],
            },
            subjects,
        })
    }
}

/// The entry that a panel names.
fn call_of(panel: &Panel) -> Call {
    let stage = StageId::ALL.into_iter().find(|stage| stage.name() == panel.stage);
    let scope = Scope::ALL.into_iter().find(|scope| panel.scope.as_deref() == Some(scope.name()));
    Call::of(stage.unwrap_or(StageId::All), scope.unwrap_or_default())
}

impl<C: Clock, K: Counters> Runner<'_, C, K> {
    /// Times each design on a few positions, and settles the positions of a batch and its blocks.
    pub fn size(&mut self, plan: &Plan) -> (usize, usize) {
        let feed = self.sampler.feed;
        let trial = feed.fit(sizing::TRIAL, sizing::TRIAL);
        let mut costs = Vec::new();
        for (number, subject) in self.subjects.iter_mut().enumerate() {
            let ticks = [0, 1, 2].map(|round| {
                let portion = feed.portion(round, trial);
                self.sampler.prepare(number, &mut **subject, &portion);
                let (blocks, _) = self.sampler.time(&mut **subject, &portion);
                blocks.iter().sum::<u64>() as f64 / portion.positions() as f64
            });
            costs.push(clock::median(&ticks));
        }
        let clock = self.sampler.clock;
        let limits = sizing::Limits {
            target: clock.ticks(plan.batch) as f64,
            longest: clock.ticks(Plan::LONGEST_BATCH) as f64,
            least: (Plan::LEAST_QUANTA * clock.facts().quantum) as f64,
        };
        let first = self.subjects.first_mut();
        let size = match first.and_then(|subject| self.sampler.time_disturbance(&mut **subject)) {
            Some(disturbance) => sizing::disturbed_batch(&costs, disturbance, &limits),
            None => sizing::batch(&costs, &limits),
        };
        (feed.fit(size.positions, size.most), sizing::blocks(&limits))
    }

    /// Rounds that are not kept, all at `place`, until one is no faster than those before it. Their
    /// levels: ticks per position of the middle design.
    pub fn warm_up(&mut self, place: u64, batch: usize) -> Result<Vec<f64>, SessionError> {
        let mut levels: Vec<f64> = Vec::new();
        while !is_warm(&levels) {
            let (_, samples) = self.round(levels.len() as u64, place, batch)?;
            let costs = samples.iter().map(|s| s.ticks as f64 / s.positions as f64);
            levels.push(clock::median(&costs.collect::<Vec<_>>()));
        }
        Ok(levels)
    }

    /// One round: the answers first, then every subject in its turn. The order is that of `round`,
    /// the positions are those of `place`. Index of the first position, and the samples.
    pub fn round(
        &mut self,
        round: u64,
        place: u64,
        batch: usize,
    ) -> Result<(u64, Vec<Sample>), SessionError> {
        let portion = self.sampler.feed.portion(place, batch);
        // Events that do not fit on the counters together take turns. The rows of the schedule come
        // in random order, so no event always sees the same orders.
        self.sampler.counters.choose(round as usize);
        let answers = self.answers(&portion);
        let mut samples = Vec::with_capacity(self.subjects.len() + 1);
        for next in self.schedule.order(round) {
            // The last number stands for the twin, which is the baseline itself.
            let twin = next == self.subjects.len();
            let number = if twin { self.baseline } else { next };
            let subject = &mut *self.subjects[number];
            let (mut sample, found) = self.sampler.sample(number, subject, &portion);
            let legality = subject.legality();
            for &(_, referee, expected) in answers.iter().filter(|&&(class, ..)| class == legality)
            {
                if found != expected {
                    return Err(SessionError::Wrong(Box::new(WrongAnswer {
                        design: subject.id().to_owned(),
                        panel: self.panel.id.clone(),
                        round,
                        first: portion.first as u64,
                        positions: portion.positions(),
                        referee: self.subjects[referee].id().to_owned(),
                        expected,
                        found,
                    })));
                }
            }
            if twin {
                sample.design.clone_from(&self.panel.twin);
            }
            samples.push(sample);
        }
        Ok((portion.first as u64, samples))
    }

    /// The answer of each class, untimed.
    fn answers(&mut self, portion: &Portion) -> Vec<(Legality, usize, Checksum)> {
        let mut answers = Vec::with_capacity(self.referees.len());
        for &(class, number) in &self.referees {
            let answer = self.sampler.answer(number, &mut *self.subjects[number], portion);
            answers.push((class, number, answer));
        }
        answers
    }
}

/// The sum of the checksums of several passes: any order of adding gives the same.
pub(super) fn add(total: &mut Checksum, pass: Checksum) {
    total.moves = total.moves.wrapping_add(pass.moves);
    total.word = total.word.wrapping_add(pass.word);
}

/// Every move of a portion, once, untimed.
pub(super) fn passes(subject: &mut dyn Subject, call: Call, portion: &Portion) -> Checksum {
    let mut total = Checksum::default();
    for range in &portion.timed {
        add(&mut total, subject.check(call, range.clone()));
    }
    total
}

/// The first design of each promise.
fn referees(subjects: &[&mut dyn Subject]) -> Vec<(Legality, usize)> {
    let mut referees: Vec<(Legality, usize)> = Vec::new();
    for (number, subject) in subjects.iter().enumerate() {
        let legality = subject.legality();
        if referees.iter().all(|&(known, _)| known != legality) {
            referees.push((legality, number));
        }
    }
    referees
}

/// Whether the last round shows no trend any more, or there were enough of them.
fn is_warm(levels: &[f64]) -> bool {
    levels.len() >= WarmUp::MOST || (levels.len() > 1 && !WarmUp::falls(levels))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_warm_up_until_one_is_no_faster_than_those_before() {
        assert!(!is_warm(&[]) && !is_warm(&[100.0]), "one round shows no trend");
        assert!(is_warm(&[100.0, 99.5]) && is_warm(&[100.0, 130.0]));
        assert!(!is_warm(&[130.0, 110.0]) && !is_warm(&[130.0, 110.0, 101.0]));
        assert!(is_warm(&[130.0, 101.0, 100.5]));
        let ever_faster: Vec<f64> = (0..8).map(|n| 0.9f64.powi(n)).collect();
        assert!(is_warm(&ever_faster) && !is_warm(&ever_faster[..7]));
    }
}
