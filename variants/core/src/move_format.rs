//! Move formats: how a [`MoveList`](crate::MoveList) stores a move.
//!
//! Generators produce the neutral [`Move`], and the list packs it when it is appended. A list of
//! neutral moves stores them as they are, at no cost. Designs that differ only in the format
//! measure what packing costs; the checksum unpacks the words again, but outside the timed region.
//!
//! Some formats say more than the neutral move: which piece is captured, or a score. Walks that know it pass
//! a [`Context`] with each move. A format that does not need it ignores it, and the compiler then removes it.
//!
//! Ten-bit codes of target and direction are not a format of this module, because a format unpacks a word
//! without the board. The set-wise design that writes them [says so](crate::Generator::CODED) and unpacks them
//! itself.

mod plies;
mod slots;
mod two_lists;
#[allow(unsafe_code, reason = "streaming stores have no safe form")]
mod wide;

pub use plies::{MoveOfPly, Plies};
pub(crate) use slots::CAPACITY;
pub use slots::{NodeSlots, PathSlots, SPARE, Slots};
pub use two_lists::InTwoLists;
pub use wide::{Move32, PieceSquare, ScoredMove, Scoring, StreamedMove};

use crate::{Color, Kind, Move, MoveKind, Piece, Square};

/// A representation of moves in a [`MoveList`](crate::MoveList). [`pack`](Self::pack) is part of
/// the timed region.
pub trait MoveFormat: Copy + Send + Sync + 'static {
    /// The slots of a list: [`NodeSlots`], unless one list serves several nodes.
    type Slots: Slots<Self>;
    /// Which list a walk of a search uses at a node. Everything else uses one list again and again.
    const PLIES: Plies = Plies::Forgotten;
    /// The initial value of every slot; no move in particular.
    const UNWRITTEN: Self;
    /// Whether captures and other moves are two lists, at both ends of the slots. Captures are then appended
    /// with a context or as en passant.
    const TWO_LISTS: bool = false;
    /// Whether moves with a context are written by [`stream`](Self::stream) instead of a plain store. The
    /// others, castling and en passant, are rare.
    const STREAMED: bool = false;

    /// The representation of a neutral move.
    fn pack(mv: Move) -> Self;
    /// The neutral move; the inverse of [`pack`](Self::pack).
    fn unpack(self) -> Move;

    /// The representation of a move about which more is known.
    #[inline(always)]
    fn pack_with(mv: Move, _context: &Context) -> Self {
        Self::pack(mv)
    }

    /// The representations of the four promotions of a pawn move about which more is known.
    #[inline(always)]
    fn pack_promotions(from: Square, to: Square, context: &Context) -> [Self; 4] {
        // Not `map`, which the compiler calls as a function for formats that need several instructions.
        let [knight, bishop, rook, queen] = Move::promotions(from, to);
        let pack = |mv| Self::pack_with(mv, context);
        [pack(knight), pack(bishop), pack(rook), pack(queen)]
    }

    /// Writes a word to a slot of a [streamed](Self::STREAMED) list.
    #[inline(always)]
    fn stream(slot: &mut Self, word: Self) {
        *slot = word;
    }

    /// Completes the stores to a [streamed](Self::STREAMED) list, when a [`Cursor`](crate::Cursor) is dropped.
    #[inline(always)]
    fn finish() {}
}

/// What a walk knows about a move besides its two squares.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// The piece that moves; a pawn for its promotions.
    pub piece: Piece,
    /// The code of the target as the board stores it.
    pub code: u8,
    /// The code of an empty square.
    pub empty: u8,
    /// Whether the move captures, as far as the place in the program tells.
    pub takes: Takes,
}

/// Whether a move captures, as far as the place in the program tells.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// Only quiet moves come here.
    Never,
    /// Only captures come here.
    Always,
    /// It depends on whether the target is empty.
    Depends,
}

impl Context {
    /// Whether the move captures. Computed by the formats that need it.
    #[inline(always)]
    pub const fn captures(&self) -> bool {
        match self.takes {
            Takes::Never => false,
            Takes::Always => true,
            Takes::Depends => self.code != self.empty,
        }
    }
}

/// The neutral format: the 16 bits of the move itself.
impl MoveFormat for Move {
    type Slots = NodeSlots<Self>;
    const UNWRITTEN: Move = Move::from_bits(0);

