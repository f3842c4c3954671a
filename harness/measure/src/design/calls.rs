//! The calls of a design besides generation: their arguments, their timing and their checks.
//!
//! The square of an attack test and the moves to make are prepared with the boards, from the position alone, so that
//! every design gets the same ones. The moves come from the oracle: a design that generated them itself would have
//! seen the batch before it is timed on it.
//!
//! Each operation has one loop, which calls one function that is not inlined: a compiled entry of the
//! design, or here a function of its board. Designs with the same board execute the same copy of the
//! latter.

use std::hint::black_box;

use raywalk_core::random::mix;
use raywalk_core::{
    AttackSets, Board, Entries, Generator, Key, LOOKUP_ORDERS, Leaves, Legality, LookupOrder, Move,
    MoveFormat, MoveList, Position, Square,
};
use raywalk_positions::oracle;
use raywalk_results::schema::Operation;

use super::Pass;
use super::perft::{in_lists, perft_depth};

mod check;

pub use check::add_answer;

/// Arguments of the operation for each board. They come from the positions alone.
#[derive(Default)]
struct Prepared {
    /// The operation that boards are prepared for.
    operation: Option<Operation>,
    /// The square to test, for each board, if the operation needs one.
    squares: Vec<Square>,
    /// The squares to look up, for each board, if the operation looks up all of them.
    orders: Vec<&'static LookupOrder>,
    /// The legal moves of all boards, if the operation needs them, and where those of each board end.
    moves: Vec<Move>,
    ends: Vec<usize>,
    /// The depth of the perft of each board, if the operation is one.
    depths: Vec<u32>,
}

impl Prepared {
    fn choose(&mut self, operation: Option<Operation>) {
        self.operation = operation;
        self.keep(0);
    }

    fn keep(&mut self, boards: usize) {
        self.squares.truncate(boards);
        self.orders.truncate(boards);
        self.depths.truncate(boards);
        self.ends.truncate(boards);
        self.moves.truncate(self.ends.last().copied().unwrap_or(0));
    }

    fn extend(&mut self, positions: &[Position]) {
        for position in positions {
            match self.operation {
                Some(Operation::PieceAttacks) => self.squares.push(own_piece(position)),
                Some(Operation::Attacked) => self.squares.push(any_square(position)),
                Some(Operation::QueenLookups) => self.orders.push(lookup_order(position)),
                Some(operation) if operation.counts_leaves() => {
                    self.depths.push(perft_depth(position));
                }
                Some(Operation::MovesTo) => self.squares.push(target(position)),
                Some(Operation::MakeUnmake) => {
                    self.moves.extend(legal_moves(position));
                    self.ends.push(self.moves.len());
                }
                _ => {}
            }
        }
    }

    fn deepest(&self) -> usize {
        self.depths.iter().copied().max().unwrap_or(0) as usize
    }

    /// The legal moves of a board.
    fn moves_of(&self, place: usize) -> &[Move] {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.moves[start..self.ends[place]]
    }
}

/// Data that the operations of a design need besides its tables and boards.
pub(super) struct Workspace<G: Entries> {
    prepared: Prepared,
    sets: AttackSets,
    /// The moves of each ply of a perft. At least one list.
    plies: Vec<MoveList<G::Moves>>,
}

impl<G: Entries> Default for Workspace<G> {
    fn default() -> Workspace<G> {
        Workspace {
            prepared: Prepared::default(),
            sets: AttackSets::new(),
            plies: vec![MoveList::new()],
        }
    }
}

impl<G: Entries> Workspace<G> {
    /// Chooses what later boards are prepared for. The boards before it are not.
    pub(crate) fn choose(&mut self, operation: Option<Operation>) {
        self.prepared.choose(operation);
    }

    /// Whether boards are prepared for an operation.
    pub(crate) const fn has_operation(&self) -> bool {
        self.prepared.operation.is_some()
    }

    /// Forgets all boards but the first.
    pub(crate) fn keep(&mut self, boards: usize) {
        self.prepared.keep(boards);
    }

    /// Prepares the operation for further boards, behind those that are prepared.
    pub(crate) fn extend(&mut self, positions: &[Position]) {
        self.prepared.extend(positions);
        let plies = self.plies.len().max(self.prepared.deepest());
        self.plies.resize_with(plies, MoveList::new);
    }

