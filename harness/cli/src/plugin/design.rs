//! A design of a plug-in as one of the harness. The timed calls go directly to the functions of the library.

use std::ffi::c_void;
use std::ops::Range;
use std::sync::OnceLock;

use raywalk_core::{Bitboards, Board, Checksum, Leaves, Legality, Move, Position, StageId};
use raywalk_measure::design::{
    Answers, Design, ExtraWork, Failure, Invocation, PerftOptions, Walking, stage_id,
};
use raywalk_measure::regime::step;
use raywalk_results::schema::{Call, Operation, Search, Stage};

use super::abi::{Declared, Functions, Generate};
use super::calls::{self, Plies, Workspace};
use super::lists::{listed, moves};
use super::rules::Rules;
use super::slots::Slots;
use super::walk::Walks;

/// A built design of a plug-in, with its boards and lists.
pub(super) struct Plugged {
    id: &'static str,
    legality: Legality,
    functions: Functions,
    /// The positions on the boards, for the check.
    positions: Vec<Position>,
    boards: Slots,
    /// The lists that calls write to in turn; the first is that of all other calls.
    lists: Slots,
    /// The places by which one list follows another.
    step: usize,
    at: usize,
    quiescence: Vec<bool>,
    walks: Walks,
    workspace: Workspace,
    rules: Rules,
    /// A rule of the header that a function broke in a check.
    failure: OnceLock<Failure>,
}

impl Plugged {
    /// Builds the tables.
    ///
    /// # Errors
    /// The reason of the design why it cannot run on this machine, one sentence.
    pub(super) fn build(declared: &'static Declared) -> Result<Plugged, String> {
        let functions = declared.build()?;
        Ok(Plugged {
            id: declared.card.id,
            legality: declared.card.legality,
            functions,
            positions: Vec::new(),
            boards: functions.boards(),
            lists: functions.lists().with(1),
            step: 0,
            at: 0,
            quiescence: Vec::new(),
            walks: Walks::new(functions),
            workspace: Workspace::new(functions),
            rules: Rules::new(),
            failure: OnceLock::new(),
        })
    }

    /// Counts the moves of a stage, or makes the empty call.
    fn count(&mut self, stage: Option<StageId>, range: Range<usize>) -> u64 {
        let entry = self.functions.entry(stage);
        let boards = self.boards.each(range);
        self.count_calls(boards.map(|board| (entry, board)))
    }

    /// Counts the moves of nodes of a search: captures in quiescence, else all.
    fn count_nodes(&mut self, range: Range<usize>) -> u64 {
        let entries = [StageId::All, StageId::Captures].map(|it| self.functions.entry(Some(it)));
        // Taken out meanwhile, because the loop borrows the whole design.
        let quiescence = std::mem::take(&mut self.quiescence);
        let boards = self.boards.each(range.clone());
        let calls =
            boards.zip(&quiescence[range]).map(|(board, &is)| (entries[usize::from(is)], board));
        let moves = self.count_calls(calls);
        self.quiescence = quiescence;
        moves
    }

    /// Makes calls, into one list or into each in turn.
    #[inline(always)]
    fn count_calls(&mut self, calls: impl Iterator<Item = (Generate, *mut c_void)>) -> u64 {
        let Plugged { functions, lists, step, at, .. } = self;
        if *step == 0 {
            let list = lists.at(0);
            return functions.count(calls, || list);
        }
        let number = lists.len();
        functions.count(calls, || {
            *at += *step;
            *at -= if *at >= number { number } else { 0 };
            lists.at(*at)
        })
    }

    fn stage_of(&self, place: usize) -> StageId {
        match self.quiescence.get(place) {
            Some(true) => StageId::Captures,
            _ => StageId::All,
        }
    }

    /// Perft by the functions of the design: its own, or make and unmake.
    fn own_perft(&self, position: &Position, depth: u32, leaves: Leaves) -> u64 {
        let mut boards = self.functions.boards().with(1);
        if !self.functions.load(&position.to_string(), &mut boards, 0) {
            return 0;
        }
        Plies::new(self.functions, depth).counted(&mut boards, 0, depth, leaves)
    }

    /// Leaves by the legal moves of the design, made on a board of this program. A move that it cannot make
    /// counts as one leaf, so the count is wrong.
    fn replayed(&self, position: &Position, depth: u32, leaves: Leaves) -> u64 {
        let legal = self.legal(position, Stage::All);
        match depth {
            0 => 1,
            1 if leaves == Leaves::Bulk => legal.len() as u64,
            _ => legal.into_iter().map(|mv| self.below(position, mv, depth, leaves)).sum(),
        }
    }

    /// Leaves below a legal move of the design.
    fn below(&self, position: &Position, mv: Move, depth: u32, leaves: Leaves) -> u64 {
        if depth <= 1 || !self.rules.can_make(position, mv) {
            return 1;
        }
        let mut board = Bitboards::new(position);
        board.make(mv);
        self.perft(&board.position(), depth - 1, PerftOptions { leaves, table: None })
    }
}

impl Design for Plugged {
    fn id(&self) -> &str {
        self.id
    }

    fn legality(&self) -> Legality {
        self.legality
    }

    fn is_plugin(&self) -> bool {
        true
    }

