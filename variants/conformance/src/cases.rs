//! The test positions, computed once per test process.

use std::sync::LazyLock;

use raywalk_core::Position;
use raywalk_positions::{facts, oracle, random};

use crate::size::SIZE;

/// All positions of the perft facts. They cover every rare rule at least once.
pub(crate) static RULES: LazyLock<Vec<Position>> =
    LazyLock::new(|| facts::perft().iter().map(|fact| fact.position).collect());

/// The rule positions and, in the full kit, about two thousand positions from random games, for cases
/// that nobody thought of.
pub(crate) static ALL: LazyLock<Vec<Position>> =
    LazyLock::new(|| RULES.iter().copied().chain(playouts(SIZE.games, 120)).collect());

/// The positions of `games` games with uniformly random legal moves and at most `plies` plies each.
/// Every third game begins at the start position, the others at rule positions.
fn playouts(games: u64, plies: u64) -> Vec<Position> {
    let mut positions = Vec::new();
    for game in 0..games {
        // Steps of seven spread the games over the groups of the facts.
        let start = RULES[game as usize * 7 % RULES.len()];
        let start = if game % 3 == 0 { Position::default() } else { start };
        let mut board = oracle::board(&start).expect("the oracle accepts every fact");
        for ply in 0..plies {
            positions.push(oracle::position(&board));
            let mut moves = Vec::new();
            oracle::each_move(&board, |theirs, ours| moves.push((ours, theirs)));
            if moves.is_empty() {
                break;
            }
            // Sorted, so that a game does not depend on the oracle's order of moves.
            moves.sort_unstable_by_key(|&(ours, _)| ours);
            let choice = random::random_word(7, game, ply, 0) % moves.len() as u64;
            board.play(moves[choice as usize].1);
        }
    }
    positions
}
