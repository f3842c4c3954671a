//! Measures the clock rate of the core without a hardware counter.
//!
//! A dependency chain of instructions with known latency takes a known number of core cycles, so
//! timing it gives the number of core cycles per tick. On a machine without hardware counters this is
//! the only conversion from ticks to cycles, and results that use it are *derived*. The ratio drifts by
//! several per cent within seconds (1.62 to 1.73 was seen on a server core), so it is measured with
//! every sample.
//!
//! The chain is `add` of a register to itself, which takes one cycle on every current x86-64 core.
//! Adding a constant is not suitable, because some cores fold such additions while renaming. A chain of
//! `imul`, which takes three cycles, is the cross-check: if both chains agree, neither was elided or
//! interrupted.

/// The instruction that is chained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chain {
    /// `add r, r`, one cycle each.
    Add,
    /// `imul r, r`, three cycles each.
    Multiply,
}

/// Runs per reading. Short runs are rarely interrupted, and the upper quartile of the rates drops
/// the interrupted ones: an interruption adds ticks and therefore lowers the rate.
const RUNS: usize = 9;
/// Cycles of one chain: about 3 µs, or 300 steps of a clock with a step of 10 ns. A multiple of the
/// lengths of both loops.
const CYCLES: u64 = 66 * 192;

/// Current core cycles per tick; `None` on architectures other than x86-64.
pub fn cycles_per_tick(
    chain: Chain,
    start: impl Fn() -> u64,
    end: impl Fn() -> u64,
) -> Option<f64> {
    per_tick(CYCLES, || run(chain, CYCLES), start, end)
}

/// The rate of a kernel that does `work` in each run, per tick; `None` where there is no kernel.
pub(crate) fn per_tick(
    work: u64,
    run: impl Fn() -> Option<()>,
    start: impl Fn() -> u64,
    end: impl Fn() -> u64,
) -> Option<f64> {
    let mut rates = [0.0; RUNS];
    for rate in &mut rates {
        let before = start();
        run()?;
        let ticks = end().saturating_sub(before);
        // At least one tick, because a coarse clock may stand still during a run.
        *rate = work as f64 / ticks.max(1) as f64;
    }
    rates.sort_by(f64::total_cmp);
    // Not the greatest: a late first read would make a run look faster than it was.
    Some(rates[RUNS * 3 / 4])
}

/// Runs a chain of `cycles` cycles: rounded down to a multiple of 64 for [`Chain::Add`] and of 192 for
/// [`Chain::Multiply`], and at least one multiple. `None` on architectures other than x86-64.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn run(chain: Chain, cycles: u64) -> Option<()> {
    use std::arch::asm;
    // The two instructions of the loop run in parallel with the chain and do not lengthen it.
    match chain {
        // SAFETY: the block changes only the two registers it declares, and the flags.
        Chain::Add => unsafe {
            // After 64 additions the word is 0. The latency does not depend on the value.
            asm!(
                "2:", ".rept 64", "add {word}, {word}", ".endr",
                "dec {rounds}", "jnz 2b",
                word = inout(reg) 1u64 => _,
                // The loop counts down before it tests, so 0 would wrap to 2^64 rounds.
                rounds = inout(reg) (cycles / 64).max(1) => _,
                options(nomem, nostack),
            );
        },
        // SAFETY: as above.
        Chain::Multiply => unsafe {
            asm!(
                "2:", ".rept 64", "imul {word}, {word}", ".endr",
                "dec {rounds}", "jnz 2b",
                word = inout(reg) 3u64 => _,
                // 64 multiplications of three cycles each.
                rounds = inout(reg) (cycles / 192).max(1) => _,
                options(nomem, nostack),
            );
        },
    }
    Some(())
}

/// No chain is written for this architecture.
#[cfg(not(target_arch = "x86_64"))]
pub fn run(_: Chain, _: u64) -> Option<()> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn interrupted_chains_do_not_lower_the_rate() {
        // Seven of nine chains take 6,336 ticks; two are interrupted for a long time.
        let (now, run) = (Cell::new(0), Cell::new(0));
        let end = || {
            run.set(run.get() + 1);
            now.set(now.get() + if run.get() % 4 == 0 { 1_000_000 } else { 6_336 });
            now.get()
        };
        let rate = cycles_per_tick(Chain::Add, || now.get(), end);
        assert_eq!(rate, Some(2.0));
    }
}
