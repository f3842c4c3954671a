//! Where code leads: calls, jump tables, loops with two entries.

use iced_x86::Register;
use iced_x86::code_asm::*;
use raywalk_results::schema::Control;

use super::fake::{ENTRY, Fake, call_slot, load_address, load_slot};
use crate::checks::check;
use crate::finding::Check;
use crate::flow::{Analysis, Callee};

const CALLEE: u64 = 0x2_0000;
const SLOT: u64 = 0x9_0000;
const TABLE: u64 = 0x5_0000;

fn callees(fake: &Fake) -> Vec<Callee> {
    let analysis = Analysis::of(fake, ENTRY, 0).expect("the entry");
    let notes = analysis.functions[&ENTRY].notes.iter();
    notes.filter_map(|note| note.callee.clone()).collect()
}

fn leaf(fake: Fake) -> Fake {
    fake.function(CALLEE, "leaf", |a| a.ret())
}

#[test]
fn a_call_through_a_slot_leads_to_the_function_of_its_relocation() {
    let through_memory = Fake::entry(|a| {
        call_slot(a, SLOT)?;
        a.ret()
    });
    let through_register = Fake::entry(|a| {
        load_slot(a, SLOT)?;
        a.push(rbx)?;
        a.call(rax)?;
        a.pop(rbx)?;
        a.ret()
    });
    for fake in [through_memory, through_register] {
        assert_eq!(callees(&leaf(fake.slot(SLOT, CALLEE))), [Callee::Function(CALLEE)]);
    }
}

#[test]
fn an_imported_function_is_named_and_an_unknown_one_is_lost() {
    let call = || {
        Fake::entry(|a| {
            call_slot(a, SLOT)?;
            a.ret()
        })
    };
    let imported = call().import(SLOT, "memcpy");
    assert_eq!(callees(&imported), [Callee::Import("memcpy".to_owned())]);
    assert_eq!(callees(&call()), [Callee::Unknown]);
}

#[test]
fn a_jump_out_of_the_function_is_a_tail_call() {
    let plain = leaf(Fake::entry(|a| a.jmp(CALLEE)));
    assert_eq!(callees(&plain), [Callee::Function(CALLEE)]);
    let conditional = leaf(Fake::entry(|a| {
        a.test(edi, edi)?;
        a.je(CALLEE)?;
        a.ret()
    }));
    assert_eq!(callees(&conditional), [Callee::Function(CALLEE)]);
}

#[test]
fn code_behind_a_panic_is_not_reached() {
    let fake = Fake::entry(|a| {
        a.call(CALLEE)?;
        a.ud2()
    })
    .function(CALLEE, "_ZN4core9panicking5panic17h0123456789abcdefE", |a| a.ret());
    assert_eq!(callees(&fake), [Callee::Panic("core::panicking::panic".to_owned())]);
    let analysis = Analysis::of(&fake, ENTRY, 0).expect("the entry");
    assert!(!analysis.functions[&ENTRY].notes[1].reached);
}

/// A jump table whose address was loaded before a loop. The elements lead to the two `inc`, and behind
/// them stands the table of another function.
#[test]
fn a_jump_table_is_found_by_the_address_that_its_elements_are_added_to() {
    let build = |targets: [u64; 2]| {
        let element = |target: u64| i32::try_from(target as i64 - TABLE as i64).expect("near");
        let mut bytes: Vec<u8> =
            targets.iter().flat_map(|&target| element(target).to_le_bytes()).collect();
        bytes.extend(0x7fff_0000_i32.to_le_bytes());
        Fake::entry(|a| {
            let mut again = a.create_label();
            load_address(a, Register::R9, TABLE)?;
            a.set_label(&mut again)?;
            a.movzx(eax, byte_ptr(rsi + rcx))?;
            a.movsxd(rax, dword_ptr(r9 + rax * 4))?;
            a.add(rax, r9)?;
            a.jmp(rax)?;
            a.inc(r10d)?;
            a.inc(r11d)?;
            a.dec(ecx)?;
            a.jne(again)?;
            a.ret()
        })
        .constant(TABLE, &bytes)
    };
    let without = build([0, 0]);
    let draft = Analysis::of(&without, ENTRY, 64).expect("the entry");
    let increments: Vec<usize> = (5..=6).collect();
    let address = |n: usize| draft.functions[&ENTRY].code.instructions[n].ip();
    assert!(!draft.functions[&ENTRY].notes[5].reached, "nothing leads there without the table");

    let fake = build([address(5), address(6)]);
    let analysis = Analysis::of(&fake, ENTRY, 64).expect("the entry");
    let function = &analysis.functions[&ENTRY];
    assert_eq!(function.notes[4].table, increments);
    assert!(increments.iter().all(|&n| function.notes[n].reached));
    let report = fake.report(Control::Mixed);
    assert_eq!((report.counts.indirect_jumps, report.loops.len()), (1, 1));
}

