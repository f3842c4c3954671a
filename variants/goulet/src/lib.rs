//! The Goulet ray database: every ray of every piece, precomputed.
//!
//! Jean Goulet described it in his thesis *Data Structures for Chess* (McGill, 1984). The thesis was
//! not available, so this implementation follows the summary by F. D. Laramée (GameDev, June 2000).
//! A ray is the sequence of squares that a piece can reach in one direction on an empty board. The
//! database lists all of them: for king, queen, rook, bishop and knight on each of 64 squares (colour
//! does not matter), and for the pawns of each side on 48 squares. Generation scans each ray of a
//! piece until the ray ends or meets another piece.
//!
//! The database has 416 heads, 1,860 rays and 3,948 targets. Laramée estimates "a few dozen
//! kilobytes" and promises a simple, mostly linear lookup that needs virtually no computation. With
//! the narrowest fields it takes 10,776 bytes, with 32-bit words 34,000. Both are instances of one
//! generic type, so the cost of field width can be measured alone. A third instance computes the targets of
//! pieces by steps, so the worth of the lists can be measured alone as well. [`GouletByColour`] has a database for each
//! side, to show what it saves that colour does not matter.
//!
//! # Cost
//! Two branches per empty square (occupied, end of the ray) and one per ray. Two loads per square, the
//! target and the piece on it; neither is on the carried dependency chain as long as the branches are
//! predicted. There is no arithmetic on squares and no test for the edge.
//!
//! A pawn's first ray is its push, one or two squares long and for quiet moves only; the others are
//! its one or two captures. Pawns therefore use rays like every other piece. The rank only decides,
//! once per pawn, whether a move is written once or as four promotions.

mod by_colour;
mod database;
#[allow(unsafe_code, reason = "a mask of the square would be part of the dependency chain")]
mod walk;

pub use by_colour::GouletByColour;
use database::{Bytes, Database, HEADS, RAYS, RecordOf, Steps, Width, Words, targets};
use raywalk_core::square_board::Board8x8;
use raywalk_core::{Card, Control, Feature, Generator, Legality, Move, MoveList, Stage};
use walk::Walk;

/// The database in the narrowest fields: 10,776 bytes.
pub type GouletBytes = Goulet<Bytes>;
/// The database in 32-bit words: 34,000 bytes.
pub type GouletWords = Goulet<Words>;

/// [`GouletBytes`] with a step for each ray of a piece instead of its targets.
pub type GouletSteps = Goulet<Steps>;

raywalk_core::entries!(GouletBytes, GouletWords, GouletSteps, GouletByColour);

/// The ray database, generic over the width of its fields.
pub struct Goulet<W: Width>(Database<W>);

const CARD: Card = Card {
    id: "goulet/bytes",
    name: "Goulet ray database, bytes",
    author: "Jean Goulet, as summarised by F. D. Laramée",
    year: Some(1984),
    source: "F. D. Laramée, Chess Programming Part II: Data Structures, GameDev (June 2000), after \
             Jean Goulet, Data Structures for Chess (McGill 1984)",
    control: Control::Branchy,
    legality: Legality::Pseudo,
    published_bytes: None,
    needs: &[],
    reconstructed: "layout and order of the tables, pawns, promotion, castling, en passant and the \
                    split into stages: only a summary of the thesis was available",
};

impl<W: Width> Generator for Goulet<W> {
    const CARD: Card = W::CARD;
    type Board = Board8x8;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(Goulet(Database::new())))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Board8x8, list: &mut MoveList) {
        board.visit::<S>(&mut Walk::<S, W>::new(&self.0, board, list));
        board.special_moves::<S>(list);
    }

    /// Excludes the entries that round the tables up to powers of two.
    fn table_bytes(&self) -> usize {
        Self::TABLE_BYTES
    }
}

impl<W: Width> Goulet<W> {
    /// Bytes of heads, rays and targets.
    const TABLE_BYTES: usize =
        (HEADS + RAYS) * size_of::<RecordOf<W>>() + targets::<W>() * size_of::<W::Target>();
}
