//! Bitboard move generators that go piece by piece.
//!
//! A bitboard stores a set of squares in a 64-bit word, so "all squares this rook attacks that hold
//! an enemy" is a single intersection. The hard part is the set of squares that a *slider* attacks,
//! because it depends on the pieces in the slider's way. Half a century has produced many methods.
//! Each has a file here, and all are used in the same frame, [`Piecewise`]: any two of these
//! designs differ in one thing.
//!
//! | design | slider tables, bytes | per slider |
//! |---|---:|---|
//! | [`Rotated`] | 524,416 | four lines: the board keeps the occupied squares in four orders |
//! | [`RotatedInner`] | 131,200 | the same, indexed by the six inner squares |
//! | [`Classical`] | 4,096 | four rays: scan for the blocker, cut the ray behind it |
//! | [`ClassicalBranchy`] | 4,096 | the same, if there is a blocker |
//! | [`Steps`] | 0 | four rays: step from square to square, up to the blocker |
//! | [`OMinus2R`] | 1,792 | eight half lines: subtract, compare |
//! | [`Hyperbola`] | 2,560 | four lines: subtract forwards and backwards |
//! | [`HyperbolaReversal`] | 2,048 | the same, ranks reversed bit by bit instead of a table |
//! | [`HyperbolaDual`] | 4,608 | the same, file and diagonals in one vector |
//! | [`Obstruction`] | 6,144 | four lines: one subtraction from blocker to blocker |
//! | [`Kindergarten`] | 9,728 | four lines: one multiplication gathers six squares into an index |
//! | [`Kindergarten512`] | 2,048 | the same, a second multiplication and one table for all lines |
//! | [`PlainMagic`] | 2,361,344 | one multiplication for both lines, tables of one size |
//! | [`Magic`] | 865,280 | the same, each table as small as its square allows |
//! | [`FixedMagic`] | 868,952 | the same, one shift for all squares, tables that overlap |
//! | [`BlackMagic`] | 850,432 | the same, irrelevant squares set instead of cleared |
//! | [`Pext`] | 863,232 | one instruction instead of mask and multiplication |
//! | [`PextPdep`] | 218,368 | entries of 16 bits, spread out by the reverse instruction |
//!
//! Each design has another 1,024 bytes for the targets of knight and king.
//!
//! Seven designs vary something else. [`HyperbolaPawnsOneByOne`] generates pawn moves pawn by pawn
//! instead of as a set; [`CapturesThenQuiets`] writes the captures of a piece before its quiet moves, and
//! [`TwoLists`] writes them to a list of their own; [`SkipAhead`] generates captures without target
//! sets; [`LegalHyperbola`] and [`LegalPext`] generate legal moves with the slider methods of
//! [`Hyperbola`] and [`Pext`], and [`LegalConstants`] does so with colour and castling rights as constants.
//!
//! # Source
//! Chess Programming Wiki, *Sliding Piece Attacks* and the pages named in each file.

// Modules form layers: each uses only modules of the groups above its own.
#[macro_use]
mod attacks_of;
mod proof;
mod sets;
mod sink;

#[allow(unsafe_code, reason = "a token proves that the processor has the instructions")]
mod avx2;
#[allow(unsafe_code, reason = "a token proves that the processor has the instructions")]
mod bmi2;

mod pawns;
mod tables;

mod magic_factors;
mod piecewise;

mod rotated_board;

#[allow(unsafe_code, reason = "avoids a bounds check per look-up, which no published form has")]
mod dense_attacks;
#[allow(unsafe_code, reason = "avoids a bounds check per look-up, which no published form has")]
mod overlapped;

mod classical;
mod classical_branchy;
mod hyperbola;
mod hyperbola_dual;
mod hyperbola_reversal;
mod kindergarten;
mod kindergarten_512;
#[allow(unsafe_code, reason = "promises that its index depends on the relevant squares only")]
mod magic;
#[allow(unsafe_code, reason = "promises that its index depends on the relevant squares only")]
mod magic_black;
#[allow(unsafe_code, reason = "promises that its index depends on the relevant squares only")]
mod magic_fixed;
mod magic_plain;
mod o_minus_2r;
mod obstruction;
#[allow(unsafe_code, reason = "promises that its index depends on the relevant squares only")]
mod pext;
#[allow(unsafe_code, reason = "promises that its index depends on the relevant squares only")]
mod pext_pdep;
mod rotated;
mod steps;

mod captures_then_quiets;
mod legal;
mod partial;
mod pawns_one_by_one;
mod skip_ahead;
mod two_lists;
mod winning;

pub use captures_then_quiets::CapturesThenQuiets;
pub use classical::Classical;
pub use classical_branchy::ClassicalBranchy;
pub use hyperbola::Hyperbola;
pub use hyperbola_dual::HyperbolaDual;
pub use hyperbola_reversal::HyperbolaReversal;
pub use kindergarten::Kindergarten;
pub use kindergarten_512::Kindergarten512;
pub use legal::{LegalConstants, LegalHyperbola, LegalPext};
pub use magic::Magic;
pub use magic_black::BlackMagic;
pub use magic_fixed::FixedMagic;
pub use magic_plain::PlainMagic;
pub use o_minus_2r::OMinus2R;
pub use obstruction::Obstruction;
pub use pawns_one_by_one::HyperbolaPawnsOneByOne;
pub use pext::Pext;
pub use pext_pdep::PextPdep;
pub use piecewise::Piecewise;
pub use rotated::{Rotated, RotatedInner};
pub use skip_ahead::SkipAhead;
pub use steps::Steps;
pub use two_lists::TwoLists;

raywalk_core::entries!(
    Rotated: Attacking Lookups Early Targeted Winning,
    RotatedInner: Attacking Lookups Early Targeted Winning,
    Classical: Attacking Lookups Early Targeted Winning,
    ClassicalBranchy: Attacking Lookups Early Targeted Winning,
    Steps: Attacking Lookups Early Targeted Winning,
    OMinus2R: Attacking Lookups Early Targeted Winning,
    Hyperbola: Attacking Lookups Early Targeted Winning,
    HyperbolaReversal: Attacking Lookups Early Targeted Winning,
    HyperbolaDual: Attacking Lookups Early Targeted Winning,
    Obstruction: Attacking Lookups Early Targeted Winning,
    Kindergarten: Attacking Lookups Early Targeted Winning,
    Kindergarten512: Attacking Lookups Early Targeted Winning,
    PlainMagic: Attacking Lookups Early Targeted Winning,
    Magic: Attacking Lookups Early Targeted Winning,
    FixedMagic: Attacking Lookups Early Targeted Winning,
    BlackMagic: Attacking Lookups Early Targeted Winning,
    Pext: Attacking Lookups Early Targeted Winning,
    PextPdep: Attacking Lookups Early Targeted Winning,
    HyperbolaPawnsOneByOne: Attacking,
    CapturesThenQuiets: Attacking,
    TwoLists: Attacking,
    SkipAhead: Attacking,
    LegalHyperbola: Attacking Counting,
    LegalPext: Attacking Counting,
    LegalConstants: Attacking Counting CopyMake,
);

#[cfg(test)]
mod tests;
