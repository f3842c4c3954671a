//! What the flags of a conditional jump depend on. Each function ends in one such jump.

use iced_x86::IcedError;
use iced_x86::code_asm::*;

use super::fake::{CELLS, ENTRY, Fake};
use crate::flow::Analysis;
use crate::value::Taint;

type Code<'a> = &'a dyn Fn(&mut CodeAssembler) -> Result<(), IcedError>;

/// Taint of the only conditional jump behind this code, whose flags the code leaves.
fn decided_by(code: impl FnOnce(&mut CodeAssembler) -> Result<(), IcedError>) -> Taint {
    let fake = Fake::entry(|a| {
        code(a)?;
        let mut end = a.create_label();
        a.je(end)?;
        a.nop()?;
        a.set_label(&mut end)?;
        a.ret()
    });
    let analysis = Analysis::of(&fake, ENTRY, CELLS).expect("the entry");
    let notes = &analysis.functions[&ENTRY].notes;
    notes.iter().fold(Taint::NONE, |all, note| all | note.decided_by)
}

#[test]
fn a_cell_decides_through_registers_bytes_and_the_stack() {
    assert_eq!(decided_by(|a| a.cmp(byte_ptr(rsi + rcx), 0)), Taint::CELL);
    assert_eq!(
        decided_by(|a| {
            a.movzx(eax, byte_ptr(rsi + rcx))?;
            a.mov(r8d, eax)?;
            a.and(r8b, 7)?;
            a.test(r8b, r8b)
        }),
        Taint::CELL
    );
    assert_eq!(
        decided_by(|a| {
            a.movzx(eax, byte_ptr(rsi + rcx))?;
            a.sub(rsp, 24)?;
            a.mov(dword_ptr(rsp + 8), eax)?;
            a.xor(eax, eax)?;
            a.mov(ecx, dword_ptr(rsp + 8))?;
            a.test(ecx, ecx)
        }),
        Taint::CELL
    );
}

/// Taint of what is read from the stack at an offset, behind two ways that write there.
fn behind_two_ways(one: Code<'_>, other: Code<'_>, read_at: i32) -> Taint {
    decided_by(|a| {
        let mut second = a.create_label();
        let mut joined = a.create_label();
        a.movzx(eax, byte_ptr(rsi + rcx))?;
        a.sub(rsp, 24)?;
        a.test(rdi, rdi)?;
        a.je(second)?;
        one(a)?;
        a.jmp(joined)?;
        a.set_label(&mut second)?;
        other(a)?;
        a.nop()?;
        a.set_label(&mut joined)?;
        a.mov(ecx, dword_ptr(rsp + read_at))?;
        a.test(ecx, ecx)
    })
}

#[test]
fn a_cell_that_two_ways_spill_in_pieces_of_different_size_stays_a_cell() {
    let whole: Code<'_> = &|a| a.mov(qword_ptr(rsp + 8), rax);
    let halves: Code<'_> = &|a| {
        a.mov(dword_ptr(rsp + 8), eax)?;
        a.mov(dword_ptr(rsp + 12), eax)
    };
    // The cell is in one half only.
    let second_half: Code<'_> = &|a| {
        a.mov(dword_ptr(rsp + 8), edx)?;
        a.mov(dword_ptr(rsp + 12), eax)
    };
    let constants: Code<'_> = &|a| a.mov(qword_ptr(rsp + 8), rdx);
    for (one, other) in [(whole, halves), (halves, whole)] {
        assert_eq!([8, 12].map(|at| behind_two_ways(one, other, at)), [Taint::CELL; 2]);
    }
    for (one, other) in [(constants, second_half), (second_half, constants)] {
        let found = [8, 12].map(|at| behind_two_ways(one, other, at));
        assert_eq!(found, [Taint::NONE, Taint::CELL]);
    }
}

#[test]
fn a_place_on_the_stack_that_one_way_has_not_written_has_no_content() {
    let whole: Code<'_> = &|a| a.mov(qword_ptr(rsp + 8), rax);
    let first_half: Code<'_> = &|a| a.mov(dword_ptr(rsp + 8), eax);
    let nothing: Code<'_> = &|a| a.nop();
    for (one, other) in [(whole, nothing), (nothing, whole)] {
        assert_eq!(behind_two_ways(one, other, 8), Taint::NONE);
    }
    for (one, other) in [(whole, first_half), (first_half, whole)] {
        let found = [8, 12].map(|at| behind_two_ways(one, other, at));
        assert_eq!(found, [Taint::CELL, Taint::NONE]);
    }
}

/// A cell is spilled in eight bytes, and some of them are written again.
#[test]
fn bytes_of_a_spilled_cell_that_are_not_written_again_stay_a_cell() {
    let read = |written: Code<'_>, read_at: i32| {
        decided_by(|a| {
            a.movzx(eax, byte_ptr(rsi + rcx))?;
            a.sub(rsp, 24)?;
            a.mov(qword_ptr(rsp + 8), rax)?;
            written(a)?;
            a.mov(cx, word_ptr(rsp + read_at))?;
            a.test(cx, cx)
        })
    };
    let first: Code<'_> = &|a| a.mov(dword_ptr(rsp + 8), edx);
    let last: Code<'_> = &|a| a.mov(dword_ptr(rsp + 12), edx);
    let middle: Code<'_> = &|a| a.mov(dword_ptr(rsp + 10), edx);
    let (cell, none) = (Taint::CELL, Taint::NONE);
    for (written, expected) in [
        (first, [none, none, cell, cell]),
        (last, [cell, cell, none, none]),
        (middle, [cell, none, none, cell]),
    ] {
        assert_eq!([8, 10, 12, 14].map(|at| read(written, at)), expected);
    }
}

