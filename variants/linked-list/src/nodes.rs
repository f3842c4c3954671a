//! Five forms of node with indexes for links: 16, 12 and 8 bytes, and two that change one thing
//! about the last.

use std::hint::select_unpredictable;

use raywalk_core::two_way::Entry;
use raywalk_core::{Card, Move, Square};

use crate::index::{Index, IndexNode};
use crate::pointer;
use crate::walk::Node;

/// What our variants of the source's design have in common.
const OURS: Card = Card {
    author: "Raywalk, after the unsigned design of the Chess Programming Wiki",
    year: Some(2026),
    source: "a variant of linked-list/pointer, in no other source",
    published_bytes: None,
    ..pointer::CARD
};

/// Two fields of four bytes and two links of four bytes: the published 16, and the room for a
/// score beside the move that the source mentions.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Node16 {
    to: u32,
    mv: u32,
    next: [u32; 2],
}

impl Node for Node16 {
    #[inline(always)]
    fn to(&self) -> u8 {
        self.to as u8
    }

    #[inline(always)]
    fn mv(&self, _: Square) -> Move {
        Move::from_bits(self.mv as u16)
    }
}

impl IndexNode for Node16 {
    const CARD: Card = Card {
        id: "linked-list/index32",
        name: "Conditional linked list, 32-bit links",
        published_bytes: pointer::CARD.published_bytes,
        ..OURS
    };
    type Head = u16;

    fn new(entry: &Entry, links: [u16; 2]) -> Node16 {
        let mv = Move::new(entry.from, entry.to).bits();
        Node16 { to: entry.to.number().into(), mv: mv.into(), next: links.map(u32::from) }
    }

    #[inline(always)]
    fn next(&self, occupied: bool) -> usize {
        self.next[usize::from(occupied)] as usize
    }
}

/// Square and move in their natural width, then the links: 12 bytes with `u32`, 8 with `u16`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct PackedNode<L> {
    to: u8,
    mv: Move,
    next: [L; 2],
}

/// Links of 32 bits.
pub type Node12 = PackedNode<u32>;
/// Links of 16 bits.
pub type Node8 = PackedNode<u16>;

/// The width of the links of a [`PackedNode`].
pub trait Link: Index {
    /// The card of the design with packed nodes and these links.
    const CARD: Card;
    /// The other width.
    type Head: Index;
}

impl Link for u16 {
    const CARD: Card =
        Card { id: "linked-list/index16", name: "Conditional linked list, 16-bit links", ..OURS };
    type Head = u32;
}

impl Link for u32 {
    const CARD: Card = Card {
        id: "linked-list/index32-packed",
        name: "Conditional linked list, 32-bit links, packed",
        ..OURS
    };
    type Head = u16;
}

impl<L: Link> Node for PackedNode<L> {
    #[inline(always)]
    fn to(&self) -> u8 {
        self.to
    }

    #[inline(always)]
    fn mv(&self, _: Square) -> Move {
        self.mv
    }
}

impl<L: Link> IndexNode for PackedNode<L> {
    const CARD: Card = L::CARD;
    type Head = L::Head;

    fn new(entry: &Entry, links: [u16; 2]) -> PackedNode<L> {
        let mv = Move::new(entry.from, entry.to);
        PackedNode { to: entry.to.number(), mv, next: links.map(L::from) }
    }

    #[inline(always)]
    fn next(&self, occupied: bool) -> usize {
        self.next[usize::from(occupied)].index()
    }
}

/// The 8-byte node, read without its move: the claim that a finished move in the node is useful is
/// tested against putting it together from origin and target. The field stays, so that footprint
/// and addresses are the same and only the source of the move differs.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct NodeWithoutMove(Node8);

impl Node for NodeWithoutMove {
    #[inline(always)]
    fn to(&self) -> u8 {
        self.0.to()
    }

    #[inline(always)]
    fn mv(&self, from: Square) -> Move {
        Move::new(from, Square::from_low_bits(self.0.to.into()))
    }
}

impl IndexNode for NodeWithoutMove {
    const CARD: Card = Card {
        id: "linked-list/index16-no-move",
        name: "Conditional linked list, 16-bit links, move not read",
        ..OURS
    };
    type Head = u32;

    fn new(entry: &Entry, links: [u16; 2]) -> NodeWithoutMove {
        NodeWithoutMove(Node8::new(entry, links))
    }

    #[inline(always)]
    fn next(&self, occupied: bool) -> usize {
        self.0.next(occupied)
    }
}

/// The 8-byte node with both links in one word, which is loaded while the board byte is: two loads
/// in the chain instead of three, and a selection in registers.
///
/// Two loads and a selection of one do not survive the compiler: it loads once, by index, and the
/// variant would be [`Node8`] again. Two halves of one word do.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct SelectNode {
    to: u8,
    mv: Move,
    /// Low half: the link if the target is empty; high half: the link if not.
    links: u32,
}

impl Node for SelectNode {
    #[inline(always)]
    fn to(&self) -> u8 {
        self.to
    }

    #[inline(always)]
    fn mv(&self, _: Square) -> Move {
        self.mv
    }
}

impl IndexNode for SelectNode {
    const CARD: Card = Card {
        id: "linked-list/select",
        name: "Conditional linked list, links selected in registers",
        ..OURS
    };
    // The selection is made in 32 bits.
    type Head = u16;

    fn new(entry: &Entry, [empty, occupied]: [u16; 2]) -> SelectNode {
        SelectNode {
            to: entry.to.number(),
            mv: Move::new(entry.from, entry.to),
            links: u32::from(empty) | u32::from(occupied) << 16,
        }
    }

    #[inline(always)]
    fn next(&self, occupied: bool) -> usize {
        let (empty, blocked) = (self.links & 0xffff, self.links >> 16);
        select_unpredictable(occupied, blocked, empty) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_core::Generator;
    use raywalk_core::two_way::{ENTRIES, PIECE_ENTRIES, SLIDER_ENTRIES};

    use crate::{Index16, Index16NoMove, Index32, Index32Packed, Select};

    #[test]
    fn the_slider_tables_have_the_sizes_of_their_node_formats() {
        assert_eq!(SLIDER_ENTRIES * size_of::<Node16>(), 46_592);
        assert_eq!(SLIDER_ENTRIES * size_of::<Node12>(), 34_944);
        assert_eq!(SLIDER_ENTRIES * size_of::<Node8>(), 23_296);
        assert_eq!(SLIDER_ENTRIES * size_of::<NodeWithoutMove>(), 23_296);
        assert_eq!(SLIDER_ENTRIES * size_of::<SelectNode>(), 23_296);
        assert_eq!(PIECE_ENTRIES * size_of::<Node8>(), 29_344);
    }

    /// Nodes and heads, rounded up to whole cache lines, and nothing else.
    fn is_nodes_and_heads<G: Generator>(node: usize, head: usize) {
        let design = G::build().expect("no feature is needed");
        let bytes = (ENTRIES * node + 9 * 64 * head).next_multiple_of(64);
        assert_eq!(design.table_bytes(), bytes, "{}", G::CARD.id);
    }

    #[test]
    fn a_table_is_its_nodes_and_its_heads() {
        is_nodes_and_heads::<Index32>(16, 2);
        is_nodes_and_heads::<Index32Packed>(12, 2);
        is_nodes_and_heads::<Index16>(8, 4);
        is_nodes_and_heads::<Index16NoMove>(8, 4);
        is_nodes_and_heads::<Select>(8, 2);
    }
}
