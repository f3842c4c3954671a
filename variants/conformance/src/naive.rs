//! A short, slow generator: the reference for pseudo-legal moves.
//!
//! It works on the neutral position with files and ranks and follows the rules of the game
//! literally. It uses no tables and shares no code with the designs, so it does not share their
//! errors.

use raywalk_core::{
    Castling, CastlingRights, Color, Kind, Move, MoveKind, Piece, Position, Square, Wing,
    squares_of,
};

/// All pseudo-legal moves, sorted. They may leave the own king in check, except castling, which is
/// legal.
pub(crate) fn pseudo_legal_moves(position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    let side = position.side();
    for (from, piece) in position.pieces().filter(|(_, piece)| piece.color == side) {
        if piece.kind == Kind::Pawn {
            pawn(position, from, &mut moves);
        } else {
            let targets = reach(position, from, piece.kind);
            let free = |to: &Square| position.piece_at(*to).is_none_or(|piece| piece.color != side);
            moves.extend(targets.into_iter().filter(free).map(|to| Move::new(from, to)));
        }
    }
    for wing in [Wing::King, Wing::Queen] {
        castle(position, wing, &mut moves);
    }
    moves.sort_unstable();
    moves
}

/// Whether the move captures, including en passant.
pub(crate) fn takes(position: &Position, mv: Move) -> bool {
    position.piece_at(mv.to()).is_some() || mv.kind() == MoveKind::EnPassant
}

/// Squares that a piece other than a pawn attacks: on each line up to and including the first
/// blocker of either colour.
fn reach(position: &Position, from: Square, kind: Kind) -> Vec<Square> {
    let mut squares = Vec::new();
    for &(files, ranks) in kind.steps() {
        let mut square = from;
        while let Some(next) = square.offset(files, ranks) {
            squares.push(next);
            if !kind.is_slider() || position.piece_at(next).is_some() {
                break;
            }
            square = next;
        }
    }
    squares
}

fn pawn(position: &Position, from: Square, moves: &mut Vec<Move>) {
    let side = position.side();
    let (up, home, last) = match side {
        Color::White => (1, 1, 7),
        Color::Black => (-1, 6, 0),
    };
    let mut add = |to: Square| match to.rank() == last {
        true => moves.extend(Move::promotions(from, to)),
        false => moves.push(Move::new(from, to)),
    };
    let empty = |square: &Square| position.piece_at(*square).is_none();
    if let Some(one) = from.offset(0, up).filter(empty) {
        add(one);
        if let Some(two) = one.offset(0, up).filter(empty).filter(|_| from.rank() == home) {
            add(two);
        }
    }
    let sides = [from.offset(-1, up), from.offset(1, up)];
    for to in sides.into_iter().flatten() {
        if position.piece_at(to).is_some_and(|piece| piece.color != side) {
            add(to);
        }
    }
    for to in sides.into_iter().flatten() {
        if position.state().en_passant == Some(to) {
            moves.push(Move::en_passant(from, to));
        }
    }
}

fn castle(position: &Position, wing: Wing, moves: &mut Vec<Move>) {
    let side = position.side();
    let squares = Castling::of(side, wing);
    let safe = |square: Square| !attacked(position, square, !side);
    if position.state().rights.contains(CastlingRights::one(side, wing))
        && squares_of(squares.between).all(|square| position.piece_at(square).is_none())
        && safe(squares.king_from)
        && safe(squares.rook_to)
        && safe(squares.king_to)
    {
        moves.push(Move::castle(squares.king_from, squares.king_to));
    }
}

/// Whether a piece of `by` attacks the square.
fn attacked(position: &Position, square: Square, by: Color) -> bool {
    position.pieces().filter(|(_, piece)| piece.color == by).any(|(from, Piece { kind, .. })| {
        if kind == Kind::Pawn {
            let up = if by == Color::White { 1 } else { -1 };
            from.offset(-1, up) == Some(square) || from.offset(1, up) == Some(square)
        } else {
            reach(position, from, kind).contains(&square)
        }
    })
}
