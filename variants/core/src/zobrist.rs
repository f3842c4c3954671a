//! Zobrist keys: a word per position that a move changes by a few exclusive ors.
//!
//! No generator needs them. They are here because an incremental key is the sharpest self-check of
//! make and unmake, and because a perft that remembers positions needs one. [`Hashed`] keeps the key
//! beside any board, so that boards themselves carry nothing that only some callers want.
//!
//! # Source
//! A. L. Zobrist, *A New Hashing Method with Application for Game Playing*, Technical Report 88,
//! University of Wisconsin, 1970.

use crate::{Board, Castling, Color, Kind, Move, MoveKind, Piece, Position, Square, State, Undo};

/// A word that stands for pieces, side to move, castling rights and en passant file. Equal positions
/// have equal keys; different ones share a key once in 2^64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(pub u64);

struct Words {
    pieces: [[[u64; 64]; 6]; 2],
    rights: [u64; 16],
    en_passant: [u64; 8],
    black: u64,
}

/// Splitmix64 from a fixed seed: the same keys in every build.
static WORDS: Words = {
    let mut state = 0x5259_5741_4c4b_0001;
    let mut words =
        Words { pieces: [[[0; 64]; 6]; 2], rights: [0; 16], en_passant: [0; 8], black: 0 };
    let mut n = 0;
    while n < 2 * 6 * 64 {
        words.pieces[n / 384][n / 64 % 6][n % 64] = next(&mut state);
        n += 1;
    }
    n = 0;
    while n < 16 {
        words.rights[n] = next(&mut state);
        n += 1;
    }
    n = 0;
    while n < 8 {
        words.en_passant[n] = next(&mut state);
        n += 1;
    }
    words.black = next(&mut state);
    words
};

const fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[inline]
fn word_of(piece: Piece, square: Square) -> u64 {
    WORDS.pieces[piece.color.index()][piece.kind.index()][square.index()]
}

#[inline]
fn state(state: State) -> u64 {
    let side = if state.side == Color::Black { WORDS.black } else { 0 };
    let passed = state.en_passant.map_or(0, |square| WORDS.en_passant[usize::from(square.file())]);
    side ^ WORDS.rights[usize::from(state.rights.bits() & 15)] ^ passed
}

impl Key {
    /// The key from scratch.
    pub fn of(position: &Position) -> Key {
        let pieces = position.pieces().fold(0, |key, (square, piece)| key ^ word_of(piece, square));
        Key(pieces ^ state(position.state()))
    }

    /// The key after a move: `moved` is the piece that stood on the origin, `undo` what the move
    /// destroyed, `after` the state it led to.
    #[inline]
    #[must_use]
    pub fn after(self, mv: Move, moved: Piece, undo: &Undo, after: State) -> Key {
        let (from, to) = (mv.from(), mv.to());
        let placed = mv.promoted().map_or(moved, |kind| Piece::new(moved.color, kind));
        let mut key =
            self.0 ^ state(undo.state) ^ state(after) ^ word_of(moved, from) ^ word_of(placed, to);
        if let Some(captured) = undo.captured {
            let victim = match mv.kind() {
                MoveKind::EnPassant => Square::new(to.file(), from.rank()),
                _ => to,
            };
            key ^= word_of(captured, victim);
        }
        if mv.kind() == MoveKind::Castle {
            let castling = Castling::landing_on(to);
            let rook = Piece::new(moved.color, Kind::Rook);
            key ^= word_of(rook, castling.rook_from) ^ word_of(rook, castling.rook_to);
        }
        Key(key)
    }
}

/// A board with its key, kept up to date together.
#[derive(Clone)]
pub struct Hashed<B> {
    board: B,
    key: Key,
}

impl<B: Board> Hashed<B> {
    /// The board of a position, with the key from scratch.
    pub fn new(position: &Position) -> Hashed<B> {
        Hashed { board: B::new(position), key: Key::of(position) }
    }

    /// The board.
    pub fn board(&self) -> &B {
        &self.board
    }

    /// The key.
    pub fn key(&self) -> Key {
        self.key
    }

    /// Plays a pseudo-legal move; returns what [`unmake`](Hashed::unmake) needs.
    #[inline]
    pub fn make(&mut self, mv: Move) -> (Undo, Key) {
        let before = self.key;
        let moved = self.board.piece_at(mv.from());
        let undo = self.board.make(mv);
        if let Some(moved) = moved {
            self.key = before.after(mv, moved, &undo, self.board.state());
        }
        (undo, before)
    }

    /// Takes the last move back.
    #[inline]
    pub fn unmake(&mut self, mv: Move, (undo, before): (Undo, Key)) {
        self.board.unmake(mv, undo);
        self.key = before;
    }
}
