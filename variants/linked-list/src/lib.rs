//! The conditional linked list: one chain of nodes per piece and square, two links per node, and the
//! board byte as the index that picks one of them.
//!
//! # Source
//! Chess Programming Wiki, *Table-driven Move Generation*, section on conditional linked lists, in
//! place by September 2012, unsigned and presumably Gerd Isenberg's; inspired by Diep.
//!
//! # Layout
//! A node holds a target square, the finished move, and two successors: `[0]` if the target is empty,
//! the next square of the ray; `[1]` if it is not, the first square of the next ray. The last links
//! are null. No sentinel node is needed, because the end is seen in the link itself; the source
//! says of this redundancy that it pays off a little. Knights and kings are rays of length one. A
//! pawn has a list of pushes and a list of captures.
//!
//! # The loop
//! Store the move always, count it if the square allows it, take the link that the square selects,
//! until the link is null. One branch per square is left, the end of the list, and it goes wrong
//! about once per piece. What branch-free costs is latency: the square must be loaded from the node,
//! the code from the board and the link from the node again before the next node is known, three
//! loads in a chain, where a predicted branch would have run ahead.
//!
//! # Then and now
//! The published size is 46,592 bytes for the three sliders, 16 bytes per node. That holds for
//! pointers of four bytes; with eight it is 24 bytes and 69,888, more than a first-level cache of
//! 32 or 48 KiB. Links that are indexes restore the intent: 16 bytes ([`Index32`]), 12 if square
//! and move are packed ([`Index32Packed`]), 8 with 16-bit indexes ([`Index16`]). All of them walk
//! the same lists with the same loop, so what differs between two of them is the node. Published
//! sizes count nodes of sliders; `table_bytes` counts the nodes of all pieces and the heads.
//!
//! Two more change one thing each: [`Index16NoMove`] puts the move together instead of reading it
//! from the node, and [`Select`] reads both links in one word, before it knows which is wanted.
//!
//! # Ownership
//! Nodes that point at each other live at one address for ever, so [`Pointer`] leaks its table when
//! it is built: about 95 KB once per build. In exchange its links are `Option<&'static Node>`,
//! which is the pointer with null at the end that the source describes, and no line of this crate
//! is `unsafe`.

mod index;
mod nodes;
mod pointer;
mod walk;

pub use index::{Index, IndexNode, IndexTable};
pub use nodes::{Link, Node8, Node12, Node16, NodeWithoutMove, PackedNode, SelectNode};
pub use pointer::{PointerNode, PointerTable};
pub use walk::{LinkedList, Node, Table};

/// 24-byte nodes with pointers: the source's design on a machine of today.
pub type Pointer = LinkedList<PointerTable>;
/// 16-byte nodes with 32-bit indexes: the published size.
pub type Index32 = LinkedList<IndexTable<Node16>>;
/// 12-byte nodes with 32-bit indexes.
pub type Index32Packed = LinkedList<IndexTable<Node12>>;
/// 8-byte nodes with 16-bit indexes.
pub type Index16 = LinkedList<IndexTable<Node8>>;
/// The nodes of [`Index16`], but the move is put together from its two squares.
pub type Index16NoMove = LinkedList<IndexTable<NodeWithoutMove>>;
/// 8-byte nodes whose two links are one word, read beside the board and then selected.
pub type Select = LinkedList<IndexTable<SelectNode>>;

raywalk_core::entries!(Pointer, Index32, Index32Packed, Index16, Index16NoMove, Select);
