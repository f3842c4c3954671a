//! SplitMix64, the source of random choices.
//!
//! Random choices have to be the same on every machine and in every build, so they come from this
//! generator and a fixed seed. There are two exceptions, which use xorshift with fixed seeds: kernels that
//! spoil or probe caches, because it is cheaper, and the search for magic factors of `bitboard`, whose
//! seeds were chosen for it. Each output is a pure function of a 64-bit state: [`mix`] computes one output
//! directly, [`SplitMix`] produces a sequence.
//!
//! # Source
//! G. L. Steele, D. Lea, C. H. Flood, *Fast splittable pseudorandom number generators*, OOPSLA
//! 2014. The tests compare with Sebastiano Vigna's reference implementation, `splitmix64.c`.

/// The state advances by this constant, 2^64 divided by the golden ratio.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The output of [`SplitMix`] in this state, as a pure function.
///
/// It is a bijection: different states give different words. Nested calls derive independent
/// streams, as in `mix(mix(seed) ^ stream)`.
#[inline]
pub const fn mix(state: u64) -> u64 {
    let z = state.wrapping_add(STEP);
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// A sequence of random words; the field is the state, and its first value is the seed.
#[derive(Clone, Debug)]
pub struct SplitMix(pub u64);

impl SplitMix {
    /// The next of 2^64 uniformly distributed words.
    #[inline]
    pub const fn word(&mut self) -> u64 {
        let word = mix(self.0);
        self.0 = self.0.wrapping_add(STEP);
        word
    }

    /// A number from 0 to `bound - 1`, or 0 if `bound` is 0.
    ///
    /// `bound` must be at most 2^32. Probabilities differ by at most one part in 2^32 / `bound`.
    #[inline]
    pub const fn below(&mut self, bound: usize) -> usize {
        // A multiplication scales the upper half of the word to the bound. It is faster than a
        // remainder and takes the same time for every bound.
        (((self.word() >> 32) * bound as u64) >> 32) as usize
    }

    /// A number from a nearly normal distribution with mean 0 and variance 1, within ±6: the sum of twelve uniform ones.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.below(1 << 30) as f64 / f64::from(1 << 30)).sum::<f64>() - 6.0
    }

    /// The numbers from 0 to `n - 1` in random order (Fisher-Yates shuffle from the end).
    pub fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut items: Vec<usize> = (0..n).collect();
        for last in (1..n).rev() {
            items.swap(last, self.below(last + 1));
        }
        items
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_numbers_have_mean_0_and_variance_1() {
        let mut random = SplitMix(1);
        let numbers: Vec<f64> = (0..40_000).map(|_| random.normal()).collect();
        let mean = numbers.iter().sum::<f64>() / 40_000.0;
        let variance = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / 39_999.0;
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.03, "{mean} {variance}");
    }

    #[test]
    fn the_words_equal_those_of_the_reference_implementation() {
        // First outputs of `splitmix64.c` from state 0, and the first from state 1.
        let mut random = SplitMix(0);
        assert_eq!(random.word(), 0xe220_a839_7b1d_cdaf);
        assert_eq!(random.word(), 0x6e78_9e6a_a1b9_65f4);
        assert_eq!(random.word(), 0x06c4_5d18_8009_454f);
        assert_eq!(mix(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(mix(1), 0x910a_2dec_8902_5cc1);
    }

    #[test]
    fn numbers_stay_below_the_bound_and_reach_every_value() {
        let mut random = SplitMix(1);
        let mut counts = [0; 6];
        for _ in 0..6000 {
            counts[random.below(6)] += 1;
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
        assert_eq!(random.below(1), 0);
    }

    #[test]
    fn a_permutation_keeps_every_number_and_depends_on_the_state_alone() {
        let permutation = SplitMix(5).permutation(1000);
        assert_eq!(permutation, SplitMix(5).permutation(1000));
        assert_ne!(permutation, SplitMix(6).permutation(1000));
        let mut sorted = permutation;
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..1000));
        assert!(SplitMix(5).permutation(0).is_empty());
    }
}
