//! The conditional linked list: one chain of nodes per piece and square, with two links per node.
//! The board byte selects the link to follow.
//!
//! # Source
//! Chess Programming Wiki, *Table-driven Move Generation*, section on conditional linked lists. The
//! section existed by September 2012. It is unsigned, presumably by Gerd Isenberg, and inspired by
//! Diep.
//!
//! # Layout
//! A node holds a target square, the finished move, and two successors: `[0]` if the target is
//! empty, the next square of the ray; `[1]` if it is occupied, the first square of the next ray.
//! The last links are null, so the list needs no sentinel node; the source says that this
//! redundancy pays off a little. Knights and kings have rays of length one. A pawn has a list of
//! pushes and a list of captures.
//!
//! # The loop
//! The walk always stores the move, counts it if the square allows it, and follows the link that
//! the square selects, until the link is null. The only branch per square is the end of the list,
//! which is mispredicted about once per piece. The price is latency. The next node depends on three
//! loads in a chain: the square from the node, the code from the board and the link from the node.
//! A predicted branch would let the core run ahead.
//!
//! # Then and now
//! The published size is 46,592 bytes for the three sliders, 16 bytes per node. That assumes 4-byte
//! pointers. With 8-byte pointers a node has 24 bytes and the sliders 69,888, more than a
//! first-level cache of 32 or 48 KiB. Indexes as links restore the intended size: 16 bytes
//! ([`Index32`]), 12 if square and move are packed ([`Index32Packed`]), 8 with 16-bit indexes
//! ([`Index16`]). All variants walk the same lists with the same loop and differ only in the node and, where it
//! must be, in the width of the heads: a head as wide as the links costs an instruction in the dependency chain.
//! Published sizes count the nodes of the sliders; `table_bytes` counts the nodes of all pieces and
//! the heads.
//!
//! Three more variants of [`Index16`] change one thing each: [`Index16NoMove`] computes the move instead of reading
//! it from the node, [`Index16Branch`] chooses the link by a branch, and [`Select`] loads both links as one word before
//! it knows which one to follow, so that its heads have the other width. [`Sherwin`] has Michael Sherwin's structures:
//! no move, and no lists for queens, which walk those of a bishop and a rook.
//!
//! # The end of a list
//! The source claims that null links pay off a little against sentinel nodes, which must be read to be
//! recognised; GNU Chess claims nothing and ends its lists with the origin. [`Index16`] ends at an index
//! that no node has. Four variants have its nodes, in the same places, and end otherwise:
//!
//! | design | a list ends | and the loop compares |
//! |---|---|---|
//! | [`Index16`] | with a null link | the link with the number of nodes |
//! | [`EndZero`] | with the link 0 | the link with 0 |
//! | [`EndMinusOne`] | at a sentinel node whose square is −1 | the next square with −1 |
//! | [`EndOrigin`] | at a sentinel node whose square is the origin | the next square with the origin |
//! | [`EndCount`] | after a number of nodes, kept in its head | the link with the end in a register |
//!
//! With the last form the link for an empty square always leads to the next node; [`ImplicitNext`] does not store it.
//!
//! The source lets the move in a node carry a score and marks captures with the captured piece. Six variants of
//! [`Index32`] write other words than the 16-bit move, or to two lists; module `words` lists them.
//!
//! # Linked pieces
//! [`Legal`] reverses the roles: its links join the pieces on the board and change with every move. It is the only
//! legal design of the crate, and counts moves without a list; module `pieces` tells how.
//!
//! # Ownership
//! Nodes that refer to each other by address must never move, so [`Pointer`] leaks about 95 KB each
//! time it is built. In exchange its links are `Option<&'static Node>`, which is the nullable
//! pointer of the source. These variants read nodes by links that were checked when the table was built:
//! a mask or a second comparison would be part of what is compared.