    fn failure(&self) -> Option<Failure> {
        self.failure.get().cloned()
    }

    fn offers(&self, call: Call) -> bool {
        self.functions.offered().has(call)
    }

    fn table_bytes(&self) -> usize {
        self.functions.table_bytes as usize
    }

    fn prepare_for(&mut self, call: Call) {
        self.workspace.choose(call.operation());
        self.positions.clear();
        self.boards.resize(0);
    }

    fn write_to_lists(&mut self, bytes: Option<u64>) {
        let fitting = bytes.map(|bytes| (bytes as usize / self.lists.stride()).max(1));
        self.lists.resize(fitting.unwrap_or(1));
        (self.at, self.step) = (0, fitting.map_or(0, step));
    }

    fn walks(&mut self) -> Option<&mut dyn Walking> {
        Some(&mut self.walks)
    }

    fn load_after(&mut self, kept: usize, positions: &[Position]) {
        self.positions.truncate(kept);
        self.positions.extend(positions);
        self.boards.resize(self.positions.len());
        self.workspace.prepare(kept, positions);
        for (place, position) in (kept..).zip(positions) {
            if !self.functions.load(&position.to_string(), &mut self.boards, place) {
                // Its moves are those of another position, so the check fails and names the design.
                let _ = self.functions.load(Position::START, &mut self.boards, place);
            }
        }
    }

    fn load_nodes(&mut self, kept: usize, quiescence: &[bool]) {
        self.quiescence.truncate(kept);
        self.quiescence.extend(quiescence);
    }

    #[inline(never)]
    fn pass(&mut self, invocation: Invocation, range: Range<usize>) -> u64 {
        match invocation {
            Invocation::Empty => self.count(None, range),
            Invocation::Call(Call::Generate { stage, .. }) => {
                self.count(Some(stage_id(stage)), range)
            }
            Invocation::Call(Call::Search { search: Search::Node }) => self.count_nodes(range),
            Invocation::Call(Call::Search { search }) => {
                self.walks.pass(search == Search::BareTree, &mut self.lists, range)
            }
            Invocation::Call(Call::Operation { operation }) => {
                self.workspace.pass(operation, &mut self.boards, range)
            }
        }
    }

    fn pass_with_extra(&mut self, extra: ExtraWork, range: Range<usize>) -> u64 {
        let mut moves = 0;
        for place in range {
            moves += self.count(Some(StageId::All), place..place + 1);
            if extra == ExtraWork::EmptyCall {
                moves += self.count(None, place..place + 1);
            }
        }
        moves
    }

    fn check(&mut self, call: Call, range: Range<usize>) -> Checksum {
        if let Some(search @ (Search::Tree | Search::BareTree)) = call.search() {
            return self.walks.check(search == Search::BareTree, &mut self.lists, range);
        }
        if let Call::Operation { operation } = call {
            return self.workspace.check(operation, &mut self.boards, range);
        }
        let mut checksum = Checksum::default();
        for place in range {
            let stage = match call.stage() {
                Some(stage) => stage_id(stage),
                None => self.stage_of(place),
            };
            let memory = [&mut self.boards, &mut self.lists];
            let moves = moves(&self.functions, &self.positions[place], memory, place, stage);
            checksum.add(&listed(moves));
        }
        checksum
    }

    fn perft(&self, position: &Position, depth: u32, options: PerftOptions<'_>) -> u64 {
        let leaves = options.leaves;
        match self.functions.has_perft(leaves) || self.functions.makes_moves() {
            true => self.own_perft(position, depth, leaves),
            false => self.replayed(position, depth, leaves),
        }
    }

    fn divide(&self, position: &Position, depth: u32, leaves: Leaves) -> Vec<(Move, u64)> {
        let moves = self.legal(position, Stage::All).into_iter();
        moves.map(|mv| (mv, self.below(position, mv, depth, leaves))).collect()
    }

    fn answers(&self, operation: Operation, position: &Position, _: &[Move]) -> Answers {
        calls::answers(self.functions, operation, position)
    }

    /// None if the design refuses the position. Whether its functions write where they must not is checked as well.
    fn generated(&self, position: &Position, stage: Stage) -> Vec<Move> {
        let [mut boards, mut lists] =
            [self.functions.boards(), self.functions.lists()].map(|slots| slots.with(2));
        boards.guard();
        lists.guard();
        if !self.functions.load(&position.to_string(), &mut boards, 0) {
            return Vec::new();
        }
        let before = boards.copy(0);
        let memory = [&mut boards, &mut lists];
        let moves = moves(&self.functions, position, memory, 0, stage_id(stage));
        let why = match (boards.is_guarded(), lists.is_guarded()) {
            (false, _) => Some("wrote behind its board"),
            (_, false) => Some("wrote behind its list"),
            _ => (boards.copy(0) != before).then_some("changed the board, which raywalk.h forbids"),
        };
        if let Some(why) = why {
            // The first one is told.
            let _ = self.failure.set(Failure::Broken(why.to_owned()));
        }
        moves
    }

    fn legal(&self, position: &Position, stage: Stage) -> Vec<Move> {
        self.rules.legal(position, self.legality, self.generated(position, stage))
    }
}
