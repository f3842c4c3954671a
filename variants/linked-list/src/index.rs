//! Indexes for links: one array, in which the nodes name each other by number.

use raywalk_core::Card;
use raywalk_core::two_way::{ENTRIES, Entry, Heads, TwoWayLists};

use crate::walk::{Node, Table};

/// Null: the index behind the last node. It needs no test of its own, because looking it up fails,
/// and so the bounds check *is* the end of the list: still one branch per square, and no mask.
const NULL: u16 = ENTRIES as u16;

/// A node whose links are indexes.
pub trait IndexNode: Node + Copy {
    /// The card of the design with these nodes.
    const CARD: Card;

    /// How heads are stored: in another width than the links. With one width for both, the
    /// compiler keeps the index of the walk in that width and widens it again at every node, an
    /// instruction more in the chain that the walk waits for.
    type Head: Index;

    /// The node of an entry. `links` are its successors, or [`ENTRIES`] where there is none.
    fn new(entry: &Entry, links: [u16; 2]) -> Self;

    /// The index behind this node, given whether its square is occupied.
    fn next(&self, occupied: bool) -> usize;
}

/// An integer that can name any node, and null.
pub trait Index: Copy + From<u16> + Send + Sync + 'static {
    /// As an array index.
    fn index(self) -> usize;
}

impl Index for u16 {
    #[inline(always)]
    fn index(self) -> usize {
        usize::from(self)
    }
}

impl Index for u32 {
    #[inline(always)]
    fn index(self) -> usize {
        self as usize
    }
}

/// The nodes in one array, and the indexes of the first ones.
#[repr(C, align(64))]
pub struct IndexTable<N: IndexNode> {
    nodes: [N; ENTRIES],
    heads: Heads<N::Head>,
}

impl<N: IndexNode> Table for IndexTable<N> {
    const CARD: Card = N::CARD;
    type Node = N;
    type Head = N::Head;

    fn new() -> Box<IndexTable<N>> {
        let TwoWayLists { entries, heads } = TwoWayLists::new();
        let node = |entry: Entry| N::new(&entry, entry.next.map(|next| next.unwrap_or(NULL)));
        Box::new(IndexTable { nodes: entries.map(node), heads: heads.map(N::Head::from) })
    }

    #[inline(always)]
    fn heads(&self) -> &Heads<N::Head> {
        &self.heads
    }

    #[inline(always)]
    fn first(&self, head: N::Head) -> &N {
        // A head is never null. The minimum says so to the compiler without a branch.
        &self.nodes[head.index().min(ENTRIES - 1)]
    }

    #[inline(always)]
    fn next<'a>(&'a self, node: &'a N, occupied: bool) -> Option<&'a N> {
        self.nodes.get(node.next(occupied))
    }
}
