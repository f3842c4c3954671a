//! Boards walked by adding steps, and every way to notice the edge.
//!
//! A ray is a loop that adds a step until something stops it: a piece, or the edge. A piece is seen by
//! reading the square. The edge is the whole history of this family:
//!
//! * [`Array2d`]: rank and file step apart, and both are compared with 0 and 7 on every square;
//! * [`Unguarded8x8`]: one index, and the files of consecutive squares are compared, because one
//!   step east of h1 lies a2;
//! * [`two_arrays`]: a second board of 10x12 is asked where on the first one the step ends (TSCP);
//! * [`Embedded10x12`]: the board itself has guard cells around it, so reading tells (Sargon);
//! * [`Board0x88`]: two bits of the index tell, without reading;
//! * [`Embedded15x12`], [`Embedded16x12`]: guard cells again, in rows so wide that differences of
//!   cells are unique as in 0x88, which makes the bit test redundant.
//!
//! The first and the third have loops of their own. All others are one loop,
//! [`StepWalk`](raywalk_core::square_board::StepWalk), over the geometry of the board, so two of them
//! differ in one parameter. The same loop takes any piece code and any piece list; the designs named
//! `10x12-…` change one of these and nothing else.
//!
//! What it costs: one branch per empty square and one per ray where cells are guarded, one more per
//! square where the index is tested; one load per square; a carried chain of one addition as long as
//! the branches are predicted. All are pseudo-legal, none has a table to speak of, and all walk the
//! empty squares of a ray even if only captures are wanted.
//!
//! The sources number squares in their own way and write moves in that numbering. Here every design
//! writes the same 16-bit move, so a padded board pays a load from a map of cells to squares for each
//! move written: [`table_bytes`](raywalk_core::Generator::table_bytes) counts that map.

pub mod array;
mod embedded;
pub mod layouts;
mod pawn_writers;
mod two_arrays;

pub use array::Array2d;
pub use embedded::{Layout, Mailbox};
pub use pawn_writers::PawnWriters;
pub use two_arrays::{TwoArrays, TwoArraysAsWritten, TwoArraysBytes, TwoArraysIn120};

/// One index, and a comparison of files on every step.
pub type Unguarded8x8 = Mailbox<layouts::Unguarded8x8>;
/// Guard cells around ten files and twelve ranks.
pub type Embedded10x12 = Mailbox<layouts::Embedded10x12>;
/// Two bits of the index tell the edge.
pub type Board0x88 = Mailbox<layouts::Board0x88>;
/// Guard cells in rows of fifteen.
pub type Embedded15x12 = Mailbox<layouts::Embedded15x12>;
/// Guard cells in rows of sixteen.
pub type Embedded16x12 = Mailbox<layouts::Embedded16x12>;

/// 10x12 without a piece list.
pub type WithBoardScan = Mailbox<layouts::WithBoardScan>;
/// 10x12 with 51 slots per side.
pub type WithIndexRanges = Mailbox<layouts::WithIndexRanges>;
/// 10x12 with linked lists.
pub type WithLinkedList = Mailbox<layouts::WithLinkedList>;
/// 10x12 with one flat list per side.
pub type WithFlatList = Mailbox<layouts::WithFlatList>;

/// 10x12 with the code of Gambiet, tested portably.
pub type WithGambietCode = Mailbox<layouts::WithGambietCode>;
/// 10x12 with the shift code of the dense index list.
pub type WithShiftCode = Mailbox<layouts::WithShiftCode>;
/// 10x12 with the numbers of Diep.
pub type WithDiepCode = Mailbox<layouts::WithDiepCode>;
/// 10x12 with one type for each side's pawns.
pub type WithTypedPawns = Mailbox<layouts::WithTypedPawns>;
/// 10x12 with Reul's disjoint flags.
pub type WithReulFlags = Mailbox<layouts::WithReulFlags>;

/// 10x12 with moves of 21 bits.
pub type WithMoves21 = Mailbox<layouts::WithMoves21>;
/// 10x12 with moves as objects.
pub type WithMoveObjects = Mailbox<layouts::WithMoveObjects>;

raywalk_core::entries!(
    Array2d,
    Unguarded8x8,
    TwoArraysAsWritten,
    TwoArraysBytes,
    TwoArraysIn120,
    Embedded10x12,
    Board0x88,
    Embedded15x12,
    Embedded16x12,
    WithBoardScan,
    WithIndexRanges,
    WithLinkedList,
    WithFlatList,
    WithGambietCode,
    WithShiftCode,
    WithDiepCode,
    WithTypedPawns,
    WithReulFlags,
    WithMoves21,
    WithMoveObjects,
    PawnWriters,
);