    /// The leaves of a board. Those of a perft in bulk are the moves of its last ply, so only legal designs offer it.
    fn leaves(
        &mut self,
        operation: Operation,
        generator: &G,
        board: &mut G::Board,
        place: usize,
    ) -> u64 {
        let depth = self.prepared.depths[place];
        let leaves = leaves_of(operation);
        match G::OPTIONAL.perft {
            Some(perft) => perft(generator, board, depth, leaves),
            None => in_lists(generator, board, &mut self.plies[..depth as usize], leaves),
        }
    }

    /// The timed loops. Returns the number of results: squares of an attack set, sets, moves, leaves, or
    /// questions that were answered with yes.
    ///
    /// Panics if the design does not offer the operation, or if it was not chosen before the boards were
    /// loaded and needs something.
    pub(crate) fn pass(&mut self, operation: Operation, pass: Pass<'_, G>) -> u64 {
        let Pass { generator, boards, range, list } = pass;
        let optional = &G::OPTIONAL;
        let first = range.start;
        let boards = &mut boards[range.clone()];
        match operation {
            Operation::PieceAttacks => {
                let attacks = optional.piece_attacks.expect(OFFERED);
                sum(boards, &self.prepared.squares[range], |board, &square| {
                    u64::from(attacks(generator, board, square).count_ones())
                })
            }
            Operation::SideAttacks => {
                let attacks = optional.side_attacks.expect(OFFERED);
                let mut found = 0;
                for board in &*boards {
                    self.sets.clear();
                    attacks(generator, board, &mut self.sets);
                    found += self.sets.len() as u64;
                }
                black_box(&self.sets);
                found
            }
            Operation::QueenLookups => {
                let lookups = optional.queen_lookups.expect(OFFERED);
                let (mut all, mut found) = (0, 0);
                for (board, order) in boards.iter().zip(&self.prepared.orders[range]) {
                    all ^= lookups(generator, board, order);
                    found += order.len() as u64;
                }
                black_box(all);
                found
            }
            Operation::Attacked => sum(boards, &self.prepared.squares[range], |board, &square| {
                u64::from(attacked(board, square))
            }),
            Operation::InCheck => {
                boards.iter().fold(0, |sum, board| sum + u64::from(in_check(board)))
            }
            Operation::MakeUnmake => {
                let mut made = 0;
                for (place, board) in (first..).zip(boards) {
                    made += make_unmake(board, self.prepared.moves_of(place));
                }
                made
            }
            Operation::FirstCapture => {
                let capture = optional.first_capture.expect(OFFERED);
                let mut found = 0;
                for board in &*boards {
                    // The move itself is a result, not only that there is one.
                    found += u64::from(black_box(capture(generator, board)).is_some());
                }
                found
            }
            Operation::FirstMoves => {
                let moves = optional.first_moves.expect(OFFERED);
                let mut found = 0;
                for board in boards {
                    list.clear();
                    moves(generator, board, list);
                    match optional.complete {
                        None => make_last(board, list),
                        Some(complete) => make_last_code(generator, board, list, complete),
                    }
                    found += list.len() as u64;
                }
                found
            }
            Operation::MovesTo => {
                let moves = optional.moves_to.expect(OFFERED);
                let found = sum(boards, &self.prepared.squares[range], |board, &to| {
                    list.clear();
                    moves(generator, board, to, list);
                    list.len() as u64
                });
                black_box(&*list);
                found
            }
            Operation::WinningCaptures => {
                let captures = optional.winning_captures.expect(OFFERED);
                let mut found = 0;
                for board in &*boards {
                    list.clear();
                    captures(generator, board, list);
                    found += list.len() as u64;
                }
                black_box(&*list);
                found
            }
            Operation::Paired => {
                let mut found = 0;
                for board in &*boards {
                    list.clear();
                    generator.captures(board, list);
                    generator.quiets(board, list);
                    found += list.len() as u64;
                }
                black_box(&*list);
                found
            }
            Operation::Perft | Operation::PerftBulk => {
                let mut leaves = 0;
                for (place, board) in (first..).zip(boards) {
                    leaves += self.leaves(operation, generator, board, place);
                }
                leaves
            }
        }
    }
}

/// Method by which a perft counts its last ply.
pub(super) const fn leaves_of(operation: Operation) -> Leaves {
    match operation {
        Operation::PerftBulk => Leaves::Bulk,
        _ => Leaves::Made,
    }
}

