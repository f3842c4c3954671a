//! Runs the rounds of one panel: every design once, on the same positions, with every answer checked.
//!
//! The first design of each legality is the *referee* of its class: it generates the batch once,
//! untimed, and the other designs of the class must find the same moves. All designs were verified
//! against an independent oracle before, on fewer positions; the referee shows that a class agrees on
//! every timed position. In a class of one, the design is compared with itself, which only shows that its
//! results are repeatable.

use raywalk_core::{Checksum, Legality};
use raywalk_results::schema::{Learning, Panel, Sample, WarmUp};
use raywalk_results::statistics::median;

use super::error::{SessionError, WrongAnswer};
use super::instruments::Instruments;
use super::sample::Sampler;
use crate::clock::Clock;
use crate::design::Design;
use crate::learning::{self, Learnt};
use crate::plan::Plan;
use crate::regime::rules;
use crate::schedule::Schedule;
use crate::sizing;
use crate::source::Batch;

pub(super) struct Runner<'a, C: Clock> {
    /// The designs that offer the panel's call.
    designs: Vec<&'a mut dyn Design>,
    baseline: usize,
    referees: Vec<(Legality, usize)>,
    schedule: Schedule,
    panel: &'a Panel,
    sampler: Sampler<'a, C>,
    /// Ticks per position of each design on learnt positions, if that is all there is to time.
    learnt: Vec<f64>,
}

impl<C: Clock> Instruments<'_, C> {
    /// Opens a described panel and runs `work` on it. Its random orders come from `seed`.
    pub(super) fn open<R>(
        &mut self,
        panel: &Panel,
        seed: u64,
        work: impl FnOnce(&mut Runner<'_, C>) -> Result<R, SessionError>,
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
        if positions.is_empty() {
            return Err(unusable("has no positions".to_owned()));
        }
        let source =
            rules(panel.regime.kind).source(&panel.regime, positions.len()).map_err(unusable)?;
        let mut designs: Vec<&mut dyn Design> = Vec::new();
        for design in self.designs.iter_mut() {
            if panel.designs.iter().any(|id| id == design.id()) {
                designs.push(&mut **design);
            }
        }
        let baseline = designs.iter().position(|design| design.id() == panel.baseline);
        let (Some(baseline), true) = (baseline, designs.len() == panel.designs.len()) else {
            return Err(SessionError::NoDesigns);
        };
        work(&mut Runner {
            baseline,
            referees: referees(&designs),
            schedule: Schedule::new(designs.len() + 1, seed),
            panel,
            learnt: Vec::new(),
            sampler: Sampler {
                clock: self.clock,
                counters: &mut *self.counters,
                source: &source,
                positions: &positions,
                call: panel.call,
                blocks: panel.blocks as usize,
                disturb,
                learning_passes: panel.learning.as_ref().map_or(0, |learning| learning.passes),
                loaded: vec![None; designs.len()],
            },
            designs,
        })
    }
}

