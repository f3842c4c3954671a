//! Cycles of single blocks of positions, in a stream and in learnt replays.
//!
//! A session measures ratios of designs. A model of a branch predictor is judged by something else: by what the
//! same positions cost one design in different orders, block by block. A block is short, so an interruption
//! lengthens only one pass over it, and the least of several passes is that of the undisturbed machine.

use std::ops::Range;

use raywalk_core::Position;

use crate::clock::Clock;
use crate::design::{Design, Invocation};

/// Passes over the positions of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passes {
    /// Passes that train the machine and are not timed.
    pub training: usize,
    /// Passes of which the least time of each block counts.
    pub timed: usize,
}

/// In short runs, the core clock is read before every pass of this many: a reading takes 30 µs.
const PASSES_PER_READING: usize = 8;
/// A run of at least so many blocks is long compared with a reading.
const LONG: usize = 16;

/// Core cycles per position of each block of `block` positions, replayed in runs of `run` positions. Each run is
/// repeated as [`Passes`] say; a run shorter than a block is repeated within it. Positions behind the last whole
/// run are left out. `None` where the clock of the core cannot be read.
///
/// # Panics
/// If `run` is 0, or neither a multiple nor a divisor of `block`.
pub fn cycles_of_blocks<C: Clock>(
    clock: &C,
    design: &mut dyn Design,
    invocation: Invocation,
    positions: &[Position],
    [block, run]: [usize; 2],
    passes: Passes,
) -> Option<Vec<f64>> {
    assert!(run > 0 && (run.is_multiple_of(block) || block.is_multiple_of(run)), "whole blocks");
    let mut cycles = Vec::with_capacity(positions.len() / run.min(block));
    for run in positions.chunks_exact(run) {
        design.load(&run.repeat((block / run.len()).max(1)));
        let blocks = (run.len() / block).max(1);
        cycles.extend(least_cycles(clock, design, invocation, [block, blocks], passes)?);
    }
    Some(cycles)
}

/// Core cycles per position of the loaded boards, in blocks of `block`: the least of the timed passes.
pub fn least_cycles<C: Clock>(
    clock: &C,
    design: &mut dyn Design,
    invocation: Invocation,
    [block, blocks]: [usize; 2],
    passes: Passes,
) -> Option<Vec<f64>> {
    let range = |number: usize| -> Range<usize> { number * block..(number + 1) * block };
    let mut least = vec![f64::INFINITY; blocks];
    let mut rate = clock.cycles_per_tick()?;
    for pass in 0..passes.training + passes.timed {
        let timed = pass.checked_sub(passes.training);
        if timed.is_some_and(|pass| blocks >= LONG || pass % PASSES_PER_READING == 0) {
            rate = clock.cycles_per_tick()?;
        }
        for (number, least) in least.iter_mut().enumerate() {
            let start = clock.start();
            std::hint::black_box(design.pass(invocation, range(number)));
            let ticks = clock.end().saturating_sub(start).saturating_sub(clock.facts().overhead);
            if timed.is_some() {
                *least = least.min(ticks as f64 * rate / block as f64);
            }
        }
    }
    Some(least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{Calls, FakeClock, FakeDesign, Recorded, Time, position};
    use raywalk_results::schema::{Call, Scope, Stage};

    const ALL: Call = Call::Generate { stage: Stage::All, scope: Scope::Whole };

    fn passes(training: usize, timed: usize) -> Passes {
        Passes { training, timed }
    }

    fn measured(run: usize, positions: usize, rates: &[f64]) -> (Vec<f64>, Vec<Recorded>) {
        let (now, calls) = (Time::default(), Calls::default());
        let clock = FakeClock::new(&now).with_rates(rates).with_overhead(30);
        let mut design = FakeDesign::new("fake", 100, &now).recording(&calls);
        let positions: Vec<Position> = (0..positions).map(|n| position(n as u16)).collect();
        let cycles =
            cycles_of_blocks(&clock, &mut design, ALL.into(), &positions, [4, run], passes(1, 2));
        let calls = calls.lock().expect("no panic").iter().map(|(_, call)| call.clone()).collect();
        (cycles.expect("a fake clock has a rate"), calls)
    }

    #[test]
    fn blocks_of_a_run_are_timed_one_by_one() {
        let (cycles, calls) = measured(8, 17, &[]);
        assert_eq!(cycles, [200.0; 4], "two cycles per tick; the seventeenth position is left out");
        let mut run = vec![Recorded::Load(0, 8)];
        run.extend((0..3).flat_map(|_| [Recorded::Pass(0..4), Recorded::Pass(4..8)]));
        assert_eq!(calls[..7], run);
        assert_eq!(calls[7], Recorded::Load(8, 8));
    }

    #[test]
    fn a_run_shorter_than_a_block_is_repeated_within_it() {
        let (cycles, calls) = measured(2, 4, &[]);
        assert_eq!(cycles, [200.0; 2]);
        assert_eq!((&calls[0], &calls[1]), (&Recorded::Load(0, 4), &Recorded::Pass(0..4)));
    }

    #[test]
    fn cycles_follow_the_rate_of_the_core() {
        // Before the training pass, and before the first timed one of a short run.
        assert_eq!(measured(4, 4, &[9.0, 3.0]).0, [300.0]);
    }
}
