//! Copies of a loop that the compiler made are told from loops that the source writes twice.

use iced_x86::code_asm::*;
use raywalk_results::schema::Control;

use super::fake::{ENTRY, Fake};

/// Two loops that read cells. Each instruction has four bytes or a known place, so the second loop begins
/// at its label.
fn two_loops(second_line: u32) -> Fake {
    let code = |a: &mut CodeAssembler| {
        for register in [r8, r9] {
            let mut again = a.create_label();
            a.set_label(&mut again)?;
            a.add(register, 8)?;
            a.cmp(byte_ptr(rsi + register), 0)?;
            a.je(again)?;
        }
        a.ret()
    };
    let loop_bytes = (super::fake::assembled(ENTRY, code).len() as u64 - 1) / 2;
    let walk = ("variants/core/walk.rs", 40);
    Fake::entry(code)
        .lines(ENTRY, &[walk, ("variants/test/src/lib.rs", 7)])
        .lines(ENTRY + loop_bytes, &[walk, ("variants/test/src/lib.rs", second_line)])
}

#[test]
fn loops_with_the_same_chain_of_calls_are_copies() {
    let copies = two_loops(7).report(Control::Branchy).shape.copies;
    assert_eq!(copies.times, 2);
    assert_eq!(copies.source.expect("a source").to_string(), "variants/core/walk.rs:40");
}

#[test]
fn a_walk_that_the_source_calls_twice_is_no_copy() {
    let report = two_loops(8).report(Control::Branchy);
    assert_eq!((report.shape.copies.times, report.loops.len()), (1, 2));
}

#[test]
fn moves_that_one_line_writes_in_straight_code_are_unrolled() {
    let straight = |moves: i32| {
        let fake = Fake::entry(|a| {
            for n in 0..moves {
                a.mov(word_ptr(rdx + rcx * 2 + 2 * n), ax)?;
            }
            a.ret()
        });
        fake.lines(0, &[("variants/test/src/lib.rs", 7)]).report(Control::Mixed).shape
    };
    let shape = straight(8);
    assert_eq!((shape.copies.times, shape.unrolled.times), (0, 8));
    assert_eq!(straight(4).unrolled.times, 1, "the promotions of a pawn");

    let behind_branches = Fake::entry(|a| {
        for n in 0..3 {
            let mut over = a.create_label();
            a.cmp(byte_ptr(rsi + n), 0)?;
            a.jne(over)?;
            a.mov(word_ptr(rdx + rcx * 2), ax)?;
            a.set_label(&mut over)?;
            a.inc(rcx)?;
        }
        a.ret()
    });
    let report =
        behind_branches.lines(0, &[("variants/test/src/lib.rs", 7)]).report(Control::Mixed);
    assert_eq!(report.shape.unrolled.times, 3);
}
