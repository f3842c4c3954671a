//! The table of a design: all nodes, and the head of each list.

use raywalk_core::two_way::{ENTRIES, Heads, TwoWayLists};
use raywalk_core::{Square, opaque};

use crate::node::{Halves, Node};

/// Number of places in a table: as many as a 12-bit link can address, so that a mask replaces the
/// bounds check.
pub(crate) const PLACES: usize = 4_096;

/// The index of the first of the 64 terminators, see [`Table::with_terminators`].
pub(crate) const TERMINATORS: usize = 0xfc0;
const _: () = assert!(TERMINATORS >= ENTRIES && TERMINATORS + 64 == PLACES);

/// All nodes and the index of the first node of each list, in one block. Places without a node are
/// never read.
#[repr(C, align(64))]
pub struct Table<N> {
    nodes: [N; PLACES],
    heads: Heads<u16>,
    used: usize,
}

impl<N: Node> Table<N> {
    /// The lists of all pieces, each ended by index 0.
    pub fn new() -> Box<Table<N>> {
        Table::ending(|_| 0)
    }

    /// The lists of all pieces, each ended by a terminator: a node with both links to itself and
    /// the piece's own square as its target. A walk may stay on it for any number of steps, because
    /// no stage keeps a move to a square with an own piece. The terminator of origin *n* is node
    /// 0xfc0 + *n*. The terminators fill the last 64 places, behind the 3,948 nodes of the lists.
    pub fn with_terminators() -> Box<Table<N>> {
        let terminator = |from: Square| TERMINATORS as u16 | u16::from(from.number());
        let mut table = Table::<N>::ending(terminator);
        for from in Square::all() {
            let own = terminator(from);
            table.nodes[usize::from(own)] = N::pack(from, own, own);
        }
        table.used = ENTRIES + 64;
        table
    }

    /// The lists, where `end` gives the link that ends the lists from a square.
    fn ending(end: impl Fn(Square) -> u16) -> Box<Table<N>> {
        let TwoWayLists { entries, heads } = TwoWayLists::new();
        let nodes = std::array::from_fn(|index| match entries.get(index) {
            Some(entry) => {
                let [empty, occupied] = entry.next.map(|next| next.unwrap_or(end(entry.from)));
                N::pack(entry.to, empty, occupied)
            }
            None => N::pack(Square::from_low_bits(0), 0, 0),
        });
        Box::new(Table { nodes, heads, used: ENTRIES })
    }

    /// The node at `index` modulo 4,096.
    #[inline(always)]
    pub fn node(&self, index: usize) -> N {
        self.nodes[index % PLACES]
    }

    /// The index of the first node of each list.
    #[inline(always)]
    pub fn heads(&self) -> &Heads<u16> {
        &self.heads
    }

    /// The head of the list from `from` in a row of [`Table::heads`]. It is masked here, outside
    /// the loop: knowing that it is in bounds, the compiler needs no mask at any step.
    #[inline(always)]
    pub fn head(row: &[u16; 64], from: Square) -> usize {
        usize::from(row[from.index()]) % PLACES
    }

    /// Bytes of the nodes in use, terminators included, and of the heads.
    pub fn bytes(&self) -> usize {
        self.used * size_of::<N>() + size_of::<Heads<u16>>()
    }
}

impl Table<Halves> {
    /// One link of the node at `index` modulo 4,096, read from memory by a second index.
    #[inline(always)]
    pub fn link(&self, index: usize, occupied: usize) -> usize {
        // The index is opaque: the compiler would else shift the node, which is in a register already.
        self.nodes[index % PLACES].link(opaque(occupied) % 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_core::two_way::{PIECE_ENTRIES, SLIDER_ENTRIES};
    use raywalk_core::{Color, Kind};

    #[test]
    fn the_tables_have_the_published_sizes() {
        assert_eq!(SLIDER_ENTRIES * size_of::<u32>(), 11_648);
        assert_eq!(PIECE_ENTRIES * size_of::<u32>(), 14_672);
        assert_eq!(ENTRIES * size_of::<u32>(), 15_792);
        assert_eq!(SLIDER_ENTRIES * size_of::<u64>(), 23_296);
        assert_eq!(size_of::<Heads<u16>>(), 3 * 384);
        assert_eq!(size_of::<Heads<u32>>(), 3 * 768);
        assert_eq!(Table::<u32>::new().bytes(), 15_792 + 1_152);
        assert_eq!(Table::<u32>::with_terminators().bytes(), 15_792 + 256 + 1_152);
    }

    /// Node 0 need not be reserved: zero ends a list only as a successor, and no successor names
    /// the first node of any list, node 0 included.
    #[test]
    fn no_successor_names_a_head_so_node_0_is_usable() {
        let table = Table::<u32>::new();
        let mut is_head = [false; PLACES];
        let mut mark =
            |row: &[u16; 64]| row.iter().for_each(|&head| is_head[usize::from(head)] = true);
        Kind::PIECES.into_iter().for_each(|kind| mark(table.heads.pieces(kind)));
        for color in Color::ALL {
            mark(table.heads.pushes(color));
            mark(table.heads.captures(color));
        }
        assert_eq!(
            table.heads.pieces(Kind::Queen)[0],
            0,
            "the list of the queen on a1 begins at node 0"
        );
        assert_ne!(table.node(0).if_empty(), 0);
        let ends = |link: usize| link == 0;
        for node in (0..ENTRIES).map(|index| table.node(index)) {
            for link in [node.if_empty(), node.if_occupied()] {
                assert!(ends(link) || !is_head[link], "{link}");
            }
        }
    }

    #[test]
    fn a_terminator_links_to_itself_and_targets_its_own_square() {
        let table = Table::<u32>::with_terminators();
        for from in Square::all() {
            let index = TERMINATORS + from.index();
            let node = table.node(index);
            assert_eq!((node.to(), node.if_empty(), node.if_occupied()), (from, index, index));
        }
    }
}
