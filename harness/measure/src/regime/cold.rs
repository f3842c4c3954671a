//! *Cold*: a stream whose calls find an overwritten branch predictor.
//!
//! Before each call runs a long sequence of branches. Each has an address of its own and each outcome
//! is a fresh random bit, so about half of them are mispredicted, and each misprediction makes the
//! predictor give an entry to something useless. The method and the number of branches are those of
//! sort-research-rs, whose cold benchmarks execute 16,192 generated jumps before each call.
//!
//! # How many branches
//! No number makes the predictor of a current core completely cold: it memorises tens of thousands of
//! random outcomes and gives up about one of them per branch. A call costs more after twice the
//! number, as far as it was tried. The number is therefore an *intensity*: it is printed with every
//! result, and two costs are comparable only at the same intensity. 16,384 is near the published
//! number and affordable in a plan of many designs. The parameter in plan files is the number.
//!
//! # Side effects
//! The code of the sequence, 137 KiB, evicts the design's code from the first-level instruction cache,
//! as any other code would, so part of the effect is not prediction. The data caches are left alone:
//! the sequence reads and writes no memory.

use raywalk_results::format::grouped;
use raywalk_results::schema::{Intensity, IntensityUnit, Order, Regime, RegimeKind};

use super::interface::{Parameter, Rules};
use crate::disturb::Disturb;

pub(super) struct Cold;

/// Branches with an address of their own.
const SITES: u64 = 256 * 64;
/// Upper bound on the branches before a call. They take a twentieth of a second; more would never end.
const MOST: u64 = 1_024 * SITES;
const IS_WRITTEN: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

fn branches(regime: &Regime) -> u64 {
    regime.intensity.map_or(0, |intensity| intensity.amount)
}

impl Rules for Cold {
    fn parse(&self, parameter: Parameter<'_>, order: Order) -> Result<Vec<Regime>, String> {
        let branches = match parameter {
            None => Some(SITES),
            Some(value) => value.as_integer().and_then(|number| u64::try_from(number).ok()),
        };
        let branches = branches.filter(|&number| (SITES..=MOST).contains(&number));
        let branches = branches.filter(|number| number.is_multiple_of(SITES)).ok_or_else(|| {
            format!("needs a number of branches that is a multiple of {SITES}, at most {MOST}")
        })?;
        let description = format!(
            "{}, the branch predictor overwritten by {} random branches before each call \
             (difference of two timed runs)",
            order.label(),
            grouped(branches)
        );
        Ok(vec![Regime {
            kind: RegimeKind::Cold,
            order,
            period: None,
            intensity: Some(Intensity { amount: branches, unit: IntensityUnit::Branches }),
            label: "cold predictor".to_owned(),
            description,
        }])
    }

    fn parameter(&self, regime: &Regime) -> Option<toml::Value> {
        Some(toml::Value::Integer(branches(regime).cast_signed()))
    }

    fn reference(&self) -> (&'static str, &'static str) {
        (
            "the number of branches, a multiple of 16384 up to 16777216; default `16384`",
            "A stream; before each call, random branches overwrite the branch predictor. x86-64 and \
             aarch64 only.",
        )
    }

    fn id(&self, regime: &Regime) -> String {
        match branches(regime) {
            SITES => format!("cold-{}", regime.order),
            branches => format!("cold-{branches}-{}", regime.order),
        }
    }

    fn disturb(&self, regime: &Regime) -> Result<Option<Box<dyn Disturb>>, String> {
        if !IS_WRITTEN {
            return Err("the cold regime is written for x86-64 and aarch64 only".to_owned());
        }
        Ok(Some(Box::new(Flusher::new(branches(regime)))))
    }

    fn disturbance_nanoseconds(&self, regime: &Regime) -> f64 {
        // About half of the branches are mispredicted.
        const BRANCH: f64 = 3.2;
        branches(regime) as f64 * BRANCH
    }

