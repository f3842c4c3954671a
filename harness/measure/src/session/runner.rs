//! Runs the rounds of one panel: every design once, on the same positions, with every answer checked.
//!
//! In a long stream a design times the batches of several rounds in one turn, because its preparation takes
//! longer than timing them.
//!
//! All designs of a legality must find the same moves. Their answers are compared when the round is over,
//! so no design has seen a batch before it is timed on it. The answer of the majority counts as right. All
//! designs were verified against an independent oracle before, on fewer positions; the comparison shows
//! that a class agrees on every timed position. In a class of one, the timed moves of the design are
//! compared with those of its own check, which only shows that its results are repeatable.
//!
//! Designs that follow a recorded search must also agree on the nodes and the legal moves, whatever their
//! legality.

use std::ops::Range;

use raywalk_core::Checksum;
use raywalk_results::schema::{Learning, Panel, Sample, WarmUp};
use raywalk_results::statistics::median;

use super::error::{SessionError, WrongAnswer};
use super::instruments::{Instruments, WorkloadPositions};
use super::message::{Message, Receive};
use super::recorded::Recorded;
use super::sample::{Sampler, Taken};
use crate::clock::Clock;
use crate::design::{Design, Walked};
use crate::environment::Environment;
use crate::learning::{self, Learnt};
use crate::plan::{Plan, share_of};
use crate::regime::rules;
use crate::schedule::{Places, Schedule};
use crate::sizing;
use crate::source::{BLOCKS, Batch, Batches, Share, Turn};

pub(super) struct Runner<'a, C: Clock> {
    /// The designs that offer the panel's call.
    designs: Vec<&'a mut dyn Design>,
    baseline: usize,
    schedule: Schedule,
    panel: &'a Panel,
    pub batches: Batches,
    /// The turns of all earlier shares of the panel. They depend on the plan and not on what ran, so the turns of a
    /// resumed session and of a shard have the numbers of a whole session.
    earlier_turns: u64,
    sampler: Sampler<'a, C>,
}

/// The samples of a round, and the batch that they are of.
pub(super) struct Measured {
    /// Index of the first position.
    pub first: u64,
    /// Number of the root that the batch belongs to.
    pub root: u64,
    /// In the order they ran.
    pub samples: Vec<Sample>,
}

impl<C: Clock> Instruments<'_, C> {
    /// Opens a described panel and runs `work` on it. Its random orders come from `seed`. `share` is the number of the
    /// share that is run, and the number of all shares; a panel that is being sized has none.
    pub(super) fn open<R>(
        &mut self,
        panel: &Panel,
        seed: u64,
        share: Option<[u64; 2]>,
        work: impl FnOnce(&mut Runner<'_, C>) -> Result<R, SessionError>,
    ) -> Result<R, SessionError> {
        let perturb = self
            .perturbations
            .of(&panel.regime)
            .map_err(|why| SessionError::Regime { panel: panel.id.clone(), why })?;
        let unusable = |why| SessionError::Workload { workload: panel.workload.clone(), why };
        let trees = match panel.call.search() {
            None => None,
            Some(_) => Some(self.workloads.recording(&panel.workload).map_err(unusable)?),
        };
        let WorkloadPositions { positions, roots } =
            self.workloads.positions(&panel.workload).map_err(unusable)?;
        if positions.len() as u64 != panel.positions {
            let why = format!("has {} positions, not {}", positions.len(), panel.positions);
            return Err(unusable(why));
        }
        if positions.is_empty() {
            return Err(unusable("has no positions".to_owned()));
        }
        // A panel that is being sized has no rounds yet.
        let rounds = (panel.rounds > 0).then_some(panel.rounds);
        let rounds_of = |share, shares| share_of(panel.rounds, shares, share);
        let own = share.map(|[share, shares]| rounds_of(share, shares));
        let start = own.as_ref().map_or(0, |own| own.start);
        let length = own.map(|own| own.end - own.start);
        let visited = Share { seed, start, length, rounds };
        let source =
            rules(panel.regime.kind).source(&panel.regime, positions.len()).map_err(unusable)?;
        let recorded = trees.map(|trees| Recorded::of(&trees, &roots, positions.len()));
        let recorded = recorded.transpose().map_err(unusable)?;
        let batches = match panel.call.is_walk() {
            true => Batches::of_trees(positions.len(), &roots, visited),
            false => Batches::new(source.of_call(panel.call), &roots, visited),
        };
        let earlier_turns = share.map_or(0, |[share, shares]| {
            let earlier = (0..share).map(|earlier| rounds_of(earlier, shares));
            earlier.map(|rounds| batches.turns(rounds.end - rounds.start)).sum()
        });
        let mut designs: Vec<&mut dyn Design> = Vec::new();
        for design in self.designs.iter_mut() {
            if panel.designs.iter().any(|id| id == design.id()) {
                designs.push(&mut **design);
            }
        }
        for design in &mut designs {
            design.prepare_for(panel.call);
            design.write_to_lists(panel.regime.lists);
        }
        let baseline = designs.iter().position(|design| design.id() == panel.baseline);
        let (Some(baseline), true) = (baseline, designs.len() == panel.designs.len()) else {
            return Err(SessionError::NoDesigns);
        };
        work(&mut Runner {
            baseline,
            // One more, for the A/A control.
            schedule: Schedule::new(designs.len() + 1, seed),
            panel,
            batches,
            earlier_turns,
            sampler: Sampler {
                clock: self.clock,
                counters: &mut *self.counters,
                positions: &positions,
                recorded,
                call: panel.call,
                perturb,
                learning_passes: panel.learning.as_ref().map_or(0, |learning| learning.passes),
                loaded: vec![None; designs.len()],
                places: Places::default(),
                preparing: 0.0,
            },
            designs,
        })
    }
}

