//! Cuts a workload into batches, so that every position belongs to exactly one.

use std::ops::Range;

use super::{CALLS, MOST_POSITIONS};

/// The positions of a batch, and the number of their root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    pub positions: Range<usize>,
    pub root: u64,
}

/// Positions of a part of a long workload without trees, a root of its own.
const PART: usize = 1_024;
/// Windows with fewer calls than this would not show which of them was interrupted.
const FEWEST_CALLS: usize = 4;

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

/// Cuts a workload into short batches, windows of [`CALLS`] positions on average.
///
/// Each tree is cut into as many windows as every other one, so that a window takes the same fraction of each, and one
/// window of every tree is a sample of the workload in which each tree has its weight. A window of a small tree has
/// more than that fraction, because it has four calls at least. A workload without trees is cut into parts, each a
/// root.
pub(super) fn windows(len: usize, roots: &[usize]) -> Vec<Cut> {
    // A session needs several roots.
    let part = if roots.is_empty() { PART.min(len.div_ceil(16)) } else { MOST_POSITIONS };
    let parts = of_stream(len, roots, part.max(CALLS));
    let each = len.div_ceil(parts.len().max(1) * CALLS).max(1);
    let windows = parts.into_iter().flat_map(|Cut { positions: part, root }| {
        let count = each.min(part.len() / FEWEST_CALLS).max(1);
        equal_parts(&part, count).map(move |positions| Cut { positions, root })
    });
    windows.collect()
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
    fn a_window_takes_the_same_fraction_of_every_tree() {
        let cuts = windows(7_000, &[0, 100, 2_000, 4_000]);
        let each = 7_000_usize.div_ceil(4 * 16);
        for (root, tree) in [100, 1_900, 2_000, 3_000].into_iter().enumerate() {
            let of_tree = lengths(&cuts).into_iter().filter(|&(_, of)| of == root as u64);
            let lengths: Vec<usize> = of_tree.map(|(length, _)| length).collect();
            let count = if root == 0 { 25 } else { each };
            assert_eq!(lengths.len(), count, "the first tree has windows of {FEWEST_CALLS}");
            assert_eq!(lengths.iter().sum::<usize>(), tree);
            let mean = tree as f64 / count as f64;
            assert!(lengths.iter().all(|&length| (length as f64 - mean).abs() < 1.0));
        }
        let all = cuts.into_iter().flat_map(|cut| cut.positions);
        assert!(all.eq(0..7_000), "every position belongs to exactly one window");
    }

    #[test]
    fn the_windows_of_a_workload_without_trees_lie_in_parts_of_it() {
        let cuts = windows(65_536, &[]);
        assert_eq!(cuts.len(), 4_096);
        assert_eq!(cuts[4_095], Cut { positions: 65_520..65_536, root: 63 });
        assert_eq!(lengths(&windows(1, &[])), [(1, 0)]);
        assert!(windows(0, &[]).is_empty());
    }

    #[test]
    fn stretches_are_roots() {
        assert_eq!(lengths(&of_stretches(100, 2)), [(100, 0), (100, 1)]);
    }
}
