//! Positions that all libraries accept, and positions that some reject.

/// Positions from perft suites and of rare rules; candidates are modifications of them.
pub(crate) const POSSIBLE: [&str; 26] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/3K4/2p5/p2b2r1/5k2/8/8/1q6 b - - 1 67",
    "8/7p/p5pb/4k3/P1pPn3/8/P5PP/1rB2RK1 b - d3 0 28",
    "rnbqkb1r/ppppp1pp/7n/4Pp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "8/p1P5/P7/3p4/5p1p/3p1P1P/K2p2pp/3R2nk w - - 0 1",
    "4k2r/8/8/8/8/8/8/4K3 w k - 0 1",
    "r3k2r/8/8/8/8/8/8/4K3 w kq - 0 1",
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    // No pawn can capture en passant, but the standard sets the square after every double push.
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    // The pushed pawn gives check; a pushed pawn has uncovered a check.
    "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    "8/8/8/8/k2Pp2R/8/8/4K3 b - - 0 1",
    "8/8/8/1k6/3Pp3/8/8/4KQ2 b - - 0 1",
    "5bk1/8/8/2Pp4/8/1K6/8/8 w - d6 0 1",
    "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1",
    // The pawn attacked the king from its home square, which none of the three libraries tests.
    "8/8/8/8/4P3/3k4/8/4KB2 b - e3 0 1",
    // No draw was claimed; the largest clock that is accepted.
    "8/8/4k3/8/8/3BK3/8/7r w - - 149 190",
    "8/8/4k3/8/8/3BK3/8/7r b - - 255 300",
    // Nine queens; a double check by a knight and a rook.
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "4k3/8/3N4/8/8/8/8/4RK2 b - - 0 1",
];

/// FEN, the libraries that reject it, and the message of this project.
pub(crate) const IMPOSSIBLE: &[(&str, &str, &str)] = &[
    (
        "8/8/8/8/8/8/8/4K3 w - - 0 1",
        "cozy-chess shakmaty owlchess",
        "board: Black has 0 kings instead of 1",
    ),
    (
        "4k3/8/8/8/8/8/8/K3K3 w - - 0 1",
        "cozy-chess shakmaty owlchess",
        "board: White has 2 kings instead of 1",
    ),
    (
        "4k3/p7/pppppppp/8/8/8/8/4K3 w - - 0 1",
        "cozy-chess shakmaty",
        "board: Black has 9 pawns, more than 8",
    ),
    (
        "nnnnknnn/pppppppp/pp6/8/8/8/8/4K3 w - - 0 1",
        "cozy-chess shakmaty owlchess",
        "board: Black has 18 pieces, more than 16",
    ),
    (
        "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
        "cozy-chess shakmaty owlchess",
        "board: a pawn cannot stand on h8",
    ),
    (
        "4k3/8/8/8/8/8/8/4K2p w - - 0 1",
        "cozy-chess shakmaty owlchess",
        "board: a pawn cannot stand on h1",
    ),
    (
        "4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1",
        "shakmaty",
        "board: White needs 9 pawns for its pawns and promoted pieces, more than 8",
    ),
    (
        "4k3/8/8/8/8/8/1PPPPPPP/B1B1K1B1 w - - 0 1",
        "shakmaty",
        "board: White needs 9 pawns for its pawns and promoted pieces, more than 8",
    ),
    ("8/8/8/3kK3/8/8/8/8 w - - 0 1", "shakmaty owlchess", "board: the kings on e5 and d5 touch"),
    (
        "4k3/8/8/8/8/8/8/K3R3 w - - 0 1",
        "cozy-chess shakmaty owlchess",
        "side to move: Black is in check from e1, but White is to move",
    ),
    (
        "4k3/3P4/8/8/8/8/8/K7 w - - 0 1",
        "cozy-chess shakmaty owlchess",
        "side to move: Black is in check from d7, but White is to move",
    ),
    (
        "4k3/8/8/8/8/8/8/R3K1R1 w K - 0 1",
        "cozy-chess shakmaty",
        "castling rights: K needs the white king on e1 and a white rook on h1",
    ),
    (
        "r3k2r/8/8/8/8/8/8/R2K3R w Qkq - 0 1",
        "shakmaty",
        "castling rights: Q needs the white king on e1 and a white rook on a1",
    ),
    (
        "r4k1r/8/8/8/8/8/8/4K3 w kq - 0 1",
        "shakmaty",
        "castling rights: k needs the black king on e8 and a black rook on h8",
    ),
    (
        "R3k3/8/8/8/8/8/8/4K3 b q - 0 1",
        "cozy-chess shakmaty",
        "castling rights: q needs the black king on e8 and a black rook on a8",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e4 0 1",
        "cozy-chess shakmaty owlchess",
        "en passant square: e4 is not on rank 3, with Black to move",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e3 0 1",
        "cozy-chess shakmaty owlchess",
        "en passant square: e3 is not on rank 6, with White to move",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq d3 0 1",
        "cozy-chess shakmaty",
        "en passant square: d3 needs a white pawn on d4",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/4P3/4N3/PPPP1PPP/RNBQKB1R b KQkq e3 0 1",
        "cozy-chess shakmaty",
        "en passant square: e3 is not empty, so no pawn has just come to e4",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPPNPPP/RNBQKB1R b KQkq e3 0 1",
        "cozy-chess shakmaty",
        "en passant square: e2 is not empty, so no pawn has just come to e4",
    ),
    (
        "4k3/8/5N2/8/2pP4/8/8/4K3 b - d3 0 1",
        "cozy-chess shakmaty",
        "en passant square: Black was in check from f6 before the push to d4",
    ),
    (
        "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1",
        "cozy-chess shakmaty",
        "en passant square: Black was in check from f1 before the push to d4",
    ),
    (
        "8/8/8/5Q2/4P3/3k4/8/4KB2 b - e3 0 1",
        "shakmaty",
        "en passant square: Black was in check from f5 before the push to e4",
    ),
    (
        "8/8/8/2k5/3P4/4B3/8/2R1K3 b - d3 0 1",
        "cozy-chess shakmaty",
        "en passant square: the push to d4 cannot have given 2 checks",
    ),
    (
        "B6b/8/8/8/2K5/5k2/8/b6B b - - 0 1",
        "shakmaty",
        "board: no move gives check from h1 and a8, on one line through the king",
    ),
    (
        "8/8/8/R2k3R/8/8/8/4K3 b - - 0 1",
        "shakmaty",
        "board: no move gives check from a5 and h5, on one line through the king",
    ),
    (
        "8/8/N7/2k5/N7/8/8/3K4 b - - 0 1",
        "shakmaty",
        "board: no move gives check from a4 and a6, both without a line to uncover",
    ),
    (
        "8/8/8/2k5/1P1P4/8/8/3K4 b - - 0 1",
        "shakmaty",
        "board: no move gives check from b4 and d4, both without a line to uncover",
    ),
    (
        "3R4/8/8/R2k4/8/1B6/8/4K3 b - - 0 1",
        "cozy-chess shakmaty",
        "board: Black is in check from 3 pieces, more than 2",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 256 160",
        "cozy-chess",
        "halfmove clock: 256 is more than 255 plies",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 0 0",
        "cozy-chess",
        "fullmove number: 0, but moves are counted from 1",
    ),
];
