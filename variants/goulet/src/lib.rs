//! The Goulet ray database: every ray of every piece, computed beforehand.
//!
//! Jean Goulet described it in his thesis *Data Structures for Chess* (McGill, 1984); the thesis was
//! not available to us, so what is built here follows the retelling by F. D. Laramée (GameDev, June
//! 2000). A ray is the sequence of squares that a piece could reach in one direction on an empty board.
//! All of them are written down before the game: for each of king, queen, rook, bishop and knight on
//! each of 64 squares (colour does not matter), and for the pawns of each side on 48 squares. To
//! generate, scan each ray of the piece until it ends or meets somebody.
//!
//! That makes 416 heads, 1,860 rays and 3,948 targets. Laramée's estimate is "a few dozen kilobytes",
//! and his promise a simple, mostly linear lookup that needs virtually no computation. With fields
//! just wide enough the database takes 10,776 bytes, with a 32-bit word for each it takes 34,000; the
//! two are one generic, so that the price of width alone can be measured.
//!
//! What it costs: two branches per empty square (occupied? end of the ray?) and one per ray; two
//! loads per square, the target and the piece on it, neither on the carried chain as long as the
//! branches are predicted. No arithmetic on squares, no edge.
//!
//! A pawn's first ray is its push, one or two squares long and for quiet moves only; the others are
//! its one or two captures. So pawns are rays like all the rest, and the rank only decides, once per
//! pawn, whether a move is written once or as four promotions.

mod database;
mod walk;

pub use database::{Bytes, Database, HEADS, RAYS, Record, RecordOf, TARGETS, Width, Words};
use raywalk_core::square_board::Board8x8;
use raywalk_core::{Card, Control, Feature, Generator, Legality, Move, MoveList, Stage};
use walk::Walk;

/// The database in fields just wide enough.
pub type GouletBytes = Goulet<Bytes>;
/// The database in 32-bit words.
pub type GouletWords = Goulet<Words>;

raywalk_core::entries!(GouletBytes, GouletWords);

/// The ray database, generic over the width of its fields.
pub struct Goulet<W: Width>(Database<W>);

const CARD: Card = Card {
    id: "goulet/bytes",
    name: "Goulet ray database, bytes",
    author: "Jean Goulet",
    year: Some(1984),
    source: "F. D. Laramée, Chess Programming Part II: Data Structures, GameDev (June 2000), after \
             Jean Goulet, Data Structures for Chess (McGill 1984)",
    control: Control::Branchy,
    legality: Legality::Pseudo,
    published_bytes: None,
    needs: &[],
    reconstructed: "layout and order of the tables, pawns, promotion, castling, en passant and the \
                    split into stages: only a summary of the thesis is at hand",
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

    /// The entries in use, without those that round the tables up to powers of two.
    fn table_bytes(&self) -> usize {
        (HEADS + RAYS) * size_of::<RecordOf<W>>() + TARGETS * size_of::<W::Small>()
    }
}
