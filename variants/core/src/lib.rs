//! The types and contracts shared by all move generators.
//!
//! A design depends on this crate and on no other crate of the workspace. The crate contains:
//!
//! * the vocabulary: [`Square`], [`Move`], [`Position`] with validation and [FEN](fen), [`MoveList`];
//! * boards that several designs read: [`SquareBoard`](square_board::SquareBoard), [`Bitboards`];
//! * parts that several designs share: [`set_wise`] for moves by direction, [`two_way`] and [`one_way`] for
//!   lists of squares in a table;
//! * the contract that makes designs comparable: [`Generator`], [`Stage`], [`Card`];
//! * what works with any design: [`perft()`], keys ([`Hashed`]), [`parallel`], and [`random`] numbers that are
//!   the same in every build.

pub mod bitboards;
mod board;
#[allow(unsafe_code, reason = "empty blocks of assembly, which the compiler cannot see through")]
mod branch;
mod calls;
mod card;
mod castling;
pub mod fen;
mod generator;
mod move_format;
mod movelist;
#[allow(
    unsafe_code,
    reason = "promises the range of targets and origins, so that other move formats need no extra instructions"
)]
mod moves;
pub mod one_way;
mod optional;
pub mod parallel;
mod perft;
mod piece;
mod position;
pub mod random;
mod seen_legality;
pub mod set_wise;
#[allow(unsafe_code, reason = "a square from six bits, without a branch and without a load")]
mod square;
pub mod square_board;
pub mod two_way;
mod validation;
mod zobrist;

pub use bitboards::Bitboards;
pub use board::{Board, Undo, legal_moves};
pub(crate) use branch::opaque_set;
pub use branch::{opaque, opaque_square, stay_a_branch};
pub use calls::{Attacking, CopyMake, Counting, Early, Lookups, Targeted, Winning};
pub use card::{Card, Control, Feature, Legality};
pub use castling::{Castling, CastlingRights, Wing};
pub use generator::{All, Captures, Entries, Generator, Quiets, Scope, Sliders, Stage, StageId};
pub use move_format::{
    Context, InTwoLists, Move21, Move32, MoveFormat, MoveObject, MoveOfPly, NodeSlots, PathSlots,
    PieceSquare, Plies, SPARE, ScoredMove, Scoring, Slots, StreamedMove, Takes,
};
pub use movelist::{Checksum, Cursor, MoveList, Moves, Words};
pub use moves::{Move, MoveKind, Origin, Target};
pub use optional::{AttackSets, FIRST_MOVES, LOOKUP_ORDERS, Leaves, LookupOrder, Optional};
pub use perft::{count_legal, perft, perft_by_lists};
pub use piece::{Color, Kind, Piece};
pub use position::{Position, State};
pub use square::{NotASquare, Square, squares_of};
pub use zobrist::{Hashed, Key};
