//! Perft by copies: all boards behind a position are written at once, and the leaves are made, or counted in bulk.
//!
//! **Source.** Ours. The fills are Steffan Westcott's and the pins are Gerd Isenberg's, as in the lists of the same
//! designs. Colour as a constant is the method of Gigantua (Daniel Infuehr, 2021).
//!
//! **Method.** A `Register` holds a board in 64 bytes, so that a copy is one store, or two. Nothing is taken back.
//! `children.rs` writes the boards behind all moves piece by piece, without a list of moves: the lanes that change are
//! those of the piece, so a target costs one vector instruction and the store. Each function exists once for White and
//! once for Black, and that which counts leaves in bulk once for each set of castling rights of the colour that moves
//! last.
//!
//! *Leaves in bulk.* The last node that has moves writes no boards, but a list: `siblings.rs` counts the moves behind
//! eight of them at once, or four, with one board in each lane. The boards behind promotions, castling and en passant
//! are counted alone, as the root of a perft of depth 1 is. With AVX-512, `leaf.rs` does so direction by direction:
//! each lane has the targets of one direction, in which every target belongs to one piece, so the number of moves is
//! the number of bits. Without AVX-512, the moves of each piece are counted as in its list. The sums stay in lanes
//! until the end of the perft.
//!
//! *Keys.* A walk may keep a key with each board that it writes; see `keys.rs`.
//!
//! *Leaves made.* The boards behind all moves of the last ply are written, and no move is counted otherwise.
//!
//! **Cost.** The root is copied into a register once per perft, as any perft by copies copies its board.

mod children;
#[allow(unsafe_code, reason = "children are written into room without a value")]
mod keys;
mod register;
mod siblings;
mod walk;

pub(crate) mod eight_lanes;
pub(crate) mod two_halves;

pub(crate) use keys::NoKeys;
