//! Compares the calls that a design offers, other than generation, with cozy-chess.
//!
//! Where a design may choose its answer (the first capture, the first moves), and for pseudo-legal moves,
//! which cozy-chess does not generate, the answer is compared with the stages of the design itself. Their
//! legal moves are compared with cozy-chess as well. The leaves of a perft are those that were published, if they were.

use raywalk_core::{Color, Legality, Move, Position};
use raywalk_measure::design::{Answers, Design, fingerprint, word};
use raywalk_positions::facts;
use raywalk_positions::oracle::{self, Board};
use raywalk_results::schema::{Operation, Stage};

/// The operations that a design offers.
pub(super) fn offered(design: &dyn Design) -> impl Iterator<Item = Operation> + '_ {
    Operation::ALL.iter().copied().filter(|&operation| design.offers(operation.into()))
}

/// A position as cozy-chess sees it, and what it expects of several calls.
pub(super) struct Expected {
    pub(super) position: Position,
    board: Board,
    /// The legal moves, sorted.
    pub(super) legal: Vec<Move>,
    /// The fingerprints behind them, in the same order, and that of the position.
    made: Answers,
    /// The leaves of the perft.
    leaves: u64,
}

impl Expected {
    /// `None` if cozy-chess rejects the position.
    pub(super) fn of(position: &Position) -> Option<Expected> {
        let board = oracle::board(position).ok()?;
        let mut children = Vec::new();
        oracle::each_move(&board, |theirs, mv| {
            let mut child = board.clone();
            child.play_unchecked(theirs);
            children.push((mv, child));
        });
        children.sort_unstable_by_key(|(mv, _)| *mv);
        let legal = children.iter().map(|(mv, _)| *mv).collect();
        let after = children.iter().map(|(_, child)| fingerprint(&oracle::position(child)));
        let made = after.chain([fingerprint(position)]).collect();
        let leaves = |child: &Board| {
            let mut leaves = 0;
            oracle::each_move(child, |_, _| leaves += 1);
            leaves
        };
        let leaves = match facts::timed_perft(position) {
            Some((_, published)) => published,
            None => children.iter().map(|(_, child)| leaves(child)).sum(),
        };
        Some(Expected { position: *position, board, legal, made, leaves })
    }
}

/// The errors in the answers of a design, one line each. Empty if all answers are right.
pub(super) fn errors(
    design: &dyn Design,
    operation: Operation,
    expected: &Expected,
) -> Vec<String> {
    let Expected { position, board, legal, made, leaves } = expected;
    let found = design.answers(operation, position, legal);
    let stage = |stage| -> Answers {
        let mut moves = design.generated(position, stage);
        moves.sort_unstable();
        moves.into_iter().map(word).collect()
    };
    let among = |moves: Answers, fewest: usize| {
        let mut lines: Vec<String> = found
            .iter()
            .filter(|word| !moves.contains(word))
            .map(|word| format!("{}: not a move of the stage", Move::from_bits(*word as u16)))
            .collect();
        if found.len() < fewest.min(moves.len()) || found.windows(2).any(|pair| pair[0] == pair[1])
        {
            lines.push(format!("{} moves of {}, or one of them twice", found.len(), moves.len()));
        }
        lines
    };
    let equal = |expected: Answers| differences(&expected, &found);
    match operation {
        Operation::PieceAttacks | Operation::SideAttacks => {
            let sets = oracle::attack_sets(board, position.side());
            equal(sets.into_iter().map(|(_, set)| set).collect())
        }
        Operation::QueenLookups => equal(vec![oracle::queen_lookups(board)]),
        Operation::Attacked => {
            let union = |by| {
                oracle::attack_sets(board, by).into_iter().fold(0, |union, (_, set)| union | set)
            };
            equal(Color::ALL.map(union).to_vec())
        }
        Operation::InCheck => equal(vec![oracle::in_check(board).into()]),
        Operation::MakeUnmake => equal(made.clone()),
        Operation::FirstCapture => among(stage(Stage::Captures), 1),
        Operation::FirstMoves => among(stage(Stage::All), raywalk_core::FIRST_MOVES),
        Operation::MovesTo => {
            let mut moves = design.generated(position, Stage::All);
            moves.sort_unstable_by_key(|mv| (mv.to(), *mv));
            equal(moves.into_iter().map(word).collect())
        }
        Operation::WinningCaptures => {
            let mut moves = oracle::winning_captures(board);
            let promised = |mv: &Move| design.legality() == Legality::Pseudo || legal.contains(mv);
            moves.retain(promised);
            equal(moves.into_iter().map(word).collect())
        }
        Operation::Paired => equal(stage(Stage::All)),
        Operation::Perft | Operation::PerftBulk => equal(vec![*leaves]),
    }
}

/// One line per word that differs.
fn differences(expected: &[u64], found: &[u64]) -> Vec<String> {
    if expected.len() != found.len() {
        return vec![format!("{} answers instead of {}", found.len(), expected.len())];
    }
    let pairs =
        expected.iter().zip(found).enumerate().filter(|(_, (expected, found))| expected != found);
    pairs
        .map(|(place, (expected, found))| {
            format!("answer {}: expected {expected:#x}, found {found:#x}", place + 1)
        })
        .collect()
}
