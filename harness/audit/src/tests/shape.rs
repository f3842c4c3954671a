//! Copies of a loop that the compiler made are distinguished from loops that the source contains twice.

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
    let copies = two_loops(7).report(Control::Branchy).shape.walk.copies;
    assert_eq!(copies.times, 2);
    assert_eq!(copies.source.expect("a source").to_string(), "variants/core/walk.rs:40");
}

#[test]
fn a_walk_that_the_source_calls_twice_is_no_copy() {
    let report = two_loops(8).report(Control::Branchy);
    assert_eq!((report.shape.walk.copies.times, report.loops.len()), (1, 2));
}

#[test]
fn moves_that_one_line_writes_in_straight_code_are_unrolled() {
    let lines = |fake: Fake| fake.lines(0, &[("variants/test/src/lib.rs", 7)]);
    let straight = |moves: i32| {
        lines(Fake::entry(|a| {
            for n in 0..moves {
                a.mov(word_ptr(rdx + rcx * 2 + 2 * n), ax)?;
            }
            a.ret()
        }))
    };
    let unrolled = |fake: Fake| {
        let shape = fake.report(Control::Mixed).shape.walk;
        (shape.copies.times, shape.unrolled.times)
    };
    assert_eq!(
        [1, 2, 4, 8].map(|moves| unrolled(straight(moves))),
        [(0, 1), (0, 2), (0, 4), (0, 8)]
    );
    let promotions = [4, 8].map(|moves| unrolled(straight(moves).promoting()));
    assert_eq!(promotions, [(0, 1), (0, 8)], "those of one pawn move, and of two");

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
    assert_eq!(unrolled(lines(behind_branches)), (0, 3));
}

/// A list whose walk leaves out the move to an own piece: 4 instructions for that piece, 6 for an empty square.
#[test]
fn the_shortest_iteration_is_that_of_a_square_whose_move_is_written() {
    let list = Fake::entry(|a| {
        let mut again = a.create_label();
        let mut over = a.create_label();
        a.set_label(&mut again)?;
        a.cmp(byte_ptr(rsi + r8), 8)?;
        a.je(over)?;
        a.mov(word_ptr(rdx + rcx * 2), r8w)?;
        a.inc(rcx)?;
        a.set_label(&mut over)?;
        a.dec(r8)?;
        a.jne(again)?;
        a.ret()
    });
    let one = &list.report(Control::Branchy).loops[0];
    assert_eq!((one.cell_loads, one.move_stores, one.shortest_iteration), (1, 1, 6));
}

/// A list of nodes: the next one waits for the load of its number and for a shift, the move and the counter do not.
#[test]
fn the_chain_of_a_turn_is_that_of_its_longest_wait() {
    let list = Fake::entry(|a| {
        let mut again = a.create_label();
        a.set_label(&mut again)?;
        a.shl(r8, 3)?;
        a.cmp(byte_ptr(rsi + r8), 0)?;
        a.mov(word_ptr(rdx + rcx * 2), r8w)?;
        a.inc(rcx)?;
        a.mov(r8, qword_ptr(rdi + r8))?;
        a.test(r8, r8)?;
        a.jne(again)?;
        a.ret()
    });
    assert_eq!(list.report(Control::Branchy).loops[0].chain, 5.0);
}
