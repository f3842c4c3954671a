//! Presses the caches: some lines of a ring are read before each call.
//!
//! The ring stands for the hash table, the evaluation's tables and the stack of an engine: S bytes
//! that want to be in the caches as well. With 64 lines per call a line of a design's table has to
//! be used again within a dozen calls to stay in a first-level cache of 48 KiB, and within 256 calls
//! to stay in a second-level cache of 1 MiB. So small tables that each call reads in full suffer
//! little, and large ones of which each call reads a few lines suffer most.
//!
//! The lines are taken in steps near the golden section of the ring: all come in turn, and no
//! prefetcher finds a stride within a page. A ring of more pages than the translation buffer holds
//! presses that as well, as the tables of an engine do.

use std::hint::black_box;

use super::Disturb;

/// Reads lines of a ring.
#[derive(Debug)]
pub struct Walker {
    ring: Vec<Line>,
    at: usize,
    step: usize,
    lines: u64,
}

#[derive(Clone, Debug)]
#[repr(align(64))]
struct Line(u64);

impl Walker {
    /// Lines that are read before each call.
    pub const LINES: u64 = 64;
    /// The sizes of the built-in plans, in bytes.
    pub const SIZES: [u64; 6] = [0, 32 << 10, 256 << 10, 1 << 20, 4 << 20, 8 << 20];

    /// Reads `lines` lines of a ring of `bytes` before each call; of an empty ring none.
    pub fn new(bytes: u64, lines: u64) -> Walker {
        let count = bytes as usize / size_of::<Line>();
        // Written, not only allocated: pages that were never written are one page of zeros.
        let ring = (1..=count as u64).map(Line).collect();
        Walker { ring, at: 0, step: step(count), lines: if count == 0 { 0 } else { lines } }
    }

    #[inline(always)]
    fn read(&mut self) {
        self.at += self.step;
        self.at -= if self.at >= self.ring.len() { self.ring.len() } else { 0 };
        black_box(self.ring[self.at].0);
    }
}

impl Disturb for Walker {
    fn disturb(&mut self) {
        for _ in 0..self.lines {
            self.read();
        }
    }

    /// Once around, so that every line is where the caches will keep it.
    fn settle(&mut self) {
        for _ in 0..self.ring.len() {
            self.read();
        }
    }
}

/// The odd number nearest to the golden section of the ring with which all lines come in turn.
fn step(lines: usize) -> usize {
    if lines < 2 {
        return 0;
    }
    let wanted = (lines as f64 * 0.618) as usize | 1;
    (wanted..lines).step_by(2).find(|&step| divisor(step, lines) == 1).unwrap_or(1)
}

/// Greatest common divisor (Euclid).
fn divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_a_ring_comes_once_before_any_comes_again() {
        for bytes in [64, 128, 192, 64 * 100, 32 << 10, 256 << 10, 1_000_000] {
            let mut walker = Walker::new(bytes, 1);
            let count = walker.ring.len();
            let mut seen = vec![false; count];
            for _ in 0..count {
                walker.disturb();
                assert!(!std::mem::replace(&mut seen[walker.at], true), "{bytes}");
            }
        }
    }

    #[test]
    fn the_step_is_odd_and_near_the_golden_section() {
        for lines in [512, 4_096, 16_384, 65_536, 131_072] {
            let step = step(lines);
            assert!(step % 2 == 1 && (step as f64 / lines as f64 - 0.618).abs() < 0.003, "{step}");
        }
    }

    #[test]
    fn a_call_reads_as_many_lines_as_asked_and_an_empty_ring_none() {
        let mut walker = Walker::new(32 << 10, 64);
        let step = walker.step;
        walker.disturb();
        assert_eq!(walker.at, 64 * step % 512);
        walker.settle();
        assert_eq!(walker.at, 64 * step % 512, "once around");
        let mut none = Walker::new(0, 64);
        none.disturb();
        none.settle();
        assert_eq!((none.at, none.lines), (0, 0));
    }
}
