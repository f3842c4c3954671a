//! Bitboards, piece by piece.
//!
//! A set of squares is a 64-bit word, so that "all squares this rook attacks that hold an enemy" is
//! one intersection. What remains to be found is the set of squares that a *slider* attacks, which
//! depends on what stands in its way, and half a century has found many ways. Each is a file here,
//! and all share the shape of [`Piecewise`]: two designs of this crate differ in one thing.
//!
//! | design | slider tables, bytes | per slider |
//! |---|---:|---|
//! | [`Classical`] | 4,096 | four rays: scan for the blocker, cut the ray behind it |
//! | [`OMinus2R`] | 1,792 | eight half lines: subtract, compare |
//! | [`Hyperbola`] | 2,560 | four lines: subtract forwards and backwards |
//! | [`Kindergarten`] | 9,728 | four lines: one multiplication gathers six squares into an index |
//! | [`PlainMagic`] | 2,361,344 | one multiplication for both lines, tables of one size |
//! | [`Magic`] | 865,280 | the same, each table as small as its square allows |
//! | [`BlackMagic`] | 850,432 | one shift for all squares, tables that overlap |
//! | [`Pext`] | 863,232 | one instruction instead of mask and multiplication |
//! | [`PextPdep`] | 218,368 | entries of 16 bits, spread out by the reverse instruction |
//!
//! The targets of knight and king, 1,024 bytes more, are counted with each.
//!
//! Pawns are taken as a set everywhere but in [`HyperbolaPawnsOneByOne`]; [`SkipAhead`] finds captures
//! without sets of targets. [`LegalHyperbola`] and
//! [`LegalPext`] generate legal moves with the sliders of their pseudo-legal sisters.
//!
//! # Source
//! Chess Programming Wiki, *Sliding Piece Attacks* and the pages named in each file.

mod bmi2;
mod classical;
mod hyperbola;
mod kindergarten;
mod legal;
mod magic;
mod magic_black;
mod magic_plain;
mod magic_search;
mod o_minus_2r;
mod occupancy;
mod pawns;
mod pext;
mod pext_pdep;
mod piecewise;
mod skip_ahead;

pub use classical::{Classical, ClassicalAttacks};
pub use hyperbola::{Hyperbola, HyperbolaAttacks};
pub use kindergarten::{Kindergarten, KindergartenAttacks};
pub use legal::{LegalAttacks, LegalHyperbola, LegalPext, LegalPiecewise};
pub use magic::{Magic, MagicAttacks};
pub use magic_black::{BlackMagic, BlackMagicAttacks};
pub use magic_plain::{PlainMagic, PlainMagicAttacks};
pub use o_minus_2r::{OMinus2R, OMinus2RAttacks};
pub use pawns::{PawnSets, Pawns, PawnsOneByOne};
pub use pext::{Pext, PextAttacks};
pub use pext_pdep::{PextPdep, PextPdepAttacks};
pub use piecewise::{Attacks, Piecewise};
pub use skip_ahead::SkipAhead;

/// Sliders by hyperbola quintessence, pawns one by one.
pub type HyperbolaPawnsOneByOne = Piecewise<HyperbolaAttacks, PawnsOneByOne>;

raywalk_core::entries!(
    Classical,
    OMinus2R,
    Hyperbola,
    Kindergarten,
    PlainMagic,
    Magic,
    BlackMagic,
    Pext,
    PextPdep,
    HyperbolaPawnsOneByOne,
    SkipAhead,
    LegalHyperbola,
    LegalPext,
);

#[cfg(test)]
mod tests;
