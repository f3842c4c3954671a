//! The one implementation of [`Design`]: a generator with its tables, boards and lists.

use std::hint::black_box;
use std::ops::Range;

use raywalk_core::{
    Board, Checksum, Entries, Feature, Generator, Hashed, Leaves, Legality, Move, MoveList,
    Position, Scope as CoreScope, StageId, legal_moves, perft,
};
use raywalk_results::schema::{Call, Operation, Scope, Search, Stage};

use super::answers::{self, Answers};
use super::calls::{self, Workspace};
use super::perft::hashed_perft;
use super::walk::{Walking, Walks};
use super::{
    Design, ExtraWork, Invocation, Pass, PerftOptions, Perturbed, Timed, one_by_one, stage_id,
};
use crate::perturb::fence;

mod entries;
mod lists;

use entries::{Ring, both_all, count_all, count_nodes, empty, entries, is_quiescence};
use lists::Lists;

/// A generator with its tables, boards and lists.
pub struct Built<G: Entries> {
    id: String,
    generator: Box<G>,
    boards: Vec<G::Board>,
    lists: Lists<G::Moves>,
    /// The lists that calls write to in turn, for the regime that places lists.
    ring: Ring<G::Moves>,
    /// Whether each board is a quiescence node, for the call that depends on it.
    quiescence: Vec<bool>,
    walks: Walks<G::Board, G::Moves>,
    workspace: Workspace<G>,
}

impl<G: Entries> Built<G> {
    /// The design with tables that are built already, and no boards yet.
    pub fn new(generator: Box<G>) -> Built<G> {
        let id = <G as Generator>::CARD.id.to_owned();
        Built {
            id,
            generator,
            boards: Vec::new(),
            lists: Lists::default(),
            ring: Ring::default(),
            quiescence: Vec::new(),
            walks: Walks::new(),
            workspace: Workspace::default(),
        }
    }

    /// Builds the tables.
    ///
    /// # Errors
    /// The CPU feature that this machine lacks.
    pub fn build() -> Result<Built<G>, Feature> {
        Ok(Built::new(G::build()?))
    }

    /// The same design under another id, to compare several instances in one session.
    pub fn named(self, id: &str) -> Built<G> {
        Built { id: id.to_owned(), ..self }
    }

    /// Whether the design offers a call: a property of its type, so that no table is built to ask.
    pub fn is_offered(call: Call) -> bool {
        match call {
            Call::Generate { scope: Scope::Whole, .. } => true,
            Call::Generate { stage, scope: Scope::Sliders } => {
                stage == Stage::All && <G as Generator>::SCOPES.contains(&CoreScope::Sliders)
            }
            Call::Search { .. } => true,
            Call::Operation { operation } => calls::offers::<G>(operation),
        }
    }

    fn moves(&self, board: &G::Board, stage: StageId) -> MoveList<G::Moves> {
        let mut list = MoveList::new();
        self.generator.stage(stage, board, &mut list);
        list
    }
}

impl<G: Entries> Design for Built<G> {
    fn id(&self) -> &str {
        &self.id
    }

    fn legality(&self) -> Legality {
        <G as Generator>::CARD.legality
    }

    fn offers(&self, call: Call) -> bool {
        Self::is_offered(call)
    }

    fn table_bytes(&self) -> usize {
        self.generator.table_bytes()
    }

    fn prepare_for(&mut self, call: Call) {
        self.boards.clear();
        self.workspace.choose(call.operation());
    }

    fn write_to_lists(&mut self, bytes: Option<u64>) {
        self.ring = bytes.map_or_else(Ring::default, Ring::new);
    }

    fn choose_list(&mut self, number: usize) {
        self.lists.choose(number);
    }

    fn walks(&mut self) -> Option<&mut dyn Walking> {
        Some(&mut self.walks)
    }

    fn load_after(&mut self, kept: usize, positions: &[Position]) {
        self.boards.truncate(kept);
        self.boards.extend(positions.iter().map(G::Board::new));
        self.workspace.keep(kept);
        self.workspace.extend(positions);
    }

    fn load_nodes(&mut self, kept: usize, quiescence: &[bool]) {
        self.quiescence.truncate(kept);
        self.quiescence.extend(quiescence);
    }

    #[inline(never)]
    fn pass(&mut self, invocation: Invocation, range: Range<usize>) -> u64 {
        let Built { generator, boards, lists, ring, quiescence, walks, workspace, .. } = self;
        let (generator, list) = (&**generator, lists.chosen());
        let part = range.clone(); // the slice has the only bounds check
        if !ring.lists.is_empty()
            && let Some(entries) = entries::<G>(invocation)
        {
            let nodes = quiescence.get(range).unwrap_or_default();
            return ring.count(generator, &boards[part], nodes, entries);
        }
        // One loop per entry, so that each calls its entry directly and not through a pointer.
        match invocation {
            Invocation::Empty => count_all(generator, &boards[part], list, empty::<G>()),
            Invocation::Call(Call::Generate { scope: Scope::Sliders, .. }) => {
                count_all(generator, &boards[part], list, G::sliders)
            }
            Invocation::Call(Call::Generate { stage, scope: Scope::Whole }) => match stage {
                Stage::All => count_all(generator, &boards[part], list, G::all),
                Stage::Captures => count_all(generator, &boards[part], list, G::captures),
                Stage::Quiets => count_all(generator, &boards[part], list, G::quiets),
            },
            Invocation::Call(Call::Search { search }) => match search {
                Search::Node => count_nodes(generator, &boards[part], &quiescence[range], list),
                Search::Tree => walks.pass::<G, false>(Pass { generator, boards, range, list }),
                Search::BareTree => walks.pass::<G, true>(Pass { generator, boards, range, list }),
            },
            Invocation::Call(Call::Operation { operation }) => {
                workspace.pass(operation, Pass { generator, boards, range, list })
            }
        }
    }

