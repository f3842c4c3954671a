//! The loop along one ray: in Rust over a class, and in assembly over the flags themselves.

use raywalk_core::square_board::{Geometry, Grid10x12};
use raywalk_core::{Card, Cursor, Feature, Move, Square, Stage};
// The assembly tells the stages apart and reads the targets.
#[cfg(target_arch = "x86_64")]
use raywalk_core::{StageId, Target};

use crate::class::{Class, ClassTable, Classify, ComputedFlags};
use crate::{CARD, GambietBoard};

/// A ray that begins at a piece of the side to move.
#[derive(Clone, Copy)]
pub struct Ray<'a> {
    pub board: &'a GambietBoard,
    /// Xored into each code, so that the colour bit is set for pieces of the other side.
    pub inversion: u8,
    pub origin: Square,
    pub from: u8,
    pub step: u8,
}

/// A way to walk along a ray.
pub trait Rays: Sized + Send + Sync + 'static {
    /// The card of the design that uses it.
    const CARD: Card;

    /// Builds the table, or fails with the CPU feature that this machine lacks.
    fn new() -> Result<Self, Feature>;

    /// Appends the moves of stage `S` along the ray. A piece that does not slide takes one step.
    fn walk<S: Stage, const SLIDES: bool>(&self, ray: Ray<'_>, list: &mut Cursor<'_>);
}

/// The walk of the portable designs.
#[inline(always)]
pub(crate) fn by_class<S: Stage, const SLIDES: bool>(
    classes: &impl Classify,
    ray: Ray<'_>,
    list: &mut Cursor<'_>,
) {
    let mut to = ray.from;
    loop {
        to = to.wrapping_add(ray.step);
        let class = classes.class(ray.board.code(to) ^ ray.inversion);
        // Two comparisons: a match of five classes would compile to a jump table.
        if class == Class::Empty {
            if S::QUIETS {
                list.push(Move::to_target(ray.origin, Grid10x12::target(to)));
            }
            if SLIDES {
                continue;
            }
        } else if S::CAPTURES && class == Class::Enemy {
            list.push(Move::to_target(ray.origin, Grid10x12::target(to)));
        }
        // In Gambiet a king in the way means check or an illegal position. Here it can only
        // be the king of the side to move: no reachable position lets the other be taken.
        break;
    }
}

/// Adds the code to itself and jumps on four flags, in Gambiet's order.
pub struct FlagJumps(());

/// Stores the move to the cell that the walk has reached.
#[cfg(target_arch = "x86_64")]
macro_rules! store {
    () => {
        "movzx {word:e}, word ptr [{targets} + 2*{cell}]
         or {word:e}, {origin:e}
         movzx {slot:e}, {end:l}
         mov word ptr [{slots} + 2*{slot}], {word:x}
         inc {end}"
    };
}

/// The loop in one block, as on the Z80: the addition, the four jumps in their order, and the two places where
/// a move may be stored. `$empty` and `$enemy` are what is done there before the walk continues or ends.
///
/// One block, and not a jump for each class out of Rust code: around such jumps the compiler keeps the pointer
/// and the length of the list in memory.
#[cfg(target_arch = "x86_64")]
macro_rules! flag_jumps {
    ($ray:ident, $list:ident, empty: [$($empty:expr),*], enemy: [$($enemy:expr),*]) => {{
        let targets: &'static [Target; 256] = &Grid10x12::TARGETS;
        let (slots, end) = $list.parts();
        // SAFETY: the block reads cells and targets at indexes of eight bits, and both arrays have 256 elements.
        // It stores to slots at indexes of eight bits, of which there are more than 256. All registers that it
        // changes are declared, and it does not use the stack.
        unsafe {
            std::arch::asm!(
                "2:",
                "add {cell:l}, {step:l}",
                "movzx {cell:e}, {cell:l}",
                "movzx {word:e}, byte ptr [{cells} + {cell}]",
                "xor {word:l}, {inversion:l}",
                "add {word:l}, {word:l}",
                "jz 3f",
                "jnp 5f",
                "js 5f",
                "jc 4f",
                "jmp 5f",
                "4:",
                $($enemy,)*
                "jmp 5f",
                "3:",
                $($empty,)*
                "5:",
                cell = inout(reg) usize::from($ray.from) => _,
                step = in(reg) usize::from($ray.step),
                inversion = in(reg) usize::from($ray.inversion),
                cells = in(reg) $ray.board.cells().as_ptr(),
                targets = in(reg) targets.as_ptr(),
                origin = in(reg) $ray.origin.index(),
                slots = in(reg) slots.as_mut_ptr(),
                end = inout(reg) *end,
                word = out(reg) _,
                slot = out(reg) _,
                options(nostack),
            );
        }
    }};
}

