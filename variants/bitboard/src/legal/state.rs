//! A state of the game as constants: what the types of a function say of the board that it reads.

use std::marker::PhantomData;

use raywalk_core::{All, Castling, CastlingRights, Color, Square, Wing};

use super::LegalPext;
use super::view::{Sets, View};
use crate::sink::Counter;

/// A colour as a type.
pub(super) trait Side: Copy {
    const COLOR: Color;
    type Other: Side<Other = Self>;
}

#[derive(Clone, Copy)]
pub(super) struct White;
#[derive(Clone, Copy)]
pub(super) struct Black;

impl Side for White {
    const COLOR: Color = Color::White;
    type Other = Black;
}

impl Side for Black {
    const COLOR: Color = Color::Black;
    type Other = White;
}

/// The sets of a board in a state that the compiler knows.
pub(super) struct Fixed<'a, B, C> {
    board: &'a B,
    passed: Option<Square>,
    /// Whether the side to move may castle on each [wing](WINGS): a constant, once the functions are inlined.
    rights: Own,
    side: PhantomData<C>,
}

impl<B, C> Clone for Fixed<'_, B, C> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<B, C> Copy for Fixed<'_, B, C> {}

/// The rights of the side to move, one bit for each wing.
pub(super) type Own = u8;

/// The wings in the order of their bits.
const WINGS: [Wing; 2] = [Wing::King, Wing::Queen];

/// The rights of one colour as bits.
pub(super) const fn own<C: Side>(rights: CastlingRights) -> Own {
    let mut held = 0;
    let mut n = 0;
    while n < WINGS.len() {
        held |= (rights.contains(CastlingRights::one(C::COLOR, WINGS[n])) as Own) << n;
        n += 1;
    }
    held
}

impl<'a, B, C> Fixed<'a, B, C> {
    #[inline(always)]
    pub(super) fn new(board: &'a B, passed: Option<Square>, rights: Own) -> Self {
        Fixed { board, passed, rights, side: PhantomData }
    }
}

impl<B: Sets, C: Side> View for Fixed<'_, B, C> {
    #[inline(always)]
    fn sets(&self) -> &impl Sets {
        self.board
    }

    #[inline(always)]
    fn side(self) -> Color {
        C::COLOR
    }

    #[inline(always)]
    fn passed(self) -> Option<Square> {
        self.passed
    }

    #[inline(always)]
    fn castling(self, walks_safely: impl Fn([Square; 3]) -> bool) -> u64 {
        let mut targets = 0;
        for (n, wing) in WINGS.into_iter().enumerate() {
            let squares = Castling::of(C::COLOR, wing);
            let Castling { king_from, king_to, rook_to, between, .. } = squares;
            if self.rights >> n & 1 != 0
                && between & self.occupied() == 0
                && walks_safely([king_from, rook_to, king_to])
            {
                targets |= king_to.bit();
            }
        }
        targets
    }
}

/// The number of moves in one state.
#[inline(never)]
pub(super) fn count<B: Sets, C: Side, const RIGHTS: Own>(
    generator: &LegalPext,
    board: &B,
    passed: Option<Square>,
) -> u64 {
    let mut counter = Counter::default();
    generator.moves::<All>(Fixed::<_, C>::new(board, passed, RIGHTS), &mut counter);
    counter.moves()
}
