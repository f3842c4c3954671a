//! Links as indexes: all nodes in one array, in which they refer to each other by position.

use raywalk_core::two_way::{ENTRIES, Entry, Heads, TwoWayLists};
use raywalk_core::{Card, Square};

use crate::walk::{Node, Table};

/// The null link: the index behind the last node. It needs no test of its own, because looking it
/// up fails: the bounds check *is* the end of the list. That leaves one branch per square, and no
/// mask.
const NULL: u16 = ENTRIES as u16;

/// A node whose links are indexes.
pub trait IndexNode: Node + Copy {
    /// The card of the design with these nodes.
    const CARD: Card;

    /// The integer that stores a head. Its width must differ from that of the links. If both have
    /// the same width, the compiler keeps the index of the walk in that width and zero-extends it
    /// at every node, which adds one instruction to the dependency chain.
    type Head: IndexHead;

    /// The node of an entry. `links` are its successors, if the target is empty and if it is
    /// occupied, or [`ENTRIES`] where there is none.
    fn new(entry: &Entry, links: [u16; 2]) -> Self;

    /// Bytes that generation reads besides nodes and heads.
    const BYTES_ELSEWHERE: usize = 0;

    /// The index of the next node, given whether this node's target is occupied.
    fn next(&self, occupied: bool) -> usize;
}

/// An integer that can hold the index of any node: `u16` or `u32`.
pub trait IndexHead: Copy + From<u16> + Into<u32> + Send + Sync + 'static {}
impl IndexHead for u16 {}
impl IndexHead for u32 {}

/// All nodes, and the index of the first node of each list.
#[repr(C, align(64))]
pub struct IndexTable<N: IndexNode> {
    nodes: [N; ENTRIES],
    heads: Heads<N::Head>,
}

impl<N: IndexNode> Table for IndexTable<N> {
    const CARD: Card = N::CARD;
    type Moves = N::Moves;
    type Place<'table> = &'table N;
    type Head = N::Head;
    type End = ();

    fn new() -> Box<IndexTable<N>> {
        let TwoWayLists { entries, heads } = TwoWayLists::new();
        let node = |entry: Entry| N::new(&entry, entry.next.map(|next| next.unwrap_or(NULL)));
        let head = |head| {
            assert!(usize::from(head) < ENTRIES, "a head leads to a node");
            N::Head::from(head)
        };
        Box::new(IndexTable { nodes: entries.map(node), heads: heads.map(head) })
    }

    #[inline(always)]
    fn heads(&self) -> &Heads<N::Head> {
        &self.heads
    }

    #[inline(always)]
    fn first(&self, head: N::Head) -> &N {
        let head: u32 = head.into();
        debug_assert!((head as usize) < ENTRIES, "a head leads to a node");
        // SAFETY: `new` has checked every head. Pointers need no check either, and the comparison with them is
        // about the links.
        unsafe { self.nodes.get_unchecked(head as usize) }
    }

    #[inline(always)]
    fn end(&self, _: N::Head, _: Square) {}

    #[inline(always)]
    fn next<'a>(&'a self, node: &'a N, occupied: bool, (): ()) -> Option<&'a N> {
        self.nodes.get(node.next(occupied))
    }

    fn bytes_elsewhere(&self) -> usize {
        N::BYTES_ELSEWHERE
    }
}
