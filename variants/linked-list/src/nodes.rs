//! Node formats whose links are indexes: 16, 12 and 8 bytes, and two variants of the 8-byte node.

use std::hint::select_unpredictable;

use raywalk_core::two_way::Entry;
use raywalk_core::{Card, Control, Move, Square, opaque, stay_a_branch};

use crate::cards::{CARD, OURS};
use crate::index::{IndexHead, IndexNode};
use crate::walk::Node;

/// A square in a field of four bytes. One of them is read, so no mask is needed in front of the board.
#[derive(Clone, Copy)]
#[repr(C, align(4))]
pub(crate) struct WideSquare(pub(crate) Square);

/// Two fields and two links of four bytes each: the published 16 bytes, with room for the score
/// that the source mentions beside the move.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Node16 {
    to: WideSquare,
    mv: u32,
    next: [u32; 2],
}

impl Node for Node16 {
    type Moves = Move;

    #[inline(always)]
    fn to(&self) -> Square {
        self.to.0
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
        published_bytes: CARD.published_bytes,
        ..OURS
    };
    type Head = u16;

    fn new(entry: &Entry, links: [u16; 2]) -> Node16 {
        let mv = Move::new(entry.from, entry.to).bits();
        Node16 { to: WideSquare(entry.to), mv: mv.into(), next: links.map(u32::from) }
    }

    #[inline(always)]
    fn next(&self, occupied: bool) -> usize {
        self.next[usize::from(occupied)] as usize
    }
}

/// Square and move in four bytes, then both links.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct PackedNode<L, T = Square> {
    to: T,
    mv: Move,
    links: L,
}

/// The stored form of a target, in one byte.
pub trait Target: Copy + Send + Sync + 'static {
    /// The form of a square.
    fn of(square: Square) -> Self;
    /// The byte: the number of a square, unless the target marks the end of a list.
    fn byte(self) -> u8;
}

impl Target for Square {
    fn of(square: Square) -> Square {
        square
    }
    #[inline(always)]
    fn byte(self) -> u8 {
        self.number()
    }
}

impl<L, T: Target> PackedNode<L, T> {
    /// The node of an entry with these links.
    pub fn of(entry: &Entry, links: L) -> PackedNode<L, T> {
        PackedNode { to: T::of(entry.to), mv: Move::new(entry.from, entry.to), links }
    }

    /// A node at the end of a list, with a target that marks it.
    pub fn sentinel(to: T, links: L) -> PackedNode<L, T> {
        PackedNode { to, mv: Move::default(), links }
    }

    /// The stored target, which may be the mark of a sentinel.
    #[inline(always)]
    pub fn target(&self) -> T {
        self.to
    }

    /// The stored move, which has no meaning in a sentinel.
    #[inline(always)]
    pub fn stored_move(&self) -> Move {
        self.mv
    }

    /// The links to both successors.
    #[inline(always)]
    pub fn links(&self) -> &L {
        &self.links
    }
}

impl<L: Send + Sync + 'static> Node for PackedNode<L> {
    type Moves = Move;

    #[inline(always)]
    fn to(&self) -> Square {
        self.to
    }

    #[inline(always)]
    fn mv(&self, _: Square) -> Move {
        self.mv
    }
}

/// A node of 12 bytes, with two links of 32 bits.
pub(crate) type Node12 = PackedNode<[u32; 2]>;
/// A node of 8 bytes, with two links of 16 bits.
pub(crate) type Node8 = PackedNode<[u16; 2]>;
/// 8 bytes, with a branch between the links.
pub(crate) type BranchNode = PackedNode<BranchedLinks>;
/// 8 bytes, both links in one word.
pub(crate) type SelectNode = PackedNode<WordOfLinks>;

/// Both links of a [`PackedNode`], as indexes.
pub trait IndexLinks: Copy + Send + Sync + 'static {
    /// The card of the design with packed nodes and these links.
    const CARD: Card;
    /// The integer that stores a head, of another width than the links: see [`IndexNode::Head`].
    type Head: IndexHead;

    /// The link if the target is empty, then the link if it is occupied.
    fn new(links: [u16; 2]) -> Self;

    /// The index of the next node if the target is occupied, or if it is empty.
    fn next(&self, occupied: bool) -> usize;
}

impl<L: IndexLinks> IndexNode for PackedNode<L> {
    const CARD: Card = L::CARD;
    type Head = L::Head;

    fn new(entry: &Entry, links: [u16; 2]) -> PackedNode<L> {
        PackedNode::of(entry, L::new(links))
    }

    #[inline(always)]
    fn next(&self, occupied: bool) -> usize {
        self.links.next(occupied)
    }
}

impl IndexLinks for [u16; 2] {
    const CARD: Card =
        Card { id: "linked-list/index16", name: "Conditional linked list, 16-bit links", ..OURS };
    type Head = u32;

    fn new(links: [u16; 2]) -> [u16; 2] {
        links
    }

    #[inline(always)]
    fn next(&self, occupied: bool) -> usize {
        usize::from(self[usize::from(occupied)])
    }
}

