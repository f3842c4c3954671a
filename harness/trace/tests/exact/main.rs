//! Traces of small functions in assembly, whose counts follow from their text.

#![allow(unsafe_code, reason = "functions in assembly, and signals")]
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod kernels;
mod limits;

use std::sync::{Mutex, MutexGuard, PoisonError};

use raywalk_trace::{
    Access, BranchKind, Counts, Lines, Loaded, Site, Sites, Trace, Tracer, check, image_base,
    program_file,
};

use kernels::{calls, compress, copy, factorial, flags, identity, iterations, repeated, table};

/// One test at a time, because they look at the action for a signal and at code, which belong to the
/// process.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn tracer(entry: usize) -> Tracer {
    Tracer::new(entry).expect("a machine that steps")
}

macro_rules! tracer_of {
    ($function:expr) => {
        tracer($function as *const () as usize)
    };
}
pub(crate) use tracer_of;

/// Traces a call in both ways, which must agree, and returns the trace by stepping.
fn both(tracer: &mut Tracer, mut call: impl FnMut()) -> Trace {
    let stepped = tracer.step(&mut call).expect("steps");
    let followed = tracer.follow(&mut call).expect("branches");
    assert_eq!(stepped.path, followed.path);
    assert_eq!(followed.accesses, None);
    let again = tracer.step(&mut call).expect("steps");
    assert_eq!(stepped.path, again.path);
    stepped
}

fn sites(tracer: &Tracer, trace: &Trace) -> Vec<Site> {
    let mut sites = Sites::default();
    sites.add(tracer.code(), trace);
    sites.0.into_values().collect()
}

#[test]
fn a_loop_of_n_iterations_has_2n_instructions_n_branches_and_n_minus_1_taken_ones() {
    let _alone = alone();
    let mut tracer = tracer_of!(iterations);
    for n in [1, 2, 3, 100, 4321] {
        let trace = both(&mut tracer, || iterations(n));
        let counts = Counts::of(tracer.code(), &trace);
        let expected = Counts {
            calls: 1,
            instructions: 2 * n + 1, // with the return
            conditional: n,
            taken: n - 1,
            loads: 1, // of the return
            code_bytes: 3 + 2 + 1,
            data_lines: 1,
            code_lines: counts.code_lines,
            ..Counts::default()
        };
        assert_eq!(counts, expected);
        assert!((1..=2).contains(&counts.code_lines), "six bytes");
        let sites = sites(&tracer, &trace);
        assert_eq!((sites.len(), sites[0].executed(), sites[0].taken), (1, n, n - 1));
    }
}

#[test]
fn the_addresses_of_loads_and_stores_are_exact() {
    let _alone = alone();
    #[repr(align(64))]
    struct Words([u64; 32]);
    let (from, mut to) = (Words(std::array::from_fn(|n| n as u64)), Words([0; 32]));
    let (source, target) = (from.0.as_ptr(), to.0.as_mut_ptr());
    let mut tracer = tracer_of!(copy);
    // From the end to the start: 20 words are two and a half lines.
    let trace = both(&mut tracer, || copy(target, source, 20));
    let counts = Counts::of(tracer.code(), &trace);
    assert_eq!((counts.loads, counts.stores), (21, 20));
    assert_eq!(counts.data_lines, 3 + 3 + 1, "source, target, stack");
    let accesses = trace.accesses.expect("steps record them");
    let expected = (0..20_u64).rev().flat_map(|word| {
        let access =
            |start: u64, store| Access { address: Some(start + 8 * word), bytes: 8, store };
        [access(source as u64, false), access(target as u64, true)]
    });
    assert!(expected.eq(accesses[..40].iter().copied()));
    assert_eq!(to.0[..20], from.0[..20]);
}

#[test]
fn every_condition_is_executed_as_the_processor_does() {
    let _alone = alone();
    let mut tracer = tracer_of!(flags);
    let values = [0, 1, -1, 2, 3, i64::MAX, i64::MIN, i64::MIN + 1, 255, 256];
    for a in values {
        for b in values {
            let expected = flags(a, b);
            let mut found = Vec::new();
            let trace = both(&mut tracer, || found.push(flags(a, b)));
            assert!(found.iter().all(|&found| found == expected), "{a} {b}: {found:?}");
            // By definition of the result, which counts those not taken.
            let counts = Counts::of(tracer.code(), &trace);
            assert_eq!((counts.conditional, counts.taken), (16, u64::from(16 - expected)));
        }
    }
}

#[test]
fn jump_tables_are_followed_case_by_case() {
    let _alone = alone();
    let mut tracer = tracer_of!(table);
    let mut all = Sites::default();
    for (n, instructions) in [(2, 8), (0, 6), (1, 7), (2, 8), (0, 6)] {
        let mut found = 0;
        let trace = both(&mut tracer, || found = table(n));
        assert_eq!(found, 10 * (n as u32 + 1));
        let counts = Counts::of(tracer.code(), &trace);
        assert_eq!((counts.instructions, counts.indirect_jumps), (instructions, 1));
        all.add(tracer.code(), &trace);
    }
    let sites: Vec<Site> = all.0.into_values().collect();
    assert_eq!((sites.len(), sites[0].kind), (1, BranchKind::IndirectJump));
    assert_eq!(sites[0].next.values().sum::<u64>(), 5);
    // Shares of 2, 1 and 2 fifths.
    assert!((sites[0].entropy() - 1.521_928).abs() < 1e-6);
}

