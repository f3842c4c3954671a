//! Links: squares as the table stores them.
//!
//! The dependency chain of a butterfly walk is one load per square, because the loaded link is the
//! next index. A mask that keeps the index in range would add a second instruction to the chain.
//! Instead the type guarantees the range: a link is an enum of 64 squares. Reading one is a plain
//! load, and no bounds check is needed.
//!
//! The emitted loops confirm this for links of both widths. The walk hides the range of the origin from the
//! compiler, which would else carry bytes in eight bits and widen each of them before its use.

use raywalk_core::{
    Square,
    square_board::{Geometry, Grid0x88, Grid8x8},
};

/// A square in the width and cell numbering of one table.
pub trait Link: Copy + Send + Sync + 'static {
    /// The board whose cells the links number.
    type Geometry: Geometry;

    fn to(square: Square) -> Self;

    /// The cell that the link leads to, numbered as in [`Geometry`](Link::Geometry).
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
    /// Sixteen bits, as in the note of 1989.
    Short: i16, Grid8x8, 8 cells a rank
}

link! {
    /// Eight bits, as in GNU Chess 4.
    Byte: u8, Grid8x8, 8 cells a rank
}

link! {
    /// Eight bits in the numbering of a 0x88 board, which leaves bit 3 free to mark an occupied cell.
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
    fn links_have_the_widths_of_the_sources() {
        assert_eq!([size_of::<Short>(), size_of::<Byte>(), size_of::<HalfBoardByte>()], [2, 1, 1]);
    }
}
