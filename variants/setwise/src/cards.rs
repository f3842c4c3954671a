//! The cards of this crate's designs.

use raywalk_core::set_wise::{
    Codes, Delayed, Dumb7Fill, Getter, Incremental, KoggeStone, RayRun, RolledGetter, Staged,
    Subtraction, TestedGetter, UntestedRayRun,
};
use raywalk_core::{Card, Control, Legality};

use crate::guarded::Guarded;
use crate::pawns::{ByDirection, OneByOne};
use crate::rolled::Rolled;

/// Targets, a serialiser and pawns that form a design.
pub trait Parts: Send + Sync + 'static {
    /// The card of the design that these parts form.
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

impl Parts for (KoggeStone, Getter, ByDirection) {
    const CARD: Card = COMMON;
}

impl Parts for (KoggeStone, RayRun, ByDirection) {
    const CARD: Card =
        Card { id: "setwise/kogge-stone-ray-run", name: "Kogge-Stone fills, ray runs", ..COMMON };
}

impl Parts for (KoggeStone, Incremental, ByDirection) {
    const CARD: Card = Card {
        id: "setwise/kogge-stone-incremental",
        name: "Kogge-Stone fills, one move at a time",
        ..COMMON
    };
}

impl Parts for (KoggeStone, Delayed, ByDirection) {
    const CARD: Card = Card {
        id: "setwise/kogge-stone-delayed",
        name: "Kogge-Stone fills, sources found last",
        reconstructed: "The source keeps a move as target and direction until it is made. Here \
                        generation completes all moves at the end, which shows the cost of the \
                        second pass; the call first-moves completes one of four codes, which shows \
                        the saving. The year is that of the fill. Otherwise as the getter.",
        ..COMMON
    };
}

impl Parts for (KoggeStone, Codes, ByDirection) {
    const CARD: Card = Card {
        id: "setwise/kogge-stone-codes",
        name: "Kogge-Stone fills, list of ten-bit codes",
        reconstructed: "The source encodes a move as six bits of target and four of direction and \
                        shows no list. Here each code is a word of 16 bits, because designs write \
                        whole words, and two more bits tell the four promotions of a code apart. \
                        Source and kind of a move are found when it is made. The year is that of \
                        the fill. Otherwise as the getter.",
        ..COMMON
    };
}

impl Parts for (Guarded<KoggeStone>, Getter, ByDirection) {
    const CARD: Card = Card {
        id: "setwise/kogge-stone-guarded",
        name: "Kogge-Stone fills, skipped without sliders, getter",
        reconstructed: "The wiki advises against work on empty sets. Where to test is our choice: \
                        rooks and queens, bishops and queens, knights. The year is that of the \
                        fill. Otherwise as the getter.",
        ..COMMON
    };
}

impl Parts for (Dumb7Fill, Getter, ByDirection) {
    const CARD: Card = Card { id: "setwise/dumb7-getter", name: "Dumb7 fills, getter", ..DUMB7 };
}

impl Parts for (Dumb7Fill, RayRun, ByDirection) {
    const CARD: Card = Card { id: "setwise/dumb7-ray-run", name: "Dumb7 fills, ray runs", ..DUMB7 };
}

impl Parts for (Subtraction, Getter, ByDirection) {
    const CARD: Card = Card {
        id: "setwise/subtraction-getter",
        name: "East by subtraction, others Kogge-Stone, getter",
        source: "Chess Programming Wiki, Fill by Subtraction and Pieces versus Directions",
        ..COMMON
    };
}

const DERIVED: Card = Card {
    author: "Raywalk, after the Chess Programming Wiki",
    year: Some(2026),
    source: "Raywalk: a control for setwise/kogge-stone-getter, not published elsewhere",
    ..COMMON
};

impl Parts for (KoggeStone, Staged, ByDirection) {
    const CARD: Card = Card {
        id: "setwise/kogge-stone-staged",
        name: "Kogge-Stone fills, one move at a time, captures first",
        reconstructed: "The source names the finite-state machine and staged generation but not the \
                        states. Here they are the sixteen directions of the captures, then those \
                        of the quiet moves. Stages other than all are those of the incremental \
                        design. The year is that of the fill. Otherwise as the getter.",
        ..COMMON
    };
}

impl Parts for (KoggeStone, TestedGetter, ByDirection) {
    const CARD: Card = Card {
        id: "setwise/kogge-stone-blocker-test",
        name: "Kogge-Stone fills, getter with the blocker test",
        reconstructed: "The wiki, Pieces versus Directions, says that the getter can omit the test \
                        for a blocker of the classical approach, because every target has a \
                        source. This is the getter with the test, to show what it costs.",
        ..DERIVED
    };
}

impl Parts for (KoggeStone, UntestedRayRun, ByDirection) {
    const CARD: Card = Card {
        id: "setwise/kogge-stone-untested-run",
        name: "Kogge-Stone fills, ray runs without the test",
        source: "Raywalk: a control for setwise/kogge-stone-ray-run, not published elsewhere",
        reconstructed: "The wiki, Pieces versus Directions, tests each square in between, because \
                        its move may have been tried and removed. This is the ray run without the \
                        test, to show what it costs when nothing was removed. Captures have no \
                        squares in between and are written by the getter.",
        ..DERIVED
    };
}

impl Parts for (Rolled, RolledGetter, ByDirection) {
    const CARD: Card = Card {
        id: "setwise/kogge-stone-rolled",
        name: "Kogge-Stone fills and getter, directions in loops",
        author: "Steffan Westcott (fill), Chess Programming Wiki (generalized rays, sixteen sets)",
        source: "Chess Programming Wiki, Kogge-Stone Algorithm (generalized rays) and Pieces versus \
                 Directions",
        reconstructed: "The year is that of the fill; the generalized rays are from an undated wiki \
                        page. The loops over directions, rays and leaps apart, are ours. The source \
                        has them unrolled. Otherwise as the getter.",
        ..COMMON
    };
}

impl Parts for (KoggeStone, Getter, OneByOne) {
    const CARD: Card = Card {
        id: "setwise/pawns-one-by-one",
        name: "Kogge-Stone fills, getter, pawns one by one",
        reconstructed: "The opposite of the mixed form that the wiki, Pieces versus Directions, \
                        calls a combination of both approaches: here the pieces go by direction \
                        and the pawns one by one.",
        ..DERIVED
    };
}
