//! Recorded searches on boards of a plug-in: make, test legality, generate, unmake.
//!
//! It makes the same calls as a built-in design, in the same order, and counts the same. A plug-in makes moves
//! of its own format, so those of the recording are converted before: each on a board that is set up for its
//! position alone. Nothing is generated or made for that, because the design would otherwise have seen the
//! search before it is timed on it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use raywalk_core::random::mix;
use raywalk_core::{Bitboards, Board, Checksum, Position, StageId};
use raywalk_measure::design::{Walk, Walked, Walking};
use raywalk_positions::recording::DEEPEST;

use super::abi::Functions;
use super::lists::{listed, read_list};
use super::slots::Slots;

/// The loaded walks of a design.
pub(super) struct Walks {
    functions: Functions,
    /// A board for each loaded walk.
    boards: Slots,
    loaded: Vec<OnBoard>,
    /// The converted moves of each recorded search, by its root and its number of steps. A process visits
    /// a search several times.
    converted: BTreeMap<(String, usize), Arc<Slots>>,
    walked: Walked,
}

/// A walk on a board of the design.
struct OnBoard {
    walk: Walk,
    /// The moves of its steps, up to the first one that the design does not know.
    moves: Arc<Slots>,
    undos: Slots,
    /// The steps whose moves are made and not taken back. As long as the deepest path.
    path: Box<[usize; DEEPEST]>,
    depth: usize,
}

impl Walking for Walks {
    fn load(&mut self, walks: &[&Walk]) {
        self.walked = Walked::default();
        self.loaded.clear();
        self.boards.resize(walks.len());
        for (board, &walk) in walks.iter().enumerate() {
            let root = walk.root().to_string();
            // A refused root has no moves to make, so its counts are wrong.
            let is_set_up = self.functions.load(&root, &mut self.boards, board);
            let key = (root, walk.steps(0..walk.len()).len());
            let functions = &self.functions;
            let moves = self.converted.entry(key).or_insert_with(|| {
                Arc::new(if is_set_up { converted(functions, walk) } else { functions.moves() })
            });
            self.loaded.push(OnBoard {
                walk: walk.clone(),
                moves: Arc::clone(moves),
                undos: self.functions.undos().with(DEEPEST),
                path: Box::new([0; DEEPEST]),
                depth: 0,
            });
        }
    }

    fn walked(&self) -> Walked {
        self.walked
    }

    fn are_at_roots(&self) -> bool {
        self.loaded.iter().all(|one| one.depth == 0)
    }
}

impl Walks {
    pub(super) fn new(functions: Functions) -> Walks {
        Walks {
            functions,
            boards: functions.boards(),
            loaded: Vec::new(),
            converted: BTreeMap::new(),
            walked: Walked::default(),
        }
    }

    /// Walks the nodes `range`, counted over all loaded walks. Returns the generated moves, or the legal
    /// moves made by a bare walk.
    pub(super) fn pass(&mut self, bare: bool, lists: &mut Slots, range: Range<usize>) -> u64 {
        let before = self.walked.legal;
        let moves = match bare {
            true => self.each::<true>(lists, range, &mut |_, _, _| ()),
            false => self.each::<false>(lists, range, &mut |_, _, _| ()),
        };
        if bare { self.walked.legal - before } else { moves }
    }

    /// As [`pass`](Walks::pass), and folds every generated list, or the number of legal moves of a bare
    /// walk, and what the tests of legality found.
    pub(super) fn check(&mut self, bare: bool, lists: &mut Slots, range: Range<usize>) -> Checksum {
        let (before, functions) = (self.walked, self.functions);
        let mut checksum = Checksum::default();
        if bare {
            self.each::<true>(lists, range, &mut |_, _, _| ());
            checksum.moves = self.walked.legal - before.legal;
        } else {
            let nodes = self.nodes(range.clone());
            let mut nodes = nodes.iter();
            self.each::<false>(lists, range, &mut |memory, board, count| {
                if let Some(position) = nodes.next() {
                    checksum.add(&listed(read_list(&functions, position, memory, board, count)));
                }
            });
        }
        for word in [self.walked.legal - before.legal, self.walked.nodes - before.nodes] {
            checksum.word = mix(checksum.word ^ word);
        }
        checksum
    }

    /// The positions of the nodes, by a board of this program.
    fn nodes(&self, range: Range<usize>) -> Vec<Position> {
        let mut nodes = Vec::new();
        for one in &self.loaded {
            nodes.push(*one.walk.root());
            each_position(&one.walk, |place, _, after| {
                let is_node = one.walk.steps(0..one.walk.len())[place].is_node();
                nodes.extend(after.filter(|_| is_node));
            });
        }
        nodes[range].to_vec()
    }

