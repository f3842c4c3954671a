//! The layout and the card of each design that shares the loop of [`Mailbox`](crate::Mailbox).

use raywalk_core::square_board::{
    BitboardSets, BoardScan, CapturedMove, ColourBits, CountedArrays, DiepCode, FlatList,
    GambietCode, Grid0x88, Grid8x8, Grid10x12, Grid15x12, Grid16x12, IndexRanges, LinkedList,
    ReulFlags, ShiftCode, TypedPawns, VictimAttacker,
};
use raywalk_core::{
    Card, Control, Feature, InTwoLists, Legality, Move, Move21, Move32, MoveObject, MoveOfPly,
    ScoredMove, StreamedMove,
};

use crate::embedded::Layout;

/// Declares layouts as `Name(geometry, code, piece list, move format) = card;`.
macro_rules! layouts {
    ($($name:ident($geometry:ty, $code:ty, $list:ty, $moves:ty) = $card:expr;)+) => {$(
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

/// The card of `mailbox/10x12`, from which the other cards of the crate are derived.
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
    reconstructed: "piece code, piece list and the split into stages; programs older than Sargon had \
                    such boards, but no program is followed in detail",
};

/// Base of the cards that change the geometry.
const GEOMETRY: Card = Card {
    reconstructed: "piece code, piece list, pawns and the split into stages are those of the other \
                    boards of this family: only the geometry differs",
    ..MAILBOX
};

/// Base of the cards that change the piece list.
const LIST: Card = Card {
    reconstructed: "the list comes from the source; the loop around it is that of mailbox/10x12",
    ..MAILBOX
};

/// Base of the cards that change the piece code.
const CODE: Card = Card {
    reconstructed: "the code comes from the source; the loop around it is that of mailbox/10x12",
    ..MAILBOX
};

/// Base of the cards that change the width of a move or the way it is stored.
const WORD: Card = Card {
    author: "Raywalk, after the 10x12 mailbox",
    year: Some(2026),
    source: "Raywalk: a variant of mailbox/10x12, not published elsewhere",
    ..MAILBOX
};

layouts! {
    Unguarded8x8(Grid8x8, ColourBits, CountedArrays, Move) = Card {
        id: "mailbox/unguarded-8x8",
        name: "8x8 with wrap checks",
        author: "unattributed",
        year: None,
        source: BLOG,
        reconstructed: "the source names the problem and the remedy, shows no loop and has no date",
        ..GEOMETRY
    };
    Embedded10x12(Grid10x12, ColourBits, CountedArrays, Move) = MAILBOX;
    Board0x88(Grid0x88, ColourBits, CountedArrays, Move) = Card {
        id: "mailbox/0x88",
        name: "0x88",
        author: "found several times: Robert Hyatt about 1970, Jan Kuipers 1981; named by Bruce Moreland",
        year: Some(1981),
        source: "Chess Programming Wiki, 0x88 (Kuipers' 8086 code of 1981 is the first in print)",
        ..GEOMETRY
    };
    Embedded15x12(Grid15x12, ColourBits, CountedArrays, Move) = Card {
        id: "mailbox/15x12",
        name: "15x12",
        author: "Fritz Reul",
        year: Some(2009),
        source: "Fritz Reul, New Architectures in Computer Chess (2009), chapter 2",
        ..GEOMETRY
    };
    Embedded16x12(Grid16x12, ColourBits, CountedArrays, Move) = Card {
        id: "mailbox/16x12",
        name: "16x12",
        author: "forum discussions",
        year: Some(2006),
        source: "Chess Programming Wiki, 0x88 (hybrid of 0x88 and mailbox); Building a Chess Move Generator",
        ..GEOMETRY
    };

    WithBoardScan(Grid10x12, ColourBits, BoardScan, Move) = Card {
        id: "mailbox/10x12-scan",
        name: "10x12, board scan",
        author: "Tom Kerrigan (TSCP)",
        year: Some(1997),
        source: "Tom Kerrigan's Simple Chess Program; Chess Programming Wiki, Piece-Lists",
        ..LIST
    };
    WithIndexRanges(Grid10x12, ColourBits, IndexRanges, Move) = Card {
        id: "mailbox/10x12-ranges",
        name: "10x12, index ranges",
        author: "author of the blog post",
        year: None,
        source: BLOG,
        ..LIST
    };
    WithLinkedList(Grid10x12, ColourBits, LinkedList, Move) = Card {
        id: "mailbox/10x12-linked",
        name: "10x12, linked list",
        author: "author of the blog post",
        year: None,
        source: BLOG,
        ..LIST
    };
    WithFlatList(Grid10x12, ColourBits, FlatList, Move) = Card {
        id: "mailbox/10x12-flat",
        name: "10x12, flat list",
        author: "GNU Chess authors",
        year: Some(1992),
        source: "GNU Chess 4 (PieceList); Chess Programming Wiki, Piece-Lists",
        ..LIST
    };

    WithBitboardSets(Grid10x12, ColourBits, BitboardSets, Move) = Card {
        id: "mailbox/10x12-bitboard-sets",
        name: "10x12, bitboard sets",
        author: "Raywalk, after the 10x12 mailbox",
        year: Some(2026),
        source: "Chess Programming Wiki, Piece-Lists and Bitboards",
        reconstructed: "a set of squares for each colour and kind instead of a list, as programs with \
                        bitboards have beside their board of squares; the loop around it is that of \
                        mailbox/10x12",
        ..LIST
    };

    WithBitboardChecks(Grid10x12, ColourBits, BitboardSets<true>, Move) = Card {
        id: "mailbox/10x12-bitboard-checks",
        name: "10x12, bitboard sets that find checks",
        author: "Raywalk, after the 10x12 mailbox",
        year: Some(2026),
        source: "Raywalk: a control for mailbox/10x12-bitboard-sets, not published elsewhere",
        reconstructed: "whether a square is attacked is asked of the sets, as on bitboards, instead of the \
                        cells along rays; everything else is mailbox/10x12-bitboard-sets",
        ..LIST
    };

    WithGambietCode(Grid10x12, GambietCode, CountedArrays, Move) = Card {
        id: "mailbox/10x12-gambiet",
        name: "10x12, Gambiet code",
        author: "Wim Rens",
        year: Some(1981),
        source: "Wim Rens, Grondslagen van computerschaak, Databus 6/1981; Chess Programming Wiki, Gambiet",
        ..CODE
    };
    WithShiftCode(Grid10x12, ShiftCode, CountedArrays, Move) = Card {
        id: "mailbox/10x12-shift",
        name: "10x12, shift code",
        author: "Gerd Isenberg",
        year: Some(2012),
        source: "Chess Programming Wiki, Table-driven Move Generation",
        ..CODE
    };
    WithDiepCode(Grid10x12, DiepCode, CountedArrays, Move) = Card {
        id: "mailbox/10x12-diep",
        name: "10x12, Diep numbers",
        author: "Vincent Diepeveen",
        year: Some(2012),
        source: "Vincent Diepeveen, Computer Chess Club, 30 and 31 August 2012",
        ..CODE
    };
    WithTypedPawns(Grid10x12, TypedPawns, CountedArrays, Move) = Card {
        id: "mailbox/10x12-typed-pawns",
        name: "10x12, typed pawns",
        author: "H. G. Muller",
        year: Some(2021),
        source: "H. G. Muller, The mailbox trials (2021)",
        ..CODE
    };
    WithReulFlags(Grid10x12, ReulFlags, CountedArrays, Move) = Card {
        id: "mailbox/10x12-reul",
        name: "10x12, Reul flags",
        author: "Fritz Reul",
        year: Some(2009),
        source: "Fritz Reul, New Architectures in Computer Chess (2009), chapter 2",
        ..CODE
    };

    WithMoves21(Grid10x12, ColourBits, CountedArrays, Move21) = Card {
        id: "mailbox/10x12-moves-21",
        name: "10x12, moves of 21 bits",
        author: "author of the blog post",
        year: None,
        source: BLOG,
        reconstructed: "the move code comes from the source, with a flag for en passant added; the \
                        loop around it is that of mailbox/10x12",
        ..MAILBOX
    };
    WithMoveObjects(Grid10x12, ColourBits, CountedArrays, MoveObject) = Card {
        id: "mailbox/10x12-moves-object",
        name: "10x12, moves as objects",
        author: "author of the blog post",
        year: None,
        source: BLOG,
        reconstructed: "the fields come from the source; the loop around them is that of \
                        mailbox/10x12",
        ..MAILBOX
    };
    WithMoves32(Grid10x12, ColourBits, CountedArrays, Move32) = Card {
        id: "mailbox/10x12-moves-32",
        name: "10x12, moves of 32 bits",
        reconstructed: "the word is that of mailbox/10x12 with the high half empty",
        ..WORD
    };
    WithCapturedMoves(Grid10x12, ColourBits, CountedArrays, CapturedMove) = Card {
        id: "mailbox/10x12-moves-captured",
        name: "10x12, captured piece in the move",
        author: "unsigned, presumably Gerd Isenberg; inspired by Vincent Diepeveen's Diep",
        year: Some(2012),
        source: "Chess Programming Wiki, Table-driven Move Generation: conditional linked list",
        reconstructed: "the source marks captures with the code of the target and does not show the word; the \
                        loop is that of mailbox/10x12-moves-32",
        ..MAILBOX
    };
    WithScoredMoves(Grid10x12, ColourBits, CountedArrays, ScoredMove<VictimAttacker>) = Card {
        id: "mailbox/10x12-moves-scored",
        name: "10x12, moves scored by victim and attacker",
        author: "Tom Kerrigan (TSCP)",
        year: Some(1997),
        source: "Tom Kerrigan's Simple Chess Program: score of a generated move",
        reconstructed: "the score shares a word of 32 bits with the move; quiet moves have score 0 instead of \
                        their history; the loop is that of mailbox/10x12-moves-32",
        ..MAILBOX
    };
    WithStreamedMoves(Grid10x12, ColourBits, CountedArrays, StreamedMove) = Card {
        id: "mailbox/10x12-moves-streamed",
        name: "10x12, moves written past the cache",
        needs: &[Feature::X86_64],
        reconstructed: "non-temporal stores, completed at the end of the walk; everything else is \
                        mailbox/10x12-moves-32",
        ..WORD
    };
    WithPlyLists(Grid10x12, ColourBits, CountedArrays, MoveOfPly<false>) = Card {
        id: "mailbox/10x12-ply-lists",
        name: "10x12, a list for each ply",
        reconstructed: "the place of a list matters only while a recorded search is walked; the list has as \
                        many slots as mailbox/10x12-ply-stack; everything else is mailbox/10x12",
        ..WORD
    };
    WithPlyStack(Grid10x12, ColourBits, CountedArrays, MoveOfPly<true>) = Card {
        id: "mailbox/10x12-ply-stack",
        name: "10x12, one stack of moves for all plies",
        author: "Tom Kerrigan (TSCP)",
        year: Some(1997),
        source: "Tom Kerrigan's Simple Chess Program: gen_dat and first_move",
        reconstructed: "the place of a list matters only while a recorded search is walked; the loop is that \
                        of mailbox/10x12",
        ..MAILBOX
    };
    WithTwoLists(Grid10x12, ColourBits, CountedArrays, InTwoLists) = Card {
        id: "mailbox/10x12-two-lists",
        name: "10x12, captures and quiets in two lists",
        author: "Chess Programming Wiki",
        year: None,
        source: "Chess Programming Wiki, Table-driven Move Generation and Pieces versus Directions",
        reconstructed: "the sources mention two lists and show none; here one call writes captures downwards \
                        from the end of the slots and other moves upwards from their start; everything else is \
                        mailbox/10x12",
        ..MAILBOX
    };
}

/// `mailbox/10x12` with unrolled loops over constant steps.
pub struct Unrolled10x12;

impl Layout for Unrolled10x12 {
    type Geometry = Grid10x12;
    type Code = ColourBits;
    type List = CountedArrays;
    type Moves = Move;
    const UNROLLED: bool = true;
    const CARD: Card = Card {
        id: "mailbox/10x12-unrolled",
        name: "10x12 mailbox, unrolled",
        author: "Raywalk, after the 10x12 mailbox",
        year: Some(2026),
        source: "Raywalk: a variant of mailbox/10x12, not published elsewhere",
        reconstructed: "the same loops with one copy for each kind and constant steps, as compilers make \
                        them of the usual source",
        ..MAILBOX
    };
}

/// `mailbox/10x12` with two passes over the pieces.
pub struct Staged10x12;

impl Layout for Staged10x12 {
    type Geometry = Grid10x12;
    type Code = ColourBits;
    type List = CountedArrays;
    type Moves = Move;
    const STAGED: bool = true;
    const CARD: Card = Card {
        id: "mailbox/10x12-captures-then-quiets",
        name: "10x12 mailbox, captures then quiet moves",
        author: "Raywalk, after the 10x12 mailbox",
        year: Some(2026),
        source: "Raywalk: a control for mailbox/10x12, not published elsewhere",
        reconstructed: "all moves are its captures and then its quiet moves, each with a pass over the \
                        pieces of its own; everything else is mailbox/10x12",
        ..MAILBOX
    };
}
