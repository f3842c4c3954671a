//! Critical paths of calls whose length was computed by hand.

use iced_x86::IcedError;
use iced_x86::code_asm::*;
use iced_x86::{Decoder, DecoderOptions};

use super::chain::latency;
use super::fake::{ENTRY, assembled};
use crate::critical::{Core, CriticalPath, Dependences};

/// More than any call here has.
const UNLIMITED: usize = 1 << 10;

fn dependences(
    code: impl FnOnce(&mut CodeAssembler) -> Result<(), IcedError>,
) -> (Dependences, Vec<u32>) {
    let bytes = assembled(ENTRY, code);
    let mut dependences = Dependences::default();
    for instruction in Decoder::with_ip(64, &bytes, ENTRY, DecoderOptions::NONE) {
        dependences.add(&instruction, &latency);
    }
    let all = (0..dependences.len() as u32).collect();
    (dependences, all)
}

/// The path of a call that executes each instruction once, so often one after the other.
fn repeated(
    times: usize,
    code: impl FnOnce(&mut CodeAssembler) -> Result<(), IcedError>,
) -> CriticalPath {
    let (dependences, all) = dependences(code);
    let mut core = Core::new(UNLIMITED);
    core.call(&dependences, &all.repeat(times));
    core.critical_path()
}

fn path(code: impl FnOnce(&mut CodeAssembler) -> Result<(), IcedError>) -> CriticalPath {
    repeated(1, code)
}

#[test]
fn instructions_that_do_not_wait_for_each_other_run_at_once() {
    let found = path(|a| {
        a.add(rax, 1)?;
        a.add(rcx, 1)?;
        a.add(rdx, 1)
    });
    assert_eq!(found, CriticalPath { cycles: 1.0, assumed: 0.0 });
    let found = path(|a| {
        a.add(rax, 1)?;
        a.add(rax, 1)?;
        a.add(rax, 1)
    });
    assert_eq!(found.cycles, 3.0);
}

#[test]
fn a_walk_is_as_long_as_its_iterations_and_its_squares_hang_on_it() {
    // Number of the node 5 per iteration; behind the last node its square (5) and the board (4), compared (1).
    let iterations = |count| {
        repeated(count, |a| {
            a.movzx(eax, word_ptr(rdi + rax * 2))?;
            a.movzx(ecx, byte_ptr(rbx + rax * 8))?;
            a.movzx(edx, byte_ptr(rsi + rcx))?;
            a.cmp(dl, 3)
        })
    };
    assert_eq!([1, 2, 8].map(|count| iterations(count).cycles), [15.0, 20.0, 50.0]);
}

#[test]
fn a_register_that_is_set_anew_ends_a_chain_and_the_next_runs_beside_it() {
    let found = path(|a| {
        a.imul_3(rax, rax, 5)?;
        a.imul_3(rax, rax, 5)?;
        a.xor(eax, eax)?;
        a.imul_3(rax, rax, 5)?;
        a.imul_3(rax, rax, 5)?;
        a.imul_3(rax, rax, 5)
    });
    // The zeroed register waits for nothing; setting it takes a cycle.
    assert_eq!(found.cycles, 10.0);
}

#[test]
fn an_address_delays_a_load_and_data_does_not() {
    let found = path(|a| {
        a.imul_3(rax, rax, 5)?;
        a.add(rax, qword_ptr(rbx))
    });
    // The load of 4 cycles begins at once, 1 cycle before the product is ready; then the sum.
    assert_eq!(found.cycles, 5.0);
    let found = path(|a| {
        a.imul_3(rax, rax, 5)?;
        a.mov(rcx, qword_ptr(rax))
    });
    assert_eq!(found.cycles, 7.0);
}

#[test]
fn cycles_of_unknown_instructions_are_named() {
    let found = path(|a| {
        a.vpaddb(xmm0, xmm0, xmm1)?;
        a.vpaddb(xmm0, xmm0, xmm1)?;
        a.vmovd(eax, xmm0)?;
        a.add(rax, 1)
    });
    assert_eq!(found, CriticalPath { cycles: 4.0, assumed: 3.0 });
    assert_eq!(Core::new(UNLIMITED).critical_path(), CriticalPath::default());
}

#[test]
fn a_window_holds_back_what_does_not_fit() {
    // Six products of three cycles that wait for nothing, two at once.
    let (products, all) = dependences(|a| a.imul_3(rax, rcx, 5));
    let mut core = Core::new(2);
    core.call(&products, &all.repeat(6));
    assert_eq!(core.critical_path().cycles, 9.0);
}

#[test]
fn calls_overlap_as_far_as_the_window_reaches() {
    // Two calls with a chain of ten: the second begins when its first instruction enters, one cycle after the
    // instruction that leaves the window for it.
    let (sum, one) = dependences(|a| a.add(rax, 1));
    let two_calls = |window| {
        let mut core = Core::new(window);
        core.call(&sum, &one.repeat(10));
        core.call(&sum, &one.repeat(10));
        core.critical_path().cycles
    };
    assert_eq!([1, 5, 10, 11, 64].map(two_calls), [20.0, 16.0, 11.0, 10.0, 10.0]);
}
