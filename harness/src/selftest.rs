//! The instruments, tried on code of which the answer is known.
//!
//! A benchmark is believed because its numbers look right; this one is asked before. Chains of
//! instructions of one and of three cycles must tell the same clock; a branch on random bits must
//! cost half a misprediction and nothing once the bits are learnt; each level of memory must be
//! slower than the one before; equal work must come out equal and work that differs by a thousandth
//! must not; and a design that finds nothing must cost nothing. Each answer has a band in which it
//! has to lie, and each instrument is graded usable or not, on this machine, now.
//!
//! Kernels, clock and counters come from outside, so that the grades are tested with synthetic
//! costs on virtual time.

use raywalk_core::Position;
use raywalk_reports::schema::{Cache, Knee, Selftest};

use crate::measure::clock::Clock;
use crate::measure::counters::Counters;
use crate::measure::schedule::SplitMix;
use crate::measure::subject::Subject;
use kernels::AnyKernels;

mod clocks;
mod comparisons;
mod events;
#[cfg(test)]
mod fake;
pub mod kernels;
mod knee;
pub mod known;
mod memory;
mod overhead;
mod predictor;
mod trial;

/// How long it may take, and how deep it goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Seconds, about. What is necessary is done in any case, which takes about one.
    pub seconds: f64,
    /// Levels of memory that are tried, from the first; large rings take long to make.
    pub levels: usize,
    /// Every random bit and order comes from it.
    pub seed: u64,
}

impl Effort {
    /// The form that precedes every session: the two nearest levels of memory, about a second.
    pub fn short(seed: u64) -> Effort {
        Effort { seconds: 1.0, levels: 2, seed }
    }
}

/// What is tried. Parts that are not there are reported as that, or left out where it says so.
pub struct Instruments<'a, C: Clock> {
    /// The clock.
    pub clock: &'a C,
    /// The counters.
    pub counters: &'a mut dyn Counters,
    /// The kernels, if they are written for this architecture.
    pub kernels: Option<&'a mut AnyKernels>,
    /// The caches, as the machine describes them.
    pub caches: &'a [Cache],
    /// A fast design and positions of `ab4`, against which the harness's own cost is held; left
    /// out if absent.
    pub design: Option<(Box<dyn Subject>, &'a [Position])>,
}

/// Tries everything.
pub fn run<C: Clock>(instruments: Instruments<'_, C>, effort: Effort) -> Selftest {
    let Instruments { clock, counters, mut kernels, caches, design } = instruments;
    let begun = clock.seconds();
    let random = &mut SplitMix(effort.seed);
    // Comparisons get the most, because they resolve the least differences.
    let share = |part: f64| part * effort.seconds;
    let mut trials = clocks::test(clock, kernels.as_deref_mut(), share(0.05));
    trials.extend(predictor::test(clock, kernels.as_deref_mut(), random, share(0.1)));
    let (trial, knee) = knee::test(clock, kernels.as_deref_mut(), random, share(0.25));
    trials.push(trial);
    let (caches_share, levels) = (share(0.08), effort.levels);
    trials.extend(memory::loads(
        clock,
        kernels.as_deref_mut(),
        caches,
        levels,
        random,
        caches_share,
    ));
    trials.push(memory::forward(clock, kernels.as_deref_mut(), share(0.02)));
    let mut writer = memory::Writer::new(random);
    trials.extend(memory::writes(clock, |way, lists| writer.fill(way, lists), share(0.05)));
    trials.extend(comparisons::test(clock, comparisons::steps, effort.seed, share(0.35)));
    if let Some((design, positions)) = design {
        trials.extend(overhead::test(clock, design, positions, effort.seed, share(0.1)));
    }
    trials.extend(events::test(counters, kernels, caches, random));
    Selftest { seconds: clock.seconds() - begun, trials, knee }
}

/// The short form, for a session that has its clock and counters already.
pub fn before_session<C: Clock>(
    clock: &C,
    counters: &mut dyn Counters,
    caches: &[Cache],
    seed: u64,
) -> Selftest {
    let mut kernels = kernels::of_this_machine();
    let kernels = kernels.as_deref_mut();
    let instruments = Instruments { clock, counters, kernels, caches, design: None };
    run(instruments, Effort::short(seed))
}

/// How many random outcomes this machine's predictor memorises, in about half a second; none if the
/// kernels are not written for it, or if its curve has no knee within reach.
pub fn knee<C: Clock>(clock: &C, seed: u64) -> Option<Knee> {
    let mut kernels = kernels::of_this_machine();
    knee::test(clock, kernels.as_deref_mut(), &mut SplitMix(seed), 0.0).1
}