/// The targets may lie in a part of the function that the compiler split off, or the elements have another size.
#[test]
fn a_jump_table_without_a_target_is_lost() {
    let fake = Fake::entry(|a| {
        load_address(a, Register::R9, TABLE)?;
        a.movsxd(rax, dword_ptr(r9 + rax * 4))?;
        a.add(rax, r9)?;
        a.jmp(rax)?;
        a.ret()
    })
    .constant(TABLE, &0x7fff_0000_i32.to_le_bytes());
    assert_eq!(callees(&fake), [Callee::Unknown]);
    assert_eq!(lost(&fake), 1);
}

/// GCC moves the cases that it takes for rare into a part of their own.
#[test]
fn a_jump_table_that_goes_on_in_a_part_that_was_split_off_is_lost() {
    let elements = |targets: [u64; 2]| {
        targets
            .map(|target| i32::try_from(target as i64 - TABLE as i64).expect("near").to_le_bytes())
            .concat()
    };
    let code = |a: &mut CodeAssembler| {
        load_address(a, Register::R9, TABLE)?;
        a.movsxd(rax, dword_ptr(r9 + rax * 4))?;
        a.add(rax, r9)?;
        a.jmp(rax)?;
        a.ret()
    };
    let last = ENTRY + super::fake::assembled(ENTRY, code).len() as u64 - 1;
    let lost_with = |part: &str| {
        let fake = Fake::entry(code).function(CALLEE, part, |a| a.ret());
        lost(&fake.constant(TABLE, &elements([last, CALLEE])))
    };
    assert_eq!(["entry.cold", "entry.cold.3", "another"].map(lost_with), [1, 1, 0]);
}

/// Findings about code that was not followed.
fn lost(fake: &Fake) -> usize {
    let findings = check(&[fake.report(Control::Mixed)], &[], &[]);
    findings.iter().filter(|finding| finding.check == Check::Lost).count()
}

#[test]
fn calls_inside_calls_are_followed_to_a_depth_and_reported_beyond_it() {
    let address = |n: u64| CALLEE + 0x100 * n;
    let chain = |functions: u64| {
        let entry = Fake::entry(|a| {
            a.call(address(1))?;
            a.ret()
        });
        (1..=functions).fold(entry, |fake, n| {
            fake.function(address(n), "nested", |a| {
                if n < functions {
                    a.call(address(n + 1))?;
                }
                a.ret()
            })
        })
    };
    assert_eq!([1, 15, 16, 17].map(|functions| lost(&chain(functions))), [0, 0, 1, 1]);
    let recursion = Fake::entry(|a| {
        a.call(ENTRY)?;
        a.ret()
    });
    assert_eq!(lost(&recursion), 0);
}

#[test]
fn a_table_ends_where_the_next_one_begins() {
    let code = |a: &mut CodeAssembler| {
        load_address(a, Register::R9, TABLE)?;
        load_address(a, Register::R10, TABLE + 4)?;
        a.movsxd(rax, dword_ptr(r9 + rax * 4))?;
        a.add(rax, r9)?;
        a.jmp(rax)?;
        a.ret()
    };
    let last = ENTRY + super::fake::assembled(ENTRY, code).len() as u64 - 1;
    let element = i32::try_from(last as i64 - TABLE as i64).expect("near").to_le_bytes();
    let fake = Fake::entry(code).constant(TABLE, &[element, element].concat());
    let analysis = Analysis::of(&fake, ENTRY, 0).expect("the entry");
    assert_eq!(analysis.functions[&ENTRY].notes[4].table, [5]);
}

#[test]
fn a_loop_with_two_entries_is_an_innermost_loop() {
    let fake = Fake::entry(|a| {
        let mut first = a.create_label();
        let mut second = a.create_label();
        a.test(edi, edi)?;
        a.je(second)?;
        a.set_label(&mut first)?;
        a.inc(ecx)?;
        a.set_label(&mut second)?;
        a.cmp(byte_ptr(rsi + rcx), 0)?;
        a.je(first)?;
        a.ret()
    });
    let report = fake.report(Control::Branchy);
    let one = &report.loops[0];
    assert_eq!((report.loops.len(), one.entries, one.shortest_iteration), (1, 2, 3));
    assert_eq!((report.counts.jumps.board, report.counts.jumps.board_loop_ends), (1, 1));
    assert_eq!(report.counts.jumps.guards, 1);
}
