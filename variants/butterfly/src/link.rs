//! Links: a square as a table cell stores it.
//!
//! The chain of a butterfly walk is one load per square: the link loaded is the next index. A mask
//! against an index out of range would be a second instruction on that chain, so the range is told
//! by the type: an enum of 64 squares. Reading one is a plain load, and no index can miss.
//!
//! The emitted loops keep that with 16-bit links. With bytes the compiler carries the link in eight
//! bits and widens it again for use: one register move more on the chain than the source asks for,
//! to be remembered where bytes and 16 bits are compared.

use raywalk_core::{
    Square,
    square_board::{Geometry, Grid0x88, Grid8x8},
};

/// A square in the width and numbering of one table.
pub trait Link: Copy + Send + Sync + 'static {
    /// The board whose cells the links number.
    type Geometry: Geometry;

    /// The link to a square.
    fn to(square: Square) -> Self;

    /// The cell that it leads to.
    fn cell(self) -> usize;
}

macro_rules! link {
    ($(#[$about:meta])* $name:ident: $integer:ty, $geometry:ty, $rank:literal cells a rank) => {
        $(#[$about])*
        #[derive(Clone, Copy)]
        #[repr($integer)]
        #[rustfmt::skip]
        pub enum $name {
            A1, B1, C1, D1, E1, F1, G1, H1,
            A2 = $rank, B2, C2, D2, E2, F2, G2, H2,
            A3 = 2 * $rank, B3, C3, D3, E3, F3, G3, H3,
            A4 = 3 * $rank, B4, C4, D4, E4, F4, G4, H4,
            A5 = 4 * $rank, B5, C5, D5, E5, F5, G5, H5,
            A6 = 5 * $rank, B6, C6, D6, E6, F6, G6, H6,
            A7 = 6 * $rank, B7, C7, D7, E7, F7, G7, H7,
            A8 = 7 * $rank, B8, C8, D8, E8, F8, G8, H8,
        }

        impl $name {
            #[rustfmt::skip]
            const ALL: [$name; 64] = {
                use $name::*;
                [
                    A1, B1, C1, D1, E1, F1, G1, H1, A2, B2, C2, D2, E2, F2, G2, H2,
                    A3, B3, C3, D3, E3, F3, G3, H3, A4, B4, C4, D4, E4, F4, G4, H4,
                    A5, B5, C5, D5, E5, F5, G5, H5, A6, B6, C6, D6, E6, F6, G6, H6,
                    A7, B7, C7, D7, E7, F7, G7, H7, A8, B8, C8, D8, E8, F8, G8, H8,
                ]
            };
        }

        impl Link for $name {
            type Geometry = $geometry;

            fn to(square: Square) -> $name {
                Self::ALL[square.index()]
            }

            #[inline(always)]
            fn cell(self) -> usize {
                self as usize
            }
        }
    };
}

link! {
    /// Sixteen bits, as the note of 1989 has them.
    Short: i16, Grid8x8, 8 cells a rank
}

link! {
    /// Eight bits, as GNU Chess 4 has them.
    Byte: u8, Grid8x8, 8 cells a rank
}

link! {
    /// Eight bits in the numbering of a 0x88 board: bit 3 is free to say "occupied".
    HalfBoardByte: u8, Grid0x88, 16 cells a rank
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_link_leads_to_its_cell<L: Link>() {
        for square in Square::all() {
            assert_eq!(L::to(square).cell(), usize::from(L::Geometry::cell(square)));
        }
    }

    #[test]
    fn every_link_leads_to_its_cell_in_every_width_and_numbering() {
        every_link_leads_to_its_cell::<Short>();
        every_link_leads_to_its_cell::<Byte>();
        every_link_leads_to_its_cell::<HalfBoardByte>();
    }

    #[test]
    fn links_are_as_wide_as_the_sources_say() {
        assert_eq!([size_of::<Short>(), size_of::<Byte>(), size_of::<HalfBoardByte>()], [2, 1, 1]);
    }
}
