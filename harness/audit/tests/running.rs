//! Audits functions of this test program itself: through the file, its symbols and its relocations.

#![allow(unsafe_code, reason = "functions in assembly")]
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::arch::global_asm;

use raywalk_audit::{
    Audit, Check, EntryStage, Image, Pair, Program, Report, Sources, Subject, check,
};
use raywalk_results::schema::Control;

const SOURCES: Sources =
    Sources { root: Some("audit/tests/"), rare: &[], accessors: &[], rest: &[] };

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

/// Follows a list: the next place is a place of the table that the cell selects, and 0 ends the list. A macro, so that
/// all expansions have the lines of this one place, as copies have that the compiler makes.
macro_rules! follow {
    ($tables:ident, $board:ident, $list:ident, $count:ident, $first:expr) => {
        let mut place = usize::from($tables[$first] & 63);
        while place != 0 {
            $list[$count & 63] = place as u16;
            // Wrapping, because the program of a test checks for overflow.
            $count = $count.wrapping_add(usize::from($board[place] & 1));
            place = usize::from($tables[(place + usize::from($board[place])) & 63] & 63);
        }
    };
}

/// A walk with the arguments of an entry: tables, board, list. Returns the number of moves.
#[inline(never)]
fn walk(tables: &[u8; 64], board: &[u8; 64], list: &mut [u16; 64]) -> usize {
    let mut count = 0_usize;
    follow!(tables, board, list, count, 0);
    count
}

/// Three lists, each in a copy of the loop.
#[inline(never)]
fn three_walks(tables: &[u8; 64], board: &[u8; 64], list: &mut [u16; 64]) -> usize {
    let mut count = 0_usize;
    follow!(tables, board, list, count, 0);
    follow!(tables, board, list, count, 1);
    follow!(tables, board, list, count, 2);
    count
}

/// Leaps by steps: writes a move for each target and counts it if the cell is empty. The compiler does not know the
/// number of steps.
#[inline(never)]
fn leaps(tables: &[u8; 64], board: &[u8; 64], list: &mut [u16; 64]) -> usize {
    let mut count = 0_usize;
    for &step in &tables[..usize::from(tables[63] & 63)] {
        let target = usize::from(step & 63);
        list[count & 63] = target as u16;
        count = count.wrapping_add(usize::from(board[target] & 1));
    }
    count
}

/// The same for eight steps, which the compiler writes one behind the other.
#[inline(never)]
fn eight_leaps(tables: &[u8; 64], board: &[u8; 64], list: &mut [u16; 64]) -> usize {
    let mut count = 0_usize;
    macro_rules! leap {
        ($($step:literal)+) => {$(
            let target = usize::from(tables[$step] & 63);
            list[count & 63] = target as u16;
            count = count.wrapping_add(usize::from(board[target] & 1));
        )+};
    }
    leap!(0 1 2 3 4 5 6 7);
    count
}

/// [`walk`], and a mark for every move, which the compiler sets by vectors.
#[inline(never)]
fn walk_with_marks(tables: &[u8; 64], board: &[u8; 64], list: &mut [u16; 64]) -> usize {
    let mut count = 0_usize;
    follow!(tables, board, list, count, 0);
    for mv in list {
        *mv = mv.wrapping_add(1 << 12);
    }
    count
}

/// A function of this program with the arguments of an entry.
type Planted = fn(&[u8; 64], &[u8; 64], &mut [u16; 64]) -> usize;

/// What the audit finds in the code of two functions that are declared to differ in one parameter.
fn compared(functions: [Planted; 2]) -> Vec<(Check, String)> {
    let pair = Pair {
        claims: Vec::new(),
        designs: ["test/one", "test/two"].map(str::to_owned),
        differ: "a number in a table".to_owned(),
        also: Vec::new(),
        why: None,
        branch: false,
    };
    let of = |(design, function): (&String, Planted)| {
        let mut report = report((function as *const ()).addr(), Control::Branchless);
        report.design.clone_from(design);
        report
    };
    let reports: Vec<Report> = pair.designs.iter().zip(functions).map(of).collect();
    let findings = check(&reports, &[pair], &[]);
    findings.into_iter().map(|finding| (finding.check, finding.what)).collect()
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
        cell_bytes: Some(64),
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

#[test]
fn a_walk_that_is_there_three_times_is_found_in_compiled_code() {
    assert_eq!(compared([walk, walk]), []);
    let what =
        "has 1 copy of one loop in the walk, and test/two has 3 copies of one loop in the walk";
    assert_eq!(compared([walk, three_walks]), [(Check::Copies, what.to_owned())]);
    let what =
        "has 3 copies of one loop in the walk, and test/two has 1 copy of one loop in the walk";
    assert_eq!(compared([three_walks, walk]), [(Check::Copies, what.to_owned())]);
}

/// What the audit says of one check, which may not be the only one that fails.
fn said(functions: [Planted; 2], wanted: Check) -> String {
    let findings = compared(functions);
    let found = findings.iter().find(|(check, _)| *check == wanted);
    found.unwrap_or_else(|| panic!("{findings:?}")).1.clone()
}

#[test]
fn an_unrolled_loop_is_found_in_compiled_code() {
    assert_eq!(compared([leaps, leaps]), []);
    let what = said([leaps, eight_leaps], Check::Unrolling);
    assert_eq!(
        what,
        "has 1 copy of one line in the walk, and test/two has 8 copies of one line in the walk"
    );
}

#[test]
fn vector_arithmetic_is_found_in_compiled_code() {
    let what = said([walk, walk_with_marks], Check::Vectorisation);
    assert_eq!(what, "is not vectorised in the walk, and test/two is vectorised in the walk");
}
