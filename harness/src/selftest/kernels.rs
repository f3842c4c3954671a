//! Pieces of code of which it is known what they should cost.
//!
//! They are written in assembly, because a compiler would undo them: it folds chains of additions,
//! turns a branch around an increment into arithmetic, and drops a load of what was just stored.

use crate::measure::core_clock::Chain;
use crate::measure::schedule::SplitMix;

#[cfg(target_arch = "x86_64")]
mod x86;

/// The kernels. Behind a trait, so that tests give them synthetic costs on virtual time.
pub trait Kernels {
    /// A chain of `cycles` core cycles, a multiple of 192: one addition per cycle, or one
    /// multiplication per three.
    fn chain(&mut self, chain: Chain, cycles: u64);

    /// Visits `count` bits, from the first on and around, with one conditional branch on each and
    /// one that is always taken but the last time. Returns how many of the bits were set.
    fn branches(&mut self, bits: &Bits, count: u64) -> u64;

    /// `loads` dependent loads, a multiple of 16, from where the ring was left.
    fn chase(&mut self, ring: &mut Ring, loads: u64);

    /// `times` stores, a multiple of 16, each of the word that was loaded from where the one before
    /// stored it, plus one: a store, a load and an addition in one chain.
    fn forward(&mut self, times: u64);
}

/// Kernels of any kind.
pub type AnyKernels = dyn Kernels;

/// Why there are no kernels where there are none.
pub const WITHOUT: &str = "Its kernel is written in assembly, and for x86-64 only.";

/// The kernels for this architecture, if they are written for it.
#[cfg(target_arch = "x86_64")]
pub fn of_this_machine() -> Option<Box<AnyKernels>> {
    Some(Box::new(x86::Assembly))
}

/// The kernels for this architecture: there are none.
#[cfg(not(target_arch = "x86_64"))]
pub fn of_this_machine() -> Option<Box<AnyKernels>> {
    None
}

/// Outcomes of a branch, 64 to a word, so that 2^18 of them still lie in a first-level cache and
/// no cache miss is taken for a misprediction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bits {
    /// A power of two of them.
    words: Vec<u64>,
}

impl Bits {
    /// `period` bits, of which one in 2^`rarity` is set: 1 for half of them, 2 for a quarter. The
    /// period is rounded up to a power of two of at least 64.
    pub fn random(period: u64, rarity: u32, random: &mut SplitMix) -> Bits {
        let mut word = || (0..rarity).fold(u64::MAX, |word, _| word & random.word());
        let words = period.next_power_of_two().max(64) / 64;
        Bits { words: (0..words).map(|_| word()).collect() }
    }

    /// Set and not set in turn: half of the branches are taken, and every predictor knows which.
    pub fn alternating() -> Bits {
        Bits { words: vec![0xAAAA_AAAA_AAAA_AAAA] }
    }

    /// Bits before they come again.
    pub fn period(&self) -> u64 {
        self.words.len() as u64 * 64
    }

    /// How many are set.
    pub fn ones(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// The words, from the first bit on.
    pub fn words(&self) -> &[u64] {
        &self.words
    }
}

/// One cache line that names the next.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Line {
    /// Address of the next line.
    next: usize,
}

/// Cache lines in one ring of random order, so that no prefetcher knows the next.
#[derive(Debug)]
pub struct Ring {
    lines: Vec<Line>,
    /// Address of the line that is loaded next. Read by the kernels, which not every architecture has.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code))]
    at: usize,
}

impl Ring {
    /// A ring of `bytes`, of at least one line.
    pub fn new(bytes: u64, random: &mut SplitMix) -> Ring {
        let count = (bytes as usize / size_of::<Line>()).max(1);
        let mut lines = vec![Line { next: 0 }; count];
        let first = lines.as_ptr().addr();
        let address = |line: usize| first + line * size_of::<Line>();
        let order = random.permutation(count);
        for (place, &line) in order.iter().enumerate() {
            lines[line].next = address(order[(place + 1) % count]);
        }
        // The kernel follows addresses, so the allocation is exposed to it.
        let at = lines.as_ptr().expose_provenance();
        Ring { lines, at }
    }

    /// Lines in the ring.
    pub fn lines(&self) -> u64 {
        self.lines.len() as u64
    }

    /// Bytes of the ring.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.lines) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_comes_back_to_its_start_after_every_line_and_not_before() {
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
    fn rare_bits_are_as_rare_as_asked() {
        let share = |rarity| {
            let bits = Bits::random(1 << 20, rarity, &mut SplitMix(3));
            bits.ones() as f64 / bits.period() as f64
        };
        // Four standard deviations of a fair coin thrown 2^20 times are 0.002.
        assert!((share(1) - 0.5).abs() < 0.002 && (share(2) - 0.25).abs() < 0.002);
        assert_eq!(Bits::random(65, 1, &mut SplitMix(0)).period(), 128);
        assert_eq!((Bits::alternating().period(), Bits::alternating().ones()), (64, 32));
    }
}
