//! The shape that all designs of this crate share.
//!
//! For each own piece in turn: look up or calculate the set of squares that it attacks, intersect
//! it with the squares that the stage wants, and write one move per bit that is left. The stages
//! are therefore free: captures intersect with the enemy's pieces, quiets with the empty squares, and
//! no empty square is ever visited for nothing, as it is in a mailbox.
//!
//! Finding targets has no branch. What branches remain are the ends of two kinds of loops, over
//! the pieces of a kind and over the targets of a piece; how often they turn depends on the
//! position, so about one of them per piece is mispredicted. The carried chain is one cycle per
//! move, the reset of the lowest bit.
//!
//! The designs differ in [`Attacks`] and in nothing else, one excepted, which differs in [`Pawns`].

use raywalk_core::bitboards::attacks::walk;
use raywalk_core::{
    Bitboards, Board, Card, Feature, Generator, Kind, Move, MoveList, Square, Stage, StageId,
};

use crate::pawns::{PawnSets, Pawns};

/// A method that finds the attacks of a slider.
///
/// The sets include the first piece in each direction, of either colour, and never the slider's own
/// square, whether or not `occupied` holds it.
pub trait Attacks: Sized + Send + Sync + 'static {
    /// The card of the design that consists of this method and the common shape.
    const CARD: Card;

    /// Builds the tables, or names the CPU feature that this machine lacks. Returned by value, so
    /// large tables stand in boxes of their own.
    ///
    /// # Errors
    /// The missing [`Feature`].
    fn build() -> Result<Self, Feature>;

    /// Squares that a bishop on `square` attacks.
    fn bishop(&self, square: Square, occupied: u64) -> u64;

    /// Squares that a rook on `square` attacks.
    fn rook(&self, square: Square, occupied: u64) -> u64;

    /// Squares that a queen on `square` attacks.
    #[inline(always)]
    fn queen(&self, square: Square, occupied: u64) -> u64 {
        self.bishop(square, occupied) | self.rook(square, occupied)
    }

    /// Bytes of the slider tables, counted. A method with tables in boxes adds those.
    fn table_bytes(&self) -> usize {
        size_of::<Self>()
    }
}

/// A design: the common shape with one method for the sliders and one for the pawns.
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

impl<A: Attacks, P> Piecewise<A, P> {
    /// The method for the sliders, for measurements of the lookup alone.
    pub fn sliders(&self) -> &A {
        &self.sliders
    }
}

impl<A: Attacks, P: Pawns> Generator for Piecewise<A, P> {
    const CARD: Card = match P::CARD {
        Some(card) => card,
        None => A::CARD,
    };
    type Board = Bitboards;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        let (leapers, sliders) = (Leapers::build(), A::build()?);
        Ok(Box::new(Piecewise { leapers, sliders, pawns: P::build() }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList) {
        let (own, occupied) = (board.own(), board.occupied());
        let wanted = match S::ID {
            StageId::All => !own,
            StageId::Captures => board.enemy(),
            StageId::Quiets => !occupied,
        };
        let Leapers { knight, king } = &self.leapers;

        if !S::SLIDERS_ONLY {
            self.pawns.generate::<S>(board, list);
            each(own & board.kind(Kind::Knight), |from| {
                write(from, knight[from.index()] & wanted, list);
            });
        }
        each(own & board.kind(Kind::Bishop), |from| {
            write(from, self.sliders.bishop(from, occupied) & wanted, list);
        });
        each(own & board.kind(Kind::Rook), |from| {
            write(from, self.sliders.rook(from, occupied) & wanted, list);
        });
        each(own & board.kind(Kind::Queen), |from| {
            write(from, self.sliders.queen(from, occupied) & wanted, list);
        });
        if S::SLIDERS_ONLY {
            return;
        }
        let from = board.king(board.state().side);
        write(from, king[from.index()] & wanted, list);
        if S::QUIETS {
            each(board.castling(), |to| list.push(Move::castle(from, to)));
        }
    }

    /// The tables of the sliders, of knight and king, and of the pawns if they have one. The rules layer's own tables, read when
    /// castling is possible, are the same for all bitboard designs and not counted.
    fn table_bytes(&self) -> usize {
        size_of::<Leapers>() + self.sliders.table_bytes() + size_of::<P>()
    }
}

/// Calls `action` with each square of the set, lowest first: one bit scan and one reset per square,
/// one branch at the end of each turn.
#[inline(always)]
pub(crate) fn each(mut set: u64, mut action: impl FnMut(Square)) {
    while set != 0 {
        action(Square::from_low_bits(set.trailing_zeros()));
        set &= set - 1;
    }
}

/// Appends a move to each target.
#[inline(always)]
pub(crate) fn write(from: Square, targets: u64, list: &mut MoveList) {
    each(targets, |to| list.push(Move::new(from, to)));
}
