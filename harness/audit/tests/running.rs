//! Audits functions of this test program itself: through the file, its symbols and its relocations.

#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::arch::global_asm;

use raywalk_audit::{Audit, Check, EntryStage, Image, Program, Report, Sources, Subject, check};
use raywalk_results::schema::Control;

const SOURCES: Sources = Sources { root: Some("audit/tests/"), rare: &[], accessors: &[] };

// Walks along a ray until a cell is occupied, and calls through the global offset table at each step. A
// kind below 2 chooses the first step through a jump table in the constants.
global_asm!(
    ".pushsection .text.audit_planted, \"ax\", @progbits",
    ".globl audit_planted",
    ".type audit_planted, @function",
    "audit_planted:",
    "push rbx",
    "lea rax, [rip + 5f]",
    "movzx ecx, byte ptr [rsi + 100]",
    "movsxd rcx, dword ptr [rax + 4*rcx]",
    "add rcx, rax",
    "jmp rcx",
    "2: mov ebx, 8",
    "jmp 4f",
    "3: mov ebx, 16",
    "4: call qword ptr [rip + audit_helper@GOTPCREL]",
    "add rbx, 8",
    "cmp byte ptr [rsi + rbx], 0",
    "je 4b",
    "pop rbx",
    "ret",
    ".size audit_planted, . - audit_planted",
    ".globl audit_helper",
    ".type audit_helper, @function",
    "audit_helper:",
    "ret",
    ".size audit_helper, . - audit_helper",
    ".popsection",
    ".pushsection .rodata.audit_planted, \"a\", @progbits",
    ".balign 4",
    "5: .long 2b - 5b",
    ".long 3b - 5b",
    ".popsection",
);

unsafe extern "C" {
    fn audit_planted();
}

/// The same arguments as an entry: tables, board, list.
#[inline(never)]
fn walk(tables: &[u8; 64], board: &[u8; 64], list: &mut [u16; 64]) {
    let mut place = usize::from(tables[0] & 63);
    let mut count = 0_usize;
    // The next place is a place of the table that the cell selects, and 0 ends the list.
    while place != 0 {
        list[count & 63] = place as u16;
        // Wrapping, because the program of a test checks for overflow.
        count = count.wrapping_add(usize::from(board[place] & 1));
        place = usize::from(tables[(place + usize::from(board[place])) & 63] & 63);
    }
}

fn report(address: usize, control: Control) -> Report {
    let image = Image::running().expect("this program");
    let program = Program::parse(&image).expect("its file");
    let audit = Audit::new(&program, SOURCES).expect("its lines");
    let subject = Subject {
        design: "test".to_owned(),
        stage: EntryStage::All,
        address,
        control,
        cell_bytes: 64,
        length_at: Some(128),
        quiets: true,
    };
    audit.examine(&subject).expect("an entry")
}

#[test]
fn the_entry_is_found_in_the_file_and_followed_through_table_and_offset_table() {
    let report = report((audit_planted as *const ()).addr(), Control::Branchy);
    assert_eq!(report.counts.instructions, 16, "both rows of the table");
    assert_eq!((report.counts.indirect_jumps, report.counts.calls), (1, 1));
    assert_eq!(report.called.len(), 1);
    assert_eq!(report.called[0].name, "audit_helper");
    let jumps = report.counts.jumps;
    assert_eq!((jumps.board, jumps.board_loop_ends, jumps.all()), (1, 1, 1));
    let findings = check(&[report], &[], &[]);
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(
        (findings[0].check, &*findings[0].what),
        (Check::Call, "calls `audit_helper` in a loop")
    );
}

#[test]
fn a_clean_function_of_rust_passes_and_has_source_lines() {
    let mut tables = [0; 64];
    tables[..2].copy_from_slice(&[1, 2]);
    let mut list = [0; 64];
    walk(&tables, &[0; 64], &mut list);
    assert_eq!(list[0], 2, "the last place overwrites the first, because no cell counts");
    let report = report((walk as *const ()).addr(), Control::Branchless);
    let findings = check(std::slice::from_ref(&report), &[], &[]);
    assert_eq!(findings, []);
    assert_eq!((report.counts.jumps.board, report.loops.len()), (0, 1), "{report:#?}");
    let source = report.loops[0].source.as_ref().expect("a source");
    assert_eq!(source.file, "audit/tests/running.rs");
    assert!(report.loops[0].cell_loads > 0 && report.loops[0].move_stores > 0, "{report:#?}");
}
