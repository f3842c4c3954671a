//! The oracle: cozy-chess, the independent move generator behind every corpus, and conversions to
//! and from its types.
//!
//! # En passant
//! cozy-chess records the file of a pawn after *every* double push it plays, even if no capture is
//! possible, and [`State`] records the square in the same cases, so the conversion is exact in both
//! directions. An en passant square from a FEN is kept too, unless it contradicts the pieces:
//! cozy-chess rejects such a position. Where no capture is possible, the square does not affect the
//! generated moves.

use cozy_chess::{BoardBuilder, File, Piece as CozyPiece, Square as CozySquare};
use raywalk_core::{CastlingRights, Color, Kind, Move, Piece, Position, Square, State, Wing};

pub use cozy_chess::Board;

/// The oracle rejects a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the oracle (cozy-chess) rejects the position: {0}")]
pub struct Refused(String);

/// Converts a position to the oracle's board.
///
/// The oracle's halfmove clock stops at 100 and its move number starts at 1; counters are clamped
/// to that. Moves do not depend on them.
///
/// # Errors
/// [`Refused`] with the reason from cozy-chess.
pub fn board(position: &Position) -> Result<Board, Refused> {
    let state = position.state();
    let mut builder = BoardBuilder::empty();
    for (square, piece) in position.pieces() {
        builder.board[square.index()] = Some((cozy_kind(piece.kind), cozy_color(piece.color)));
    }
    builder.side_to_move = cozy_color(state.side);
    for color in Color::ALL {
        let held = |wing| state.rights.contains(CastlingRights::one(color, wing));
        let rights = &mut builder.castle_rights[color.index()];
        rights.short = held(Wing::King).then_some(File::H);
        rights.long = held(Wing::Queen).then_some(File::A);
    }
    builder.en_passant = state.en_passant.map(|square| CozySquare::index(square.index()));
    builder.halfmove_clock = state.halfmove.min(100) as u8;
    builder.fullmove_number = state.fullmove.max(1);
    builder.build().map_err(|error| Refused(error.to_string()))
}

/// Converts the oracle's board to a position.
pub fn position(board: &Board) -> Position {
    let mut pieces = [None; 64];
    let mut rights = CastlingRights::NONE;
    for color in Color::ALL {
        for kind in Kind::ALL {
            for square in board.colored_pieces(cozy_color(color), cozy_kind(kind)) {
                pieces[square as usize] = Some(Piece::new(color, kind));
            }
        }
        let held = board.castle_rights(cozy_color(color));
        for (wing, rook) in [(Wing::King, held.short), (Wing::Queen, held.long)] {
            if rook.is_some() {
                rights = rights.union(CastlingRights::one(color, wing));
            }
        }
    }
    let side = side(board);
    let passed = match side {
        Color::White => 5,
        Color::Black => 2,
    };
    let state = State {
        side,
        rights,
        en_passant: board.en_passant().map(|file| Square::new(file as u8, passed)),
        halfmove: u16::from(board.halfmove_clock()),
        fullmove: board.fullmove_number(),
    };
    Position::trusted(pieces, state)
}

/// The side to move, converted from the type of cozy-chess.
pub fn side(board: &Board) -> Color {
    match board.side_to_move() {
        cozy_chess::Color::White => Color::White,
        cozy_chess::Color::Black => Color::Black,
    }
}

/// The legal moves of a position, sorted.
///
/// # Errors
/// [`Refused`] with the reason from cozy-chess.
pub fn legal_moves(position: &Position) -> Result<Vec<Move>, Refused> {
    let board = board(position)?;
    let mut moves = Vec::with_capacity(64);
    each_move(&board, |_, mv| moves.push(mv));
    moves.sort_unstable();
    Ok(moves)
}

/// Calls `visit` with every legal move, as the oracle's type and as ours.
#[inline]
pub fn each_move(board: &Board, mut visit: impl FnMut(cozy_chess::Move, Move)) {
    let own = board.colors(board.side_to_move());
    let passed = en_passant_square(board);
    board.generate_moves(|moves| {
        for mv in moves {
            let (from, to) = (square(mv.from), square(mv.to));
            visit(
                mv,
                match (moves.piece, mv.promotion) {
                    (CozyPiece::Pawn, Some(kind)) => Move::promotion(from, to, neutral_kind(kind)),
                    (CozyPiece::Pawn, None)
                        if Some(mv.to) == passed && from.file() != to.file() =>
                    {
                        Move::en_passant(from, to)
                    }
                    // cozy-chess encodes castling as the king capturing its own rook.
                    (CozyPiece::King, _) if own.has(mv.to) => {
                        let file = if to.file() > from.file() { 6 } else { 2 };
                        Move::castle(from, Square::new(file, from.rank()))
                    }
                    _ => Move::new(from, to),
                },
            );
        }
        false
    });
}

