//! Pseudo-legal moves that leave the own king in check, by the oracle's attack tables.
//!
//! The oracle generates legal moves only. An engine with a pseudo-legal generator makes the others too,
//! finds its king in check and takes them back, so a recorded search needs them. Castling is never among
//! them: designs generate it only where it is legal.

use cozy_chess::{
    BitBoard, Color, Move as CozyMove, Piece, Rank, Square as CozySquare, get_bishop_moves,
    get_king_moves, get_knight_moves, get_pawn_attacks, get_pawn_quiets, get_rook_moves,
};
use raywalk_core::{Move, Position};

use crate::oracle::{self, Board, Refused, neutral_kind, square};

/// The pseudo-legal moves of a position that are not legal, sorted.
///
/// # Errors
/// [`Refused`] with the reason from cozy-chess.
pub fn illegal_moves(position: &Position) -> Result<Vec<Move>, Refused> {
    let board = oracle::board(position)?;
    let mut moves = Vec::new();
    each_illegal(&board, |_, mv| moves.push(mv));
    moves.sort_unstable();
    Ok(moves)
}

/// Calls `visit` with every pseudo-legal move that is not legal, as the oracle's type and as ours.
pub(crate) fn each_illegal(board: &Board, mut visit: impl FnMut(CozyMove, Move)) {
    let mut legal = [BitBoard::EMPTY; 64];
    board.generate_moves(|moves| {
        legal[moves.from as usize] |= moves.to;
        false
    });
    let side = board.side_to_move();
    let passed = oracle::en_passant_square(board);
    let last = Rank::Eighth.relative_to(side);
    for piece in Piece::ALL {
        for from in board.colored_pieces(side, piece) {
            for to in targets(board, side, piece, from) & !legal[from as usize] {
                let (origin, target) = (square(from), square(to));
                let plain = CozyMove { from, to, promotion: None };
                if piece == Piece::Pawn && to.rank() == last {
                    for kind in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
                        let mv = Move::promotion(origin, target, neutral_kind(kind));
                        visit(CozyMove { promotion: Some(kind), ..plain }, mv);
                    }
                } else if piece == Piece::Pawn && Some(to) == passed && from.file() != to.file() {
                    visit(plain, Move::en_passant(origin, target));
                } else {
                    visit(plain, Move::new(origin, target));
                }
            }
        }
    }
}

/// Squares that a piece may go to, own king in check or not.
fn targets(board: &Board, side: Color, piece: Piece, from: CozySquare) -> BitBoard {
    let occupied = board.occupied();
    let reached = match piece {
        Piece::Pawn => {
            let passed = oracle::en_passant_square(board).map_or(BitBoard::EMPTY, Into::into);
            let taken = get_pawn_attacks(from, side) & (board.colors(!side) | passed);
            return taken | get_pawn_quiets(from, side, occupied);
        }
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, occupied),
        Piece::Rook => get_rook_moves(from, occupied),
        Piece::Queen => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
        Piece::King => get_king_moves(from),
    };
    reached & !board.colors(side)
}
