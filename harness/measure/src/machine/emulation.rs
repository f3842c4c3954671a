//! Detects that a user-mode emulator, such as `qemu-aarch64`, runs this program.
//!
//! An emulator translates the code, so a time does not apply to the processor that the program was built for. It also
//! imitates the kernel: `uname` and `/proc/self/exe` show what they would on a real machine, and so does
//! `/proc/cpuinfo` in newer versions. The kernel itself executes the file of the emulator, which is built for another
//! architecture. `/proc/thread-self` leads to that file, because emulators replace only what lies below `/proc/self`
//! and below the number of the process.
//!
//! Not detected: an emulator of the same architecture, and one on another system than Linux.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The reason why nothing is timed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{emulator} translates this program for a processor of another architecture, so its times would say nothing \
     about any processor; measure on a real or virtual machine of the program's own architecture"
)]
pub struct Emulated {
    /// File name of the emulator.
    emulator: String,
}

/// Fails if an emulator runs this program.
///
/// # Errors
/// The emulator.
pub fn check() -> Result<(), Emulated> {
    match OWN {
        Some(own) => check_file(Path::new("/proc/thread-self/exe"), own),
        None => Ok(()),
    }
}

/// The architecture of this program in the header of its file; `None` if it is none of those that are timed.
///
/// # Source
/// System V ABI, *ELF header*, `e_machine`.
const OWN: Option<u16> = match () {
    () if cfg!(target_arch = "x86_64") => Some(62),
    () if cfg!(target_arch = "aarch64") => Some(183),
    () => None,
};

/// Fails if the file that the kernel executes has another architecture than `own`. A file that cannot be
/// read, or is no ELF file, shows nothing.
fn check_file(executed: &Path, own: u16) -> Result<(), Emulated> {
    match architecture(executed) {
        Some(found) if found != own => {
            // The name is for the message only.
            let target = executed.read_link().unwrap_or_else(|_| executed.to_owned());
            let name = target.file_name().unwrap_or_default().to_string_lossy();
            Err(Emulated { emulator: name.into_owned() })
        }
        _ => Ok(()),
    }
}

/// The field `e_machine` of an ELF file.
fn architecture(file: &Path) -> Option<u16> {
    let mut head = [0; 20];
    File::open(file).ok()?.read_exact(&mut head).ok()?;
    // `e_machine` has the offset 18. Byte 5 names its byte order.
    let machine = [head[18], head[19]];
    match (&head[..4], head[5]) {
        (b"\x7fELF", 1) => Some(u16::from_le_bytes(machine)),
        (b"\x7fELF", 2) => Some(u16::from_be_bytes(machine)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The beginning of an ELF file.
    fn elf(order: u8, machine: [u8; 2]) -> Vec<u8> {
        let ident = [0x7f, b'E', b'L', b'F', 2, order, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0];
        [&ident[..], &machine].concat()
    }

    #[test]
    fn a_process_that_executes_a_file_of_another_architecture_is_emulated() {
        let folder = tempfile::tempdir().expect("a folder");
        let emulator = folder.path().join("qemu-aarch64");
        let check = |contents: Vec<u8>, own| {
            std::fs::write(&emulator, contents).expect("a file");
            check_file(&emulator, own)
        };
        let [x86_64, aarch64] = [62, 183];
        let error = check(elf(1, [62, 0]), aarch64).expect_err("x86-64 executes aarch64");
        assert!(error.to_string().starts_with("qemu-aarch64 translates"), "{error}");
        assert!(check(elf(1, [183, 0]), x86_64).is_err());
        assert!(check(elf(2, [0, 22]), x86_64).is_err(), "s390x is big-endian");
        assert_eq!(check(elf(1, [62, 0]), x86_64), Ok(()));
        assert_eq!(check(elf(1, [183, 0]), aarch64), Ok(()));
        for nothing in
            [Vec::new(), b"#!/bin/sh\nexec something\n".to_vec(), elf(1, [0, 0])[..19].to_vec()]
        {
            assert_eq!(check(nothing, x86_64), Ok(()));
        }
        assert_eq!(check_file(&folder.path().join("missing"), x86_64), Ok(()));
    }

    #[test]
    #[cfg(unix)]
    fn the_emulator_is_named_by_the_target_of_the_link() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("box64"), elf(1, [183, 0])).expect("a file");
        let link = folder.path().join("exe");
        std::os::unix::fs::symlink("box64", &link).expect("a link");
        // The system resolves a relative target from the folder of the link.
        let error = check_file(&link, 62).expect_err("aarch64 executes x86-64");
        assert_eq!(error.emulator, "box64");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_file_that_executes_this_test_has_its_architecture() {
        assert_eq!(architecture(Path::new("/proc/self/exe")), OWN);
    }
}
