//! Long histories, and hashes of them that are updated one bit at a time.
//!
//! A table for a history of 640 outcomes needs an index of 11 bits that depends on all of them. The
//! history is cut into pieces of 11 bits, which are combined by exclusive or. Doing that anew for each branch
//! would cost 58 steps. [`Folded`] keeps the result: when the history moves by one, the result rotates by
//! one, the newest bit enters and the bit that leaves the history is removed.
//!
//! # Source
//! P. Michaud, *A PPM-like, tag-based branch predictor*, Journal of Instruction-Level Parallelism 7 (2005).

/// Places of the ring: a power of two above the longest history.
const RING: usize = 1024;

/// The last bits of a history.
#[derive(Clone, Debug)]
pub(super) struct History {
    /// One bit per byte: reading a bit is then one load.
    bits: [u8; RING],
    newest: usize,
}

impl History {
    pub(super) const fn new() -> History {
        History { bits: [0; RING], newest: 0 }
    }

    pub(super) const fn push(&mut self, bit: bool) {
        // Wrapping agrees with the remainder, because the ring is a power of two.
        self.newest = self.newest.wrapping_sub(1) % RING;
        self.bits[self.newest] = bit as u8;
    }

    /// The bit that is `age` bits older than the newest one; `age` is below 1,024.
    #[inline(always)]
    pub(super) const fn bit(&self, age: usize) -> u32 {
        self.bits[(self.newest + age) % RING] as u32
    }
}

/// The last `length` bits of a history, folded to `width` bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Folded {
    value: u32,
    width: u32,
    /// Place of the bit that leaves the history: `length` modulo `width`.
    leaves: u32,
}

impl Folded {
    /// The fold of a history of zeros. `length` is below 1,024 and `width` below 32.
    pub(super) const fn new(length: usize, width: u32) -> Folded {
        assert!(length < RING && width > 0 && width < 32);
        Folded { value: 0, width, leaves: length as u32 % width }
    }

    /// Follows a `push` of the history: the bit of age 0 `enters`, that of age `length` `leaves`. They are
    /// passed because all folds of a table share them; reading them here halves the speed of TAGE.
    #[inline(always)]
    pub(super) const fn follow(&mut self, enters: u32, leaves: u32) {
        let mut value = (self.value << 1) | enters;
        value ^= leaves << self.leaves;
        value ^= value >> self.width;
        self.value = value & ((1 << self.width) - 1);
    }

    #[inline(always)]
    pub(super) const fn value(self) -> u64 {
        self.value as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The second source is the definition: the bit of age `a` is combined into place `a % width`.
        #[test]
        fn a_folded_history_equals_its_definition(
            bits in prop::collection::vec(any::<bool>(), 0..3000),
            length in 1usize..1000,
            width in 1u32..16,
        ) {
            let (mut history, mut folded) = (History::new(), Folded::new(length, width));
            for &bit in &bits {
                history.push(bit);
                folded.follow(u32::from(bit), history.bit(length));
            }
            let recent = bits.iter().rev().take(length).enumerate();
            let expected =
                recent.fold(0, |fold, (age, &bit)| fold ^ (u64::from(bit) << (age as u32 % width)));
            prop_assert_eq!(folded.value(), expected);
        }
    }
}
