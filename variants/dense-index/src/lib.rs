//! The dense index list: a node is one 32-bit word, and the code of a square is the shift that picks
//! the successor out of it.
//!
//! # Source
//! Posted by ZirconiumX, whom the Chess Programming Wiki cites as Matthew R. Brades, in the Computer
//! Chess Club on 8 September 2012, with nodes of 64 bits. The 32-bit word is Gerd Isenberg's reply
//! in the same thread, now on the wiki under *Table-driven Move Generation*.
//!
//! # Layout
//! ```text
//! 31                 20 19                  8 7          0
//! |  next if occupied  |    next if empty    |   target   |
//! ```
//! An empty square is coded 01000, a white piece 10101, a black one 10110. Bits 2 to 4 of the code are
//! a number, 8 or 20, and that is where the wanted successor begins. So no test and no array stands
//! between the square and the next node, only a shift. Index 0 ends a list. It may still be the
//! first node of one, because no link ever names the first node of any list.
//!
//! The three sliders have 2,912 nodes, 11,648 bytes: a quarter of the same lists with the pointers
//! of 2012 and a sixth of those with pointers of today. All pieces of both colours have 3,948, which
//! twelve bits still count. The heads, 1,152 bytes, are part of the table here.
//!
//! # The loop
//! Two loads, one store and one branch per square, the end of the list. The chain from node to node
//! is two loads and four steps of arithmetic: board byte and word cannot be had at once, because
//! the word says which byte. [`Prefetch`] and [`RegisterOccupancy`] cut that chain at one place
//! each; [`LockStep`] walks two pieces at once; [`FixedTrip`] has no exit branch at all.
//!
//! # Then and now
//! Its author expected unpacking to cost a little. Today the table is a third of a first-level
//! cache of 48 KiB, so space is no longer what it is about. Mispredictions are few, about one per
//! piece, and each is dear: the end of a list is known only after its whole chain, and a wrong guess
//! waits for all of it.
//!
//! # Variants
//! All walk the same lists. [`Words64`] has the original wide nodes. [`ThreeLoops`] gives knights
//! and kings a loop of their own, as the wiki says is needed; [`OneTable`] has one loop for all pieces,
//! pawns included.

mod fixed_trip;
mod lock_step;
mod node;
mod one_table;
mod sight;
mod step;
mod table;
mod variants;
mod walk;

pub use fixed_trip::FixedTrip;
pub use lock_step::LockStep;
pub use node::Node;
pub use one_table::OneTable;
pub use sight::{BoardByte, OccupancyWord, Sight};
pub use step::{Ahead, Indexed, Step};
pub use table::Table;
pub use variants::{
    Prefetch, RegisterOccupancy, ThreeLoops, Variant, WithOccupancy, WithPrefetch, WithThreeLoops,
    WithWords32, WithWords64, Words32, Words64,
};
pub use walk::{DenseBoard, DenseIndex};

raywalk_core::entries!(
    Words32,
    Words64,
    OneTable,
    ThreeLoops,
    Prefetch,
    RegisterOccupancy,
    LockStep,
    FixedTrip,
);