impl Rays for FlagJumps {
    const CARD: Card = CARD;

    fn new() -> Result<Self, Feature> {
        Feature::X86_64.require()?;
        Ok(FlagJumps(()))
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn walk<S: Stage, const SLIDES: bool>(&self, ray: Ray<'_>, list: &mut Cursor<'_>) {
        match (S::ID, SLIDES) {
            (StageId::All, true) => {
                flag_jumps!(ray, list, empty: [store!(), "jmp 2b"], enemy: [store!()]);
            }
            (StageId::All, false) => flag_jumps!(ray, list, empty: [store!()], enemy: [store!()]),
            (StageId::Captures, true) => {
                flag_jumps!(ray, list, empty: ["jmp 2b"], enemy: [store!()]);
            }
            (StageId::Captures, false) => flag_jumps!(ray, list, empty: [], enemy: [store!()]),
            (StageId::Quiets, true) => {
                flag_jumps!(ray, list, empty: [store!(), "jmp 2b"], enemy: []);
            }
            (StageId::Quiets, false) => flag_jumps!(ray, list, empty: [store!()], enemy: []),
        }
    }

    /// Never called, because [`FlagJumps::new`] fails.
    #[cfg(not(target_arch = "x86_64"))]
    fn walk<S: Stage, const SLIDES: bool>(&self, ray: Ray<'_>, list: &mut Cursor<'_>) {
        by_class::<S, SLIDES>(&ComputedFlags, ray, list);
    }
}

impl Rays for ComputedFlags {
    const CARD: Card = Card {
        id: "gambiet/computed",
        name: "Gambiet computed flags",
        author: "Raywalk, after Wim Rens",
        year: Some(2026),
        source: "Raywalk: a variant of gambiet/flags, not published elsewhere",
        needs: &[],
        reconstructed: "each flag is computed from the sum, in the order of the jumps; the rest is gambiet/flags",
        ..CARD
    };

    fn new() -> Result<Self, Feature> {
        Ok(ComputedFlags)
    }

    #[inline(always)]
    fn walk<S: Stage, const SLIDES: bool>(&self, ray: Ray<'_>, list: &mut Cursor<'_>) {
        by_class::<S, SLIDES>(self, ray, list);
    }
}

impl Rays for ClassTable {
    const CARD: Card = Card {
        id: "gambiet/class-table",
        name: "Gambiet class table",
        author: "Raywalk, after Wim Rens",
        year: Some(2026),
        source: "Raywalk: a variant of gambiet/flags, not published elsewhere",
        needs: &[],
        reconstructed: "the table replaces the flags, which portable code cannot read; the rest is \
                        gambiet/flags",
        ..CARD
    };

    fn new() -> Result<Self, Feature> {
        Ok(ClassTable::new())
    }

    #[inline(always)]
    fn walk<S: Stage, const SLIDES: bool>(&self, ray: Ray<'_>, list: &mut Cursor<'_>) {
        by_class::<S, SLIDES>(self, ray, list);
    }
}
