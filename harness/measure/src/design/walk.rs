//! Walks recorded searches on one live board: make, test legality, generate, unmake.
//!
//! This is the node-by-node work of an engine, in the order of a real alpha-beta search, without evaluation, move
//! ordering and hash table. Pseudo-legal designs make the illegal moves of the search too, find the king in check and
//! take them back. Legal designs skip them and test nothing, so both kinds do the work of an engine built on them.
//!
//! The steps are prepared beforehand, for each legality. The timed walk reads one word per move, calls the
//! entries of the design directly, and counts nothing in bulk: every list is filled.
//!
//! All nodes fill the same list, because the moves to make are recorded, unless the [format](Plies) has a list for
//! each ply or a stack.

use std::hint::black_box;
use std::ops::Range;

use raywalk_core::random::mix;
use raywalk_core::{
    Board, CastlingRights, Checksum, Color, Entries, Generator, Legality, Move, MoveFormat,
    MoveList, Plies, Position, State, Undo,
};
use raywalk_positions::recording::{DEEPEST, RecordedTree, Step};

use super::Pass;

#[cfg(test)]
mod tests;

/// The steps of a recorded search for designs of one legality.
#[derive(Clone, Debug)]
pub struct Walk {
    root: Position,
    steps: Vec<Step>,
    /// For each node the index of the step that leads to it, and the number of steps at the end. The root
    /// has the first step.
    nodes: Vec<u32>,
}

impl Walk {
    /// Prepares a recorded search for designs of this legality.
    pub fn of(tree: &RecordedTree, legality: Legality) -> Walk {
        let steps = tree.steps_of(legality);
        let behind = (0..).zip(&steps).filter(|(_, step)| step.is_node()).map(|(place, _)| place);
        let mut nodes: Vec<u32> = std::iter::once(0).chain(behind).collect();
        nodes.push(steps.len() as u32);
        Walk { root: tree.root, steps, nodes }
    }

    /// The position at which it begins.
    pub fn root(&self) -> &Position {
        &self.root
    }

    /// The steps of some nodes: from the one that leads to the first of them to the one before the step
    /// that leads to the node behind the last.
    pub fn steps(&self, nodes: Range<usize>) -> &[Step] {
        &self.steps[self.steps_of(nodes)]
    }

    /// The places of these steps among all.
    pub fn steps_of(&self, nodes: Range<usize>) -> Range<usize> {
        self.nodes[nodes.start] as usize..self.nodes[nodes.end] as usize
    }

    /// Number of nodes, the root included.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Whether there are no nodes. A walk has at least its root.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Nodes visited and legal moves made by all walks since they were loaded. Designs of both legalities must
/// agree on them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Walked {
    /// Nodes visited by all walks.
    pub nodes: u64,
    /// Moves made that did not leave the own king in check.
    pub legal: u64,
}

/// The recorded searches on the boards of a design. Calls that walk them count their nodes one search after the other
/// and visit them in order.
pub trait Walking {
    /// Puts each walk on a board at its root, in place of all others. Untimed.
    fn load(&mut self, walks: &[&Walk]);

    /// Numbers of nodes visited and legal moves made since [`load`](Walking::load).
    fn walked(&self) -> Walked;

    /// Whether every board is in the position of its root.
    fn are_at_roots(&self) -> bool;
}

/// A walk on a board of a design.
struct OnBoard<B> {
    walk: Walk,
    board: B,
    /// Number of moves that are made and not taken back.
    depth: usize,
    /// For each ply, where the moves of its node begin on a stack.
    begins: Box<[usize; PLIES]>,
}

/// Room for a list or a place for each ply of a path: a power of two above [`DEEPEST`].
const PLIES: usize = 2 * DEEPEST;

/// The loaded walks of a design, one after the other, and what they need.
pub(super) struct Walks<B, F: MoveFormat> {
    loaded: Vec<OnBoard<B>>,
    /// A list for each ply, if the format has them, else none.
    lists: Vec<MoveList<F>>,
    /// Made moves that are not taken back, with what unmake needs. As long as the deepest path, so that
    /// nothing is allocated and no index is checked.
    undos: Box<[(Move, Undo); DEEPEST]>,
    walked: Walked,
}

