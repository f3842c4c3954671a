//! What a tracer restores, and which calls it refuses.

use std::backtrace::Backtrace;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use raywalk_trace::{TraceError, Tracer};

use crate::kernels::{flags, iterations, odd, table};
use crate::{alone, both, tracer, tracer_of};

#[test]
fn signal_action_code_and_protection_are_restored() {
    let _alone = alone();
    extern "C" fn ours(_: libc::c_int) {}
    // SAFETY: the action is valid, and the handler does nothing.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = ours as *const () as usize;
    action.sa_flags = libc::SA_RESTART;
    // SAFETY: as above.
    let mut before: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: both point to valid actions.
    assert_eq!(unsafe { libc::sigaction(libc::SIGTRAP, &raw const action, &raw mut before) }, 0);
    let code = || {
        // SAFETY: the function has these bytes and more.
        unsafe { std::slice::from_raw_parts(flags as *const u8, 100) }.to_vec()
    };
    let (bytes, maps) = (code(), protection(flags as *const () as usize));
    assert_eq!(maps, "r-xp");
    let mut tracer = tracer_of!(flags);
    let call = || {
        flags(1, 2);
    };
    both(&mut tracer, call);
    // A panic on the way out restores as well.
    for follow in [false, true] {
        let panics = || {
            flags(1, 2);
            panic!("the call fails");
        };
        let result = catch_unwind(AssertUnwindSafe(|| match follow {
            true => tracer.follow(panics).map(drop),
            false => tracer.step(panics).map(drop),
        }));
        assert!(result.is_err());
    }
    // SAFETY: as above.
    let mut after: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: both point to valid actions.
    assert_eq!(unsafe { libc::sigaction(libc::SIGTRAP, &raw const before, &raw mut after) }, 0);
    assert_eq!(after.sa_sigaction, action.sa_sigaction);
    assert_eq!(after.sa_flags & libc::SA_RESTART, libc::SA_RESTART);
    assert_eq!(code(), bytes);
    assert_eq!(protection(flags as *const () as usize), maps);
    both(&mut tracer, call);
}

#[test]
fn a_signal_that_is_sent_reaches_the_action_before_the_tracer_and_the_trace_goes_on() {
    let _alone = alone();
    static RECEIVED: AtomicUsize = AtomicUsize::new(0);
    extern "C" fn count(_: libc::c_int) {
        RECEIVED.fetch_add(1, Ordering::Relaxed);
    }
    extern "C" fn count_with(_: libc::c_int, _: *mut libc::siginfo_t, _: *mut libc::c_void) {
        RECEIVED.fetch_add(1, Ordering::Relaxed);
    }
    // SAFETY: they only ask for numbers.
    let (process, thread) = unsafe { (libc::getpid(), libc::syscall(libc::SYS_gettid)) };
    let handlers = [
        (count as *const () as usize, 0, 1),
        (count_with as *const () as usize, libc::SA_SIGINFO, 1),
        (libc::SIG_IGN, 0, 0),
    ];
    for (handler, flags, receives) in handlers {
        // SAFETY: the action is valid, and the handlers only count.
        let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
        (action.sa_sigaction, action.sa_flags) = (handler, flags);
        // SAFETY: as above.
        let mut before: libc::sigaction = unsafe { std::mem::zeroed() };
        // SAFETY: both point to valid actions.
        let set = unsafe { libc::sigaction(libc::SIGTRAP, &raw const action, &raw mut before) };
        assert_eq!(set, 0);
        for follow in [false, true] {
            let mut tracer = tracer_of!(iterations);
            let (mut sent, received) = (0, RECEIVED.load(Ordering::Relaxed));
            let mut call = || {
                iterations(5);
                // Not `raise`, which may block signals, and no step may be blocked.
                // SAFETY: the handlers only count.
                unsafe { libc::syscall(libc::SYS_tgkill, process, thread, libc::SIGTRAP) };
                sent += 1;
            };
            let trace = match follow {
                true => tracer.follow(&mut call),
                false => tracer.step(&mut call),
            };
            assert_eq!(trace.expect("a trace").path.len(), 11);
            assert_eq!(RECEIVED.load(Ordering::Relaxed) - received, sent * receives);
        }
        let none = std::ptr::null_mut();
        // SAFETY: it is the action that the system reported.
        let restored = unsafe { libc::sigaction(libc::SIGTRAP, &raw const before, none) };
        assert_eq!(restored, 0);
    }
}

