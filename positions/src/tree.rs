//! Tree orders: the positions that a search visits, in the order of the visits.
//!
//! Neighbours in a tree differ by a move or two, and good move ordering visits a few kinds of
//! position many times. This is the order that a move generator in an engine processes, and it is
//! much easier to predict than a shuffled list of the same positions. Streams contain repeats.

use std::ops::ControlFlow;

use cozy_chess::Piece;
use raywalk_core::parallel::in_order;
use raywalk_core::{Move, Position};

use crate::evaluation::{evaluate, value};
use crate::illegal::each_illegal;
use crate::oracle::{self, Board, neutral_kind};
use crate::quiescence::INFINITE;
use crate::random::move_code;
use crate::recording::{RecordedTree, Recorder};
use crate::sample::Sample;

/// Part of an `ab4` stream: interior nodes, which generate all moves.
pub(crate) const INTERIOR: u8 = 0;
/// Part of an `ab4` stream: quiescence nodes, which generate captures.
pub(crate) const QUIESCENCE: u8 = 1;

/// Every 1024th position of `sp1` in game order is the root of a tree.
const ROOT_STEP: usize = 1024;
/// Depth of the alpha-beta search in plies, without quiescence.
const DEPTH: u32 = 4;
/// Positions recorded per root. The search unwinds once it has them.
const CAP: usize = 4096;
/// The value of a node that is mated.
const MATED: i32 = -30_000;

/// The roots of all trees: 64 of the 65,536 positions of `sp1`.
pub(crate) fn roots(sp1: &[Sample]) -> Vec<Sample> {
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
pub(crate) fn beginnings(
    stream: &[Sample],
    roots: &[Sample],
) -> Result<Vec<usize>, oracle::Refused> {
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
pub(crate) fn perft3(roots: &[Sample]) -> Result<Vec<Sample>, oracle::Refused> {
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
pub(crate) fn ab4(roots: &[Sample]) -> Result<Vec<Sample>, oracle::Refused> {
    from_each(roots, |board| Search::of(board).visited)
}

/// Records the same search of one root, for tests of designs on positions of their own.
///
/// # Errors
/// [`oracle::Refused`] if the oracle rejects the root.
pub fn record(root: &Position) -> Result<RecordedTree, oracle::Refused> {
    Ok(recorded(&oracle::board(root)?).0)
}

fn recorded(board: &Board) -> (RecordedTree, Vec<Sample>) {
    let Search { visited, recorder } = Search::of(board);
    (RecordedTree { root: oracle::position(board), steps: recorder.finish() }, visited)
}

/// The same searches, move by move, each with the positions of its nodes.
///
/// # Errors
/// [`oracle::Refused`] if the oracle rejects a root.
pub(crate) fn recorded_ab4(
    roots: &[Sample],
) -> Result<Vec<(RecordedTree, Vec<Sample>)>, oracle::Refused> {
    from_each(roots, |board| vec![recorded(board)])
}

/// Concatenates the trees of all roots; trees are searched on all cores.
fn from_each<T: Send>(
    roots: &[Sample],
    tree: impl Fn(&Board) -> Vec<T> + Sync,
) -> Result<Vec<T>, oracle::Refused> {
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

/// An alpha-beta search that records the positions it visits and the moves it makes.
///
/// Its values are those of legal moves. An engine with a pseudo-legal generator would try illegal moves
/// between them, in the same order, so they are recorded there.
#[derive(Default)]
struct Search {
    visited: Vec<Sample>,
    recorder: Recorder,
}

/// A move that a node tries: its sort key, its code, the move, and the board behind it if it is legal.
type Try = (i32, u16, Move, Option<Board>);

impl Search {
    fn of(board: &Board) -> Search {
        let mut search = Search::default();
        search.interior(board, DEPTH, -INFINITE, INFINITE);
        search
    }

    fn is_full(&self) -> bool {
        self.visited.len() >= CAP
    }

    fn visit(&mut self, board: &Board, part: u8) {
        self.visited.push(Sample::of(board, part));
        self.recorder.generate(part == QUIESCENCE);
    }

    fn interior(&mut self, board: &Board, depth: u32, alpha: i32, beta: i32) -> i32 {
        if depth == 0 {
            return self.quiescence(board, alpha, beta);
        }
        if self.is_full() {
            return 0;
        }
        self.visit(board, INTERIOR);
        let key = |played, child: &Board| {
            // Keys of captures are negative, keys of other moves are at least 100.
            capture_key(board, played).unwrap_or_else(|| 1000 + evaluate(child).clamp(-900, 900))
        };
        let mut tries: Vec<Try> = Vec::with_capacity(64);
        oracle::each_move(board, |played, mv| {
            let child = after(board, played);
            tries.push((key(played, &child), move_code(mv), mv, Some(child)));
        });
        let is_over = tries.is_empty();
        each_illegal(board, |played, mv| {
            tries.push((key(played, &after(board, played)), move_code(mv), mv, None));
        });
        let best = self.search(tries, beta, |search, child, best| {
            -search.interior(child, depth - 1, -beta, -alpha.max(best))
        });
        match is_over {
            true if oracle::in_check(board) => MATED,
            true => 0,
            false => best,
        }
    }

    fn quiescence(&mut self, board: &Board, alpha: i32, beta: i32) -> i32 {
        let stand = evaluate(board);
        if stand >= beta || self.is_full() {
            return stand;
        }
        self.visit(board, QUIESCENCE);
        let mut tries: Vec<Try> = Vec::with_capacity(16);
        let mut add = |played: cozy_chess::Move, mv, is_legal: bool| {
            if played.promotion.is_none_or(|kind| kind == Piece::Queen)
                && let Some(key) = capture_key(board, played)
            {
                tries.push((key, move_code(mv), mv, is_legal.then(|| after(board, played))));
            }
        };
        oracle::each_move(board, |played, mv| add(played, mv, true));
        each_illegal(board, |played, mv| add(played, mv, false));
        self.search(tries, beta, |search, child, best| {
            let best = best.max(stand);
            -search.quiescence(child, -beta, -alpha.max(best))
        })
        .max(stand)
    }

    /// Tries moves in the order of their keys, until one of them reaches `beta`. `below` searches a board
    /// and receives the best value so far.
    fn search(
        &mut self,
        mut tries: Vec<Try>,
        beta: i32,
        below: impl Fn(&mut Search, &Board, i32) -> i32,
    ) -> i32 {
        tries.sort_unstable_by_key(|&(key, code, ..)| (key, code));
        let mut best = -INFINITE;
        for (.., mv, child) in tries {
            // A search that has all its positions only unwinds.
            if best >= beta || self.is_full() {
                break;
            }
            let Some(child) = child else {
                self.recorder.try_illegal(mv);
                continue;
            };
            self.recorder.make(mv);
            best = best.max(below(self, &child, best));
            self.recorder.unmake();
        }
        best
    }
}

/// The board after a move, which may leave the own king in check.
fn after(board: &Board, mv: cozy_chess::Move) -> Board {
    let mut child = board.clone();
    child.play_unchecked(mv);
    child
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
pub(crate) fn part(stream: &[Sample], part: u8) -> Vec<Sample> {
    stream.iter().filter(|sample| sample.part == part).copied().collect()
}
