//! Measures the latencies of instructions, the cost of mispredictions, and calls that do not overlap.
//!
//! A chain of instructions in which each needs the result of the one before takes as many cycles as the sum of their
//! latencies. [`latencies`] runs such chains for the instructions that walks consist of; loads hit the first-level
//! cache. Times become cycles as everywhere else (see [`core_clock`](crate::core_clock)), so the unit is the latency
//! of `add`.
//!
//! A *hammock* is a loop with one branch on one bit. With random bits every second branch is mispredicted, with
//! steady bits none. The difference is the cost of a misprediction. It depends on the loop, because the next branch
//! is resolved only after the instructions that feed it. [`hammocks`] measures three feeds and subtracts the latency
//! of each, so that the same refill of the pipeline should remain.
//!
//! [`one_by_one`] times a call between fences. Repeated calls without fences overlap, which hides the latency
//! of a chain that is shorter than the core's window.

use raywalk_core::random::SplitMix;

use crate::clock::Clock;
use crate::perturb::fence;

#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "kernels in assembly")]
mod x86;

raywalk_results::texts! {
    /// One link of a dependency chain.
    pub enum Link: name {
        /// A load whose address is a register.
        Load = "load [r]",
        /// A load whose address is a register and a constant.
        LoadDisplaced = "load [r+d]",
        /// A load whose address is the sum of two registers.
        LoadIndexed = "load [b+i]",
        /// A load whose address contains a register times eight.
        LoadScaled = "load [b+i*8]",
        /// `xor`, which stands for all simple instructions on integers.
        Simple = "xor",
        /// A copy between registers.
        Copy = "mov r, r",
        /// `movzx` between registers.
        Extend = "movzx r, r",
        /// `test` and the `cmov` that needs its flags, together.
        TestAndSelect = "test + cmov",
        /// `lea` with a scaled register.
        AddressScaled = "lea [b+i*8]",
        /// `lea` with two registers and a constant.
        AddressOfThree = "lea [b+i+d]",
        /// `shl` by a register.
        ShiftBy = "shl r, cl",
        /// `shlx`, which leaves the flags unchanged.
        ShiftWithoutFlags = "shlx",
        /// `imul` of two registers.
        Multiply = "imul",
        /// `tzcnt`, which finds the lowest set bit.
        Scan = "tzcnt",
        /// `popcnt`, which counts the set bits.
        Count = "popcnt",
        /// `blsr`, which clears the lowest set bit.
        ClearLowest = "blsr",
        /// `pext`, which gathers bits by a mask.
        Extract = "pext",
    }
}

raywalk_results::texts! {
    /// Data that the branch of a hammock waits for.
    pub enum Feed: name {
        /// Registers: three shifts and three `xor` make the next random number.
        Registers = "registers",
        /// A load whose address is known early.
        Load = "one load",
        /// A load whose address is loaded.
        TwoLoads = "two loads",
    }
}

impl Feed {
    /// The links from the restart after a misprediction to the next branch.
    pub fn chain(self) -> Vec<Link> {
        match self {
            Feed::Registers => {
                let step = [Link::Copy, Link::Simple, Link::Simple];
                [step, step, step].concat().into_iter().chain([Link::Simple]).collect()
            }
            Feed::Load => vec![Link::Load, Link::Simple],
            Feed::TwoLoads => vec![Link::LoadScaled, Link::LoadIndexed, Link::Simple],
        }
    }
}

/// The bits that the branches of a hammock test, in the form of each feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcomes {
    /// State of the generator of the feed from registers; 0 stays 0, so that all bits are the same.
    seed: u64,
    /// One byte per branch; the lowest bit decides.
    bytes: Vec<u8>,
    /// One place in the table per branch.
    places: Vec<u16>,
    /// 256 bytes; the lowest bit decides.
    table: Vec<u8>,
}

impl Outcomes {
    /// Random outcomes, half of them taken on average.
    fn random(branches: usize, random: &mut SplitMix) -> Outcomes {
        let mut bytes = |count| (0..count).map(|_| random.word() as u8).collect::<Vec<u8>>();
        let (bytes, places) = (bytes(branches), bytes(branches));
        // Half of the table is odd.
        let table = random.permutation(256).into_iter().map(|number| number as u8).collect();
        let places = places.into_iter().map(u16::from).collect();
        // An odd seed is never 0, which the generator would keep.
        Outcomes { seed: random.word() | 1, bytes, places, table }
    }

    /// Bits that every predictor predicts: alternating, or all the same in registers.
    fn steady(branches: usize) -> Outcomes {
        let bytes: Vec<u8> = (0..branches).map(|number| (number & 1) as u8).collect();
        let places = bytes.iter().copied().map(u16::from).collect();
        Outcomes { seed: 0, bytes, places, table: (0..=255).collect() }
    }

    /// Number of branches, for kernels that run them.
    #[cfg(any(test, target_arch = "x86_64"))]
    fn len(&self) -> usize {
        self.bytes.len()
    }
}

/// The chains and hammocks. A trait, so that tests replace them by synthetic costs on virtual time.
pub trait Kernels {
    /// Runs a chain of `links` links, a multiple of 32. Returns whether this processor has the instruction;
    /// otherwise nothing ran.
    fn chain(&mut self, link: Link, links: u64) -> bool;

    /// Runs one branch per outcome.
    fn hammock(&mut self, feed: Feed, outcomes: &Outcomes);
}

/// The kernels for this architecture; `None` where none are written.
#[cfg(target_arch = "x86_64")]
pub fn kernels() -> Option<impl Kernels> {
    Some(x86::X86Kernels::new())
}

