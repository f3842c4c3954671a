//! Butterfly tables: the move generator of GNU Chess from 1989 to version 4.
//!
//! # The idea
//! Hans Eric Sandström planned a hardware move generator, never built it, and wrote it as software
//! instead (note of 6 September 1989, GNU Chess 1.55). Every move of every piece on an empty board is
//! precomputed. The table is indexed by kind, origin and *current square*, hence the name butterfly.
//! The cell of a square holds two links: the next square if this one is empty, and the first square
//! of the next direction if this one is occupied. Generation follows the links until they lead back
//! to the origin. There is no work per ray and no test for the edge.
//!
//! # What it cost then
//! 8 × 64 × 64 cells of two 16-bit links are 131,072 bytes (the wiki's 64 KiB are one half of it).
//! On 4 March 1990 the array was split in two, to work better on PCs; in patch level 60 of version
//! 4.0, on 30 October 1992, both halves are bytes: 65,536 together. In exchange the loop needs
//! hardly five registers, hence its reputation as register friendly and memory unfriendly.
//!
//! # What to expect now
//! Few of the 32,768 cells are ever read (all but 3,880 are sentinels), and those of one piece lie in
//! two cache lines with bytes and in four with 16 bits, so the widths may well tie. The price is
//! latency: the index of the next square is loaded, so the loads form a dependency chain, where an
//! array walk increments an index. An empty square costs two branches and two loads, a blocker three
//! branches.
//!
//! # Designs
//! | design | links | bytes |
//! |---|---|---:|
//! | [`I16`] | pairs of 16 bits, as noted in 1989 | 131,072 |
//! | [`I16Split`] | two arrays of 16 bits | 131,072 |
//! | [`U8`] | pairs of bytes | 65,536 |
//! | [`U8Split`] | two arrays of bytes, as shipped | 65,536 |
//! | [`GnuCaptures`] | the same, captures of leapers by their next-direction links alone | 65,536 |
//! | [`ColourBoard`] | the same, on a board of colours and a board of kinds | 65,536 |
//! | [`U8UsedKinds`] | the same, without the unused kind 0 (ours) | 57,344 |
//! | [`HalfBoard`] | Michael Sherwin 2007: rows like a 0x88 board, occupied adds 8 | 57,344 |
//! | [`BranchFree`] | derived here: both links in one word, occupancy chooses | 65,536 |
//! | [`HalfBoardBranchFree`] | derived here: Sherwin's rows, occupancy in the address | 57,344 |
//!
//! [`BranchFree`] uses a property that no source exploits: the table is indexed by the square itself,
//! so the board and the links can be read at the same time. Its dependency chain per square is one
//! load and two simple instructions; every published branch-free walk has two or three dependent
//! loads. The half board needs one load for both links, but that load depends on the board's.

mod design;
#[cfg(test)]
mod gnu;
mod layout;
mod link;
mod row;
mod sets;
mod walk;

pub use design::Butterfly;
use design::{
    BranchFreeHalfBoard, BranchFreeWords, ByDirection, HalfBoardRows, InterleavedBytes,
    InterleavedShorts, SevenKinds, SplitBytes, SplitShorts, TwoBoards,
};

/// `posdata[8][64][64]` of 16-bit pairs: the note of 1989.
pub type I16 = Butterfly<InterleavedShorts>;
/// Two arrays of 16 bits: GNU Chess since 4 March 1990.
pub type I16Split = Butterfly<SplitShorts>;
/// One array of pairs of bytes, as that of [`I16`] has pairs of 16 bits.
pub type U8 = Butterfly<InterleavedBytes>;
/// Two arrays of bytes: as shipped in GNU Chess 4.0 patch level 60.
pub type U8Split = Butterfly<SplitBytes>;
/// [`U8Split`] with the capture walk of GNU Chess for knight and king.
pub type GnuCaptures = Butterfly<ByDirection>;
/// [`U8Split`] on a board of colours and a board of kinds, as in GNU Chess.
pub type ColourBoard = Butterfly<TwoBoards>;
/// [`U8Split`] without the rows of the unused kind.
pub type U8UsedKinds = Butterfly<SevenKinds>;
/// Rows of 128 cells on a 0x88 board (Sherwin 2007).
pub type HalfBoard = Butterfly<HalfBoardRows>;
/// Both links in one word, selected by a conditional move (derived here).
pub type BranchFree = Butterfly<BranchFreeWords>;
/// Sherwin's rows, with occupancy as part of the address of the link (derived here).
pub type HalfBoardBranchFree = Butterfly<BranchFreeHalfBoard>;

raywalk_core::entries!(
    I16: Attacking,
    I16Split: Attacking,
    U8: Attacking,
    U8Split: Attacking,
    GnuCaptures: Attacking,
    ColourBoard: Attacking,
    U8UsedKinds: Attacking,
    HalfBoard: Attacking,
    BranchFree: Attacking,
    HalfBoardBranchFree: Attacking,
);
