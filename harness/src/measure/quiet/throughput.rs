//! How many independent operations a core does in a tick.
//!
//! Ten chains of additions that do not wait for each other fill every integer unit of the core,
//! and then the width at which it takes instructions in. A thread on the other half of the core
//! takes its share of both, so this falls while a single chain goes on as before.

/// Short runs per reading; the upper quartile drops those that were interrupted, as in
/// [`core_clock`](crate::measure::core_clock).
const RUNS: usize = 9;
/// Chains, as many as there are registers to declare.
const CHAINS: u64 = 10;
/// Additions of each chain in one turn of the loop.
const TURN: u64 = 8;
/// Turns of a run: 25,600 additions, 1 to 2 µs on four to six integer units at 4 GHz, 100 steps or
/// more of a clock that moves every 10 ns.
const TURNS: u64 = 320;

/// Operations per tick at this moment; `None` on other architectures than x86-64.
pub fn operations_per_tick(start: impl Fn() -> u64, end: impl Fn() -> u64) -> Option<f64> {
    let mut rates = [0.0; RUNS];
    for rate in &mut rates {
        let before = start();
        run(TURNS)?;
        let ticks = end().saturating_sub(before);
        *rate = (CHAINS * TURN * TURNS) as f64 / ticks.max(1) as f64;
    }
    rates.sort_by(f64::total_cmp);
    Some(rates[RUNS * 3 / 4])
}

/// Runs the chains side by side; `None` where they are not written.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn run(turns: u64) -> Option<()> {
    // SAFETY: the block changes only the registers that it declares, and the flags.
    unsafe {
        std::arch::asm!(
            "2:",
            ".rept 8",
            "add {a}, {a}", "add {b}, {b}", "add {c}, {c}", "add {d}, {d}", "add {e}, {e}",
            "add {f}, {f}", "add {g}, {g}", "add {h}, {h}", "add {i}, {i}", "add {j}, {j}",
            ".endr",
            "dec {turns}", "jnz 2b",
            a = inout(reg) 1u64 => _, b = inout(reg) 1u64 => _, c = inout(reg) 1u64 => _,
            d = inout(reg) 1u64 => _, e = inout(reg) 1u64 => _, f = inout(reg) 1u64 => _,
            g = inout(reg) 1u64 => _, h = inout(reg) 1u64 => _, i = inout(reg) 1u64 => _,
            j = inout(reg) 1u64 => _,
            turns = inout(reg) turns.max(1) => _,
            options(nomem, nostack),
        );
    }
    Some(())
}

/// There are no such chains for this architecture.
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
