//! The untimed calls that check an operation: each answer is folded into a checksum.

use raywalk_core::random::mix;
use raywalk_core::{Board, Checksum, Entries, FIRST_MOVES, Move, MoveFormat, MoveList, StageId};
use raywalk_results::schema::Operation;

use super::{OFFERED, Workspace, attacked, in_check};
use crate::design::Pass;

impl<G: Entries> Workspace<G> {
    /// Makes the calls once more and folds their answers. A design that may choose its answer, as with the
    /// first capture, is asked whether its choice is among the moves of its stage.
    pub(crate) fn check(&mut self, operation: Operation, pass: Pass<'_, G>) -> Checksum {
        let Pass { generator, boards, range, list } = pass;
        let optional = &G::OPTIONAL;
        let mut checksum = Checksum::default();
        let mut add = |results: u64, word: u64| add_answer(&mut checksum, results, word);
        for place in range {
            let board = &mut boards[place];
            match operation {
                Operation::PieceAttacks => {
                    let attacks = optional.piece_attacks.expect(OFFERED);
                    let set = attacks(generator, board, self.prepared.squares[place]);
                    add(set.count_ones().into(), set);
                }
                Operation::SideAttacks => {
                    self.sets.clear();
                    optional.side_attacks.expect(OFFERED)(generator, board, &mut self.sets);
                    add(self.sets.len() as u64, self.sets.fold());
                }
                Operation::QueenLookups => {
                    let lookups = optional.queen_lookups.expect(OFFERED);
                    let order = self.prepared.orders[place];
                    add(order.len() as u64, lookups(generator, board, order));
                }
                Operation::Attacked => add(attacked(board, self.prepared.squares[place]).into(), 0),
                Operation::InCheck => add(in_check(board).into(), 0),
                Operation::MakeUnmake => {
                    let moves = self.prepared.moves_of(place);
                    let mut word = 0;
                    for &mv in moves {
                        word = mix(word ^ made(board, mv));
                    }
                    add(moves.len() as u64, word);
                }
                Operation::FirstCapture => {
                    let found = optional.first_capture.expect(OFFERED)(generator, board);
                    list.clear();
                    generator.stage(StageId::Captures, board, list);
                    let right = match found {
                        Some(capture) => is_in(list, capture),
                        None => list.is_empty(),
                    };
                    add(found.is_some().into(), right.into());
                }
                Operation::FirstMoves => {
                    list.clear();
                    optional.completed_first_moves(generator, board, list);
                    let all = &mut self.plies[0];
                    all.clear();
                    generator.stage(StageId::All, board, all);
                    add(list.len() as u64, are_first(list, all).into());
                }
                Operation::MovesTo => {
                    list.clear();
                    optional.moves_to.expect(OFFERED)(
                        generator,
                        board,
                        self.prepared.squares[place],
                        list,
                    );
                    add(list.len() as u64, folded(list));
                }
                Operation::WinningCaptures => {
                    list.clear();
                    optional.winning_captures.expect(OFFERED)(generator, board, list);
                    add(list.len() as u64, folded(list));
                }
                Operation::Paired => {
                    list.clear();
                    generator.stage(StageId::Captures, board, list);
                    generator.stage(StageId::Quiets, board, list);
                    add(list.len() as u64, folded(list));
                }
                Operation::Perft | Operation::PerftBulk => {
                    add(self.leaves(operation, generator, board, place), 0);
                }
            }
        }
        checksum
    }
}

/// A word of the board after a move and after it is taken back: the squares that the move touches and the
/// state. Whole boards are compared when a design is verified.
fn made<B: Board>(board: &mut B, mv: Move) -> u64 {
    fn seen<B: Board>(board: &B, mv: Move) -> u64 {
        let piece = |square| {
            board
                .piece_at(square)
                .map_or(0, |piece| 1 + piece.kind.index() as u64 + 6 * piece.color.index() as u64)
        };
        let state = board.state();
        let passed = state.en_passant.map_or(64, |square| u64::from(square.number()));
        let rights = u64::from(state.rights.bits());
        piece(mv.from())
            | piece(mv.to()) << 4
            | passed << 8
            | rights << 16
            | (state.side as u64) << 24
    }
    let undo = board.make(mv);
    let after = seen(board, mv);
    board.unmake(mv, undo);
    after << 32 | seen(board, mv)
}

/// Adds the answer to an operation in one position: its results, and a word that depends on everything else in it.
pub fn add_answer(checksum: &mut Checksum, results: u64, word: u64) {
    checksum.moves += results;
    // Unlike the moves of a list, positions have one order, so their answers are chained and not added.
    checksum.word = mix(checksum.word ^ mix(word ^ mix(results)));
}

/// Whether a list holds as many different moves of all as *first moves* promises.
fn are_first<F: MoveFormat>(list: &MoveList<F>, all: &MoveList<F>) -> bool {
    let mut moves: Vec<Move> = list.moves().collect();
    moves.sort_unstable();
    moves.dedup();
    moves.len() == list.len()
        && moves.len() == all.len().min(FIRST_MOVES)
        && moves.iter().all(|&mv| is_in(all, mv))
}

fn is_in<F: MoveFormat>(list: &MoveList<F>, mv: Move) -> bool {
    list.moves().any(|other| other == mv)
}

/// The checksum of one list.
fn folded<F: MoveFormat>(list: &MoveList<F>) -> u64 {
    let mut checksum = Checksum::default();
    checksum.add(list);
    checksum.word
}
