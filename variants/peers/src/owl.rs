//! owlchess: pseudo-legal moves with their kind and their piece; moves are made and taken back.

use owlchess::movegen::{self, semilegal};
use owlchess::moves::{RawUndo, make_move_unchecked, unmake_move_unchecked};
use owlchess::{Board, Color, Coord, Move, MoveKind, MovePush};

use crate::raywalk::{Card, Legality, List, Peer, Stage, Uci};

/// The generator of owlchess.
pub struct Owl;

impl MovePush for List<Move> {
    #[inline(always)]
    fn push(&mut self, mv: Move) {
        // SAFETY: each call of owlchess writes the pseudo-legal moves of one board to an empty list. Its own lists have
        // room for 256 moves too, and it does not test them either.
        unsafe { List::push(self, mv) };
    }
}

impl Peer for Owl {
    const CARD: Card = Card {
        id: c"peer/owlchess",
        name: c"owlchess 0.4.1, LTO, native",
        author: c"Alexander Kernozhitsky",
        source: c"crates.io, owlchess 0.4.1 (MIT)",
        legality: Legality::Pseudo,
    };
    const ATTACKED: Option<fn(&Board, u32, bool) -> bool> = Some(attacked);
    type Board = Board;
    type Move = Move;
    type Undo = RawUndo;

    fn from_fen(fen: &str) -> Option<Board> {
        Board::from_fen(fen).ok()
    }

    /// Castling that ends in check is taken out again: all designs generate castling only if it is legal.
    #[inline(always)]
    fn generate(stage: Stage, board: &Board, list: &mut List<Move>) {
        match stage {
            Stage::All => semilegal::gen_all_into(board, list),
            Stage::Captures => return semilegal::gen_capture_into(board, list),
            Stage::Quiets => semilegal::gen_simple_into(board, list),
        }
        // Castling comes last.
        let castling = list.moves().iter().rev().take_while(|mv| is_castling(mv.kind())).count();
        let end = list.moves().len();
        for place in (end - castling..end).rev() {
            let target = list.moves()[place].dst();
            if movegen::is_cell_attacked(board, target, board.side().inv()) {
                list.swap_remove(place);
            }
        }
    }

    fn to_uci(_: &Board, mv: Move) -> Uci {
        let promotion = match mv.kind() {
            MoveKind::PromoteKnight => Some(b'n'),
            MoveKind::PromoteBishop => Some(b'b'),
            MoveKind::PromoteRook => Some(b'r'),
            MoveKind::PromoteQueen => Some(b'q'),
            _ => None,
        };
        Uci { from: mv.src().index() ^ 56, to: mv.dst().index() ^ 56, promotion }
    }

    fn from_uci(board: &Board, text: &str) -> Option<Move> {
        Move::from_uci_semilegal(text, board).ok()
    }

    fn make(board: &mut Board, mv: Move) -> (bool, RawUndo) {
        // SAFETY: Raywalk makes pseudo-legal moves, and takes back those that leave the king in check.
        let undo = unsafe { make_move_unchecked(board, mv) };
        (!board.is_opponent_king_attacked(), undo)
    }

    fn unmake(board: &mut Board, mv: Move, undo: &RawUndo) {
        // SAFETY: the last move, and what was kept of it.
        unsafe { unmake_move_unchecked(board, mv, *undo) }
    }
}

/// Its ranks count from the eighth to the first.
fn attacked(board: &Board, square: u32, by_white: bool) -> bool {
    let by = if by_white { Color::White } else { Color::Black };
    movegen::is_cell_attacked(board, Coord::from_index(square as usize ^ 56), by)
}

#[inline(always)]
fn is_castling(kind: MoveKind) -> bool {
    matches!(kind, MoveKind::CastlingKingside | MoveKind::CastlingQueenside)
}
