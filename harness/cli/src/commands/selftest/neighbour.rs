//! A busy neighbour for tests: a process that streams through memory.
//!
//! It takes memory bandwidth and space in the shared cache, and half of a core if its processor is a sibling
//! of the measured one. The scheduler places it, like any other process.

use std::hint::black_box;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Twice the largest cache that was seen to be shared by two processors of a virtual machine.
const BYTES: usize = 64 << 20;

/// Does `work` beside the neighbour, which ends with it.
///
/// # Errors
/// Of the system, if it grants no thread.
pub(super) fn beside<T>(work: impl FnOnce() -> T) -> io::Result<T> {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        thread::Builder::new().spawn_scoped(scope, || stream(&done))?;
        // The scope waits for the neighbour, also if the work panics.
        let _end = End(&done);
        Ok(work())
    })
}

struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        // Relaxed: it ends a loop, and no other data depends on it.
        self.0.store(true, Ordering::Relaxed);
    }
}

fn stream(done: &AtomicBool) {
    let mut memory = vec![1u64; BYTES / size_of::<u64>()];
    while !done.load(Ordering::Relaxed) {
        for word in &mut memory {
            *word = word.wrapping_mul(3);
        }
        black_box(&mut memory);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_neighbour_ends_with_the_work() {
        assert_eq!(beside(|| 7).expect("a thread"), 7);
    }
}
