//! Evaluation of the small engine that plays the corpora: material, piece-square tables, slider
//! mobility.
//!
//! It is deliberately simple. Its games must resemble those of masters in what determines the cost
//! of a move generator (legal moves, captures, ray lengths, pieces per ply), and it must be easy to
//! reimplement in any language from a dozen lines of integer arithmetic.

use cozy_chess::{Color, Piece, get_bishop_moves, get_rook_moves};
use raywalk_core::Kind;

use crate::oracle::{Board, neutral_kind};

/// Value of a kind in centipawns. The king's 2000 is used by move ordering only.
pub(crate) const fn value(kind: Kind) -> i32 {
    [100, 320, 330, 500, 950, 2000][kind.index()]
}

/// Centipawns per square that a bishop, rook or queen attacks, squares of own pieces included.
const MOBILITY: i32 = 4;
/// Phase of the start position, and the maximum: promotions can exceed it.
const FULL: i32 = 24;

/// Value plus piece-square term, by phase, kind and square seen from the owner's side.
static TABLE: [[[i16; 64]; 6]; FULL as usize + 1] = {
    let mut table = [[[0; 64]; 6]; FULL as usize + 1];
    let mut phase = 0;
    while phase <= FULL {
        let mut kind = 0;
        while kind < 6 {
            let mut square = 0;
            while square < 64 {
                let (middle, end) = terms(kind, square as i32 & 7, square as i32 >> 3);
                // Both sides always have a king, so its value would cancel out.
                let material = [100, 320, 330, 500, 950, 0][kind];
                let placed = (middle * phase + end * (FULL - phase)) / FULL;
                table[phase as usize][kind][square] = (material + placed) as i16;
                square += 1;
            }
            kind += 1;
        }
        phase += 1;
    }
    table
};

/// Middlegame and endgame terms of a kind on a file and a rank, seen from the owner's side.
const fn terms(kind: usize, file: i32, rank: i32) -> (i32, i32) {
    const CENTRE_PAWN: [i32; 8] = [0, -12, 0, 14, 18, 22, 40, 0];
    const NEXT_PAWN: [i32; 8] = [0, 0, 0, 4, 8, 14, 40, 0];
    const WING_PAWN: [i32; 8] = [0, 2, 0, 0, 4, 10, 40, 0];
    const END_PAWN: [i32; 8] = [0, 0, 2, 8, 20, 40, 70, 0];
    const SAFE_KING: [i32; 8] = [12, 26, 14, -6, -2, -6, 30, 16];
    let from_file = if file < 4 { file } else { 7 - file };
    let from_rank = if rank < 4 { rank } else { 7 - rank };
    let centre = from_file + from_rank;
    match kind {
        0 => {
            let middle = match from_file {
                3 => CENTRE_PAWN,
                2 => NEXT_PAWN,
                _ => WING_PAWN,
            };
            (middle[rank as usize], END_PAWN[rank as usize])
        }
        1 => (9 * centre - 27, 6 * centre - 18),
        2 => (5 * centre - 12 - if rank == 0 { 8 } else { 0 }, 4 * centre - 12),
        3 => (4 * from_file - 6 + if rank == 6 { 12 } else { 0 }, 2 * centre),
        4 => (2 * centre - 4 - if rank > 2 { 4 } else { 0 }, 5 * centre - 10),
        _ => {
            let middle =
                if rank == 0 { SAFE_KING[file as usize] } else { -14 * rank - 4 * from_file };
            (middle, 10 * centre - 30)
        }
    }
}

/// The evaluation in centipawns; positive favours the side to move.
pub(crate) fn evaluate(board: &Board) -> i32 {
    let count = |piece| board.pieces(piece).len() as i32;
    let minor = count(Piece::Knight) + count(Piece::Bishop);
    let phase = (minor + 2 * count(Piece::Rook) + 4 * count(Piece::Queen)).min(FULL);
    let table = &TABLE[phase as usize];
    let white = side(board, table, Color::White, 0);
    let black = side(board, table, Color::Black, 56);
    if board.side_to_move() == Color::White { white - black } else { black - white }
}

#[inline]
fn side(board: &Board, table: &[[i16; 64]; 6], color: Color, flip: usize) -> i32 {
    let occupied = board.occupied();
    let (mut sum, mut attacked) = (0, 0);
    for piece in Piece::ALL {
        let terms = &table[neutral_kind(piece).index()];
        for square in board.colored_pieces(color, piece) {
            sum += i32::from(terms[square as usize ^ flip]);
            let targets = match piece {
                Piece::Bishop => get_bishop_moves(square, occupied),
                Piece::Rook => get_rook_moves(square, occupied),
                Piece::Queen => {
                    get_bishop_moves(square, occupied) | get_rook_moves(square, occupied)
                }
                _ => continue,
            };
            attacked += targets.len() as i32;
        }
    }
    sum + MOBILITY * attacked
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Name, FEN, evaluation, and full-window quiescence value where known.
    pub(crate) const KNOWN: [(&str, &str, i32, Option<i32>); 6] = [
        ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0, None),
        ("1.e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", -54, None),
        (
            "kiwipete",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            99,
            Some(99),
        ),
        ("cpw-3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", -6, Some(134)),
        ("cpw-5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 86, Some(582)),
        ("promo-mutual", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 0, Some(474)),
    ];

    #[test]
    fn known_positions_have_known_values() {
        for (name, fen, known, _) in KNOWN {
            let board: Board = fen.parse().expect("a FEN that cozy-chess accepts");
            assert_eq!(evaluate(&board), known, "{name}");
        }
    }

    #[test]
    fn exchanging_colours_keeps_the_value() {
        for (name, fen, known, _) in KNOWN {
            let board: Board = fen.parse().expect("a FEN that cozy-chess accepts");
            let mirrored = crate::oracle::board(&crate::oracle::position(&board).mirrored());
            assert_eq!(mirrored.map(|board| evaluate(&board)), Ok(known), "{name}");
        }
    }
}
