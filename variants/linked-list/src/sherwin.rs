//! Michael Sherwin's structures: a target and two links, 0 as the end, and no lists for queens.
//!
//! He described them in 2018 and 2019 as the table of the conditional linked list in the form of structures with the
//! fields *to*, *next square* and *next direction*. A queen walks the list of a bishop and then that of a rook, which
//! saves half of the nodes and costs a second end of a list for each queen. The move is composed from origin and
//! target.

use raywalk_core::two_way::{ENTRIES, Entry, Heads, TwoWayLists};
use raywalk_core::{Card, Move, Square, opaque};

use crate::cards::CARD;
use crate::walk::{Node, Table};

/// Nodes of the queens, which come first among the lists and are left out.
const QUEENS: usize = 1_456;
/// Nodes of all other pieces.
const NODES: usize = ENTRIES - QUEENS;

/// A node of six bytes: the target, *next square* and *next direction*.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct SherwinNode {
    to: Square,
    /// *Next square* and *next direction*: an array, because the compiler makes a branch of a choice between two
    /// fields.
    next: [u16; 2],
}

impl Node for SherwinNode {
    type Moves = Move;

    #[inline(always)]
    fn to(&self) -> Square {
        self.to
    }

    #[inline(always)]
    fn mv(&self, from: Square) -> Move {
        Move::new(from, self.to)
    }
}

/// The nodes of all pieces but queens, and the index of the first node of each list.
#[repr(C, align(64))]
pub struct SherwinTable {
    nodes: [SherwinNode; NODES],
    heads: Heads<u32>,
}

impl SherwinTable {
    /// The node with this index, which is a head or a link other than 0.
    #[inline(always)]
    fn node(&self, index: usize) -> &SherwinNode {
        debug_assert!(index < NODES, "heads and links lead to nodes");
        // SAFETY: `new` has checked every head and every link.
        unsafe { self.nodes.get_unchecked(index) }
    }
}

impl Table for SherwinTable {
    const CARD: Card = Card {
        id: "linked-list/sherwin",
        name: "Conditional linked list, Sherwin's structures",
        author: "Michael Sherwin",
        year: Some(2018),
        source: "Michael Sherwin, Opinions requested for new move gen idea (2018) and Further progress on \
                 new move generator (2019), Computer Chess Club",
        published_bytes: None,
        reconstructed: "everything but the fields, the end by 0 and the two lists of a queen: widths, loop, \
                        knights, kings, pawns, promotions, castling, en passant",
        ..CARD
    };
    type Moves = Move;
    type Place<'table> = &'table SherwinNode;
    type Head = u32;
    type End = ();
    const QUEENS_HAVE_TWO_LISTS: bool = true;

    fn new() -> Box<SherwinTable> {
        let TwoWayLists { entries, heads } = TwoWayLists::new();
        // The index of an entry among the nodes; lists of queens, which no walk asks for, become the first list.
        let index = |entry: u16| {
            let index = usize::from(entry).saturating_sub(QUEENS);
            assert!(index < NODES, "heads and links lead to nodes");
            index as u16
        };
        let node = |entry: &Entry| SherwinNode {
            to: entry.to,
            next: entry.next.map(|next| next.map_or(0, index)),
        };
        let nodes = std::array::from_fn(|n| node(&entries[QUEENS + n]));
        Box::new(SherwinTable { nodes, heads: heads.map(|head| index(head).into()) })
    }

    #[inline(always)]
    fn heads(&self) -> &Heads<u32> {
        &self.heads
    }

    #[inline(always)]
    fn first(&self, head: u32) -> &SherwinNode {
        self.node(head as usize)
    }

    #[inline(always)]
    fn end(&self, _: u32, _: Square) {}

    #[inline(always)]
    fn next<'a>(
        &'a self,
        node: &'a SherwinNode,
        occupied: bool,
        (): (),
    ) -> Option<&'a SherwinNode> {
        // Opaque as in the other lists of indexes, so that the end is tested in one place.
        match opaque(node.next[usize::from(occupied)].into()) {
            0 => None,
            link => Some(self.node(link)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_core::Kind;

    #[test]
    fn a_node_has_six_bytes_and_queens_have_none() {
        assert_eq!(size_of::<SherwinNode>(), 6);
        assert_eq!(NODES, 560 + 896 + 336 + 420 + 2 * (48 + 8 + 84));
        let lists = TwoWayLists::new();
        for kind in Kind::PIECES {
            for from in Square::all() {
                let head = usize::from(lists.heads.pieces(kind)[from.index()]);
                assert_eq!(head < QUEENS, kind == Kind::Queen, "{kind:?} {from}");
            }
        }
    }

    #[test]
    fn no_link_leads_to_the_first_node_so_zero_is_free() {
        let lists = TwoWayLists::new();
        let links = lists.entries[QUEENS..].iter().flat_map(|entry| entry.next);
        assert!(links.flatten().all(|next| usize::from(next) > QUEENS));
    }
}