impl<C: Clock> Runner<'_, C> {
    /// Finds out how many passes all designs need to learn the first batch, and makes as many from now
    /// on; `None` if the panel is not a replay that stays loaded.
    pub fn learn(&mut self) -> Option<Learning> {
        let source = self.sampler.source;
        let trial = source.fit(sizing::TRIAL, sizing::TRIAL);
        let batch = source.batch(0, trial);
        let is_all = source.batch(1, trial).stretch == batch.stretch;
        let mut found: Vec<Vec<Learnt>> = vec![Vec::new(); self.designs.len()];
        for _ in 0..learning::VISITS {
            for (number, design) in self.designs.iter_mut().enumerate() {
                found[number].push(self.sampler.learn(number, &mut **design, &batch)?);
            }
        }
        let passes = found.iter().flatten().map(|learnt| learnt.passes as u64).max()?;
        self.sampler.learning_passes = passes;
        let costs =
            found.iter().filter_map(|visits| visits.iter().map(|learnt| learnt.ticks).min());
        if is_all {
            self.learnt = costs.map(|ticks| ticks as f64 / batch.boards as f64).collect();
        }
        let settled = found.iter().map(|visits| visits.iter().all(|learnt| learnt.settled));
        let unsettled = self.designs.iter().zip(settled).filter(|(_, settled)| !settled);
        let unsettled = unsettled.map(|(design, _)| design.id().to_owned()).collect();
        Some(Learning { passes, unsettled })
    }

    /// Times each design on a few positions and returns the size of a batch and its number of blocks.
    pub fn size(&mut self, plan: &Plan) -> (usize, usize) {
        let source = self.sampler.source;
        let trial = source.fit(sizing::TRIAL, sizing::TRIAL);
        let mut costs = Vec::new();
        for (number, design) in self.designs.iter_mut().enumerate() {
            if let Some(&learnt) = self.learnt.get(number) {
                costs.push(learnt);
                continue;
            }
            let ticks = [0, 1, 2].map(|round| {
                let batch = source.batch(round, trial);
                self.sampler.prepare(number, &mut **design, &batch);
                let (blocks, _) = self.sampler.time(&mut **design, &batch);
                blocks.iter().sum::<u64>() as f64 / batch.positions() as f64
            });
            costs.push(median(&ticks).unwrap_or(0.0));
        }
        let clock = self.sampler.clock;
        let limits = sizing::Limits {
            target: clock.ticks(plan.batch) as f64,
            longest: clock.ticks(Plan::LONGEST_BATCH) as f64,
            least: (Plan::LEAST_QUANTA * clock.facts().quantum) as f64,
        };
        let first = self.designs.first_mut();
        let size = match first.and_then(|design| self.sampler.time_disturbance(&mut **design)) {
            Some(disturbance) => sizing::disturbed_batch(&costs, disturbance, &limits),
            None => sizing::batch(&costs, &limits),
        };
        (source.fit(size.positions, size.most), sizing::blocks(&limits))
    }

    /// Runs rounds that are not kept, all at `place`, until one is no faster than those before it.
    /// Returns their levels: ticks per position of the median design.
    pub fn warm_up(&mut self, place: u64, size: usize) -> Result<Vec<f64>, SessionError> {
        let mut levels: Vec<f64> = Vec::new();
        while !is_warm(&levels) {
            let (_, samples) = self.round(levels.len() as u64, place, size)?;
            let costs = samples.iter().map(|s| s.ticks as f64 / s.positions as f64);
            let costs: Vec<f64> = costs.collect();
            levels.push(median(&costs).expect("a round has samples, and a sample has positions"));
        }
        Ok(levels)
    }

    /// Runs one round: first the referees, then every design in its turn. `round` determines the order of
    /// the designs, `place` the positions. Returns the index of the first position and the samples.
    pub fn round(
        &mut self,
        round: u64,
        place: u64,
        size: usize,
    ) -> Result<(u64, Vec<Sample>), SessionError> {
        let batch = self.sampler.source.batch(place, size);
        // Events that do not fit on the counters together take turns. The rows of the schedule come in
        // random order, so no event always meets the same orders.
        self.sampler.counters.choose(round as usize);
        let answers = self.answers(&batch);
        let mut samples = Vec::with_capacity(self.designs.len() + 1);
        for next in self.schedule.order(round) {
            // The last number is the A/A control: the baseline a second time.
            let is_control = next == self.designs.len();
            let number = if is_control { self.baseline } else { next };
            let design = &mut *self.designs[number];
            let (mut sample, found) = self.sampler.sample(number, design, &batch);
            let legality = design.legality();
            for &(_, referee, expected) in answers.iter().filter(|&&(class, ..)| class == legality)
            {
                if found != expected {
                    return Err(SessionError::Wrong(Box::new(WrongAnswer {
                        design: design.id().to_owned(),
                        panel: self.panel.id.clone(),
                        round,
                        first: batch.first as u64,
                        positions: batch.positions(),
                        referee: self.designs[referee].id().to_owned(),
                        expected,
                        found,
                    })));
                }
            }
            if is_control {
                sample.design.clone_from(&self.panel.aa_control);
            }
            samples.push(sample);
        }
        Ok((batch.first as u64, samples))
    }

    /// The answers of the referees, untimed, each with its class and the number of the referee.
    fn answers(&mut self, batch: &Batch) -> Vec<(Legality, usize, Checksum)> {
        let mut answers = Vec::with_capacity(self.referees.len());
        for &(class, number) in &self.referees {
            let answer = self.sampler.answer(number, &mut *self.designs[number], batch);
            answers.push((class, number, answer));
        }
        answers
    }
}

fn referees(designs: &[&mut dyn Design]) -> Vec<(Legality, usize)> {
    let mut referees: Vec<(Legality, usize)> = Vec::new();
    for (number, design) in designs.iter().enumerate() {
        let legality = design.legality();
        if referees.iter().all(|&(known, _)| known != legality) {
            referees.push((legality, number));
        }
    }
    referees
}

/// Whether the last round shows no trend any more, or the limit of rounds is reached.
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