#[test]
fn an_array_on_the_stack_includes_the_slot_that_its_beginning_lies_in() {
    let indexed = |base: i32| {
        decided_by(|a| {
            a.movzx(eax, byte_ptr(rsi + rcx))?;
            a.sub(rsp, 24)?;
            a.mov(qword_ptr(rsp + 8), rax)?;
            a.mov(ecx, dword_ptr(rsp + rdx * 4 + base))?;
            a.test(ecx, ecx)
        })
    };
    assert_eq!([12, 16].map(indexed), [Taint::CELL, Taint::NONE]);
}

#[test]
fn a_register_that_is_cleared_depends_on_nothing() {
    assert_eq!(
        decided_by(|a| {
            a.movzx(eax, byte_ptr(rsi + rcx))?;
            a.xor(eax, eax)?;
            a.test(eax, eax)
        }),
        Taint::NONE
    );
}

#[test]
fn a_byte_does_not_depend_on_what_the_register_held_above_it() {
    assert_eq!(
        decided_by(|a| {
            a.movzx(eax, byte_ptr(rsi + rcx))?;
            a.mov(al, byte_ptr(rdi))?;
            a.test(al, al)
        }),
        Taint::TABLE
    );
}

#[test]
fn the_board_behind_its_cells_is_pieces() {
    assert_eq!(decided_by(|a| a.cmp(byte_ptr(rsi + rcx + 64), 0)), Taint::PIECES);
    assert_eq!(
        decided_by(|a| {
            a.lea(r9, qword_ptr(rsi + rcx * 8))?;
            a.cmp(byte_ptr(r9 + 0x108), 0)
        }),
        Taint::PIECES
    );
}

#[test]
fn a_selection_depends_on_what_selects() {
    let cell = |a: &mut CodeAssembler| {
        a.movzx(eax, byte_ptr(rsi + rcx))?;
        a.mov(r8d, dword_ptr(rdi))?;
        a.mov(r9d, dword_ptr(rdi + 4))
    };
    let selected = Taint::CELL | Taint::TABLE;
    assert_eq!(
        decided_by(|a| {
            cell(a)?;
            a.test(al, al)?;
            a.cmove(r8d, r9d)?;
            a.test(r8d, r8d)
        }),
        selected,
        "cmov"
    );
    assert_eq!(
        decided_by(|a| {
            cell(a)?;
            a.bt(eax, 3u32)?;
            a.adc(r8d, 0)?;
            a.test(r8d, r8d)
        }),
        selected,
        "adc after bt"
    );
    assert_eq!(
        decided_by(|a| {
            cell(a)?;
            a.test(al, al)?;
            a.sete(r8b)?;
            a.test(r8b, r8b)
        }),
        Taint::CELL,
        "setcc"
    );
    assert_eq!(
        decided_by(|a| {
            cell(a)?;
            a.shrx(r8d, r8d, eax)?;
            a.and(r8d, 0xfff)
        }),
        selected,
        "a shift"
    );
    assert_eq!(
        decided_by(|a| {
            cell(a)?;
            a.cmp(byte_ptr(rdi + rax + 2), 0)
        }),
        Taint::CELL,
        "a table that the cell alone selects from"
    );
    assert_eq!(
        decided_by(|a| {
            cell(a)?;
            a.add(r8, rax)?;
            a.cmp(dword_ptr(rdi + r8 * 4), 0)
        }),
        selected,
        "a place in a table"
    );
}

#[test]
fn an_increment_keeps_the_carry_and_replaces_the_other_flags() {
    assert_eq!(
        decided_by(|a| {
            a.movzx(eax, byte_ptr(rsi + rcx))?;
            a.bt(eax, 3u32)?;
            a.inc(r10d)
        }),
        Taint::NONE
    );
    assert_eq!(
        decided_by(|a| {
            a.movzx(eax, byte_ptr(rsi + rcx))?;
            a.bt(eax, 3u32)?;
            a.inc(r10d)?;
            a.sbb(r11d, 0)
        }),
        Taint::CELL
    );
}

#[test]
fn a_callee_sees_the_arguments_and_the_stack_of_its_caller() {
    let fake = Fake::entry(|a| {
        a.movzx(eax, byte_ptr(rsi + rcx))?;
        a.push(rax)?;
        a.mov(r8, rsp)?;
        a.call(0x2_0000u64)?;
        a.pop(rcx)?;
        a.ret()
    })
    .function(0x2_0000, "callee", |a| {
        let mut end = a.create_label();
        a.cmp(qword_ptr(r8), 0)?;
        a.je(end)?;
        a.nop()?;
        a.set_label(&mut end)?;
        a.ret()
    });
    let analysis = Analysis::of(&fake, ENTRY, CELLS).expect("the entry");
    let jump =
        analysis.functions[&0x2_0000].notes.iter().find(|note| note.decided_by.has(Taint::CELL));
    assert!(jump.is_some());
}
