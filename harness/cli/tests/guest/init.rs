//! The init process of the guest: runs `/counters` in each situation in which the kernel reports a
//! different error, then powers the machine off.
//!
//! Compiled as a single file. It needs only the standard library and the C library linked with it.

use std::ffi::{CStr, c_char, c_int, c_ulong, c_void};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

unsafe extern "C" {
    fn mount(
        source: *const c_char,
        target: *const c_char,
        kind: *const c_char,
        flags: c_ulong,
        data: *const c_void,
    ) -> c_int;
    fn prctl(option: c_int, ...) -> c_int;
    fn reboot(command: c_int) -> c_int;
}

const EPERM: u32 = 1;
const ENOSYS: u32 = 38;
/// The setting does not restrict root, so the program runs as another user.
const NOBODY: u32 = 65534;

fn main() {
    let cases = [
        ("paranoid 2", "2", None),
        ("paranoid 3", "3", None),
        ("seccomp EPERM", "2", Some(EPERM)),
        ("seccomp ENOSYS", "2", Some(ENOSYS)),
    ];
    for (source, target) in [(c"proc", c"/proc"), (c"sysfs", c"/sys")] {
        mounted(source, target);
    }
    for (name, level, refusal) in cases {
        println!("== {name}");
        if let Err(error) = case(level, refusal) {
            println!("the case failed: {error}");
        }
    }
    println!("== end");
    const POWER_OFF: c_int = 0x4321_fedc;
    // SAFETY: the emulated machine runs only this program and keeps no files.
    unsafe { reboot(POWER_OFF) };
}

fn mounted(source: &CStr, target: &CStr) {
    // SAFETY: the three strings are null-terminated, and these file systems take no data.
    let failed = unsafe {
        mount(source.as_ptr(), target.as_ptr(), source.as_ptr(), 0, std::ptr::null()) != 0
    };
    if failed {
        println!("{target:?} cannot be mounted: {}", io::Error::last_os_error());
    }
}

fn case(level: &str, refusal: Option<u32>) -> io::Result<()> {
    std::fs::write("/proc/sys/kernel/perf_event_paranoid", level)?;
    let mut command = Command::new("/counters");
    command.uid(NOBODY).gid(NOBODY);
    if let Some(error) = refusal {
        // SAFETY: between fork and exec the closure makes system calls only.
        unsafe { command.pre_exec(move || refuse_counters(error)) };
    }
    let status = command.status()?;
    println!("{status}");
    Ok(())
}

/// Installs a filter that makes `perf_event_open` fail with `error`, as in a container.
fn refuse_counters(error: u32) -> io::Result<()> {
    const NO_NEW_PRIVILEGES: c_int = 38;
    const SET_SECCOMP: c_int = 22;
    const FILTER: c_ulong = 2;
    /// `perf_event_open` on aarch64.
    const CALL: u32 = 241;
    let program = [
        Instruction { code: 0x20, yes: 0, no: 0, value: 0 }, // load the number of the call
        Instruction { code: 0x15, yes: 0, no: 1, value: CALL }, // compare; if different, skip one
        Instruction { code: 0x06, yes: 0, no: 0, value: 0x0005_0000 | error }, // return an error
        Instruction { code: 0x06, yes: 0, no: 0, value: 0x7fff_0000 }, // allow
    ];
    let filter = Filter { length: program.len() as u16, program: program.as_ptr() };
    let (one, none): (c_ulong, c_ulong) = (1, 0);
    // SAFETY: the kernel copies filter and program within the call; both outlive it.
    let done = unsafe {
        prctl(NO_NEW_PRIVILEGES, one, none, none, none) == 0
            && prctl(SET_SECCOMP, FILTER, &raw const filter) == 0
    };
    if done { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// `struct sock_filter` of the kernel.
#[repr(C)]
struct Instruction {
    code: u16,
    yes: u8,
    no: u8,
    value: u32,
}

/// `struct sock_fprog` of the kernel.
#[repr(C)]
struct Filter {
    length: u16,
    program: *const Instruction,
}