impl<C: Clock> Runner<'_, C> {
    /// Finds out how many passes all designs need to learn the first batch, and makes as many from now
    /// on; `None` if the panel is not a replay that stays loaded.
    pub(crate) fn learn(&mut self) -> Option<Learning> {
        self.batches.pass()?;
        let batch = self.batches.of_turn(0..1, 1, 1).remove(0);
        let mut found: Vec<Vec<Learnt>> = vec![Vec::new(); self.designs.len()];
        for _ in 0..learning::VISITS {
            for (number, design) in self.designs.iter_mut().enumerate() {
                found[number].push(self.sampler.learn(number, &mut **design, &batch));
            }
        }
        let passes = found.iter().flatten().map(|learnt| learnt.passes as u64).max()?;
        self.sampler.learning_passes = passes;
        let settled = found.iter().map(|visits| visits.iter().all(|learnt| learnt.settled));
        let unsettled = self.designs.iter().zip(settled).filter(|(_, settled)| !settled);
        let unsettled = unsettled.map(|(design, _)| design.id().to_owned()).collect();
        Some(Learning { passes, unsettled })
    }

    /// The largest number of positions in a batch, and the number of its blocks. Those of a replay depend
    /// on the speed of the designs, which are timed on a few passes.
    pub(crate) fn size(&mut self, plan: &Plan) -> (usize, usize) {
        let Some(boards) = self.batches.pass() else {
            return (self.batches.largest(), BLOCKS);
        };
        let passes = (sizing::TRIAL / boards).max(1) as u64;
        let mut costs = Vec::new();
        for (number, design) in self.designs.iter_mut().enumerate() {
            let ticks = [0, 1, 2].map(|round| {
                let batch = self.batches.of_turn(round..round + 1, passes, 1).remove(0);
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
        // The trials prepared as well. Only the preparation of the first turn is to be counted.
        self.sampler.preparing = 0.0;
        (sizing::passes(boards, &costs, &limits) * boards, sizing::blocks(&limits))
    }

    /// Seconds since the sizes were found in which designs were prepared for turns.
    pub(crate) fn prepared(&self) -> f64 {
        self.sampler.preparing
    }

    /// Number of passes over its boards in a batch of `positions`.
    fn passes(&self, positions: usize) -> u64 {
        self.batches.pass().map_or(1, |boards| (positions / boards) as u64)
    }

    /// Runs rounds that are not kept, until one is no faster than those before it. All have the same positions, which
    /// a share of `rounds` rounds does not time itself. Returns their levels: ticks per position of the median
    /// design.
    pub(crate) fn warm_up(
        &mut self,
        rounds: u64,
        [positions, blocks]: [usize; 2],
        send: &mut Receive<'_>,
    ) -> Result<Vec<f64>, SessionError> {
        let batch = self.batches.for_warm_up(rounds, self.passes(positions), blocks);
        let mut levels: Vec<f64> = Vec::new();
        while !is_warm(&levels) {
            let number = levels.len() as u64;
            let measured = self.measure([number; 2], std::slice::from_ref(&batch), None, send)?;
            let samples = measured.iter().flat_map(|round| &round.samples);
            let costs = samples.map(|s| s.ticks as f64 / s.positions as f64);
            let costs: Vec<f64> = costs.collect();
            levels.push(median(&costs).expect("a round has samples, and a sample has positions"));
        }
        Ok(levels)
    }

    /// The rounds of one turn, this one among them. They are a function of the share alone.
    pub(crate) fn turn(&self, round: u64) -> Range<u64> {
        self.batches.turn(round).rounds
    }

    /// Runs rounds of a turn in batches of at most this many positions and about this many blocks. Every
    /// design runs all of them before the next one does. Without an environment, none is delayed or marked by it.
    pub(crate) fn rounds(
        &mut self,
        rounds: Range<u64>,
        [positions, blocks]: [usize; 2],
        environment: Option<&mut (dyn Environment + '_)>,
        send: &mut Receive<'_>,
    ) -> Result<Vec<Measured>, SessionError> {
        // A session that was interrupted within a turn continues with the same prefix and order.
        let Turn { number, rounds: all } = self.batches.turn(rounds.start);
        let mut batches = self.batches.of_turn(all.clone(), self.passes(positions), blocks);
        let preparation = batches[0].preparation.clone();
        batches = batches.drain((rounds.start - all.start) as usize..).collect();
        batches.truncate((rounds.end - rounds.start) as usize);
        batches[0].preparation = preparation;
        self.measure([self.earlier_turns + number, rounds.start], &batches, environment, send)
    }

    /// Runs every design in its turn, then compares their answers. `turn` determines the order of the designs, their
    /// places and the group of events. Turns whose rounds are kept are numbered without a gap over the panel, because
    /// orders and groups are balanced only then; those of a warm-up count from 0. The batches are those from round
    /// `first` on.
    fn measure(
        &mut self,
        [turn, first]: [u64; 2],
        batches: &[Batch],
        mut environment: Option<&mut (dyn Environment + '_)>,
        send: &mut Receive<'_>,
    ) -> Result<Vec<Measured>, SessionError> {
        // Events that do not fit on the counters together take turns. The rows of the schedule come in
        // random order, so no event always meets the same orders.
        self.sampler.counters.choose(turn as usize);
        self.sampler.places = self.schedule.places(turn);
        let mut taken: Vec<Vec<(usize, Taken)>> = batches.iter().map(|_| Vec::new()).collect();
        for next in self.schedule.order(turn) {
            // The last number is the A/A control: the baseline a second time.
            let is_control = next == self.designs.len();
            let number = if is_control { self.baseline } else { next };
            if let Some(environment) = environment.as_deref_mut() {
                environment.before_design();
            }
            // Before the preparation, so that the message is not near the timed region.
            let is_plugin = self.designs[number].is_plugin();
            if is_plugin {
                let design = self.designs[number].id().to_owned();
                send(Message::Calling { design, place: format!("panel {}", self.panel.id) })?;
            }
            for (batch, taken) in batches.iter().zip(&mut taken) {
                let design = &mut *self.designs[number];
                let environment = environment.as_deref_mut();
                let mut sample = self.sampler.sample(number, design, batch, environment);
                if is_control {
                    sample.sample.design.clone_from(&self.panel.aa_control);
                }
                taken.push((number, sample));
            }
            if is_plugin {
                send(Message::Returned)?;
            }
        }
        let rounds = (first..).zip(batches).zip(taken).map(|((round, batch), taken)| {
            self.compare(round, batch, &taken)?;
            let samples = taken.into_iter().map(|(_, taken)| taken.sample).collect();
            Ok(Measured { first: batch.first as u64, root: batch.root, samples })
        });
        rounds.collect()
    }

    /// The samples whose answers count: those of built-in designs, or of plug-ins if there are no others.
    fn referees<'t>(
        &self,
        taken: &'t [(usize, Taken)],
        of: impl Fn(usize) -> bool,
    ) -> Vec<&'t (usize, Taken)> {
        let all = taken.iter().filter(|(peer, _)| of(*peer));
        let (plugins, built_in): (Vec<_>, Vec<_>) =
            all.partition(|(peer, _)| self.designs[*peer].is_plugin());
        if built_in.is_empty() { plugins } else { built_in }
    }

    /// Fails if a design disagrees with the others of its legality, or with itself.
    fn compare(
        &self,
        round: u64,
        batch: &Batch,
        taken: &[(usize, Taken)],
    ) -> Result<(), SessionError> {
        let wrong = |design: usize, found, referee: usize, expected| {
            SessionError::Wrong(Box::new(WrongAnswer {
                design: self.designs[design].id().to_owned(),
                panel: self.panel.id.clone(),
                round,
                first: batch.first as u64,
                positions: batch.positions(),
                referee: self.designs[referee].id().to_owned(),
                expected,
                found,
            }))
        };
        for (number, one) in taken {
            let legality = self.designs[*number].legality();
            let same = |peer: usize| self.designs[peer].legality() == legality;
            let peers = self.referees(taken, same);
            let answers = peers.iter().map(|(peer, taken)| (*peer, taken.found));
            let (referee, expected) = most_common(answers).unwrap_or((*number, one.found));
            if one.found != expected {
                return Err(wrong(*number, one.found, referee, expected));
            }
            if one.found != one.checked {
                return Err(wrong(*number, one.found, *number, one.checked));
            }
            // Designs of both legalities visit the same nodes and make the same legal moves.
            let peers = self.referees(taken, |_| true);
            let answers = peers.iter().map(|(peer, taken)| (*peer, as_answer(taken.walked)));
            let walked = as_answer(one.walked);
            let (referee, expected) = most_common(answers).unwrap_or((*number, walked));
            if walked != expected {
                return Err(wrong(*number, walked, referee, expected));
            }
        }
        Ok(())
    }
}

/// The walk of a design in the form of an answer: legal moves made, and nodes in place of the word.
fn as_answer(Walked { nodes, legal }: Walked) -> Checksum {
    Checksum { moves: legal, word: nodes }
}

/// The answer that most designs gave, with the first of them in registry order. Of two answers that are
/// equally common, that of the first design. A design that ran twice has one vote for each of its answers.
fn most_common(answers: impl Iterator<Item = (usize, Checksum)>) -> Option<(usize, Checksum)> {
    let mut votes: Vec<(usize, Checksum)> = answers.collect();
    votes.sort_by_key(|&(design, Checksum { moves, word })| (design, moves, word));
    votes.dedup();
    let count = |answer: Checksum| votes.iter().filter(|&&(_, other)| other == answer).count();
    let most = votes.iter().map(|&(_, answer)| count(answer)).max()?;
    votes.iter().find(|&&(_, answer)| count(answer) == most).copied()
}

/// Whether the last round shows no trend any more, or the limit of rounds is reached.
fn is_warm(levels: &[f64]) -> bool {
    levels.len() >= WarmUp::MOST || (levels.len() > 1 && !WarmUp::falls(levels))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_of_most_designs_is_right() {
        let answer = |moves| Checksum { moves, word: 0 };
        let right = |moves: &[(usize, u64)]| {
            let answers = moves.iter().map(|&(design, moves)| (design, answer(moves)));
            most_common(answers).map(|(design, answer)| (design, answer.moves))
        };
        assert_eq!(right(&[(2, 7), (0, 9), (1, 7)]), Some((1, 7)));
        assert_eq!(right(&[(1, 9), (0, 7)]), Some((0, 7)), "the first of two");
        assert_eq!(right(&[(1, 9), (1, 9), (0, 7)]), Some((0, 7)), "the control has no vote");
        assert_eq!(right(&[]), None);
    }

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
