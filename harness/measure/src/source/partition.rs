//! Cuts a workload into batches, so that every position belongs to exactly one.

use std::ops::Range;

/// The positions of a batch, and the number of their root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    pub positions: Range<usize>,
    pub root: u64,
}

/// Cuts the trees that begin at `roots` among the first `len` positions into batches of at most `most`.
/// Without trees every batch is a root of its own.
pub(super) fn of_stream(len: usize, roots: &[usize], most: usize) -> Vec<Cut> {
    if roots.is_empty() {
        let parts = equal_parts(&(0..len), len.div_ceil(most));
        return (0..).zip(parts).map(|(root, positions)| Cut { positions, root }).collect();
    }
    let ends = roots[1..].iter().copied().chain([len]);
    let trees = roots.iter().zip(ends).map(|(&begin, end)| begin.min(len)..end.min(len));
    let cuts = (0..).zip(trees).flat_map(|(root, tree)| {
        // A tree without positions has no batch and keeps its number.
        let parts = equal_parts(&tree, tree.len().div_ceil(most));
        parts.map(move |positions| Cut { positions, root })
    });
    cuts.collect()
}

/// Cuts the first `k` × `stretches` positions into stretches of `k`, each a root of its own.
pub(super) fn of_stretches(k: usize, stretches: usize) -> Vec<Cut> {
    let stretch = |n| Cut { positions: n * k..(n + 1) * k, root: n as u64 };
    (0..stretches).map(stretch).collect()
}

/// Cuts a range into parts whose lengths differ by at most one.
pub(super) fn equal_parts(
    whole: &Range<usize>,
    parts: usize,
) -> impl Iterator<Item = Range<usize>> + use<> {
    let (start, len) = (whole.start, whole.len());
    let at = move |part: usize| start + len * part / parts.max(1);
    (0..parts).map(move |part| at(part)..at(part + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(cuts: &[Cut]) -> Vec<(usize, u64)> {
        cuts.iter().map(|cut| (cut.positions.len(), cut.root)).collect()
    }

    #[test]
    fn each_tree_is_cut_into_equal_batches_of_its_own() {
        let cuts = of_stream(1_000, &[0, 64, 193, 193, 999], 64);
        let expected = [(64, 0), (43, 1), (43, 1), (43, 1)];
        assert_eq!(lengths(&cuts)[..4], expected);
        // The third tree is empty, the fourth has 806 positions, the last one position.
        assert_eq!(lengths(&cuts)[4..].iter().filter(|cut| cut.1 == 3).count(), 13);
        assert_eq!(lengths(&cuts).last(), Some(&(1, 4)));
        assert!(cuts.iter().all(|cut| cut.root != 2));
    }

    #[test]
    fn every_position_belongs_to_exactly_one_batch() {
        for (len, roots) in
            [(10_000, &[][..]), (10_000, &[0, 5, 4_101, 9_000]), (1, &[]), (1, &[0])]
        {
            for most in [1, 63, 64, 4_096] {
                let cuts = of_stream(len, roots, most);
                assert!(cuts.iter().all(|cut| (1..=most).contains(&cut.positions.len())));
                let all = cuts.into_iter().flat_map(|cut| cut.positions);
                assert!(all.eq(0..len), "{len} {roots:?} {most}");
            }
        }
        assert_eq!(lengths(&of_stream(4_097, &[], 4_096)), [(2_048, 0), (2_049, 1)]);
    }

    #[test]
    fn stretches_are_roots() {
        assert_eq!(lengths(&of_stretches(100, 2)), [(100, 0), (100, 1)]);
    }
}
