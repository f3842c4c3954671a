//! The trait of all designs, with its stages and scopes.

use crate::optional::Optional;
use crate::{Board, Card, Feature, Move, MoveFormat, MoveList};

/// Which moves to generate. A stage is a type, so that each stage is compiled to its own machine
/// code.
///
/// The contract is the same for all designs:
///
/// * *captures*: every move that captures, including en passant and capturing promotions;
/// * *quiets*: all other moves: pushes, promotions without capture, castling, moves to empty
///   squares;
/// * *all*: the union of both, in any order, each move once.
pub trait Stage: 'static {
    /// The stage as a value.
    const ID: StageId;
    /// Whether to generate captures.
    const CAPTURES: bool = !matches!(Self::ID, StageId::Quiets);
    /// Whether to generate quiet moves.
    const QUIETS: bool = !matches!(Self::ID, StageId::Captures);
    /// Whether to generate only the moves of bishops, rooks and queens: [`Scope::Sliders`].
    const SLIDERS_ONLY: bool = false;
}

/// A stage as a value, for commands, plans and journals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StageId {
    /// Captures and quiet moves.
    All,
    /// Moves that capture.
    Captures,
    /// Moves that do not capture.
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

/// Which pieces to generate moves for.
///
/// Most sources show the code for sliders and describe the rest as "analogous". The scope *sliders*
/// times the part that they show. The scope *whole* times what an engine needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// All pieces, in any stage.
    #[default]
    Whole,
    /// Bishops, rooks and queens, always with captures and quiet moves.
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

    /// `scopes.contains(&self)`, in constant expressions too.
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

/// [`StageId::All`] as a type.
pub struct All;
/// [`StageId::Captures`] as a type.
pub struct Captures;
/// [`StageId::Quiets`] as a type.
pub struct Quiets;
/// [`Scope::Sliders`] as a type.
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

/// A design: one way to generate the moves of a position.
///
/// The value holds the tables. It is built once, into one box, before anything is timed. The macro
/// [`entries!`] compiles the functions that are measured.
///
/// [`entries!`]: crate::entries
pub trait Generator: Sized + Send + Sync + 'static {
    /// Facts and claims from the source.
    const CARD: Card;
    /// The board that the design reads.
    type Board: Board;
    /// The format of moves in the list: [`Move`](crate::Move), unless the design is about the
    /// format.
    type Moves: MoveFormat;
    /// The scopes that the design supports. A design that cannot generate the moves of sliders
    /// separately sets `&[Scope::Whole]`.
    const SCOPES: &'static [Scope] = &Scope::ALL;

    /// Builds the tables.
    ///
    /// # Errors
    /// The CPU feature that the design requires and this machine lacks.
    fn build() -> Result<Box<Self>, Feature>;

    /// Appends the moves of stage `S`. Reads only the tables and the board.
    ///
    /// The shared piece lists and the shared special moves respect [`Stage::SLIDERS_ONLY`]. A
    /// design that does not use them must test the constant itself or exclude the scope.
    fn generate<S: Stage>(&self, board: &Self::Board, list: &mut MoveList<Self::Moves>);

    /// Whether the lists hold codes, which are moves only together with the board that they were generated
    /// for.
    const CODED: bool = false;

    /// Whether the design stores its moves by whole vectors. The page then holds it against the vectors of moves that
    /// the machine stores in a cycle, else against the single moves.
    const WHOLE_VECTORS: bool = false;

    /// The move that a word of a list stands for, on the board that the list was generated for. A program with
    /// codes needs it when it makes the move.
    #[inline(always)]
    fn unpack(&self, _board: &Self::Board, word: Move) -> Move {
        word
    }

    /// Size in bytes of the tables that generation reads. A design with tables outside the value
    /// overrides this function and adds their size.
    ///
    /// Not counted are tables of the shared rules, which only castling and en passant read, and constants that
    /// vector code loads whole: operands that are the same in every position, or one set of them for each colour.
    fn table_bytes(&self) -> usize {
        size_of::<Self>()
    }
}

/// The compiled entries of a design: one function per stage and one for the sliders.
///
/// They are never inlined and are compiled in the crate of the design. These functions are timed,
/// counted and disassembled.
pub trait Entries: Generator {
    /// The compiled entries of the calls that not every design offers.
    const OPTIONAL: Optional<Self, Self::Board, Self::Moves>;

    /// Appends every move.
    fn all(&self, board: &Self::Board, list: &mut MoveList<Self::Moves>);
    /// Appends the moves that capture.
    fn captures(&self, board: &Self::Board, list: &mut MoveList<Self::Moves>);
    /// Appends the moves that do not capture.
    fn quiets(&self, board: &Self::Board, list: &mut MoveList<Self::Moves>);
    /// Appends every move of bishops, rooks and queens; nothing if the design does not support the
    /// [scope](Generator::SCOPES).
    fn sliders(&self, board: &Self::Board, list: &mut MoveList<Self::Moves>);

    /// Calls the entry of a stage that is known only at run time, and replaces codes by moves. Not for timed
    /// regions.
    fn stage(&self, stage: StageId, board: &Self::Board, list: &mut MoveList<Self::Moves>) {
        let before = list.len();
        match stage {
            StageId::All => self.all(board, list),
            StageId::Captures => self.captures(board, list),
            StageId::Quiets => self.quiets(board, list),
        }
        self.unpack_behind(before, board, list);
    }

    /// Replaces the codes behind the first words of a list by moves. Does nothing for a design whose lists hold
    /// moves. Not for timed regions, which unpack the move that they make.
    fn unpack_behind(&self, before: usize, board: &Self::Board, list: &mut MoveList<Self::Moves>) {
        if Self::CODED {
            list.replace_behind(before, |word| self.unpack(board, word));
        }
    }
}

/// Compiles the four entries of each named design in the crate that invokes the macro, and those of the
/// optional traits that are named behind it: `entries!(Bell, Classical: Attacking Early)`.
///
/// An entry is a function of a concrete type, so no other crate instantiates it. Adding a design
/// does not change the code of other designs.
#[macro_export]
macro_rules! entries {
    ($($design:ty $(: $($optional:ident)+)?),+ $(,)?) => {$(
        impl $crate::Entries for $design {
            const OPTIONAL: $crate::Optional<
                Self,
                <Self as $crate::Generator>::Board,
                <Self as $crate::Generator>::Moves,
            > = {
                #[allow(unused_mut, reason = "a design without optional calls sets no entry")]
                let mut optional = $crate::Optional::NONE;
                $($( $crate::optional_entries!($design, optional, $optional); )+)?
                optional
            };
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