    /// One loop for every invocation, through a pointer: the run with the call and the run with the
    /// empty one execute the same instructions, except for those of the callee.
    #[inline(never)]
    fn perturbed_pass(&mut self, invocation: Invocation, run: Perturbed<'_>) -> Timed {
        // The empty call goes the way of the call that it is compared with.
        let has_entry = !self.workspace.has_operation();
        let Some(entries) = entries::<G>(invocation).filter(|_| has_entry) else {
            return one_by_one(self, invocation, run);
        };
        let Perturbed { range, before, clock } = run;
        // Opaque, so that the compiler cannot make one loop per entry.
        let entries = black_box(entries);
        let Built { generator, boards, lists, quiescence, .. } = self;
        let list = lists.chosen();
        let mut timed = Timed::default();
        for place in range {
            let board = &boards[place];
            let entry = entries[usize::from(is_quiescence(quiescence, place))];
            before.perturb();
            list.clear();
            fence();
            let start = clock.start();
            entry(generator, board, list);
            timed.ticks += clock.end().saturating_sub(start);
            timed.moves += list.len() as u64;
        }
        timed
    }

    #[inline(never)]
    fn pass_with_extra(&mut self, extra: ExtraWork, range: Range<usize>) -> u64 {
        let boards = &self.boards[range];
        let (generator, list) = (&*self.generator, self.lists.chosen());
        match extra {
            // The black box acts like a call: the cleared length must be in memory before it and is read
            // again after it.
            ExtraWork::Harness => both_all(generator, boards, list, |_, _, list| {
                black_box(list);
            }),
            ExtraWork::EmptyCall => both_all(generator, boards, list, empty::<G>()),
        }
    }

    fn check(&mut self, call: Call, range: Range<usize>) -> Checksum {
        let Built { generator, boards, lists, quiescence, walks, workspace, .. } = self;
        let pass = Pass { generator: &**generator, boards, range, list: lists.chosen() };
        if let Call::Operation { operation } = call {
            return workspace.check(operation, pass);
        }
        match call.search() {
            Some(Search::Tree) => return walks.check::<G, false>(pass),
            Some(Search::BareTree) => return walks.check::<G, true>(pass),
            Some(Search::Node) | None => {}
        }
        let Pass { generator, boards, range, list } = pass;
        let mut checksum = Checksum::default();
        let Some(entries) = entries::<G>(call.into()) else { return checksum };
        for place in range {
            let entry = entries[usize::from(is_quiescence(quiescence, place))];
            list.clear();
            entry(generator, &boards[place], list);
            generator.unpack_behind(0, &boards[place], list);
            checksum.add(list);
        }
        checksum
    }

    fn perft(&self, position: &Position, depth: u32, options: PerftOptions<'_>) -> u64 {
        let PerftOptions { leaves, table } = options;
        match table {
            None => perft(&*self.generator, &mut G::Board::new(position), depth, leaves),
            Some(table) => {
                let mut board = Hashed::new(position);
                hashed_perft(&*self.generator, &mut board, depth, leaves, table)
            }
        }
    }

    fn divide(&self, position: &Position, depth: u32, leaves: Leaves) -> Vec<(Move, u64)> {
        let mut board = G::Board::new(position);
        let moves = self.legal(position, Stage::All);
        let mut divided = Vec::with_capacity(moves.len());
        for mv in moves {
            let undo = board.make(mv);
            let nodes = perft(&*self.generator, &mut board, depth - 1, leaves);
            board.unmake(mv, undo);
            divided.push((mv, nodes));
        }
        divided
    }

    fn answers(&self, operation: Operation, position: &Position, legal: &[Move]) -> Answers {
        answers::of(&*self.generator, operation, position, legal)
    }

    fn generated(&self, position: &Position, stage: Stage) -> Vec<Move> {
        self.moves(&G::Board::new(position), stage_id(stage)).moves().collect()
    }

    fn legal(&self, position: &Position, stage: Stage) -> Vec<Move> {
        let mut board = G::Board::new(position);
        let list = self.moves(&board, stage_id(stage));
        let mut moves = match self.legality() {
            Legality::Legal => list.moves().collect(),
            Legality::Pseudo => legal_moves(&mut board, &list),
        };
        moves.sort_unstable();
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_of_a_ring_comes_once_before_any_comes_again() {
        let size = size_of::<MoveList>() as u64;
        for (bytes, lists) in
            [(0, 1), (size, 1), (3 * size - 1, 2), (256 << 10, (256 << 10) / size)]
        {
            let mut ring = Ring::<Move>::new(bytes);
            assert_eq!(ring.lists.len() as u64, lists, "{bytes}");
            for round in 0..2 {
                for _ in 0..lists {
                    let list = ring.next();
                    assert_eq!(list.len(), round, "{bytes}");
                    list.push(Move::default());
                }
            }
        }
    }
}
