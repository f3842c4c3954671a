//! Perft on boards of one register each: all boards behind a position are written at once, and the leaves are counted
//! in eight lanes.
//!
//! **Source.** Ours. The fill is Steffan Westcott's and the pins are Gerd Isenberg's, as in the list form of
//! [`Legal`]. Colour as a constant is the method of Gigantua (Daniel Inführ, 2021).
//!
//! **Method.** A [`Register`] holds a board in 64 bytes, so that a copy is one store and a move is four vector
//! instructions, whatever piece moves. Nothing is taken back. The moves of a node are written as a list, and one loop
//! turns the list into boards; moves that change more than two squares come last and have a loop of their own. Each
//! function exists once for White and once for Black.
//!
//! *Leaves in bulk.* `leaf.rs` counts the moves of a board direction by direction. Each lane has the targets of one
//! direction, in which every target belongs to one piece, so the number of moves is the number of bits. The sum
//! stays in lanes until the end of the perft.
//!
//! *Leaves made.* The boards behind all moves of the last ply are written, and no move is counted otherwise.
//!
//! **Cost.** The root is copied into a register once per perft, as any perft by copies copies its board.

mod children;
mod leaf;
mod register;
mod restrictions;

use std::arch::x86_64::*;
use std::hint::black_box;
use std::mem::MaybeUninit;

use raywalk_core::{Bitboards, Board, Color, Leaves, MoveList};

use crate::legal::Legal;
use register::Register;

/// Room for the boards behind all moves of a position. Not initialised, because that would take longer than the moves.
type Room = [MaybeUninit<Register>; 256];

/// Number of sequences of `depth` legal moves.
#[target_feature(
    enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
)]
pub(crate) fn perft(design: &Legal, board: &Bitboards, depth: u32, leaves: Leaves) -> u64 {
    let root = Register::of(board);
    let mut walk = Walk { design, list: MoveList::new(), counted: _mm512_setzero_si512() };
    let made = match (board.state().side, leaves, depth) {
        (_, _, 0) => 1,
        (Color::White, Leaves::Made, _) => walk.made::<true>(&root, depth),
        (Color::Black, Leaves::Made, _) => walk.made::<false>(&root, depth),
        (Color::White, Leaves::Bulk, 1) => walk.count::<true>(&[root]),
        (Color::Black, Leaves::Bulk, 1) => walk.count::<false>(&[root]),
        (Color::White, Leaves::Bulk, _) => walk.bulk::<true>(&root, depth),
        (Color::Black, Leaves::Bulk, _) => walk.bulk::<false>(&root, depth),
    };
    made + _mm512_reduce_add_epi64(walk.counted).cast_unsigned()
}

/// A walk through the tree of a position.
struct Walk<'a> {
    design: &'a Legal,
    /// The moves of the node whose boards are being written. One list serves all plies.
    list: MoveList,
    /// The leaves that were counted in lanes.
    counted: __m512i,
}

impl Walk<'_> {
    /// The leaves at least two plies below a board, apart from those that are counted in lanes.
    #[target_feature(
        enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
    )]
    fn bulk<const WHITE: bool>(&mut self, board: &Register, depth: u32) -> u64 {
        let mut room: Room = [const { MaybeUninit::uninit() }; 256];
        let children = self.children::<WHITE>(board, &mut room);
        match (WHITE, depth) {
            (true, 2) => self.count::<false>(children),
            (false, 2) => self.count::<true>(children),
            (true, _) => children.iter().map(|child| self.bulk::<false>(child, depth - 1)).sum(),
            (false, _) => children.iter().map(|child| self.bulk::<true>(child, depth - 1)).sum(),
        }
    }

    /// The moves of boards, apart from those that are counted in lanes.
    #[inline(never)]
    #[target_feature(
        enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
    )]
    fn count<const WHITE: bool>(&mut self, boards: &[Register]) -> u64 {
        let mut counted = self.counted;
        let mut others = 0;
        for board in boards {
            others += leaf::count::<WHITE>(&self.design.rays, board, &mut counted);
        }
        self.counted = counted;
        others
    }

    /// The leaves below a board, each of them written.
    #[target_feature(
        enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
    )]
    fn made<const WHITE: bool>(&mut self, board: &Register, depth: u32) -> u64 {
        let mut room: Room = [const { MaybeUninit::uninit() }; 256];
        let children = self.children::<WHITE>(board, &mut room);
        if depth == 1 {
            // Otherwise the compiler could leave the boards out.
            return black_box(children).len() as u64;
        }
        match WHITE {
            true => children.iter().map(|child| self.made::<false>(child, depth - 1)).sum(),
            false => children.iter().map(|child| self.made::<true>(child, depth - 1)).sum(),
        }
    }

    /// Writes the boards behind all legal moves.
    #[inline]
    #[target_feature(
        enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
    )]
    fn children<'r, const WHITE: bool>(
        &mut self,
        board: &Register,
        room: &'r mut Room,
    ) -> &'r [Register] {
        self.list.clear();
        let parts = children::list::<WHITE>(self.design, board, &mut self.list);
        children::make_all::<WHITE>(board, self.list.as_slice(), parts, room)
    }
}
