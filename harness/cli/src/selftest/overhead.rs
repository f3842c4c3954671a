//! Measures the overhead of the harness within the timed region.
//!
//! For each position the harness clears a list, makes one call and counts the moves. The trial repeats
//! these steps after every call of a real design, with an empty design that is inlined, so that only the
//! harness remains. The time that this adds is judged.
//!
//! Call and return belong to the design, because an engine would call the same function. Their cost is
//! shown next to the result: an empty *call* after each real one, empty calls alone, and a bare loop of
//! calls and returns. In the bare loop the front end has to resolve each target; a core with work to do
//! resolves it ahead of time.
//!
//! Other tenants of the core only add time, and more than the overhead itself. Positions are therefore
//! timed in blocks, each block counts with its fastest round, and the median is taken over blocks.

use std::hint::black_box;
use std::ops::Range;

use raywalk_core::Position;
use raywalk_results::schema::{Call, ExpectedRange, Per, Quantity, Stage, Trial, Unit};

use super::trial::{Cost, Costs, KnownAnswer, found, rounds, ticks};
use raywalk_measure::clock::Clock;
use raywalk_measure::design::{Design, ExtraWork, Invocation};
use raywalk_measure::schedule::Schedule;

/// Positions per timed block, about 14 µs of a fast design: short enough to be undisturbed in many
/// rounds, long enough for the clock.
const BLOCK: usize = 256;

/// The work that is timed on a block of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    /// The calls of the real design.
    Real,
    /// Real calls, each followed by an inlined empty design.
    Harness,
    /// Real calls, each followed by an empty call.
    Call,
    /// Empty calls alone, without calls of the real design.
    Empty,
    /// As many calls and returns without the harness.
    Bare,
}

impl Pass {
    const ALL: [Pass; 5] = [Pass::Real, Pass::Harness, Pass::Call, Pass::Empty, Pass::Bare];
}

/// The overhead of the harness as a fraction of the time of a real design on `positions` of `ab4`,
/// within `seconds`.
pub(crate) fn test<C: Clock>(
    clock: &C,
    mut real: Box<dyn Design>,
    positions: &[Position],
    seed: u64,
    seconds: f64,
) -> Vec<Trial> {
    let name = real.id().to_owned();
    real.load(positions);
    let pass = |pass: Pass, block: Range<usize>| match pass {
        Pass::Real => real.pass(Call::generate(Stage::All).into(), block),
        Pass::Harness => real.pass_with_extra(ExtraWork::Harness, block),
        Pass::Call => real.pass_with_extra(ExtraWork::EmptyCall, block),
        Pass::Empty => real.pass(Invocation::Empty, block),
        Pass::Bare => call_and_return(block.len()),
    };
    fractions(clock, &name, pass, positions.len() / BLOCK, seed, seconds)
}

/// Calls an empty function `times` times, through a pointer that the compiler cannot see through.
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

/// [`test`] for any passes over `blocks` blocks.
fn fractions<C: Clock>(
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
            // All blocks in turn, so that the predictor has forgotten a block when it comes again.
            for (block, least) in least.iter_mut().enumerate() {
                let positions = block * BLOCK..(block + 1) * BLOCK;
                let ticks = ticks(clock, || pass(Pass::ALL[kind], positions));
                if ticks < least[kind].ticks {
                    least[kind] = Cost { ticks, cycles: rate.map(|rate| ticks * rate) };
                }
            }
        }
    });
    let percent = |part: &dyn Fn(&[Cost]) -> f64, quantity| {
        let parts =
            least.iter().map(|costs| 100.0 * part(costs) / costs[Pass::Real as usize].ticks);
        found(&parts.collect::<Vec<_>>(), Unit::of(quantity))
    };
    let of = |costs: &[Cost], pass: Pass| costs[pass as usize].ticks;
    let added = |costs: &[Cost], pass| of(costs, pass) - of(costs, Pass::Real);
    let fractions = [
        percent(&|costs| added(costs, Pass::Harness), Quantity::Percent),
        percent(&|costs| added(costs, Pass::Call), Quantity::PercentWithCall),
        percent(&|costs| of(costs, Pass::Empty), Quantity::PercentOfEmptyCalls),
        percent(&|costs| of(costs, Pass::Bare), Quantity::PercentOfBareCalls),
    ];
    let empty: Vec<Cost> = least.iter().map(|costs| costs[Pass::Empty as usize]).collect();
    let empty = Costs::of(clock, &empty, BLOCK as u64).found(Per::EmptyCall);
    let known = KnownAnswer {
        instrument: "harness overhead",
        kernel: &format!("an inlined empty design after each call of {name} on ab4"),
        expected: ExpectedRange::at_most(1.0),
        if_wrong: "The harness adds this fraction to the times of fast designs, the same time for all \
                    of them, so their ratios are biased towards 1.",
    };
    vec![known.judge(fractions.into_iter().flatten().chain(empty).collect())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_measure::fake::{FakeClock, FakeDesign, Time, position};
    use raywalk_results::schema::Grade;

    /// A trial with these ticks per position and pass. Every third sample is disturbed.
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
        fractions(&clock, "a/real", pass, 8, 1, 0.0).remove(0)
    }

    fn values(trial: &Trial) -> Vec<f64> {
        trial.found.iter().map(|found| found.value).collect()
    }

    #[test]
    fn the_added_time_of_an_empty_design_is_judged_and_the_cost_of_calls_is_shown() {
        let good = trial([2_000, 2_010, 2_024, 40, 30]);
        assert!(good.kernel.contains("a/real"));
        // A tick of the fake clock is a nanosecond and two cycles.
        assert_eq!(
            (good.grade, values(&good)),
            (Grade::Usable, vec![0.5, 1.2, 2.0, 1.5, 80.0, 40.0])
        );
        let bad = trial([2_000, 2_030, 2_030, 10, 10]);
        assert!(bad.failed());
    }

    #[test]
    fn a_design_is_timed_on_whole_blocks_of_positions() {
        let now = Time::default();
        let positions: Vec<Position> = (0..8 * BLOCK as u16 + 9).map(position).collect();
        let design = FakeDesign::new("a/fake", 40, &now);
        let trials = test(&FakeClock::new(&now), Box::new(design), &positions, 1, 0.0);
        // The fake accepts every probe, and empty calls do not advance its clock.
        assert_eq!((trials.len(), trials[0].grade), (1, Grade::Usable));
        assert_eq!(values(&trials[0])[0], 0.0);
    }
}
