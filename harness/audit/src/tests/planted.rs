//! A violation of each kind, planted in code that is right otherwise, and the right code.

use iced_x86::IcedError;
use iced_x86::code_asm::*;
use raywalk_results::schema::Control;

use super::fake::{Fake, LENGTH_AT, call_slot};
use crate::checks::{Exception, check};
use crate::entry_stage::EntryStage;
use crate::finding::{Check, Finding};
use crate::report::{Executed, Report};

mod pairs;
mod sets;

const HELPER: u64 = 0x2_0000;
const SLOT: u64 = 0x9_0000;

type Code<'a> = &'a dyn Fn(&mut CodeAssembler) -> Result<(), IcedError>;

/// Follows a list of squares in a table: reads each cell, writes a move, keeps it if the cell is empty and
/// goes to the place that the cell selects. Place 0 ends the list. `planted` stands in the loop.
fn branchless(planted: Code<'_>) -> Fake {
    walk(&|_| Ok(()), planted)
}

/// [`branchless`] with something else before the loop.
fn walk(before: Code<'_>, planted: Code<'_>) -> Fake {
    walks(1, before, planted)
}

/// [`walk`] with so many copies of the loop, one behind the other. All have one source line.
fn walks(copies: usize, before: Code<'_>, planted: Code<'_>) -> Fake {
    let one = |a: &mut CodeAssembler| {
        let mut again = a.create_label();
        a.mov(r8d, 1)?;
        a.set_label(&mut again)?;
        a.mov(r8d, dword_ptr(rdi + r8 * 4))?;
        a.mov(r9d, r8d)?;
        a.and(r9d, 63)?;
        a.movzx(ebx, byte_ptr(rsi + r9))?;
        a.mov(word_ptr(rdx + r11 * 2), r9w)?;
        a.cmp(bl, 1)?;
        a.adc(r11, 0)?;
        planted(a)?;
        a.and(bl, 0x1c)?;
        a.shrx(r8d, r8d, ebx)?;
        a.and(r8d, 0xfff)?;
        a.jne(again)
    };
    Fake::entry(|a| {
        before(a)?;
        a.push(rbx)?;
        a.sub(rsp, 16)?;
        a.mov(r11, qword_ptr(rdx + LENGTH_AT as i32))?;
        (0..copies).try_for_each(|_| one(a))?;
        a.mov(qword_ptr(rdx + LENGTH_AT as i32), r11)?;
        a.add(rsp, 16)?;
        a.pop(rbx)?;
        a.ret()
    })
    .function(HELPER, "helper", |a| a.ret())
    .lines(0, &[("variants/test/src/walk.rs", 7)])
}

fn clean() -> Fake {
    branchless(&|_| Ok(()))
}

/// The walk with a branch on a square in its loop.
fn branching() -> Fake {
    branchless(&|a| {
        let mut over = a.create_label();
        a.test(bl, bl)?;
        a.jne(over)?;
        a.inc(r10d)?;
        a.set_label(&mut over)?;
        a.nop()
    })
}

fn alone(report: &Report) -> Vec<Finding> {
    check(std::slice::from_ref(report), &[], &[])
}

fn found(fake: &Fake, control: Control) -> Vec<Check> {
    alone(&fake.report(control)).into_iter().map(|finding| finding.check).collect()
}

#[test]
fn a_clean_walk_passes() {
    assert_eq!(found(&clean(), Control::Branchless), []);
    let report = clean().report(Control::Branchless);
    assert_eq!((report.counts.jumps.loop_ends, report.counts.jumps.board), (1, 0));
    let one = &report.loops[0];
    assert_eq!((one.cell_loads, one.move_stores, one.shortest_iteration), (1, 1, 11));
    assert_eq!(one.lines[3].source.as_ref().expect("a source").line, 7);
}

