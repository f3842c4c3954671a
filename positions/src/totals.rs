//! Totals of a list of positions, and the digest that identifies it.
//!
//! The digest is the 64-bit FNV-1a hash (G. Fowler, L. C. Noll, K.-P. Vo). That of a corpus is of one byte per
//! position: its number of legal moves modulo 256, in order. It needs no canonical text form, and any correct move
//! generator can compute it. A corpus is made by a recipe; an error there changes many positions, and with them many
//! counts. In a file somebody may replace one position by another with as many moves, so the digest of a file is of
//! its positions, each as a FEN of six fields and a line feed.

use std::fmt;
use std::hash::Hasher;

use fnv::FnvHasher;
use raywalk_core::Position;

use crate::sample::Sample;

/// The digest of a list of positions: FNV-1a over their FENs.
pub fn digest<'a>(positions: impl IntoIterator<Item = &'a Position>) -> u64 {
    let mut hasher = FnvHasher::default();
    for position in positions {
        hasher.write(format!("{position}\n").as_bytes());
    }
    hasher.finish()
}

/// Totals of a list of positions, counted by the oracle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Totals {
    /// Number of positions, repeats included.
    pub positions: usize,
    /// Number of legal moves; each promotion piece counts as a move.
    pub legal: u64,
    /// Number of legal captures, en passant included.
    pub captures: u64,
    /// Number of positions whose side to move is in check.
    pub in_check: u64,
    /// FNV-1a over the legal-move counts modulo 256; that of a file, over its FENs.
    pub digest: u64,
}

impl Totals {
    /// The totals of the positions of a file.
    pub(crate) fn of_file(samples: &[Sample]) -> Totals {
        let digest = digest(samples.iter().map(|sample| &sample.position));
        Totals { digest, ..Totals::of(samples) }
    }

    /// The totals of these positions in this order.
    pub fn of<'a>(samples: impl IntoIterator<Item = &'a Sample>) -> Totals {
        let mut totals = Totals { positions: 0, legal: 0, captures: 0, in_check: 0, digest: 0 };
        let mut hasher = FnvHasher::default();
        for sample in samples {
            totals.positions += 1;
            totals.legal += u64::from(sample.legal);
            totals.captures += u64::from(sample.captures);
            totals.in_check += u64::from(sample.check);
            hasher.write(&[sample.legal]);
        }
        totals.digest = hasher.finish();
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

/// A corpus or file whose positions a session used, as the session records it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Name of the corpus or file.
    pub name: String,
    /// Number of its positions, repeats included.
    pub positions: usize,
    /// Digest of its positions, as in [`Totals::digest`].
    pub digest: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_matches_its_published_test_vectors() {
        let of = |bytes: &[u8]| {
            let mut hasher = FnvHasher::default();
            hasher.write(bytes);
            hasher.finish()
        };
        assert_eq!(of(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(of(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(of(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
