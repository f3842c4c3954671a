//! The words of Zobrist keys, arranged for boards of sets: by a code of which each set of a board has a part.
//!
//! **Source.** Zobrist, 1970. The words are those of [`Key`], so a key equals [`Key::of`] for the same position.
//!
//! **Layout.** A row of 64 words for each code of a piece, and 16 words for each set of unmoved kings and rooks, 8 KiB
//! each. A walk reads the rows of pieces that exist and the words of few sets.

use raywalk_core::{CastlingRights, Color, Key, Kind, Piece, Square, State};

use crate::homes::{HOMES, rights_of};
use crate::sets::squares;

/// Parts of a piece's code. A queen has those of both sliders, as it is in both their sets. An empty square has the
/// code 0.
pub(crate) const PAWN: u8 = 1;
pub(crate) const STRAIGHT: u8 = 2;
pub(crate) const KNIGHT: u8 = 3;
pub(crate) const DIAGONAL: u8 = 4;
pub(crate) const KING: u8 = 5;
pub(crate) const BLACK: u8 = 8;

/// The place of the first word for unmoved kings and rooks, behind the rows of sixteen codes.
pub(crate) const UNMOVED: usize = 16 * 64;

/// Number of words for each set of unmoved kings and rooks. A square's number modulo this is that of its word.
pub(crate) const HOMES_OF_SET: usize = 16;

/// The words of all keys.
#[repr(C, align(64))]
pub(crate) struct Words {
    /// A row for each code. Behind them, for each set of unmoved kings and rooks, numbered by `pext`, the words of
    /// these pieces, each combined with the change of the key when its rights end.
    standing: [u64; UNMOVED + 64 * HOMES_OF_SET],
    /// By file. A ninth stands for no square.
    passed: [u64; 16],
    /// For a change of the side to move.
    side: u64,
}

impl Words {
    pub(crate) fn build() -> Words {
        let mut standing = [0; UNMOVED + 64 * HOMES_OF_SET];
        for color in Color::ALL {
            for kind in Kind::ALL {
                let piece = Piece::new(color, kind);
                for square in Square::all() {
                    standing[row(piece) + square.index()] = Key::of_piece(piece, square).0;
                }
            }
        }
        for number in 0..64 {
            let numbered = squares(HOMES).enumerate();
            let homes = numbered.filter(|(bit, _)| number >> bit & 1 != 0);
            let homes = homes.fold(0, |homes, (_, square)| homes | square.bit());
            for square in squares(homes) {
                let color = if square.rank() == 0 { Color::White } else { Color::Black };
                let kind = if square.file() == 4 { Kind::King } else { Kind::Rook };
                let place = UNMOVED + HOMES_OF_SET * number + square.index() % HOMES_OF_SET;
                standing[place] = Key::of_piece(Piece::new(color, kind), square).0
                    ^ of_rights(homes)
                    ^ of_rights(homes & !square.bit());
            }
        }
        let of = |state| Key::of_state(state).0 ^ Key::of_state(NO_STATE).0;
        let mut passed = [0; 16];
        for (file, word) in (0..8).zip(&mut passed) {
            *word = of(State { en_passant: Some(Square::new(file, 2)), ..NO_STATE });
        }
        Words { standing, passed, side: of(State { side: Color::Black, ..NO_STATE }) }
    }

    /// The word of a place.
    #[inline(always)]
    pub(crate) fn standing(&self, place: usize) -> u64 {
        // The mask states the range, so that there is no bounds check.
        self.standing[place % self.standing.len()]
    }

    /// The words of a piece, from the place of the first one.
    #[inline(always)]
    pub(crate) fn row(&self, place: usize) -> &[u64; 64] {
        let (rows, _) = self.standing.as_chunks();
        &rows[place / 64 % rows.len()]
    }

    /// The word of a piece on a square.
    #[inline(always)]
    pub(crate) fn piece(&self, piece: Piece, square: Square) -> u64 {
        self.standing(row(piece) + square.index())
    }

    /// The word of the square that a pawn has passed; 0 for no square.
    #[inline(always)]
    pub(crate) fn passed(&self, square: u64) -> u64 {
        let number = square.trailing_zeros() as usize;
        self.passed[number & 7 | number >> 3 & 8]
    }

    /// The word for a change of the side to move.
    #[inline(always)]
    pub(crate) fn side(&self) -> u64 {
        self.side
    }
}

/// A state to compare others with.
const NO_STATE: State = State {
    side: Color::White,
    rights: CastlingRights::NONE,
    en_passant: None,
    halfmove: 0,
    fullmove: 1,
};

/// The place of the first word of a piece.
#[inline(always)]
fn row(piece: Piece) -> usize {
    let kind = match piece.kind {
        Kind::Pawn => PAWN,
        Kind::Knight => KNIGHT,
        Kind::Bishop => DIAGONAL,
        Kind::Rook => STRAIGHT,
        Kind::Queen => DIAGONAL | STRAIGHT,
        Kind::King => KING,
    };
    64 * (usize::from(kind) + usize::from(BLACK) * piece.color.index())
}

/// The contribution to a key of the rights of unmoved kings and rooks.
pub(crate) fn of_rights(homes: u64) -> u64 {
    Key::of_state(State { rights: rights_of(homes), ..NO_STATE }).0
}