impl IndexLinks for [u32; 2] {
    const CARD: Card = Card {
        id: "linked-list/index32-packed",
        name: "Conditional linked list, 32-bit links, packed",
        ..OURS
    };
    type Head = u16;

    fn new(links: [u16; 2]) -> [u32; 2] {
        links.map(u32::from)
    }

    #[inline(always)]
    fn next(&self, occupied: bool) -> usize {
        self[usize::from(occupied)] as usize
    }
}

/// The links of [`Node8`], of which a branch chooses one: what a program without the indexed load does.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct BranchedLinks([u16; 2]);

impl IndexLinks for BranchedLinks {
    const CARD: Card = Card {
        id: "linked-list/index16-branch",
        name: "Conditional linked list, 16-bit links, link by branch",
        control: Control::Mixed,
        ..OURS
    };
    type Head = u32;

    fn new(links: [u16; 2]) -> BranchedLinks {
        BranchedLinks(links)
    }

    #[inline(always)]
    fn next(&self, occupied: bool) -> usize {
        let BranchedLinks([if_empty, if_occupied]) = *self;
        // Opaque on each side, or the compiler would select an address and load from it behind the branch.
        if occupied {
            stay_a_branch();
            return opaque(if_occupied.into());
        }
        opaque(if_empty.into())
    }
}

/// Both 16-bit links in one word, which is loaded in parallel with the board byte: the dependency
/// chain has two loads instead of three, and a selection in registers.
///
/// The obvious form, two loads and a selection between the values, does not survive the compiler:
/// it merges them into one indexed load, which is [`Node8`] again. Two halves of one word are kept.
///
/// Low half: the link if the target is empty. High half: the link if it is occupied.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct WordOfLinks(u32);

impl IndexLinks for WordOfLinks {
    const CARD: Card = Card {
        id: "linked-list/select",
        name: "Conditional linked list, links selected in registers",
        reconstructed: "both links in one word, and heads of 16 bits instead of 32 because the selection is made \
                        in 32; everything else is linked-list/index16",
        ..OURS
    };
    // The links are 16 bits wide, but the selection is made in 32.
    type Head = u16;

    fn new([empty, occupied]: [u16; 2]) -> WordOfLinks {
        WordOfLinks(u32::from(empty) | u32::from(occupied) << 16)
    }

    #[inline(always)]
    fn next(&self, occupied: bool) -> usize {
        let (empty, blocked) = (self.0 & 0xffff, self.0 >> 16);
        select_unpredictable(occupied, blocked, empty) as usize
    }
}

/// The 8-byte node, whose move is computed from origin and target instead of read. It tests the
/// claim that a finished move in the node pays off. The unused field stays, so that table size and
/// addresses are those of [`Node8`].
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct NodeWithoutMove(Node8);

impl Node for NodeWithoutMove {
    type Moves = Move;

    #[inline(always)]
    fn to(&self) -> Square {
        self.0.to()
    }

    #[inline(always)]
    fn mv(&self, from: Square) -> Move {
        Move::new(from, self.0.to)
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
        NodeWithoutMove(IndexNode::new(entry, links))
    }

    #[inline(always)]
    fn next(&self, occupied: bool) -> usize {
        self.0.next(occupied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_core::Generator;
    use raywalk_core::two_way::{ENTRIES, PIECE_ENTRIES, SLIDER_ENTRIES};

    use crate::{Index16, Index16Branch, Index16NoMove, Index32, Index32Packed, Select};

    #[test]
    fn the_slider_tables_have_the_sizes_of_their_node_formats() {
        assert_eq!(SLIDER_ENTRIES * size_of::<Node16>(), 46_592);
        assert_eq!(SLIDER_ENTRIES * size_of::<Node12>(), 34_944);
        assert_eq!(SLIDER_ENTRIES * size_of::<Node8>(), 23_296);
        assert_eq!(SLIDER_ENTRIES * size_of::<NodeWithoutMove>(), 23_296);
        assert_eq!(SLIDER_ENTRIES * size_of::<SelectNode>(), 23_296);
        assert_eq!(PIECE_ENTRIES * size_of::<Node8>(), 29_344);
    }

    /// Asserts that a table has room for its nodes and heads alone, rounded up to whole cache
    /// lines.
    fn check_table_bytes<G: Generator>(node: usize, head: usize) {
        let design = G::build().expect("no feature is needed");
        let bytes = (ENTRIES * node + 9 * 64 * head).next_multiple_of(64);
        assert_eq!(design.table_bytes(), bytes, "{}", G::CARD.id);
    }

    #[test]
    fn a_table_consists_of_its_nodes_and_heads() {
        check_table_bytes::<Index32>(16, 2);
        check_table_bytes::<Index32Packed>(12, 2);
        check_table_bytes::<Index16>(8, 4);
        check_table_bytes::<Index16NoMove>(8, 4);
        check_table_bytes::<Index16Branch>(8, 4);
        check_table_bytes::<Select>(8, 2);
    }
}
