//! Chooses the lists of a piece. Designs share the choice and bring their own loops.

use std::marker::PhantomData;

use raywalk_core::square_board::Visitor;
use raywalk_core::two_way::Heads;
use raywalk_core::{Captures, Color, Kind, Quiets, Square, Stage};

/// Whether the next move of a pawn is a promotion. Tested once per pawn, so that the loop never
/// tests the rank of a target.
#[inline(always)]
fn promotes(side: Color, from: Square) -> bool {
    side.view(from).rank() == 6
}

/// The loops of a generation of stage `S`.
pub(crate) trait ListWalk<'a, S: Stage> {
    /// The heads of all lists. A method, because [`Lists`] with the heads in a field compiles to
    /// other registers in the loops.
    fn heads(&self) -> &'a Heads<u16>;

    /// Walks one list of the pawn on `from` and appends the moves of stage `Wanted`. `PROMOTES`
    /// selects the writer: four promotions per target, or one move.
    fn pawn<Wanted: Stage, const PROMOTES: bool>(&mut self, from: Square, heads: &[u16; 64]);

    /// Walks the list of a piece other than a pawn.
    fn piece(&mut self, kind: Kind, from: Square, heads: &[u16; 64]);
}

/// Visits the pieces of the side to move and passes the lists that the stage needs to a
/// [`ListWalk`].
pub(crate) struct Lists<'a, S, W> {
    pub walk: W,
    side: Color,
    /// The lifetime is that of the heads.
    stage: PhantomData<(&'a Heads<u16>, S)>,
}

impl<'a, S: Stage, W: ListWalk<'a, S>> Lists<'a, S, W> {
    #[inline(always)]
    pub(crate) fn new(side: Color, walk: W) -> Self {
        Lists { walk, side, stage: PhantomData }
    }

    /// `promotes` is a parameter because the compiler derives it with fewer instructions in the
    /// caller than here.
    #[inline(always)]
    fn walk_pawn(&mut self, from: Square, promotes: bool) {
        if promotes {
            self.walk_pawn_lists::<true>(from);
        } else {
            self.walk_pawn_lists::<false>(from);
        }
    }

    #[inline(always)]
    fn walk_pawn_lists<const PROMOTES: bool>(&mut self, from: Square) {
        if S::QUIETS {
            self.walk.pawn::<Quiets, PROMOTES>(from, self.walk.heads().pushes(self.side));
        }
        if S::CAPTURES {
            self.walk.pawn::<Captures, PROMOTES>(from, self.walk.heads().captures(self.side));
        }
    }
}

impl<'a, S: Stage, W: ListWalk<'a, S>> Visitor for Lists<'a, S, W> {
    #[inline(always)]
    fn pawn(&mut self, from: u8) {
        let from = Square::from_low_bits(u32::from(from));
        let promotes = promotes(self.side, from);
        self.walk_pawn(from, promotes);
    }

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: u8) {
        let from = Square::from_low_bits(u32::from(from));
        self.walk.piece(kind, from, self.walk.heads().pieces(kind));
    }
}