impl<B: Board, F: MoveFormat> Walking for Walks<B, F> {
    /// The steps are copied, so that they are equally warm in the caches for every design.
    fn load(&mut self, walks: &[&Walk]) {
        self.walked = Walked::default();
        self.loaded.clear();
        self.loaded.extend(walks.iter().map(|&walk| OnBoard {
            board: B::new(&walk.root),
            walk: walk.clone(),
            depth: 0,
            begins: Box::new([0; PLIES]),
        }));
    }

    fn walked(&self) -> Walked {
        self.walked
    }

    fn are_at_roots(&self) -> bool {
        self.loaded.iter().all(|one| one.depth == 0 && one.board.position() == one.walk.root)
    }
}

impl<B: Board, F: MoveFormat> Walks<B, F> {
    pub(crate) fn new() -> Walks<B, F> {
        let lists = if F::PLIES == Plies::Apart { PLIES } else { 0 };
        Walks {
            loaded: Vec::new(),
            lists: vec![MoveList::new(); lists],
            undos: no_undos(),
            walked: Walked::default(),
        }
    }

    /// Walks the nodes `range`, counted over all loaded walks. Parts of a walk follow each other, because
    /// the board stays where the last part left it. Returns the generated moves, or the legal moves made
    /// by a bare walk.
    pub(crate) fn pass<G: Entries<Board = B, Moves = F>, const BARE: bool>(
        &mut self,
        pass: Pass<'_, G>,
    ) -> u64 {
        let before = self.walked.legal;
        let moves = self.each::<G, Counted, BARE>(pass, &mut Counted);
        if BARE { self.walked.legal - before } else { moves }
    }

    /// As [`pass`](Walks::pass), and folds every generated list, or the number of legal moves of a bare
    /// walk, and what the tests of legality found.
    pub(crate) fn check<G: Entries<Board = B, Moves = F>, const BARE: bool>(
        &mut self,
        pass: Pass<'_, G>,
    ) -> Checksum {
        let before = self.walked;
        let mut folded = Folded::default();
        if BARE {
            self.each::<G, Counted, true>(pass, &mut Counted);
        } else {
            self.each::<G, Folded, false>(pass, &mut folded);
        }
        let mut checksum = folded.checksum;
        let legal = self.walked.legal - before.legal;
        let nodes = self.walked.nodes - before.nodes;
        if BARE {
            checksum.moves = legal;
        }
        for word in [legal, nodes] {
            checksum.word = mix(checksum.word ^ word);
        }
        checksum
    }

    fn each<G: Entries<Board = B, Moves = F>, S: Sink<G>, const BARE: bool>(
        &mut self,
        pass: Pass<'_, G>,
        sink: &mut S,
    ) -> u64 {
        let Pass { generator, range, list, .. } = pass;
        let mut begin = 0;
        let mut moves = 0;
        for one in &mut self.loaded {
            let end = begin + one.walk.len();
            let part = range.start.max(begin)..range.end.min(end);
            if !part.is_empty() {
                let part = part.start - begin..part.end - begin;
                moves += stretch::<G, S, BARE>(
                    generator,
                    one,
                    &mut self.undos,
                    Lists { one: list, of_plies: &mut self.lists },
                    part,
                    sink,
                    &mut self.walked,
                );
            }
            begin = end;
        }
        moves
    }
}

fn no_undos() -> Box<[(Move, Undo); DEEPEST]> {
    let (side, rights) = (Color::White, CastlingRights::NONE);
    let state = State { side, rights, en_passant: None, halfmove: 0, fullmove: 1 };
    Box::new([(Move::default(), Undo { state, captured: None }); DEEPEST])
}

/// The lists that nodes fill.
struct Lists<'a, F: MoveFormat> {
    one: &'a mut MoveList<F>,
    of_plies: &'a mut [MoveList<F>],
}

