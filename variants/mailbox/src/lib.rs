//! Mailboxes: boards walked by adding steps, with every way to detect the edge.
//!
//! A ray is a loop that adds a step until a piece or the edge stops it. Reading the square finds the
//! piece. How to find the edge is what the designs of this family differ in:
//!
//! * [`Array2d`] steps rank and file separately and compares both with 0 and 7 on every square;
//! * [`Unguarded8x8`] has one index and compares the files of consecutive squares, because one step
//!   east of h1 is a2;
//! * [`TwoArraysAsWritten`] looks up in a second board of 10x12 where a step ends; [`Tscp`] is the whole
//!   generator of the program that does so, with its boards of kinds and colours and no piece list;
//! * [`Embedded10x12`] surrounds the board with guard cells, so that reading a cell detects the edge
//!   (Sargon);
//! * [`Board0x88`] tests two bits of the index, without reading;
//! * [`Embedded15x12`] and [`Embedded16x12`] have guard cells in rows so wide that differences of
//!   cells are unique, as in 0x88. The guards make the bit test redundant.
//!
//! The first and the third have their own loops. All others in this list share one loop,
//! [`StepWalk`](raywalk_core::square_board::StepWalk), generic over the geometry of the board, so any
//! two of them differ in one parameter. The same loop accepts any piece code, any piece list and any
//! format of moves. A design named `10x12-…` differs from [`Embedded10x12`] in the one thing that its card
//! names. Three of these change the loop: [`Unrolled10x12`] has one for each kind, [`Staged10x12`] goes
//! through it twice, and [`PawnWriters`] writes pawns by itself. Those named `10x12-two-arrays…` are
//! compared with each other: they share the loop of the third and an 8x8 board.
//!
//! # Cost
//! One load per square. One branch per empty square and one per ray where cells are guarded; one more
//! branch per square where the index is tested. The carried dependency chain is one addition per
//! square as long as the branches are predicted. All designs are pseudo-legal, have little or no
//! table, and walk the empty squares of a ray even if only captures are generated.
//!
//! The sources number squares in their own ways and write moves in that numbering. Here every design
//! writes the same 16-bit move, so a padded board pays one load per move from a map of cells to
//! squares. [`table_bytes`](raywalk_core::Generator::table_bytes) includes that map.

mod array;
mod embedded;
mod layouts;
mod pawn_writers;
#[allow(
    unsafe_code,
    reason = "a check per square costs a comparison, and a mask would be part of the dependency chain"
)]
mod two_arrays;

pub use array::Array2d;
pub use embedded::Mailbox;
pub use pawn_writers::PawnWriters;
pub use two_arrays::{
    Tscp, TwoArrays, TwoArraysAsWritten, TwoArraysBytes, TwoArraysIn120, TwoBoards,
};

/// One index into 64 squares, and a comparison of files on every step.
pub type Unguarded8x8 = Mailbox<layouts::Unguarded8x8>;
/// Ten files and twelve ranks: two guard ranks at each end, and one guard file on each side.
pub type Embedded10x12 = Mailbox<layouts::Embedded10x12>;
/// 10x12 with a loop for each kind, unrolled.
pub type Unrolled10x12 = Mailbox<layouts::Unrolled10x12>;
/// 10x12 with a pass over the pieces for captures and one for quiet moves.
pub type Staged10x12 = Mailbox<layouts::Staged10x12>;
/// Sixteen files, eight of them real: two bits of the index detect the edge.
pub type Board0x88 = Mailbox<layouts::Board0x88>;
/// Guard cells in rows of fifteen, the smallest width with unique differences of cells.
pub type Embedded15x12 = Mailbox<layouts::Embedded15x12>;
/// Guard cells in rows of sixteen, the width of 0x88.
pub type Embedded16x12 = Mailbox<layouts::Embedded16x12>;

/// 10x12 without a piece list: every square is scanned.
pub type WithBoardScan = Mailbox<layouts::WithBoardScan>;
/// 10x12 with 51 slots per side, in a fixed range for each kind.
pub type WithIndexRanges = Mailbox<layouts::WithIndexRanges>;
/// 10x12 with links from piece to piece.
pub type WithLinkedList = Mailbox<layouts::WithLinkedList>;
/// 10x12 with one flat list per side, the king first.
pub type WithFlatList = Mailbox<layouts::WithFlatList>;

/// 10x12 with a bitboard for each colour and kind as its piece list.
pub type WithBitboardSets = Mailbox<layouts::WithBitboardSets>;
/// The same, with checks found by the bitboards.
pub type WithBitboardChecks = Mailbox<layouts::WithBitboardChecks>;

/// 10x12 with the code of Gambiet, tested by comparisons instead of processor flags.
pub type WithGambietCode = Mailbox<layouts::WithGambietCode>;
/// 10x12 with the shift code of the dense index list.
pub type WithShiftCode = Mailbox<layouts::WithShiftCode>;
/// 10x12 with the piece numbers of Diep.
pub type WithDiepCode = Mailbox<layouts::WithDiepCode>;
/// 10x12 with separate types for white and black pawns.
pub type WithTypedPawns = Mailbox<layouts::WithTypedPawns>;
/// 10x12 with Reul's disjoint flags, one bit per kind.
pub type WithReulFlags = Mailbox<layouts::WithReulFlags>;

/// 10x12 with moves of 21 bits.
pub type WithMoves21 = Mailbox<layouts::WithMoves21>;
/// 10x12 with moves as structs of named fields.
pub type WithMoveObjects = Mailbox<layouts::WithMoveObjects>;
/// 10x12 with moves of 32 bits, of which 16 are used.
pub type WithMoves32 = Mailbox<layouts::WithMoves32>;
/// 10x12 with the captured piece in the move.
pub type WithCapturedMoves = Mailbox<layouts::WithCapturedMoves>;
/// 10x12 with a score in the move.
pub type WithScoredMoves = Mailbox<layouts::WithScoredMoves>;
/// 10x12 with a list that is written past the caches.
pub type WithStreamedMoves = Mailbox<layouts::WithStreamedMoves>;
/// 10x12 with a list for each ply of a search.
pub type WithPlyLists = Mailbox<layouts::WithPlyLists>;
/// 10x12 with one stack of moves for all plies of a search.
pub type WithPlyStack = Mailbox<layouts::WithPlyStack>;
/// 10x12 with captures and other moves in two lists.
pub type WithTwoLists = Mailbox<layouts::WithTwoLists>;

raywalk_core::entries!(
    Array2d,
    Unguarded8x8,
    TwoArraysAsWritten,
    TwoArraysBytes,
    TwoArraysIn120,
    TwoBoards,
    Tscp,
    Embedded10x12,
    Unrolled10x12,
    Staged10x12,
    Board0x88,
    Embedded15x12,
    Embedded16x12,
    WithBoardScan,
    WithIndexRanges,
    WithLinkedList,
    WithFlatList,
    WithBitboardSets,
    WithBitboardChecks,
    WithGambietCode,
    WithShiftCode,
    WithDiepCode,
    WithTypedPawns,
    WithReulFlags,
    WithMoves21,
    WithMoveObjects,
    WithMoves32,
    WithCapturedMoves,
    WithScoredMoves,
    WithStreamedMoves,
    WithPlyLists,
    WithPlyStack,
    WithTwoLists,
    PawnWriters,
);