/// The number of legal moves and of legal captures, en passant included; each promotion piece
/// counts as a move.
pub(crate) fn count_moves(board: &Board) -> (u32, u32) {
    let enemy = board.colors(!board.side_to_move());
    let passed = en_passant_square(board);
    let (mut legal, mut captures) = (0, 0);
    board.generate_moves(|mut moves| {
        legal += moves.len();
        if let Some(passed) = passed
            && moves.piece == CozyPiece::Pawn
            && moves.to.has(passed)
            && moves.from.file() != passed.file()
        {
            captures += 1;
        }
        moves.to &= enemy;
        captures += moves.len();
        false
    });
    (legal as u32, captures as u32)
}

/// Whether the side to move is in check.
pub fn in_check(board: &Board) -> bool {
    !board.checkers().is_empty()
}

/// The attack sets of all pieces of a colour, by square: the squares that the piece attacks, up to and
/// including the first piece of either colour in each direction. Bit *i* stands for square *i*.
pub fn attack_sets(board: &Board, by: Color) -> Vec<(Square, u64)> {
    let (by, occupied) = (cozy_color(by), board.occupied());
    let sets = board.colors(by).into_iter().map(|from| {
        let set = match board.piece_on(from) {
            Some(CozyPiece::Pawn) => cozy_chess::get_pawn_attacks(from, by),
            Some(CozyPiece::Knight) => cozy_chess::get_knight_moves(from),
            Some(CozyPiece::Bishop) => cozy_chess::get_bishop_moves(from, occupied),
            Some(CozyPiece::Rook) => cozy_chess::get_rook_moves(from, occupied),
            Some(CozyPiece::Queen) => {
                cozy_chess::get_bishop_moves(from, occupied)
                    | cozy_chess::get_rook_moves(from, occupied)
            }
            Some(CozyPiece::King) => cozy_chess::get_king_moves(from),
            None => cozy_chess::BitBoard::EMPTY,
        };
        (square(from), set.0)
    });
    let mut sets: Vec<_> = sets.collect();
    sets.sort_unstable();
    sets
}

/// The sets that a queen would attack from each square, combined by exclusive or.
pub fn queen_lookups(board: &Board) -> u64 {
    let occupied = board.occupied();
    let of = |from| {
        cozy_chess::get_bishop_moves(from, occupied) | cozy_chess::get_rook_moves(from, occupied)
    };
    CozySquare::ALL.into_iter().fold(0, |all, from| all ^ of(from).0)
}

/// The captures of a piece that is worth more than the capturing one, legal or not, sorted; a promotion by such
/// a capture as four moves. The values are 1, 3, 3, 5 and 9, and the king's is higher than all of them.
pub fn winning_captures(board: &Board) -> Vec<Move> {
    let value = |kind| match kind {
        CozyPiece::Pawn => 1,
        CozyPiece::Knight | CozyPiece::Bishop => 3,
        CozyPiece::Rook => 5,
        CozyPiece::Queen => 9,
        CozyPiece::King => 100,
    };
    let worth = |square: Square| board.piece_on(CozySquare::index(square.index())).map_or(0, value);
    let enemy = board.colors(!board.side_to_move());
    let mut moves = Vec::new();
    for (from, attacked) in attack_sets(board, side(board)) {
        for target in enemy & cozy_chess::BitBoard(attacked) {
            let to = square(target);
            if worth(to) <= worth(from) {
                continue;
            }
            if worth(from) == 1 && matches!(to.rank(), 0 | 7) {
                moves.extend(Move::promotions(from, to));
            } else {
                moves.push(Move::new(from, to));
            }
        }
    }
    moves.sort_unstable();
    moves
}

/// Whether the side to move has a legal move.
pub(crate) fn can_move(board: &Board) -> bool {
    board.generate_moves(|_| true)
}

pub(crate) fn en_passant_square(board: &Board) -> Option<CozySquare> {
    let rank = cozy_chess::Rank::Sixth.relative_to(board.side_to_move());
    board.en_passant().map(|file| CozySquare::new(file, rank))
}

pub(crate) fn square(square: CozySquare) -> Square {
    Square::from_low_bits(square as u32)
}

fn cozy_color(color: Color) -> cozy_chess::Color {
    match color {
        Color::White => cozy_chess::Color::White,
        Color::Black => cozy_chess::Color::Black,
    }
}

fn cozy_kind(kind: Kind) -> CozyPiece {
    match kind {
        Kind::Pawn => CozyPiece::Pawn,
        Kind::Knight => CozyPiece::Knight,
        Kind::Bishop => CozyPiece::Bishop,
        Kind::Rook => CozyPiece::Rook,
        Kind::Queen => CozyPiece::Queen,
        Kind::King => CozyPiece::King,
    }
}