impl<F: MoveFormat> Lists<'_, F> {
    /// Fills the list of a node, by a call of an entry, and returns the number of its moves. What was in the list
    /// behind the moves of the parents is forgotten.
    #[inline(always)]
    fn fill<G: Entries<Moves = F>, S: Sink<G>>(
        &mut self,
        generator: &G,
        board: &G::Board,
        (ply, begins): (usize, &mut [usize; PLIES]),
        sink: &mut S,
        entry: impl Fn(&G, &G::Board, &mut MoveList<F>),
    ) -> u64 {
        let list = match F::PLIES {
            Plies::Forgotten | Plies::Stacked => &mut *self.one,
            Plies::Apart => &mut self.of_plies[ply],
        };
        let mut begin = 0;
        if F::PLIES == Plies::Stacked {
            // The masks replace bounds checks.
            begin = begins[ply & (PLIES - 1)];
            list.continue_behind(begin);
        } else {
            list.clear();
        }
        entry(generator, board, list);
        let end = list.len();
        if F::PLIES == Plies::Stacked {
            begins[(ply + 1) & (PLIES - 1)] = end;
        }
        sink.take(generator, board, list, begin);
        (end - begin) as u64
    }
}

/// A list of a generator.
type List<G> = MoveList<<G as Generator>::Moves>;

/// Takes the moves of a node, which begin at `begin` in the list.
trait Sink<G: Entries> {
    fn take(&mut self, generator: &G, board: &G::Board, list: &mut List<G>, begin: usize);
}

/// They are counted by the walk and nothing else.
struct Counted;

impl<G: Entries> Sink<G> for Counted {
    #[inline(always)]
    fn take(&mut self, _: &G, _: &G::Board, _: &mut List<G>, _: usize) {}
}

/// Folds the moves into a checksum.
#[derive(Default)]
struct Folded {
    checksum: Checksum,
}

impl<G: Entries> Sink<G> for Folded {
    fn take(&mut self, generator: &G, board: &G::Board, list: &mut List<G>, begin: usize) {
        generator.unpack_behind(begin, board, list);
        self.checksum.add_behind(begin, list);
    }
}

/// Walks some nodes of one search.
///
/// It ends early if the legality test contradicts the recording. The counts then differ from those of other
/// designs, and the session names the design.
#[inline(never)]
fn stretch<G: Entries, S: Sink<G>, const BARE: bool>(
    generator: &G,
    one: &mut OnBoard<G::Board>,
    undos: &mut [(Move, Undo); DEEPEST],
    mut lists: Lists<'_, G::Moves>,
    nodes: Range<usize>,
    sink: &mut S,
    walked: &mut Walked,
) -> u64 {
    let tests = const { matches!(<G as Generator>::CARD.legality, Legality::Pseudo) };
    let OnBoard { walk, board, depth, begins } = one;
    let steps = walk.steps(nodes.clone());
    let (mut at, mut moves, mut legal) = (*depth, 0, 0);
    if nodes.start == 0 && !BARE {
        moves += lists.fill(generator, board, (at, begins), sink, G::all);
    }
    for step in steps {
        let mv = step.mv();
        let undo = board.make(mv);
        if tests {
            // The test decides, as in an engine. The recording is only consulted for what should follow.
            // The state before the move names the side that made it.
            if board.in_check(undo.state.side) {
                if !step.is_illegal() {
                    break;
                }
                board.unmake(mv, undo);
                at = take_back(board, undos, at, step.unmade());
                continue;
            }
            if step.is_illegal() {
                break;
            }
        }
        legal += 1;
        // The mask replaces a bounds check. A recording is never deeper.
        undos[at & (DEEPEST - 1)] = (mv, undo);
        at += 1;
        if !BARE && step.is_node() {
            moves += if step.generates_captures() {
                lists.fill(generator, board, (at, begins), sink, G::captures)
            } else {
                lists.fill(generator, board, (at, begins), sink, G::all)
            };
        }
        at = take_back(board, undos, at, step.unmade());
    }
    // The moves themselves are a result, not only their number.
    black_box((&*lists.one, &*lists.of_plies));
    *depth = at;
    walked.nodes += nodes.len() as u64;
    walked.legal += legal;
    moves
}

/// Takes back `count` moves. Returns how many are left.
#[inline(always)]
fn take_back<B: Board>(
    board: &mut B,
    undos: &[(Move, Undo); DEEPEST],
    at: usize,
    count: u32,
) -> usize {
    let mut at = at;
    for _ in 0..count {
        // Wrapping and a mask, so that the timed loop has no check. A recording takes back no more moves than it made.
        at = at.wrapping_sub(1);
        let (mv, undo) = undos[at & (DEEPEST - 1)];
        board.unmake(mv, undo);
    }
    at
}
