//! FNV-1a, and the digest that tells whether a corpus is the one it claims to be.
//!
//! The digest of a list of positions is FNV-1a over one byte per position, the number of its legal
//! moves modulo 256, in order. It needs no canonical text form, any correct generator can compute
//! it, and a change of one position or of the order changes it.

use std::fmt;

use crate::Sample;

/// FNV-1a with 64 bits.
///
/// # Source
/// G. Fowler, L. C. Noll, K.-P. Vo; the constants are those of their 64-bit version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Takes in some bytes.
    #[inline]
    pub fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// The digest of what was taken in.
    pub const fn finish(self) -> u64 {
        self.0
    }

    /// The digest of some bytes.
    pub fn of(bytes: &[u8]) -> u64 {
        let mut fnv = Fnv::default();
        fnv.write(bytes);
        fnv.finish()
    }
}

/// What a list of positions comes to, by the oracle's count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Totals {
    /// Number of positions, repeats included.
    pub positions: usize,
    /// Legal moves of all of them; each promotion piece counts as a move.
    pub legal: u64,
    /// Those among them that take, en passant included.
    pub captures: u64,
    /// Positions whose side to move is in check.
    pub in_check: u64,
    /// FNV-1a over the legal-move counts modulo 256.
    pub digest: u64,
}

impl Totals {
    /// The totals of these positions in this order.
    pub fn of<'a>(samples: impl IntoIterator<Item = &'a Sample>) -> Totals {
        let mut totals = Totals { positions: 0, legal: 0, captures: 0, in_check: 0, digest: 0 };
        let mut fnv = Fnv::default();
        for sample in samples {
            totals.positions += 1;
            totals.legal += u64::from(sample.legal);
            totals.captures += u64::from(sample.captures);
            totals.in_check += u64::from(sample.check);
            fnv.write(&[sample.legal]);
        }
        totals.digest = fnv.finish();
        totals
    }
}

/// `65536 positions, 2006676 legal moves, 129878 captures, 2994 in check, digest b4d522cc0d3752db`
impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Totals { positions, legal, captures, in_check, digest } = self;
        write!(f, "{positions} positions, {legal} legal moves, {captures} captures, ")?;
        write!(f, "{in_check} in check, digest {digest:016x}")
    }
}

/// What a session writes down about positions it used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Name of the corpus or of the file of facts.
    pub name: String,
    /// Number of its positions, repeats included.
    pub positions: usize,
    /// FNV-1a over its legal-move counts modulo 256.
    pub digest: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fnv_gives_its_published_words() {
        assert_eq!(Fnv::of(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(Fnv::of(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(Fnv::of(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
