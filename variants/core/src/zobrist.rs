//! Zobrist keys: 64-bit hashes of positions that a move updates with a few exclusive ors.
//!
//! No generator reads them. The conformance kit compares incremental keys with keys from scratch,
//! which is a strict test of make and unmake, and perft with a hash table looks positions up by
//! key. [`Hashed`] pairs a board with its key, so that the boards themselves do not store one.
//!
//! # Source
//! A. L. Zobrist, *A New Hashing Method with Application for Game Playing*, Technical Report 88,
//! University of Wisconsin, 1970.

use crate::random::SplitMix;
use crate::{Board, Castling, Color, Kind, Move, MoveKind, Piece, Position, Square, State, Undo};

/// A hash of pieces, side to move, castling rights and en passant file; move counters are left out.
/// Two different positions share a key with a probability of 2^-64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(pub u64);

/// One random word per feature of a position; a key is the exclusive or of the words that apply.
struct Words {
    /// By colour, kind and square.
    pieces: [[[u64; 64]; 6]; 2],
    /// By the castling rights of both sides, as [`CastlingRights::bits`](crate::CastlingRights::bits).
    rights: [u64; 16],
    /// By the file of the square that a pawn has just passed over.
    en_passant: [u64; 8],
    /// Applies if Black is to move.
    black: u64,
}

// A fixed seed gives the same keys in every build.
static WORDS: Words = {
    let mut random = SplitMix(0x5259_5741_4c4b_0001); // "RYWALK" in ASCII, then 1
    let mut words =
        Words { pieces: [[[0; 64]; 6]; 2], rights: [0; 16], en_passant: [0; 8], black: 0 };
    let mut n = 0;
    while n < 2 * 6 * 64 {
        words.pieces[n / 384][n / 64 % 6][n % 64] = random.word();
        n += 1;
    }
    n = 0;
    while n < 16 {
        words.rights[n] = random.word();
        n += 1;
    }
    n = 0;
    while n < 8 {
        words.en_passant[n] = random.word();
        n += 1;
    }
    words.black = random.word();
    words
};

#[inline]
fn word_of(piece: Piece, square: Square) -> u64 {
    WORDS.pieces[piece.color.index()][piece.kind.index()][square.index()]
}

#[inline]
fn word_of_state(state: State) -> u64 {
    let side = if state.side == Color::Black { WORDS.black } else { 0 };
    let passed = state.en_passant.map_or(0, |square| WORDS.en_passant[usize::from(square.file())]);
    side ^ WORDS.rights[usize::from(state.rights.bits() & 15)] ^ passed
}

impl Key {
    /// The key of a position, computed from scratch.
    pub fn of(position: &Position) -> Key {
        let pieces = position.pieces().fold(0, |key, (square, piece)| key ^ word_of(piece, square));
        Key(pieces ^ word_of_state(position.state()))
    }

    /// The contribution of a piece on a square, for boards that keep keys of their own.
    pub fn of_piece(piece: Piece, square: Square) -> Key {
        Key(word_of(piece, square))
    }

    /// The contribution of all that is not a piece: the side to move, castling rights and the en passant file.
    pub fn of_state(state: State) -> Key {
        Key(word_of_state(state))
    }

    /// The key after `mv`: `moved` is the piece that stood on the origin, `undo` is what
    /// [`Board::make`] returned, and `after` is the state after the move.
    #[inline]
    #[must_use]
    fn after(self, mv: Move, moved: Piece, undo: &Undo, after: State) -> Key {
        let (from, to) = (mv.from(), mv.to());
        let placed = mv.promoted().map_or(moved, |kind| Piece::new(moved.color, kind));
        let mut key = self.0
            ^ word_of_state(undo.state)
            ^ word_of_state(after)
            ^ word_of(moved, from)
            ^ word_of(placed, to);
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

/// A board together with its key; make and unmake keep both up to date.
#[derive(Clone)]
pub struct Hashed<B> {
    board: B,
    key: Key,
}

impl<B: Board> Hashed<B> {
    /// The board of a position and its key from scratch.
    pub fn new(position: &Position) -> Hashed<B> {
        Hashed { board: B::new(position), key: Key::of(position) }
    }

    /// The board without its key.
    pub fn board(&self) -> &B {
        &self.board
    }

    /// The key of the current position.
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

    /// Takes back the last move and restores the key.
    #[inline]
    pub fn unmake(&mut self, mv: Move, (undo, before): (Undo, Key)) {
        self.board.unmake(mv, undo);
        self.key = before;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The outputs of `splitmix64.c` by S. Vigna from a seed, written from the reference and not with [`SplitMix`].
    fn reference_words(seed: u64) -> impl Iterator<Item = u64> {
        std::iter::successors(Some(seed), |&state| Some(state.wrapping_add(0x9e37_79b9_7f4a_7c15)))
            .skip(1)
            .map(|state| {
                let word = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                word ^ (word >> 31)
            })
    }

    /// The key as the module describes it, from the fields of a FEN and with no code of the module: the words are in
    /// the order of colour, kind and square, then rights, files and Black.
    fn naive_key(fen: &str) -> u64 {
        let words: Vec<u64> =
            reference_words(0x5259_5741_4c4b_0001).take(768 + 16 + 8 + 1).collect();
        let fields: Vec<&str> = fen.split(' ').collect();
        let mut key = 0;
        for (row, rank) in fields[0].split('/').zip((0..8).rev()) {
            let mut file = 0;
            for letter in row.chars() {
                if let Some(empty) = letter.to_digit(10) {
                    file += empty as usize;
                    continue;
                }
                let kind = "pnbrqk".find(letter.to_ascii_lowercase()).expect("a piece");
                let black = usize::from(letter.is_ascii_lowercase());
                key ^= words[384 * black + 64 * kind + 8 * rank + file];
                file += 1;
            }
        }
        if fields[1] == "b" {
            key ^= words[768 + 16 + 8];
        }
        let rights = "qkQK".char_indices().filter(|&(_, right)| fields[2].contains(right));
        key ^= words[768 + rights.map(|(n, _)| 1usize << n).sum::<usize>()];
        if let Some(file) = "abcdefgh".find(&fields[3][..1]) {
            key ^= words[768 + 16 + file];
        }
        key
    }

    #[test]
    fn a_key_is_the_exclusive_or_of_the_words_that_apply() {
        for fen in [
            Position::START,
            "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R w Qk - 0 1",
            "4k3/8/8/8/3pP3/8/8/4K2R b K e3 0 1",
            "8/7p/p5pb/4k3/P1pPn3/8/P5PP/1rB2RK1 b - d3 0 28",
        ] {
            assert_eq!(Key::of(&fen.parse().expect(fen)).0, naive_key(fen), "{fen}");
        }
    }

    #[test]
    fn the_keys_are_the_same_in_every_build() {
        for (fen, key) in [
            (Position::START, 0x71b4_4466_a5d4_659b),
            (
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 0 1",
                0xf166_3f39_be0b_87c6,
            ),
            ("8/7p/p5pb/4k3/P1pPn3/8/P5PP/1rB2RK1 b - d3 0 28", 0xee5b_162f_55b4_e1c7),
        ] {
            assert_eq!(Key::of(&fen.parse().expect(fen)).0, key, "{fen}");
        }
    }
}
