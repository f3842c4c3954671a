//! What the harness itself costs within its timed region.
//!
//! For each position the harness clears a list, makes one call, and counts what was found. An empty
//! design goes through the same: behind every call of a real one, inlined, so that nothing but the
//! harness is left of it. What that adds to the real calls is judged.
//!
//! The call itself and its return belong to the design, which is one function that every engine would
//! call too. What they cost stands beside it: an empty *call* behind each real one, and by itself, and a
//! bare loop of calls and returns, in which the front end has to find out where the code goes on. A core
//! with work to do does that ahead of time.
//!
//! Another tenant of the core only adds, and adds more than what is looked for. So positions are
//! timed in blocks, each block counts by its fastest round, and the median is over blocks.

use std::hint::black_box;
use std::ops::Range;

use raywalk_core::{Position, StageId};
use raywalk_reports::schema::{Band, Trial};

use super::trial::{Cost, Costs, Known, found, rounds, ticks};
use crate::measure::clock::Clock;
use crate::measure::schedule::Schedule;
use crate::measure::subject::{Burden, Call, Subject};

/// Positions that are timed at a time, for some 14 microseconds of a fast design: short enough to
/// be left alone in many of the rounds, and long enough for the clock.
const BLOCK: usize = 256;

/// What is made for a block of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    /// The calls of the real design.
    Real,
    /// The same with an inlined empty design behind each.
    Harness,
    /// The same with an empty call behind each.
    Call,
    /// Empty calls alone.
    Empty,
    /// As many calls and returns, and no harness.
    Bare,
}

impl Pass {
    const ALL: [Pass; 5] = [Pass::Real, Pass::Harness, Pass::Call, Pass::Empty, Pass::Bare];
}

/// The share of the harness in the time of a real design, within `seconds`, on `positions` of `ab4`.
pub fn test<C: Clock>(
    clock: &C,
    mut real: Box<dyn Subject>,
    positions: &[Position],
    seed: u64,
    seconds: f64,
) -> Vec<Trial> {
    let name = real.id().to_owned();
    real.load(positions);
    let pass = |pass: Pass, block: Range<usize>| match pass {
        Pass::Real => real.pass(StageId::All, block),
        Pass::Harness => real.burdened(Burden::Harness, block),
        Pass::Call => real.burdened(Burden::EmptyCall, block),
        Pass::Empty => real.call(Call::Nothing, block),
        Pass::Bare => call_and_return(block.len()),
    };
    share(clock, &name, pass, positions.len() / BLOCK, seed, seconds)
}

/// So many calls of a function that the compiler does not know. It does nothing.
#[inline(never)]
fn call_and_return(times: usize) -> u64 {
    #[inline(never)]
    fn nothing() {}
    let call = black_box(nothing as fn());
    for _ in 0..times {
        call();
    }
    0
}

/// The same for any passes over so many blocks.
fn share<C: Clock>(
    clock: &C,
    name: &str,
    mut pass: impl FnMut(Pass, Range<usize>) -> u64,
    blocks: usize,
    seed: u64,
    seconds: f64,
) -> Vec<Trial> {
    let schedule = Schedule::new(Pass::ALL.len(), seed);
    let mut least = vec![[Cost { ticks: f64::INFINITY, cycles: None }; Pass::ALL.len()]; blocks];
    rounds(clock, seconds, |number| {
        for kind in schedule.order(number) {
            let rate = clock.cycles_per_tick();
            // All blocks in turn, so that none is met again before it is forgotten.
            for (block, least) in least.iter_mut().enumerate() {
                let positions = block * BLOCK..(block + 1) * BLOCK;
                let ticks = ticks(clock, || pass(Pass::ALL[kind], positions));
                if ticks < least[kind].ticks {
                    least[kind] = Cost { ticks, cycles: rate.map(|rate| ticks * rate) };
                }
            }
        }
    });
    let percent = |part: &dyn Fn(&[Cost]) -> f64, unit| {
        let parts =
            least.iter().map(|costs| 100.0 * part(costs) / costs[Pass::Real as usize].ticks);
        found(&parts.collect::<Vec<_>>(), unit)
    };
    let of = |costs: &[Cost], pass: Pass| costs[pass as usize].ticks;
    let added = |costs: &[Cost], pass| of(costs, pass) - of(costs, Pass::Real);
    let shares = [
        percent(&|costs| added(costs, Pass::Harness), "%"),
        percent(&|costs| added(costs, Pass::Call), "% with call and return"),
        percent(&|costs| of(costs, Pass::Empty), "% of empty calls alone"),
        percent(&|costs| of(costs, Pass::Bare), "% of bare calls and returns"),
    ];
    let empty: Vec<Cost> = least.iter().map(|costs| costs[Pass::Empty as usize]).collect();
    let empty = Costs::of(clock, &empty, BLOCK as u64).found("empty call");
    let known = Known {
        instrument: "harness overhead",
        kernel: &format!("an empty design, inlined, behind each call of {name} on ab4"),
        expected: Band::at_most(1.0),
        otherwise: "The harness itself is in the times of fast designs by this share, the same for \
                    all of them: ratios between them are nearer to 1 than they should be.",
    };
    vec![known.judge(shares.into_iter().flatten().chain(empty).collect())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::fake::{FakeClock, FakeSubject, Time, position};
    use raywalk_reports::schema::Grade;

    /// With these costs per position; every third sample is disturbed by a neighbour.
    fn trial(costs: [u64; 5]) -> Trial {
        let now = Time::default();
        let clock = FakeClock::new(&now);
        let mut samples = 0;
        let pass = |pass: Pass, block: Range<usize>| {
            samples += 1;
            let neighbour = if samples % 3 == 0 { 1_000_000 } else { 0 };
            now.set(now.get() + block.len() as u64 * costs[pass as usize] + neighbour);
            0
        };
        share(&clock, "a/real", pass, 8, 1, 0.0).remove(0)
    }

    fn values(trial: &Trial) -> Vec<f64> {
        trial.found.iter().map(|found| found.value).collect()
    }

    #[test]
    fn what_an_empty_design_adds_to_a_real_one_is_judged_and_what_calls_cost_is_shown() {
        let good = trial([2_000, 2_010, 2_024, 40, 30]);
        assert!(good.kernel.contains("a/real"));
        // Ticks of a nanosecond, two cycles each.
        assert_eq!(
            (good.grade, values(&good)),
            (Grade::Usable, vec![0.5, 1.2, 2.0, 1.5, 80.0, 40.0])
        );
        let bad = trial([2_000, 2_030, 2_030, 10, 10]);
        assert!(bad.failed());
    }

    #[test]
    fn a_design_is_tried_on_whole_blocks_of_its_positions() {
        let now = Time::default();
        let positions: Vec<Position> = (0..8 * BLOCK as u16 + 9).map(position).collect();
        let design = FakeSubject::new("a/fake", 40, &now);
        let trials = test(&FakeClock::new(&now), Box::new(design), &positions, 1, 0.0);
        // It bears every burden, and nothing that is empty moves its clock.
        assert_eq!((trials.len(), trials[0].grade), (1, Grade::Usable));
        assert_eq!(values(&trials[0])[0], 0.0);
    }
}
