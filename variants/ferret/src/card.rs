//! The fields that the cards share.

use raywalk_core::{Card, Control, Legality};

/// The card of the design as published.
pub(crate) const MORELAND: Card = Card {
    id: "ferret",
    name: "Ferret",
    author: "Bruce Moreland",
    // 2007 is the year of the archived copy, not of the page.
    year: None,
    source: "Bruce Moreland, Programming Topics: Move Table move generation (undated, archived in \
             2007; Ferret itself is of the 1990s); Chess Programming Wiki, Table-driven Move \
             Generation",
    control: Control::Branchy,
    legality: Legality::Pseudo,
    published_bytes: None,
    needs: &[],
    reconstructed: "heads, knights, kings, pawns and stages, which were not published; the board, \
                    which in Ferret stored more per square; castling and en passant come from the \
                    shared board",
};

/// Our own variants: the same walk with other links.
pub(crate) const OURS: Card = Card {
    author: "Raywalk, after Bruce Moreland",
    year: Some(2026),
    source: "Raywalk: a variant of ferret/pointer, not published elsewhere",
    ..MORELAND
};
