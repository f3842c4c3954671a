//! Calls besides generation that a design may offer, because its method answers them directly.
//!
//! A design that could answer only by generating moves does not implement the trait: its number would be
//! that of a detour that nobody would take. [`entries!`](crate::entries) compiles the calls of a design
//! that are named behind its type: `entries!(Classical: Attacking Early)`.

use crate::optional::{AttackSets, Leaves};
use crate::{Generator, Move, MoveList, Square};

/// Attack sets: the squares that a piece attacks, up to and including the first piece of either colour in
/// each direction. A pawn attacks the squares on which it could capture, whether or not there is a piece.
pub trait Attacking: Generator {
    /// The attack set of the piece on a square, which is not empty. Bit *i* stands for square *i*.
    fn attacks_of(&self, board: &Self::Board, square: Square) -> u64;

    /// Appends the attack set of every piece of the side to move.
    fn attacks_of_side(&self, board: &Self::Board, sets: &mut AttackSets);
}

/// The look-up of a slider attack set on bitboards, alone.
pub trait Lookups: Generator {
    /// The squares that a queen on a square would attack, whatever stands there.
    fn queen_attacks(&self, board: &Self::Board, square: Square) -> u64;
}

/// Generation that can stop before it has all moves.
pub trait Early: Generator {
    /// A move of the stage *captures*; `None` if it has none. Which one is up to the design.
    fn first_capture(&self, board: &Self::Board) -> Option<Move>;

    /// Appends [`FIRST_MOVES`](crate::FIRST_MOVES) different moves of the stage *all*, or all of them if
    /// there are fewer.
    fn first_moves(&self, board: &Self::Board, list: &mut MoveList<Self::Moves>);

    /// Whether [`first_moves`](Early::first_moves) appends codes, which are moves to the list but not to
    /// a board.
    const CODED: bool = false;

    /// The move that a word of [`first_moves`](Early::first_moves) stands for. A program with codes needs
    /// it when it makes the move.
    #[inline(always)]
    fn complete(&self, _board: &Self::Board, word: Move) -> Move {
        word
    }
}

/// Generation of the moves to one square.
pub trait Targeted: Generator {
    /// Appends the moves of the stage *all* that end on this square.
    fn moves_to(&self, board: &Self::Board, to: Square, list: &mut MoveList<Self::Moves>);
}

/// Generation of winning captures.
///
/// A capture *wins* if the captured piece [is worth more](crate::Kind::is_worth_more_than) than the capturing
/// one. It then gains material even if the capturing piece is lost, so it does not matter whether the captured piece
/// is defended. The king wins nothing by this rule, and neither does en passant, which takes a pawn with a
/// pawn. A pawn that promotes by a capture counts as a pawn, and all four promotions are generated.
///
/// # Source
/// The Chess Programming Wiki has no definition. *Table-driven Move Generation* scans "potential winning
/// capture targets", and *Pieces versus Directions* calls the captures of pawns "winning or at least equal".
/// Both tell a winning capture by the two pieces, before anything is known about defenders.
pub trait Winning: Generator {
    /// Appends the winning captures, pseudo-legal ones for a pseudo-legal design.
    fn winning_captures(&self, board: &Self::Board, list: &mut MoveList<Self::Moves>);
}

/// Counting without a list, for legal designs: the number of pseudo-legal moves answers no question.
pub trait Counting: Generator {
    /// The number of moves of the stage *all*.
    fn count(&self, board: &Self::Board) -> u64;
}

/// Perft by copies, for legal designs that write the boards behind all moves of a position and take no move back.
pub trait CopyMake: Generator {
    /// The number of sequences of `depth` legal moves; 1 at depth 0. For [`Leaves::Made`], the board behind every
    /// move of the last ply is written too.
    fn perft(&self, board: &Self::Board, depth: u32, leaves: Leaves) -> u64;
}

