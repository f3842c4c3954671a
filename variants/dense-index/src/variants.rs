//! The variants of the one loop: what each differs in, in one line, and its card.

use raywalk_core::{Card, Control, Legality};

use crate::node::Node;
use crate::sight::{BoardByte, OccupancyWord, Sight};
use crate::step::{Ahead, Indexed, Step};
use crate::walk::DenseIndex;

/// The choices that make a variant.
pub trait Variant: Send + Sync + 'static {
    /// Its card.
    const CARD: Card;
    /// The word.
    type Node: Node;
    /// From node to node.
    type Step: Step<Self::Node>;
    /// From square to what stands there.
    type Sight<'a>: Sight<'a>;
    /// Whether knights and kings have a loop of their own.
    const LEAPERS_APART: bool = false;
}

/// The card of the 32-bit form.
pub(crate) const CARD: Card = Card {
    id: "dense-index/u32",
    name: "Dense index list",
    author: "Matthew R. Brades (ZirconiumX)",
    year: Some(2012),
    source: "Computer Chess Club, 8 September 2012; 32-bit word by Gerd Isenberg, same thread",
    control: Control::Branchless,
    legality: Legality::Pseudo,
    published_bytes: Some(11_648),
    needs: &[],
    reconstructed: "knights, kings, pawns, promotions, castling, en passant: the source shows \
                    sliders only, and its size counts their nodes without heads",
};

/// What variants of ours have in common.
pub(crate) const OURS: Card = Card {
    author: "Raywalk, after Matthew R. Brades and Gerd Isenberg",
    year: Some(2026),
    source: "a variant of dense-index/u32, in no other source",
    published_bytes: None,
    ..CARD
};

/// [`Words32`].
pub struct WithWords32;
/// Nodes of 32 bits: the source's design.
pub type Words32 = DenseIndex<WithWords32>;

impl Variant for WithWords32 {
    const CARD: Card = CARD;
    type Node = u32;
    type Step = Indexed;
    type Sight<'a> = BoardByte<'a>;
}

/// [`Words64`].
pub struct WithWords64;
/// Nodes of 64 bits: the original post.
pub type Words64 = DenseIndex<WithWords64>;

impl Variant for WithWords64 {
    const CARD: Card = Card {
        id: "dense-index/u64",
        name: "Dense index list, 64-bit nodes",
        source: "Computer Chess Club, 8 September 2012",
        published_bytes: None,
        reconstructed: "knights, kings, pawns, promotions, castling, en passant, and the choice of \
                        the successor, for which the board of the 32-bit form is used",
        ..CARD
    };
    type Node = u64;
    type Step = Indexed;
    type Sight<'a> = BoardByte<'a>;
}

/// [`ThreeLoops`].
pub struct WithThreeLoops;
/// Knights and kings in a loop of their own: sliders, leapers and pawns have one each.
pub type ThreeLoops = DenseIndex<WithThreeLoops>;

impl Variant for WithThreeLoops {
    const CARD: Card =
        Card { id: "dense-index/three-loops", name: "Dense index list, three loops", ..OURS };
    type Node = u32;
    type Step = Indexed;
    type Sight<'a> = BoardByte<'a>;
    const LEAPERS_APART: bool = true;
}

/// [`Prefetch`].
pub struct WithPrefetch;
/// Both successors are loaded while the board byte is.
pub type Prefetch = DenseIndex<WithPrefetch>;

impl Variant for WithPrefetch {
    const CARD: Card = Card {
        id: "dense-index/prefetch",
        name: "Dense index list, both successors loaded",
        ..OURS
    };
    type Node = u32;
    type Step = Ahead;
    type Sight<'a> = BoardByte<'a>;
}

/// [`RegisterOccupancy`].
pub struct WithOccupancy;
/// Occupancy in a register instead of the board byte.
pub type RegisterOccupancy = DenseIndex<WithOccupancy>;

impl Variant for WithOccupancy {
    const CARD: Card = Card {
        id: "dense-index/register-occupancy",
        name: "Dense index list, occupancy in a register",
        reconstructed: "everything but the lists; the occupancy words are gathered from the board \
                        in every generation, and that is part of its cost",
        ..OURS
    };
    type Node = u32;
    type Step = Indexed;
    type Sight<'a> = OccupancyWord;
}
