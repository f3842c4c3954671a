//! The one trait, and its stages.

use crate::{Board, Card, Feature, MoveFormat, MoveList};

/// Which moves are wanted. A type, not a value: each stage becomes its own machine code.
///
/// The contract, the same for all designs:
///
/// * *captures*: every move that takes a piece, en passant and capturing promotions included;
/// * *quiets*: everything else: pushes, pushing promotions, castling, moves to empty squares;
/// * *all*: exactly the union, in any order, each move once.
pub trait Stage: 'static {
    /// The value of this type.
    const ID: StageId;
    /// Whether moves that take are wanted.
    const CAPTURES: bool = !matches!(Self::ID, StageId::Quiets);
    /// Whether moves that do not take are wanted.
    const QUIETS: bool = !matches!(Self::ID, StageId::Captures);
    /// Whether the moves of bishops, rooks and queens alone are wanted: [`Scope::Sliders`].
    const SLIDERS_ONLY: bool = false;
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

/// Of which pieces the moves are wanted.
///
/// Most sources show how their sliders move and leave the rest "analogous". The scope *sliders only*
/// times what they show; the whole generation is what an engine pays for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Of all pieces, in the wanted stage.
    #[default]
    Whole,
    /// Of bishops, rooks and queens; always all their moves.
    Sliders,
}

impl Scope {
    /// The whole generation, sliders only.
    pub const ALL: [Scope; 2] = [Scope::Whole, Scope::Sliders];

    /// The name in commands and files.
    pub const fn name(self) -> &'static str {
        match self {
            Scope::Whole => "whole",
            Scope::Sliders => "sliders",
        }
    }

    /// Whether it is one of these.
    pub const fn is_in(self, scopes: &[Scope]) -> bool {
        let mut n = 0;
        while n < scopes.len() {
            if scopes[n] as u8 == self as u8 {
                return true;
            }
            n += 1;
        }
        false
    }
}

/// Every move.
pub struct All;
/// Moves that take.
pub struct Captures;
/// Moves that do not take.
pub struct Quiets;
/// Every move of a bishop, rook or queen.
pub struct Sliders;

impl Stage for All {
    const ID: StageId = StageId::All;
}
impl Stage for Captures {
    const ID: StageId = StageId::Captures;
}
impl Stage for Quiets {
    const ID: StageId = StageId::Quiets;
}
impl Stage for Sliders {
    const ID: StageId = StageId::All;
    const SLIDERS_ONLY: bool = true;
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
    /// How it stores moves; [`Move`](crate::Move) unless the design is about something else.
    type Moves: MoveFormat;
    /// The scopes that mean something for it. A design that finds the moves of all pieces at once has
    /// no sliders apart; it says `&[Scope::Whole]`.
    const SCOPES: &'static [Scope] = &Scope::ALL;

    /// Builds the tables, or names the CPU feature that this machine lacks.
    fn build() -> Result<Box<Self>, Feature>;

    /// Appends the moves of stage `S`. Reads the tables and the board, nothing else.
    ///
    /// [`Stage::SLIDERS_ONLY`] is honoured by what designs share (the lists that show the pieces, the
    /// special moves); who does without these must look at it, or not have the scope.
    fn generate<S: Stage>(&self, board: &Self::Board, list: &mut MoveList<Self::Moves>);

    /// Bytes of the tables that generation reads, counted by the machine. A design whose tables
    /// are not all inside itself adds the rest.
    fn table_bytes(&self) -> usize {
        size_of::<Self>()
    }
}

/// The compiled entries of a design: one function per stage and one for the sliders, never
/// inlined, compiled in the design's own crate. What is timed, counted and read in the disassembly is this.
pub trait Entries: Generator {
    /// Appends every move.
    fn all(&self, board: &Self::Board, list: &mut MoveList<Self::Moves>);
    /// Appends the moves that take.
    fn captures(&self, board: &Self::Board, list: &mut MoveList<Self::Moves>);
    /// Appends the moves that do not.
    fn quiets(&self, board: &Self::Board, list: &mut MoveList<Self::Moves>);
    /// Appends every move of a bishop, rook or queen; nothing if the design has no such
    /// [scope](Generator::SCOPES).
    fn sliders(&self, board: &Self::Board, list: &mut MoveList<Self::Moves>);

    /// The entry of a stage known only at run time. Not for timed regions.
    fn stage(&self, stage: StageId, board: &Self::Board, list: &mut MoveList<Self::Moves>) {
        match stage {
            StageId::All => self.all(board, list),
            StageId::Captures => self.captures(board, list),
            StageId::Quiets => self.quiets(board, list),
        }
    }
}

/// Compiles the four entries of each design named, in the crate that says so.
///
/// An entry is a function of one concrete type, so no other crate ever instantiates it again: a
/// new design moves no other design's code.
#[macro_export]
macro_rules! entries {
    ($($design:ty),+ $(,)?) => {$(
        impl $crate::Entries for $design {
            #[inline(never)]
            fn all(&self, board: &Self::Board, list: &mut $crate::MoveList<Self::Moves>) {
                <Self as $crate::Generator>::generate::<$crate::All>(self, board, list);
            }
            #[inline(never)]
            fn captures(&self, board: &Self::Board, list: &mut $crate::MoveList<Self::Moves>) {
                <Self as $crate::Generator>::generate::<$crate::Captures>(self, board, list);
            }
            #[inline(never)]
            fn quiets(&self, board: &Self::Board, list: &mut $crate::MoveList<Self::Moves>) {
                <Self as $crate::Generator>::generate::<$crate::Quiets>(self, board, list);
            }
            #[inline(never)]
            fn sliders(&self, board: &Self::Board, list: &mut $crate::MoveList<Self::Moves>) {
                if const { $crate::Scope::Sliders.is_in(<Self as $crate::Generator>::SCOPES) } {
                    <Self as $crate::Generator>::generate::<$crate::Sliders>(self, board, list);
                }
            }
        }
    )+};
}