#[test]
fn a_branch_on_a_square_is_found_in_a_branchless_design_only() {
    let branch = branching();
    assert_eq!(found(&branch, Control::Branchless), [Check::BoardJump]);
    assert_eq!(found(&branch, Control::Branchy), []);
    assert_eq!(found(&branch, Control::Mixed), []);
    let finding = &alone(&branch.report(Control::Branchless))[0];
    assert_eq!(finding.designs().collect::<Vec<_>>(), ["test/design"]);
    let text = finding.to_string();
    assert!(text.starts_with("test/design all: is called branchless"), "{text}");
    assert!(text.ends_with("(variants/test/src/walk.rs:7)."), "{text}");
}

#[test]
fn a_loop_that_ends_at_a_piece_is_found_in_a_branchless_design() {
    let ray = Fake::entry(|a| {
        let mut again = a.create_label();
        a.set_label(&mut again)?;
        a.add(r8, 8)?;
        a.cmp(byte_ptr(rsi + r8), 0)?;
        a.je(again)?;
        a.ret()
    });
    assert_eq!(found(&ray, Control::Branchless), [Check::BoardLoopEnd]);
    assert_eq!(found(&ray, Control::Branchy), []);
}

#[test]
fn a_branch_in_the_shared_rules_is_no_branch_of_the_design() {
    let branch = |a: &mut CodeAssembler| {
        let mut over = a.create_label();
        a.cmp(byte_ptr(rsi + 4), 0)?;
        a.jne(over)?;
        a.nop()?;
        a.set_label(&mut over)?;
        a.ret()
    };
    let rules = Fake::entry(branch)
        .lines(0, &[("variants/core/rules.rs", 3), ("variants/test/src/walk.rs", 9)]);
    assert_eq!(found(&rules, Control::Branchless), []);
    assert_eq!(rules.report(Control::Branchless).counts.jumps.rules, 1);
    assert_eq!(found(&rules, Control::Branchy), [Check::NoBoardJump]);
}

#[test]
fn a_branchy_design_without_a_branch_is_found() {
    assert_eq!(found(&clean(), Control::Branchy), [Check::NoBoardJump]);
    // A plug-in whose squares are not known may have its branches anywhere.
    let unknown = Report { cell_bytes: None, ..clean().report(Control::Branchy) };
    assert_eq!(alone(&unknown), []);
}

#[test]
fn a_mixed_design_without_a_branch_is_found() {
    assert_eq!(found(&clean(), Control::Mixed), [Check::NoBoardJump]);
    assert_eq!(found(&branching(), Control::Mixed), []);
    // On a board of sets, a loop that writes moves is the branchy part.
    assert_eq!(alone(&clean().report_on(Control::Mixed, 0)), []);
    let straight = Fake::entry(|a| {
        a.mov(word_ptr(rdx), ax)?;
        a.ret()
    });
    let alone = alone(&straight.report_on(Control::Mixed, 0));
    assert_eq!(alone.into_iter().map(|it| it.check).collect::<Vec<_>>(), [Check::NoBoardJump]);
}

/// Two sets are tested for a piece in the way; the moves behind the test are written in straight-line code.
#[test]
fn a_branch_on_a_set_in_straight_line_code_is_found_in_a_branchless_design() {
    let behind_a_test = |in_loop: bool| {
        Fake::entry(move |a| {
            let mut over = a.create_label();
            let mut again = a.create_label();
            a.mov(r8, qword_ptr(rsi))?;
            a.and(r8, qword_ptr(rsi + 8))?;
            a.je(over)?;
            a.set_label(&mut again)?;
            a.mov(word_ptr(rdx), ax)?;
            if in_loop {
                a.dec(r8)?;
                a.jne(again)?;
            }
            a.set_label(&mut over)?;
            a.ret()
        })
    };
    let of = |in_loop| {
        let report = behind_a_test(in_loop).report_on(Control::Branchless, 0);
        alone(&report).into_iter().map(|finding| finding.check).collect::<Vec<_>>()
    };
    assert_eq!(of(false), [Check::BoardJump]);
    assert_eq!(of(true), [], "a test whether a loop is entered at all");
    let found = alone(&behind_a_test(false).report_on(Control::Branchless, 0));
    assert!(found[0].to_string().contains("and the board decides a jump"), "{}", found[0]);
    // Such a test, as for castling, does not make a design of sets a mixed one.
    let found = alone(&behind_a_test(false).report_on(Control::Mixed, 0));
    assert_eq!(found.iter().map(|it| it.check).collect::<Vec<_>>(), [Check::NoBoardJump]);
}

