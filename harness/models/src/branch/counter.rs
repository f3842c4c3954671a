//! Saturating counters, the cells of all predictors.

/// Moves an unsigned counter of two bits towards 3 if the branch was taken, towards 0 if not. It predicts
/// *taken* from 2.
#[inline(always)]
pub(super) fn train_two_bits(counter: &mut u8, taken: bool) {
    *counter = if taken { (*counter + 1).min(3) } else { counter.saturating_sub(1) };
}

/// Moves a signed counter of `BITS` bits up or down within its range, which is −2 to 1 for two bits. It
/// predicts *taken* from 0.
#[inline(always)]
pub(super) fn train_signed<const BITS: u32>(counter: &mut i8, up: bool) {
    const { assert!(BITS >= 1 && BITS <= 7, "the counter and its next value have to fit an i8") };
    let (least, greatest) = (-(1 << (BITS - 1)), (1 << (BITS - 1)) - 1);
    *counter = if up { (*counter + 1).min(greatest) } else { (*counter - 1).max(least) };
}

/// A shift register with feedback, which supplies random bits as it could in hardware.
///
/// # Source
/// G. Marsaglia, *Xorshift RNGs*, Journal of Statistical Software 8 (2003), the triple 13, 17, 5.
#[derive(Clone, Debug)]
pub(super) struct ShiftRegister(u32);

impl ShiftRegister {
    pub(super) const BITS: u64 = u32::BITS as u64;

    pub(super) const fn new() -> ShiftRegister {
        ShiftRegister(0x2545_F491)
    }

    pub(super) const fn word(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_saturate_at_both_ends() {
        let mut counter = 0;
        let values = [true, true, true, true, false, false, false, false].map(|taken| {
            train_two_bits(&mut counter, taken);
            counter
        });
        assert_eq!(values, [1, 2, 3, 3, 2, 1, 0, 0]);

        let mut counter = 0;
        for (up, value) in [(true, 1), (true, 1), (false, 0), (false, -1), (false, -2), (false, -2)]
        {
            train_signed::<2>(&mut counter, up);
            assert_eq!(counter, value);
        }
        let mut counter = 0;
        for _ in 0..100 {
            train_signed::<6>(&mut counter, true);
        }
        assert_eq!(counter, 31);
    }

    #[test]
    fn the_shift_register_is_that_of_its_source() {
        // Marsaglia's example, page 4: the state 2463534242 is followed by 723471715.
        let mut register = ShiftRegister(2_463_534_242);
        assert_eq!(register.word(), 723_471_715);
    }
}
