//! Simulated sessions with a known true ratio, to count how often intervals contain it.
//!
//! A session is simulated by its components of variance: the standard deviations of roots, processes and
//! rounds. [`Components::of`] takes them from two designs of a measured session. The simulated samples
//! are estimated by the code that estimates measured ones.
//!
//! # What the simulation leaves out
//! Interruptions, drift within a process, designs that vary unequally, and trees whose sizes are related to their
//! ratios. It shows only whether the interval is right for independent effects of these sizes.

use std::collections::BTreeMap;

use raywalk_core::random::SplitMix;
use raywalk_results::statistics::Confidence;

use crate::crossed::Fit;
use crate::estimate::{Estimate, Pair, gcd};
use crate::ratios::Times;
use crate::spread::Spread;

/// Standard deviations of a ratio, in ln.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Components {
    /// Between roots, in one process.
    pub root: f64,
    /// Between processes, on one root.
    pub process: f64,
    /// Between rounds of one process on one root. If a process visits a root several times, its cheaper half makes this
    /// larger: by 41 % for two visits, by a sixth for many.
    pub round: f64,
}

impl Components {
    /// The components of the ratio of two designs; `None` if rounds, processes and roots cannot be told
    /// apart.
    pub fn of(times: &Times, one: &str, other: &str) -> Option<Components> {
        let estimate = times.estimate(one, other)?;
        let parts = estimate.parts_of_processes();
        let fit = Fit::of(&parts);
        if fit.freedom == 0 || fit.roots.len() < 2 {
            return None;
        }
        let mut counts: BTreeMap<u64, f64> = BTreeMap::new();
        let parts = parts.iter().filter(|part| part.weight > 0.0);
        parts.for_each(|part| *counts.entry(part.root).or_default() += 1.0);
        let count = fit.roots.len() as f64;
        let middle = fit.roots.values().sum::<f64>() / count;
        let squares: f64 = fit.roots.values().map(|root| (root - middle).powi(2)).sum();
        // What noise contributes to the effect of a root of several parts.
        let of_noise = fit.roots.keys().map(|root| fit.noise / counts[root]).sum::<f64>() / count;
        let root = (squares / (count - 1.0) - of_noise).max(0.0).sqrt();
        let process = Spread::of(&estimate).processes?.estimate;
        Some(Components { root, process, round: fit.noise.sqrt() })
    }
}

/// Sessions of this size. Processes run consecutive rounds and take the first visited roots in turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simulation {
    /// Standard deviations of the log ratios, by component.
    pub components: Components,
    /// Numbers of roots, processes and rounds.
    pub size: Size,
}

/// Standard deviation of a round that both designs share.
const OF_BOTH: f64 = 0.05;
/// Number of blocks of a simulated sample.
const BLOCKS: usize = 8;
/// Standard deviation of a block, beside that of its round.
const OF_BLOCK: f64 = 0.02;

impl Simulation {
    /// Simulates `sessions` sessions and counts the intervals that hold the true ratio, for each confidence.
    pub fn covered<const N: usize>(
        &self,
        confidences: [Confidence; N],
        sessions: u64,
        seed: u64,
    ) -> [u64; N] {
        let mut random = SplitMix(seed);
        let mut covered = [0; N];
        for (estimate, truth) in (0..sessions).filter_map(|_| self.run(&mut random)) {
            for (count, confidence) in covered.iter_mut().zip(confidences) {
                let interval = estimate.interval(confidence);
                let holds =
                    interval.is_ok_and(|interval| interval.low <= truth && truth <= interval.high);
                *count += u64::from(holds);
            }
        }
        covered
    }

    /// The estimated log ratio, and the true one: that of the total times over all roots.
    fn run(&self, random: &mut SplitMix) -> Option<(Estimate, f64)> {
        let Simulation { components, size: Size { roots, visited, processes, rounds } } = *self;
        let mut normal = || random.normal();
        let of_roots: Vec<f64> = (0..roots).map(|_| components.root * normal()).collect();
        // Both designs vary alike, so each has half of the variance of their ratio.
        let half = 0.5f64.sqrt();
        let of_processes: Vec<[f64; 2]> = (0..processes)
            .map(|_| [(); 2].map(|()| half * components.process * normal()))
            .collect();
        // Trees have 400 to 4,000 positions.
        // The product scatters the sizes: visited roots are the first ones, which would else be the small ones.
        let size = |root: u64| 50.0 + 450.0 * ((root * 37 % roots) as f64 / roots as f64);
        let pair = |round: u64| {
            let process = round * processes / rounds;
            let root = root_of(round, visited);
            // The machine slows both designs, besides what differs between them.
            let of_both = OF_BOTH * normal();
            let of_round = [(); 2].map(|()| of_both + half * components.round * normal());
            let logs =
                [0, 1].map(|design| of_processes[process as usize][design] + of_round[design]);
            let block = |_| {
                let mut of = |log: f64| size(root) * (log + half * OF_BLOCK * normal()).exp();
                Some((of(of_roots[root as usize] + logs[0]), of(logs[1])))
            };
            Pair {
                layout: None,
                process,
                turn: round,
                root,
                batch: root,
                positions: BLOCKS as u64,
                passes: 1,
                disturbed: false,
                blocks: (0..BLOCKS).map(block).collect(),
            }
        };
        let pairs: Vec<Pair> = (0..rounds).map(pair).collect();
        let all: f64 = (0..roots).map(size).sum();
        let times = (0..roots).map(|root| size(root) * of_roots[root as usize].exp());
        let truth = (times.sum::<f64>() / all).ln();
        let part = (0..visited).map(size).sum::<f64>() / all;
        let estimate = Estimate::of(&pairs)?;
        Some((Estimate { known_roots: Some(part), ..estimate }, truth))
    }
}

