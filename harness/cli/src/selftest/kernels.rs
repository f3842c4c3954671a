//! Kernels of known cost.
//!
//! They are written in assembly, because a compiler would optimise them away: it folds chains of
//! additions, turns a branch around an increment into arithmetic, and forwards a store to the load
//! behind it.

use raywalk_core::random::SplitMix;
use raywalk_measure::core_clock::Chain;

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "kernels in assembly")]
mod x86;

/// The kernels. A trait, so that tests replace them by synthetic costs on virtual time.
pub(crate) trait Kernels {
    /// Runs a dependency chain of `cycles` core cycles, a multiple of 192: one addition per cycle, or
    /// one multiplication per three cycles.
    fn chain(&mut self, chain: Chain, cycles: u64);

    /// Visits `count` bits cyclically from the first, with one conditional branch on each bit and one
    /// loop branch. Returns how many of the visited bits were set.
    fn branches(&mut self, bits: &Bits, count: u64) -> u64;

    /// Makes `loads` dependent loads, a multiple of 16, from the current line of the ring.
    fn chase(&mut self, ring: &mut Ring, loads: u64);

    /// Runs `times` steps, a multiple of 16, of a chain of store, load of the stored word, and
    /// addition of one.
    fn forward(&mut self, times: u64);

    /// Makes `stores` stores of the widest vector, a multiple of 16, one behind the other into a list.
    fn store_vectors(&mut self, stores: u64);

    /// The moves in such a vector.
    fn moves_in_vector(&self) -> u64;
}

/// Real or fake kernels.
pub(crate) type AnyKernels = dyn Kernels;

/// The reason for trials without kernels.
pub(crate) const WITHOUT: &str = "Its kernel is written in assembly and exists for x86-64 only.";

/// The kernels for this architecture.
#[cfg(target_arch = "x86_64")]
pub(crate) fn of_this_machine() -> Option<Box<AnyKernels>> {
    Some(Box::new(x86::X86Kernels))
}

/// No kernels are written for this architecture.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn of_this_machine() -> Option<Box<AnyKernels>> {
    None
}

/// Outcomes of a branch, 64 per word: 2^18 of them still fit a first-level cache, so no cache miss is
/// mistaken for a misprediction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bits {
    /// Their number is a power of two.
    words: Vec<u64>,
}

impl Bits {
    /// `period` random bits, of which one in 2^`rarity` is set: 1 for half of them, 2 for a quarter.
    /// The period is rounded up to a power of two, at least 64.
    pub(crate) fn random(period: u64, rarity: u32, random: &mut SplitMix) -> Bits {
        // Each further word clears half of the bits that are set.
        let mut word = || (0..rarity).fold(u64::MAX, |word, _| word & random.word());
        let words = period.next_power_of_two().max(64) / 64;
        Bits { words: (0..words).map(|_| word()).collect() }
    }

    /// Alternating bits: half of the branches are taken, and every predictor predicts all of them.
    pub(crate) fn alternating() -> Bits {
        Bits { words: vec![0xAAAA_AAAA_AAAA_AAAA] }
    }

    /// Number of bits after which they repeat.
    pub(crate) fn period(&self) -> u64 {
        self.words.len() as u64 * 64
    }

    /// Number of set bits.
    #[cfg(test)]
    pub(crate) fn ones(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// The words; the lowest bit of the first word is the first bit. Only the kernels of x86-64 read them.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }
}

/// One cache line, with the address of the next one in the ring.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Line {
    /// Address of the next line.
    next: usize,
}

/// Cache lines in one ring of random order, so that no prefetcher predicts the next.
#[derive(Debug)]
pub(crate) struct Ring {
    lines: Vec<Line>,
    /// Address of the next line to load. Only the kernels read it, and not every architecture has them.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code))]
    at: usize,
}

impl Ring {
    /// A ring of `bytes`, rounded down to whole lines, at least one.
    pub(crate) fn new(bytes: u64, random: &mut SplitMix) -> Ring {
        let count = (bytes as usize / size_of::<Line>()).max(1);
        let mut lines = vec![Line { next: 0 }; count];
        let first = lines.as_ptr().addr();
        let address = |line: usize| first + line * size_of::<Line>();
        let order = random.permutation(count);
        for (place, &line) in order.iter().enumerate() {
            lines[line].next = address(order[(place + 1) % count]);
        }
        // The kernel dereferences plain addresses, so the provenance of the allocation is exposed.
        let at = lines.as_ptr().expose_provenance();
        Ring { lines, at }
    }

    pub(crate) fn lines(&self) -> u64 {
        self.lines.len() as u64
    }

    #[cfg(test)]
    pub(crate) fn bytes(&self) -> u64 {
        size_of_val(&*self.lines) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_returns_to_its_start_after_visiting_every_line() {
        for lines in [1, 2, 64, 1000] {
            let ring = Ring::new(lines * 64, &mut SplitMix(lines));
            let first = ring.lines.as_ptr().addr();
            let mut at = ring.at;
            let mut steps = 0;
            loop {
                at = ring.lines[(at - first) / 64].next;
                steps += 1;
                if at == ring.at {
                    break;
                }
            }
            assert_eq!((steps, ring.lines(), ring.bytes()), (lines, lines, lines * 64));
        }
    }

    #[test]
    fn bits_have_the_requested_density_and_period() {
        let share = |rarity| {
            let bits = Bits::random(1 << 20, rarity, &mut SplitMix(3));
            bits.ones() as f64 / bits.period() as f64
        };
        // Four standard deviations of the mean of 2^20 fair coin tosses are 0.002.
        assert!((share(1) - 0.5).abs() < 0.002 && (share(2) - 0.25).abs() < 0.002);
        assert_eq!(Bits::random(65, 1, &mut SplitMix(0)).period(), 128);
        assert_eq!((Bits::alternating().period(), Bits::alternating().ones()), (64, 32));
    }
}
