use proptest::prelude::*;

use super::*;
use crate::squares_of;

const POSITIONS: [&str; 4] = [
    Position::START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
];

fn board(fen: &str) -> Bitboards {
    Bitboards::new(&fen.parse().expect("a possible position"))
}

fn set(names: &str) -> u64 {
    names.split_whitespace().map(|name| name.parse::<Square>().expect("a square").bit()).sum()
}

/// All pseudo-legal moves, by a slow generator of this test.
fn moves(board: &Bitboards) -> Vec<Move> {
    let (side, occupied, ep) = (board.state.side, board.occupied(), board.en_passant());
    let mut moves = Vec::new();
    for from in squares_of(board.own()) {
        let pawn = board.kind_on(from) == Kind::Pawn;
        let targets = if pawn {
            let up = if side == Color::White { 1 } else { -1 };
            let home = from.rank() == if side == Color::White { 1 } else { 6 };
            let pushes = attacks::ray(from, (0, up), occupied) & !occupied;
            let reach = (1..=1 + i8::from(home)).filter_map(|n| from.offset(0, n * up));
            let reach: u64 = reach.map(Square::bit).sum();
            attacks::pawn(side, from) & (board.enemy() | ep) | pushes & reach
        } else {
            attacks::walk(board.kind_on(from), from, occupied) & !board.own()
        };
        for to in squares_of(targets) {
            match to.rank() {
                0 | 7 if pawn => moves.extend(Move::promotions(from, to)),
                _ if pawn && to.bit() == ep => moves.push(Move::en_passant(from, to)),
                _ => moves.push(Move::new(from, to)),
            }
        }
    }
    let king = board.king(side);
    moves.extend(squares_of(board.castling()).map(|to| Move::castle(king, to)));
    moves
}

/// Plays the legal moves that `choices` selects and calls `check` with every position on the way.
fn play(fen: &str, choices: &[usize], mut check: impl FnMut(&Bitboards)) {
    let mut board = board(fen);
    for choice in choices {
        check(&board);
        let side = board.state.side;
        let mut moves = moves(&board);
        moves.retain(|&mv| {
            let undo = board.make(mv);
            let legal = !board.in_check(side);
            board.unmake(mv, undo);
            legal
        });
        match moves.get(choice % moves.len().max(1)) {
            Some(&mv) => board.make(mv),
            None => return,
        };
    }
}

fn games() -> impl Strategy<Value = (&'static str, Vec<usize>)> {
    (prop::sample::select(POSITIONS.to_vec()), prop::collection::vec(0..1000usize, 60))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn unmake_restores_every_bit((fen, choices) in games()) {
        play(fen, &choices, |board| {
            for mv in moves(board) {
                let mut after = *board;
                let undo = after.make(mv);
                assert_ne!(after, *board, "{mv} on {:?}", board.position());
                after.unmake(mv, undo);
                assert_eq!(after, *board, "{mv} on {:?}", board.position());
            }
        });
    }

    #[test]
    fn a_played_board_equals_a_new_board_of_its_position((fen, choices) in games()) {
        play(fen, &choices, |board| {
            assert_eq!(*board, Bitboards::new(&board.position()));
            assert_eq!(board.own() & board.enemy(), 0);
            assert_eq!(board.kinds(Kind::ALL), board.occupied());
            assert_eq!(board.by_kind.iter().map(|set| set.count_ones()).sum::<u32>(),
                board.occupied().count_ones());
        });
    }

    #[test]
    fn a_square_is_attacked_if_a_piece_reaches_it((fen, choices) in games()) {
        play(fen, &choices, |board| {
            for color in Color::ALL {
                let reach = |from| match board.kind_on(from) {
                    Kind::Pawn => attacks::pawn(color, from),
                    kind => attacks::walk(kind, from, board.occupied()),
                };
                let reached = squares_of(board.color(color)).fold(0, |set, from| set | reach(from));
                for square in Square::all() {
                    let expected = reached & square.bit() != 0;
                    assert_eq!(board.attacked(square, color), expected, "{square}");
                }
            }
        });
    }
}

#[test]
fn the_board_occupies_72_bytes() {
    assert_eq!(size_of::<Bitboards>(), 8 * 8 + 8);
}

#[test]
fn castling_needs_the_right_a_clear_path_and_three_safe_squares() {
    let cases = [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "g1 c1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "g8 c8"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1", "c1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQk - 0 1", "g8"),
        // The king would cross an attacked square; land on one; leave one.
        ("4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", "c1"),
        ("4k3/8/8/8/8/6r1/8/R3K2R w KQ - 0 1", "c1"),
        ("4k3/8/8/8/8/4r3/8/R3K2R w KQ - 0 1", ""),
        // b1 may be attacked, but not occupied.
        ("4k3/8/8/8/8/1r6/8/R3K2R w KQ - 0 1", "g1 c1"),
        ("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "g1"),
    ];
    for (fen, expected) in cases {
        assert_eq!(board(fen).castling(), set(expected), "{fen}");
    }
}

#[test]
fn castling_moves_the_rook_and_en_passant_removes_the_captured_pawn() {
    let cases = [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "g1", "f1", 6),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "c8", "d8", 6),
        ("4k3/8/8/2Pp4/8/8/8/4K3 w - d6 0 1", "c5d6", "d6", "", 3),
    ];
    for (fen, text, arrives, rook, pieces) in cases {
        let mut board = board(fen);
        let side = board.state.side;
        let mv = *moves(&board).iter().find(|mv| mv.to_string() == text).expect("a move");
        board.make(mv);
        assert_eq!(board.color(side) & set(arrives), set(arrives), "{fen}");
        assert_eq!(board.of(side, Kind::Rook) & set(rook), set(rook), "{fen}");
        assert_eq!(board.occupied().count_ones(), pieces, "{fen}");
    }
}