/// No kernels are written for this architecture.
#[cfg(not(target_arch = "x86_64"))]
pub fn kernels() -> Option<impl Kernels> {
    enum Never {}
    impl Kernels for Never {
        fn chain(&mut self, _: Link, _: u64) -> bool {
            match *self {}
        }
        fn hammock(&mut self, _: Feed, _: &Outcomes) {
            match *self {}
        }
    }
    None::<Never>
}

/// Timed runs of each kernel, each some microseconds long.
const RUNS: usize = 25;
/// Links of one run.
const LINKS: u64 = 2_048;
/// Branches of one run. Their bytes and places fit the first-level cache.
const BRANCHES: usize = 8_192;
/// Calls of one timed run, and runs before them from which the predictor learns.
const CALLS: u32 = 64;
const LEARNING: u32 = 4;

/// Measured latencies in core cycles, by link.
#[derive(Clone, Debug, PartialEq)]
pub struct Latencies(Vec<(Link, f64)>);

impl Latencies {
    /// The latencies of these links, in core cycles.
    pub fn new(latencies: Vec<(Link, f64)>) -> Latencies {
        Latencies(latencies)
    }

    /// Cycles of a link; `None` if this processor lacks its instruction.
    pub fn of(&self, link: Link) -> Option<f64> {
        self.0.iter().find(|(other, _)| *other == link).map(|(_, cycles)| *cycles)
    }

    /// The part of a link in a longer chain. A copy that takes a fraction of a cycle is done while registers are
    /// renamed; the fraction is the throughput of that, and nothing waits for it.
    pub fn in_chain(&self, link: Link) -> Option<f64> {
        self.of(link).map(|cycles| if cycles < 0.5 { 0.0 } else { cycles })
    }

    /// Each measured link with its cycles.
    pub fn iter(&self) -> impl Iterator<Item = (Link, f64)> + '_ {
        self.0.iter().copied()
    }
}

/// The cost of mispredictions in a hammock, in cycles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hammock {
    /// Data that its branch waits for.
    pub feed: Feed,
    /// Cycles of an iteration whose branch is predicted.
    pub predicted: f64,
    /// Cycles that a misprediction adds to an iteration.
    pub cost: f64,
    /// From the restart to the next branch: the sum of the latencies of [`Feed::chain`].
    pub chain: f64,
}

impl Hammock {
    /// Cycles from the branch that was mispredicted to the restart. A mispredicted iteration takes the predicted one
    /// and the cost, and consists of the refill and the chain to the next branch.
    pub fn refill(&self) -> f64 {
        self.cost + self.predicted - self.chain
    }
}

/// Latencies of all links that this processor has; `None` where the clock rate of the core is unknown.
pub fn latencies<C: Clock>(clock: &C, kernels: &mut impl Kernels) -> Option<Latencies> {
    let mut found = Vec::new();
    for link in Link::ALL {
        if kernels.chain(link, LINKS) {
            let run = || {
                kernels.chain(link, LINKS);
            };
            found.push((link, least(clock, run)? / LINKS as f64));
        }
    }
    Some(Latencies(found))
}

/// The cost of a misprediction for each feed whose latencies are known.
pub fn hammocks<C: Clock>(
    clock: &C,
    kernels: &mut impl Kernels,
    latencies: &Latencies,
    random: &mut SplitMix,
) -> Vec<Hammock> {
    let steady = Outcomes::steady(BRANCHES);
    let mut one = |feed: Feed| {
        let chain =
            feed.chain().into_iter().map(|link| latencies.in_chain(link)).sum::<Option<f64>>()?;
        // Not timed: the predictor first has to learn the steady bits.
        kernels.hammock(feed, &steady);
        let predicted = least(clock, || kernels.hammock(feed, &steady))? / BRANCHES as f64;
        // Fresh bits for each run: the predictor would learn those of an earlier one.
        let mut fresh = (0..RUNS).map(|_| Outcomes::random(BRANCHES, random)).collect::<Vec<_>>();
        let run = || kernels.hammock(feed, &fresh.pop().expect("outcomes for every run"));
        let mispredicted = least(clock, run)? / BRANCHES as f64;
        // Every second random bit is mispredicted, so the difference is half of the cost.
        Some(Hammock { feed, predicted, cost: 2.0 * (mispredicted - predicted), chain })
    };
    Feed::ALL.into_iter().filter_map(&mut one).collect()
}

/// Cycles of one call, if each call ends before the next begins. The cycles of the fences are included, and so
/// are those of the loop. `None` where the clock rate of the core is unknown.
pub fn one_by_one<C: Clock>(clock: &C, mut call: impl FnMut()) -> Option<f64> {
    let mut calls = || {
        for _ in 0..CALLS {
            fence();
            call();
        }
    };
    (0..LEARNING).for_each(|_| calls());
    Some(least(clock, calls)? / f64::from(CALLS))
}

/// Cycles of a short run: the lower quartile of several, because an interruption only adds to them. The clock
/// rate of the core is measured with each run.
fn least<C: Clock>(clock: &C, mut run: impl FnMut()) -> Option<f64> {
    let mut cycles = [0.0; RUNS];
    for cycles in &mut cycles {
        let rate = clock.cycles_per_tick()?;
        let start = clock.start();
        run();
        let ticks = clock.end().saturating_sub(start).saturating_sub(clock.facts().overhead);
        *cycles = ticks as f64 * rate;
    }
    cycles.sort_by(f64::total_cmp);
    Some(cycles[RUNS / 4])
}