/// Whether the design offers an operation.
pub(super) fn offers<G: Entries>(operation: Operation) -> bool {
    let optional = &G::OPTIONAL;
    match operation {
        Operation::PieceAttacks => optional.piece_attacks.is_some(),
        Operation::SideAttacks => optional.side_attacks.is_some(),
        Operation::QueenLookups => optional.queen_lookups.is_some(),
        Operation::FirstCapture => optional.first_capture.is_some(),
        Operation::FirstMoves => optional.first_moves.is_some(),
        Operation::MovesTo => optional.moves_to.is_some(),
        Operation::WinningCaptures => optional.winning_captures.is_some(),
        Operation::PerftBulk => <G as Generator>::CARD.legality == Legality::Legal,
        _ => operation.is_offered_by_all(),
    }
}

pub(super) const OFFERED: &str = "an entry, because only offered calls are made";

/// Sums what a call finds on each board with its square. The lengths are equal, because squares are
/// prepared with the boards.
#[inline(always)]
fn sum<B>(boards: &[B], squares: &[Square], mut call: impl FnMut(&B, &Square) -> u64) -> u64 {
    boards.iter().zip(squares).fold(0, |sum, (board, square)| sum + call(board, square))
}

/// Whether the side that is not to move attacks the square.
#[inline(never)]
fn attacked<B: Board>(board: &B, square: Square) -> bool {
    board.attacked(square, !board.state().side)
}

/// Whether the side to move is in check.
#[inline(never)]
fn in_check<B: Board>(board: &B) -> bool {
    board.in_check(board.state().side)
}

/// Makes each move and takes it back.
#[inline(never)]
fn make_unmake<B: Board>(board: &mut B, moves: &[Move]) -> u64 {
    for &mv in moves {
        let undo = board.make(mv);
        // Otherwise the compiler could cancel out what is inlined of both.
        black_box(&mut *board);
        board.unmake(mv, undo);
    }
    moves.len() as u64
}

/// Makes the last move of a list from its code, and takes it back.
#[inline(never)]
fn make_last<G: Board, F: MoveFormat>(board: &mut G, list: &MoveList<F>) {
    // For an empty list the place wraps to one that no list has.
    if let Some(mv) = list.moves().nth(list.len().wrapping_sub(1)) {
        let undo = board.make(mv);
        black_box(&mut *board);
        board.unmake(mv, undo);
    }
}

/// The same for a list of codes: completes the last one, as a program does that keeps codes until it makes
/// a move.
#[inline(always)]
fn make_last_code<G, B: Board, F: MoveFormat>(
    generator: &G,
    board: &mut B,
    list: &MoveList<F>,
    complete: fn(&G, &B, Move) -> Move,
) {
    if let Some(word) = list.moves().nth(list.len().wrapping_sub(1)) {
        let mv = complete(generator, board, word);
        make_unmake(board, &[mv]);
    }
}

/// A number that depends on the position only.
fn draw(position: &Position, purpose: u64, below: usize) -> usize {
    // The purpose makes the draws of one position independent of each other.
    (mix(Key::of(position).0 ^ purpose) % below.max(1) as u64) as usize
}

/// The square of one of the pieces of the side to move.
fn own_piece(position: &Position) -> Square {
    let own: Vec<_> =
        position.pieces().filter(|(_, piece)| piece.color == position.side()).collect();
    own.get(draw(position, 1, own.len())).map_or(position.king(position.side()), |own| own.0)
}

/// The square that [`Operation::Attacked`] tests.
pub fn any_square(position: &Position) -> Square {
    Square::from_low_bits(draw(position, 2, 64) as u32)
}

/// The order in which the queens of [`Operation::QueenLookups`] are looked up.
pub(super) fn lookup_order(position: &Position) -> &'static LookupOrder {
    &LOOKUP_ORDERS[draw(position, 4, LOOKUP_ORDERS.len())]
}

/// The target of one of the legal moves. Without legal moves the own king's square, where no move ends.
fn target(position: &Position) -> Square {
    let moves = legal_moves(position);
    let drawn = moves.get(draw(position, 3, moves.len()));
    drawn.map_or(position.king(position.side()), |mv| mv.to())
}

/// Sorted. Empty if the oracle refuses the position, which no workload contains.
fn legal_moves(position: &Position) -> Vec<Move> {
    oracle::legal_moves(position).unwrap_or_default()
}
