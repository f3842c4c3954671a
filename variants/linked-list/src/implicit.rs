//! Implicit links (ours): the link for an empty square is not stored.
//!
//! The source says that this link almost always leads to the next element. If a list ends by a count instead of a null
//! link, it always does: the last node of a ray is followed by the first of the next ray, and the last node of a list
//! by the end. A node then holds its target, the move and one link, in three words of 16 bits. A place is the index of
//! a node's first word, because the index of a node would be multiplied by six.

use std::hint::select_unpredictable;

use raywalk_core::two_way::{ENTRIES, Heads, TwoWayLists};
use raywalk_core::{Card, Context, Move, Square, opaque};

use crate::cards::OURS;
use crate::endings::rest;
use crate::walk::{Place, Table};

/// Number of 16-bit words of a node.
const WORDS: usize = size_of::<ImplicitNode>() / size_of::<u16>();

/// All nodes and the head of each list: the place of its first node, shifted by eight, and its number of nodes.
#[repr(C, align(64))]
pub struct ImplicitTable {
    nodes: [ImplicitNode; ENTRIES],
    heads: Heads<u32>,
}

/// Three words: the target in one byte of the first, so that no mask is needed in front of the board.
#[derive(Clone, Copy)]
#[repr(C)]
struct ImplicitNode {
    to: Square,
    mv: Move,
    /// The place of the successor if the target is occupied.
    occupied: u16,
}

/// A node as a walk holds it.
#[derive(Clone, Copy)]
pub struct At<'table> {
    node: &'table ImplicitNode,
    place: usize,
}

impl Place for At<'_> {
    type Moves = Move;

    #[inline(always)]
    fn to(self) -> Square {
        self.node.to
    }

    #[inline(always)]
    fn word(self, _: Square, _: &Context) -> Move {
        self.node.mv
    }
}

impl ImplicitTable {
    /// The node at this place, which is that of a head, or a link that is not the last one.
    #[inline(always)]
    fn at(&self, place: usize) -> At<'_> {
        debug_assert!(place.is_multiple_of(WORDS), "heads and links lead to first words");
        debug_assert!(place <= WORDS * (ENTRIES - 1), "heads and links lead to nodes");
        // SAFETY: `new` makes every head and every link the place of a node, except those that lead to the end of their
        // list; such a link is recognised and not followed. A bounds check would be a second comparison in the walk.
        let node = unsafe { &*self.nodes.as_ptr().cast::<u16>().add(place).cast() };
        At { node, place }
    }
}

impl Table for ImplicitTable {
    const CARD: Card = Card {
        id: "linked-list/implicit-next",
        name: "Conditional linked list, next node implied",
        source: "Raywalk: a control for linked-list/end-count, not published elsewhere",
        reconstructed: "the link for an empty square is the next node and is not stored; the rest is \
                        linked-list/end-count",
        ..OURS
    };
    type Moves = Move;
    type Place<'table> = At<'table>;
    type Head = u32;
    type End = usize;

    fn new() -> Box<ImplicitTable> {
        let lists = TwoWayLists::new();
        let place = |index: u16| u16::try_from(WORDS * usize::from(index)).expect("16 bits");
        let node = |index: usize| {
            let entry = &lists.entries[index];
            let end = index as u16 + rest(&lists, index);
            let [empty, occupied] = entry.next.map(|next| next.unwrap_or(end));
            assert_eq!(usize::from(empty), index + 1, "the nodes of a list follow each other");
            assert!(occupied == end || usize::from(occupied) < ENTRIES, "a link leads to a node");
            ImplicitNode {
                to: entry.to,
                mv: Move::new(entry.from, entry.to),
                occupied: place(occupied),
            }
        };
        let head = |first: u16| {
            assert!(usize::from(first) < ENTRIES, "a head leads to a node");
            u32::from(place(first)) << 8 | u32::from(rest(&lists, first.into()))
        };
        let heads = lists.heads.map(head);
        Box::new(ImplicitTable { nodes: std::array::from_fn(node), heads })
    }

    #[inline(always)]
    fn heads(&self) -> &Heads<u32> {
        &self.heads
    }

    #[inline(always)]
    fn first(&self, head: u32) -> At<'_> {
        self.at((head >> 8) as usize)
    }

    #[inline(always)]
    fn end(&self, head: u32, _: Square) -> usize {
        (head >> 8) as usize + WORDS * (head & 0xff) as usize
    }

    #[inline(always)]
    fn next<'table>(
        &'table self,
        at: At<'table>,
        occupied: bool,
        end: usize,
    ) -> Option<At<'table>> {
        let link = opaque(at.node.occupied.into());
        let next = select_unpredictable(occupied, link, at.place + WORDS);
        (next != end).then(|| self.at(next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_core::Kind;

    fn targets(table: &ImplicitTable, head: u32, from: Square, occupied: bool) -> Vec<Square> {
        let end = table.end(head, from);
        let first = Some(table.first(head));
        std::iter::successors(first, |&at| table.next(at, occupied, end)).map(Place::to).collect()
    }

    #[test]
    fn a_node_leads_to_the_next_one_or_to_the_next_ray() {
        let table = ImplicitTable::new();
        let lists = TwoWayLists::new();
        for from in Square::all() {
            for kind in Kind::PIECES {
                let head = table.heads.pieces(kind)[from.index()];
                let first = usize::from(lists.heads.pieces(kind)[from.index()]);
                let list = &lists.entries[first..][..usize::from(rest(&lists, first))];
                assert_eq!(
                    targets(&table, head, from, false),
                    list.iter().map(|entry| entry.to).collect::<Vec<_>>()
                );
                let firsts = kind.steps().iter().filter_map(|&(f, r)| from.offset(f, r));
                assert_eq!(
                    targets(&table, head, from, true),
                    firsts.collect::<Vec<_>>(),
                    "{kind:?} {from}"
                );
            }
        }
        // Six bytes for each node instead of eight.
        assert_eq!(
            size_of::<ImplicitTable>(),
            (6 * ENTRIES + size_of::<Heads<u32>>()).next_multiple_of(64)
        );
    }
}
