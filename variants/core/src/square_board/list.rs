//! How the men of a side are found.

use super::{Code, Geometry};
use crate::{Color, Kind, Piece, Square};

/// What a generator does with each man that a piece list finds: the two threads of pawns apart,
/// everything else by kind.
pub trait Visitor {
    /// A pawn of the side to move stands on this cell.
    fn pawn(&mut self, from: u8);
    /// A knight, bishop, rook, queen or king of the side to move stands on this cell.
    fn piece(&mut self, kind: Kind, from: u8);
}

/// One way to find the men, kept up to date by make and unmake. Men are stored by cell.
pub trait PieceList<G: Geometry>: Clone + Default + Send + Sync + 'static {
    /// Short name.
    const NAME: &'static str;

    /// A man appears.
    fn add(&mut self, piece: Piece, square: Square);
    /// A man disappears.
    fn remove(&mut self, piece: Piece, square: Square);
    /// A man moves to a square that holds none.
    fn relocate(&mut self, piece: Piece, from: Square, to: Square);
    /// The king's square.
    fn king(&self, color: Color) -> Square;
    /// Shows every man of `side` to the visitor, in the list's own order.
    fn visit<C: Code>(&self, cells: &G::Cells, side: Color, visitor: &mut impl Visitor);
}

/// Disjoint counted arrays: for each colour and kind up to ten cells and their number, and an index
/// board that tells in which slot a square stands (Reul 2009). Ten, because eight pawns may become
/// a kind that begins with two.
///
/// A captured man's slot is filled with the last one, so the order changes with play.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct CountedArrays {
    counts: [[u8; 6]; 2],
    cells: [[[u8; SLOTS]; 6]; 2],
    // Read by make and unmake alone, hence last: generation never touches its cache line.
    slots: [u8; 64],
}

const SLOTS: usize = 10;

impl Default for CountedArrays {
    fn default() -> CountedArrays {
        CountedArrays { counts: [[0; 6]; 2], cells: [[[0; SLOTS]; 6]; 2], slots: [0; 64] }
    }
}

impl CountedArrays {
    /// The cells of the men of one colour and kind.
    #[inline(always)]
    pub fn of(&self, color: Color, kind: Kind) -> &[u8] {
        let count = usize::from(self.counts[color.index()][kind.index()]);
        &self.cells[color.index()][kind.index()][..count.min(SLOTS)]
    }
}

impl<G: Geometry> PieceList<G> for CountedArrays {
    const NAME: &'static str = "counted arrays";

    #[inline]
    fn add(&mut self, piece: Piece, square: Square) {
        let (color, kind) = (piece.color.index(), piece.kind.index());
        let slot = self.counts[color][kind];
        self.cells[color][kind][usize::from(slot)] = G::cell(square);
        self.slots[square.index()] = slot;
        self.counts[color][kind] = slot + 1;
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        let (color, kind) = (piece.color.index(), piece.kind.index());
        let last = self.counts[color][kind] - 1;
        self.counts[color][kind] = last;
        let slot = self.slots[square.index()];
        let filler = self.cells[color][kind][usize::from(last)];
        self.cells[color][kind][usize::from(slot)] = filler;
        self.slots[G::square(filler).index()] = slot;
    }

    #[inline]
    fn relocate(&mut self, piece: Piece, from: Square, to: Square) {
        let slot = self.slots[from.index()];
        self.cells[piece.color.index()][piece.kind.index()][usize::from(slot)] = G::cell(to);
        self.slots[to.index()] = slot;
    }

    #[inline]
    fn king(&self, color: Color) -> Square {
        G::square(self.cells[color.index()][Kind::King.index()][0])
    }

    #[inline(always)]
    fn visit<C: Code>(&self, _: &G::Cells, side: Color, visitor: &mut impl Visitor) {
        for &cell in self.of(side, Kind::Pawn) {
            visitor.pawn(cell);
        }
        for kind in Kind::PIECES {
            for &cell in self.of(side, kind) {
                visitor.piece(kind, cell);
            }
        }
    }
}
