//! SP1: games that a small engine plays against itself.
//!
//! The engine searches one ply followed by a capture quiescence, and adds bounded noise that
//! depends on seed, game, ply and move only. Its positions are close to those of master games in
//! what determines the cost of a move generator: legal moves, captures, pieces per ply, length of
//! rays. [`Rules::LONG`] disables resignation and agreed draws, so that games continue into
//! endings.
//!
//! A game depends only on its rules and its number, so games can be played on all cores.

use cozy_chess::{BitBoard, Piece};
use raywalk_core::Move;

use crate::evaluation::evaluate;
use crate::oracle::{self, Board};
use crate::quiescence::{INFINITE, Quiescence};
use crate::random::{move_code, random_word, triangular};

/// Maximum plies of a game.
const LONGEST: u64 = 300;
/// The value of a mate.
const MATE: i32 = 30_000;
/// Bonus of a capture when moves are chosen, in centipawns.
const CAPTURE_BONUS: i32 = 40;
/// Key of the random word that decides on an agreed draw. Greater than any move code.
const AGREE: u64 = 0xffff;
/// Key of the random word that selects positions for a corpus. Greater than any move code.
const KEEP: u64 = 0xfffe;

/// The parameters of a series of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    /// Seed of the noise, of agreed draws and of the choice of positions.
    pub seed: u64,
    /// A side resigns after its value was below the negative of this, in centipawns, on three of
    /// its moves in a row.
    pub resign: Option<i32>,
    /// Whether level games may end in an agreed draw from ply 50 on.
    pub draws: bool,
}

impl Rules {
    /// SP1, seed 1.
    pub(crate) const SP1: Rules = Rules { seed: 1, resign: Some(350), draws: true };
    /// SP1-long, seed 2: no resignation and no agreed draws.
    pub(crate) const LONG: Rules = Rules { seed: 2, resign: None, draws: false };

    /// Whether a corpus of one position in four includes the position before this ply.
    pub(crate) const fn keeps(&self, game: u64, ply: u64) -> bool {
        random_word(self.seed, game, ply, KEEP).is_multiple_of(4)
    }

    /// Plays one game and returns every move with the board before it.
    pub(crate) fn play(&self, game: u64) -> Vec<(Board, Move)> {
        let mut player = Player::new(*self, game);
        let mut board = Board::default();
        let (mut plies, mut seen, mut lost) = (Vec::new(), Vec::new(), [0; 2]);
        for ply in 0..LONGEST {
            // No earlier position can return after a capture or a pawn move.
            if board.halfmove_clock() == 0 {
                seen.clear();
            }
            seen.push(placement(&board));
            if is_over(&board, &seen) {
                break;
            }
            // `None` is mate or stalemate.
            let Some(best) = player.choose(&board, ply) else { break };
            let side = board.side_to_move() as usize;
            let behind = self.resign.is_some_and(|limit| best.value < -limit);
            lost[side] = if behind { lost[side] + 1 } else { 0 };
            let agreed = self.draws
                && ply >= 50
                && best.value.abs() < 60
                && random_word(self.seed, game, ply, AGREE).is_multiple_of(15);
            if lost[side] == 3 || agreed {
                break;
            }
            plies.push((board, best.mv));
            board = best.child;
        }
        plies
    }
}

/// The pieces by kind and colour, and the side to move.
type Placement = ([BitBoard; 7], cozy_chess::Color);

fn placement(board: &Board) -> Placement {
    // One set per kind; the seventh stays that of White.
    let mut sets = [board.colors(cozy_chess::Color::White); 7];
    for piece in Piece::ALL {
        sets[piece as usize] = board.pieces(piece);
    }
    (sets, board.side_to_move())
}

/// Whether the game is drawn by the fifty-move rule, by repetition (castling rights ignored) or by
/// lack of material.
fn is_over(board: &Board, seen: &[Placement]) -> bool {
    let heavy = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    let times = || {
        let now = seen.last();
        seen.iter().filter(|&then| Some(then) == now).count()
    };
    board.halfmove_clock() >= 100
        || (heavy.is_empty() && board.occupied().len() <= 3)
        // A third occurrence needs eight plies at least.
        || (seen.len() >= 9 && times() >= 3)
}

/// A legal move with the score components known before search.
struct Candidate {
    child: Board,
    mv: Move,
    code: u16,
    /// Evaluation of the child, seen from its side to move.
    stand: i32,
    /// Noise plus [`CAPTURE_BONUS`] for captures.
    extra: i32,
    /// Upper bound of the score.
    bound: i32,
    /// The value if the move ends the game.
    settled: Option<i32>,
}

/// The chosen move, the board after it, and its value without noise and bonus.
struct Choice {
    child: Board,
    mv: Move,
    value: i32,
}

struct Player {
    rules: Rules,
    game: u64,
    quiescence: Quiescence,
    candidates: Vec<Candidate>,
}

