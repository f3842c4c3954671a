//! The answers of a design to an operation in one position, in a form that can be compared with those of an
//! independent oracle. They serve to verify designs and are never timed.

use raywalk_core::random::mix;
use raywalk_core::{
    AttackSets, Board, Color, Entries, Key, Move, MoveList, Position, Square, StageId, perft,
};
use raywalk_results::schema::Operation;

use super::calls::{OFFERED, leaves_of};
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
pub(super) fn of<G: Entries>(
    generator: &G,
    operation: Operation,
    position: &Position,
    legal: &[Move],
) -> Answers {
    let optional = &G::OPTIONAL;
    let mut board = G::Board::new(position);
    let mut list = MoveList::new();
    let sorted = |list: &MoveList<G::Moves>| {
        let mut moves: Vec<Move> = list.moves().collect();
        moves.sort_unstable();
        moves.into_iter().map(word).collect()
    };
    match operation {
        Operation::PieceAttacks => {
            let attacks = optional.piece_attacks.expect(OFFERED);
            let own = position.pieces().filter(|(_, piece)| piece.color == position.side());
            own.map(|(square, _)| attacks(generator, &board, square)).collect()
        }
        Operation::SideAttacks => {
            let mut sets = AttackSets::new();
            optional.side_attacks.expect(OFFERED)(generator, &board, &mut sets);
            let mut pairs: Vec<_> = sets.iter().collect();
            pairs.sort_unstable();
            pairs.into_iter().map(|(_, set)| set).collect()
        }
        Operation::QueenLookups => {
            vec![optional.queen_lookups.expect(OFFERED)(generator, &board)]
        }
        Operation::Attacked => {
            let set = |by| {
                let attacked = Square::all().filter(|&square| board.attacked(square, by));
                attacked.fold(0, |set, square| set | square.bit())
            };
            Color::ALL.map(set).to_vec()
        }
        Operation::InCheck => vec![board.in_check(position.side()).into()],
        Operation::MakeUnmake => {
            let mut words = Vec::with_capacity(legal.len() + 1);
            for &mv in legal {
                let undo = board.make(mv);
                words.push(fingerprint(&board.position()));
                board.unmake(mv, undo);
            }
            words.push(fingerprint(&board.position()));
            words
        }
        Operation::FirstCapture => {
            let found = optional.first_capture.expect(OFFERED)(generator, &board);
            found.map(word).into_iter().collect()
        }
        Operation::FirstMoves => {
            optional.completed_first_moves(generator, &board, &mut list);
            sorted(&list)
        }
        Operation::MovesTo => {
            let moves = optional.moves_to.expect(OFFERED);
            let to = |square| -> Answers {
                list.clear();
                moves(generator, &board, square, &mut list);
                sorted(&list)
            };
            Square::all().flat_map(to).collect()
        }
        Operation::WinningCaptures => {
            optional.winning_captures.expect(OFFERED)(generator, &board, &mut list);
            sorted(&list)
        }
        Operation::Paired => {
            generator.stage(StageId::Captures, &board, &mut list);
            generator.stage(StageId::Quiets, &board, &mut list);
            sorted(&list)
        }
        Operation::Perft | Operation::PerftBulk => {
            vec![perft(generator, &mut board, perft_depth(position), leaves_of(operation))]
        }
    }
}
