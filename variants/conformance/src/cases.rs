//! The positions that designs are judged on, made once per test process.

use std::sync::LazyLock;

use raywalk_core::Position;
use raywalk_positions::{facts, oracle, random};

/// Every position of the perft facts: the rare rules, each at least once.
pub static RULES: LazyLock<Vec<Position>> =
    LazyLock::new(|| facts::perft().iter().map(|fact| fact.position).collect());

/// The rare rules, and two thousand positions of random play: what no author thought of.
pub static ALL: LazyLock<Vec<Position>> =
    LazyLock::new(|| RULES.iter().copied().chain(playouts(24, 120)).collect());

/// Positions of `games` games of uniformly random legal moves, at most `plies` each. They begin at
/// the start position and at rule positions in turn.
fn playouts(games: u64, plies: u64) -> Vec<Position> {
    let mut positions = Vec::new();
    for game in 0..games {
        let start = RULES[game as usize * 7 % RULES.len()];
        let start = if game % 3 == 0 { Position::default() } else { start };
        let mut board = oracle::board(&start).expect("a fact is a position");
        for ply in 0..plies {
            positions.push(oracle::position(&board));
            let mut moves = Vec::new();
            oracle::each_move(&board, |theirs, ours| moves.push((ours, theirs)));
            if moves.is_empty() {
                break;
            }
            moves.sort_unstable_by_key(|&(ours, _)| ours);
            let choice = random::h(7, game, ply, 0) % moves.len() as u64;
            board.play(moves[choice as usize].1);
        }
    }
    positions
}
