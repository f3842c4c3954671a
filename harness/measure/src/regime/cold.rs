//! *Cold*: a stream with an overwritten branch predictor before each call; and its placebo.
//!
//! Before each call runs a long sequence of branches. Each has an address of its own and each outcome
//! is a fresh random bit, so about half of them are mispredicted, and each misprediction makes the
//! predictor give an entry to something useless. The method and the number of branches are those of
//! sort-research-rs, whose cold benchmarks execute 16,192 generated jumps before each call.
//!
//! # How many branches
//! No number makes the predictor of a current core completely cold: it memorises tens of thousands of random outcomes
//! and gives up about one of them per branch. Each doubling of the number made calls slower, up to the largest number
//! tried. The number is therefore an *intensity*: it is printed with every result, and two costs are comparable only
//! at the same intensity. 16,384 is near the published number and affordable in a plan of many designs. The parameter
//! in plan files is the number.
//!
//! # The placebo
//! The code of the sequence, 137 KiB, evicts the design's code from the first-level instruction cache, as any other
//! code would, so part of the effect is not prediction. The *placebo* runs the same instructions at the same
//! addresses, but every branch always has the same outcome: taken at every second site, not taken at the others. As
//! many instructions are executed and as many branches taken as on average with random outcomes, and the instruction
//! cache is left in the same state, but the predictor has learnt the branches and gives up few entries for them. Cold
//! minus placebo is the part of the predictor. The data caches do not change: the sequence reads and writes no
//! memory.

use raywalk_results::format::grouped;
use raywalk_results::schema::{Call, Intensity, IntensityUnit, Order, Regime, RegimeKind};

use super::interface::{Parameter, Rules, one_by_one};
use crate::perturb::Perturb;

/// A stream with a flusher before each call.
pub(super) struct Cold {
    outcomes: Outcomes,
}

pub(super) const COLD: Cold = Cold { outcomes: Outcomes::RANDOM };
/// The same without the effect on the predictor.
pub(super) const PLACEBO: Cold = Cold { outcomes: Outcomes::CONSTANT };

/// The intensities of the built-in plans.
pub(crate) const INTENSITIES: [i64; 3] = [16_384, 32_768, 65_536];
/// Branches with an address of their own.
const SITES: u64 = 256 * 64;
/// Upper bound on the branches before a call. They take a twentieth of a second; more would never end.
const MOST: u64 = 1_024 * SITES;
const IS_WRITTEN: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

fn branches(regime: &Regime) -> u64 {
    regime.intensity.map_or(0, |intensity| intensity.amount)
}

impl Cold {
    fn is_placebo(&self) -> bool {
        self.outcomes == Outcomes::CONSTANT
    }

    fn regime(&self, branches: u64, order: Order) -> Regime {
        let (order_label, count) = (order.label(), grouped(branches));
        let (kind, unit, label, done) = if self.is_placebo() {
            (
                RegimeKind::ColdPlacebo,
                IntensityUnit::ConstantBranches,
                "cold placebo",
                format!("{count} branches of constant outcome executed before each call"),
            )
        } else {
            (
                RegimeKind::Cold,
                IntensityUnit::Branches,
                "cold predictor",
                format!(
                    "the branch predictor overwritten by {count} random branches before each call"
                ),
            )
        };
        let label = match branches {
            SITES => label.to_owned(),
            _ => format!("{label}, {count}"),
        };
        Regime {
            kind,
            intensity: Some(Intensity { amount: branches, unit }),
            label,
            description: format!("{order_label}, {done} (difference of two timed runs)"),
            ..Regime::stream(order)
        }
    }
}

impl Rules for Cold {
    fn parse(&self, parameter: Parameter<'_>, order: Order) -> Result<Vec<Regime>, String> {
        let default = toml::Value::Integer(SITES.cast_signed());
        let intensities = match parameter {
            None => vec![&default],
            Some(toml::Value::Array(intensities)) if !intensities.is_empty() => {
                intensities.iter().collect()
            }
            Some(intensity) => vec![intensity],
        };
        let regime = |intensity: &toml::Value| {
            let branches = intensity.as_integer().and_then(|number| u64::try_from(number).ok());
            let branches = branches.filter(|number| (SITES..=MOST).contains(number));
            let branches = branches.filter(|number| number.is_multiple_of(SITES));
            branches.map(|branches| self.regime(branches, order)).ok_or_else(|| {
                format!(
                    "needs a number of branches that is a multiple of {SITES}, at most {MOST}, or a \
                     list of such"
                )
            })
        };
        intensities.into_iter().map(regime).collect()
    }

