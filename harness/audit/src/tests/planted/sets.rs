//! Branches of a walk on a board of sets.

use iced_x86::code_asm::*;
use raywalk_results::schema::Control;

use super::{Code, alone};
use crate::finding::Check;
use crate::report::Report;
use crate::tests::fake::{Fake, LENGTH_AT};

/// Goes over a set of pieces: takes the ray of each from a table, cuts it at the first piece of the board's sets, and
/// writes a move to each square that is left. `cut` has the pieces on the ray in RAX, with the zero flag of the
/// intersection, and the ray in R10.
fn rays(control: Control, cut: Code<'_>) -> Report {
    let fake = Fake::entry(|a| {
        let mut pieces = a.create_label();
        let mut targets = a.create_label();
        let mut next = a.create_label();
        a.mov(r11, qword_ptr(rdx + LENGTH_AT as i32))?;
        a.mov(r8, qword_ptr(rsi + 8))?;
        a.set_label(&mut pieces)?;
        a.tzcnt(r9, r8)?;
        a.mov(r10, qword_ptr(rdi + r9 * 8))?;
        a.mov(rax, r10)?;
        a.and(rax, qword_ptr(rsi))?;
        cut(a)?;
        a.test(r10, r10)?;
        a.je(next)?;
        a.set_label(&mut targets)?;
        a.tzcnt(rcx, r10)?;
        a.mov(word_ptr(rdx + r11 * 2), cx)?;
        a.inc(r11)?;
        a.blsr(r10, r10)?;
        a.jne(targets)?;
        a.set_label(&mut next)?;
        a.blsr(r8, r8)?;
        a.jne(pieces)?;
        a.mov(qword_ptr(rdx + LENGTH_AT as i32), r11)?;
        a.ret()
    });
    fake.report_on(control, 0)
}

#[test]
fn a_branch_lost_or_left_on_a_board_of_sets_is_found() {
    let test_for_a_blocker: Code<'_> = &|a| {
        let mut free = a.create_label();
        a.je(free)?;
        a.tzcnt(rax, rax)?;
        a.xor(r10, qword_ptr(rdi + rax * 8))?;
        a.set_label(&mut free)?;
        a.nop()
    };
    assert_eq!(alone(&rays(Control::Branchy, test_for_a_blocker)), []);
    // A piece on the last square takes the place of the test.
    let without: Code<'_> = &|a| {
        a.bts(rax, 63)?;
        a.tzcnt(rax, rax)?;
        a.xor(r10, qword_ptr(rdi + rax * 8))
    };
    let branchless = rays(Control::Branchy, without);
    assert_eq!(branchless.counts.jumps.all(), 3, "the guard and the ends of both loops are left");
    let findings = alone(&branchless);
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0].check, Check::NoBoardJump);

    assert_eq!(alone(&rays(Control::Branchless, without)), []);
    let findings = alone(&rays(Control::Branchless, test_for_a_blocker));
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0].check, Check::BoardJump);
}

#[test]
fn a_step_along_a_ray_is_a_branch_on_a_board_of_sets() {
    let steps = rays(Control::Branchy, &|a| {
        let mut again = a.create_label();
        a.mov(rcx, r8)?;
        a.set_label(&mut again)?;
        a.shl(rcx, 8)?;
        a.or(r10, rcx)?;
        a.test(qword_ptr(rsi + 16), rcx)?;
        a.jne(again)
    });
    assert_eq!(alone(&steps), []);
}
