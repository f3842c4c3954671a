//! The one trait, and its stages.

use crate::{Board, Card, Feature, MoveList};

/// Which moves are wanted. A type, not a value: each stage becomes its own machine code.
///
/// The contract, the same for all designs:
///
/// * *captures*: every move that takes a man, en passant and capturing promotions included;
/// * *quiets*: everything else: pushes, pushing promotions, castling, moves to empty squares;
/// * *all*: exactly the union, in any order, each move once.
pub trait Stage: 'static {
    /// The value of this type.
    const ID: StageId;
    /// Whether moves that take are wanted.
    const CAPTURES: bool = !matches!(Self::ID, StageId::Quiets);
    /// Whether moves that do not take are wanted.
    const QUIETS: bool = !matches!(Self::ID, StageId::Captures);
}

/// A stage as a value: what commands, plans and journals name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StageId {
    /// Captures and quiets.
    All,
    /// Moves that take.
    Captures,
    /// Moves that do not.
    Quiets,
}

impl StageId {
    /// All, captures, quiets.
    pub const ALL: [StageId; 3] = [StageId::All, StageId::Captures, StageId::Quiets];

    /// The name in commands and files.
    pub const fn name(self) -> &'static str {
        match self {
            StageId::All => "all",
            StageId::Captures => "captures",
            StageId::Quiets => "quiets",
        }
    }
}

/// Every move.
pub struct All;
/// Moves that take.
pub struct Captures;
/// Moves that do not take.
pub struct Quiets;

impl Stage for All {
    const ID: StageId = StageId::All;
}
impl Stage for Captures {
    const ID: StageId = StageId::Captures;
}
impl Stage for Quiets {
    const ID: StageId = StageId::Quiets;
}

/// One way to find the moves of a position.
///
/// A design owns its tables, built once into one box before anything is timed. [`entries!`] makes
/// the compiled entries of it.
///
/// [`entries!`]: crate::entries
pub trait Generator: Sized + Send + Sync + 'static {
    /// What its source says of it.
    const CARD: Card;
    /// The board it reads.
    type Board: Board;

    /// Builds the tables, or names the CPU feature that this machine lacks.
    fn build() -> Result<Box<Self>, Feature>;

    /// Appends the moves of stage `S`. Reads the tables and the board, nothing else.
    fn generate<S: Stage>(&self, board: &Self::Board, list: &mut MoveList);

    /// Bytes of the tables that generation reads, counted by the machine. A design whose tables
    /// are not all inside itself adds the rest.
    fn table_bytes(&self) -> usize {
        size_of::<Self>()
    }
}

/// The compiled entries of a design: one function per stage, never inlined, compiled in the
/// design's own crate. What is timed, counted and read in the disassembly is this.
pub trait Entries: Generator {
    /// Appends every move.
    fn all(&self, board: &Self::Board, list: &mut MoveList);
    /// Appends the moves that take.
    fn captures(&self, board: &Self::Board, list: &mut MoveList);
    /// Appends the moves that do not.
    fn quiets(&self, board: &Self::Board, list: &mut MoveList);

    /// The entry of a stage known only at run time. Not for timed regions.
    fn stage(&self, stage: StageId, board: &Self::Board, list: &mut MoveList) {
        match stage {
            StageId::All => self.all(board, list),
            StageId::Captures => self.captures(board, list),
            StageId::Quiets => self.quiets(board, list),
        }
    }
}

/// Compiles the three entries of each design named, in the crate that says so.
///
/// An entry is a function of one concrete type, so no other crate ever instantiates it again: a
/// new design moves no other design's code.
#[macro_export]
macro_rules! entries {
    ($($design:ty),+ $(,)?) => {$(
        impl $crate::Entries for $design {
            #[inline(never)]
            fn all(&self, board: &Self::Board, list: &mut $crate::MoveList) {
                <Self as $crate::Generator>::generate::<$crate::All>(self, board, list);
            }
            #[inline(never)]
            fn captures(&self, board: &Self::Board, list: &mut $crate::MoveList) {
                <Self as $crate::Generator>::generate::<$crate::Captures>(self, board, list);
            }
            #[inline(never)]
            fn quiets(&self, board: &Self::Board, list: &mut $crate::MoveList) {
                <Self as $crate::Generator>::generate::<$crate::Quiets>(self, board, list);
            }
        }
    )+};
}
