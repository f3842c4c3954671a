//! From one node to the next: by its index, or with both candidates already loaded.

use crate::node::Node;
use crate::sight::Sight;
use crate::table::Table;

/// Where a walk stands, and how it goes on.
pub trait Step<N: Node>: 'static {
    /// Where a walk stands.
    type Place: Copy;

    /// The start of a list.
    fn start(table: &Table<N>, head: usize) -> Self::Place;

    /// The node at a place.
    fn node(table: &Table<N>, place: Self::Place) -> N;

    /// The place behind `node`, whose target was `seen`; `None` at the end of the list.
    fn next<'a, S: Sight<'a>>(
        table: &Table<N>,
        node: N,
        sight: S,
        seen: S::Seen,
    ) -> Option<Self::Place>;
}

/// The source's: the place is an index, and the node is loaded when the index is known.
pub struct Indexed;

impl<N: Node> Step<N> for Indexed {
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
    fn next<'a, S: Sight<'a>>(_: &Table<N>, node: N, sight: S, seen: S::Seen) -> Option<usize> {
        let next = sight.next(node, seen);
        (next != 0).then_some(next)
    }
}

/// The place is the node itself: both successors are loaded while the board byte is, and the byte
/// selects one of the two words. The load that was not wanted is the price.
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
    fn next<'a, S: Sight<'a>>(
        table: &Table<u32>,
        node: u32,
        sight: S,
        seen: S::Seen,
    ) -> Option<u32> {
        let empty = table.node(node.if_empty());
        let occupied = table.node(node.if_occupied());
        let next = sight.choose(seen, empty, occupied);
        // The end is told from the link, which is off the chain: only the exit branch waits for it.
        (sight.next(node, seen) != 0).then_some(next)
    }
}
