//! The dense index list: each node is one 32-bit word, and the code of a square is the shift count
//! that extracts the successor from it.
//!
//! # Source
//! ZirconiumX, whom the Chess Programming Wiki identifies as Matthew R. Brades, posted the design
//! with 64-bit nodes in the Computer Chess Club on 8 September 2012. Gerd Isenberg replied in the
//! same thread with the 32-bit word, which the wiki now shows under *Table-driven Move Generation*.
//!
//! # Layout
//! ```text
//! 31                 20 19                  8 7          0
//! |  next if occupied  |    next if empty    |   target   |
//! ```
//! An empty square is coded 01000, a white piece 10101 and a black piece 10110. Bits 2 to 4 of the
//! code, masked in place, are 8 or 20: the position of the successor to take. A single shift leads
//! from the square to the next node, without a test and without an array of links. Index 0 ends a
//! list. Node 0 is still usable as the first node of a list, because no link names the first node
//! of any list.
//!
//! The three sliders have 2,912 nodes, 11,648 bytes: a quarter of the size of the same lists with
//! the 32-bit pointers of 2012, and a sixth of the size with 64-bit pointers. All pieces of both
//! colours have 3,948 nodes, which a 12-bit index can address. Raywalk counts the heads, 1,152
//! bytes, as part of the table.
//!
//! # The loop
//! Each square costs two loads, one store and one branch, which tests for the end of the list. The
//! dependency chain from node to node is two loads and four arithmetic operations: the board byte
//! cannot be loaded together with the node, because the node holds its address. [`Prefetch`] and
//! [`RegisterOccupancy`] shorten that chain at one point each, [`MaintainedOccupancy`] without the
//! gathering that the latter needs, [`LockStep`], [`LockStep3`] and [`LockStep4`] walk two, three and four pieces at
//! once, [`FixedTrip`] takes a number of steps that the board does not change, [`StraightLine`] has them as
//! straight-line code, and [`ByDensity`] takes as many as most walks on a board with as many pieces need.
//!
//! # Then and now
//! The author expected a small cost for unpacking the word. Today the table fills a third of a
//! 48 KiB first-level cache, so size is no longer the main benefit. Mispredictions are rare, about
//! one per piece, but expensive: the end of a list is known only after its whole dependency chain,
//! so each misprediction costs the latency of that chain.
//!
//! # Variants
//! All variants walk the same lists. [`Words64`] has the original 64-bit nodes. [`ThreeLoops`]
//! gives knights and kings their own loop, which the wiki considers necessary. [`OneTable`] uses
//! one loop for all pieces, pawns included. [`Select`], [`Branch`] and [`ByIndex`] choose the link otherwise.

mod by_density;
mod fixed_trip;
mod lists;
mod lock_step;
mod node;
mod occupancy;
mod one_table;
mod step;
mod straight_line;
mod table;
mod variants;
mod walk;
mod winning;

pub use by_density::ByDensity;
pub use fixed_trip::FixedTrip;
pub use lock_step::{LockStep, LockStep3, LockStep4};
pub use occupancy::DenseBoard;
pub use one_table::OneTable;
pub use straight_line::StraightLine;
pub use variants::{
    Branch, ByIndex, MaintainedOccupancy, Prefetch, RegisterOccupancy, Select, ThreeLoops, Words32,
    Words64,
};
pub use walk::DenseIndex;

raywalk_core::entries!(
    Words32: Winning,
    Words64: Winning,
    OneTable,
    ThreeLoops,
    Prefetch: Winning,
    Select: Winning,
    Branch: Winning,
    ByIndex: Winning,
    RegisterOccupancy,
    MaintainedOccupancy,
    LockStep,
    LockStep3,
    LockStep4,
    FixedTrip,
    StraightLine,
    ByDensity,
);
