//! A doubly linked list of the men of each side.

use super::{PieceList, Visitor};
use crate::square_board::{Cells, Code, Geometry};
use crate::{Color, Kind, Piece, Square};

/// The men of a side.
const MEN: u8 = 16;
/// Both ends of the ring.
const HEAD: u8 = MEN;
/// `HEAD` and the men, rounded up so that an index is masked instead of checked.
const LINKS: usize = 32;

/// Linked lists: the men of a side form a ring, in and out of which a man is linked in constant
/// time. The kind of a man is read from the board.
///
/// A man that is taken off keeps its links, and the one taken off last is put back first. Make and
/// unmake nest, so unmake restores the order exactly; no other list but the board itself does.
///
/// Source: *Building a Chess Move Generator: What You Need to Get Started*; putting back by the links
/// that were kept is D. E. Knuth, *Dancing links* (2000).
#[derive(Clone, Debug, Default)]
pub struct LinkedList {
    sides: [Ring; 2],
    kings: [u8; 2],
    /// Which man stands on a square. Read by updates alone.
    men: Men,
}

#[derive(Clone, Debug)]
struct Men([u8; 64]);

impl Default for Men {
    fn default() -> Men {
        Men([0; 64])
    }
}

#[derive(Clone, Debug)]
#[repr(C)]
struct Ring {
    next: [u8; LINKS],
    cells: [u8; MEN as usize],
    previous: [u8; LINKS],
    /// Men that are off the board, the last one on top.
    off: [u8; MEN as usize],
    off_count: u8,
}

impl Default for Ring {
    /// A ring of sixteen men, all then taken off from the last to the first. So the first man added
    /// is man 0, and every man's links are right when its turn comes.
    fn default() -> Ring {
        let mut ring = Ring {
            next: [0; LINKS],
            cells: [0; MEN as usize],
            previous: [0; LINKS],
            off: [0; MEN as usize],
            off_count: 0,
        };
        for man in 0..=MEN {
            ring.next[usize::from(man)] = (man + 1) % (MEN + 1);
            ring.previous[usize::from(man)] = (man + MEN) % (MEN + 1);
        }
        (0..MEN).rev().for_each(|man| ring.unlink(man));
        ring
    }
}

impl Ring {
    fn unlink(&mut self, man: u8) {
        let (next, previous) = self.around(man);
        self.next[usize::from(previous)] = next;
        self.previous[usize::from(next)] = previous;
        self.off[usize::from(self.off_count)] = man;
        self.off_count += 1;
    }

    fn relink(&mut self) -> u8 {
        self.off_count -= 1;
        let man = self.off[usize::from(self.off_count)];
        let (next, previous) = self.around(man);
        self.next[usize::from(previous)] = man;
        self.previous[usize::from(next)] = man;
        man
    }

    fn around(&self, man: u8) -> (u8, u8) {
        (self.next[usize::from(man)], self.previous[usize::from(man)])
    }

    #[inline(always)]
    fn after(&self, man: u8) -> u8 {
        self.next[usize::from(man) % LINKS]
    }
}

impl<G: Geometry> PieceList<G> for LinkedList {
    const NAME: &'static str = "linked list";

    #[inline]
    fn add(&mut self, piece: Piece, square: Square) {
        self.men.0[square.index()] = self.sides[piece.color.index()].relink();
        PieceList::<G>::relocate(self, piece, square, square);
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.sides[piece.color.index()].unlink(self.men.0[square.index()]);
    }

    #[inline]
    fn relocate(&mut self, piece: Piece, from: Square, to: Square) {
        let man = self.men.0[from.index()];
        self.men.0[to.index()] = man;
        self.sides[piece.color.index()].cells[usize::from(man)] = G::cell(to);
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
        let mut man = ring.after(HEAD);
        while man != HEAD {
            let cell = ring.cells[usize::from(man % MEN)];
            visitor.man(C::kind(cells.get(cell)), cell);
            man = ring.after(man);
        }
    }
}
