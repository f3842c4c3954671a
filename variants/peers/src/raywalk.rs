//! What Raywalk calls: `docs/plugin/raywalk.h` for any [`Peer`].

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;

/// Moves that a list has room for. No legal position has more, pseudo-legal ones included.
const LIST_MOVES: usize = 256;
/// Bytes of the text of a move, with its final zero.
const TEXT_BYTES: usize = 8;

/// Whether a piece of White, or else of Black, attacks a square. Squares count from a1 = 0 to h8 = 63.
pub type Attacked<Board> = fn(&Board, u32, bool) -> bool;

/// A library that generates moves, with its own board and its own moves.
///
/// Boards are copied byte by byte and never dropped, so they own nothing outside themselves.
pub trait Peer: 'static {
    /// Id, name, author, source and legality, as Raywalk lists them.
    const CARD: Card;
    /// How its users count leaves, if the library says so: without making those of the last ply.
    const PERFT: Option<fn(&Self::Board, u32) -> u64> = None;
    /// The fastest way to make the move of every leaf, if it needs no list of moves.
    const PERFT_MADE: Option<fn(&Self::Board, u32) -> u64> = None;
    /// How the library is asked whether a square is attacked, if it can be asked.
    const ATTACKED: Option<Attacked<Self::Board>> = None;
    /// The library's own board, which is copied byte by byte.
    type Board;
    /// The library's own move, as its lists hold it.
    type Move: Copy;
    /// State that taking a move back restores.
    type Undo;

    /// The board of a FEN; `None` if the library cannot read it.
    fn from_fen(fen: &str) -> Option<Self::Board>;

    /// Writes the moves of a stage.
    fn generate(stage: Stage, board: &Self::Board, list: &mut List<Self::Move>);

    /// A generated move in coordinate notation.
    fn to_uci(board: &Self::Board, mv: Self::Move) -> Uci;

    /// The move that a text means.
    fn from_uci(board: &Self::Board, text: &str) -> Option<Self::Move>;

    /// Makes a move, and tells whether it leaves the own king safe.
    fn make(board: &mut Self::Board, mv: Self::Move) -> (bool, Self::Undo);

    /// Takes back the move that gave `undo`.
    fn unmake(board: &mut Self::Board, mv: Self::Move, undo: &Self::Undo);
}

/// A move in coordinate notation. Raywalk reads that of every move it checks, millions in a session, and the libraries'
/// own texts took a tenth of its time.
pub struct Uci {
    /// Squares from a1 = 0 to h8 = 63.
    pub from: usize,
    /// That of the king in castling.
    pub to: usize,
    /// Letter of the new piece of a pawn.
    pub promotion: Option<u8>,
}

impl Uci {
    /// The text, such as `e7e8q`, with a zero at its end.
    pub fn text(&self) -> [u8; TEXT_BYTES] {
        let file = |square: usize| b'a' + square as u8 % 8;
        let rank = |square: usize| b'1' + square as u8 / 8;
        let [from, to] = [self.from, self.to];
        let mut text = [0; TEXT_BYTES];
        text[..4].copy_from_slice(&[file(from), rank(from), file(to), rank(to)]);
        text[4] = self.promotion.unwrap_or(0);
        text
    }
}

/// Facts about a peer. Texts end with a zero.
pub struct Card {
    pub id: &'static CStr,
    pub name: &'static CStr,
    pub author: &'static CStr,
    pub source: &'static CStr,
    pub legality: Legality,
}

/// Which moves a peer generates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Legality {
    #[cfg(feature = "others")]
    Pseudo = 0,
    Legal = 1,
}

/// `RAYWALK_MIXED`, for every peer: the attack sets of sliders come from a table without a branch, and loops over
/// pieces and targets write the moves. The tables are in `src/moves.rs` of cozy-chess, `src/magic.rs` of chess and
/// `src/attack.rs` of owlchess; the loops are in `src/board/movegen/mod.rs`, `src/movegen/` and `src/movegen.rs`.
const MIXED: u32 = 2;

/// Which moves to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    All,
    Captures,
    Quiets,
}

/// A list of [`LIST_MOVES`] moves that Raywalk allocated.
pub struct List<M> {
    moves: *mut M,
    len: usize,
}

