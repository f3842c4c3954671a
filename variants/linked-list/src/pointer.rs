//! Links as pointers, as published.

use raywalk_core::two_way::{ENTRIES, Heads, TwoWayLists};
use raywalk_core::{Card, Move, Square};

use crate::cards::CARD;
use crate::nodes::PackedNode;
use crate::walk::Table;

/// 24 bytes on a 64-bit machine.
pub(crate) type PointerNode = PackedNode<PointerLinks>;

/// The successor if the target is empty, then the successor if it is occupied.
#[repr(transparent)]
pub struct PointerLinks([Option<&'static PointerNode>; 2]);

#[repr(C, align(64))]
struct Nodes([PointerNode; ENTRIES]);

/// Pointers to the first node of each list. The nodes lie in one block elsewhere, which is never
/// freed.
#[repr(C)]
pub struct PointerTable {
    heads: Heads<&'static PointerNode>,
}

impl Table for PointerTable {
    const CARD: Card = CARD;
    type Moves = Move;
    type Place<'table> = &'table PointerNode;
    type Head = &'static PointerNode;
    type End = ();

    fn new() -> Box<PointerTable> {
        let lists = TwoWayLists::new();
        let unlinked =
            |index: usize| PackedNode::of(&lists.entries[index], PointerLinks([None; 2]));
        let nodes = Box::leak(Box::new(Nodes(std::array::from_fn(unlinked))));
        // Every link points forward. Working backwards, each node is linked to finished nodes only,
        // and once it is shared it is never written again.
        let mut finished: Vec<Option<&'static PointerNode>> = vec![None; ENTRIES];
        for (index, (node, entry)) in nodes.0.iter_mut().zip(lists.entries.iter()).enumerate().rev()
        {
            let links = entry.next.map(|next| finished[usize::from(next?)]);
            *node = PackedNode::of(entry, PointerLinks(links));
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
    fn end(&self, _: &'static PointerNode, _: Square) {}

    #[inline(always)]
    fn next<'a>(
        &'a self,
        node: &'a PointerNode,
        occupied: bool,
        (): (),
    ) -> Option<&'a PointerNode> {
        node.links().0[usize::from(occupied)]
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

    use crate::nodes::Node16;
    use crate::walk::Node;
    use crate::{Index32, Pointer};

    #[test]
    fn a_pointer_node_has_24_bytes_and_the_sliders_69888() {
        assert_eq!(size_of::<PointerNode>(), 24);
        assert_eq!(SLIDER_ENTRIES * size_of::<PointerNode>(), 69_888);
        assert_eq!(PIECE_ENTRIES * size_of::<PointerNode>(), 88_032);
        let design = Pointer::build().expect("no feature is needed");
        let heads = 9 * 64 * size_of::<&PointerNode>();
        assert_eq!(design.table_bytes(), heads + 3_948 * 24);
    }

    #[test]
    fn the_published_size_holds_only_for_4_byte_pointers() {
        let published = Pointer::CARD.published_bytes.expect("a published size");
        assert_ne!(SLIDER_ENTRIES * size_of::<PointerNode>(), published);
        assert_eq!(SLIDER_ENTRIES * size_of::<Node16>(), published);
        // Two fields of four bytes, and two links as wide as a 4-byte pointer.
        assert_eq!(size_of::<Node16>(), 2 * size_of::<u32>() + 2 * size_of::<u32>());
        assert_eq!(Index32::CARD.published_bytes, Some(published));
    }

    /// 192 lists, one exception for each.
    #[test]
    fn the_link_along_the_ray_leads_to_the_following_node_except_at_the_end_of_a_list() {
        let table = PointerTable::new();
        let mut exceptions = 0;
        let mut sliders = 0;
        for kind in [Kind::Queen, Kind::Rook, Kind::Bishop] {
            for from in Square::all() {
                let mut next = Some(table.heads.pieces(kind)[from.index()]);
                while let Some(node) = next {
                    assert_eq!(node.mv(from), Move::new(from, node.to()));
                    next = node.links().0[0];
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
