//! Golden rows: known totals that a corpus must match.
//!
//! A corpus that misses one of its rows is an error, so it can never be measured. A row covers the first positions of a
//! corpus, of one of its parts or of a slice; positions that no row covers are compared with nothing. The rows of
//! placed pieces are those of all boards, before those are left out that have too many pieces of a kind for a list.

use crate::sample::Sample;
use crate::slices::Slice;
use crate::totals::Totals;

/// The positions of a corpus that a golden row covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rows {
    /// All positions of the corpus.
    All,
    /// The positions of this part.
    Part(u8),
    /// The positions of this slice.
    Slice(Slice),
}

/// Known totals of the first positions that `rows` covers, as many as the totals count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Golden {
    /// The positions that it sums over.
    pub rows: Rows,
    /// Totals of these positions.
    pub totals: Totals,
}

/// A golden row over all positions.
pub(crate) const fn all(
    positions: usize,
    legal: u64,
    captures: u64,
    in_check: u64,
    digest: u64,
) -> Golden {
    Golden { rows: Rows::All, totals: Totals { positions, legal, captures, in_check, digest } }
}

impl Golden {
    /// The same totals for other rows.
    pub(crate) const fn only(self, rows: Rows) -> Golden {
        Golden { rows, ..self }
    }

    fn covers(&self, sample: &Sample) -> bool {
        match self.rows {
            Rows::All => true,
            Rows::Part(part) => sample.part == part,
            Rows::Slice(slice) => slice.holds(sample),
        }
    }

    /// Compares the covered positions of a corpus with the row.
    ///
    /// # Errors
    /// [`Mismatch`] with both totals.
    pub(crate) fn verify(&self, corpus: &str, samples: &[Sample]) -> Result<(), Mismatch> {
        let expected = self.totals;
        let covered = samples.iter().filter(|sample| self.covers(sample));
        let found = Totals::of(covered.take(expected.positions));
        if found == expected {
            Ok(())
        } else {
            Err(Mismatch { corpus: corpus.to_owned(), expected, found })
        }
    }
}

/// A corpus differs from its known totals.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("corpus {corpus} has wrong totals: expected {expected}, found {found}")]
pub struct Mismatch {
    /// Name of the corpus, such as `sp1`.
    pub corpus: String,
    /// The totals of the golden row.
    pub expected: Totals,
    /// The totals of the corpus as made.
    pub found: Totals,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Board;

    #[test]
    fn a_mismatch_names_the_corpus_and_both_totals() {
        let start = Sample::of(&Board::default(), 0);
        let row = all(2, 40, 0, 0, Totals::of(&[start, start]).digest);
        assert_eq!(row.verify("starts", &[start, start, start]), Ok(()));
        let error = row.verify("starts", &[start, Sample { legal: 21, ..start }]);
        assert!(error.expect_err("one move too many").to_string().starts_with(
            "corpus starts has wrong totals: expected 2 positions, 40 legal moves, 0 captures, \
             0 in check, digest"
        ));
    }

    #[test]
    fn a_row_covers_only_its_part() {
        let start = Sample::of(&Board::default(), 0);
        let marked = Sample { part: 1, legal: 7, ..start };
        let row = all(1, 7, 0, 0, Totals::of(&[marked]).digest).only(Rows::Part(1));
        assert_eq!(row.verify("parts", &[start, marked, start]), Ok(()));
        assert!(row.verify("parts", &[start]).is_err());
    }
}