#[test]
fn calls_through_registers_through_memory_and_direct_ones_are_followed() {
    let _alone = alone();
    let mut tracer = tracer_of!(calls);
    let trace = both(&mut tracer, || calls(identity));
    let counts = Counts::of(tracer.code(), &trace);
    // Eleven of its own, three times two, and 2 · 3 + 1 of the loop.
    assert_eq!((counts.instructions, counts.inner_calls), (11 + 6 + 7, 4));
    // Pushes and calls; pops, returns (5) and the address of the third call.
    assert_eq!((counts.stores, counts.loads), (2 + 4, 2 + 5 + 1));
    let kinds: Vec<BranchKind> = trace.branches(tracer.code()).map(|branch| branch.kind).collect();
    use BranchKind::{Call, Conditional, IndirectCall, Return};
    let expected =
        [&[IndirectCall, Return].repeat(3)[..], &[Call], &[Conditional; 3], &[Return; 2]].concat();
    assert_eq!(kinds, expected);
}

#[test]
fn a_recursive_entry_ends_with_its_outermost_return() {
    let _alone = alone();
    let mut tracer = tracer_of!(factorial);
    let trace = both(&mut tracer, || assert_eq!(factorial(6), 720));
    let counts = Counts::of(tracer.code(), &trace);
    // Six levels of nine instructions; the last one tests, branches and returns.
    assert_eq!((counts.instructions, counts.inner_calls), (6 * 9 + 4, 6));
    assert_eq!((counts.conditional, counts.taken), (7, 1));
}

#[test]
fn a_repeated_string_instruction_counts_once_in_both_ways_and_has_all_its_accesses() {
    let _alone = alone();
    let (from, mut to) = ([7_u8; 100], [0_u8; 100]);
    let (source, target) = (from.as_ptr(), to.as_mut_ptr());
    let mut tracer = tracer_of!(repeated);
    let trace = both(&mut tracer, || repeated(target, source, 100));
    assert_eq!(to, from);
    let followed = tracer.follow(|| repeated(target, source, 100)).expect("branches");
    for one in [&trace, &followed] {
        let counts = Counts::of(tracer.code(), one);
        // It reads and writes, and the return reads.
        assert_eq!((counts.instructions, counts.loads, counts.stores), (3, 2, 1));
    }
    let accesses = trace.accesses.expect("steps record them");
    let count = |store| accesses.iter().filter(|access| access.store == store).count();
    assert_eq!((count(false), count(true)), (101, 100));
}

#[test]
fn vector_code_beyond_avx2_is_traced() {
    let _alone = alone();
    if !std::arch::is_x86_feature_detected!("avx512vbmi2") {
        println!("skipped: this processor has no AVX-512 VBMI2");
        return;
    }
    #[repr(align(64))]
    struct Lines([u8; 128]);
    let mut lines = Lines(std::array::from_fn(|n| n as u8));
    let start = lines.0.as_mut_ptr();
    let mut tracer = tracer_of!(compress);
    let trace = both(&mut tracer, || compress(start));
    assert_eq!(lines.0[..64], lines.0[64..]);
    let counts = Counts::of(tracer.code(), &trace);
    assert_eq!((counts.instructions, counts.vector, counts.data_lines), (4, 2, 3));
    let accesses = trace.accesses.expect("steps record them");
    let access = |offset, store| Access { address: Some(start as u64 + offset), bytes: 64, store };
    assert_eq!(accesses[..2], [access(0, false), access(64, true)]);
}

#[test]
fn the_program_begins_at_its_base() {
    assert!(check().is_ok());
    let base = image_base();
    assert_eq!(base % 4096, 0);
    assert!((iterations as *const () as u64) > base);
    // SAFETY: the first bytes of a program are those of its file.
    let magic = unsafe { std::slice::from_raw_parts(base as *const u8, 4) };
    assert_eq!(magic, b"\x7fELF");
}

#[test]
fn an_address_of_a_library_is_relative_to_that_library() {
    let loaded = Loaded::now();
    let own = iterations as *const () as u64;
    assert_eq!((loaded.relative(own), loaded.is_program(own)), (own - image_base(), true));
    let theirs = libc::getpid as *const () as u64;
    // SAFETY: zeros are a valid description, and the system fills it.
    let mut library: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: it is valid.
    let found = unsafe { libc::dladdr(theirs as *const libc::c_void, &raw mut library) };
    assert_ne!(found, 0, "no library holds a function of the C library");
    assert_eq!(loaded.relative(theirs), theirs - library.dli_fbase as u64);
    assert!(!loaded.is_program(theirs));
    assert_eq!(loaded.relative(image_base() - 1), u64::MAX, "no file is there");
}

/// A function whose line is known.
#[inline(never)]
fn somewhere() -> u32 {
    line!()
}

#[test]
fn the_line_of_an_address_is_that_of_the_source() {
    let program = program_file().expect("the file of this program");
    let lines = Lines::new(&program).expect("debug information");
    let at = lines.at(somewhere as *const () as u64 - image_base());
    let first = at.first().expect("a line");
    assert!(first.file.ends_with("harness/trace/tests/exact/main.rs"), "{at:?}");
    assert!(somewhere().abs_diff(first.line) <= 1, "{at:?}");
    assert_eq!(lines.at(u64::MAX / 2), []);
    assert!(Lines::new(b"no program").is_err());
}
