//! Quiescence search over captures and promotions.

use cozy_chess::{Move, Piece, Rank};

use crate::evaluation::{evaluate, value};
use crate::oracle::{Board, neutral_kind};

/// Greater than any value that a search returns.
pub(crate) const INFINITE: i32 = 100_000;

/// A quiescence search with one stack of moves for all nodes on the current path, so that nodes do
/// not allocate.
#[derive(Default)]
pub(crate) struct Quiescence {
    stack: Vec<(i32, Move)>,
}

impl Quiescence {
    /// The fail-soft value of a board in centipawns for the side to move, within `alpha` and
    /// `beta`.
    ///
    /// The side to move may stand pat, even in check. It tries legal captures of a piece on the
    /// target square and pawn moves to the last rank, promoting to a queen only. En passant is left
    /// out, and alpha-beta is the only pruning. With a full window the value does not depend on the
    /// move order.
    pub(crate) fn search(&mut self, board: &Board, alpha: i32, beta: i32) -> i32 {
        self.search_from(board, evaluate(board), alpha, beta)
    }

    /// As [`search`](Quiescence::search), for a board whose evaluation `stand` is known.
    pub(crate) fn search_from(&mut self, board: &Board, stand: i32, alpha: i32, beta: i32) -> i32 {
        let mut best = stand;
        if best >= beta {
            return best;
        }
        let base = self.stack.len();
        self.push_captures(board);
        while let Some(mv) = self.pop_best(base) {
            let mut child = board.clone();
            child.play_unchecked(mv);
            let reached = -self.search(&child, -beta, -alpha.max(best));
            if reached > best {
                best = reached;
                if best >= beta {
                    break;
                }
            }
        }
        self.stack.truncate(base);
        best
    }

    fn push_captures(&mut self, board: &Board) {
        let enemy = board.colors(!board.side_to_move());
        let last_rank = Rank::Eighth.relative_to(board.side_to_move()).bitboard();
        board.generate_moves(|moves| {
            let pawn = moves.piece == Piece::Pawn;
            let wanted = if pawn { enemy | last_rank } else { enemy };
            for to in moves.to & wanted {
                let promotion = (pawn && last_rank.has(to)).then_some(Piece::Queen);
                let mv = Move { from: moves.from, to, promotion };
                let gain = board.piece_on(to).map_or(0, |victim| 8 * value(neutral_kind(victim)))
                    - value(neutral_kind(moves.piece))
                    + if promotion.is_some() { 8 * value(raywalk_core::Kind::Queen) } else { 0 };
                self.stack.push((gain, mv));
            }
            false
        });
    }

    /// Removes and returns the move with the highest gain above `base`.
    fn pop_best(&mut self, base: usize) -> Option<Move> {
        let captures = self.stack.get(base..)?;
        let best = (0..captures.len()).max_by_key(|&n| captures[n].0)?;
        Some(self.stack.swap_remove(base + best).1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::tests::KNOWN;

    #[test]
    fn known_positions_have_known_quiescence_values() {
        for (name, fen, _, known) in KNOWN {
            let board: Board = fen.parse().expect("a FEN that cozy-chess accepts");
            let found = Quiescence::default().search(&board, -INFINITE, INFINITE);
            assert!(known.is_none_or(|known| known == found), "{name}: {found}");
        }
    }

    #[test]
    fn a_narrow_window_returns_a_correct_bound() {
        for (name, fen, _, known) in KNOWN {
            let Some(known) = known else { continue };
            let board: Board = fen.parse().expect("a FEN that cozy-chess accepts");
            for beta in [known - 50, known, known + 1, known + 50] {
                let found = Quiescence::default().search(&board, -INFINITE, beta);
                let right =
                    if known >= beta { found >= beta && found <= known } else { found == known };
                assert!(right, "{name} with beta {beta}: {found}");
            }
        }
    }
}
