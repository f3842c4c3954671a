//! chess, by Jordan Bray: legal moves by an iterator over sets of targets; boards are copied.

use std::str::FromStr;

use chess::{BitBoard, Board, ChessMove, MoveGen, Piece, Square};

use crate::raywalk::{Card, Legality, List, Peer, Stage, Uci};

/// The generator of the crate `chess` by Jordan Bray.
pub struct Jordan;

impl Peer for Jordan {
    const CARD: Card = Card {
        id: c"peer/chess",
        name: c"chess 3.2.0, LTO, native",
        author: c"Jordan Bray",
        source: c"crates.io, chess 3.2.0 (MIT)",
        legality: Legality::Legal,
    };
    const PERFT: Option<fn(&Board, u32) -> u64> = Some(perft);
    type Board = Board;
    type Move = ChessMove;
    /// The board before the move.
    type Undo = Board;

    fn from_fen(fen: &str) -> Option<Board> {
        Board::from_str(fen).ok()
    }

    /// Quiets and captures as its documentation shows, by a mask of targets. The mask cannot tell en passant from
    /// a quiet move to the same square, so the piece decides.
    #[inline(always)]
    fn generate(stage: Stage, board: &Board, list: &mut List<ChessMove>) {
        let mut moves = MoveGen::new_legal(board);
        let mut push = |mv: ChessMove| {
            // SAFETY: the list was empty, and no board has more legal moves than it has room for.
            unsafe { list.push(mv) };
        };
        if stage == Stage::All {
            return moves.for_each(push);
        }
        let enemy = *board.color_combined(!board.side_to_move());
        let passed = board.en_passant().map(|pawn| pawn.uforward(board.side_to_move()));
        let is_pawn = |square: Square| board.piece_on(square) == Some(Piece::Pawn);
        if stage == Stage::Captures {
            moves.set_iterator_mask(enemy);
            (&mut moves).for_each(&mut push);
            if let Some(passed) = passed {
                moves.set_iterator_mask(BitBoard::from_square(passed));
                moves.filter(|mv| is_pawn(mv.get_source())).for_each(push);
            }
        } else {
            moves.set_iterator_mask(!enemy);
            let takes = |mv: &ChessMove| Some(mv.get_dest()) == passed && is_pawn(mv.get_source());
            moves.filter(|mv| !takes(mv)).for_each(push);
        }
    }

    fn to_uci(_: &Board, mv: ChessMove) -> Uci {
        let letter = |piece| match piece {
            Piece::Knight => b'n',
            Piece::Bishop => b'b',
            Piece::Rook => b'r',
            _ => b'q',
        };
        Uci {
            from: mv.get_source().to_index(),
            to: mv.get_dest().to_index(),
            promotion: mv.get_promotion().map(letter),
        }
    }

    fn from_uci(_: &Board, text: &str) -> Option<ChessMove> {
        ChessMove::from_str(text).ok()
    }

    fn make(board: &mut Board, mv: ChessMove) -> (bool, Board) {
        let before = *board;
        before.make_move(mv, board);
        (true, before)
    }

    fn unmake(board: &mut Board, _: ChessMove, before: &Board) {
        *board = *before;
    }
}

/// Its own perft, which has no depth 0.
fn perft(board: &Board, depth: u32) -> u64 {
    if depth == 0 { 1 } else { MoveGen::movegen_perft_test(board, depth as usize) as u64 }
}