/// Size of a panel of a measured session.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Roots of the workload; the visited ones, if the journal does not tell.
    pub roots: u64,
    /// Number of different roots that the rounds visited.
    pub visited: u64,
    /// Processes that measured the panel.
    pub processes: u64,
    /// Rounds of all processes together.
    pub rounds: u64,
}

impl Size {
    /// The size of a panel; `None` before its first round.
    pub fn of(times: &Times) -> Option<Size> {
        let [rounds, processes, visited] = times.counts();
        let roots = times.roots().max(visited);
        (rounds > 0).then_some(Size { roots, visited, processes, rounds })
    }
}

/// The root of a round: each of the visited ones once in a pass, in another order in every second pass.
fn root_of(round: u64, visited: u64) -> u64 {
    let apart = |step: &u64| gcd(*step as usize, visited as usize) == 1;
    let step = if (round / visited).is_multiple_of(2) { 1 } else { 5 };
    (step..).find(apart).unwrap_or(1) * round % visited
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pass_visits_every_root() {
        for visited in 1..70 {
            for pass in 0..3 {
                let mut roots: Vec<u64> = (pass * visited..(pass + 1) * visited)
                    .map(|round| root_of(round, visited))
                    .collect();
                roots.sort_unstable();
                assert!(roots.into_iter().eq(0..visited), "{visited} roots, pass {pass}");
            }
        }
    }

    #[test]
    fn intervals_cover_the_truth_over_all_roots_as_often_as_they_say() {
        for round in [0.01, 0.03, 0.06] {
            for process in [0.005, 0.02] {
                for (visited, rounds) in [(64, 132), (16, 36)] {
                    let components = Components { root: 0.033, process, round };
                    let simulation = Simulation {
                        components,
                        size: Size { roots: 64, visited, processes: 12, rounds },
                    };
                    // 99.44 % is the confidence of one of nine comparisons that share 95 %.
                    let confidences =
                        [Confidence::NINETY_FIVE, Confidence::NINETY_FIVE.shared_by(9)];
                    let [at_95, at_99] = simulation.covered(confidences, 400, 7);
                    let what = format!("round {round}, process {process}, {rounds} rounds");
                    assert!(at_95 >= 376 && at_99 >= 392, "{what}: {at_95} and {at_99} of 400");
                }
            }
        }
    }

    #[test]
    fn intervals_are_at_most_twice_as_wide_as_their_errors_need() {
        for (round, process) in [(0.01, 0.005), (0.03, 0.02), (0.06, 0.005)] {
            let components = Components { root: 0.033, process, round };
            let size = Size { roots: 64, visited: 64, processes: 12, rounds: 132 };
            let simulation = Simulation { components, size };
            let mut random = SplitMix(7);
            let (mut squares, mut half) = (0.0, 0.0);
            for _ in 0..400 {
                let (estimate, truth) = simulation.run(&mut random).expect("blocks");
                let interval = estimate.interval(Confidence::NINETY_FIVE).expect("many roots");
                squares += (estimate.log - truth).powi(2);
                half += (interval.high - interval.low) / 2.0;
            }
            // A 95 % interval reaches 1.96 errors to each side if the error is known.
            let times = half / 400.0 / (1.96 * (squares / 400.0).sqrt());
            assert!((1.0..2.0).contains(&times), "round {round}, process {process}: {times}");
        }
    }

    #[test]
    fn the_components_of_a_simulated_session_are_found_again() {
        let components = Components { root: 0.04, process: 0.02, round: 0.01 };
        let simulation = Simulation {
            components,
            size: Size { roots: 64, visited: 64, processes: 40, rounds: 4 * 64 },
        };
        let (estimate, _) = simulation.run(&mut SplitMix(3)).expect("blocks");
        let fit = Fit::of(&estimate.parts_of_processes());
        // The blocks add 2 % ÷ √8 to the noise of a round.
        let noise = 0.01f64.hypot(0.02 / 8f64.sqrt());
        assert!((fit.noise.sqrt() / noise - 1.0).abs() < 0.15, "{}", fit.noise.sqrt());
        let process = Spread::of(&estimate).processes.expect("forty").estimate;
        assert!((process / 0.02 - 1.0).abs() < 0.35, "{process}");
    }

    #[test]
    fn many_noisy_rounds_do_not_move_the_estimate_away_from_the_truth() {
        let components = Components { root: 0.01, process: 0.004, round: 0.06 };
        let simulation = Simulation {
            components,
            size: Size { roots: 64, visited: 64, processes: 12, rounds: 768 },
        };
        let [at_95] = simulation.covered([Confidence::NINETY_FIVE], 400, 7);
        assert!((364..=396).contains(&at_95), "{at_95} of 400");
    }

    #[test]
    fn a_session_that_sees_a_part_is_about_the_whole() {
        let components = Components { root: 0.05, process: 0.0, round: 0.0 };
        let simulation = Simulation {
            components,
            size: Size { roots: 64, visited: 8, processes: 12, rounds: 96 },
        };
        let mut errors = 0.0;
        for seed in 1..=16 {
            let (estimate, truth) = simulation.run(&mut SplitMix(seed)).expect("blocks");
            errors += (estimate.log - truth).abs() / 16.0;
            assert!(estimate.known_roots.is_some_and(|part| part < 0.5));
        }
        // Eight of sixty-four roots: 5 % ÷ √8 × √(7/8), of which the mean magnitude is 0.8.
        assert!((0.008..0.02).contains(&errors), "{errors}");
    }
}
