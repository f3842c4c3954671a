//! The storage of the cells: one board of codes, or two boards that share the code between them.

/// The cells of a board. Any `u8` is a valid index, so access needs no bounds check and no
/// `unsafe`.
pub trait Cells: Copy + Send + Sync + 'static {
    /// Cells that all hold `code`.
    fn filled(code: u8) -> Self;
    /// Reads the code in a cell.
    fn get(&self, cell: u8) -> u8;
    /// Writes the code of a cell.
    fn set(&mut self, cell: u8, code: u8);
    /// The part of the code that tells whether the cell is empty and whose piece it holds. One load, where the
    /// whole code may take two.
    #[inline(always)]
    fn occupant(&self, cell: u8) -> u8 {
        self.get(cell)
    }
    /// Whether a cell holds `empty`, the code of an empty square. Does not put the code together from two boards.
    #[inline(always)]
    fn is_empty(&self, cell: u8, empty: u8) -> bool {
        self.get(cell) == empty
    }
}

/// Sixty-four bytes, one cache line; the index is taken modulo 64.
impl Cells for [u8; 64] {
    #[inline(always)]
    fn filled(code: u8) -> Self {
        [code; 64]
    }
    #[inline(always)]
    fn get(&self, cell: u8) -> u8 {
        self[usize::from(cell & 63)]
    }
    #[inline(always)]
    fn set(&mut self, cell: u8, code: u8) {
        self[usize::from(cell & 63)] = code;
    }
}

/// More cells than any geometry uses, because the index then needs no mask either. Cells that are
/// never read stay out of the cache.
impl Cells for [u8; 256] {
    #[inline(always)]
    fn filled(code: u8) -> Self {
        [code; 256]
    }
    #[inline(always)]
    fn get(&self, cell: u8) -> u8 {
        self[usize::from(cell)]
    }
    #[inline(always)]
    fn set(&mut self, cell: u8, code: u8) {
        self[usize::from(cell)] = code;
    }
}

/// A board of colours and a board of kinds, for the code [`NeutralColour`](super::NeutralColour).
#[derive(Clone, Copy)]
#[repr(C)]
pub struct ColoursAndKinds {
    colours: [Occupant; 64],
    kinds: [u8; 64],
}

/// Whose piece is on a square. An enum, so that its type tells the compiler the range and no test needs a mask.
#[derive(Clone, Copy)]
#[repr(u8)]
enum Occupant {
    White = 0,
    Black = 1,
    Neutral = 2,
}

/// Bits of [`NeutralColour`](super::NeutralColour) below the kind.
const COLOUR_BITS: u32 = 2;

impl Cells for ColoursAndKinds {
    #[inline(always)]
    fn filled(code: u8) -> Self {
        let mut cells = ColoursAndKinds { colours: [Occupant::Neutral; 64], kinds: [0; 64] };
        for cell in 0..64 {
            cells.set(cell, code);
        }
        cells
    }
    #[inline(always)]
    fn get(&self, cell: u8) -> u8 {
        self.occupant(cell) | self.kinds[usize::from(cell & 63)] << COLOUR_BITS
    }
    #[inline(always)]
    fn set(&mut self, cell: u8, code: u8) {
        let cell = usize::from(cell & 63);
        self.colours[cell] = match code & 3 {
            0 => Occupant::White,
            1 => Occupant::Black,
            _ => Occupant::Neutral,
        };
        self.kinds[cell] = code >> COLOUR_BITS;
    }
    #[inline(always)]
    fn occupant(&self, cell: u8) -> u8 {
        self.colours[usize::from(cell & 63)] as u8
    }
    #[inline(always)]
    fn is_empty(&self, cell: u8, empty: u8) -> bool {
        self.occupant(cell) == empty & 3
    }
}

/// A board for White's pieces and one for Black's, with the same codes on both, for the code
/// [`SideNibbles`](super::SideNibbles).
#[derive(Clone, Copy)]
#[repr(C)]
pub struct BoardPerSide {
    boards: [[u8; 64]; 2],
}