    fn parameter(&self, regime: &Regime) -> Option<toml::Value> {
        Some(toml::Value::Integer(branches(regime).cast_signed()))
    }

    fn reference(&self) -> (&'static str, &'static str) {
        let about = if self.is_placebo() {
            "A stream; before each call, the code of `cold` with branches that always have the same \
             outcome: the instruction cache is emptied and the branch predictor is not. x86-64 and \
             aarch64 only."
        } else {
            "A stream; before each call, random branches overwrite the branch predictor. x86-64 and \
             aarch64 only."
        };
        (
            "the number of branches, a multiple of 16384 up to 16777216, or a list of such numbers; \
             default `16384`",
            about,
        )
    }

    fn id(&self, regime: &Regime) -> String {
        let kind = regime.kind;
        match branches(regime) {
            SITES => format!("{kind}-{}", regime.order),
            branches => format!("{kind}-{branches}-{}", regime.order),
        }
    }

    fn times(&self, regime: &Regime, call: Call) -> Result<(), String> {
        one_by_one(regime, call)
    }

    fn perturb(&self, regime: &Regime) -> Result<Option<Box<dyn Perturb>>, String> {
        if !IS_WRITTEN {
            return Err(format!(
                "the regime `{}` is written for x86-64 and aarch64 only",
                regime.kind
            ));
        }
        Ok(Some(Box::new(Flusher::new(branches(regime), self.outcomes))))
    }

    fn perturbation_nanoseconds(&self, regime: &Regime) -> f64 {
        // About half of the random branches are mispredicted.
        const RANDOM: f64 = 3.2;
        const CONSTANT: f64 = 0.5;
        branches(regime) as f64 * if self.is_placebo() { CONSTANT } else { RANDOM }
    }
}

/// Outcomes of the 64 branches of a group: `word & of_word | constant`, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Outcomes {
    /// Bits that the random word decides.
    of_word: u64,
    /// Bits that are always set.
    constant: u64,
}

impl Outcomes {
    const RANDOM: Outcomes = Outcomes { of_word: u64::MAX, constant: 0 };
    /// Half of the bits are set, as in a random word on average, so as many instructions are executed.
    const CONSTANT: Outcomes = Outcomes { of_word: 0, constant: 0xAAAA_AAAA_AAAA_AAAA };
}

#[derive(Debug)]
struct Flusher {
    /// State of the random bits; never 0.
    state: u64,
    /// Passes over all sites in each perturbation.
    passes: u64,
    outcomes: Outcomes,
}

impl Flusher {
    fn new(branches: u64, outcomes: Outcomes) -> Flusher {
        Flusher { state: 0x9E37_79B9_7F4A_7C15, passes: branches / SITES, outcomes }
    }
}

impl Perturb for Flusher {
    fn perturb(&mut self) {
        run(&mut self.state, self.passes, self.outcomes);
    }
}

