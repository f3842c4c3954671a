//! The number of legal moves, without a list and nearly without a walk.
//!
//! The links of a piece to both sides of a line say how many squares of the line are free: a look-up by the
//! difference of both cells. The codes of the neighbours are added, and the sum of their bits is the number of
//! captures. All pieces are counted as if they were free to move; then each pinned one is counted again,
//! taken off, and replaced by its moves along the line of the pin.

use raywalk_core::{All, Board, Kind, Move, Square};

use super::board::{LinkedPieces, Links, link};
use super::code;
use super::moves::{Sink, castling, moves, passes};
use super::safety::{Safety, Side};
use super::tables::{DIFFERENCES, LEAPS, Rays, STEPS, cell, is_diagonal};

/// Counts moves and stores none.
#[derive(Default)]
struct Counter(u64);

impl Sink for Counter {
    #[inline(always)]
    fn one(&mut self, _: Move) {
        self.0 += 1;
    }

    #[inline(always)]
    fn promotions(&mut self, _: u8, _: u8) {
        self.0 += Kind::PROMOTIONS.len() as u64;
    }
}

/// The axes of the sliders, as ranges of directions.
const STRAIGHT: [usize; 2] = [0, 1];
const DIAGONAL: [usize; 2] = [2, 3];
const ALL: [usize; 4] = [0, 1, 2, 3];

/// The squares on one axis of a piece that are free on both sides.
#[inline(always)]
fn free(links: Links, axis: usize) -> u32 {
    let length = link(links, axis).wrapping_sub(link(links, axis + 4));
    u32::from(DIFFERENCES.free[usize::from(length)])
}

/// The moves of a free slider.
#[inline(always)]
fn slider<D: Side>(board: &LinkedPieces, from: u8, axes: &[usize]) -> u32 {
    let links = board.links(from);
    let (mut moves, mut taken) = (0, 0);
    for &axis in axes {
        moves += free(links, axis);
        for direction in [axis, axis + 4] {
            taken += u32::from(board.code(link(links, direction)) & D::TAKES);
        }
    }
    moves + taken / u32::from(D::TAKES)
}

/// The moves of a free knight.
#[inline(always)]
fn knight<D: Side>(board: &LinkedPieces, from: u8) -> u32 {
    let blocks = |leap| u32::from(board.code(from.wrapping_add_signed(leap)) & D::BLOCKS);
    let blocked: u32 = LEAPS.into_iter().map(blocks).sum();
    LEAPS.len() as u32 - (blocked >> D::BLOCKS_BIT)
}

/// The pushes of a pawn that no pin ties to another line, promotions counted once.
#[inline(always)]
fn pushes<D: Side>(board: &LinkedPieces, from: u8) -> u32 {
    let once = from.wrapping_add_signed(D::AHEAD);
    let twice = once.wrapping_add_signed(D::AHEAD);
    let free = board.code(once) == code::EMPTY;
    let double = D::on_rank(from, D::START) & (board.code(twice) == code::EMPTY);
    u32::from(free) + u32::from(free & double)
}

/// The moves of a free pawn.
#[inline(always)]
fn pawn<D: Side>(board: &LinkedPieces, from: u8) -> u32 {
    let takes = |side| u32::from(board.code(from.wrapping_add_signed(D::AHEAD + side)) & D::TAKES);
    let moves = pushes::<D>(board, from) + (takes(-1) + takes(1)) / u32::from(D::TAKES);
    times::<D>(from, moves)
}

/// Four times as many moves if the pawn promotes.
#[inline(always)]
fn times<D: Side>(from: u8, moves: u32) -> u32 {
    moves << (2 * u32::from(D::on_rank(from, D::LAST_BUT_ONE)))
}

/// What has to be added to the moves of a piece as a free one if it is pinned.
#[cold]
#[inline(never)]
fn pinned<D: Side>(board: &LinkedPieces, direction: usize, from: u8) -> u32 {
    let links = board.links(from);
    let axis = direction & 3;
    let along = free(links, axis) + 1; // with the capture of the pinning piece
    let slide = |slides: bool| if slides { along } else { 0 };
    let (moves, free) = match code::kind(board.code(from)) {
        Kind::Pawn => {
            let step = STEPS[direction & 7];
            let ahead = if step == D::AHEAD || step == -D::AHEAD {
                pushes::<D>(board, from)
            } else {
                let takes = step == D::AHEAD - 1 || step == D::AHEAD + 1;
                let next = from.wrapping_add_signed(step) == link(links, direction);
                u32::from(takes && next)
            };
            (times::<D>(from, ahead), pawn::<D>(board, from))
        }
        Kind::Knight => (0, knight::<D>(board, from)),
        Kind::Bishop => (slide(is_diagonal(axis as u8)), slider::<D>(board, from, &DIAGONAL)),
        Kind::Rook => (slide(!is_diagonal(axis as u8)), slider::<D>(board, from, &STRAIGHT)),
        Kind::Queen => (along, slider::<D>(board, from, &ALL)),
        Kind::King => (0, 0),
    };
    moves.wrapping_sub(free)
}

/// The number of legal moves.
#[inline(always)]
pub(crate) fn count<D: Side>(rays: &Rays, board: &LinkedPieces) -> u64 {
    let safety = Safety::of::<D>(board);
    if safety.in_check() {
        return Counter::evasions::<D>(rays, board);
    }
    let mut moves = 0u32;
    for &from in board.cells(D::OWN, Kind::Pawn) {
        moves += pawn::<D>(board, from);
    }
    for &from in board.cells(D::OWN, Kind::Knight) {
        moves += knight::<D>(board, from);
    }
    for &from in board.cells(D::OWN, Kind::Bishop) {
        moves += slider::<D>(board, from, &DIAGONAL);
    }
    for &from in board.cells(D::OWN, Kind::Rook) {
        moves += slider::<D>(board, from, &STRAIGHT);
    }
    for &from in board.cells(D::OWN, Kind::Queen) {
        moves += slider::<D>(board, from, &ALL);
    }
    let mut pins = safety.pins;
    while pins != 0 {
        let direction = pins.trailing_zeros() as usize & 7;
        pins &= pins - 1;
        moves = moves.wrapping_add(pinned::<D>(board, direction, link(safety.around, direction)));
    }
    let mut safe = 0;
    let mut exits = safety.exits::<D>(board);
    while exits != 0 {
        let direction = exits.trailing_zeros() & 7;
        exits &= exits - 1;
        let to = safety.king.wrapping_add_signed(STEPS[direction as usize]);
        let enters = u32::from(!safety.attacked::<D>(board, to));
        safe |= enters << direction;
        moves += enters;
    }
    let mut rare = Counter(u64::from(moves));
    castling::<D>(board, &safety, safe, &mut rare);
    if let Some(passed) = board.state().en_passant {
        rare.0 += en_passant::<D>(board, &safety, passed);
    }
    rare.0
}

/// The number of en passant captures.
#[inline(always)]
fn en_passant<D: Side>(board: &LinkedPieces, safety: &Safety, passed: Square) -> u64 {
    let to = cell(passed);
    let able = |side| passes::<D>(board, safety, to.wrapping_add_signed(-D::AHEAD + side), to);
    u64::from(able(-1)) + u64::from(able(1))
}

impl Counter {
    /// The number of moves against a check. Not in the way of the usual count.
    #[cold]
    #[inline(never)]
    fn evasions<D: Side>(rays: &Rays, board: &LinkedPieces) -> u64 {
        let mut counter = Counter::default();
        moves::<All, D>(rays, board, &mut counter);
        counter.0
    }
}