impl BoardPerSide {
    /// The board of a side: 1 to 6 for its pieces, 0 where it has none.
    #[inline(always)]
    pub fn of(&self, side: crate::Color) -> &[u8; 64] {
        &self.boards[side.index()]
    }
}

impl Cells for BoardPerSide {
    #[inline(always)]
    fn filled(code: u8) -> Self {
        BoardPerSide { boards: [[code & 7; 64], [code >> 4; 64]] }
    }
    #[inline(always)]
    fn get(&self, cell: u8) -> u8 {
        // By reference: a map over the boards copies both of them for each cell.
        let ([white, black], cell) = (&self.boards, usize::from(cell & 63));
        (white[cell] & 7) | (black[cell] & 7) << 4
    }
    #[inline(always)]
    fn set(&mut self, cell: u8, code: u8) {
        let cell = usize::from(cell & 63);
        self.boards[0][cell] = code & 7;
        self.boards[1][cell] = code >> 4;
    }
    #[inline(always)]
    fn is_empty(&self, cell: u8, empty: u8) -> bool {
        debug_assert_eq!(empty, 0, "an empty square is 0 on both boards");
        let ([white, black], cell) = (&self.boards, usize::from(cell & 63));
        white[cell] | black[cell] == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::square_board::{Code, NeutralColour, SideNibbles};
    use crate::{Color, Kind, Piece};

    /// Writes every piece to every cell and reads it back; all other cells stay empty.
    fn cells_hold_every_piece<S: Cells, C: Code>() {
        let mut cells = S::filled(C::EMPTY);
        for at in 0..64 {
            for piece in Color::ALL.into_iter().flat_map(|c| Kind::ALL.map(|k| Piece::new(c, k))) {
                cells.set(at, C::of(piece));
                assert_eq!(C::piece(cells.get(at)), Some(piece), "{} {at}", C::NAME);
                let occupant = cells.occupant(at);
                for side in Color::ALL {
                    assert_eq!(C::is_own(occupant, side), side == piece.color, "{piece:?}");
                    assert_eq!(C::is_enemy(occupant, side), side != piece.color, "{piece:?}");
                    assert_eq!(C::takes(occupant, side), side != piece.color, "{piece:?}");
                }
                assert!(!C::is_empty(occupant), "{} {piece:?}", C::NAME);
                assert!(!cells.is_empty(at, C::EMPTY), "{} {piece:?}", C::NAME);
            }
            let others = (0..64).filter(|&other| other != at);
            assert!(others.clone().all(|other| C::is_empty(cells.occupant(other))));
            assert!(others.clone().all(|other| cells.is_empty(other, C::EMPTY)));
            assert!(others.clone().all(|other| cells.get(other) == C::EMPTY));
            cells.set(at, C::EMPTY);
        }
    }

    #[test]
    fn two_boards_hold_every_piece_in_every_cell() {
        cells_hold_every_piece::<ColoursAndKinds, NeutralColour>();
        cells_hold_every_piece::<BoardPerSide, SideNibbles>();
    }

    #[test]
    fn the_values_on_both_boards_are_those_of_the_sources() {
        let mut cells = ColoursAndKinds::filled(NeutralColour::EMPTY);
        assert_eq!(cells.occupant(0), 2, "GNU Chess: white 0, black 1, neutral 2");
        let black_rook = Piece::new(Color::Black, Kind::Rook);
        cells.set(0, NeutralColour::of(black_rook));
        assert_eq!((cells.occupant(0), cells.kinds[0]), (1, Kind::Rook as u8));

        let mut cells = BoardPerSide::filled(SideNibbles::EMPTY);
        for color in Color::ALL {
            cells.set(7, SideNibbles::of(Piece::new(color, Kind::Rook)));
            assert_eq!((cells.of(color)[7], cells.of(!color)[7]), (4, 0), "Bell: the same codes");
        }
        assert_eq!(size_of::<ColoursAndKinds>() + size_of::<BoardPerSide>(), 4 * 64);
    }
}
