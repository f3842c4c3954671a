//! The answers of a design to an operation in one position, in a form that can be compared with those of an
//! independent oracle. They serve to verify designs and are never timed.

use raywalk_core::random::mix;
use raywalk_core::{
    AttackSets, Board, Color, Entries, Key, Move, MoveFormat, MoveList, Position, Square, StageId,
    perft,
};
use raywalk_results::schema::Operation;

use super::calls::{OFFERED, leaves_of, lookup_order};
use super::perft::perft_depth;

/// Words that a right design and the oracle agree on. [`Operation`] describes them.
///
/// | operation | words |
/// |---|---|
/// | piece-attacks, side-attacks | the sets of the pieces of the side to move, by square |
/// | queen-lookups | the sets of a queen on each square, combined by exclusive or |
/// | attacked | the squares that White attacks, and those that Black attacks |
/// | in-check | 1 for yes |
/// | make-unmake | for each legal move, sorted, the [`fingerprint`] after it, then that of the position |
/// | first-capture | the move, or nothing |
/// | first-moves, paired | the moves, sorted |
/// | moves-to | the moves to all squares, by square, each sorted |
/// | winning-captures | the moves, sorted |
/// | perft, perft-bulk | the leaves at the [depth](super::perft_depth) of the position |
pub type Answers = Vec<u64>;

/// A word of everything that a move changes; the halfmove clock excepted, which designs and oracles count
/// differently beyond 100.
pub fn fingerprint(position: &Position) -> u64 {
    mix(Key::of(position).0 ^ mix(u64::from(position.state().fullmove)))
}

/// The word of a move in [`Answers`].
pub fn word(mv: Move) -> u64 {
    u64::from(mv.bits())
}

/// The answers of a design that offers the operation. `legal` are the legal moves, sorted.
///
/// It is compiled for each design, so it has plain loops: adapters of iterators would be compiled for each design too.
pub(super) fn of<G: Entries>(
    generator: &G,
    operation: Operation,
    position: &Position,
    legal: &[Move],
) -> Answers {
    let optional = &G::OPTIONAL;
    let mut board = G::Board::new(position);
    let mut list = MoveList::new();
    let mut words = Answers::new();
    match operation {
        Operation::PieceAttacks => {
            let attacks = optional.piece_attacks.expect(OFFERED);
            for square in own_pieces(position) {
                words.push(attacks(generator, &board, square));
            }
        }
        Operation::SideAttacks => {
            let mut sets = AttackSets::new();
            optional.side_attacks.expect(OFFERED)(generator, &board, &mut sets);
            words = by_square(&sets);
        }
        Operation::QueenLookups => {
            let lookups = optional.queen_lookups.expect(OFFERED);
            words.push(lookups(generator, &board, lookup_order(position)));
        }
        Operation::Attacked => {
            for by in Color::ALL {
                let mut set = 0;
                for number in 0..64 {
                    let square = Square::from_low_bits(number);
                    if board.attacked(square, by) {
                        set |= square.bit();
                    }
                }
                words.push(set);
            }
        }
        Operation::InCheck => words.push(board.in_check(position.side()).into()),
        Operation::MakeUnmake => {
            for &mv in legal {
                let undo = board.make(mv);
                words.push(fingerprint(&board.position()));
                board.unmake(mv, undo);
            }
            words.push(fingerprint(&board.position()));
        }
        Operation::FirstCapture => {
            if let Some(capture) = optional.first_capture.expect(OFFERED)(generator, &board) {
                words.push(word(capture));
            }
        }
        Operation::FirstMoves => {
            optional.completed_first_moves(generator, &board, &mut list);
            words = sorted(&list);
        }
        Operation::MovesTo => {
            let moves = optional.moves_to.expect(OFFERED);
            for number in 0..64 {
                list.clear();
                moves(generator, &board, Square::from_low_bits(number), &mut list);
                words.extend_from_slice(&sorted(&list));
            }
        }
        Operation::WinningCaptures => {
            optional.winning_captures.expect(OFFERED)(generator, &board, &mut list);
            words = sorted(&list);
        }
        Operation::Paired => {
            generator.stage(StageId::Captures, &board, &mut list);
            generator.stage(StageId::Quiets, &board, &mut list);
            words = sorted(&list);
        }
        Operation::Perft | Operation::PerftBulk => {
            let depth = perft_depth(position);
            words.push(perft(generator, &mut board, depth, leaves_of(operation)));
        }
    }
    words
}

fn own_pieces(position: &Position) -> Vec<Square> {
    let own = position.pieces().filter(|(_, piece)| piece.color == position.side());
    own.map(|(square, _)| square).collect()
}

fn by_square(sets: &AttackSets) -> Answers {
    let mut pairs: Vec<_> = sets.iter().collect();
    pairs.sort_unstable();
    pairs.into_iter().map(|(_, set)| set).collect()
}

fn sorted<F: MoveFormat>(list: &MoveList<F>) -> Answers {
    let mut moves: Vec<Move> = list.moves().collect();
    moves.sort_unstable();
    moves.into_iter().map(word).collect()
}
