//! All squares as a vector, from which a compress by a set takes those of the set.

use std::arch::x86_64::*;

/// The numbers of all squares, a byte each.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn numbers() -> __m512i {
    static NUMBERS: [u8; 64] = {
        let mut numbers = [0; 64];
        let mut n = 0;
        while n < 64 {
            numbers[n] = n as u8;
            n += 1;
        }
        numbers
    };
    // SAFETY: the array has the 64 bytes of the vector, and the load needs no alignment.
    unsafe { _mm512_loadu_si512(NUMBERS.as_ptr().cast()) }
}