    fn returns_after(&self, _regime: &Regime, _len: usize) -> Option<u64> {
        None
    }
}

#[derive(Debug)]
struct Flusher {
    /// State of the random bits; never 0.
    state: u64,
    /// Passes over the sites.
    passes: u64,
}

impl Flusher {
    fn new(branches: u64) -> Flusher {
        Flusher { state: 0x9E37_79B9_7F4A_7C15, passes: branches / SITES }
    }
}

impl Disturb for Flusher {
    fn disturb(&mut self) {
        run(&mut self.state, self.passes);
    }
}

/// Passes over all sites `passes` times, at least once, and returns the number of branches that fell
/// through.
///
/// One step of a xorshift generator (G. Marsaglia, *Xorshift RNGs*, Journal of Statistical Software 8,
/// 2003) gives the bits of 64 sites. A branch jumps over one instruction, because a processor might
/// treat a branch over nothing as always predicted.
#[inline(never)]
fn run(state: &mut u64, passes: u64) -> u64 {
    let (mut ones, mut word) = (0u64, *state);
    let passes = passes.max(1);
    // SAFETY: the block touches no memory and changes the registers that it declares, and the flags.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        std::arch::asm!(
            "2:",
            ".rept 256",
            "mov {bits}, {word}", "shl {bits}, 13", "xor {word}, {bits}",
            "mov {bits}, {word}", "shr {bits}, 7", "xor {word}, {bits}",
            "mov {bits}, {word}", "shl {bits}, 17", "xor {word}, {bits}",
            "mov {bits}, {word}",
            ".rept 64", "shr {bits}, 1", "jnc 3f", "inc {ones}", "3:", ".endr",
            ".endr",
            "dec {passes}", "jnz 2b",
            bits = out(reg) _,
            word = inout(reg) word,
            ones = inout(reg) ones,
            passes = inout(reg) passes => _,
            options(nomem, nostack),
        );
    }
    // SAFETY: as above.
    #[cfg(target_arch = "aarch64")]
    unsafe {
        std::arch::asm!(
            "2:",
            ".rept 256",
            "eor {word}, {word}, {word}, lsl #13",
            "eor {word}, {word}, {word}, lsr #7",
            "eor {word}, {word}, {word}, lsl #17",
            "mov {bits}, {word}",
            ".rept 64", "adds {bits}, {bits}, {bits}", "b.cc 3f", "add {ones}, {ones}, #1", "3:",
            ".endr",
            ".endr",
            "subs {passes}, {passes}, #1", "b.ne 2b",
            bits = out(reg) _,
            word = inout(reg) word,
            ones = inout(reg) ones,
            passes = inout(reg) passes => _,
            options(nomem, nostack),
        );
    }
    // Other architectures have no sequence, and `disturb` returns an error there.
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = (passes, &mut ones, &mut word);
    *state = word;
    ones
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    fn every_branch_takes_a_bit_of_its_own_and_no_bits_repeat() {
        let mut flusher = Flusher::new(2 * SITES);
        let mut word = flusher.state;
        for _ in 0..3 {
            let mut set = 0;
            for _ in 0..2 * 256 {
                word ^= word << 13;
                word ^= word >> 7;
                word ^= word << 17;
                set += u64::from(word.count_ones());
            }
            assert_eq!(run(&mut flusher.state, flusher.passes), set);
            assert_eq!(flusher.state, word);
            let fraction = set as f64 / (2 * SITES) as f64;
            // Five standard deviations of 32,768 fair coin tosses.
            assert!((fraction - 0.5).abs() < 0.014, "{fraction}");
        }
    }

    #[test]
    fn a_number_of_branches_that_the_code_cannot_execute_is_refused() {
        for branches in [0, 1_000] {
            let why = Cold.parse(Some(&branches.into()), Order::Tree).expect_err("no multiple");
            assert!(why.contains("multiple of 16384"), "{why}");
        }
    }
}
