//! Overwrites the branch predictor: a long run of branches that nobody can predict.
//!
//! Each branch has a place of its own in the code and each outcome is a fresh random bit, so about
//! half of them are mispredicted, and each misprediction makes the predictor give an entry to
//! something useless. The method, and the size of the run, are those of sort-research-rs, whose
//! cold benchmarks pass 16,192 generated jumps before each call.
//!
//! # How long
//! No length makes everything cold on a core of today, which memorises tens of thousands of random
//! outcomes and gives up about one of them for a branch. A call costs more after twice the run, as far
//! as it was tried. So a run is a *dose*: it is printed with the number, and two costs are comparable
//! only after the same dose. 16,384 is near the published number, and what a plan of many designs can
//! afford.
//!
//! # What else it does
//! The code of the run, 137 KiB, takes the place of the design's code in the first-level
//! instruction cache, as any other code would, so not all of the effect is prediction. The data
//! caches are left alone: the run reads and writes no memory.

use super::Disturb;

/// Runs branches on random bits.
#[derive(Debug)]
pub struct Flusher {
    /// State of the random bits; never 0.
    state: u64,
    /// How often the sites are passed over.
    passes: u64,
}

impl Flusher {
    /// Branches with a place of their own.
    pub const SITES: u64 = 256 * 64;
    /// Whether the run is written for this architecture.
    pub const IS_WRITTEN: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

    /// A run of `branches` branches, which must be a multiple of [`Flusher::SITES`].
    ///
    /// # Errors
    /// One sentence if it is not, or if the run is not written for this architecture.
    pub fn new(branches: u64) -> Result<Flusher, String> {
        if !Flusher::IS_WRITTEN {
            return Err("the cold regime is written for x86-64 and aarch64 only".to_owned());
        }
        if branches == 0 || !branches.is_multiple_of(Flusher::SITES) {
            return Err(format!(
                "{branches} branches cannot be run before each call: it must be a multiple of {}",
                Flusher::SITES
            ));
        }
        Ok(Flusher { state: 0x9E37_79B9_7F4A_7C15, passes: branches / Flusher::SITES })
    }
}

impl Disturb for Flusher {
    fn disturb(&mut self) {
        run(&mut self.state, self.passes);
    }
}

/// Passes over all sites `passes` times, at least once, and returns how many branches fell through.
///
/// Per 64 sites one step of a xorshift generator (G. Marsaglia, *Xorshift RNGs*, Journal of
/// Statistical Software 8, 2003), from whose word each branch takes a bit. A branch jumps over one
/// instruction; over none, a processor might call any guess right.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
fn run(state: &mut u64, passes: u64) -> u64 {
    let mut ones = 0u64;
    let mut word = *state;
    // SAFETY: the block touches no memory and changes the registers that it declares, and the flags.
    unsafe {
        std::arch::asm!(
            "2:",
            ".rept 256",
            "mov {bits}, {word}", "shl {bits}, 13", "xor {word}, {bits}",
            "mov {bits}, {word}", "shr {bits}, 7", "xor {word}, {bits}",
            "mov {bits}, {word}", "shl {bits}, 17", "xor {word}, {bits}",
            "mov {bits}, {word}",
            ".rept 64", "shr {bits}, 1", "jnc 3f", "inc {ones}", "3:", ".endr",
            ".endr",
            "dec {passes}", "jnz 2b",
            bits = out(reg) _,
            word = inout(reg) word,
            ones = inout(reg) ones,
            passes = inout(reg) passes.max(1) => _,
            options(nomem, nostack),
        );
    }
    *state = word;
    ones
}

/// The same for aarch64.
#[cfg(target_arch = "aarch64")]
#[inline(never)]
fn run(state: &mut u64, passes: u64) -> u64 {
    let mut ones = 0u64;
    let mut word = *state;
    // SAFETY: the block touches no memory and changes the registers that it declares, and the flags.
    unsafe {
        std::arch::asm!(
            "2:",
            ".rept 256",
            "eor {word}, {word}, {word}, lsl #13",
            "eor {word}, {word}, {word}, lsr #7",
            "eor {word}, {word}, {word}, lsl #17",
            "mov {bits}, {word}",
            ".rept 64", "adds {bits}, {bits}, {bits}", "b.cc 3f", "add {ones}, {ones}, #1", "3:",
            ".endr",
            ".endr",
            "subs {passes}, {passes}, #1", "b.ne 2b",
            bits = out(reg) _,
            word = inout(reg) word,
            ones = inout(reg) ones,
            passes = inout(reg) passes.max(1) => _,
            options(nomem, nostack),
        );
    }
    *state = word;
    ones
}

/// There is none, and [`Flusher::new`] says so.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn run(_: &mut u64, _: u64) -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    fn every_branch_takes_a_bit_of_its_own_and_no_bits_come_again() {
        let mut flusher = Flusher::new(2 * Flusher::SITES).expect("a flusher");
        let mut word = flusher.state;
        for _ in 0..3 {
            let mut set = 0;
            for _ in 0..2 * 256 {
                word ^= word << 13;
                word ^= word >> 7;
                word ^= word << 17;
                set += u64::from(word.count_ones());
            }
            assert_eq!(run(&mut flusher.state, flusher.passes), set);
            assert_eq!(flusher.state, word);
            let share = set as f64 / (2 * Flusher::SITES) as f64;
            // Five standard deviations of a fair coin thrown 32,768 times.
            assert!((share - 0.5).abs() < 0.014, "{share}");
        }
    }

    #[test]
    fn a_run_that_the_code_cannot_make_is_refused_with_a_sentence() {
        for branches in [0, 1_000] {
            let why = Flusher::new(branches).expect_err("no multiple");
            assert!(why.contains("must be a multiple of 16384") || !Flusher::IS_WRITTEN, "{why}");
        }
    }
}