#[test]
fn a_branch_beside_the_walk_does_not_hide_that_the_walk_has_none() {
    let beside = walk(
        &|a| {
            let mut over = a.create_label();
            a.cmp(byte_ptr(rsi + 4), 0)?;
            a.jne(over)?;
            a.nop()?;
            a.set_label(&mut over)?;
            a.nop()
        },
        &|_| Ok(()),
    );
    assert_eq!(beside.report(Control::Branchy).counts.jumps.board, 1);
    assert_eq!(found(&beside, Control::Branchy), [Check::NoBoardJump]);
}

/// What the loops of an entry execute.
fn executed(main: Option<usize>, of_loops: &[u64], stack_of_loops: &[u64]) -> Executed {
    Executed {
        instructions: 100,
        per_square: 9.0,
        per_move: 9.0,
        main,
        of_loops: of_loops.to_vec(),
        stack_of_loops: stack_of_loops.to_vec(),
        stack_per_square: 0.0,
    }
}

#[test]
fn a_branch_in_a_loop_that_executes_less_is_none_of_the_walk() {
    let two = walk(
        &|a| {
            let mut again = a.create_label();
            a.set_label(&mut again)?;
            a.add(r8, 8)?;
            a.cmp(byte_ptr(rsi + r8), 0)?;
            a.je(again)
        },
        &|_| Ok(()),
    );
    let mut report = two.report(Control::Branchy);
    assert_eq!(report.loops.len(), 2);
    assert_eq!(alone(&report), [], "nothing is known about what executes");
    report.executed = Some(executed(Some(1), &[5, 90], &[0, 0]));
    let findings = alone(&report);
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0].check, Check::NoBoardJump);
    report.executed = Some(executed(Some(0), &[5, 90], &[0, 0]));
    assert_eq!(alone(&report), []);
}

#[test]
fn a_panic_a_division_and_a_call_in_a_loop_are_found() {
    let panic = branchless(&|a| {
        let mut over = a.create_label();
        a.cmp(r9d, 64)?;
        a.jb(over)?;
        a.call(0x3_0000u64)?;
        a.set_label(&mut over)?;
        a.nop()
    })
    .function(0x3_0000, "_ZN4core9panicking18panic_bounds_check17h0123456789abcdefE", |a| a.ret());
    let findings = alone(&panic.report(Control::Branchless));
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert!(findings[0].what.contains("core::panicking::panic_bounds_check"));

    let division = branchless(&|a| {
        a.xor(eax, eax)?;
        a.div(ecx)
    });
    assert_eq!(found(&division, Control::Branchless), [Check::Division]);

    let direct: Code<'_> = &|a| a.call(HELPER);
    let through_slot: Code<'_> = &|a| call_slot(a, SLOT);
    for call in [direct, through_slot] {
        let calls = branchless(call).slot(SLOT, HELPER);
        let findings = alone(&calls.report(Control::Branchless));
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert_eq!(findings[0].what, "calls `helper` in a loop");
    }
}

#[test]
fn a_division_in_a_function_that_a_loop_calls_is_found() {
    let fake = branchless(&|a| a.call(HELPER)).function(HELPER, "helper", |a| {
        a.xor(edx, edx)?;
        a.div(ecx)?;
        a.ret()
    });
    assert!(found(&fake, Control::Mixed).contains(&Check::Division));
    let outside = Fake::entry(|a| {
        a.div(ecx)?;
        a.ret()
    });
    assert_eq!(found(&outside, Control::Branchless), [], "no loop");
}

