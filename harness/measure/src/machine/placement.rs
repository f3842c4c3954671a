//! Placement of the process in memory, paddings that change it, the depth of its stack, and the end of its parent
//! process.

use std::hint::black_box;

#[cfg(unix)]
use raywalk_core::random::SplitMix;

/// Sample addresses of this process, in hexadecimal. They show how processes differ in placement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// Address of a function of the program.
    pub code: String,
    /// Address of a local variable.
    pub stack: String,
    /// Address of an allocation as large as the boards of a batch.
    pub heap: String,
}

/// An allocation that small free blocks cannot hold, so that it moves what is allocated after it.
const SHIFT: usize = 64 << 10;
/// The size of the boards of a batch.
const BOARDS: usize = 1 << 20;

/// Moves everything that is allocated later by so many bytes. Later allocations of any size have to come
/// from one heap for that: see [`ONE_HEAP`].
pub fn move_the_heap(bytes: u64) {
    let block: Vec<u8> = Vec::with_capacity(SHIFT + usize::try_from(bytes).unwrap_or_default());
    // Kept to the end of the process.
    std::mem::forget(black_box(block));
}

/// 32 MiB of pages of 4 KiB, several times what the tables of a session take.
#[cfg(unix)]
const PAGES: usize = 8_192;

/// Makes the system give this process pages of physical memory that it draws from a seed.
///
/// A process gets the pages that the last one returned: of 1,024 pages, 1,006 were the same ones. The places of
/// tables in caches with physical indices would therefore be equal in all processes of a session, which
/// would be one sample instead of twelve. In twenty sessions the ratios of designs with tables of 800 KiB moved
/// together by up to 5 % from one session to the next. Here many pages are mapped, and half of them are
/// returned in random order. The other half is kept to the end of the process, so that returned
/// neighbours are not joined. Allocations with large pages are not affected.
pub fn scatter_pages(seed: u64) {
    #[cfg(unix)]
    {
        let page = || {
            let mut page = memmap2::MmapMut::map_anon(4_096).ok()?;
            // A page exists when it is written to.
            page[0] = 1;
            Some(page)
        };
        let mut pages: Vec<_> = (0..PAGES).map(|_| page()).collect();
        for place in SplitMix(seed).permutation(PAGES).into_iter().take(PAGES / 2) {
            pages[place] = None;
        }
        std::mem::forget(pages);
    }
    #[cfg(not(unix))]
    let _ = seed;
}

/// Bytes of a frame without the address to return to and saved registers: with them, a sixteenth of a page or a little
/// more.
const FRAME: usize = 232;

/// Runs `work` so many frames deeper in the stack.
#[inline(never)]
pub(crate) fn deeper(frames: usize, work: &mut dyn FnMut()) {
    let mut frame = [0u8; FRAME];
    black_box(&mut frame);
    match frames {
        0 => work(),
        _ => deeper(frames - 1, work),
    }
    // Used after the call, so that the frame is there during it.
    black_box(&mut frame);
}

/// Environment variables that make the allocator of the GNU C library take large blocks, such as tables
/// and boards, from the heap as well. By default each gets pages of its own and begins at the same place
/// within a page. The heap does not shrink, so that growing again costs no page faults. Other allocators
/// ignore them, and large blocks do not move there.
pub const ONE_HEAP: [(&str, &str); 2] =
    [("MALLOC_MMAP_THRESHOLD_", "33554432"), ("MALLOC_TRIM_THRESHOLD_", "1073741824")];

/// The addresses of the calling process.
pub fn here() -> Placement {
    let local = 0u8;
    let allocation: Vec<u8> = Vec::with_capacity(BOARDS);
    let hexadecimal = |address: usize| format!("{address:#x}");
    Placement {
        // The black boxes force both variables into memory, so that they have addresses.
        code: hexadecimal(here as fn() -> Placement as usize),
        stack: hexadecimal(std::ptr::from_ref(black_box(&local)) as usize),
        heap: hexadecimal(black_box(&allocation).as_ptr() as usize),
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
    fn sixteen_depths_of_the_stack_are_sixteen_places_of_a_page() {
        let stack = |frames| {
            let mut found = 0;
            deeper(frames, &mut || {
                let local = 0u8;
                found = std::ptr::from_ref(black_box(&local)).addr();
            });
            found
        };
        let addresses: Vec<usize> = (0..16).map(stack).collect();
        let step = addresses[0] - addresses[1];
        assert!(addresses.windows(2).all(|two| two[0] - two[1] == step && step >= FRAME));
        // Tests are optimised as well.
        assert!((256..=320).contains(&step), "{step}");
        let places = addresses.iter().map(|address| address % 4_096 / 256);
        assert!(places.collect::<std::collections::BTreeSet<_>>().len() >= 12, "{step}");
    }

    #[test]
    fn code_stack_and_heap_have_different_addresses() {
        let Placement { code, stack, heap } = here();
        let all = [&code, &stack, &heap];
        assert!(all.iter().all(|address| address.starts_with("0x") && address.len() > 6));
        assert!(code != stack && stack != heap && heap != code);
    }
}
