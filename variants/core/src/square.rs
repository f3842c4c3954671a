//! Squares, numbered a1 = 0, b1 = 1, … h8 = 63 in all designs and files.

use std::fmt;
use std::str::FromStr;

/// One of the 64 squares: a1 = 0, b1 = 1, … h8 = 63.
///
/// An enum, so that its type tells the compiler the range. A square that is loaded from a table is an index
/// as it is: a number with a private field would need a mask before every use, and in the lists whose walk
/// goes from square to square that mask is part of the dependency chain.
#[allow(missing_docs, reason = "the names of the squares")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[rustfmt::skip]
pub enum Square {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
}

impl Square {
    /// The square on `file` (0 = a) and `rank` (0 = first); both are taken modulo 8.
    #[inline(always)]
    pub const fn new(file: u8, rank: u8) -> Square {
        Square::from_low_bits(((rank & 7) << 3 | file & 7) as u32)
    }

    /// The square in the low six bits of a packed word. It needs no test and hence no branch.
    #[inline(always)]
    pub const fn from_low_bits(word: u32) -> Square {
        // SAFETY: every number below 64 is a discriminant. A table of all squares would be safe and would
        // cost a load.
        unsafe { std::mem::transmute((word & 63) as u8) }
    }

    /// The square with this number, or `None` if the number is above 63.
    #[inline]
    pub const fn try_new(number: u8) -> Option<Square> {
        if number < 64 { Some(Square::from_low_bits(number as u32)) } else { None }
    }

    /// Index into `[T; 64]`, without a bounds check.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The number, 0 to 63.
    #[inline(always)]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The file: 0 = a … 7 = h.
    #[inline(always)]
    pub const fn file(self) -> u8 {
        self as u8 & 7
    }

    /// The rank: 0 = first … 7 = eighth.
    #[inline(always)]
    pub const fn rank(self) -> u8 {
        self as u8 >> 3
    }

    /// The square on the same file and the opposite rank: a1 becomes a8.
    #[inline(always)]
    pub const fn flip(self) -> Square {
        Square::from_low_bits(self as u32 ^ 56)
    }

    /// The set with this square as its only member.
    #[inline(always)]
    pub const fn bit(self) -> u64 {
        1 << self as u8
    }

    /// The square `files` to the east and `ranks` to the north, or `None` if it is off the board.
    #[inline]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let (file, rank) = (self.file() as i8 + files, self.rank() as i8 + ranks);
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Some(Square::new(file as u8, rank as u8))
    }

    /// All squares from a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + Clone {
        (0..64).map(Square::from_low_bits)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = [b'a' + self.file(), b'1' + self.rank()];
        f.pad(std::str::from_utf8(&name).unwrap_or("??"))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a square from `a1` to `h8`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a square from a1 to h8")]
pub struct NotASquare(pub String);

impl FromStr for Square {
    type Err = NotASquare;

    fn from_str(text: &str) -> Result<Square, NotASquare> {
        match text.as_bytes() {
            &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Square::new(file - b'a', rank - b'1')),
            _ => Err(NotASquare(text.to_owned())),
        }
    }
}

/// The squares of a set, lowest first.
pub fn squares_of(mut set: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let square = Square::try_new(set.trailing_zeros() as u8)?;
        set &= set - 1;
        Some(square)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_square_parses_to_the_square() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        assert!("i1".parse::<Square>().is_err());
        assert!("a9".parse::<Square>().is_err());
        assert!("a".parse::<Square>().is_err());
    }

    #[test]
    fn an_offset_never_wraps_around_the_edge() {
        let h4: Square = "h4".parse().expect("a square");
        assert_eq!(h4.offset(1, 0), None);
        assert_eq!(h4.offset(-1, 1).map(|s| s.to_string()).as_deref(), Some("g5"));
    }

    #[test]
    fn squares_of_yields_the_lowest_square_first() {
        let set = Square::new(7, 7).bit() | Square::new(0, 0).bit() | Square::new(3, 4).bit();
        let names: Vec<_> = squares_of(set).map(|s| s.to_string()).collect();
        assert_eq!(names, ["a1", "d5", "h8"]);
    }
}