    #[inline(always)]
    fn pack(mv: Move) -> Move {
        mv
    }
    #[inline(always)]
    fn unpack(self) -> Move {
        self
    }
}

/// Twenty-one bits: target in bits 0–6 and origin in 7–13, both as 0x88 indexes, castling in 14–17 and
/// promotion in 18–20.
///
/// Castling is the value of the right that it uses: 8, 4, 2 and 1 for K, Q, k and q. So White's king
/// side is bit 17. A promotion is the number of the piece: 2 to 5 for knight, bishop, rook and queen.
///
/// The published code does not mark en passant captures and detects them when it makes the move.
/// The neutral move marks them, so bit 21 is added here.
///
/// # Source
/// *Building a Chess Move Generator: What You Need to Get Started*, Move Encoding and Piece Encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Move21(u32);

impl Move21 {
    const CASTLING: u32 = 14;
    const PROMOTION: u32 = 18;
    const EN_PASSANT: u32 = 1 << 21;

    #[cfg(test)]
    const fn bits(self) -> u32 {
        self.0
    }
}

const fn to_0x88(square: Square) -> u32 {
    let number = square.number() as u32;
    number + (number & !7)
}

const fn from_0x88(index: u32) -> Square {
    Square::from_low_bits(((index & 127) + (index & 7)) >> 1)
}

impl MoveFormat for Move21 {
    type Slots = NodeSlots<Self>;
    const UNWRITTEN: Move21 = Move21(0);

    #[inline(always)]
    fn pack(mv: Move) -> Move21 {
        let squares = to_0x88(mv.to()) | to_0x88(mv.from()) << 7;
        let marks = match mv.kind() {
            MoveKind::Normal => 0,
            MoveKind::EnPassant => Move21::EN_PASSANT,
            MoveKind::Castle => {
                // 8 for K, one place lower for the queen's side and two lower for Black.
                let wing = if mv.to().file() == 6 { 0 } else { 1 };
                let side = if mv.to().rank() == 0 { Color::White } else { Color::Black };
                (8 >> (2 * side as u32 + wing)) << Move21::CASTLING
            }
            // The printed numbers begin with 1 for the pawn.
            MoveKind::Promotion(kind) => (kind as u32 + 1) << Move21::PROMOTION,
        };
        Move21(squares | marks)
    }

    #[inline(always)]
    fn unpack(self) -> Move {
        let (from, to) = (from_0x88(self.0 >> 7), from_0x88(self.0));
        // Arithmetic instead of a match, so that reading a list back needs no branch per move.
        let promotion = self.0 >> Move21::PROMOTION & 7;
        let promotes = u32::from(promotion != 0);
        let kind = (promotion + 2) * promotes
            + u32::from(self.0 >> Move21::CASTLING & 15 != 0) * 2
            + u32::from(self.0 & Move21::EN_PASSANT != 0);
        Move::from_bits(Move::new(from, to).bits() | (kind as u16) << 12)
    }
}

/// A move as a struct with one field per property, as readable programs often write it.
///
/// # Source
/// *Building a Chess Move Generator: What You Need to Get Started*, which finds it readable and slow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveObject {
    from: Square,
    to: Square,
    castling: bool,
    en_passant: bool,
    promotion: Option<Kind>,
}

impl MoveFormat for MoveObject {
    type Slots = NodeSlots<Self>;
    const UNWRITTEN: MoveObject = MoveObject {
        from: Square::from_low_bits(0),
        to: Square::from_low_bits(0),
        castling: false,
        en_passant: false,
        promotion: None,
    };

    #[inline(always)]
    fn pack(mv: Move) -> MoveObject {
        let kind = mv.kind();
        MoveObject {
            from: mv.from(),
            to: mv.to(),
            castling: kind == MoveKind::Castle,
            en_passant: kind == MoveKind::EnPassant,
            promotion: mv.promoted(),
        }
    }

