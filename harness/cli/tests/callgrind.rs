//! Compares three designs with callgrind: the same number of conditional and indirect branches in our traces, and the
//! same number of mispredictions by our copies of its predictors.
//!
//! The test runs its own program once more under callgrind. There, instrumentation is switched on right before
//! [`region`] and off right behind it, so that callgrind's predictors see the branches of `region` and no other.
//! The same function of the same program is traced in this process.

#![allow(unsafe_code, reason = "a Valgrind request, in assembly")]
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod folder;

use std::arch::asm;
use std::fs;
use std::path::Path;
use std::process::Command;

use folder::Folder;
use raywalk::registry;
use raywalk_core::Position;
use raywalk_measure::design::Design;
use raywalk_models::branch::{ConditionalModel, IndirectModel, Replay};
use raywalk_positions::Store;
use raywalk_results::schema::{Call, Stage};
use raywalk_trace::{BranchKind, Tracer, image_base};

/// A branchy, a branchless and a bitboard design.
const DESIGNS: [&str; 3] = ["bell/last-square", "dense-index/u32", "bitboard/hyperbola"];
const POSITIONS: usize = 500;

/// Names of the variables that tell the inner program what to run.
const DESIGN: &str = "RAYWALK_TEST_DESIGN";
const FENS: &str = "RAYWALK_TEST_FENS";

/// What callgrind counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    conditional: u64,
    conditional_missed: u64,
    indirect: u64,
    indirect_missed: u64,
}

struct Job {
    design: Box<dyn Design>,
    boards: usize,
    moves: u64,
}

impl Job {
    fn new(id: &str, positions: &[Position]) -> Job {
        let mut design = registry::named(id)
            .expect("a design of the list")
            .build()
            .expect("a design that needs no special feature");
        design.load(positions);
        Job { design, boards: positions.len(), moves: 0 }
    }
}

/// What is traced, and run under callgrind.
#[inline(never)]
extern "C" fn region(job: &mut Job) {
    job.moves = job.design.pass(Call::generate(Stage::All).into(), 0..job.boards);
}

/// Runs [`region`] with callgrind's instrumentation switched on before it and off behind it. Without callgrind, the
/// requests do nothing.
fn instrumented(job: &mut Job) {
    // The numbers of the requests, as in callgrind.h, and five arguments that they do not have.
    let request = |number: u64| [0x4354_0000 + number, 0, 0, 0, 0, 0];
    let (start, stop) = (request(4), request(5));
    // SAFETY: the rotations add up to 128 bits, so that they change no register but the flags. Under Valgrind the
    // exchange passes the request at rax and changes rdx. The call follows the C ABI, and its argument and the
    // requests are in registers that a callee preserves. There is no branch besides those of `region`.
    unsafe {
        asm!(
            "mov rax, r13",
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            "mov rdi, r12",
            "call {region}",
            "mov rax, r14",
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            region = sym region,
            in("r12") &raw mut *job,
            in("r13") &raw const start,
            in("r14") &raw const stop,
            clobber_abi("C"),
        );
    }
}

/// The part that runs under callgrind. It does nothing if no design is named.
#[test]
#[ignore = "the inner program of the other test"]
fn inner() {
    let (Ok(design), Ok(file)) = (std::env::var(DESIGN), std::env::var(FENS)) else { return };
    let fens = fs::read_to_string(file).expect("positions");
    let positions: Vec<Position> = fens.lines().map(|fen| fen.parse().expect(fen)).collect();
    let mut job = Job::new(&design, &positions);
    instrumented(&mut job);
    println!("moves {}", job.moves);
}

#[test]
#[ignore = "needs valgrind"]
fn branches_and_mispredictions_equal_those_of_callgrind() {
    let folder = Folder::new();
    let positions = Store::open_default().first("ab4", POSITIONS).expect("a workload");
    let fens: Vec<String> = positions.iter().map(ToString::to_string).collect();
    folder.write("fens", &fens.join("\n"));
    for design in DESIGNS {
        let (counted, moves) = traced(design, &positions);
        let (expected, expected_moves) = under_callgrind(design, &folder);
        println!("{design}: {counted:?}, {moves} moves");
        assert_eq!((counted, moves), (expected, expected_moves), "{design}");
        assert!(counted.conditional_missed > 1000, "{design}: the predictor has something to miss");
    }
}

/// The counts of a trace with our copies of callgrind's predictors, and the number of moves.
fn traced(design: &str, positions: &[Position]) -> (Counts, u64) {
    let mut job = Job::new(design, positions);
    let entry = region as extern "C" fn(&mut Job) as *const ();
    let mut tracer = Tracer::with_capacity(entry.addr(), 1 << 20).expect("a machine that steps");
    let trace = tracer.follow(|| region(&mut job)).expect("a trace");
    let mut replay = Replay::new(ConditionalModel::Callgrind, IndirectModel::LastTarget);
    let (mut counts, base) = (Counts::default(), image_base());
    for branch in trace.branches(tracer.code()) {
        let address = branch.address.wrapping_sub(base);
        match branch.kind {
            BranchKind::Conditional => {
                counts.conditional += 1;
                counts.conditional_missed += u64::from(replay.branch(address, branch.taken));
            }
            BranchKind::IndirectJump | BranchKind::IndirectCall => {
                counts.indirect += 1;
                counts.indirect_missed += u64::from(replay.jump(address, branch.next));
            }
            BranchKind::Jump | BranchKind::Call | BranchKind::Return => {}
        }
    }
    (counts, job.moves)
}

/// Runs [`inner`] under callgrind.
fn under_callgrind(design: &str, folder: &Folder) -> (Counts, u64) {
    let file = folder.path("callgrind.out");
    let program = std::env::current_exe().expect("the program of this test");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--branch-sim=yes", "--instr-atstart=no"])
        .arg(format!("--callgrind-out-file={}", file.display()))
        .arg(program)
        .args(["inner", "--exact", "--ignored", "--nocapture", "--test-threads=1"])
        .env(DESIGN, design)
        .env(FENS, folder.path("fens"))
        .output()
        .expect("valgrind starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let moves = text.lines().find_map(|line| line.split_once("moves ")?.1.parse().ok());
    (counts(&file), moves.expect("the number of moves"))
}

/// Reads the totals of callgrind's file.
fn counts(file: &Path) -> Counts {
    let text = fs::read_to_string(file).expect("the counts of callgrind");
    let words = |key: &str| -> Vec<String> {
        let line = text.lines().find_map(|line| line.strip_prefix(key)).expect("a line");
        line.split_whitespace().map(str::to_owned).collect()
    };
    let (events, totals) = (words("events:"), words("totals:"));
    let total = |event: &str| -> u64 {
        let place = events.iter().position(|name| name == event).expect("an event");
        // Callgrind leaves out zeros at the end of a line.
        totals.get(place).map_or(0, |total| total.parse().expect("a number"))
    };
    Counts {
        conditional: total("Bc"),
        conditional_missed: total("Bcm"),
        indirect: total("Bi"),
        indirect_missed: total("Bim"),
    }
}
