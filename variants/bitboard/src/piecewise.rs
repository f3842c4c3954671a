//! The frame that all pseudo-legal designs of this crate share.
//!
//! For each own piece in turn, the frame finds the set of squares that the piece attacks,
//! intersects it with the squares that the stage wants, and writes one move per remaining bit.
//! Stages therefore cost nothing extra: captures intersect with the enemy's pieces, quiets with the
//! empty squares. A mailbox, in contrast, visits empty squares even when only captures are wanted.
//!
//! Except in two designs that are called branchy, finding targets takes no branch. The remaining branches end two
//! kinds of loops: over the pieces of a kind and over the targets of a piece. Their trip counts depend on the
//! position, so about one branch per piece is mispredicted. The loop-carried dependency chain is one cycle per
//! move, the reset of the lowest bit.
//!
//! Designs in this frame differ in their [`Attacks`] only, except for one that differs in its [`Pawns`].

use raywalk_core::bitboards::attacks::{self, walk};
use raywalk_core::{
    AttackSets, Attacking, Bitboards, Board, Card, Color, Feature, Generator, Kind, Lookups, Move,
    MoveList, Square, Stage,
};

use crate::pawns::{PawnSets, Pawns};
use crate::sets::{each, squares, wanted, write};

/// The occupied squares in the form that a slider method reads, and the board that has them.
pub trait Occupied: Copy + Send + Sync + 'static {
    /// The board that keeps the occupied squares in this form.
    type Board: Board;

    /// The occupied squares of a board.
    fn of(board: &Self::Board) -> Self;

    /// The sets of a board, for everything but the sliders.
    fn sets(board: &Self::Board) -> &Bitboards;
}

/// One set, of which [`Bitboards`] is the union of two.
impl Occupied for u64 {
    type Board = Bitboards;

    #[inline(always)]
    fn of(board: &Bitboards) -> u64 {
        board.occupied()
    }

    #[inline(always)]
    fn sets(board: &Bitboards) -> &Bitboards {
        board
    }
}

/// The board that a slider method reads.
pub(crate) type BoardOf<A> = <<A as Attacks>::Occupied as Occupied>::Board;

/// A method that finds the attacks of a slider.
///
/// The sets include the first piece in each direction, of either colour, and never the slider's own
/// square, whether or not `occupied` holds it.
pub trait Attacks: Sized + Send + Sync + 'static {
    /// The card of the design that combines this method with [`PawnSets`].
    const CARD: Card;
    /// What the method reads of the board: a set, except for rotated bitboards.
    type Occupied: Occupied;

    /// Builds the tables. The value passes through the stack, so large tables belong in boxes.
    ///
    /// # Errors
    /// The [`Feature`] that this CPU lacks.
    fn build() -> Result<Self, Feature>;

    /// Squares that a bishop on `square` attacks.
    fn bishop(&self, square: Square, occupied: Self::Occupied) -> u64;

    /// Squares that a rook on `square` attacks.
    fn rook(&self, square: Square, occupied: Self::Occupied) -> u64;

    /// Squares that a queen on `square` attacks.
    #[inline(always)]
    fn queen(&self, square: Square, occupied: Self::Occupied) -> u64 {
        self.bishop(square, occupied) | self.rook(square, occupied)
    }

    /// Size of the slider tables in bytes. Methods with boxed tables override this.
    fn table_bytes(&self) -> usize {
        size_of::<Self>()
    }
}

/// A slider method and a pawn method that form a design.
pub trait Pair {
    /// The card of the design that the two methods form.
    const CARD: Card;
}

impl<A: Attacks> Pair for (A, PawnSets) {
    const CARD: Card = A::CARD;
}

/// A design: the shared frame with one method for sliders and one for pawns.
#[repr(C, align(64))]
pub struct Piecewise<A, P = PawnSets> {
    pub(crate) leapers: Leapers,
    pub(crate) sliders: A,
    pub(crate) pawns: P,
}

/// Target sets of knight and king, 512 bytes each.
pub(crate) struct Leapers {
    pub knight: [u64; 64],
    pub king: [u64; 64],
}

impl Leapers {
    pub(crate) fn build() -> Leapers {
        let targets =
            |kind| std::array::from_fn(|n| walk(kind, Square::from_low_bits(n as u32), 0));
        Leapers { knight: targets(Kind::Knight), king: targets(Kind::King) }
    }
}

