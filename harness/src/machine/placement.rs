//! Where this process lies in memory, and whether it outlives the one that started it.

use std::hint::black_box;

use crate::measure::session::Placement;

/// The addresses of a function, a local variable and an allocation.
pub fn here() -> Placement {
    let local = 0u8;
    let allocation = Box::new(0u8);
    let hexadecimal = |address: usize| format!("{address:#x}");
    Placement {
        code: hexadecimal(here as fn() -> Placement as usize),
        stack: hexadecimal(std::ptr::from_ref(black_box(&local)) as usize),
        heap: hexadecimal(std::ptr::from_ref(black_box(&*allocation)) as usize),
    }
}

/// Has the kernel end this process when the one that started it ends, however that ends. Where there
/// is no such call, it ends at its next message.
pub fn end_with_the_parent() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Signal, set_parent_process_death_signal};
        // Refused, it is as where there is no such call.
        let _ = set_parent_process_death_signal(Some(Signal::KILL));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_places_are_three_addresses() {
        let Placement { code, stack, heap } = here();
        let all = [&code, &stack, &heap];
        assert!(all.iter().all(|address| address.starts_with("0x") && address.len() > 6));
        assert!(code != stack && stack != heap && heap != code);
    }
}