/// Passes over all sites `passes` times, at least once, and returns the number of branches that fell
/// through.
///
/// One step of a xorshift generator (G. Marsaglia, *Xorshift RNGs*, Journal of Statistical Software 8,
/// 2003) gives the bits of 64 sites. A branch jumps over one instruction, because a processor might
/// treat a branch over nothing as always predicted. Random and constant outcomes differ in the values of
/// two registers only, so flusher and placebo are one function that is never inlined.
#[inline(never)]
fn run(state: &mut u64, passes: u64, outcomes: Outcomes) -> u64 {
    let (mut ones, mut word) = (0u64, *state);
    let passes = passes.max(1);
    /// The operands of the block, which are the same on every architecture.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    macro_rules! sequence {
        ($($line:literal),* $(,)?) => {
            std::arch::asm!(
                $($line,)*
                of_word = in(reg) outcomes.of_word,
                constant = in(reg) outcomes.constant,
                bits = out(reg) _,
                word = inout(reg) word,
                ones = inout(reg) ones,
                passes = inout(reg) passes => _,
                options(nomem, nostack),
            )
        };
    }
    // SAFETY: the block touches no memory and changes the registers that it declares, and the flags.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        sequence!(
            "2:",
            ".rept 256",
            "mov {bits}, {word}",
            "shl {bits}, 13",
            "xor {word}, {bits}",
            "mov {bits}, {word}",
            "shr {bits}, 7",
            "xor {word}, {bits}",
            "mov {bits}, {word}",
            "shl {bits}, 17",
            "xor {word}, {bits}",
            "mov {bits}, {word}",
            "and {bits}, {of_word}",
            "or {bits}, {constant}",
            ".rept 64",
            "shr {bits}, 1",
            "jnc 3f",
            "inc {ones}",
            "3:",
            ".endr",
            ".endr",
            "dec {passes}",
            "jnz 2b",
        );
    }
    // SAFETY: as above.
    #[cfg(target_arch = "aarch64")]
    unsafe {
        sequence!(
            "2:",
            ".rept 256",
            "eor {word}, {word}, {word}, lsl #13",
            "eor {word}, {word}, {word}, lsr #7",
            "eor {word}, {word}, {word}, lsl #17",
            "and {bits}, {word}, {of_word}",
            "orr {bits}, {bits}, {constant}",
            ".rept 64",
            // A shift sets no flags here. Adding a register to itself moves its highest bit into the carry.
            "adds {bits}, {bits}, {bits}",
            "b.cc 3f",
            "add {ones}, {ones}, #1",
            "3:",
            ".endr",
            ".endr",
            "subs {passes}, {passes}, #1",
            "b.ne 2b",
        );
    }
    // Other architectures have no sequence, and `perturb` returns an error there.
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = (passes, outcomes, &mut ones, &mut word);
    *state = word;
    ones
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The next words of the generator.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    fn words(word: &mut u64, count: u64) -> Vec<u64> {
        let next = |_| {
            *word ^= *word << 13;
            *word ^= *word >> 7;
            *word ^= *word << 17;
            *word
        };
        (0..count).map(next).collect()
    }

    #[test]
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    fn every_branch_takes_a_bit_of_its_own_and_no_bits_repeat() {
        let mut flusher = Flusher::new(2 * SITES, Outcomes::RANDOM);
        let mut word = flusher.state;
        for _ in 0..3 {
            let set: u64 =
                words(&mut word, 2 * 256).iter().map(|word| u64::from(word.count_ones())).sum();
            assert_eq!(run(&mut flusher.state, flusher.passes, flusher.outcomes), set);
            assert_eq!(flusher.state, word);
            let fraction = set as f64 / (2 * SITES) as f64;
            // Five standard deviations of 32,768 fair coin tosses.
            assert!((fraction - 0.5).abs() < 0.014, "{fraction}");
        }
    }

    #[test]
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    fn the_placebo_runs_the_same_steps_with_outcomes_that_never_change() {
        let mut flusher = Flusher::new(2 * SITES, Outcomes::CONSTANT);
        let mut word = flusher.state;
        for _ in 0..3 {
            // Half of all branches fall through, exactly and every time: the mean of the random ones.
            assert_eq!(run(&mut flusher.state, flusher.passes, flusher.outcomes), SITES);
            // The generator made as many steps as with random outcomes.
            words(&mut word, 2 * 256);
            assert_eq!(flusher.state, word);
        }
        // Each branch of a group follows a constant bit of its own: one set bit is one branch that falls
        // through in each of the 256 groups, whichever bit it is.
        for bit in 0..64 {
            let one = Outcomes { of_word: 0, constant: 1 << bit };
            assert_eq!(run(&mut word, 1, one), 256, "bit {bit}");
        }
        // Neighbours differ, so half of the sites of every line of code are taken.
        let Outcomes { of_word, constant } = Outcomes::CONSTANT;
        assert_eq!((of_word, constant ^ constant << 1 | 1), (0, u64::MAX));
    }

    #[test]
    fn a_number_of_branches_that_the_code_cannot_execute_is_refused() {
        for cold in [COLD, PLACEBO] {
            for branches in [0, 1_000] {
                let why = cold.parse(Some(&branches.into()), Order::Tree).expect_err("no multiple");
                assert!(why.contains("multiple of 16384"), "{why}");
            }
        }
    }

    #[test]
    fn cold_and_placebo_of_one_intensity_differ_in_id_unit_and_label() {
        let intensities: toml::Value = vec![16_384, 65_536].into();
        let parse = |cold: &Cold| cold.parse(Some(&intensities), Order::Tree).expect("two regimes");
        let ids =
            |cold: &Cold| parse(cold).iter().map(|regime| cold.id(regime)).collect::<Vec<_>>();
        assert_eq!(ids(&COLD), ["cold-tree", "cold-65536-tree"]);
        assert_eq!(ids(&PLACEBO), ["cold-placebo-tree", "cold-placebo-65536-tree"]);
        let labels = |cold: &Cold| parse(cold).into_iter().map(|one| one.label).collect::<Vec<_>>();
        assert_eq!(labels(&COLD), ["cold predictor", "cold predictor, 65,536"]);
        assert_eq!(labels(&PLACEBO), ["cold placebo", "cold placebo, 65,536"]);
        let unit = parse(&PLACEBO)[1].intensity.map(|intensity| intensity.unit);
        assert_eq!(unit, Some(IntensityUnit::ConstantBranches));
    }
}