impl<M: Copy> List<M> {
    /// Appends a move. The bound is not tested, because this is part of the timed call.
    ///
    /// # Safety
    /// The list has fewer than [`LIST_MOVES`] moves.
    #[inline(always)]
    pub unsafe fn push(&mut self, mv: M) {
        debug_assert!(self.len < LIST_MOVES);
        // SAFETY: the list has room for `LIST_MOVES` moves, and the caller vouches for one more place.
        unsafe { self.moves.add(self.len).write(mv) };
        self.len += 1;
    }

    /// The moves that a function writes.
    #[cfg(test)]
    pub fn collect(write: impl FnOnce(&mut List<M>)) -> Vec<M> {
        let mut moves: Vec<M> = Vec::with_capacity(LIST_MOVES);
        let mut list = List { moves: moves.as_mut_ptr(), len: 0 };
        write(&mut list);
        let len = list.len;
        // SAFETY: as many were written.
        unsafe { moves.set_len(len) };
        moves
    }

    /// The moves that were written so far.
    #[cfg(feature = "others")]
    #[inline(always)]
    pub fn moves(&self) -> &[M] {
        // SAFETY: as many were written.
        unsafe { std::slice::from_raw_parts(self.moves, self.len) }
    }

    /// Puts the last move in the place of this one, which goes.
    #[cfg(feature = "others")]
    pub fn swap_remove(&mut self, place: usize) {
        let last = self.moves()[self.len - 1];
        assert!(place < self.len, "a move of the list");
        // SAFETY: a move of the list.
        unsafe { self.moves.add(place).write(last) };
        self.len -= 1;
    }
}

/// The structure `raywalk_design` of `raywalk.h`.
#[repr(C)]
pub struct Design {
    /// Id, name, author and source.
    texts: [*const c_char; 4],
    year: u32,
    control: u32,
    legality: u32,
    /// Bytes and alignment of a board, bytes of a move and of an undo record, and moves of a list.
    sizes: [u32; 5],
    build: unsafe extern "C" fn(*mut *mut c_void, *mut u64) -> *const c_char,
    load: unsafe extern "C" fn(*const c_void, *mut c_void, *const c_char) -> c_int,
    generate: [unsafe extern "C" fn(*const c_void, *const c_void, *mut c_void) -> u32; 3],
    to_uci: unsafe extern "C" fn(*const c_void, *const c_void, *const c_void, *mut c_char),
    from_uci:
        unsafe extern "C" fn(*const c_void, *const c_void, *const c_char, *mut c_void) -> c_int,
    make: unsafe extern "C" fn(*const c_void, *mut c_void, *const c_void, *mut c_void) -> c_int,
    unmake: unsafe extern "C" fn(*const c_void, *mut c_void, *const c_void, *const c_void),
    perft: Option<unsafe extern "C" fn(*const c_void, *mut c_void, u32) -> u64>,
    attacked: Option<unsafe extern "C" fn(*const c_void, *const c_void, u32, c_int) -> c_int>,
    perft_made: Option<unsafe extern "C" fn(*const c_void, *mut c_void, u32) -> u64>,
}

// SAFETY: it points to constants.
unsafe impl Sync for Design {}

impl Design {
    /// The table of a peer.
    pub const fn of<P: Peer>() -> Design {
        Design {
            texts: [
                P::CARD.id.as_ptr(),
                P::CARD.name.as_ptr(),
                P::CARD.author.as_ptr(),
                P::CARD.source.as_ptr(),
            ],
            year: 0,
            control: MIXED,
            legality: P::CARD.legality as u32,
            sizes: [
                size_of::<P::Board>() as u32,
                align_of::<P::Board>() as u32,
                size_of::<P::Move>() as u32,
                size_of::<P::Undo>() as u32,
                LIST_MOVES as u32,
            ],
            build,
            load: load::<P>,
            generate: [all::<P>, captures::<P>, quiets::<P>],
            to_uci: to_uci::<P>,
            from_uci: from_uci::<P>,
            make: make::<P>,
            unmake: unmake::<P>,
            perft: match P::PERFT {
                Some(_) => Some(perft::<P, false>),
                None => None,
            },
            attacked: match P::ATTACKED {
                Some(_) => Some(attacked::<P>),
                None => None,
            },
            perft_made: match P::PERFT_MADE {
                Some(_) => Some(perft::<P, true>),
                None => None,
            },
        }
    }
}

/// The tables of all peers are constants of the library, whose size is not known here.
unsafe extern "C" fn build(tables: *mut *mut c_void, table_bytes: *mut u64) -> *const c_char {
    // SAFETY: Raywalk passes two valid addresses.
    unsafe {
        *tables = ptr::null_mut();
        *table_bytes = 0;
    }
    ptr::null()
}

