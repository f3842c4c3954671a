//! Every peer against shakmaty, which shares no code with any of them.
//!
//! Random games from positions with every rule of the game. At each of their positions a peer must generate
//! the moves of shakmaty in every stage, also on boards that it made itself, and find its board again when it
//! takes a move back.

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Position, Square};

use crate::cozy::Cozy;
use crate::raywalk::{Legality, List, Peer, Stage};

const STARTS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    // Castling to one side ends in check, to the other it does not.
    "r3k2r/8/8/8/6Q1/2R5/8/4K3 b kq - 0 1",
];
const GAMES: usize = 60;
const PLIES: usize = 120;

/// A random number below `bound`, by the generator of Steele, Lea and Flood (2014).
fn below(state: &mut u64, bound: usize) -> usize {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut word = *state;
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((word ^ (word >> 31)) % bound as u64) as usize
}

fn uci(mv: Move) -> String {
    UciMove::from_move(mv, CastlingMode::Standard).to_string()
}

/// The moves of a stage, sorted. Of a pseudo-legal peer, those that it can make.
fn generated<P: Peer>(stage: Stage, board: &mut P::Board) -> Vec<String> {
    let moves = List::collect(|list| P::generate(stage, board, list));
    let mut texts = Vec::new();
    for mv in moves {
        let text = P::to_uci(board, mv).text();
        let text = String::from_utf8_lossy(&text).trim_end_matches('\0').to_owned();
        let (is_legal, undo) = P::make(board, mv);
        P::unmake(board, mv, &undo);
        assert!(is_legal || !matches!(P::CARD.legality, Legality::Legal), "{text}");
        if is_legal {
            texts.push(text);
        }
    }
    texts.sort();
    texts
}

fn expected(position: &Chess, stage: Stage) -> Vec<String> {
    let is_in = |mv: &Move| match stage {
        Stage::All => true,
        Stage::Captures => mv.is_capture(),
        Stage::Quiets => !mv.is_capture(),
    };
    let mut texts: Vec<_> = position.legal_moves().into_iter().filter(is_in).map(uci).collect();
    texts.sort();
    texts
}

fn plays_like_shakmaty<P: Peer>() {
    let mut state = 1;
    for game in 0..GAMES {
        let start: Fen = STARTS[game % STARTS.len()].parse().expect("a FEN");
        let mut position: Chess = start.into_position(CastlingMode::Standard).expect("legal");
        let mut board = P::from_fen(STARTS[game % STARTS.len()]).expect("legal");
        for _ in 0..PLIES {
            let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
            let mut read = P::from_fen(&fen).expect("legal");
            for stage in [Stage::All, Stage::Captures, Stage::Quiets] {
                let right = expected(&position, stage);
                assert_eq!(generated::<P>(stage, &mut board), right, "{stage:?} of {fen}");
                assert_eq!(generated::<P>(stage, &mut read), right, "{stage:?} of {fen}, read");
            }
            for perft in [P::PERFT, P::PERFT_MADE].into_iter().flatten() {
                let right = shakmaty::perft(&position, 2);
                assert_eq!([perft(&board, 0), perft(&board, 2)], [1, right], "perft of {fen}");
            }
            if let Some(attacked) = P::ATTACKED {
                for (by, white) in [(Color::White, true), (Color::Black, false)] {
                    for square in Square::ALL {
                        let attackers =
                            position.board().attacks_to(square, by, position.board().occupied());
                        let found = attacked(&board, square.into(), white);
                        assert_eq!(found, attackers.any(), "{square} by {by} in {fen}");
                    }
                }
            }
            let moves = position.legal_moves();
            if moves.is_empty() || position.halfmoves() >= 100 {
                break;
            }
            let mv = moves[below(&mut state, moves.len())];
            let own = P::from_uci(&board, &uci(mv)).expect("a legal move");
            assert!(P::make(&mut board, own).0, "{} in {fen}", uci(mv));
            position.play_unchecked(mv);
        }
    }
}

#[test]
fn cozy_chess_generates_what_shakmaty_generates() {
    plays_like_shakmaty::<Cozy>();
}

#[test]
#[cfg(feature = "others")]
fn owlchess_generates_what_shakmaty_generates() {
    plays_like_shakmaty::<crate::owl::Owl>();
}

#[test]
#[cfg(feature = "others")]
fn chess_generates_what_shakmaty_generates() {
    plays_like_shakmaty::<crate::jordan::Jordan>();
}
