//! Tests the hardware counters of this machine with the code that measures.
//!
//! ```text
//! cargo run -p raywalk-measure --example counters
//! ```
//!
//! It lists the events that are counted and the absent ones with their reasons. Then it counts a loop
//! with a known number of instructions, in as many passes as the events need. Finally it starts more sets
//! of counters than a processor has room for, so that the kernel multiplexes them, and shows that such a
//! reading is rejected and not scaled, and that the next reading is complete again. The guest test of the
//! command line runs this program on an emulated machine whose counters are exact.

#![allow(unsafe_code, reason = "kernels in assembly")]

use raywalk_measure::counters::{self, Counters, EventCounts};

/// Turns of the counted loop.
const TURNS: u64 = 1_000_000;
/// Number of sets of counters that run at once, each with all hardware events: one fits, eight do not.
const SETS: [usize; 2] = [1, 8];
/// Turns while the sets share the counters. They take many times the 4 ms after which Linux switches to
/// the next group.
const SHARED_TURNS: u64 = 50_000_000;

fn main() {
    let mut counters = counters::of_this_machine(None);
    for event in counters.events() {
        println!("counted {event}");
    }
    for absent in counters.absent() {
        println!("absent {absent}");
    }
    if counters.events().iter().all(|event| event.is_software()) {
        println!("no hardware event is counted, so there is nothing to test");
        return;
    }
    count_a_known_loop(&mut *counters);
    drop(counters);
    SETS.into_iter().for_each(share_the_counters);
}

/// Counts the loop with one turn and with many turns, in every pass. The difference cancels the cost of
/// starting and stopping the counters.
fn count_a_known_loop(counters: &mut dyn Counters) {
    for pass in 0..counters.passes() {
        counters.choose(pass);
        let mut count = |turns| {
            // Hidden from the compiler: a large constant can take one more instruction to load than a
            // small one.
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

/// Runs `number` sets of counters over the same loop. Where they do not fit, the kernel multiplexes
/// them, and each reading must be marked as partial.
fn share_the_counters(number: usize) {
    let mut sets: Vec<_> = (0..number).map(|_| counters::of_this_machine(None)).collect();
    sets.iter_mut().for_each(|set| set.start());
    run(SHARED_TURNS);
    let readings: Vec<EventCounts> = sets.iter_mut().map(|set| set.stop()).collect();
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

/// Runs a loop of two instructions per turn, at least one turn.
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

/// Runs a loop of two instructions per turn, at least one turn.
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

/// Runs a loop whose number of instructions depends on the compiler.
#[cfg(not(any(target_arch = "aarch64", target_arch = "x86_64")))]
fn run(turns: u64) {
    (0..turns).for_each(|turn| drop(std::hint::black_box(turn)));
}