impl Player {
    fn new(rules: Rules, game: u64) -> Player {
        Player {
            rules,
            game,
            quiescence: Quiescence::default(),
            candidates: Vec::with_capacity(64),
        }
    }

    /// The move with the highest score, or the lowest code among equals. `None` if no move is
    /// legal.
    ///
    /// The opponent can stand pat, so the child's evaluation bounds a move's score from above.
    /// Moves are tried from the highest bound down, with a window that only a better move passes.
    /// Nine out of ten moves are never searched, and the choice and its value stay exact.
    fn choose(&mut self, board: &Board, ply: u64) -> Option<Choice> {
        self.collect(board, ply);
        self.candidates.sort_unstable_by_key(|c| (-c.bound, c.code));
        let mut best: Option<(i32, i32, usize)> = None;
        for (n, candidate) in self.candidates.iter().enumerate() {
            let limit = best.map_or(-INFINITE, |(score, ..)| score);
            if candidate.bound < limit {
                break;
            }
            let value = candidate.settled.unwrap_or_else(|| {
                let beta = -(limit - candidate.extra - 1);
                let stand = candidate.stand;
                -self.quiescence.search_from(&candidate.child, stand, -INFINITE, beta)
            });
            let score = value + candidate.extra;
            let better = best.is_none_or(|(limit, _, holder)| {
                score > limit || (score == limit && candidate.code < self.candidates[holder].code)
            });
            if better {
                best = Some((score, value, n));
            }
        }
        let (_, value, n) = best?;
        let Candidate { child, mv, .. } = self.candidates.swap_remove(n);
        Some(Choice { child, mv, value })
    }

    fn collect(&mut self, board: &Board, ply: u64) {
        let Player { rules, game, candidates, .. } = self;
        let spread = if ply < 6 { 90 } else { 60 };
        let enemy = board.colors(!board.side_to_move());
        candidates.clear();
        oracle::each_move(board, |played, mv| {
            let code = move_code(mv);
            let noise = triangular(random_word(rules.seed, *game, ply, u64::from(code)), spread);
            let extra = noise + if enemy.has(played.to) { CAPTURE_BONUS } else { 0 };
            let mut child = board.clone();
            child.play_unchecked(played);
            let stand = evaluate(&child);
            let settled = match (oracle::can_move(&child), oracle::in_check(&child)) {
                (true, _) => None,
                (false, true) => Some(MATE),
                (false, false) => Some(0),
            };
            let bound = settled.unwrap_or(-stand) + extra;
            candidates.push(Candidate { child, mv, code, stand, extra, bound, settled });
        });
    }
}

#[cfg(test)]
mod tests {
    use std::hash::Hasher;
    use std::ops::ControlFlow;

    use fnv::FnvHasher;
    use raywalk_core::parallel::in_order;

    use super::*;

    const FIRST_GAME: &str = "e2e3 e7e5 d2d4 d8f6 f1c4 d7d6 b1c3 e5d4 e3d4 c8e6 d1e2 f6f5 c3d5 \
        c7c5 d4c5 d6c5 c1f4 f8e7 e2e5 f5c2 e5g7 c2c4 g7h8 c4d5 h8g8 e7f8 g8h7 d5g2 f4b8 g2h1 \
        b8a7 a8a7 e1d2 e6a2 h7h4 h1d5 d2e2 f8e7 h4f4 a2c4";

    fn coordinates(plies: &[(Board, Move)]) -> String {
        let moves: Vec<_> = plies.iter().map(|(_, mv)| mv.to_string()).collect();
        moves.join(" ")
    }

    /// FNV-1a over the moves of the first games, one line per game.
    fn digest(games: u64) -> u64 {
        let mut hasher = FnvHasher::default();
        in_order(
            games,
            |game| coordinates(&Rules::SP1.play(game)) + "\n",
            |line| {
                hasher.write(line.as_bytes());
                ControlFlow::Continue(())
            },
        );
        hasher.finish()
    }

    #[test]
    fn the_first_game_matches_its_known_moves() {
        assert_eq!(coordinates(&Rules::SP1.play(0)), FIRST_GAME);
    }

    #[test]
    fn the_first_eight_games_have_known_lengths() {
        let plies: Vec<_> = (0..8).map(|game| Rules::SP1.play(game).len()).collect();
        assert_eq!(plies, [40, 53, 92, 100, 54, 59, 60, 59]);
    }

    #[test]
    fn the_first_ten_games_have_a_known_digest() {
        assert_eq!(digest(1), 0x9db4_bf6f_b957_c7f3);
        assert_eq!(digest(10), 0x0221_9ef0_2dde_d999);
    }

    #[test]
    #[ignore = "about 3 s; run by CI with --include-ignored"]
    fn the_first_thousand_games_have_a_known_digest() {
        assert_eq!(digest(100), 0x1f37_630c_f7d5_c6b9);
        assert_eq!(digest(1000), 0xdde1_0e46_4bbe_d15b);
    }
}
