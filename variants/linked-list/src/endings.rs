//! Other ends of a list: the nodes of the 8-byte form, linked by 16-bit indexes, with four ways to recognise that a
//! walk is over.
//!
//! Each loop has one comparison and one branch per node, as the null link has. What differs is what is compared,
//! how early it is known, and what has to be read for it: a sentinel's square comes with a further load, which a
//! link or an index does not need. All loops hold indexes and squares in registers of full width. The compiler would
//! else carry some of them in eight or sixteen bits and extend them again before every use.

use std::hint::assert_unchecked;

use raywalk_core::two_way::{ENTRIES, Entry, Heads, TwoWayLists};
use raywalk_core::{Card, Context, Move, Square, opaque};

use crate::cards::OURS;
use crate::nodes::{PackedNode, Target};
use crate::walk::{Place, Table};

/// The 8-byte node, with one form of target.
type NodeOf<E> = PackedNode<[u16; 2], <E as Ending>::Target>;

/// A way to end a list.
pub trait Ending: Sized + Send + Sync + 'static {
    /// The card of the design.
    const CARD: Card;
    /// Whether a list ends at a sentinel, which its square tells from a target.
    const HAS_SENTINEL: bool;
    /// The stored form of a square.
    type Target: Target;

    /// The last link of the list of `entry`, which ends before entry number `end`.
    fn last_link(entry: &Entry, end: u16) -> u16;

    /// The sentinel nodes, which follow the nodes of all lists.
    fn sentinels() -> Vec<NodeOf<Self>> {
        Vec::new()
    }

    /// The head of a list of `count` nodes: four bytes, as in the null form.
    fn head(first: u16, _count: u16) -> u32 {
        first.into()
    }

    /// The index of the first node.
    #[inline(always)]
    fn first(head: u32) -> usize {
        head as usize
    }

    /// What ends the list of a piece on `from`: the last link, or the square of the sentinel.
    fn end(head: u32, from: Square) -> usize;
}

/// The fields that the cards share.
const CONTROL: Card = Card {
    source: "Raywalk: a control for linked-list/index16, not published elsewhere",
    reconstructed: "only the end of a list differs from linked-list/index16",
    ..OURS
};

/// The link 0, which no list needs, because no link leads to the first node of a list.
pub struct Zero;

impl Ending for Zero {
    const CARD: Card = Card {
        id: "linked-list/end-zero",
        name: "Conditional linked list, ended by index 0",
        ..CONTROL
    };
    const HAS_SENTINEL: bool = false;
    type Target = Square;

    fn last_link(_: &Entry, _: u16) -> u16 {
        0
    }

    #[inline(always)]
    fn end(_: u32, _: Square) -> usize {
        0
    }
}

/// The number of nodes, from which the walk computes the index behind the last one.
pub struct Count;

impl Ending for Count {
    const CARD: Card = Card {
        id: "linked-list/end-count",
        name: "Conditional linked list, ended by a count",
        ..CONTROL
    };
    const HAS_SENTINEL: bool = false;
    type Target = Square;

    fn last_link(_: &Entry, end: u16) -> u16 {
        end
    }

    /// The count in the low eight bits: a queen's list has 27 nodes at most.
    fn head(first: u16, count: u16) -> u32 {
        u32::from(first) << 8 | u32::from(count)
    }

    #[inline(always)]
    fn first(head: u32) -> usize {
        (head >> 8) as usize
    }

    #[inline(always)]
    fn end(head: u32, _: Square) -> usize {
        Self::first(head) + (head & 0xff) as usize
    }
}

/// A square, or −1 for the sentinel.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct SquareOrEnd(i8);

impl SquareOrEnd {
    const END: SquareOrEnd = SquareOrEnd(-1);
}

impl Target for SquareOrEnd {
    fn of(square: Square) -> SquareOrEnd {
        SquareOrEnd(square.number() as i8)
    }

    #[inline(always)]
    fn byte(self) -> u8 {
        self.0 as u8
    }
}

/// One sentinel for all lists, whose square is −1.
pub struct MinusOne;

impl Ending for MinusOne {
    const CARD: Card = Card {
        id: "linked-list/end-minus-one",
        name: "Conditional linked list, ended by square −1",
        ..CONTROL
    };
    const HAS_SENTINEL: bool = true;
    type Target = SquareOrEnd;

