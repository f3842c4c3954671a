//! A statistical corrector: overrules TAGE where counters show that it is wrong.
//!
//! TAGE uses the longest history that matches. For a branch that goes one way in nine of ten cases,
//! whatever happened before, that is a mistake: a fresh entry repeats the last exception. The corrector sums
//! counters of many short contexts and of the prediction itself. If the sum is large and contradicts
//! TAGE, the sum decides.
//!
//! The counters are trained only if the sum was wrong or small. The threshold for *small* adapts: it rises
//! after wrong sums and falls after right but small ones.
//!
//! # Sources
//! A. Seznec, *TAGE-SC-L branch predictors again*, 5th Championship Branch Prediction (2016); the threshold:
//! A. Seznec, *Analysis of the O-GEometric History Length branch predictor*, ISCA 2005.
//!
//! # Departures
//! Sizes and hashes are our own. Left out: the count of inner-loop iterations, which needs the targets of
//! branches, second and third local histories, and thresholds per address.

use super::counter::train_signed;
use super::tage::Confidence;

const INDEX_BITS: u32 = 10;
const ENTRIES: usize = 1 << INDEX_BITS;
const COUNTER_BITS: u32 = 6;
/// Outcomes of all branches that the global tables use.
const GLOBAL: [u32; 5] = [5, 10, 18, 30, 48];
/// Outcomes of the same branch that the local tables use.
const LOCAL: [u32; 4] = [3, 6, 11, 16];
const LOCAL_HISTORIES: usize = 256;
const LOCAL_BITS: u32 = 16;
/// Tables without history: one uses the prediction, the other the prediction and its provider.
const BIAS: usize = 2;
pub(super) const TABLES: usize = BIAS + GLOBAL.len() + LOCAL.len();
const START_THRESHOLD: i32 = 35;
const THRESHOLD_BITS: u32 = 8;
/// Width of the counter that delays changes of the threshold.
const DELAY_BITS: u32 = 6;

pub(super) struct Corrector {
    /// The tables one behind the other.
    counters: Vec<i8>,
    /// The newest outcome is the lowest bit.
    global: u64,
    local: Vec<u16>,
    threshold: i32,
    delay: i8,
}

/// The counters of a prediction and their sum.
pub(super) struct Lookup {
    index: [usize; TABLES],
    local: usize,
    sum: i32,
    /// The prediction after correction: whether the branch is taken.
    pub(super) taken: bool,
}

impl Corrector {
    pub(super) fn new() -> Corrector {
        Corrector {
            counters: vec![0; TABLES * ENTRIES],
            global: 0,
            local: vec![0; LOCAL_HISTORIES],
            threshold: START_THRESHOLD,
            delay: 0,
        }
    }

    pub(super) fn bits(&self) -> u64 {
        let counters = self.counters.len() as u64 * u64::from(COUNTER_BITS);
        let local = self.local.len() as u64 * u64::from(LOCAL_BITS);
        let longest = u64::from(GLOBAL[GLOBAL.len() - 1]);
        counters + local + longest + u64::from(THRESHOLD_BITS + DELAY_BITS)
    }

    /// Corrects the prediction `taken` of a provider. It is overruled by a sum of any size if it is of low
    /// confidence; otherwise the sum has to reach a quarter or half of the threshold.
    pub(super) fn look_up(
        &self,
        address: u64,
        taken: bool,
        provider: usize,
        confidence: Confidence,
    ) -> Lookup {
        let local = (address ^ (address >> 8)) as usize % LOCAL_HISTORIES;
        let own = u64::from(self.local[local]);
        let says = u64::from(taken);
        let bias = [says, says | ((provider as u64 + 1) << 1)];
        let global = GLOBAL.map(|length| self.global & ((1 << length) - 1));
        let local_parts = LOCAL.map(|length| own & ((1 << length) - 1));

        let contexts = bias.into_iter().chain(global).chain(local_parts);
        let mut index = [0; TABLES];
        for (table, (slot, context)) in index.iter_mut().zip(contexts).enumerate() {
            *slot = table * ENTRIES + hash(address, context);
        }
        // A counter of 0 adds nothing, so that nothing is overruled before something is learnt.
        let sum: i32 = index.iter().map(|&at| 2 * i32::from(self.counters[at])).sum();

        let needed = match confidence {
            Confidence::High => self.threshold / 2,
            Confidence::Medium => self.threshold / 4,
            Confidence::Low => 1,
        };
        let overruled = sum.abs() >= needed && (sum > 0) != taken;
        Lookup { index, local, sum, taken: taken != overruled }
    }

    pub(super) fn learn(&mut self, lookup: &Lookup, taken: bool) {
        let wrong = (lookup.sum >= 0) != taken;
        let small = lookup.sum.abs() < self.threshold;
        if wrong || small {
            for &at in &lookup.index {
                train_signed::<COUNTER_BITS>(&mut self.counters[at], taken);
            }
            self.adapt(wrong);
        }
        self.append(taken);
        let own = &mut self.local[lookup.local];
        *own = (*own << 1) | u16::from(taken);
    }

    /// Appends an outcome, or a bit of a target, to the global history.
    pub(super) fn append(&mut self, bit: bool) {
        self.global = (self.global << 1) | u64::from(bit);
    }

    /// Moves the threshold by one each time its counter reaches an end.
    fn adapt(&mut self, wrong: bool) {
        const LIMIT: i8 = (1 << (DELAY_BITS - 1)) - 1;
        self.delay += if wrong { 1 } else { -1 };
        if self.delay.abs() == LIMIT {
            let step = i32::from(self.delay.signum());
            self.threshold = (self.threshold + step).clamp(4, (1 << THRESHOLD_BITS) - 1);
            self.delay = 0;
        }
    }
}

/// The counter of a branch in a context. The multiplier, 2^64 divided by the golden ratio, spreads
/// neighbouring addresses and histories over the table.
fn hash(address: u64, context: u64) -> usize {
    const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
    let word = (context.wrapping_mul(MULTIPLIER) ^ address).wrapping_mul(MULTIPLIER);
    (word >> (64 - INDEX_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_corrected_before_something_is_learnt() {
        let corrector = Corrector::new();
        for taken in [false, true] {
            for confidence in [Confidence::Low, Confidence::Medium, Confidence::High] {
                assert_eq!(corrector.look_up(0x55, taken, 3, confidence).taken, taken);
            }
        }
    }

    #[test]
    fn a_prediction_that_is_always_wrong_is_overruled_also_at_high_confidence() {
        let mut corrector = Corrector::new();
        let mut missed = 0;
        for _ in 0..100 {
            let lookup = corrector.look_up(0x55, false, 3, Confidence::High);
            missed += u32::from(!lookup.taken);
            corrector.learn(&lookup, true);
        }
        // The two bias tables alone gain 4 at each step and half of the threshold is 17.
        assert!((1..=5).contains(&missed), "{missed}");
    }

    #[test]
    fn the_threshold_rises_after_wrong_sums_and_falls_after_right_ones() {
        let mut corrector = Corrector::new();
        (0..31).for_each(|_| corrector.adapt(true));
        assert_eq!(corrector.threshold, START_THRESHOLD + 1);
        (0..31 * 40).for_each(|_| corrector.adapt(false));
        assert_eq!(corrector.threshold, 4, "but not below 4");
    }

    #[test]
    fn storage_is_eleven_tables_of_six_bits_and_256_histories() {
        assert_eq!(Corrector::new().bits(), 11 * 1024 * 6 + 256 * 16 + 48 + 8 + 6);
    }
}