impl<A: Attacks, P: Pawns> Generator for Piecewise<A, P>
where
    (A, P): Pair,
{
    const CARD: Card = <(A, P) as Pair>::CARD;
    type Board = BoardOf<A>;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        let (leapers, sliders) = (Leapers::build(), A::build()?);
        Ok(Box::new(Piecewise { leapers, sliders, pawns: P::build() }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &BoardOf<A>, list: &mut MoveList) {
        let (board, occupied) = (A::Occupied::sets(board), A::Occupied::of(board));
        let own = board.own();
        let wanted = wanted::<S>(board);
        let Leapers { knight, king } = &self.leapers;

        if !S::SLIDERS_ONLY {
            self.pawns.generate::<S>(board, list);
            for from in squares(own & board.kind(Kind::Knight)) {
                write(from, knight[from.index()] & wanted, list);
            }
        }
        for from in squares(own & board.kind(Kind::Bishop)) {
            write(from, self.sliders.bishop(from, occupied) & wanted, list);
        }
        for from in squares(own & board.kind(Kind::Rook)) {
            write(from, self.sliders.rook(from, occupied) & wanted, list);
        }
        for from in squares(own & board.kind(Kind::Queen)) {
            write(from, self.sliders.queen(from, occupied) & wanted, list);
        }
        if S::SLIDERS_ONLY {
            return;
        }
        let from = board.king(board.state().side);
        write(from, king[from.index()] & wanted, list);
        if S::QUIETS {
            each(board.castling(), |to| list.push(Move::castle(from, to)));
        }
    }

    /// The tables of sliders, knight and king, and of the pawns if their method has one. Tables of
    /// the rules layer, which are read when castling is possible, are the same for all bitboard
    /// designs and are not counted.
    fn table_bytes(&self) -> usize {
        size_of::<Leapers>() + self.sliders.table_bytes() + size_of::<P>()
    }
}

/// The attack set of the piece on a square, by the slider method of a design.
#[inline(always)]
pub(crate) fn attacks_of<A: Attacks>(
    leapers: &Leapers,
    sliders: &A,
    board: &BoardOf<A>,
    square: Square,
) -> u64 {
    let (board, occupied) = (A::Occupied::sets(board), A::Occupied::of(board));
    let bit = square.bit();
    let is = |kind| board.kind(kind) & bit != 0;
    if is(Kind::Pawn) {
        let color = if board.color(Color::White) & bit != 0 { Color::White } else { Color::Black };
        attacks::pawn(color, square)
    } else if is(Kind::Knight) {
        leapers.knight[square.index()]
    } else if is(Kind::Bishop) {
        sliders.bishop(square, occupied)
    } else if is(Kind::Rook) {
        sliders.rook(square, occupied)
    } else if is(Kind::Queen) {
        sliders.queen(square, occupied)
    } else {
        leapers.king[square.index()]
    }
}

/// The attack sets of the side to move, kind by kind as in generation.
#[inline(always)]
pub(crate) fn attacks_of_side<A: Attacks>(
    leapers: &Leapers,
    sliders: &A,
    board: &BoardOf<A>,
    sets: &mut AttackSets,
) {
    let (board, occupied) = (A::Occupied::sets(board), A::Occupied::of(board));
    let (own, side) = (board.own(), board.state().side);
    for from in squares(own & board.kind(Kind::Pawn)) {
        sets.push(from, attacks::pawn(side, from));
    }
    for from in squares(own & board.kind(Kind::Knight)) {
        sets.push(from, leapers.knight[from.index()]);
    }
    for from in squares(own & board.kind(Kind::Bishop)) {
        sets.push(from, sliders.bishop(from, occupied));
    }
    for from in squares(own & board.kind(Kind::Rook)) {
        sets.push(from, sliders.rook(from, occupied));
    }
    for from in squares(own & board.kind(Kind::Queen)) {
        sets.push(from, sliders.queen(from, occupied));
    }
    let king = board.king(side);
    sets.push(king, leapers.king[king.index()]);
}

impl<A: Attacks, P: Pawns> Attacking for Piecewise<A, P>
where
    (A, P): Pair,
{
    #[inline(always)]
    fn attacks_of(&self, board: &BoardOf<A>, square: Square) -> u64 {
        attacks_of(&self.leapers, &self.sliders, board, square)
    }

    #[inline(always)]
    fn attacks_of_side(&self, board: &BoardOf<A>, sets: &mut AttackSets) {
        attacks_of_side(&self.leapers, &self.sliders, board, sets);
    }
}

impl<A: Attacks, P: Pawns> Lookups for Piecewise<A, P>
where
    (A, P): Pair,
{
    #[inline(always)]
    fn queen_attacks(&self, board: &BoardOf<A>, square: Square) -> u64 {
        self.sliders.queen(square, A::Occupied::of(board))
    }
}
