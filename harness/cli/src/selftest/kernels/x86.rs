//! The kernels in x86-64 assembly.

use std::arch::asm;

use super::{Bits, Kernels, Ring};
use raywalk_measure::core_clock::{self, Chain};

/// Room for sixteen vectors, aligned as the lists of the designs are.
#[repr(align(64))]
struct List([u16; 16 * 32]);

/// The kernels that run on the processor; tests use fake ones.
#[derive(Debug)]
pub(crate) struct X86Kernels;

impl Kernels for X86Kernels {
    #[inline(never)]
    fn chain(&mut self, chain: Chain, cycles: u64) {
        // `run` returns nothing only on architectures without a chain.
        let _ = core_clock::run(chain, cycles);
    }

    /// The bit number does not depend on the branches, so a branch waits only for one load from the
    /// first-level cache.
    #[inline(never)]
    fn branches(&mut self, bits: &Bits, count: u64) -> u64 {
        let mut ones = 0u64;
        if count == 0 {
            return ones;
        }
        // SAFETY: the bit number is masked to the period, which is 64 times the number of words and
        // a power of two, so its upper part is below the number of words; words are only read. The
        // block changes the registers that it declares, and the flags.
        unsafe {
            asm!(
                "2:",
                "mov {place}, {number}",
                "and {place}, {mask}",
                "mov {word}, {place}",
                "shr {word}, 6",
                "mov {word}, [{words} + {word}*8]",
                "bt {word}, {place}", // uses the low six bits of the place
                "jnc 3f",
                "inc {ones}",
                "3:",
                "inc {number}",
                "cmp {number}, {count}",
                "jne 2b",
                place = out(reg) _,
                word = out(reg) _,
                number = inout(reg) 0u64 => _,
                ones = inout(reg) ones,
                mask = in(reg) bits.period() - 1,
                words = in(reg) bits.words().as_ptr(),
                count = in(reg) count,
                options(nostack, readonly),
            );
        }
        ones
    }

    #[inline(never)]
    fn chase(&mut self, ring: &mut Ring, loads: u64) {
        // The loop counts down before it tests, so 0 rounds would wrap to 2^64.
        if loads < 16 {
            return;
        }
        // SAFETY: each line of the ring names a line of the ring, whose allocation was exposed, and
        // which is only read. The block changes the registers that it declares, and the flags.
        unsafe {
            asm!(
                "2:", ".rept 16", "mov {at}, [{at}]", ".endr",
                "dec {rounds}", "jnz 2b",
                at = inout(reg) ring.at,
                rounds = inout(reg) loads / 16 => _,
                options(nostack, readonly),
            );
        }
    }

    #[inline(never)]
    fn forward(&mut self, times: u64) {
        if times < 16 {
            return;
        }
        let mut slot = 0u64;
        // SAFETY: the only address is that of the local word. The block changes that word, the
        // registers that it declares, and the flags.
        unsafe {
            asm!(
                "2:", ".rept 16", "mov [{slot}], {word}", "mov {word}, [{slot}]", "inc {word}",
                ".endr",
                "dec {rounds}", "jnz 2b",
                slot = in(reg) &raw mut slot,
                word = inout(reg) 0u64 => _,
                rounds = inout(reg) times / 16 => _,
                options(nostack),
            );
        }
        debug_assert_eq!(slot, times / 16 * 16 - 1, "every load returned the preceding store");
    }

    #[inline(never)]
    fn store_vectors(&mut self, stores: u64) {
        if stores < 16 {
            return;
        }
        let mut list = List([0; 16 * 32]);
        /// Sixteen stores of so many bytes, again and again. The register is not written, so it keeps what it has.
        macro_rules! store {
            ($store:literal, $register:literal, $bytes:literal) => {
                // SAFETY: the sixteen vectors are those of the local list, which has 64 bytes for each, and the
                // processor has the instruction. The block changes the list, the register that it declares, and the
                // flags.
                unsafe {
                    asm!(
                        "2:",
                        ".set place, 0",
                        ".rept 16",
                        concat!($store, " [{list} + place], ", $register),
                        concat!(".set place, place + ", $bytes),
                        ".endr",
                        "dec {rounds}", "jnz 2b",
                        list = in(reg) list.0.as_mut_ptr(),
                        rounds = inout(reg) stores / 16 => _,
                        options(nostack),
                    );
                }
            };
        }
        match self.moves_in_vector() {
            32 => store!("vmovdqu64", "zmm0", "64"),
            16 => store!("vmovdqu", "ymm0", "32"),
            _ => store!("movdqu", "xmm0", "16"),
        }
        std::hint::black_box(&list.0);
    }

    fn moves_in_vector(&self) -> u64 {
        if is_x86_feature_detected!("avx512f") {
            32
        } else if is_x86_feature_detected!("avx") {
            16
        } else {
            8
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_core::random::SplitMix;

    #[test]
    fn the_branches_visit_the_bits_in_order_and_cyclically() {
        let bits = Bits::random(256, 1, &mut SplitMix(9));
        let set = |bit: u64| {
            let bit = bit % 256;
            bits.words()[bit as usize / 64] >> (bit % 64) & 1
        };
        for count in [0, 1, 63, 64, 65, 256, 257, 1000] {
            let expected: u64 = (0..count).map(set).sum();
            assert_eq!(X86Kernels.branches(&bits, count), expected, "{count}");
        }
    }

    #[test]
    fn a_chase_continues_where_the_previous_one_stopped() {
        let mut ring = Ring::new(100 * 64, &mut SplitMix(5));
        let mut places = vec![ring.at];
        for _ in 0..5 {
            X86Kernels.chase(&mut ring, 16);
            places.push(ring.at);
        }
        let first = ring.lines.as_ptr().addr();
        let mut at = places[0];
        for step in 1..=80 {
            at = ring.lines[(at - first) / 64].next;
            if step % 16 == 0 {
                assert_eq!(at, places[step / 16]);
            }
        }
        // 400 loads are four rounds of 100 lines, so the chase ends where it started.
        X86Kernels.chase(&mut ring, 400);
        assert_eq!(ring.at, at);
    }

    #[test]
    fn vectors_are_stored_in_any_number() {
        for stores in [0, 16, 160] {
            X86Kernels.store_vectors(stores);
        }
        assert!([8, 16, 32].contains(&X86Kernels.moves_in_vector()));
    }

    #[test]
    fn every_load_returns_the_preceding_store() {
        X86Kernels.forward(16); // contains the assertion
        X86Kernels.forward(1600);
    }
}
