//! What the cards have in common.

use raywalk_core::{Card, Control, Legality};

/// The documented design.
pub const MORELAND: Card = Card {
    id: "ferret",
    name: "Ferret",
    author: "Bruce Moreland",
    year: Some(2007),
    source: "Bruce Moreland, Programming Topics: Move Table move generation (archived in 2007; \
             Ferret itself is of the 1990s); Chess Programming Wiki, Table-driven Move Generation",
    control: Control::Branchy,
    legality: Legality::Pseudo,
    published_bytes: None,
    needs: &[],
    reconstructed: "heads, knights, kings, pawns and stages, which were not published; the board, \
                    whose squares were fat ones; castling and en passant are those of the shared \
                    board",
};

/// The same walk with other links.
pub const OURS: Card = Card {
    author: "Raywalk, after Bruce Moreland",
    year: Some(2026),
    source: "this project: a derived form, in no source",
    ..MORELAND
};