pub(crate) fn neutral_kind(kind: CozyPiece) -> Kind {
    match kind {
        CozyPiece::Pawn => Kind::Pawn,
        CozyPiece::Knight => Kind::Knight,
        CozyPiece::Bishop => Kind::Bishop,
        CozyPiece::Rook => Kind::Rook,
        CozyPiece::Queen => Kind::Queen,
        CozyPiece::King => Kind::King,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    fn parse(fen: &str) -> Board {
        fen.parse().expect("a FEN that cozy-chess accepts")
    }

    #[test]
    fn converting_a_board_to_a_position_and_back_restores_it() {
        for fen in [
            KIWIPETE,
            "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1",
            "rnbqkb1r/ppppp1pp/7n/4Pp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "r3k2r/8/8/8/8/8/8/4K3 w q - 42 99",
        ] {
            let parsed = parse(fen);
            assert_eq!(board(&position(&parsed)), Ok(parsed), "{fen}");
        }
    }

    #[test]
    fn en_passant_is_recorded_after_every_double_push() {
        let mut game = Board::default();
        game.play("a2a4".parse().expect("a move"));
        let state = position(&game).state();
        assert_eq!(state.en_passant.map(|s| s.to_string()).as_deref(), Some("a3"));
    }

    #[test]
    fn castling_and_en_passant_carry_their_move_kind() {
        let names = |fen| -> Vec<String> {
            let mut names = Vec::new();
            each_move(&parse(fen), |_, mv| names.push(format!("{mv:?}")));
            names
        };
        let castles = names(KIWIPETE);
        assert_eq!(castles.len(), 48);
        assert!(castles.contains(&"e1g1 castle".to_owned()));
        assert!(castles.contains(&"e1c1 castle".to_owned()));
        let passant = names("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1");
        assert!(passant.contains(&"c4d3 e.p.".to_owned()));
        let both = names("8/8/8/2PpP3/8/8/8/k6K w - d6 0 2");
        assert_eq!(both.iter().filter(|name| name.ends_with("e.p.")).count(), 2);
    }

    #[test]
    fn attack_sets_end_at_the_first_piece_and_include_it() {
        let board = parse("4k3/8/8/8/8/8/1P6/R1N1K3 w - - 0 1");
        let set = |names: &[&str]| -> u64 {
            names.iter().map(|name| name.parse::<Square>().expect("a square").bit()).sum()
        };
        let expected = [
            ("a1", set(&["b1", "c1", "a2", "a3", "a4", "a5", "a6", "a7", "a8"])),
            ("c1", set(&["a2", "b3", "d3", "e2"])),
            ("e1", set(&["d1", "f1", "d2", "e2", "f2"])),
            ("b2", set(&["a3", "c3"])),
        ];
        let found = attack_sets(&board, Color::White);
        assert_eq!(found, expected.map(|(name, set)| (name.parse().expect("a square"), set)));
        assert_eq!(attack_sets(&board, Color::Black).len(), 1);
    }

    #[test]
    fn a_capture_wins_if_it_takes_a_piece_of_more_worth() {
        let names = |fen| -> Vec<String> {
            winning_captures(&parse(fen)).iter().map(ToString::to_string).collect()
        };
        // The rook takes the queen, the pawn takes the rook and promotes. The bishop could take the other one.
        let white = names("n3rk2/3P4/8/q6b/8/2n3r1/4B3/R2RK3 w - - 0 1");
        assert_eq!(white, ["a1a5", "d7e8n", "d7e8b", "d7e8r", "d7e8q"]);
        // The bishop could take the knight, which is worth the same.
        let minors = names("4k3/8/8/3r4/1n6/2B5/8/N3K2b w - - 0 1");
        assert!(minors.is_empty(), "{minors:?}");
        assert!(names("8/8/8/2PpP3/8/8/8/k6K w - d6 0 2").is_empty());
    }

    #[test]
    fn captures_include_en_passant_and_every_promotion() {
        assert_eq!(count_moves(&parse(KIWIPETE)), (48, 8));
        let counts = count_moves(&parse("8/8/8/2PpP3/8/8/8/k6K w - d6 0 2"));
        assert_eq!(counts, (7, 2));
        // Promotions: compare with a count move by move. The position has no castling, no en
        // passant.
        let mutual = parse("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1");
        let mut takes = 0;
        each_move(&mutual, |mv, _| takes += u32::from(mutual.color_on(mv.to).is_some()));
        assert_eq!(count_moves(&mutual), (24, takes));
    }
}