    #[inline(always)]
    fn unpack(self) -> Move {
        let promotion = self.promotion.map_or(0, |kind| kind as u16 + 3);
        let kind = promotion + 2 * u16::from(self.castling) + u16::from(self.en_passant);
        Move::from_bits(Move::new(self.from, self.to).bits() | kind << 12)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_move() -> Vec<Move> {
        let mut moves = Vec::new();
        for from in Square::all() {
            for to in Square::all() {
                moves.extend([Move::new(from, to), Move::en_passant(from, to)]);
                moves.extend(Move::promotions(from, to));
            }
        }
        for (from, to) in [("e1", "g1"), ("e1", "c1"), ("e8", "g8"), ("e8", "c8")] {
            let square = |name: &str| name.parse().expect("a square");
            moves.push(Move::castle(square(from), square(to)));
        }
        moves
    }

    #[test]
    fn every_format_returns_the_move_it_packed() {
        for mv in every_move() {
            assert_eq!(Move::pack(mv).unpack(), mv);
            assert_eq!(Move21::pack(mv).unpack(), mv, "{mv:?}");
            assert_eq!(MoveObject::pack(mv).unpack(), mv, "{mv:?}");
            assert_eq!(Move32::pack(mv).unpack(), mv, "{mv:?}");
            assert_eq!(StreamedMove::pack(mv).unpack(), mv, "{mv:?}");
            assert_eq!(ScoredMove::<PieceSquare>::pack(mv).unpack(), mv, "{mv:?}");
            assert_eq!(InTwoLists::pack(mv).unpack(), mv, "{mv:?}");
            assert_eq!(MoveOfPly::<true>::pack(mv).unpack(), mv, "{mv:?}");
        }
    }

    /// The values and shifts that *Building a Chess Move Generator* prints, not those of the code above.
    mod printed {
        pub(crate) const W_CASTLE_KINGSIDE: u32 = 8;
        pub(crate) const W_CASTLE_QUEENSIDE: u32 = 4;
        pub(crate) const B_CASTLE_KINGSIDE: u32 = 2;
        pub(crate) const B_CASTLE_QUEENSIDE: u32 = 1;
        pub(crate) const KNIGHT: u32 = 2;
        pub(crate) const BISHOP: u32 = 3;
        pub(crate) const ROOK: u32 = 4;
        pub(crate) const QUEEN: u32 = 5;

        /// The index of a square on a 0x88 board: `rank * 16 + file`.
        pub(crate) fn idx(name: &str) -> u32 {
            let [file, rank] = *name.as_bytes() else { panic!("{name} is no square") };
            u32::from(rank - b'1') * 16 + u32::from(file - b'a')
        }

        /// The printed example for castling is `((W_CASTLE_KINGSIDE.value << 14) | E1.idx << 7) | G1.idx`;
        /// by the printed list the next three bits are the promotion.
        pub(crate) fn encoded(from: &str, to: &str, castling: u32, promotion: u32) -> u32 {
            (promotion << 18) | (castling << 14) | (idx(from) << 7) | idx(to)
        }
    }

    #[test]
    fn the_21_bits_are_the_published_ones() {
        use printed::*;
        let square = |name: &str| name.parse::<Square>().expect("a square");
        let bits = |mv| Move21::pack(mv).bits();
        for from in Square::all() {
            for to in Square::all() {
                let published = encoded(&from.to_string(), &to.to_string(), 0, 0);
                assert_eq!(bits(Move::new(from, to)), published, "{from}{to}");
            }
        }
        for (from, to, right) in [
            ("e1", "g1", W_CASTLE_KINGSIDE),
            ("e1", "c1", W_CASTLE_QUEENSIDE),
            ("e8", "g8", B_CASTLE_KINGSIDE),
            ("e8", "c8", B_CASTLE_QUEENSIDE),
        ] {
            let castle = Move::castle(square(from), square(to));
            assert_eq!(bits(castle), encoded(from, to, right, 0), "{castle:?}");
        }
        for (kind, number) in [
            (Kind::Knight, KNIGHT),
            (Kind::Bishop, BISHOP),
            (Kind::Rook, ROOK),
            (Kind::Queen, QUEEN),
        ] {
            let promotion = Move::promotion(square("b7"), square("a8"), kind);
            assert_eq!(bits(promotion), encoded("b7", "a8", 0, number), "{promotion:?}");
            assert!(bits(promotion) < 1 << 21);
        }
    }

    /// The page reads the two squares back with `move & 127` and `(move >> 7) & 127`.
    #[test]
    fn the_published_masks_return_the_squares() {
        let (e7, d8) = ("e7".parse().expect("a square"), "d8".parse().expect("a square"));
        for mv in Move::promotions(e7, d8) {
            let bits = Move21::pack(mv).bits();
            assert_eq!((bits & 127, bits >> 7 & 127), (printed::idx("d8"), printed::idx("e7")));
        }
    }
}
