//! Zobrist keys of the boards of a walk.
//!
//! **Method.** The keys after all moves of a board differ from its own by three words each: that of the piece on its
//! origin, that of the same piece on its target, and that of whatever stands on the target, which is 0 for nothing. So
//! the board is turned into 64 [places](Words::standing) once, by masked moves of bytes, and a key is three look-ups of
//! places and three of words, without a branch.
//!
//! *Castling rights.* An unmoved king or rook has another word: that of the piece, combined with the change of the key
//! when its rights end. They end when a piece leaves or enters its square, so rights cost no instruction. Two rooks
//! that lose their rights in one move are an exception: each set of rights has a word of its own, and the change for
//! both is not that for one combined with that for the other.
//!
//! *En passant.* The file counts if a pawn of the side to move stands beside the pawn that has just passed, pinned or
//! not. Opening books in the format of PolyGlot have the same rule; cozy-chess counts the file of every double push.
//!
//! **Cost.** The places are written before checks and pins are found, so that they have reached the cache when they are
//! read. Words are looked up by scalars, because gathers of eight take longer; see `docs/design-notes.md`.

use std::arch::x86_64::*;
use std::hint::black_box;

use raywalk_core::{
    Bitboards, Board, Castling, Key, Kind, Move, MoveKind, Piece, Position, Square, State, opaque,
};

use crate::copy_make::keys::{Keys, Node};
use crate::copy_make::register::{Register, side};
use crate::cpu::{Vectors, with_vectors};
use crate::homes::HOMES;
use crate::sets::{FILE_A, FILE_H, LAST_RANKS};
use crate::sides::lowest;
use crate::squares::numbers;
use crate::zobrist::{
    BLACK, DIAGONAL, HOMES_OF_SET, KING, KNIGHT, PAWN, STRAIGHT, UNMOVED, Words, of_rights,
};

/// Keys made from these words.
#[derive(Clone, Copy)]
pub(crate) struct Zobrist<'a> {
    words: &'a Words,
    vectors: Vectors,
}

impl<'a> Zobrist<'a> {
    pub(crate) fn new(words: &'a Words, vectors: Vectors) -> Zobrist<'a> {
        Zobrist { words, vectors }
    }
}

/// A board whose moves have keys.
pub(crate) struct Parent<'a> {
    words: &'a Words,
    /// The key of the board with the other side to move and without a square of en passant.
    base: u64,
    /// For each square, the place of the word of what stands there.
    places: [u16; 64],
    /// For each square, the place of the first word of the piece that stands there.
    rows: [u16; 64],
    occupied: u64,
    homes: u64,
}

/// A piece whose moves have keys.
#[derive(Clone, Copy)]
pub(crate) struct Mover<'a> {
    /// The base without the piece.
    base: u64,
    /// The words of the piece.
    row: &'a [u64; 64],
}

impl<'a> Keys for Zobrist<'a> {
    type Key = u64;
    type Parent = Parent<'a>;
    type Mover = Mover<'a>;

    fn of(self, board: &Bitboards) -> u64 {
        Key::of(&without_idle_en_passant(board)).0
    }

    #[inline(always)]
    fn parent(self, node: &Node<u64>) -> Parent<'a> {
        with_vectors!(self.vectors, parent(self.words, node))
    }

    #[inline(always)]
    fn left(parent: &Parent<'a>, from: Square) -> Mover<'a> {
        let word = parent.words.standing(parent.places[from.index()].into());
        Mover { base: parent.base ^ word, row: parent.words.row(parent.rows[from.index()].into()) }
    }

    #[inline(always)]
    fn entered(parent: &Parent<'a>, mover: Mover<'a>, to: Square) -> u64 {
        let captured = parent.words.standing(parent.places[to.index()].into());
        mover.base ^ mover.row[to.index()] ^ captured
    }

    #[inline(always)]
    fn moved(parent: &Parent<'a>, from: Square, to: Square) -> u64 {
        let word = |place| parent.words.standing(place);
        // Opaque, so that the loop over moves does not become one over vectors of them, with gathers.
        let left = opaque(parent.places[from.index()].into());
        let entered = usize::from(parent.rows[from.index()]) + to.index();
        let captured = usize::from(parent.places[to.index()]);
        parent.base ^ word(left) ^ word(entered) ^ word(captured)
    }

    #[inline(always)]
    fn pushed(parent: &Parent<'a>, from: Square, to: Square, passed: u64) -> u64 {
        Self::moved(parent, from, to) ^ parent.words.passed(passed)
    }

    #[inline(always)]
    fn rarely_moved<const WHITE: bool>(parent: &Parent<'a>, mv: Move) -> u64 {
        let to = mv.to();
        let of = |kind, square| parent.words.piece(Piece::new(side::<WHITE>(), kind), square);
        let more = match mv.kind() {
            MoveKind::Promotion(kind) => of(Kind::Pawn, to) ^ of(kind, to),
            MoveKind::Castle => {
                let Castling { rook_from, rook_to, .. } = Castling::landing_on(to);
                of(Kind::Rook, rook_from) ^ of(Kind::Rook, rook_to)
            }
            MoveKind::EnPassant => {
                let victim = Piece::new(!side::<WHITE>(), Kind::Pawn);
                parent.words.piece(victim, Square::new(to.file(), mv.from().rank()))
            }
            MoveKind::Normal => 0,
        };
        Self::moved(parent, mv.from(), to) ^ more
    }

    #[inline(always)]
    fn complete(parent: &Parent<'a>, nodes: &mut [Node<u64>]) {
        // Files on which rooks of both sides have not moved.
        let facing = parent.homes & parent.homes >> 56;
        let meet = |file| facing & file != 0 && parent.occupied & file & !LAST_RANKS == 0;
        if meet(FILE_A) || meet(FILE_H) {
            complete_rooks(parent.homes, nodes);
        }
        // Otherwise the compiler could leave keys out.
        black_box(nodes);
    }
}

