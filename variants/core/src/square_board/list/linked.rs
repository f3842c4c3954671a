//! A doubly linked list of the pieces of each side.

use super::{PieceList, Visitor};
use crate::square_board::{Cells, Code, Geometry};
use crate::{Color, Kind, Piece, Square};

/// Maximum number of pieces of a side.
const PIECES: u8 = 16;
/// The link that holds no piece: the start and end of the ring.
const HEAD: u8 = PIECES;
/// `HEAD` and the pieces, rounded up to a power of two so that a mask replaces the bounds check.
const LINKS: usize = 32;

/// Linked lists: the pieces of a side form a ring, and linking or unlinking a piece takes constant
/// time. The kind of a piece is read from the board.
///
/// A removed piece keeps its links, and the piece removed last is restored first. Make and unmake
/// nest, so unmake restores the order exactly. Of the other lists, only [`BoardScan`](super::BoardScan)
/// and [`BitboardSets`](super::BitboardSets) do, because their order is that of the squares.
///
/// Source: *Building a Chess Move Generator: What You Need to Get Started*. Restoring a piece by
/// the links it kept is from D. E. Knuth, *Dancing links* (2000).
#[derive(Clone, Debug)]
pub struct LinkedList {
    sides: [Ring; 2],
    kings: [u8; 2],
    /// The slot of the piece on each square. Only updates read it.
    slots: [u8; 64],
}

impl Default for LinkedList {
    fn default() -> LinkedList {
        LinkedList { sides: [Ring::default(), Ring::default()], kings: [0; 2], slots: [0; 64] }
    }
}

/// The pieces of one side, each in a slot that it keeps. Links are slots.
#[derive(Clone, Debug)]
#[repr(C)]
struct Ring {
    next: [u8; LINKS],
    cells: [u8; PIECES as usize],
    previous: [u8; LINKS],
    /// A stack of the unused slots.
    unused: [u8; PIECES as usize],
    unused_count: u8,
}

impl Default for Ring {
    /// Links all sixteen slots, then unlinks them from the last to the first. So slot 0 is used
    /// first, and the links of every slot are right when it is used.
    fn default() -> Ring {
        let mut ring = Ring {
            next: [0; LINKS],
            cells: [0; PIECES as usize],
            previous: [0; LINKS],
            unused: [0; PIECES as usize],
            unused_count: 0,
        };
        for slot in 0..=PIECES {
            ring.next[usize::from(slot)] = (slot + 1) % (PIECES + 1);
            ring.previous[usize::from(slot)] = (slot + PIECES) % (PIECES + 1);
        }
        (0..PIECES).rev().for_each(|slot| ring.unlink(slot));
        ring
    }
}

impl Ring {
    fn unlink(&mut self, slot: u8) {
        let (next, previous) = self.neighbours(slot);
        self.next[usize::from(previous)] = next;
        self.previous[usize::from(next)] = previous;
        self.unused[usize::from(self.unused_count)] = slot;
        self.unused_count += 1;
    }

    /// Links the slot that was unlinked last, between its former neighbours, and returns it.
    fn relink(&mut self) -> u8 {
        self.unused_count -= 1;
        let slot = self.unused[usize::from(self.unused_count)];
        let (next, previous) = self.neighbours(slot);
        self.next[usize::from(previous)] = slot;
        self.previous[usize::from(next)] = slot;
        slot
    }

    /// The next and the previous slot.
    fn neighbours(&self, slot: u8) -> (u8, u8) {
        (self.next[usize::from(slot)], self.previous[usize::from(slot)])
    }

    #[inline(always)]
    fn after(&self, slot: u8) -> u8 {
        self.next[usize::from(slot) % LINKS]
    }
}

impl<G: Geometry> PieceList<G> for LinkedList {
    const NAME: &'static str = "linked list";

    #[inline]
    fn add(&mut self, piece: Piece, square: Square) {
        self.slots[square.index()] = self.sides[piece.color.index()].relink();
        PieceList::<G>::relocate(self, piece, square, square);
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.sides[piece.color.index()].unlink(self.slots[square.index()]);
    }

    #[inline]
    fn relocate(&mut self, piece: Piece, from: Square, to: Square) {
        let slot = self.slots[from.index()];
        self.slots[to.index()] = slot;
        self.sides[piece.color.index()].cells[usize::from(slot)] = G::cell(to);
        if piece.kind == Kind::King {
            self.kings[piece.color.index()] = G::cell(to);
        }
    }

    #[inline]
    fn king(&self, color: Color) -> Square {
        G::square(self.kings[color.index()])
    }

    #[inline(always)]
    fn visit<C: Code>(&self, cells: &G::Cells, side: Color, visitor: &mut impl Visitor) {
        let ring = &self.sides[side.index()];
        let mut slot = ring.after(HEAD);
        while slot != HEAD {
            let cell = ring.cells[usize::from(slot % PIECES)];
            visitor.visit(C::kind(cells.get(cell)), cell);
            slot = ring.after(slot);
        }
    }
}
