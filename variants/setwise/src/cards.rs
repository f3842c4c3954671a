//! The cards of this crate's designs.

use raywalk_core::set_wise::{
    Delayed, Dumb7Fill, Getter, Incremental, KoggeStone, RayRun, Subtraction,
};
use raywalk_core::{Card, Control, Legality};

use crate::guarded::Guarded;

/// A fill and a serialiser that form a design.
pub trait Pair: Send + Sync + 'static {
    /// The design's card.
    const CARD: Card;
}

/// Kogge–Stone with the getter. The other cards name only what differs.
const COMMON: Card = Card {
    id: "setwise/kogge-stone-getter",
    name: "Kogge-Stone fills, getter",
    author: "Steffan Westcott (fill), Chess Programming Wiki (sixteen sets)",
    year: Some(2002),
    source: "S. Westcott, Computer Chess Club, 15 September 2002; Chess Programming Wiki, Pieces \
             versus Directions",
    control: Control::Mixed,
    legality: Legality::Pseudo,
    published_bytes: None,
    needs: &[],
    reconstructed: "The year is that of the fill; the sixteen sets are from an undated wiki page. \
                    Ours are the reflection of the sets for Black, the promotion, en passant and \
                    castling marks, and the directions that the source does not show.",
};

const DUMB7: Card = Card {
    author: "Common property of bitboard programs (fill), Chess Programming Wiki (sixteen sets)",
    source: "Chess Programming Wiki, Dumb7Fill and Pieces versus Directions",
    reconstructed: "No first publication of the fill is known; the year is that of the forum \
                    thread, flood fill attack bitboards, that led from it to Kogge-Stone. Ours are \
                    the reflection of the sets for Black, the promotion, en passant and castling \
                    marks, and the directions that the source does not show.",
    ..COMMON
};

impl Pair for (KoggeStone, Getter) {
    const CARD: Card = COMMON;
}

impl Pair for (KoggeStone, RayRun) {
    const CARD: Card =
        Card { id: "setwise/kogge-stone-ray-run", name: "Kogge-Stone fills, ray runs", ..COMMON };
}

impl Pair for (KoggeStone, Incremental) {
    const CARD: Card = Card {
        id: "setwise/kogge-stone-incremental",
        name: "Kogge-Stone fills, one move at a time",
        ..COMMON
    };
}

impl Pair for (KoggeStone, Delayed) {
    const CARD: Card = Card {
        id: "setwise/kogge-stone-delayed",
        name: "Kogge-Stone fills, sources found last",
        reconstructed: "The source keeps a move as target and direction until it is made. Here \
                        all moves are completed at the end, which shows the cost of the second \
                        pass and not the saving. The year is that of the fill. Otherwise as the \
                        getter.",
        ..COMMON
    };
}

impl Pair for (Guarded<KoggeStone>, Getter) {
    const CARD: Card = Card {
        id: "setwise/kogge-stone-guarded",
        name: "Kogge-Stone fills, skipped without sliders, getter",
        reconstructed: "The wiki advises against work on empty sets. Where to test is our choice: \
                        rooks and queens, bishops and queens, knights. The year is that of the \
                        fill. Otherwise as the getter.",
        ..COMMON
    };
}

impl Pair for (Dumb7Fill, Getter) {
    const CARD: Card = Card { id: "setwise/dumb7-getter", name: "Dumb7 fills, getter", ..DUMB7 };
}

impl Pair for (Dumb7Fill, RayRun) {
    const CARD: Card = Card { id: "setwise/dumb7-ray-run", name: "Dumb7 fills, ray runs", ..DUMB7 };
}

impl Pair for (Subtraction, Getter) {
    const CARD: Card = Card {
        id: "setwise/subtraction-getter",
        name: "East by subtraction, others Kogge-Stone, getter",
        source: "Chess Programming Wiki, Fill by Subtraction and Pieces versus Directions",
        ..COMMON
    };
}