/// Corrects the key after the capture of an unmoved rook by an unmoved rook, in which the change of rights is that for
/// each of them, combined.
#[cold]
#[inline(never)]
fn complete_rooks(homes: u64, nodes: &mut [Node<u64>]) {
    for Node { board, key } in nodes {
        let ended = homes & !board.special;
        let [first, last] = [ended & 0xff, ended & !0xff];
        if first != 0 && last != 0 {
            *key ^= of_rights(homes)
                ^ of_rights(homes & !first)
                ^ of_rights(homes & !last)
                ^ of_rights(homes & !ended);
        }
    }
}

/// A position that has a square of en passant only if a pawn can capture there.
pub(super) fn without_idle_en_passant(board: &Bitboards) -> Position {
    let passed = Register::of(board).special & !HOMES;
    let en_passant = (passed != 0).then(|| lowest(passed));
    Position::trusted(*board.position().squares(), State { en_passant, ..board.state() })
}

/// A board, prepared for the keys after its moves.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
fn parent<'a>(words: &'a Words, node: &Node<u64>) -> Parent<'a> {
    let Node { board, key } = node;
    let homes = board.special & HOMES;
    let [low_rows, high_rows] = halves(codes(board)).map(|codes| _mm512_slli_epi16::<6>(codes));
    let [low, high] = halves(numbers());
    let [low_places, high_places] =
        [_mm512_or_si512(low_rows, low), _mm512_or_si512(high_rows, high)];
    let set = UNMOVED + HOMES_OF_SET * _pext_u64(homes, HOMES) as usize;
    let unmoved = |numbers| {
        let of_set = _mm512_and_si512(numbers, _mm512_set1_epi16(HOMES_OF_SET as i16 - 1));
        _mm512_or_si512(_mm512_set1_epi16(set as i16), of_set)
    };
    Parent {
        words,
        base: key ^ words.side() ^ words.passed(board.special & !HOMES),
        places: by_square([
            _mm512_mask_mov_epi16(low_places, homes as u32, unmoved(low)),
            _mm512_mask_mov_epi16(high_places, (homes >> 32) as u32, unmoved(high)),
        ]),
        rows: by_square([low_rows, high_rows]),
        occupied: board.colors[0] | board.colors[1],
        homes,
    }
}

/// The code of the piece on each square.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn codes(board: &Register) -> __m512i {
    let code = |code: u8| _mm512_set1_epi8(code.cast_signed());
    let codes = _mm512_maskz_mov_epi8(board.pawns, code(PAWN));
    let codes = _mm512_mask_mov_epi8(codes, board.knights, code(KNIGHT));
    let codes = _mm512_mask_mov_epi8(codes, board.kings, code(KING));
    let codes = _mm512_mask_mov_epi8(codes, board.diagonal, code(DIAGONAL));
    // A queen is in both sets of sliders.
    let codes = _mm512_mask_add_epi8(codes, board.straight, codes, code(STRAIGHT));
    let [_, black] = board.colors;
    _mm512_mask_add_epi8(codes, black, codes, code(BLACK))
}

/// Bytes as numbers of 16 bits, those of the lower and of the upper half of the board.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn halves(bytes: __m512i) -> [__m512i; 2] {
    [
        _mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes)),
        _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(bytes)),
    ]
}

/// A number of 16 bits for each square.
#[inline]
#[target_feature(enable = "avx512f")]
fn by_square([low, high]: [__m512i; 2]) -> [u16; 64] {
    let mut numbers = [0; 64];
    let room: *mut u16 = numbers.as_mut_ptr();
    // SAFETY: the array has the 128 bytes of two vectors, and the stores need no alignment.
    unsafe {
        _mm512_storeu_si512(room.cast(), low);
        _mm512_storeu_si512(room.add(32).cast(), high);
    }
    numbers
}
