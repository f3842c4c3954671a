//! The calls of a plug-in besides generation: perft by its own function or by its make and unmake, and the test
//! whether a square is attacked.
//!
//! Arguments of a call depend on the position alone and are prepared with its board, as for a built-in design.

use std::ops::Range;

use raywalk_core::{Checksum, Color, Leaves, Position, Square, StageId};
use raywalk_measure::design::{Answers, add_answer, any_square, perft_depth};
use raywalk_results::schema::Operation;

use super::abi::Functions;
use super::slots::Slots;

/// The lists and undo records of a perft, one of each for every ply.
pub(super) struct Plies {
    functions: Functions,
    lists: Slots,
    undos: Slots,
}

impl Plies {
    pub(super) fn new(functions: Functions, depth: u32) -> Plies {
        let plies = depth as usize;
        Plies {
            functions,
            lists: functions.lists().with(plies),
            undos: functions.undos().with(plies),
        }
    }

    /// Leaves by make and unmake. The list and the undo record of a ply have its depth as place. Pseudo-legal moves of
    /// the last ply are made all the same, because their number is not that of legal moves.
    fn made(&mut self, boards: &mut Slots, board: usize, depth: u32, leaves: Leaves) -> u64 {
        let Some(ply) = (depth as usize).checked_sub(1) else { return 1 };
        let functions = self.functions;
        let count = functions.generate(StageId::All, [&mut *boards, &mut self.lists], [board, ply]);
        if ply == 0 && leaves == Leaves::Bulk && functions.is_legal() {
            return count as u64;
        }
        let mut found = 0;
        for number in 0..count {
            let places = [board, ply, number, ply];
            if functions.make_listed(boards, &self.lists, &mut self.undos, places) {
                found += if ply == 0 { 1 } else { self.made(boards, board, depth - 1, leaves) };
            }
            // In either case: `make` also makes a move that leaves the own king in check.
            functions.unmake_listed(boards, &self.lists, &self.undos, places);
        }
        found
    }

    /// Leaves as the design counts them: by its own function if it has one.
    pub(super) fn counted(
        &mut self,
        boards: &mut Slots,
        board: usize,
        depth: u32,
        leaves: Leaves,
    ) -> u64 {
        match self.functions.has_perft(leaves) {
            true => self.functions.perft(boards, board, depth, leaves),
            false => self.made(boards, board, depth, leaves),
        }
    }
}

/// Argument of a call for the position of a board.
struct Asked {
    square: Square,
    by: Color,
    depth: u32,
}

impl Asked {
    fn of(position: &Position) -> Asked {
        Asked { square: any_square(position), by: !position.side(), depth: perft_depth(position) }
    }
}

/// Arguments of the operations of a design besides its boards.
pub(super) struct Workspace {
    functions: Functions,
    operation: Option<Operation>,
    /// For each board, if there is an operation.
    asked: Vec<Asked>,
    plies: Plies,
}

impl Workspace {
    pub(super) fn new(functions: Functions) -> Workspace {
        Workspace { functions, operation: None, asked: Vec::new(), plies: Plies::new(functions, 0) }
    }

    /// Chooses what later boards are prepared for.
    pub(super) fn choose(&mut self, operation: Option<Operation>) {
        self.operation = operation;
        self.asked.clear();
    }

    /// Prepares the boards behind the first `kept` ones.
    pub(super) fn prepare(&mut self, kept: usize, positions: &[Position]) {
        if self.operation.is_none() {
            return;
        }
        self.asked.truncate(kept);
        self.asked.extend(positions.iter().map(Asked::of));
        let deepest = self.asked.iter().map(|asked| asked.depth).max().unwrap_or(0);
        if self.plies.lists.len() < deepest as usize {
            self.plies = Plies::new(self.functions, deepest);
        }
    }

    /// The timed loops. Returns the leaves, or the number of attacked squares.
    pub(super) fn pass(
        &mut self,
        operation: Operation,
        boards: &mut Slots,
        range: Range<usize>,
    ) -> u64 {
        let Workspace { functions, asked, plies, .. } = self;
        let questions = range.clone().zip(&asked[range]);
        match operation {
            Operation::Attacked => questions
                .map(|(board, asked)| {
                    u64::from(functions.attacked(boards, board, asked.square, asked.by))
                })
                .sum(),
            Operation::Perft => questions
                .map(|(board, asked)| plies.counted(boards, board, asked.depth, Leaves::Made))
                .sum(),
            Operation::PerftBulk => questions
                .map(|(board, asked)| plies.counted(boards, board, asked.depth, Leaves::Bulk))
                .sum(),
            other => panic!("the call `{other}`, which no plug-in offers"),
        }
    }

    /// Makes the calls once more and folds their answers, as a built-in design does.
    pub(super) fn check(
        &mut self,
        operation: Operation,
        boards: &mut Slots,
        range: Range<usize>,
    ) -> Checksum {
        let mut checksum = Checksum::default();
        for place in range {
            add_answer(&mut checksum, self.pass(operation, boards, place..place + 1), 0);
        }
        checksum
    }
}

/// The answers of a design, to be compared with those of an oracle; none if it refuses the position.
pub(super) fn answers(functions: Functions, operation: Operation, position: &Position) -> Answers {
    let mut boards = functions.boards().with(1);
    if !functions.load(&position.to_string(), &mut boards, 0) {
        return Answers::new();
    }
    if operation == Operation::Attacked {
        let set = |by| {
            let is_attacked = |&square: &Square| functions.attacked(&boards, 0, square, by);
            Square::all().filter(is_attacked).fold(0, |set, square| set | square.bit())
        };
        return Color::ALL.map(set).to_vec();
    }
    let mut workspace = Workspace::new(functions);
    workspace.choose(Some(operation));
    workspace.prepare(0, std::slice::from_ref(position));
    vec![workspace.pass(operation, &mut boards, 0..1)]
}
