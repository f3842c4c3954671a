//! What the counters of this machine are worth, seen through the harness's own code.
//!
//! ```text
//! cargo run -p raywalk-harness --example counters
//! ```
//!
//! Names the events that are counted and those that are not, with the reason; counts a loop whose
//! number of instructions is known, in as many passes as the events take; then starts more sets of
//! counters than a processor has room for, so that the kernel shares them out, and shows that such
//! a reading is rejected and not scaled, and that the next one is whole again. `tests/guest/run.sh` runs this program on an emulated machine whose counters are exact.

use raywalk_harness::measure::counters::{self, Counters, Reading};

/// Turns of the loop that is counted.
const TURNS: u64 = 1_000_000;
/// Sets of counters at once, each with all events of the hardware: one has room, eight have not.
const SETS: [usize; 2] = [1, 8];
/// Turns while the sets share the counters: many times the 4 ms after which Linux lets the next
/// group on.
const SHARED_TURNS: u64 = 50_000_000;

fn main() {
    let mut counters = counters::of_this_machine();
    for event in counters.events() {
        println!("counted {event}");
    }
    for absent in counters.absent() {
        println!(
            "absent {}: {}",
            absent.what,
            format!("{} {}", absent.why, absent.cure).trim_end()
        );
    }
    if counters.events().iter().all(|event| event.is_software()) {
        println!("no event of the hardware is counted, so there is nothing to try");
        return;
    }
    count_a_known_loop(&mut *counters);
    drop(counters);
    SETS.into_iter().for_each(share_the_counters);
}

/// The same loop with one turn and with many, in every pass: what the calls around it cost stands
/// in both.
fn count_a_known_loop(counters: &mut dyn Counters) {
    for pass in 0..counters.passes() {
        counters.choose(pass);
        let mut count = |turns| {
            // A large constant can take one instruction more to load than a small one.
            let turns = std::hint::black_box(turns);
            counters.start();
            run(turns);
            counters.stop()
        };
        let (around, whole) = (count(1), count(1 + TURNS));
        if around.partial || whole.partial {
            println!("pass {pass}, {TURNS} turns: rejected");
        }
        for (event, whole) in whole.values.iter().filter(|(event, _)| !event.is_software()) {
            if let Some(around) = around.values.get(event) {
                println!("pass {pass}, {TURNS} turns: {} {event}", whole.saturating_sub(*around));
            }
        }
    }
}

/// Starts so many sets over the same loop. Where they do not fit, the kernel lets them on in turns,
/// and each reading has to say so.
fn share_the_counters(number: usize) {
    let mut sets: Vec<_> = (0..number).map(|_| counters::of_this_machine()).collect();
    sets.iter_mut().for_each(|set| set.start());
    run(SHARED_TURNS);
    let readings: Vec<Reading> = sets.iter_mut().map(|set| set.stop()).collect();
    let (rejected, whole): (Vec<_>, Vec<_>) = readings.iter().partition(|reading| reading.partial);
    let kept = rejected.iter().flat_map(|reading| reading.values.keys());
    println!(
        "{number} at once: readings whole {}, rejected {}, values kept of the rejected {}",
        whole.len(),
        rejected.len(),
        kept.filter(|event| !event.is_software()).count()
    );
    let alone = |set: &mut Box<dyn Counters>| {
        set.start();
        run(TURNS);
        set.stop().partial
    };
    let rejected = sets.iter_mut().map(alone).filter(|&partial| partial).count();
    println!("{number} in turn: readings whole {}, rejected {rejected}", number - rejected);
}

/// Two instructions for each turn; at least one turn.
#[cfg(target_arch = "aarch64")]
fn run(turns: u64) {
    // SAFETY: changes one register of its own and the flags, and touches no memory.
    unsafe {
        std::arch::asm!(
            "2:",
            "subs {left}, {left}, #1",
            "b.ne 2b",
            left = inout(reg) turns => _,
            options(nomem, nostack)
        );
    }
}

/// Two instructions for each turn; at least one turn.
#[cfg(target_arch = "x86_64")]
fn run(turns: u64) {
    // SAFETY: changes one register of its own and the flags, and touches no memory.
    unsafe {
        std::arch::asm!(
            "2:",
            "dec {left}",
            "jnz 2b",
            left = inout(reg) turns => _,
            options(nomem, nostack)
        );
    }
}

/// As many instructions for each turn as the compiler makes of it.
#[cfg(not(any(target_arch = "aarch64", target_arch = "x86_64")))]
fn run(turns: u64) {
    (0..turns).for_each(|turn| drop(std::hint::black_box(turn)));
}