    fn last_link(_: &Entry, _: u16) -> u16 {
        ENTRIES as u16
    }

    fn sentinels() -> Vec<NodeOf<MinusOne>> {
        vec![PackedNode::sentinel(SquareOrEnd::END, [0; 2])]
    }

    #[inline(always)]
    fn end(_: u32, _: Square) -> usize {
        usize::from(SquareOrEnd::END.byte())
    }
}

/// A sentinel for each origin, whose square is the origin, as in GNU Chess.
pub struct Origin;

impl Ending for Origin {
    const CARD: Card = Card {
        id: "linked-list/end-origin",
        name: "Conditional linked list, ended by the origin",
        ..CONTROL
    };
    const HAS_SENTINEL: bool = true;
    type Target = Square;

    fn last_link(entry: &Entry, _: u16) -> u16 {
        ENTRIES as u16 + u16::from(entry.from.number())
    }

    fn sentinels() -> Vec<NodeOf<Origin>> {
        Square::all().map(|origin| PackedNode::sentinel(origin, [0; 2])).collect()
    }

    #[inline(always)]
    fn end(_: u32, from: Square) -> usize {
        from.index()
    }
}

/// All nodes with the sentinels of one ending, and the head of each list.
#[repr(C, align(64))]
pub struct EndTable<E: Ending, const NODES: usize> {
    nodes: [NodeOf<E>; NODES],
    heads: Heads<u32>,
}

/// A node, and its target where that is compared: read once for the comparison and for the board.
pub struct At<'table, E: Ending> {
    node: &'table NodeOf<E>,
    target: usize,
}

// Written by hand, because a derive would require `E: Clone`.
impl<E: Ending> Clone for At<'_, E> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<E: Ending> Copy for At<'_, E> {}

impl<E: Ending> Place for At<'_, E> {
    type Moves = Move;

    #[inline(always)]
    fn to(self) -> Square {
        let target = if E::HAS_SENTINEL { self.target } else { self.node.target().byte().into() };
        // SAFETY: only the target of a sentinel can be above 63, and a walk never gets to hold one. A mask would be
        // part of the dependency chain of two of the four ends.
        unsafe { assert_unchecked(target < 64) };
        Square::from_low_bits(target as u32)
    }

    #[inline(always)]
    fn word(self, _: Square, _: &Context) -> Move {
        self.node.stored_move()
    }
}

impl<E: Ending, const NODES: usize> EndTable<E, NODES> {
    /// The node with this index, which is that of a head, or a link that is not the last one.
    #[inline(always)]
    fn at(&self, index: usize) -> At<'_, E> {
        debug_assert!(index < NODES, "heads and links lead to nodes");
        // SAFETY: `new` has checked every head, and every link unless it is a last one that leads to no node; such a
        // link is recognised and not followed.
        let node = unsafe { self.nodes.get_unchecked(index) };
        let target = if E::HAS_SENTINEL { opaque(node.target().byte().into()) } else { 0 };
        At { node, target }
    }
}

impl<E: Ending, const NODES: usize> Table for EndTable<E, NODES> {
    const CARD: Card = E::CARD;
    type Moves = Move;
    type Place<'table> = At<'table, E>;
    type Head = u32;
    type End = usize;

    fn new() -> Box<EndTable<E, NODES>> {
        let lists = TwoWayLists::new();
        let mut nodes = Vec::with_capacity(NODES);
        for (index, entry) in lists.entries.iter().enumerate() {
            let end = index as u16 + rest(&lists, index);
            let link = |next: Option<u16>| {
                let link = next.unwrap_or_else(|| E::last_link(entry, end));
                let leads_to_a_node = next.is_some() || E::HAS_SENTINEL;
                assert!(!leads_to_a_node || usize::from(link) < NODES, "a link leads to a node");
                link
            };
            nodes.push(PackedNode::of(entry, entry.next.map(link)));
        }
        nodes.extend(E::sentinels());
        let head = |first: u16| {
            assert!(usize::from(first) < ENTRIES, "a head leads to a node");
            E::head(first, rest(&lists, first.into()))
        };
        let heads = lists.heads.map(head);
        let nodes: Box<[NodeOf<E>; NODES]> =
            nodes.into_boxed_slice().try_into().ok().expect("as many nodes as the type says");
        Box::new(EndTable { nodes: *nodes, heads })
    }

