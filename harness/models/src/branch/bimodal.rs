//! One two-bit counter for each address: the simplest predictor.
//!
//! # Source
//! J. E. Smith, *A study of branch prediction strategies*, ISCA 1981.

use super::Predictor;
use super::counter::train_two_bits;
use crate::Description;

/// Bits of the address that select the counter.
const ADDRESS_BITS: u32 = 16;

/// All counters start here: not taken, weakly.
const START: u8 = 1;

pub(super) struct Bimodal {
    counters: Vec<u8>,
}

impl Bimodal {
    pub(super) fn new() -> Bimodal {
        Bimodal { counters: vec![START; 1 << ADDRESS_BITS] }
    }
}

impl Predictor for Bimodal {
    type Lookup = usize;

    fn look_up(&self, address: u64) -> (bool, usize) {
        let index = address as usize % self.counters.len();
        (self.counters[index] >= 2, index)
    }

    fn learn(&mut self, _: u64, index: usize, taken: bool) {
        train_two_bits(&mut self.counters[index], taken);
    }

    fn description(&self) -> Description {
        let entries = self.counters.len();
        Description::new(format!("bimodal {entries}"), 2 * entries as u64)
            .with("entries", entries)
            .with("counter bits", 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::branch::BranchModel;
    use raywalk_core::random::SplitMix;

    fn misses(outcomes: impl IntoIterator<Item = bool>) -> u64 {
        let mut bimodal = Bimodal::new();
        outcomes.into_iter().map(|taken| u64::from(bimodal.misses(0x40, taken))).sum()
    }

    #[test]
    fn an_alternating_branch_misses_half_or_all_depending_on_its_first_outcome() {
        // Not taken first: the counter goes 1, 0, 1, 0 and always predicts "not taken".
        assert_eq!(misses((0..1000).map(|n| n % 2 == 1)), 500);
        // Taken first: the counter goes 1, 2, 1, 2 and is always wrong.
        assert_eq!(misses((0..1000).map(|n| n % 2 == 0)), 1000);
    }

    #[test]
    fn a_loop_misses_its_exit_and_nothing_else() {
        // One miss more at the very beginning: the counter starts at "not taken".
        for iterations in [4, 8, 30, 120] {
            assert_eq!(
                misses((0..100 * iterations).map(|n| n % iterations != iterations - 1)),
                101,
                "{iterations}"
            );
        }
    }

    /// A two-bit counter on independent outcomes is a chain of four states with the stationary weights
    /// 1, r, r², r³, where r = p ÷ (1 − p). It misses p in the lower two and 1 − p in the upper two.
    #[test]
    fn random_outcomes_miss_as_often_as_the_chain_of_four_states_says() {
        for percent in [50, 70, 90, 99] {
            let p = f64::from(percent) / 100.0;
            let ratio = p / (1.0 - p);
            let weights = [1.0, ratio, ratio.powi(2), ratio.powi(3)];
            let lower = (weights[0] + weights[1]) / weights.iter().sum::<f64>();
            let expected = p * lower + (1.0 - p) * (1.0 - lower);
            let mut random = SplitMix(7);
            let n = 1_000_000;
            let found = misses((0..n).map(|_| random.below(100) < percent as usize)) as f64;
            assert!(
                (found / f64::from(n) - expected).abs() < 0.002,
                "{percent}: {found}, {expected}"
            );
            assert!(found / f64::from(n) > p.min(1.0 - p) - 0.002, "below the least possible rate");
        }
    }

    #[test]
    fn addresses_65536_apart_share_a_counter() {
        let both = |other: u64| {
            let mut bimodal = Bimodal::new();
            (0..1000)
                .map(|_| {
                    u64::from(bimodal.misses(5, true)) + u64::from(bimodal.misses(other, false))
                })
                .sum::<u64>()
        };
        assert_eq!(both(6), 1, "apart, only the first taken branch misses");
        assert_eq!(
            both(5 + 65_536),
            2000,
            "shared, the counter goes 1, 2, 1, 2 and is always wrong"
        );
    }
}
