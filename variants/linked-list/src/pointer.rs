//! Nodes with pointers, as the source has them.

use raywalk_core::two_way::{ENTRIES, Heads, TwoWayLists};
use raywalk_core::{Card, Control, Legality, Move, Square};

use crate::walk::{Node, Table};

/// The card of the source's design; the variants differ from it in what their names say.
pub(crate) const CARD: Card = Card {
    id: "linked-list/pointer",
    name: "Conditional linked list",
    author: "unsigned, presumably Gerd Isenberg; inspired by Vincent Diepeveen's Diep",
    year: Some(2012),
    source: "Chess Programming Wiki, Table-driven Move Generation: conditional linked list",
    control: Control::Branchless,
    legality: Legality::Pseudo,
    published_bytes: Some(46_592),
    needs: &[],
    reconstructed: "knights, kings, pawns, promotions, castling, en passant: the source shows \
                    sliders only. Its moves carry a capture mark, ours do not.",
};

/// Square, finished move, two pointers: 24 bytes where a pointer has eight.
#[repr(C)]
pub struct PointerNode {
    to: u8,
    mv: Move,
    /// Indexed by "is the target occupied?".
    next: [Option<&'static PointerNode>; 2],
}

impl Node for PointerNode {
    #[inline(always)]
    fn to(&self) -> u8 {
        self.to
    }

    #[inline(always)]
    fn mv(&self, _: Square) -> Move {
        self.mv
    }
}

#[repr(C, align(64))]
struct Nodes([PointerNode; ENTRIES]);

/// Pointers to the first nodes. The nodes themselves lie elsewhere, one behind the other, and are
/// never freed.
#[repr(C)]
pub struct PointerTable {
    heads: Heads<&'static PointerNode>,
}

impl Table for PointerTable {
    const CARD: Card = CARD;
    type Node = PointerNode;
    type Head = &'static PointerNode;

    fn new() -> Box<PointerTable> {
        let lists = TwoWayLists::new();
        let blank = |_| PointerNode { to: 0, mv: Move::from_bits(0), next: [None; 2] };
        let nodes = Box::leak(Box::new(Nodes(std::array::from_fn(blank))));
        // Every link points forward, so the last node is finished first, and once a node is
        // finished it is shared and never written again.
        let mut finished: Vec<Option<&'static PointerNode>> = vec![None; ENTRIES];
        for (index, (node, entry)) in nodes.0.iter_mut().zip(lists.entries.iter()).enumerate().rev()
        {
            *node = PointerNode {
                to: entry.to.number(),
                mv: Move::new(entry.from, entry.to),
                next: entry.next.map(|next| finished[usize::from(next?)]),
            };
            finished[index] = Some(node);
        }
        let head = |index| finished[usize::from(index)].expect("all nodes are finished");
        Box::new(PointerTable { heads: lists.heads.map(head) })
    }

    #[inline(always)]
    fn heads(&self) -> &Heads<&'static PointerNode> {
        &self.heads
    }

    #[inline(always)]
    fn first(&self, head: &'static PointerNode) -> &PointerNode {
        head
    }

    #[inline(always)]
    fn next<'a>(&'a self, node: &'a PointerNode, occupied: bool) -> Option<&'a PointerNode> {
        node.next[usize::from(occupied)]
    }

    fn bytes_elsewhere(&self) -> usize {
        size_of::<[PointerNode; ENTRIES]>()
    }
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::*;
    use raywalk_core::two_way::{PIECE_ENTRIES, SLIDER_ENTRIES};
    use raywalk_core::{Generator, Kind};

    use crate::{Index32, Node16, Pointer};

    #[test]
    fn a_node_with_pointers_has_24_bytes_and_the_sliders_69888() {
        assert_eq!(size_of::<PointerNode>(), 24);
        assert_eq!(SLIDER_ENTRIES * size_of::<PointerNode>(), 69_888);
        assert_eq!(PIECE_ENTRIES * size_of::<PointerNode>(), 88_032);
        let design = Pointer::build().expect("no feature is needed");
        let heads = 9 * 64 * size_of::<&PointerNode>();
        assert_eq!(design.table_bytes(), heads + 3_948 * 24);
    }

    #[test]
    fn the_published_size_holds_for_pointers_of_four_bytes_only() {
        let published = Pointer::CARD.published_bytes.expect("a published size");
        assert_ne!(SLIDER_ENTRIES * size_of::<PointerNode>(), published);
        assert_eq!(SLIDER_ENTRIES * size_of::<Node16>(), published);
        // Two fields of four bytes beside the links, whatever a link is.
        assert_eq!(size_of::<Node16>(), 2 * size_of::<u32>() + 2 * size_of::<u32>());
        assert_eq!(Index32::CARD.published_bytes, Some(published));
    }

    /// T16 of the claims: one exception per list.
    #[test]
    fn the_link_along_the_ray_is_the_following_node_except_at_the_end_of_a_list() {
        let table = PointerTable::new();
        let mut exceptions = 0;
        let mut sliders = 0;
        for kind in [Kind::Queen, Kind::Rook, Kind::Bishop] {
            for from in Square::all() {
                let mut next = Some(table.heads.pieces(kind)[from.index()]);
                while let Some(node) = next {
                    assert_eq!(node.mv, Move::new(from, Square::from_low_bits(node.to.into())));
                    next = node.next[0];
                    let following = std::ptr::from_ref(node).wrapping_add(1);
                    let follows = next.is_some_and(|next| std::ptr::eq(next, following));
                    exceptions += usize::from(!follows);
                    sliders += 1;
                }
            }
        }
        assert_eq!((sliders, exceptions), (2_912, 192));
    }
}
