//! Measures how many independent operations a core executes per tick.
//!
//! Ten independent chains of additions saturate the integer units of the core or its issue width. A
//! second thread on the core competes for both, so throughput falls while a single dependency chain runs
//! as fast as before.

use crate::core_clock;

/// Number of chains: as many as there are registers to declare.
const CHAINS: u64 = 10;
/// Additions per chain in one iteration of the loop.
const EACH: u64 = 8;
/// Iterations of a run: 25,600 additions, which take 1 to 2 µs on four to six integer units at 4 GHz, or at
/// least 100 steps of a clock with a step of 10 ns.
const ITERATIONS: u64 = 320;

/// Current operations per tick; `None` on architectures other than x86-64.
pub(super) fn operations_per_tick(start: impl Fn() -> u64, end: impl Fn() -> u64) -> Option<f64> {
    core_clock::per_tick(CHAINS * EACH * ITERATIONS, || run(ITERATIONS), start, end)
}

/// Runs the chains in parallel; `None` on architectures other than x86-64.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn run(iterations: u64) -> Option<()> {
    // SAFETY: the block changes only the registers that it declares, and the flags.
    unsafe {
        std::arch::asm!(
            // Where a loop begins decides how it is fetched. Aligned, it is as fast in every layout of the program.
            ".p2align 6",
            "2:",
            ".rept 8",
            "add {a}, {a}", "add {b}, {b}", "add {c}, {c}", "add {d}, {d}", "add {e}, {e}",
            "add {f}, {f}", "add {g}, {g}", "add {h}, {h}", "add {i}, {i}", "add {j}, {j}",
            ".endr",
            "dec {iterations}", "jnz 2b",
            a = inout(reg) 1u64 => _, b = inout(reg) 1u64 => _, c = inout(reg) 1u64 => _,
            d = inout(reg) 1u64 => _, e = inout(reg) 1u64 => _, f = inout(reg) 1u64 => _,
            g = inout(reg) 1u64 => _, h = inout(reg) 1u64 => _, i = inout(reg) 1u64 => _,
            j = inout(reg) 1u64 => _,
            // The loop counts down before it tests, so 0 would wrap to 2^64 rounds.
            iterations = inout(reg) iterations.max(1) => _,
            options(nomem, nostack),
        );
    }
    Some(())
}

#[cfg(not(target_arch = "x86_64"))]
fn run(_: u64) -> Option<()> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn two_interrupted_runs_of_nine_do_not_lower_the_rate() {
        let (now, run) = (Cell::new(0), Cell::new(0));
        let end = || {
            run.set(run.get() + 1);
            now.set(now.get() + if run.get() % 4 == 0 { 1_000_000 } else { 2_560 });
            now.get()
        };
        assert_eq!(operations_per_tick(|| now.get(), end), Some(10.0));
    }

    #[test]
    #[cfg(not(target_arch = "x86_64"))]
    fn another_architecture_has_no_rate() {
        assert_eq!(operations_per_tick(|| 0, || 1), None);
    }
}
