//! The core's own clock, without a counter for it.
//!
//! A chain of dependent instructions of known latency takes a known number of core cycles, so its
//! ticks tell how many core cycles a tick is worth. On a machine without hardware counters this is
//! the only way from ticks to cycles, and results made with it are *derived*. The ratio wanders by
//! several per cent within seconds (1.62 to 1.73 was seen on a server core), so it is taken beside
//! every sample.
//!
//! `add` of a register to itself: one cycle on every x86-64 core of today. Adding a constant would
//! not do, some cores fold such additions while renaming. `imul` takes three; two chains that
//! agree show that neither is elided or interrupted.

/// Which instruction is chained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chain {
    /// `add r, r`, one cycle each.
    Add,
    /// `imul r, r`, three cycles each.
    Multiply,
}

/// Short chains per reading. Short ones are hardly ever interrupted, and the upper quartile of the
/// rates drops those that were: an interruption adds ticks, hence lowers the rate.
const RUNS: usize = 9;
/// Cycles of one chain: about 3 µs, 300 steps of a clock that moves every 10 ns. A multiple of both
/// loops' lengths.
const CYCLES: u64 = 66 * 192;

/// Core cycles per tick at this moment; `None` on other architectures.
pub fn cycles_per_tick(
    chain: Chain,
    start: impl Fn() -> u64,
    end: impl Fn() -> u64,
) -> Option<f64> {
    let mut rates = [0.0; RUNS];
    for rate in &mut rates {
        let before = start();
        run(chain, CYCLES)?;
        let ticks = end().saturating_sub(before);
        *rate = CYCLES as f64 / ticks.max(1) as f64;
    }
    rates.sort_by(f64::total_cmp);
    Some(rates[RUNS * 3 / 4])
}

/// Runs a chain of `cycles` cycles, rounded down to a multiple of 192 but not to 0; `None` where
/// there is none.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn run(chain: Chain, cycles: u64) -> Option<()> {
    use std::arch::asm;
    // The loop's own two instructions run beside the chain and add nothing to its length.
    match chain {
        // SAFETY: the block changes only the two registers it declares, and the flags.
        Chain::Add => unsafe {
            asm!(
                "2:", ".rept 64", "add {word}, {word}", ".endr",
                "dec {rounds}", "jnz 2b",
                word = inout(reg) 1u64 => _,
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
                rounds = inout(reg) (cycles / 192).max(1) => _,
                options(nomem, nostack),
            );
        },
    }
    Some(())
}

/// Runs a chain of `cycles` cycles; there is none for this architecture.
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
        // Seven of nine chains take 6,336 ticks, two were interrupted for a long time.
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
