//! Stepping from node to node: by an index out of the node or out of memory, or with both candidate nodes already
//! loaded.

use std::marker::PhantomData;

use crate::node::{Halves, Node};
use crate::occupancy::OccupancySource;
use crate::table::Table;

/// The position of a walk in its list, and how it advances.
pub trait Step<N: Node>: 'static {
    /// The position of a walk.
    type Place: Copy;

    /// The place of the node with index `head`.
    fn start(table: &Table<N>, head: usize) -> Self::Place;

    /// The node at a place.
    fn node(table: &Table<N>, place: Self::Place) -> N;

    /// The place that follows `place` with its `node`, whose target has this reading; `None` at the end of the list.
    fn next<'a, O: OccupancySource<'a>>(
        table: &Table<N>,
        place: Self::Place,
        node: N,
        occupancy: O,
        reading: O::Reading,
    ) -> Option<Self::Place>;
}

/// Where a walk reads the index of the next node.
pub trait Link<N: Node>: 'static {
    /// The index of the node that follows the one at `index`, whose target has this reading; 0 at the end of the list.
    fn of<'a, O: OccupancySource<'a>>(
        table: &Table<N>,
        index: usize,
        node: N,
        occupancy: O,
        reading: O::Reading,
    ) -> usize;
}

/// Out of the node, which is in a register: the published form.
pub struct InNode;

impl<N: Node> Link<N> for InNode {
    #[inline(always)]
    fn of<'a, O: OccupancySource<'a>>(
        _: &Table<N>,
        _: usize,
        node: N,
        occupancy: O,
        reading: O::Reading,
    ) -> usize {
        occupancy.next(node, reading)
    }
}

/// From memory, where the state of the square is an index too: of one of the two links.
pub struct InMemory;

impl Link<Halves> for InMemory {
    #[inline(always)]
    fn of<'a, O: OccupancySource<'a>>(
        table: &Table<Halves>,
        index: usize,
        _: Halves,
        occupancy: O,
        reading: O::Reading,
    ) -> usize {
        table.link(index, occupancy.occupied(reading))
    }
}

/// The published step: the place is an index, and the node is loaded once the index is known.
pub struct Indexed<L = InNode>(PhantomData<L>);

impl<N: Node, L: Link<N>> Step<N> for Indexed<L> {
    type Place = usize;

    #[inline(always)]
    fn start(_: &Table<N>, head: usize) -> usize {
        head
    }

    #[inline(always)]
    fn node(table: &Table<N>, index: usize) -> N {
        table.node(index)
    }

    #[inline(always)]
    fn next<'a, O: OccupancySource<'a>>(
        table: &Table<N>,
        index: usize,
        node: N,
        occupancy: O,
        reading: O::Reading,
    ) -> Option<usize> {
        let next = L::of(table, index, node, occupancy, reading);
        (next != 0).then_some(next)
    }
}

/// The place is the node itself. Both successors are loaded in parallel with the board byte, which
/// then selects one of the two words. The price is one unused load per step.
pub struct Ahead;

impl Step<u32> for Ahead {
    type Place = u32;

    #[inline(always)]
    fn start(table: &Table<u32>, head: usize) -> u32 {
        table.node(head)
    }

    #[inline(always)]
    fn node(_: &Table<u32>, node: u32) -> u32 {
        node
    }

    #[inline(always)]
    fn next<'a, O: OccupancySource<'a>>(
        table: &Table<u32>,
        _: u32,
        node: u32,
        occupancy: O,
        reading: O::Reading,
    ) -> Option<u32> {
        let empty = table.node(node.if_empty());
        let occupied = table.node(node.if_occupied());
        let next = occupancy.choose(reading, empty, occupied);
        // The link decides the end of the list. It is not part of the dependency chain, so only the
        // exit branch waits for it.
        (occupancy.next(node, reading) != 0).then_some(next)
    }
}
