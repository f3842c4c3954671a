//! cozy-chess: legal moves as sets of targets, passed to a callback for each piece; boards are copied.

use std::hint::black_box;

use cozy_chess::util::parse_uci_move;
use cozy_chess::{BitBoard, Board, File, Move, Piece, Rank, Square};

use crate::raywalk::{Card, Legality, List, Peer, Stage, Uci};

/// The generator of cozy-chess.
pub struct Cozy;

impl Peer for Cozy {
    const CARD: Card = Card {
        id: if cfg!(feature = "pext") { c"peer/cozy-chess-pext" } else { c"peer/cozy-chess" },
        name: if cfg!(feature = "pext") {
            c"cozy-chess 0.3.4 with PEXT, LTO, native"
        } else {
            c"cozy-chess 0.3.4, LTO, native"
        },
        author: c"analog-hors",
        source: c"crates.io, cozy-chess 0.3.4 (MIT)",
        legality: Legality::Legal,
    };
    const PERFT: Option<fn(&Board, u32) -> u64> = Some(perft);
    const PERFT_MADE: Option<fn(&Board, u32) -> u64> = Some(perft_made);
    type Board = Board;
    type Move = Move;
    /// The board before the move.
    type Undo = Board;

    /// Without the clocks: cozy-chess refuses more than a hundred halfmoves, and they change no move.
    fn from_fen(fen: &str) -> Option<Board> {
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        Board::from_fen(&format!("{} 0 1", fields.join(" ")), false).ok()
    }

    /// Quiets and captures as its documentation shows: the sets of targets are masked.
    #[inline(always)]
    fn generate(stage: Stage, board: &Board, list: &mut List<Move>) {
        let enemy = board.colors(!board.side_to_move());
        let taken_by_pawns = enemy | en_passant(board);
        board.generate_moves(|mut moves| {
            let taken = if moves.piece == Piece::Pawn { taken_by_pawns } else { enemy };
            match stage {
                Stage::All => {}
                Stage::Captures => moves.to &= taken,
                Stage::Quiets => moves.to &= !taken,
            }
            for mv in moves {
                // SAFETY: the list was empty, and no board has more legal moves than it has room for.
                unsafe { list.push(mv) };
            }
            false
        });
    }

    /// Castling is its king that takes the rook.
    fn to_uci(board: &Board, mv: Move) -> Uci {
        let castles = board.colors(board.side_to_move()).has(mv.to);
        let file = if mv.to.file() > mv.from.file() { File::G } else { File::C };
        let to = if castles { Square::new(file, mv.to.rank()) } else { mv.to };
        let letter = |piece| match piece {
            Piece::Knight => b'n',
            Piece::Bishop => b'b',
            Piece::Rook => b'r',
            _ => b'q',
        };
        Uci { from: mv.from as usize, to: to as usize, promotion: mv.promotion.map(letter) }
    }

    fn from_uci(board: &Board, text: &str) -> Option<Move> {
        parse_uci_move(board, text).ok()
    }

    fn make(board: &mut Board, mv: Move) -> (bool, Board) {
        let before = board.clone();
        board.play_unchecked(mv);
        (true, before)
    }

    fn unmake(board: &mut Board, _: Move, before: &Board) {
        board.clone_from(before);
    }
}

/// The square that a pawn has just passed.
#[inline(always)]
fn en_passant(board: &Board) -> BitBoard {
    let rank = Rank::Third.relative_to(!board.side_to_move());
    board.en_passant().map_or(BitBoard::EMPTY, |file| Square::new(file, rank).bitboard())
}

/// At the last ply the sets of targets are counted.
fn perft(board: &Board, depth: u32) -> u64 {
    let mut leaves = 0;
    match depth {
        0 => return 1,
        1 => board.generate_moves(|moves| {
            leaves += moves.len() as u64;
            false
        }),
        _ => board.generate_moves(|moves| {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                leaves += perft(&child, depth - 1);
            }
            false
        }),
    };
    leaves
}

/// The move of every leaf is made on a copy of the board, as it comes out of the generator.
fn perft_made(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    board.generate_moves(|moves| {
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            leaves += match depth {
                // Otherwise the compiler could leave the board out.
                1 => {
                    black_box(&child);
                    1
                }
                _ => perft_made(&child, depth - 1),
            };
        }
        false
    });
    leaves
}
