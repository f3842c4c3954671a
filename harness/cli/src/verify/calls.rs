//! Compares the calls that a design offers, other than generation, with cozy-chess.
//!
//! Where a design may choose its answer (the first capture, the first moves), and for pseudo-legal moves,
//! which cozy-chess does not generate, the answer is compared with the stages of the design itself. Their
//! legal moves are compared with cozy-chess as well. The leaves of a perft are those that were published, if they were.

use raywalk_core::{Color, Legality, Move, Position};
use raywalk_measure::design::{Answers, Design, fingerprint, word};
use raywalk_positions::facts;
use raywalk_positions::oracle::{self, Board};
use raywalk_results::schema::Operation;

use super::Stages;

/// The operations that a design offers.
pub(super) fn offered(design: &dyn Design) -> impl Iterator<Item = Operation> + '_ {
    Operation::ALL.iter().copied().filter(|&operation| design.offers(operation.into()))
}

/// A position and what cozy-chess expects of the calls there.
pub(super) struct Expected {
    pub(super) position: Position,
    /// The legal moves, sorted.
    pub(super) legal: Vec<Move>,
    /// The winning captures, pseudo-legal ones as well.
    winning_captures: Vec<Move>,
    /// The attack sets of the pieces of the side to move, by square.
    attack_sets: Answers,
    /// The squares that White attacks, and those that Black attacks.
    attacked: Answers,
    queen_lookups: u64,
    in_check: bool,
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
        let attack_sets = |by| oracle::attack_sets(&board, by).into_iter().map(|(_, set)| set);
        let union = |by| attack_sets(by).fold(0, |union, set| union | set);
        Some(Expected {
            position: *position,
            legal,
            winning_captures: oracle::winning_captures(&board),
            attack_sets: attack_sets(position.side()).collect(),
            attacked: Color::ALL.map(union).to_vec(),
            queen_lookups: oracle::queen_lookups(&board),
            in_check: oracle::in_check(&board),
            made,
            leaves,
        })
    }
}

/// The errors in the answers of a design, one line each. Empty if all answers are right. `stages` are its stages in the
/// position.
pub(super) fn errors(
    design: &dyn Design,
    operation: Operation,
    expected: &Expected,
    stages: &Stages,
) -> Vec<String> {
    let found = design.answers(operation, &expected.position, &expected.legal);
    let words = |moves: &[Move]| -> Answers { moves.iter().copied().map(word).collect() };
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
    let equal = |expected: &[u64]| differences(expected, &found);
    match operation {
        Operation::PieceAttacks | Operation::SideAttacks => equal(&expected.attack_sets),
        Operation::QueenLookups => equal(&[expected.queen_lookups]),
        Operation::Attacked => equal(&expected.attacked),
        Operation::InCheck => equal(&[expected.in_check.into()]),
        Operation::MakeUnmake => equal(&expected.made),
        Operation::FirstCapture => among(words(&stages.captures), 1),
        Operation::FirstMoves => among(words(&stages.all), raywalk_core::FIRST_MOVES),
        Operation::MovesTo => {
            let mut moves = stages.all.clone();
            moves.sort_unstable_by_key(|mv| (mv.to(), *mv));
            equal(&words(&moves))
        }
        Operation::WinningCaptures => {
            let mut moves = expected.winning_captures.clone();
            moves.retain(|mv| design.legality() == Legality::Pseudo || expected.legal.contains(mv));
            equal(&words(&moves))
        }
        Operation::Paired => equal(&words(&stages.all)),
        Operation::Perft | Operation::PerftBulk => equal(&[expected.leaves]),
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
