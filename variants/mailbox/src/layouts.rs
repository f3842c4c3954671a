//! Which board each design walks, and its card.

use raywalk_core::square_board::{
    BoardScan, ColourBits, CountedArrays, DiepCode, FlatList, GambietCode, Grid0x88, Grid8x8,
    Grid10x12, Grid15x12, Grid16x12, IndexRanges, LinkedList, ReulFlags, ShiftCode, TypedPawns,
};
use raywalk_core::{Card, Control, Legality, Move, Move21, MoveObject};

use crate::Layout;

/// Names a layout: geometry, code, piece list, move format, card.
macro_rules! layouts {
    ($($(#[$doc:meta])* $name:ident($geometry:ty, $code:ty, $list:ty, $moves:ty) = $card:expr;)+) => {$(
        $(#[$doc])*
        pub struct $name;

        impl Layout for $name {
            type Geometry = $geometry;
            type Code = $code;
            type List = $list;
            type Moves = $moves;
            const CARD: Card = $card;
        }
    )+};
}

const BLOG: &str = "Building a Chess Move Generator: What You Need to Get Started";

/// What all designs of the crate share.
pub(crate) const MAILBOX: Card = Card {
    id: "mailbox/10x12",
    name: "10x12 mailbox",
    author: "Dan and Kathe Spracklen (Sargon)",
    year: Some(1978),
    source: "Chess Programming Wiki, 10x12 Board and Mailbox",
    control: Control::Branchy,
    legality: Legality::Pseudo,
    published_bytes: None,
    needs: &[],
    reconstructed: "piece code, piece list and the split into stages: older programs than Sargon had \
                    such boards, none is followed in detail",
};

/// The same loop on another geometry.
const GEOMETRY: Card = Card {
    reconstructed: "piece code, piece list, pawns and the split into stages are those of the other \
                    boards of this family, so that only the geometry differs",
    ..MAILBOX
};

/// The same board with another piece list.
const LIST: Card = Card {
    reconstructed: "the list comes from the source, the 10x12 loop around it from mailbox/10x12",
    ..MAILBOX
};

/// The same board with another piece code.
const CODE: Card = Card {
    reconstructed: "the code comes from the source, the 10x12 loop around it from mailbox/10x12",
    ..MAILBOX
};

layouts! {
    /// One index into 64 squares and a wrap check.
    Unguarded8x8(Grid8x8, ColourBits, CountedArrays, Move) = Card {
        id: "mailbox/unguarded-8x8",
        name: "8x8 with wrap checks",
        author: "nobody's in particular",
        year: None,
        source: BLOG,
        reconstructed: "the source names the problem and the cure and shows no loop; it has no date",
        ..GEOMETRY
    };
    /// Two guard ranks and one guard file.
    Embedded10x12(Grid10x12, ColourBits, CountedArrays, Move) = MAILBOX;
    /// Sixteen files, of which eight are real.
    Board0x88(Grid0x88, ColourBits, CountedArrays, Move) = Card {
        id: "mailbox/0x88",
        name: "0x88",
        author: "found several times: Robert Hyatt about 1970, Jan Kuipers 1981; named by Bruce Moreland",
        year: Some(1981),
        source: "Chess Programming Wiki, 0x88 (Kuipers' 8086 code of 1981 is the first in print)",
        ..GEOMETRY
    };
    /// The least width for which differences of cells are unique.
    Embedded15x12(Grid15x12, ColourBits, CountedArrays, Move) = Card {
        id: "mailbox/15x12",
        name: "15x12",
        author: "Fritz Reul",
        year: Some(2009),
        source: "Fritz Reul, New Architectures in Computer Chess (2009), chapter 2",
        ..GEOMETRY
    };
    /// The width of 0x88 with guards.
    Embedded16x12(Grid16x12, ColourBits, CountedArrays, Move) = Card {
        id: "mailbox/16x12",
        name: "16x12",
        author: "forum discussions",
        year: Some(2006),
        source: "Chess Programming Wiki, 0x88 (hybrid of 0x88 and mailbox); Building a Chess Move Generator",
        ..GEOMETRY
    };

    /// No list.
    WithBoardScan(Grid10x12, ColourBits, BoardScan, Move) = Card {
        id: "mailbox/10x12-scan",
        name: "10x12, board scan",
        author: "Tom Kerrigan (TSCP)",
        year: Some(1997),
        source: "Tom Kerrigan's Simple Chess Program; Chess Programming Wiki, Piece-Lists",
        ..LIST
    };
    /// Fixed ranges of slots.
    WithIndexRanges(Grid10x12, ColourBits, IndexRanges, Move) = Card {
        id: "mailbox/10x12-ranges",
        name: "10x12, index ranges",
        author: "author of the post named as source",
        year: None,
        source: BLOG,
        ..LIST
    };
    /// Links from piece to piece.
    WithLinkedList(Grid10x12, ColourBits, LinkedList, Move) = Card {
        id: "mailbox/10x12-linked",
        name: "10x12, linked list",
        author: "author of the post named as source",
        year: None,
        source: BLOG,
        ..LIST
    };
    /// One array per side, the king in front.
    WithFlatList(Grid10x12, ColourBits, FlatList, Move) = Card {
        id: "mailbox/10x12-flat",
        name: "10x12, flat list",
        author: "GNU Chess authors",
        year: Some(1989),
        source: "GNU Chess 4 (PieceList); Chess Programming Wiki, Piece-Lists",
        ..LIST
    };

    /// Gambiet's code without Gambiet's flags.
    WithGambietCode(Grid10x12, GambietCode, CountedArrays, Move) = Card {
        id: "mailbox/10x12-gambiet",
        name: "10x12, Gambiet code",
        author: "Wim Rens",
        year: Some(1981),
        source: "Wim Rens, Grondslagen van computerschaak, Databus 6/1981; Chess Programming Wiki, Gambiet",
        ..CODE
    };
    /// The dense list's code.
    WithShiftCode(Grid10x12, ShiftCode, CountedArrays, Move) = Card {
        id: "mailbox/10x12-shift",
        name: "10x12, shift code",
        author: "Gerd Isenberg",
        year: Some(2012),
        source: "Chess Programming Wiki, Table-driven Move Generation",
        ..CODE
    };
    /// Diep's numbers.
    WithDiepCode(Grid10x12, DiepCode, CountedArrays, Move) = Card {
        id: "mailbox/10x12-diep",
        name: "10x12, Diep numbers",
        author: "Vincent Diepeveen",
        year: Some(2012),
        source: "Vincent Diepeveen, Computer Chess Club, 30 and 31 August 2012",
        ..CODE
    };
    /// Two pawn types.
    WithTypedPawns(Grid10x12, TypedPawns, CountedArrays, Move) = Card {
        id: "mailbox/10x12-typed-pawns",
        name: "10x12, typed pawns",
        author: "H. G. Muller",
        year: Some(2021),
        source: "H. G. Muller, The mailbox trials (2021)",
        ..CODE
    };
    /// One bit per kind.
    WithReulFlags(Grid10x12, ReulFlags, CountedArrays, Move) = Card {
        id: "mailbox/10x12-reul",
        name: "10x12, Reul flags",
        author: "Fritz Reul",
        year: Some(2009),
        source: "Fritz Reul, New Architectures in Computer Chess (2009), chapter 2",
        ..CODE
    };

    /// Moves of 21 bits.
    WithMoves21(Grid10x12, ColourBits, CountedArrays, Move21) = Card {
        id: "mailbox/10x12-moves-21",
        name: "10x12, moves of 21 bits",
        author: "author of the post named as source",
        year: None,
        source: BLOG,
        reconstructed: "the move code comes from the source, with a mark for en passant added; the \
                        10x12 loop around it from mailbox/10x12",
        ..MAILBOX
    };
    /// Moves with a field for each thing.
    WithMoveObjects(Grid10x12, ColourBits, CountedArrays, MoveObject) = Card {
        id: "mailbox/10x12-moves-object",
        name: "10x12, moves as objects",
        author: "author of the post named as source",
        year: None,
        source: BLOG,
        reconstructed: "the fields come from the source, the 10x12 loop around them from \
                        mailbox/10x12",
        ..MAILBOX
    };
}