    /// `take` receives the memory, the board and the number of moves of each generated list.
    fn each<const BARE: bool>(
        &mut self,
        lists: &mut Slots,
        range: Range<usize>,
        take: &mut impl FnMut([&Slots; 2], usize, usize),
    ) -> u64 {
        let (mut begin, mut moves) = (0, 0);
        for (board, one) in self.loaded.iter_mut().enumerate() {
            let end = begin + one.walk.len();
            let part = range.start.max(begin)..range.end.min(end);
            if !part.is_empty() {
                let part = part.start - begin..part.end - begin;
                let memory = [&mut self.boards, &mut *lists];
                let (functions, walked) = (&self.functions, &mut self.walked);
                moves += stretch::<BARE>(functions, one, memory, board, part, take, walked);
            }
            begin = end;
        }
        moves
    }
}

/// Walks some nodes of one search.
///
/// It ends early if the legality test contradicts the recording, or at a move that the design does not
/// know. The counts then differ from those of other designs, and the session names the design.
#[inline(never)]
fn stretch<const BARE: bool>(
    functions: &Functions,
    one: &mut OnBoard,
    [boards, lists]: [&mut Slots; 2],
    board: usize,
    nodes: Range<usize>,
    take: &mut impl FnMut([&Slots; 2], usize, usize),
    walked: &mut Walked,
) -> u64 {
    let OnBoard { walk, moves: known, undos, path, depth } = one;
    let (mut at, mut moves, mut legal) = (*depth, 0, 0);
    let mut generate = |boards: &mut Slots, stage| {
        let count = functions.generate(stage, [&mut *boards, &mut *lists], [board, 0]);
        take([&*boards, &*lists], board, count);
        count as u64
    };
    if nodes.start == 0 && !BARE {
        moves += generate(boards, StageId::All);
    }
    let places = walk.steps_of(nodes.clone());
    for (place, step) in places.zip(walk.steps(nodes.clone())) {
        if place >= known.len() {
            break;
        }
        // The masks replace bounds checks. A recording is never deeper.
        let undo = at & (DEEPEST - 1);
        let is_legal = functions.make(&mut *boards, known, undos, [board, place, undo]);
        if is_legal == step.is_illegal() {
            break;
        }
        if is_legal {
            legal += 1;
            path[undo] = place;
            at += 1;
            if !BARE && step.is_node() {
                let captures = step.generates_captures();
                let stage = if captures { StageId::Captures } else { StageId::All };
                moves += generate(boards, stage);
            }
        } else {
            functions.unmake(&mut *boards, known, undos, [board, place, undo]);
        }
        for _ in 0..step.unmade() {
            at = at.wrapping_sub(1);
            let undo = at & (DEEPEST - 1);
            functions.unmake(&mut *boards, known, undos, [board, path[undo], undo]);
        }
    }
    *depth = at;
    walked.nodes += nodes.len() as u64;
    walked.legal += legal;
    moves
}

/// The moves of all steps in the format of the design, up to the first one that it does not know.
fn converted(functions: &Functions, walk: &Walk) -> Slots {
    let steps = walk.steps(0..walk.len());
    let mut moves = functions.moves().with(steps.len());
    let mut boards = functions.boards().with(1);
    let mut known = 0;
    each_position(walk, |place, before, _| {
        let is_known = place == known
            && functions.load(&before.to_string(), &mut boards, 0)
            && functions.move_of(&steps[place].mv().to_string(), &boards, 0, &mut moves, place);
        known += usize::from(is_known);
    });
    moves.resize(known);
    moves
}

/// Visits the steps of a walk, on a board of this program: the number of each, the position before its move and, if
/// the move is legal, the one after it.
fn each_position(walk: &Walk, mut visit: impl FnMut(usize, Position, Option<Position>)) {
    let mut board = Bitboards::new(walk.root());
    let mut path = Vec::new();
    for (place, step) in walk.steps(0..walk.len()).iter().enumerate() {
        let (mv, before) = (step.mv(), board.position());
        let undo = board.make(mv);
        if step.is_illegal() {
            board.unmake(mv, undo);
            visit(place, before, None);
        } else {
            visit(place, before, Some(board.position()));
            path.push((mv, undo));
        }
        for (mv, undo) in path.drain(path.len() - step.unmade() as usize..).rev() {
            board.unmake(mv, undo);
        }
    }
}