#[test]
fn a_spilled_variable_and_a_store_of_the_length_are_found() {
    let spill = branchless(&|a| {
        a.mov(rax, qword_ptr(rsp + 8))?;
        a.mov(qword_ptr(rsp + 8), rax)
    });
    assert_eq!(found(&spill, Control::Branchless), [Check::Stack]);
    assert_eq!(spill.report(Control::Branchless).counts.stack_operands, 2);
    let length = branchless(&|a| a.mov(qword_ptr(rdx + LENGTH_AT as i32), r11));
    assert_eq!(found(&length, Control::Branchless), [Check::Length]);
    let beside = branchless(&|a| {
        let mut over = a.create_label();
        a.cmp(r9d, 56)?;
        a.jb(over)?;
        a.mov(qword_ptr(rsp + 8), rax)?;
        a.set_label(&mut over)?;
        a.nop()
    });
    assert_eq!(found(&beside, Control::Mixed), [Check::Stack], "beside the shortest iteration");
    let report = beside.report(Control::Mixed);
    let finding = alone(&report).remove(0);
    assert_eq!(finding.what, "has 1 stack operand in an innermost loop");
    assert_eq!(finding.address, Some(report.loops[0].spills[0]));
    let pawns = branchless(&|a| {
        a.mov(rax, qword_ptr(rsp + 8))?;
        a.mov(al, byte_ptr(rsi + r9 + 8))
    });
    assert_eq!(
        found(&pawns, Control::Branchless),
        [Check::Stack],
        "an iteration visits several squares"
    );
    let neither = Fake::entry(|a| {
        let mut again = a.create_label();
        a.set_label(&mut again)?;
        a.add(r8, qword_ptr(rsp - 8))?;
        a.dec(ecx)?;
        a.jne(again)?;
        a.ret()
    });
    assert_eq!(found(&neither, Control::Branchless), [Check::Stack], "neither a square nor a move");
    let array = branchless(&|a| a.mov(dword_ptr(rsp + r9 * 4), r8d));
    assert_eq!(found(&array, Control::Branchless), [], "an array of the source is no spill");
}

#[test]
fn an_address_that_is_lost_is_found() {
    let jump = Fake::entry(|a| a.jmp(qword_ptr(rdi)));
    assert_eq!(found(&jump, Control::Branchless), [Check::Lost]);
}

const STACK: Exception = Exception {
    check: Check::Stack,
    entries: &[("test/design", &[EntryStage::All])],
    sources: &["walk.rs"],
    at_most: Some(0.05),
    reason: "Sixteen sets are more than there are registers.",
};

#[test]
fn a_declared_exception_is_accepted_and_one_without_a_finding_is_a_finding() {
    let spill = branchless(&|a| a.mov(rax, qword_ptr(rsp + 8)));
    let of = |fake: &Fake, exception| -> Vec<Finding> {
        check(&[fake.report(Control::Branchless)], &[], &[exception])
    };
    assert_eq!(of(&spill, STACK), []);
    assert_eq!(of(&spill, Exception { sources: &["other.rs", "walk.rs:7"], ..STACK }), []);
    let elsewhere = of(&spill, Exception { sources: &["other.rs"], ..STACK });
    let found: Vec<_> = elsewhere.iter().map(|finding| finding.check).collect();
    assert_eq!(found, [Check::Stack, Check::Exception]);
    let outdated = of(&clean(), STACK);
    assert_eq!(outdated.len(), 1);
    let text = outdated[0].to_string();
    assert!(
        text.contains("test/design all: does not need") && text.contains("Sixteen sets"),
        "{text}"
    );
    let quiets = Exception { entries: &[("test/design", &[EntryStage::Quiets])], ..STACK };
    assert_eq!(of(&clean(), quiets), [], "not audited");
    assert_eq!(of(&spill, quiets).len(), 1, "of another stage");
}

#[test]
fn an_exception_accepts_stack_operands_only_as_long_as_few_instructions_have_them() {
    let mut report = branchless(&|a| a.mov(rax, qword_ptr(rsp + 8))).report(Control::Branchless);
    let mut with = |stack| {
        report.executed = Some(executed(Some(0), &[90], &[stack]));
        check(std::slice::from_ref(&report), &[], &[STACK])
    };
    assert_eq!(with(5), []);
    let found = with(6);
    assert_eq!(found.len(), 1, "the exception is still needed");
    let text = found[0].to_string();
    assert!(text.contains("in 6.00 % of the executed instructions"), "{text}");
}