unsafe extern "C" fn load<P: Peer>(
    _: *const c_void,
    board: *mut c_void,
    fen: *const c_char,
) -> c_int {
    // SAFETY: a text that ends with a zero.
    let fen = unsafe { CStr::from_ptr(fen) };
    let Some(set_up) = fen.to_str().ok().and_then(P::from_fen) else { return 0 };
    // SAFETY: memory for a board.
    unsafe { board.cast::<P::Board>().write(set_up) };
    1
}

/// # Safety
/// A board that was set up, and memory for a list.
#[inline(always)]
unsafe fn generate<P: Peer>(stage: Stage, board: *const c_void, list: *mut c_void) -> u32 {
    let mut list = List { moves: list.cast::<P::Move>(), len: 0 };
    // SAFETY: a board that was set up.
    P::generate(stage, unsafe { &*board.cast::<P::Board>() }, &mut list);
    list.len as u32
}

unsafe extern "C" fn all<P: Peer>(
    _: *const c_void,
    board: *const c_void,
    list: *mut c_void,
) -> u32 {
    // SAFETY: what Raywalk promises.
    unsafe { generate::<P>(Stage::All, board, list) }
}

unsafe extern "C" fn captures<P: Peer>(
    _: *const c_void,
    board: *const c_void,
    list: *mut c_void,
) -> u32 {
    // SAFETY: what Raywalk promises.
    unsafe { generate::<P>(Stage::Captures, board, list) }
}

unsafe extern "C" fn quiets<P: Peer>(
    _: *const c_void,
    board: *const c_void,
    list: *mut c_void,
) -> u32 {
    // SAFETY: what Raywalk promises.
    unsafe { generate::<P>(Stage::Quiets, board, list) }
}

unsafe extern "C" fn to_uci<P: Peer>(
    _: *const c_void,
    board: *const c_void,
    mv: *const c_void,
    text: *mut c_char,
) {
    // SAFETY: a board that was set up, a move that was generated for it, and room for eight bytes.
    unsafe {
        let uci = P::to_uci(&*board.cast(), *mv.cast());
        text.cast::<[u8; TEXT_BYTES]>().write(uci.text());
    }
}

unsafe extern "C" fn from_uci<P: Peer>(
    _: *const c_void,
    board: *const c_void,
    text: *const c_char,
    mv: *mut c_void,
) -> c_int {
    // SAFETY: a board that was set up, and a text that ends with a zero.
    let (board, text) = unsafe { (&*board.cast::<P::Board>(), CStr::from_ptr(text)) };
    let found = text.to_str().ok().and_then(|text| P::from_uci(board, text));
    let Some(found) = found else { return 0 };
    // SAFETY: memory for a move.
    unsafe { mv.cast::<P::Move>().write(found) };
    1
}

unsafe extern "C" fn make<P: Peer>(
    _: *const c_void,
    board: *mut c_void,
    mv: *const c_void,
    undo: *mut c_void,
) -> c_int {
    // SAFETY: a board that was set up, a move of it, and memory for an undo record.
    unsafe {
        let (is_legal, record) = P::make(&mut *board.cast(), *mv.cast());
        undo.cast::<P::Undo>().write(record);
        c_int::from(is_legal)
    }
}

unsafe extern "C" fn unmake<P: Peer>(
    _: *const c_void,
    board: *mut c_void,
    mv: *const c_void,
    undo: *const c_void,
) {
    // SAFETY: a board, and the move and record of the last make.
    unsafe { P::unmake(&mut *board.cast(), *mv.cast(), &*undo.cast()) }
}

unsafe extern "C" fn perft<P: Peer, const MADE: bool>(
    _: *const c_void,
    board: *mut c_void,
    depth: u32,
) -> u64 {
    // SAFETY: a board that was set up.
    let board = unsafe { &*board.cast::<P::Board>() };
    // A table has this function only if there is one.
    let own = if MADE { P::PERFT_MADE } else { P::PERFT };
    own.map_or(0, |perft| perft(board, depth))
}

unsafe extern "C" fn attacked<P: Peer>(
    _: *const c_void,
    board: *const c_void,
    square: u32,
    by_white: c_int,
) -> c_int {
    // SAFETY: a board that was set up.
    let board = unsafe { &*board.cast::<P::Board>() };
    // A table has this function only if there is one.
    c_int::from(P::ATTACKED.is_some_and(|attacked| attacked(board, square, by_white != 0)))
}
