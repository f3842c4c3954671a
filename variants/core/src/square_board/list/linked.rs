//! A doubly linked list of the pieces of each side.

use super::{PieceList, Visitor};
use crate::square_board::{Cells, Code, Geometry};
use crate::{Color, Kind, Piece, Square};

/// The pieces of a side.
const PIECES: u8 = 16;
/// Both ends of the ring.
const HEAD: u8 = PIECES;
/// `HEAD` and the pieces, rounded up so that an index is masked instead of checked.
const LINKS: usize = 32;

/// Linked lists: the pieces of a side form a ring, in and out of which a piece is linked in constant
/// time. The kind of a piece is read from the board.
///
/// A piece that is taken off keeps its links, and the one taken off last is put back first. Make and
/// unmake nest, so unmake restores the order exactly; no other list but the board itself does.
///
/// Source: *Building a Chess Move Generator: What You Need to Get Started*; putting back by the links
/// that were kept is D. E. Knuth, *Dancing links* (2000).
#[derive(Clone, Debug, Default)]
pub struct LinkedList {
    sides: [Ring; 2],
    kings: [u8; 2],
    /// Which piece stands on a square. Read by updates alone.
    pieces: Slots,
}

#[derive(Clone, Debug)]
struct Slots([u8; 64]);

impl Default for Slots {
    fn default() -> Slots {
        Slots([0; 64])
    }
}

#[derive(Clone, Debug)]
#[repr(C)]
struct Ring {
    next: [u8; LINKS],
    cells: [u8; PIECES as usize],
    previous: [u8; LINKS],
    /// Pieces that are off the board, the last one on top.
    off: [u8; PIECES as usize],
    off_count: u8,
}

impl Default for Ring {
    /// A ring of sixteen pieces, all then taken off from the last to the first. So the first piece added
    /// is piece 0, and every piece's links are right when its turn comes.
    fn default() -> Ring {
        let mut ring = Ring {
            next: [0; LINKS],
            cells: [0; PIECES as usize],
            previous: [0; LINKS],
            off: [0; PIECES as usize],
            off_count: 0,
        };
        for piece in 0..=PIECES {
            ring.next[usize::from(piece)] = (piece + 1) % (PIECES + 1);
            ring.previous[usize::from(piece)] = (piece + PIECES) % (PIECES + 1);
        }
        (0..PIECES).rev().for_each(|piece| ring.unlink(piece));
        ring
    }
}

impl Ring {
    fn unlink(&mut self, piece: u8) {
        let (next, previous) = self.around(piece);
        self.next[usize::from(previous)] = next;
        self.previous[usize::from(next)] = previous;
        self.off[usize::from(self.off_count)] = piece;
        self.off_count += 1;
    }

    fn relink(&mut self) -> u8 {
        self.off_count -= 1;
        let piece = self.off[usize::from(self.off_count)];
        let (next, previous) = self.around(piece);
        self.next[usize::from(previous)] = piece;
        self.previous[usize::from(next)] = piece;
        piece
    }

    fn around(&self, piece: u8) -> (u8, u8) {
        (self.next[usize::from(piece)], self.previous[usize::from(piece)])
    }

    #[inline(always)]
    fn after(&self, piece: u8) -> u8 {
        self.next[usize::from(piece) % LINKS]
    }
}

impl<G: Geometry> PieceList<G> for LinkedList {
    const NAME: &'static str = "linked list";

    #[inline]
    fn add(&mut self, piece: Piece, square: Square) {
        self.pieces.0[square.index()] = self.sides[piece.color.index()].relink();
        PieceList::<G>::relocate(self, piece, square, square);
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.sides[piece.color.index()].unlink(self.pieces.0[square.index()]);
    }

    #[inline]
    fn relocate(&mut self, piece: Piece, from: Square, to: Square) {
        let slot = self.pieces.0[from.index()];
        self.pieces.0[to.index()] = slot;
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
        let mut piece = ring.after(HEAD);
        while piece != HEAD {
            let cell = ring.cells[usize::from(piece % PIECES)];
            visitor.visit(C::kind(cells.get(cell)), cell);
            piece = ring.after(piece);
        }
    }
}
