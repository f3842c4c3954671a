//! Models of caches, replayed over the lines that a program touches.
//!
//! | model | answers | depends on a cache's |
//! |---|---|---|
//! | [`ReuseDistances`] | how many other lines are touched before a line is touched again? | line size |
//! | [`Lru`] | how many accesses miss in a cache of this geometry? | size, ways, line size |
//!
//! Both see the same stream of line numbers, made from addresses by [`lines`]. Each [`Lru`] level is
//! modelled by itself and sees every access. There is no prefetcher, and loads and stores count alike.

mod lru;
mod reuse;

use std::ops::RangeInclusive;

pub use lru::{LEVELS, Level, Lru};
pub use reuse::ReuseDistances;

/// Bytes of a cache line.
pub const LINE_BYTES: u64 = 64;

/// The numbers of the lines that an access of `bytes` bytes touches. An access of 0 bytes touches the line
/// of its address.
///
/// ```
/// use raywalk_models::cache::lines;
/// assert_eq!(lines(60, 4), 0..=0);
/// assert_eq!(lines(60, 8), 0..=1);
/// ```
pub const fn lines(address: u64, bytes: u64) -> RangeInclusive<u64> {
    let last = address.saturating_add(bytes.saturating_sub(1));
    address / LINE_BYTES..=last / LINE_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_access_touches_every_line_that_it_overlaps() {
        assert_eq!(lines(0, 64), 0..=0);
        assert_eq!(lines(1, 64), 0..=1);
        assert_eq!(lines(128, 0), 2..=2);
        assert_eq!(lines(63, 130), 0..=3);
        assert_eq!(lines(u64::MAX, 8), u64::MAX / 64..=u64::MAX / 64, "the end of the addresses");
    }
}
