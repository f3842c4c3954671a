//! Which board each design walks, and its card.

use raywalk_core::square_board::{
    BoardScan, ColourBits, CountedArrays, DiepCode, FlatList, GambietCode, Grid0x88, Grid8x8,
    Grid10x12, Grid15x12, Grid16x12, IndexRanges, LinkedList, ReulFlags, ShiftCode, TypedPawns,
};
use raywalk_core::{Card, Control, Legality};

use crate::Layout;

/// Names a layout: geometry, code, list, card.
macro_rules! layouts {
    ($($(#[$doc:meta])* $name:ident($geometry:ty, $code:ty, $list:ty) = $card:expr;)+) => {$(
        $(#[$doc])*
        pub struct $name;

        impl Layout for $name {
            type Geometry = $geometry;
            type Code = $code;
            type List = $list;
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
    year: 1978,
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
    Unguarded8x8(Grid8x8, ColourBits, CountedArrays) = Card {
        id: "mailbox/unguarded-8x8",
        name: "8x8 with wrap checks",
        author: "nobody's in particular",
        year: crate::array::YEAR,
        source: BLOG,
        reconstructed: "the source names the problem and the cure and shows no loop; it has no date",
        ..GEOMETRY
    };
    /// Two guard ranks and one guard file.
    Embedded10x12(Grid10x12, ColourBits, CountedArrays) = MAILBOX;
    /// Sixteen files, of which eight are real.
    Board0x88(Grid0x88, ColourBits, CountedArrays) = Card {
        id: "mailbox/0x88",
        name: "0x88",
        author: "found several times: Robert Hyatt about 1970, Jan Kuipers 1981; named by Bruce Moreland",
        year: 1981,
        source: "Chess Programming Wiki, 0x88 (Kuipers' 8086 code of 1981 is the first in print)",
        ..GEOMETRY
    };
    /// The least width for which differences of cells are unique.
    Embedded15x12(Grid15x12, ColourBits, CountedArrays) = Card {
        id: "mailbox/15x12",
        name: "15x12",
        author: "Fritz Reul",
        year: 2009,
        source: "Fritz Reul, New Architectures in Computer Chess (2009), chapter 2",
        ..GEOMETRY
    };
    /// The width of 0x88 with guards.
    Embedded16x12(Grid16x12, ColourBits, CountedArrays) = Card {
        id: "mailbox/16x12",
        name: "16x12",
        author: "forum discussions",
        year: 2006,
        source: "Chess Programming Wiki, 0x88 (hybrid of 0x88 and mailbox); Building a Chess Move Generator",
        ..GEOMETRY
    };

    /// No list.
    WithBoardScan(Grid10x12, ColourBits, BoardScan) = Card {
        id: "mailbox/10x12-scan",
        name: "10x12, board scan",
        author: "Tom Kerrigan (TSCP)",
        year: 1997,
        source: "Tom Kerrigan's Simple Chess Program; Chess Programming Wiki, Piece-Lists",
        ..LIST
    };
    /// Fixed ranges of slots.
    WithIndexRanges(Grid10x12, ColourBits, IndexRanges) = Card {
        id: "mailbox/10x12-ranges",
        name: "10x12, index ranges",
        author: "author of the post named as source",
        year: crate::array::YEAR,
        source: BLOG,
        ..LIST
    };
    /// Links from man to man.
    WithLinkedList(Grid10x12, ColourBits, LinkedList) = Card {
        id: "mailbox/10x12-linked",
        name: "10x12, linked list",
        author: "author of the post named as source",
        year: crate::array::YEAR,
        source: BLOG,
        ..LIST
    };
    /// One array per side, the king in front.
    WithFlatList(Grid10x12, ColourBits, FlatList) = Card {
        id: "mailbox/10x12-flat",
        name: "10x12, flat list",
        author: "GNU Chess authors",
        year: 1989,
        source: "GNU Chess 4 (PieceList); Chess Programming Wiki, Piece-Lists",
        ..LIST
    };

    /// Gambiet's code without Gambiet's flags.
    WithGambietCode(Grid10x12, GambietCode, CountedArrays) = Card {
        id: "mailbox/10x12-gambiet",
        name: "10x12, Gambiet code",
        author: "Wim Rens",
        year: 1981,
        source: "Wim Rens, Grondslagen van computerschaak, Databus 6/1981; Chess Programming Wiki, Gambiet",
        ..CODE
    };
    /// The dense list's code.
    WithShiftCode(Grid10x12, ShiftCode, CountedArrays) = Card {
        id: "mailbox/10x12-shift",
        name: "10x12, shift code",
        author: "Gerd Isenberg",
        year: 2012,
        source: "Chess Programming Wiki, Table-driven Move Generation",
        ..CODE
    };
    /// Diep's numbers.
    WithDiepCode(Grid10x12, DiepCode, CountedArrays) = Card {
        id: "mailbox/10x12-diep",
        name: "10x12, Diep numbers",
        author: "Vincent Diepeveen",
        year: 2012,
        source: "Vincent Diepeveen, Computer Chess Club, 30 and 31 August 2012",
        ..CODE
    };
    /// Two pawn types.
    WithTypedPawns(Grid10x12, TypedPawns, CountedArrays) = Card {
        id: "mailbox/10x12-typed-pawns",
        name: "10x12, typed pawns",
        author: "H. G. Muller",
        year: 2021,
        source: "H. G. Muller, The mailbox trials (2021)",
        ..CODE
    };
    /// One bit per kind.
    WithReulFlags(Grid10x12, ReulFlags, CountedArrays) = Card {
        id: "mailbox/10x12-reul",
        name: "10x12, Reul flags",
        author: "Fritz Reul",
        year: 2009,
        source: "Fritz Reul, New Architectures in Computer Chess (2009), chapter 2",
        ..CODE
    };
}
