//! The predictor that callgrind and cachegrind simulate.
//!
//! 2^14 two-bit counters that start at 0. The upper half of the index is the last seven outcomes of all conditional
//! branches, the lower half the lowest seven bits of the address. There are no tags, so different branches share
//! counters. The manual calls it typical for processors of about 2004. It serves for comparisons: with callgrind
//! itself, whose `Bcm` it has to reproduce exactly, and with newer models.
//!
//! # Sources
//! Valgrind user manual, section 5.8.2, *Branch Simulation Specifics* (16,384 two-bit counters; the index
//! comes partly from the address and partly from the last outcomes). The manual does not give the split of
//! the index; seven and seven bits, history on top, is what Valgrind 3.19 does.

use super::Predictor;
use super::counter::train_two_bits;
use crate::Description;

const HISTORY_BITS: u32 = 7;
const ADDRESS_BITS: u32 = 7;

pub(super) struct Callgrind {
    counters: Vec<u8>,
    /// The newest outcome is the lowest bit.
    history: u64,
}

impl Callgrind {
    pub(super) fn new() -> Callgrind {
        Callgrind { counters: vec![0; 1 << (HISTORY_BITS + ADDRESS_BITS)], history: 0 }
    }
}

impl Predictor for Callgrind {
    type Lookup = usize;

    fn look_up(&self, address: u64) -> (bool, usize) {
        let history = self.history % (1 << HISTORY_BITS);
        let index = ((history << ADDRESS_BITS) | (address % (1 << ADDRESS_BITS))) as usize;
        (self.counters[index] >= 2, index)
    }

    fn learn(&mut self, _: u64, index: usize, taken: bool) {
        train_two_bits(&mut self.counters[index], taken);
        self.history = (self.history << 1) | u64::from(taken);
    }

    fn description(&self) -> Description {
        let entries = self.counters.len();
        Description::new("callgrind", 2 * entries as u64 + u64::from(HISTORY_BITS))
            .with("entries", entries)
            .with("counter bits", 2)
            .with("history", format!("{HISTORY_BITS} outcomes"))
            .with("address bits", ADDRESS_BITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::branch::BranchModel;

    #[test]
    fn the_size_is_that_of_the_manual() {
        assert_eq!(Callgrind::new().counters.len(), 16_384);
    }

    /// Worked by hand. The counter of history 0 is trained by the first outcome only, that of history 1
    /// by the second, of 11 by the third, and so on: each is new until the history is 1111111. From the
    /// eighth branch on one counter is used. It starts at 0, so it is wrong twice more and then right.
    #[test]
    fn an_always_taken_branch_misses_nine_times() {
        let mut model = Callgrind::new();
        let missed: Vec<bool> = (0..20).map(|_| model.misses(0x33, true)).collect();
        assert_eq!(missed, (0..20).map(|n| n < 9).collect::<Vec<_>>());
    }

    /// Seven outcomes distinguish the exit of a loop of eight from its other iterations. In a loop of nine they do
    /// not: the iteration before the exit has the same seven. The two share a counter, which goes 0, 1, 0, 1 and
    /// predicts "not taken": one miss per round.
    #[test]
    fn loops_are_learnt_up_to_eight_iterations() {
        for (iterations, expected) in [(8, 0), (9, 100), (30, 100)] {
            let mut model = Callgrind::new();
            let mut round = || {
                (1..=iterations)
                    .map(|iteration| u64::from(model.misses(0x99, iteration != iterations)))
                    .sum::<u64>()
            };
            (0..20).for_each(|_| _ = round());
            assert_eq!((0..100).map(|_| round()).sum::<u64>(), expected, "loop of {iterations}");
        }
    }

    #[test]
    fn addresses_128_apart_share_their_counters() {
        let misses = |other: u64| {
            let mut model = Callgrind::new();
            // Eight taken branches before each, so that both meet the same history.
            let mut one = |address, taken| {
                (0..8).for_each(|_| _ = model.misses(0x7f, true));
                u64::from(model.misses(address, taken))
            };
            (0..100).map(|_| one(1, true) + one(other, false)).sum::<u64>()
        };
        assert_eq!(misses(2), 2, "apart: the first two of the taken branch");
        assert_eq!(misses(1 + 128), 100, "shared: the counter goes 0, 1, 0, 1");
    }

    /// The second source is Valgrind 3.19 itself. `callgrind --branch-sim=yes` on this program without
    /// libraries, linked at 0x401000, printed Bc 24000 and Bcm 3642:
    ///
    /// ```text
    ///          mov  eax, 12345          401023:  test edx, 6
    ///          mov  ecx, 2000           401029:  jz   40102c
    /// 40100a:  imul eax, eax, 1103515245         nop
    ///          add  eax, 12345          40102c:  mov  esi, 9
    ///          mov  edx, eax            401031:  dec  esi
    ///          shr  edx, 28             401033:  jnz  401031
    ///          test edx, 1              401035:  dec  ecx
    /// 401020:  jz   401023              401037:  jnz  40100a
    ///          nop                               (exit)
    /// ```
    #[test]
    fn misses_equal_those_of_valgrind_on_a_small_program() {
        let mut model = Callgrind::new();
        let (mut branches, mut misses) = (0, 0);
        let mut branch = |address, taken| {
            branches += 1;
            misses += u64::from(model.misses(address, taken));
        };
        let mut word: u32 = 12_345;
        for outer in 1..=2000 {
            word = word.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            let bits = word >> 28;
            branch(0x40_1020, bits & 1 == 0);
            branch(0x40_1029, bits & 6 == 0);
            (1..=9).for_each(|inner| branch(0x40_1033, inner != 9));
            branch(0x40_1037, outer != 2000);
        }
        assert_eq!((branches, misses), (24_000, 3642));
    }
}
