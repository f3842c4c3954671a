//! Colours, kinds and pieces.

use std::fmt;
use std::ops::Not;

/// The side a piece belongs to, or the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Color {
    /// Moves first, up the board.
    White = 0,
    /// Moves down the board.
    Black = 1,
}

impl Color {
    /// White, then Black.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// 0 for White, 1 for Black.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `square` for White and its [`flip`](crate::Square::flip) for Black, so that tables written
    /// from White's side serve both colours.
    #[inline(always)]
    pub const fn view(self, square: crate::Square) -> crate::Square {
        crate::Square::from_low_bits(square.number() as u32 ^ (56 * self as u32))
    }
}

impl Not for Color {
    type Output = Color;

    #[inline(always)]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

/// The kind of a piece, without its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// The only kind whose captures and quiet moves have different targets.
    Pawn = 0,
    /// Leaps two squares along one axis and one along the other.
    Knight = 1,
    /// Slides along diagonals.
    Bishop = 2,
    /// Slides along ranks and files.
    Rook = 3,
    /// Slides along all eight directions.
    Queen = 4,
    /// One step in each direction, and castling.
    King = 5,
}

impl Kind {
    /// All kinds from pawn to king, in the order of [`index`](Kind::index).
    pub const ALL: [Kind; 6] =
        [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen, Kind::King];
    /// All kinds except the pawn.
    pub const PIECES: [Kind; 5] = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen, Kind::King];
    /// Bishop, rook, queen.
    pub(crate) const SLIDERS: [Kind; 3] = [Kind::Bishop, Kind::Rook, Kind::Queen];
    /// The kinds that a pawn can promote to.
    pub const PROMOTIONS: [Kind; 4] = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];

    /// 0 for the pawn to 5 for the king.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Whether the kind is bishop, rook or queen.
    #[inline(always)]
    pub const fn is_slider(self) -> bool {
        matches!(self, Kind::Bishop | Kind::Rook | Kind::Queen)
    }

    /// Whether a piece of this kind is worth more than one of `other`, by the usual values: pawn 1, knight and
    /// bishop 3, rook 5, queen 9. The king is worth more than all others.
    pub const fn is_worth_more_than(self, other: Kind) -> bool {
        const VALUES: [u8; 6] = [1, 3, 3, 5, 9, u8::MAX];
        VALUES[self as usize] > VALUES[other as usize]
    }

    /// The lower-case letter of FEN and of coordinate notation.
    pub const fn letter(self) -> char {
        ['p', 'n', 'b', 'r', 'q', 'k'][self as usize]
    }

    /// The kind of a lower-case letter, or `None` for any other character.
    pub(crate) const fn from_letter(letter: char) -> Option<Kind> {
        Some(match letter {
            'p' => Kind::Pawn,
            'n' => Kind::Knight,
            'b' => Kind::Bishop,
            'r' => Kind::Rook,
            'q' => Kind::Queen,
            'k' => Kind::King,
            _ => return None,
        })
    }

    /// The steps of the kind as (files, ranks): the directions of a slider, or the single steps of
    /// knight and king. Empty for the pawn. For the queen, the steps of the rook come first.
    #[inline]
    pub const fn steps(self) -> &'static [(i8, i8)] {
        const ALL: [(i8, i8); 8] =
            [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];
        const LEAPS: [(i8, i8); 8] =
            [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
        match self {
            Kind::Pawn => &[],
            Kind::Knight => &LEAPS,
            Kind::Bishop => ALL.split_at(4).1,
            Kind::Rook => ALL.split_at(4).0,
            Kind::Queen | Kind::King => &ALL,
        }
    }
}

/// A piece: its colour and its kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    /// The side that the piece belongs to.
    pub color: Color,
    /// The kind, pawn to king.
    pub kind: Kind,
}

impl Piece {
    /// The piece of this colour and kind.
    #[inline(always)]
    pub const fn new(color: Color, kind: Kind) -> Piece {
        Piece { color, kind }
    }

    /// The FEN letter: upper case for White, lower case for Black.
    pub const fn letter(self) -> char {
        match self.color {
            Color::White => self.kind.letter().to_ascii_uppercase(),
            Color::Black => self.kind.letter(),
        }
    }

    /// The piece of a FEN letter, or `None` for any other character.
    pub(crate) const fn from_letter(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match Kind::from_letter(letter.to_ascii_lowercase()) {
            Some(kind) => Some(Piece { color, kind }),
            None => None,
        }
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}
