//! Runs the instruments on kernels with known answers and grades each of them as usable or not, on
//! this machine and at this time.
//!
//! | module | known answer |
//! |---|---|
//! | `clocks` | four times the work takes four times the ticks; a multiplication takes three cycles |
//! | `predictor` | a branch on fresh random bits is mispredicted every second time, on learnt bits never |
//! | `knee` | short repeated sequences are free, long ones cost as much as fresh bits |
//! | `memory` | each level of memory is slower than the one before |
//! | `comparisons` | equal work is called equal, and work that differs by 0.1 % is not |
//! | `overhead` | a design that finds nothing adds nothing |
//! | `events` | one cycle per addition, two branches per bit |
//!
//! Kernels, clock and counters are passed in, so the tests of the grades use synthetic costs on
//! virtual time.

use raywalk_core::Position;
use raywalk_core::random::SplitMix;
use raywalk_results::schema::{Cache, Selftest};
use raywalk_results::statistics::median;

use kernels::AnyKernels;
use raywalk_measure::clock::Clock;
use raywalk_measure::counters::Counters;
use raywalk_measure::design::Design;
use raywalk_measure::environment::{HardwareProbe, Probe};

mod clocks;
mod comparisons;
mod events;
#[cfg(test)]
mod fake;
pub(crate) mod kernels;
mod knee;
#[allow(unsafe_code, reason = "an empty block of assembly, which the compiler cannot see through")]
mod memory;
mod overhead;
mod predictor;
mod trial;

/// Time, memory levels and seed of a self-test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Effort {
    /// Approximate time in seconds. The minimum number of rounds runs in any case and takes about one
    /// second.
    pub seconds: f64,
    /// Number of memory levels to measure, from the first. Large rings take long to build.
    pub levels: usize,
    /// Seed of all random bits and orders.
    pub seed: u64,
}

impl Effort {
    /// The self-test before every session: the two nearest levels of memory, about one second.
    pub(crate) fn short(seed: u64) -> Effort {
        Effort { seconds: 1.0, levels: 2, seed }
    }
}

/// The parts under test. Trials of an absent part are graded as not usable, unless its field says
/// otherwise.
pub(crate) struct TestedParts<'a, C: Clock> {
    /// Clock of the session.
    pub clock: &'a C,
    /// Hardware and kernel counters of the session.
    pub counters: &'a mut dyn Counters,
    /// Absent on architectures without assembly kernels.
    pub kernels: Option<&'a mut AnyKernels>,
    /// The caches as the operating system describes them; may be empty.
    pub caches: &'a [Cache],
    /// A fast design and positions of `ab4`, as reference for the overhead of the harness. If absent,
    /// the overhead is not measured.
    pub design: Option<(Box<dyn Design>, &'a [Position])>,
}

pub(crate) fn run<C: Clock>(parts: TestedParts<'_, C>, effort: Effort) -> Selftest {
    let TestedParts { clock, counters, mut kernels, caches, design } = parts;
    let begun = clock.seconds();
    let random = &mut SplitMix(effort.seed);
    // Comparisons get the largest part, because they have to resolve the smallest differences.
    let seconds = |fraction: f64| fraction * effort.seconds;
    let mut trials = clocks::test(clock, kernels.as_deref_mut(), seconds(0.05));
    trials.extend(predictor::test(clock, kernels.as_deref_mut(), random, seconds(0.1)));
    let (trial, knee) = knee::test(clock, kernels.as_deref_mut(), random, seconds(0.25));
    trials.push(trial);
    let (caches_seconds, levels) = (seconds(0.08), effort.levels);
    trials.extend(memory::loads(
        clock,
        kernels.as_deref_mut(),
        caches,
        levels,
        random,
        caches_seconds,
    ));
    trials.push(memory::forward(clock, kernels.as_deref_mut(), seconds(0.02)));
    trials.push(memory::vectors(clock, kernels.as_deref_mut(), seconds(0.02)));
    let mut writer = memory::Writer::new(random);
    trials.extend(memory::writes(clock, |way, lists| writer.fill(way, lists), seconds(0.05)));
    trials.extend(comparisons::test(clock, crate::known::steps, effort.seed, seconds(0.35)));
    if let Some((design, positions)) = design {
        trials.extend(overhead::test(clock, design, positions, effort.seed, seconds(0.1)));
    }
    trials.extend(events::test(counters, kernels, caches, random));
    let width = width(clock);
    Selftest { seconds: clock.seconds() - begun, trials, knee, width }
}

/// Independent additions per core cycle: the middle of a few readings of the probe.
fn width<C: Clock>(clock: &C) -> Option<f64> {
    const READINGS: usize = 9;
    let mut probe = HardwareProbe::new(clock, None);
    let found: Option<Vec<f64>> = (0..READINGS).map(|_| probe.read().throughput).collect();
    median(&found?)
}

/// Runs the short self-test with the clock and the counters of a session.
pub(crate) fn before_session<C: Clock>(
    clock: &C,
    counters: &mut dyn Counters,
    caches: &[Cache],
    seed: u64,
) -> Selftest {
    let mut kernels = kernels::of_this_machine();
    let kernels = kernels.as_deref_mut();
    let parts = TestedParts { clock, counters, kernels, caches, design: None };
    run(parts, Effort::short(seed))
}