mod cards;
#[allow(
    unsafe_code,
    reason = "a check per node costs a comparison, and a mask would be part of the dependency chain"
)]
mod endings;
#[allow(unsafe_code, reason = "a check per node costs a comparison")]
mod implicit;
#[allow(
    unsafe_code,
    reason = "heads are checked when the table is built, and pointers need no check either"
)]
mod index;
mod nodes;
mod pieces;
mod pointer;
#[allow(
    unsafe_code,
    reason = "a check per node costs a comparison, and a mask would be part of the dependency chain"
)]
mod sherwin;
mod walk;
mod words;

use endings::{Count, EndTable, MinusOne, Origin, Zero};
use implicit::ImplicitTable;
use index::IndexTable;
use nodes::{BranchNode, Node8, Node12, Node16, NodeWithoutMove, SelectNode};
pub use pieces::{Legal, LinkedPieces};
use pointer::PointerTable;
use raywalk_core::two_way::ENTRIES;
use sherwin::SherwinTable;
pub use walk::LinkedList;
use words::{Captured, ScoredByLookup, ScoredInNode, Split, Streamed, Wide, WordNode};

/// 24-byte nodes with pointers: the published design on a 64-bit machine.
pub type Pointer = LinkedList<PointerTable>;
/// 16-byte nodes with 32-bit indexes: the published size.
pub type Index32 = LinkedList<IndexTable<Node16>>;
/// 12-byte nodes with 32-bit indexes.
pub type Index32Packed = LinkedList<IndexTable<Node12>>;
/// 8-byte nodes with 16-bit indexes.
pub type Index16 = LinkedList<IndexTable<Node8>>;
/// The nodes of [`Index16`], with the move computed from origin and target.
pub type Index16NoMove = LinkedList<IndexTable<NodeWithoutMove>>;
/// The nodes of [`Index16`], with a branch that chooses the link.
pub type Index16Branch = LinkedList<IndexTable<BranchNode>>;
/// 8-byte nodes that store both links in one word and select between them in a register.
pub type Select = LinkedList<IndexTable<SelectNode>>;

/// The nodes of [`Index32`], with the four bytes of the move written as they are.
pub type Index32Wide = LinkedList<IndexTable<WordNode<Wide>>>;
/// [`Index32Wide`] with the captured piece in the move.
pub type Index32Captured = LinkedList<IndexTable<WordNode<Captured>>>;
/// [`Index32Wide`] with a score in the node.
pub type Index32Scored = LinkedList<IndexTable<WordNode<ScoredInNode>>>;
/// [`Index32Scored`] with the score looked up.
pub type Index32ScoreLookup = LinkedList<IndexTable<WordNode<ScoredByLookup>>>;
/// [`Index32Wide`] with a list that is written past the caches.
pub type Index32Streamed = LinkedList<IndexTable<WordNode<Streamed>>>;
/// [`Index32`] with captures and other moves in two lists.
pub type Index32TwoLists = LinkedList<IndexTable<WordNode<Split>>>;

/// [`Index16`] with lists that end with the link 0.
pub type EndZero = LinkedList<EndTable<Zero, ENTRIES>>;
/// [`Index16`] with lists that end at a sentinel whose square is −1.
pub type EndMinusOne = LinkedList<EndTable<MinusOne, { ENTRIES + 1 }>>;
/// [`Index16`] with lists that end at a sentinel whose square is the origin.
pub type EndOrigin = LinkedList<EndTable<Origin, { ENTRIES + 64 }>>;
/// [`Index16`] with lists that end after a number of nodes.
pub type EndCount = LinkedList<EndTable<Count, ENTRIES>>;
/// [`EndCount`] without the link for an empty square, which always leads to the next node.
pub type ImplicitNext = LinkedList<ImplicitTable>;
/// 6-byte nodes without a move, 0 as the end, and two lists for each queen.
pub type Sherwin = LinkedList<SherwinTable>;

raywalk_core::entries!(
    Pointer,
    Index32,
    Index32Packed,
    Index16,
    Index16NoMove,
    Index16Branch,
    Select,
    EndZero,
    EndMinusOne,
    EndOrigin,
    EndCount,
    ImplicitNext,
    Sherwin,
    Index32Wide,
    Index32Captured,
    Index32Scored,
    Index32ScoreLookup,
    Index32Streamed,
    Index32TwoLists,
    Legal: Counting,
);
