//! Chains of loops whose length was computed by hand, and then measured on one machine.

use iced_x86::IcedError;
use iced_x86::code_asm::*;
use iced_x86::{Decoder, DecoderOptions};

use super::fake::{ENTRY, assembled};
use crate::chain::{Chain, Iteration, Operation};

/// Latencies of a Zen 5 core, where 11, 19 and 5 cycles were measured for the loops below.
pub(super) fn latency(operation: Operation) -> f64 {
    use Operation::*;
    match operation {
        Load | LoadDisplaced | LoadIndexed => 4.0,
        LoadScaled => 5.0,
        Copy => 0.0,
        Multiply => 3.0,
        _ => 1.0,
    }
}

fn iteration(code: impl FnOnce(&mut CodeAssembler) -> Result<(), IcedError>) -> Iteration {
    let bytes = assembled(ENTRY, code);
    Iteration(Decoder::with_ip(64, &bytes, ENTRY, DecoderOptions::NONE).into_iter().collect())
}

fn chain(code: impl FnOnce(&mut CodeAssembler) -> Result<(), IcedError>) -> Option<Chain> {
    iteration(code).chain(&latency)
}

/// Operations of the steps, from the first load on.
fn operations(chain: &Chain) -> Vec<Operation> {
    let mut found: Vec<_> = chain.steps.iter().map(|step| step.operation).collect();
    let is_load = |one: &Operation| *one <= Operation::LoadScaled;
    let first = found.iter().position(is_load).unwrap_or(0);
    found.rotate_left(first);
    found
}

#[test]
fn a_conditional_list_waits_for_two_loads_a_test_and_a_selection() {
    // rsi: board, rdi: nodes, rax: number of the node.
    let found = chain(|a| {
        let mut again = a.create_label();
        a.set_label(&mut again)?;
        a.movzx(edx, byte_ptr(rdi + rax * 8))?; // square: 5
        a.mov(ecx, dword_ptr(rdi + rax * 8 + 4))?; // both links: 5, beside the board
        a.movzx(r9d, cx)?;
        a.shr(ecx, 16)?;
        a.cmp(byte_ptr(rsi + rdx), 0)?; // board: 4, and the comparison: 1
        a.cmove(ecx, r9d)?; // 1
        a.mov(eax, ecx)?;
        a.inc(r10)?;
        a.test(eax, eax)?;
        a.jne(again)
    });
    let found = found.expect("a chain");
    assert_eq!((found.cycles, found.iterations), (11.0, 1));
    use Operation::*;
    assert_eq!(operations(&found), [LoadScaled, LoadIndexed, Simple, Select, Copy]);
}

#[test]
fn a_dense_list_waits_for_four_loads() {
    let found = chain(|a| {
        a.movzx(eax, ax)?; // 1
        a.movzx(ecx, byte_ptr(rdi + rax * 4))?; // square: 5
        a.movzx(ecx, byte_ptr(rsi + rcx))?; // board: 4
        a.movzx(ecx, byte_ptr(rbx + rcx))?; // class: 4
        a.lea(rdx, qword_ptr(rdi + rax * 4))?;
        a.movzx(eax, word_ptr(rdx + rcx * 2 + 2))?; // link: 5
        a.add(r8, 2)
    });
    let found = found.expect("a chain");
    assert_eq!(found.cycles, 19.0);
    use Operation::*;
    assert_eq!(operations(&found), [LoadScaled, LoadIndexed, LoadIndexed, LoadScaled, Extend]);
}

#[test]
fn a_walk_that_steps_through_memory_waits_for_its_counter_alone() {
    let found = chain(|a| {
        let mut again = a.create_label();
        a.set_label(&mut again)?;
        a.movzx(ecx, byte_ptr(rdi))?;
        a.mov(word_ptr(rdx + r8 * 2), cx)?;
        a.inc(r8)?;
        a.add(rdi, 4)?;
        a.cmp(byte_ptr(rsi + rcx), 0)?;
        a.je(again)
    });
    assert_eq!(found.expect("a chain").cycles, 1.0);
    // A blocked ray is skipped by a loaded place, which is the next address.
    let skip = chain(|a| a.movzx(eax, word_ptr(rdi + rax * 2)));
    assert_eq!(skip.expect("a chain").cycles, 5.0);
}

#[test]
fn registers_that_change_places_are_a_chain_over_several_iterations() {
    // One of two values is multiplied in each iteration, so two iterations take one multiplication and two copies.
    let found = chain(|a| {
        a.mov(rcx, rax)?;
        a.imul_3(rax, rbx, 3)?;
        a.mov(rbx, rcx)
    });
    let found = found.expect("a chain");
    assert_eq!((found.cycles, found.iterations, found.steps.len()), (1.5, 2, 3));
}

#[test]
fn the_longest_of_several_chains_counts() {
    let found = chain(|a| {
        a.inc(rdx)?;
        a.imul_2(rax, rcx)?;
        a.mov(r8, qword_ptr(r8))
    });
    assert_eq!(found.expect("a chain").cycles, 4.0);
}

#[test]
fn a_value_that_is_written_anew_carries_nothing() {
    assert_eq!(chain(|a| a.mov(rax, 3_u64)), None);
    assert_eq!(chain(|a| a.mov(rax, qword_ptr(rdi))), None);
    // Clearing a register by itself waits for nothing, so only the flag of the comparison is left.
    let found = chain(|a| {
        a.xor(eax, eax)?;
        a.cmp(rcx, rdx)?;
        a.sete(al)
    });
    assert_eq!(found, None);
    // Without it the byte is merged with the old register.
    let merged = chain(|a| a.sete(al));
    assert_eq!(merged.expect("a chain").cycles, 1.0);
}

#[test]
fn an_increment_keeps_the_carry() {
    let found = chain(|a| {
        a.adc(rax, rcx)?;
        a.inc(rdx)
    });
    // The carry goes from `adc` to the next one, as its sum does.
    assert_eq!(found.expect("a chain").cycles, 1.0);
    let broken = iteration(|a| {
        a.sbb(rax, rcx)?;
        a.xor(rax, rax)?;
        a.inc(rdx)
    });
    // `xor` clears sum and carry; the counter is left.
    let found = broken.chain(&latency).expect("a chain");
    assert_eq!((found.cycles, found.steps[0].instruction), (1.0, 2));
}

#[test]
fn an_address_that_is_also_an_operand_is_both() {
    let found = chain(|a| a.add(rax, qword_ptr(rax)));
    assert_eq!(found.expect("a chain").cycles, 5.0);
    // A store waits for its address, but nothing waits for the store.
    assert_eq!(chain(|a| a.mov(qword_ptr(rax), rcx)), None);
    // `lea` computes with its registers and loads nothing.
    assert_eq!(chain(|a| a.lea(rax, qword_ptr(rax + 8))).expect("a chain").cycles, 1.0);
}

#[test]
fn instructions_without_a_known_latency_are_named() {
    let one = iteration(|a| {
        a.inc(rax)?;
        a.vpaddq(ymm0, ymm0, ymm1)?;
        a.cpuid()
    });
    assert_eq!((one.instructions(), one.unknown()), (3, vec![1, 2]));
}
