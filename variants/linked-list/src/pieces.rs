//! Legal moves from linked pieces: the links join the pieces of the board, not the nodes of a table.
//!
//! # Source
//! Not published elsewhere. That a removed element keeps its links and can be put back by them is *dancing links*
//! (Hirosi Hitotumatu and Kohei Noshita, 1979; Donald Knuth, 2000). Tables of the differences between squares are
//! those of programs on 0x88 boards in the 1990s.
//!
//! # Layout
//! The lists of this crate lead a piece over the empty squares to the first blocker. Here the blocker is known before
//! the walk: each piece has a word with eight bytes, the cells of the nearest pieces, or of the edge, in the eight
//! directions. The board has 10x12 cells, so a difference of two cells has one meaning: a direction and a number of
//! steps, a leap, or none. A table of 1,536 bytes gives it. Another one, of 4,096 bytes, has the cells of each ray, and
//! one of 240 bytes the square of each cell.
//!
//! Make and unmake keep the words up to date. A piece that leaves links its neighbours with each other, eight
//! bytes. One that captures takes over the word of the captured piece. One that comes to an empty square walks
//! the eight rays, which is the only walk over empty squares that is left when moves are counted. Unmake walks nothing.
//!
//! # Checks, pins and attacks
//! The links of the king lead to the pieces that may give check. The links of these, in the same direction, lead to
//! those that may pin. Whether an enemy slider attacks a square beside the king is found from the slider: the
//! difference tells the direction, and the link in this direction whether anything stands before the square. The king
//! itself does not count as a blocker.
//!
//! # Counting
//! The difference of the two links of a piece on one line tells how many squares of it are free, in one look-up for two
//! rays. The codes of the neighbours have a bit for an enemy's piece, and the sum of these bits is the number of
//! captures. Sliders, knights and pawns are counted without a branch on the contents of a square. All pieces are
//! counted as free ones; for a pinned one the difference is added. The squares around the king are tested one by one,
//! and against a check the moves are found one by one.
//!
//! # Cost
//! The words change with each move, so make and unmake do more than those of other boards. In bulk perft, where each
//! position is made once and counted once, they take more than half as long as the counts.

mod board;
mod code;
mod count;
mod legal;
mod moves;
mod safety;
mod tables;

pub use board::LinkedPieces;
pub use legal::Legal;
