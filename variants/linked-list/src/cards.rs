//! The card of the published design and the fields that its variants share.

use raywalk_core::{Card, Control, Legality};

/// The card of the published design, which the variants start from.
pub(crate) const CARD: Card = Card {
    id: "linked-list/pointer",
    name: "Conditional linked list",
    author: "unsigned, presumably Gerd Isenberg; inspired by Vincent Diepeveen's Diep",
    year: Some(2012),
    source: "Chess Programming Wiki, Table-driven Move Generation: conditional linked list",
    control: Control::Branchless,
    legality: Legality::Pseudo,
    published_bytes: Some(46_592),
    needs: &[],
    reconstructed: "knights, kings, pawns, promotions, castling, en passant: the source shows \
                    sliders only; its moves carry a capture flag, which ours lack",
};

/// The fields that the cards of designs with scores share.
pub(crate) const SCORED: Card = Card {
    source: "Chess Programming Wiki, Table-driven Move Generation: conditional linked list, whose move might \
             already contain a score based on dedicated piece-square tables",
    reconstructed: "the values, which are the same for both colours because a node serves both; knights, \
                    kings, pawns, promotions, castling, en passant: the source shows sliders only; \
                    everything else is linked-list/index32-moves-32",
    ..CARD
};

/// The fields that the cards of our own variants share.
pub(crate) const OURS: Card = Card {
    author: "Raywalk, after the unsigned design of the Chess Programming Wiki",
    year: Some(2026),
    source: "Raywalk: a variant of linked-list/pointer, not published elsewhere",
    published_bytes: None,
    ..CARD
};