/// Compiles the entries of one optional trait; a part of [`entries!`](crate::entries).
#[doc(hidden)]
#[macro_export]
macro_rules! optional_entries {
    ($design:ty, $optional:ident, Attacking) => {
        #[inline(never)]
        fn piece_attacks(
            design: &$design,
            board: &<$design as $crate::Generator>::Board,
            square: $crate::Square,
        ) -> u64 {
            <$design as $crate::Attacking>::attacks_of(design, board, square)
        }
        #[inline(never)]
        fn side_attacks(
            design: &$design,
            board: &<$design as $crate::Generator>::Board,
            sets: &mut $crate::AttackSets,
        ) {
            <$design as $crate::Attacking>::attacks_of_side(design, board, sets);
        }
        $optional.piece_attacks = Some(piece_attacks);
        $optional.side_attacks = Some(side_attacks);
    };
    ($design:ty, $optional:ident, Lookups) => {
        #[inline(never)]
        fn queen_lookups(
            design: &$design,
            board: &<$design as $crate::Generator>::Board,
            order: &$crate::LookupOrder,
        ) -> u64 {
            let mut all = 0;
            for &square in order {
                // Opaque, so that no loop over squares becomes one over vectors of them.
                let square = $crate::opaque_square(square);
                all ^= <$design as $crate::Lookups>::queen_attacks(design, board, square);
            }
            all
        }
        $optional.queen_lookups = Some(queen_lookups);
    };
    ($design:ty, $optional:ident, Early) => {
        #[inline(never)]
        fn first_capture(
            design: &$design,
            board: &<$design as $crate::Generator>::Board,
        ) -> Option<$crate::Move> {
            <$design as $crate::Early>::first_capture(design, board)
        }
        #[inline(never)]
        fn first_moves(
            design: &$design,
            board: &<$design as $crate::Generator>::Board,
            list: &mut $crate::MoveList<<$design as $crate::Generator>::Moves>,
        ) {
            <$design as $crate::Early>::first_moves(design, board, list);
        }
        #[inline(never)]
        fn complete(
            design: &$design,
            board: &<$design as $crate::Generator>::Board,
            word: $crate::Move,
        ) -> $crate::Move {
            <$design as $crate::Early>::complete(design, board, word)
        }
        $optional.first_capture = Some(first_capture);
        $optional.first_moves = Some(first_moves);
        if <$design as $crate::Early>::CODED {
            $optional.complete = Some(complete);
        }
    };
    ($design:ty, $optional:ident, Targeted) => {
        #[inline(never)]
        fn moves_to(
            design: &$design,
            board: &<$design as $crate::Generator>::Board,
            to: $crate::Square,
            list: &mut $crate::MoveList<<$design as $crate::Generator>::Moves>,
        ) {
            <$design as $crate::Targeted>::moves_to(design, board, to, list);
        }
        $optional.moves_to = Some(moves_to);
    };
    ($design:ty, $optional:ident, Counting) => {
        #[inline(never)]
        fn count(design: &$design, board: &<$design as $crate::Generator>::Board) -> u64 {
            <$design as $crate::Counting>::count(design, board)
        }
        $optional.count = Some(count);
    };
    ($design:ty, $optional:ident, CopyMake) => {
        #[inline(never)]
        fn perft(
            design: &$design,
            board: &<$design as $crate::Generator>::Board,
            depth: u32,
            leaves: $crate::Leaves,
        ) -> u64 {
            <$design as $crate::CopyMake>::perft(design, board, depth, leaves)
        }
        $optional.perft = Some(perft);
    };
    ($design:ty, $optional:ident, Winning) => {
        #[inline(never)]
        fn winning_captures(
            design: &$design,
            board: &<$design as $crate::Generator>::Board,
            list: &mut $crate::MoveList<<$design as $crate::Generator>::Moves>,
        ) {
            <$design as $crate::Winning>::winning_captures(design, board, list);
        }
        $optional.winning_captures = Some(winning_captures);
    };
}
