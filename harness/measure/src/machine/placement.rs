//! Where the process lies in memory, and the end of its parent process.

use std::hint::black_box;

/// Sample addresses of this process, in hexadecimal. They show how processes differ in placement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// Address of a function.
    pub code: String,
    /// Address of a local variable.
    pub stack: String,
    /// Address of an allocation.
    pub heap: String,
}

/// The addresses of the calling process.
pub fn here() -> Placement {
    let local = 0u8;
    let allocation = Box::new(0u8);
    let hexadecimal = |address: usize| format!("{address:#x}");
    Placement {
        // The black boxes force both variables into memory, so that they have addresses.
        code: hexadecimal(here as fn() -> Placement as usize),
        stack: hexadecimal(std::ptr::from_ref(black_box(&local)) as usize),
        heap: hexadecimal(std::ptr::from_ref(black_box(&*allocation)) as usize),
    }
}

/// Makes the kernel end this process when its parent ends for any reason. On systems without such a
/// call, the process ends when it fails to send its next message.
pub fn end_with_the_parent() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Signal, set_parent_process_death_signal};
        // If refused, the process ends at its next message.
        let _ = set_parent_process_death_signal(Some(Signal::KILL));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_stack_and_heap_have_different_addresses() {
        let Placement { code, stack, heap } = here();
        let all = [&code, &stack, &heap];
        assert!(all.iter().all(|address| address.starts_with("0x") && address.len() > 6));
        assert!(code != stack && stack != heap && heap != code);
    }
}