/// Calls the tracer, and does something afterwards, so that its frame is not replaced by that of the tracer.
#[inline(never)]
fn outermost(tracer: &mut Tracer, call: &mut dyn FnMut()) -> usize {
    tracer.follow(call).expect("branches").path.len()
}

#[test]
fn a_backtrace_from_inside_a_traced_call_reaches_its_callers() {
    let _alone = alone();
    let mut text = String::new();
    let mut tracer = tracer_of!(iterations);
    let instructions = outermost(&mut tracer, &mut || {
        iterations(1);
        text = Backtrace::force_capture().to_string();
    });
    assert_eq!(instructions, 3);
    assert!(text.contains("outermost"), "{text}");
}

/// The protection of the page at an address, as the system writes it.
fn protection(address: usize) -> String {
    let maps = std::fs::read_to_string("/proc/self/maps").expect("the map of this process");
    let of_line = |line: &str| {
        let (range, rest) = line.split_once(' ')?;
        let (start, end) = range.split_once('-')?;
        let number = |text| usize::from_str_radix(text, 16).ok();
        let inside = (number(start)?..number(end)?).contains(&address);
        inside.then(|| rest.chars().take(4).collect())
    };
    maps.lines().find_map(of_line).expect("a mapped address")
}

#[test]
fn a_call_that_is_too_long_is_reported_and_the_tracer_goes_on() {
    let _alone = alone();
    let mut tracer =
        Tracer::with_capacity(iterations as *const () as usize, 100).expect("a tracer");
    // 99 instructions and the return fit; 100 branches fit.
    assert!(tracer.step(|| iterations(49)).is_ok());
    assert!(matches!(tracer.step(|| iterations(50)), Err(TraceError::TooLong(100))));
    assert!(tracer.follow(|| iterations(100)).is_ok());
    assert!(matches!(tracer.follow(|| iterations(101)), Err(TraceError::TooLong(100))));
    assert_eq!(both(&mut tracer, || iterations(7)).path.len(), 15);
}

#[test]
fn a_trace_inside_a_trace_is_refused_and_the_outer_one_is_complete() {
    let _alone = alone();
    let mut inner = tracer_of!(table);
    let mut outer = tracer_of!(iterations);
    for follow in [false, true] {
        let mut refused = 0;
        let mut call = || {
            // First, because stepping ends if it takes long to reach the entry.
            iterations(5);
            let nested = inner.step(|| {
                table(1);
            });
            refused += usize::from(matches!(nested, Err(TraceError::Nested)));
            let nested = inner.follow(|| {
                table(1);
            });
            refused += usize::from(matches!(nested, Err(TraceError::Nested)));
        };
        let trace = match follow {
            true => outer.follow(&mut call),
            false => outer.step(&mut call),
        };
        assert_eq!(trace.expect("a trace").path.len(), 11);
        assert_eq!(refused, 2);
    }
    assert_eq!(both(&mut inner, || assert_eq!(table(1), 20)).path.len(), 7);
}

#[test]
fn a_call_that_misses_the_entry_or_repeats_it_is_refused() {
    let _alone = alone();
    let mut tracer = tracer_of!(iterations);
    assert!(matches!(tracer.step(|| ()), Err(TraceError::Calls(0))));
    let twice = || {
        iterations(1);
        iterations(2);
    };
    assert!(matches!(tracer.step(twice), Err(TraceError::Calls(2))));
    assert!(matches!(tracer.follow(|| ()), Err(TraceError::Inconsistent(_))));
    assert!(matches!(tracer.follow(twice), Err(TraceError::Inconsistent(_))));
}

#[test]
fn what_breakpoints_do_not_support_is_refused_and_can_be_stepped() {
    let _alone = alone();
    let mut tracer = tracer_of!(odd);
    assert_eq!(tracer.step(|| odd(0)).expect("steps").path.len(), 3);
    assert_eq!(tracer.step(|| odd(1)).expect("steps").path.len(), 4);
    assert!(matches!(tracer.follow(|| odd(1)), Err(TraceError::Unsupported(_))));
}

#[test]
fn threads_trace_one_after_the_other() {
    let _alone = alone();
    std::thread::scope(|scope| {
        for n in 1..=4 {
            scope.spawn(move || {
                let mut tracer = tracer_of!(iterations);
                for _ in 0..20 {
                    let trace = both(&mut tracer, || iterations(n));
                    assert_eq!(trace.path.len() as u64, 2 * n + 1);
                }
            });
        }
    });
}
