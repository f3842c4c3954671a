//! The variants of the [loop](crate::walk): the choices of each, and its card.

use raywalk_core::square_board::{CountedArrays, WithSets};
use raywalk_core::{Card, Control, Legality};

use crate::node::Halves;
use crate::occupancy::{BoardByte, Chooser, Jump, OccupancyWord, Selection};
use crate::step::{Ahead, InMemory, Indexed};
use crate::walk::{DenseIndex, Variant};

/// The card of the 32-bit design.
pub(crate) const CARD: Card = Card {
    id: "dense-index/u32",
    name: "Dense index list",
    author: "Gerd Isenberg, after Matthew R. Brades (ZirconiumX)",
    year: Some(2012),
    source: "Gerd Isenberg's answer to Brades, CPW Move Table compression, Computer Chess Club, \
             September 2012; Chess Programming Wiki, Table-driven Move Generation",
    control: Control::Branchless,
    legality: Legality::Pseudo,
    published_bytes: Some(11_648),
    needs: &[],
    reconstructed: "knights, kings, pawns, promotions, castling, en passant: the source shows \
                    sliders only, and its size counts their nodes without heads",
};

/// The fields that the cards of our own variants share.
pub(crate) const OURS: Card = Card {
    author: "Raywalk, after Matthew R. Brades and Gerd Isenberg",
    year: Some(2026),
    source: "Raywalk: a variant of dense-index/u32, not published elsewhere",
    published_bytes: None,
    ..CARD
};

/// The choices of [`Words32`].
pub struct WithWords32;
/// Nodes of 32 bits: the published design.
pub type Words32 = DenseIndex<WithWords32>;

impl Variant for WithWords32 {
    const CARD: Card = CARD;
    type Node = u32;
    type Step = Indexed;
    type List = CountedArrays;
    type Occupancy<'a> = BoardByte<'a>;
}

/// The choices of [`Words64`].
pub struct WithWords64;
/// Nodes of 64 bits: the design of the original post.
pub type Words64 = DenseIndex<WithWords64>;

impl Variant for WithWords64 {
    const CARD: Card = Card {
        id: "dense-index/u64",
        name: "Dense index list, 64-bit nodes",
        author: "Matthew R. Brades (ZirconiumX)",
        source: "Matthew R. Brades, CPW Move Table compression, Computer Chess Club, 8 September \
                 2012",
        published_bytes: None,
        reconstructed: "knights, kings, pawns, promotions, castling, en passant, and the choice of \
                        the successor, which uses the board codes of the 32-bit design",
        ..CARD
    };
    type Node = u64;
    type Step = Indexed;
    type List = CountedArrays;
    type Occupancy<'a> = BoardByte<'a>;
}

/// The choices of [`ThreeLoops`].
pub struct WithThreeLoops;
/// Sliders, leapers (knights and kings) and pawns each have their own loop.
pub type ThreeLoops = DenseIndex<WithThreeLoops>;

impl Variant for WithThreeLoops {
    const CARD: Card =
        Card { id: "dense-index/three-loops", name: "Dense index list, three loops", ..OURS };
    type Node = u32;
    type Step = Indexed;
    type List = CountedArrays;
    type Occupancy<'a> = BoardByte<'a>;
    const SEPARATE_LEAPERS: bool = true;
}

/// The choices of [`Prefetch`].
pub struct WithPrefetch;
/// Loads both successors in parallel with the board byte.
pub type Prefetch = DenseIndex<WithPrefetch>;

impl Variant for WithPrefetch {
    const CARD: Card = Card {
        id: "dense-index/prefetch",
        name: "Dense index list, both successors loaded",
        ..OURS
    };
    type Node = u32;
    type Step = Ahead;
    type List = CountedArrays;
    type Occupancy<'a> = BoardByte<'a>;
}

/// The choices of [`RegisterOccupancy`].
pub struct WithOccupancy;
/// Reads occupancy from a register instead of the board byte.
pub type RegisterOccupancy = DenseIndex<WithOccupancy>;

impl Variant for WithOccupancy {
    const CARD: Card = Card {
        id: "dense-index/register-occupancy",
        name: "Dense index list, occupancy in a register",
        reconstructed: "everything but the lists; each generation gathers the occupancy words from \
                        the board, and that is part of its cost",
        ..OURS
    };
    type Node = u32;
    type Step = Indexed;
    type List = CountedArrays;
    type Occupancy<'a> = OccupancyWord;
}

/// The choices of [`MaintainedOccupancy`].
pub struct WithMaintainedOccupancy;
/// [`RegisterOccupancy`] with words that the board keeps.
pub type MaintainedOccupancy = DenseIndex<WithMaintainedOccupancy>;

impl Variant for WithMaintainedOccupancy {
    const CARD: Card = Card {
        id: "dense-index/maintained-occupancy",
        name: "Dense index list, occupancy in a register, kept by the board",
        reconstructed: "everything but the lists; make and unmake keep the occupancy words up to date, which \
                        is part of the cost of a move and not of generation; everything else is \
                        dense-index/register-occupancy",
        ..OURS
    };
    type Node = u32;
    type Step = Indexed;
    type List = WithSets<CountedArrays>;
    type Occupancy<'a> = OccupancyWord;
}

/// The choices of [`Select`].
pub struct WithSelection;
/// Selects the link by a conditional move instead of shifting the word by the board byte.
pub type Select = DenseIndex<WithSelection>;

impl Variant for WithSelection {
    const CARD: Card =
        Card { id: "dense-index/select", name: "Dense index list, link by selection", ..OURS };
    type Node = u32;
    type Step = Indexed;
    type List = CountedArrays;
    type Occupancy<'a> = Chooser<'a, Selection>;
}

/// The choices of [`Branch`].
pub struct WithJump;
/// Takes the link by a branch on the square instead of shifting the word by the board byte.
pub type Branch = DenseIndex<WithJump>;

impl Variant for WithJump {
    const CARD: Card = Card {
        id: "dense-index/branch",
        name: "Dense index list, link by branch",
        control: Control::Mixed,
        ..OURS
    };
    type Node = u32;
    type Step = Indexed;
    type List = CountedArrays;
    type Occupancy<'a> = Chooser<'a, Jump>;
}

/// The choices of [`ByIndex`].
pub struct WithHalves;
/// Reads the link from memory by the state of the square instead of shifting the word by the board byte.
pub type ByIndex = DenseIndex<WithHalves>;

impl Variant for WithHalves {
    const CARD: Card = Card {
        id: "dense-index/by-index",
        name: "Dense index list, link by index",
        reconstructed: "everything but the lists; the target is split, so that each link has a half of the node to \
                        itself, and two instructions put it together",
        ..OURS
    };
    type Node = Halves;
    type Step = Indexed<InMemory>;
    type List = CountedArrays;
    type Occupancy<'a> = BoardByte<'a>;
}
