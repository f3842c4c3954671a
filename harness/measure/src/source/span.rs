//! Positions that are loaded as boards.

use std::borrow::Cow;
use std::ops::Range;

/// Boards made from a cycle of positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// The positions of the workload that loading goes around.
    pub cycle: Range<usize>,
    /// Index of the first loaded position in the workload, within the cycle.
    pub first: usize,
    pub boards: usize,
}

impl Span {
    /// Each of these positions once, in order.
    pub(crate) fn part_of(positions: Range<usize>) -> Span {
        Span { first: positions.start, boards: positions.len(), cycle: positions }
    }

    /// The positions to load, or what belongs to them, from those of the workload.
    pub(crate) fn positions<'a, T: Copy>(&self, workload: &'a [T]) -> Cow<'a, [T]> {
        let cycle = &workload[self.cycle.clone()];
        let from = self.first - self.cycle.start;
        match cycle.get(from..from + self.boards) {
            Some(positions) => Cow::Borrowed(positions),
            None => cycle.iter().copied().cycle().skip(from).take(self.boards).collect(),
        }
    }
}
