//! Tree orders: the positions that a search meets, in the order it meets them.
//!
//! Neighbours in a tree differ by a move or two, and good move ordering visits few shapes of
//! position many times. That is what an engine's generator sees, and it is far kinder to a branch
//! predictor than a shuffled list of the same positions. Streams are sequences with repeats.

use std::ops::ControlFlow;

use cozy_chess::Piece;

use crate::evaluation::{evaluate, value};
use crate::oracle::{self, Board, neutral_kind};
use crate::parallel::in_order;
use crate::quiescence::INFINITE;
use crate::random::code;
use crate::{Corpus, Sample, corpus};

/// Every 1024th position of `sp1` in game order is the root of a tree.
const ROOT_STEP: usize = 1024;
/// Plies of the alpha-beta search, quiescence not counted.
const DEPTH: u32 = 4;
/// Positions recorded per root; the search winds up once it has them.
const CAP: usize = 4096;
/// The value of being mated.
const MATED: i32 = -30_000;

/// The roots: 64 of 65,536 positions.
pub fn roots(sp1: &[Sample]) -> Vec<Sample> {
    sp1.iter().copied().step_by(ROOT_STEP).collect()
}

/// All positions within two plies of the roots, depth first, moves in ascending code.
///
/// # Errors
/// [`oracle::Refused`] if a root is not a position that the oracle takes.
pub fn perft3(roots: &[Sample]) -> Result<Vec<Sample>, oracle::Refused> {
    from_each(roots, |board| {
        let mut visited = Vec::new();
        walk(board, 3, &mut visited);
        visited
    })
}

/// The positions that a fail-soft alpha-beta search of four plies with quiescence generates moves
/// for, in order; [`corpus::QUIESCENCE`] marks those of the quiescence.
///
/// # Errors
/// [`oracle::Refused`] if a root is not a position that the oracle takes.
pub fn ab4(roots: &[Sample]) -> Result<Vec<Sample>, oracle::Refused> {
    from_each(roots, |board| {
        let mut search = Search::default();
        search.interior(board, DEPTH, -INFINITE, INFINITE);
        search.visited
    })
}

/// The trees of all roots, one after the other, searched on all cores.
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

fn walk(board: &Board, depth: u32, visited: &mut Vec<Sample>) {
    visited.push(Sample::of(board, 0));
    if depth == 1 {
        return;
    }
    let mut moves = Vec::with_capacity(64);
    oracle::each_move(board, |played, mv| moves.push((code(mv), played)));
    moves.sort_unstable_by_key(|&(code, _)| code);
    for (_, mv) in moves {
        let mut child = board.clone();
        child.play_unchecked(mv);
        walk(&child, depth - 1, visited);
    }
}

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
        self.visited.push(Sample::of(board, corpus::INTERIOR));
        let mut children = Vec::with_capacity(64);
        oracle::each_move(board, |played, mv| {
            let mut child = board.clone();
            child.play_unchecked(played);
            let key = capture_key(board, played)
                .unwrap_or_else(|| 1000 + evaluate(&child).clamp(-900, 900));
            children.push((key, code(mv), child));
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
        self.visited.push(Sample::of(board, corpus::QUIESCENCE));
        let mut captures = Vec::with_capacity(16);
        oracle::each_move(board, |played, mv| {
            if played.promotion.is_some_and(|kind| kind != Piece::Queen) {
                return;
            }
            captures.extend(capture_key(board, played).map(|key| (key, code(mv), played)));
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

/// Most valuable victim first, then the least valuable attacker; `None` if the target square holds
/// no enemy piece.
fn capture_key(board: &Board, mv: cozy_chess::Move) -> Option<i32> {
    let enemy = board.colors(!board.side_to_move());
    let victim = board.piece_on(mv.to).filter(|_| enemy.has(mv.to))?;
    let attacker = board.piece_on(mv.from)?;
    Some(-8 * value(neutral_kind(victim)) + value(neutral_kind(attacker)) / 8)
}

/// The part of a stream that one kind of node makes up.
pub fn part(stream: &Corpus, part: u8) -> Vec<Sample> {
    stream.samples.iter().filter(|sample| sample.part == part).copied().collect()
}