    #[inline(always)]
    fn heads(&self) -> &Heads<u32> {
        &self.heads
    }

    #[inline(always)]
    fn first(&self, head: u32) -> At<'_, E> {
        self.at(E::first(head))
    }

    #[inline(always)]
    fn end(&self, head: u32, from: Square) -> usize {
        E::end(head, from)
    }

    #[inline(always)]
    fn next<'table>(
        &'table self,
        place: At<'table, E>,
        occupied: bool,
        end: usize,
    ) -> Option<At<'table, E>> {
        let link = opaque(place.node.links()[usize::from(occupied)].into());
        if !E::HAS_SENTINEL && link == end {
            return None;
        }
        let next = self.at(link);
        if E::HAS_SENTINEL && next.target == end { None } else { Some(next) }
    }
}

/// The number of entries from `index` to the end of its list: the last entry of a list has no link.
pub(crate) fn rest(lists: &TwoWayLists, index: usize) -> u16 {
    let before_last = |entry: &&Entry| entry.next[0].is_some();
    lists.entries[index..].iter().take_while(before_last).count() as u16 + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EndCount, EndMinusOne, EndOrigin, EndZero, Index16};
    use raywalk_core::{Color, Generator, Kind};

    /// The squares of a walk over the empty board, which visits every node of a list, and over a full one, which visits
    /// the first of each ray.
    fn squares<'t, E: Ending, const NODES: usize>(
        table: &'t EndTable<E, NODES>,
        head: u32,
        from: Square,
        occupied: bool,
    ) -> Vec<Square> {
        let end = table.end(head, from);
        let next = |&at: &At<'t, E>| table.next(at, occupied, end);
        std::iter::successors(Some(table.first(head)), next).map(Place::to).collect()
    }

    fn an_ending_ends_every_list<E: Ending, const NODES: usize>() {
        let (table, lists) = (EndTable::<E, NODES>::new(), TwoWayLists::new());
        let mut visited = 0;
        for from in Square::all() {
            for kind in Kind::PIECES {
                let head = table.heads.pieces(kind)[from.index()];
                let first = usize::from(lists.heads.pieces(kind)[from.index()]);
                let list = &lists.entries[first..][..usize::from(rest(&lists, first))];
                let all: Vec<_> = list.iter().map(|entry| entry.to).collect();
                assert_eq!(squares(&table, head, from, false), all, "{} {from}", E::CARD.id);
                let steps = kind.steps().iter();
                let firsts: Vec<_> = steps.filter_map(|&(f, r)| from.offset(f, r)).collect();
                assert_eq!(squares(&table, head, from, true), firsts, "{} {from}", E::CARD.id);
                visited += all.len();
            }
            if !(8..56).contains(&from.number()) {
                continue;
            }
            for color in Color::ALL {
                for heads in [table.heads.pushes(color), table.heads.captures(color)] {
                    visited += squares(&table, heads[from.index()], from, false).len();
                }
            }
        }
        assert_eq!(visited, ENTRIES, "{}", E::CARD.id);
    }

    #[test]
    fn every_ending_ends_every_list_behind_its_last_node() {
        an_ending_ends_every_list::<Zero, ENTRIES>();
        an_ending_ends_every_list::<Count, ENTRIES>();
        an_ending_ends_every_list::<MinusOne, { ENTRIES + 1 }>();
        an_ending_ends_every_list::<Origin, { ENTRIES + 64 }>();
    }

    #[test]
    fn the_tables_differ_by_their_sentinels_alone() {
        fn bytes<G: Generator>() -> usize {
            G::build().expect("no feature is needed").table_bytes()
        }
        // 33,888 bytes of nodes and heads, rounded up to whole cache lines.
        let null = bytes::<Index16>();
        assert_eq!(null, 33_920);
        assert_eq!([bytes::<EndZero>(), bytes::<EndCount>()], [null; 2]);
        assert_eq!(bytes::<EndMinusOne>(), null);
        assert_eq!(bytes::<EndOrigin>(), null + 64 * 8);
    }
}
