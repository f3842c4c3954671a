//! A board in one register: eight sets of squares, one in each lane.
//!
//! Kinds with the same directions share a lane, so a queen is in two. The last lane holds castling rights and the
//! square of en passant as squares too. Clearing the origin and the target of a move in all lanes then updates the
//! rights as well: a king that moves and a rook that moves or is captured were on the squares of their rights.

use raywalk_core::bitboards::attacks;
use raywalk_core::{Bitboards, Board, Castling, Color, Kind, Move, Square};

use crate::castling::{BETWEEN, WAY};
use crate::en_passant::Passing;
use crate::homes::{self, HOMES};
use crate::sides::{Sides, lowest};

/// The set of each square alone. A table, because a shift would be computed in another kind of register and copied into
/// lanes.
pub(super) static BITS: [u64; 64] = {
    let mut bits = [0; 64];
    let mut n = 0;
    while n < 64 {
        bits[n] = 1 << n;
        n += 1;
    }
    bits
};

/// All squares but one, for each square: a table for the same reason.
pub(super) static OTHERS: [u64; 64] = {
    let mut others = BITS;
    let mut n = 0;
    while n < 64 {
        others[n] = !others[n];
        n += 1;
    }
    others
};

/// The lanes that hold a piece: all bits of those of its kind and its colour.
#[repr(C, align(64))]
pub(super) struct Holding(pub(super) [u64; 8]);

/// The lanes of each piece, by colour and kind.
pub(super) static HOLDING: [[Holding; 6]; 2] = {
    const fn of(color: usize) -> [Holding; 6] {
        let color = 1 << (5 + color);
        // Pawn, knight, bishop, rook, queen and king: a queen is in the lanes of both sliders.
        [
            lanes(0b0_0001 | color),
            lanes(0b0_0010 | color),
            lanes(0b0_0100 | color),
            lanes(0b0_1000 | color),
            lanes(0b0_1100 | color),
            lanes(0b1_0000 | color),
        ]
    }
    const fn lanes(numbers: u8) -> Holding {
        let mut lanes = [0; 8];
        let mut n = 0;
        while n < 8 {
            lanes[n] = if numbers >> n & 1 != 0 { !0 } else { 0 };
            n += 1;
        }
        Holding(lanes)
    }
    [of(0), of(1)]
};

/// A board as eight sets of squares, one in each lane of a register.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Register {
    pub(super) pawns: u64,
    pub(super) knights: u64,
    /// Bishops and queens.
    pub(super) diagonal: u64,
    /// Rooks and queens.
    pub(super) straight: u64,
    pub(super) kings: u64,
    pub(super) colors: [u64; 2],
    /// The [squares](HOMES) of king and rook for each right, and the square that a pawn has passed if a pawn can
    /// capture there.
    pub(super) special: u64,
}

impl Register {
    /// A board in this form.
    pub(super) fn of(board: &Bitboards) -> Register {
        let state = board.state();
        let mut special = homes::of_rights(state.rights);
        if let Some(passed) = state.en_passant
            && attacks::pawn(!state.side, passed) & board.of(state.side, Kind::Pawn) != 0
        {
            special |= passed.bit();
        }
        Register {
            pawns: board.kind(Kind::Pawn),
            knights: board.kind(Kind::Knight),
            diagonal: board.kinds([Kind::Bishop, Kind::Queen]),
            straight: board.kinds([Kind::Rook, Kind::Queen]),
            kings: board.kind(Kind::King),
            colors: Color::ALL.map(|color| board.color(color)),
            special,
        }
    }

    /// The pieces of the side to move and those of the other side.
    #[inline(always)]
    pub(super) fn sides<const WHITE: bool>(&self) -> (u64, u64) {
        let [white, black] = self.colors;
        if WHITE { (white, black) } else { (black, white) }
    }

    /// The wings on which a colour has the right to castle: bit 0 for the king's and bit 1 for the queen's.
    #[inline(always)]
    pub(super) fn wings<const WHITE: bool>(&self) -> u8 {
        let homes = self.special >> if WHITE { 0 } else { 56 };
        let [king_side, queen_side] = ROOKS.map(|rook| u8::from(!homes & (0x10 | rook) == 0));
        king_side | queen_side << 1
    }

    /// The sets as the side to move sees them.
    #[inline(always)]
    pub(super) fn view<const WHITE: bool>(&self) -> Sides {
        let (own, enemy) = self.sides::<WHITE>();
        let Register { pawns, knights, diagonal, straight, kings, .. } = *self;
        let side = side::<WHITE>();
        Sides { side, own, enemy, pawns, knights, diagonal, straight, kings }
    }
}

/// White if `WHITE` is set, else Black.
pub(super) const fn side<const WHITE: bool>() -> Color {
    if WHITE { Color::White } else { Color::Black }
}

/// The first squares of the rooks on the first rank, on the king's wing and on the queen's.
pub(super) const ROOKS: [u64; 2] = [0x80, 0x01];

/// Whether castling is legal on the king's wing and on the queen's.
#[inline(always)]
pub(super) fn castling<const WHITE: bool>(board: &Register, attacked: u64) -> [bool; 2] {
    let rank = if WHITE { 0 } else { 56 };
    let [white, black] = board.colors;
    let occupied = white | black;
    let (moved, occupied, attacked) = (!board.special >> rank, occupied >> rank, attacked >> rank);
    [
        moved & 0x90 | occupied & BETWEEN[0] | attacked & WAY[0] == 0,
        moved & 0x11 | occupied & BETWEEN[1] | attacked & WAY[1] == 0,
    ]
}

/// The pawns that may capture en passant, on a board with a square of en passant.
#[cold]
#[inline(never)]
pub(super) fn takers_en_passant<const WHITE: bool>(board: &Register) -> u64 {
    Passing::of(&board.view::<WHITE>(), lowest(board.special & !HOMES)).takers()
}

/// The square that a double push has passed, if an enemy pawn can capture there.
#[inline(always)]
pub(super) fn passed_beside_pawn<const WHITE: bool>(board: &Register, to: Square) -> u64 {
    let passed = if WHITE { to.bit() >> 8 } else { to.bit() << 8 };
    let pawns = board.pawns & board.sides::<WHITE>().1;
    let beside = attacks::pawn(side::<WHITE>(), lowest(passed)) & pawns;
    if beside != 0 { passed } else { 0 }
}

/// The board after castling.
#[inline(always)]
pub(super) fn castled<const WHITE: bool>(board: &Register, mv: Move) -> Register {
    let Castling { rook_from, rook_to, .. } = Castling::landing_on(mv.to());
    let king = mv.from().bit() | mv.to().bit();
    let rook = rook_from.bit() | rook_to.bit();
    let mut child = *board;
    child.kings ^= king;
    child.straight ^= rook;
    child.colors[usize::from(!WHITE)] ^= king | rook;
    child.special &= HOMES & if WHITE { !0xff } else { !(0xff << 56) };
    child
}

/// The board after a capture en passant.
#[inline(always)]
pub(super) fn passing<const WHITE: bool>(board: &Register, mv: Move) -> Register {
    let capturing = mv.from().bit() | mv.to().bit();
    let captured = if WHITE { mv.to().bit() >> 8 } else { mv.to().bit() << 8 };
    let mut child = *board;
    child.pawns ^= capturing | captured;
    child.colors[usize::from(!WHITE)] ^= capturing;
    child.colors[usize::from(WHITE)] ^= captured;
    child.special &= HOMES;
    child
}
