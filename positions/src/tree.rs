//! Tree orders: the positions that a search visits, in the order of the visits.
//!
//! Neighbours in a tree differ by a move or two, and good move ordering visits a few kinds of
//! position many times. This is the order that a move generator in an engine processes, and it is
//! much easier to predict than a shuffled list of the same positions. Streams contain repeats.

use std::ops::ControlFlow;

use cozy_chess::Piece;

use crate::evaluation::{evaluate, value};
use crate::oracle::{self, Board, neutral_kind};
use crate::parallel::in_order;
use crate::quiescence::INFINITE;
use crate::random::move_code;
use crate::sample::Sample;

/// Part of an `ab4` stream: interior nodes, which generate all moves.
pub const INTERIOR: u8 = 0;
/// Part of an `ab4` stream: quiescence nodes, which generate captures.
pub const QUIESCENCE: u8 = 1;

/// Every 1024th position of `sp1` in game order is the root of a tree.
const ROOT_STEP: usize = 1024;
/// Depth of the alpha-beta search in plies, without quiescence.
const DEPTH: u32 = 4;
/// Positions recorded per root. The search unwinds once it has them.
const CAP: usize = 4096;
/// The value of a node that is mated.
const MATED: i32 = -30_000;

/// The roots of all trees: 64 of the 65,536 positions of `sp1`.
pub fn roots(sp1: &[Sample]) -> Vec<Sample> {
    sp1.iter().copied().step_by(ROOT_STEP).collect()
}

/// The index of the first position of each tree in a stream of the trees of these roots, in order.
///
/// Caches hold the streams without the ends of their trees. A tree begins with its root, and the search
/// for the next root starts behind the one before, so a boundary could only be wrong if a tree visited
/// the root of the next one. Clock and move number are compared as well, and a test compares the
/// lengths with those of searched trees.
///
/// # Errors
/// [`oracle::Refused`] if the oracle rejects a root.
pub fn beginnings(stream: &[Sample], roots: &[Sample]) -> Result<Vec<usize>, oracle::Refused> {
    let mut found = Vec::with_capacity(roots.len());
    let mut from = 0;
    for root in roots {
        let root = oracle::position(&oracle::board(&root.position)?);
        let Some(offset) = stream[from..].iter().position(|sample| sample.position == root) else {
            break;
        };
        found.push(from + offset);
        from += offset + 1;
    }
    Ok(found)
}

/// All positions within two plies of the roots, depth first, moves in ascending order of their
/// code.
///
/// # Errors
/// [`oracle::Refused`] if the oracle rejects a root.
pub fn perft3(roots: &[Sample]) -> Result<Vec<Sample>, oracle::Refused> {
    from_each(roots, |board| {
        let mut visited = Vec::new();
        walk(board, 3, &mut visited);
        visited
    })
}

/// The positions for which a fail-soft alpha-beta search of four plies with quiescence generates
/// moves, in order. Their part is [`INTERIOR`] or [`QUIESCENCE`].
///
/// # Errors
/// [`oracle::Refused`] if the oracle rejects a root.
pub fn ab4(roots: &[Sample]) -> Result<Vec<Sample>, oracle::Refused> {
    from_each(roots, |board| {
        let mut search = Search::default();
        search.interior(board, DEPTH, -INFINITE, INFINITE);
        search.visited
    })
}

/// Concatenates the trees of all roots; trees are searched on all cores.
fn from_each(
    roots: &[Sample],
    tree: impl Fn(&Board) -> Vec<Sample> + Sync,
) -> Result<Vec<Sample>, oracle::Refused> {
    let boards: Result<Vec<Board>, _> = roots.iter().map(|r| oracle::board(&r.position)).collect();
    let boards = boards?;
    let mut all = Vec::new();
    in_order(
        boards.len() as u64,
        |n| tree(&boards[n as usize]),
        |visited| {
            all.extend(visited);
            ControlFlow::Continue(())
        },
    );
    Ok(all)
}

/// Visits a board and its descendants, `depth` levels in all.
fn walk(board: &Board, depth: u32, visited: &mut Vec<Sample>) {
    visited.push(Sample::of(board, 0));
    if depth == 1 {
        return;
    }
    let mut moves = Vec::with_capacity(64);
    oracle::each_move(board, |played, mv| moves.push((move_code(mv), played)));
    moves.sort_unstable_by_key(|&(code, _)| code);
    for (_, mv) in moves {
        let mut child = board.clone();
        child.play_unchecked(mv);
        walk(&child, depth - 1, visited);
    }
}

/// An alpha-beta search that records the positions it visits.
#[derive(Default)]
struct Search {
    visited: Vec<Sample>,
}

impl Search {
    fn is_full(&self) -> bool {
        self.visited.len() >= CAP
    }

    fn interior(&mut self, board: &Board, depth: u32, alpha: i32, beta: i32) -> i32 {
        if depth == 0 {
            return self.quiescence(board, alpha, beta);
        }
        if self.is_full() {
            return 0;
        }
        self.visited.push(Sample::of(board, INTERIOR));
        let mut children = Vec::with_capacity(64);
        oracle::each_move(board, |played, mv| {
            let mut child = board.clone();
            child.play_unchecked(played);
            // Keys of captures are negative, keys of other moves are at least 100.
            let key = capture_key(board, played)
                .unwrap_or_else(|| 1000 + evaluate(&child).clamp(-900, 900));
            children.push((key, move_code(mv), child));
        });
        if children.is_empty() {
            return if oracle::in_check(board) { MATED } else { 0 };
        }
        children.sort_unstable_by_key(|&(key, code, _)| (key, code));
        let mut best = -INFINITE;
        for (.., child) in children {
            best = best.max(-self.interior(&child, depth - 1, -beta, -alpha.max(best)));
            if best >= beta {
                break;
            }
        }
        best
    }

    fn quiescence(&mut self, board: &Board, alpha: i32, beta: i32) -> i32 {
        let mut best = evaluate(board);
        if best >= beta || self.is_full() {
            return best;
        }
        self.visited.push(Sample::of(board, QUIESCENCE));
        let mut captures = Vec::with_capacity(16);
        oracle::each_move(board, |played, mv| {
            if played.promotion.is_some_and(|kind| kind != Piece::Queen) {
                return;
            }
            captures.extend(capture_key(board, played).map(|key| (key, move_code(mv), played)));
        });
        captures.sort_unstable_by_key(|&(key, code, _)| (key, code));
        for (.., mv) in captures {
            let mut child = board.clone();
            child.play_unchecked(mv);
            best = best.max(-self.quiescence(&child, -beta, -alpha.max(best)));
            if best >= beta {
                break;
            }
        }
        best
    }
}

/// Sort key of a capture: most valuable victim first, then least valuable attacker. `None` if the
/// target square holds no enemy piece.
fn capture_key(board: &Board, mv: cozy_chess::Move) -> Option<i32> {
    let enemy = board.colors(!board.side_to_move());
    let victim = board.piece_on(mv.to).filter(|_| enemy.has(mv.to))?;
    let attacker = board.piece_on(mv.from)?;
    Some(-8 * value(neutral_kind(victim)) + value(neutral_kind(attacker)) / 8)
}

/// The positions of one part of a stream, in order.
pub fn part(stream: &[Sample], part: u8) -> Vec<Sample> {
    stream.iter().filter(|sample| sample.part == part).copied().collect()
}
