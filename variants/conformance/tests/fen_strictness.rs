//! Compares the FEN reader with cozy-chess 0.3.4, shakmaty 0.30.1 and owlchess 0.4.1.
//!
//! The tests verify two equivalences:
//!
//! * a position in normal spelling is accepted if and only if all three libraries accept it;
//! * any other text is accepted if and only if all three libraries accept it *and* cozy-chess
//!   writes the position with the same text. The libraries accept other spellings as well: castling
//!   letters in any order, `44` for `8`, `01` for `1`.
//!
//! Halfmove clocks from 101 to 255 are the exception: real games have them, and cozy-chess rejects them.
//! It is given such a position with a clock of 100.
//!
//! shakmaty uses its standard castling mode and treats all its errors as fatal. cozy-chess reads no
//! Shredder letters. owlchess drops wrong castling rights and en passant squares instead of
//! rejecting the text.

use candidates::{Candidate, one_of};
use raywalk_core::Position;
use raywalk_core::random::SplitMix;
use raywalk_positions::oracle;
use shakmaty::{CastlingMode, Chess, PositionErrorKinds as Kinds};

#[path = "fen_strictness/candidates.rs"]
mod candidates;

/// The results of the three libraries for one text.
struct Verdicts {
    /// The text that cozy-chess writes for the position, or `None` if it rejects the text.
    cozy: Option<String>,
    shakmaty: Result<(), Option<Kinds>>,
    owl: bool,
}

impl Verdicts {
    fn of(fen: &str) -> Verdicts {
        let shakmaty = fen.parse::<shakmaty::fen::Fen>().map_err(|_| None);
        Verdicts {
            cozy: with_clock_of_cozy_chess(fen, |fen| {
                cozy_chess::Board::from_fen(fen, false).ok().map(|board| board.to_string())
            }),
            shakmaty: shakmaty.and_then(|fen| {
                let position = fen.into_position::<Chess>(CastlingMode::Standard);
                position.map(|_| ()).map_err(|error| Some(error.kinds()))
            }),
            owl: owlchess::Board::from_fen(fen).is_ok(),
        }
    }

    fn all_accept(&self) -> bool {
        self.cozy.is_some() && self.shakmaty.is_ok() && self.owl
    }

    /// The names of the libraries that reject the text, separated by spaces.
    fn rejecting(&self) -> String {
        let rejections = [
            (self.cozy.is_none(), "cozy-chess"),
            (self.shakmaty.is_err(), "shakmaty"),
            (!self.owl, "owlchess"),
        ];
        let names: Vec<_> = rejections.into_iter().filter(|r| r.0).map(|r| r.1).collect();
        names.join(" ")
    }
}

/// Calls `read` with a halfmove clock that cozy-chess accepts, and restores the clock in the text that
/// it returns.
fn with_clock_of_cozy_chess(fen: &str, read: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut fields: Vec<&str> = fen.split(' ').collect();
    let high = |clock: &&str| {
        clock.parse::<u16>().is_ok_and(|n| (101..=255).contains(&n) && n.to_string() == *clock)
    };
    let Some(clock) = fields.get(4).copied().filter(high) else { return read(fen) };
    fields[4] = "100";
    let written = read(&fields.join(" "))?;
    let mut fields: Vec<&str> = written.split(' ').collect();
    fields[4] = clock;
    Some(fields.join(" "))
}

/// Positions from perft suites and of rare rules; candidates are modifications of them.
const POSSIBLE: [&str; 26] = [
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

#[test]
fn all_three_libraries_and_this_project_accept_the_known_positions() {
    for fen in POSSIBLE {
        assert_eq!(fen.parse::<Position>().map(|position| position.to_string()), Ok(fen.into()));
        assert_eq!(Verdicts::of(fen).rejecting(), "", "{fen}");
    }
}

/// The first equivalence, on random modifications of known positions and on randomly placed pieces.
/// The counts at the end verify that every reason for rejection occurred as the only one.
#[test]
fn a_position_is_accepted_if_and_only_if_all_three_libraries_accept_it() {
    let mut random = SplitMix(1);
    let seeds = POSSIBLE.map(Candidate::of);
    let mut accepted = [0; 2];
    let mut rejected_by_one = [0; 2];
    let mut kinds_met_alone = Vec::new();
    let mut compare = |candidate: &Candidate| {
        let fen = candidate.fen();
        let verdicts = Verdicts::of(&fen);
        let ours = fen.parse::<Position>();
        assert_eq!(
            ours.is_ok(),
            verdicts.all_accept(),
            "{fen}: here {ours:?}, rejected by {:?} ({:?})",
            verdicts.rejecting(),
            verdicts.shakmaty
        );
        if let Ok(position) = ours {
            assert_eq!(position.to_string(), fen);
            accepted[usize::from(candidate.en_passant.is_some())] += 1;
        }
        match (verdicts.rejecting().as_str(), verdicts.shakmaty) {
            ("cozy-chess", _) => rejected_by_one[0] += 1,
            ("shakmaty", _) => rejected_by_one[1] += 1,
            (_, Err(Some(kinds))) if kinds.bits().count_ones() == 1 => kinds_met_alone.push(kinds),
            _ => {}
        }
    };
    for seed in &seeds {
        for _ in 0..1000 {
            let mut candidate = seed.clone();
            for _ in 0..1 + random.below(5) {
                candidate.change(&mut random);
                compare(&candidate);
            }
        }
    }
    for _ in 0..30_000 {
        compare(&Candidate::scattered(&mut random));
    }

    assert!(accepted.iter().all(|&count| count > 3000), "{accepted:?}");
    assert!(rejected_by_one.iter().all(|&count| count > 300), "{rejected_by_one:?}");
    for kind in [
        Kinds::MISSING_KING,
        Kinds::TOO_MANY_KINGS,
        Kinds::PAWNS_ON_BACKRANK,
        Kinds::INVALID_CASTLING_RIGHTS,
        Kinds::INVALID_EP_SQUARE,
        Kinds::OPPOSITE_CHECK,
        Kinds::IMPOSSIBLE_CHECK,
        Kinds::TOO_MUCH_MATERIAL,
    ] {
        let met = kinds_met_alone.iter().filter(|&&met| met == kind).count();
        assert!(met > 20, "{kind:?} occurred as the only reason {met} times");
    }
}

/// The boards rely on this: they do not validate positions after legal moves.
#[test]
fn a_legal_move_leads_from_a_possible_position_to_a_possible_one() {
    let mut random = SplitMix(3);
    let mut moves = 0;
    let mut candidates: Vec<Candidate> = POSSIBLE.map(Candidate::of).into();
    for n in 0..6000 {
        let mut made = Candidate::scattered(&mut random);
        if n % 2 == 0 {
            made = candidates[n % POSSIBLE.len()].clone();
            made.change(&mut random);
            made.change(&mut random);
        }
        candidates.push(made);
    }
    for fen in candidates.iter().map(Candidate::fen).filter(|fen| fen.parse::<Position>().is_ok()) {
        let board = oracle::board(&fen.parse().expect(&fen)).expect(&fen);
        board.generate_moves(|of_one_piece| {
            for mv in of_one_piece {
                let mut after = board.clone();
                after.play_unchecked(mv);
                let after = after.to_string();
                let read = after.parse::<Position>();
                assert!(read.is_ok(), "{fen} {mv} {after}: {read:?}");
                moves += 1;
            }
            false
        });
    }
    assert!(moves > 30_000, "{moves}");
}

/// The second equivalence, on texts with characters replaced, inserted, removed and exchanged.
#[test]
fn a_text_is_accepted_if_and_only_if_all_three_accept_it_in_this_spelling() {
    let letters = "KQRBNPkqrbnp12345678 /-wbabcdefgh0123456789HAha9_+~[]é\t\n";
    let letters: Vec<char> = letters.chars().collect();
    let mut random = SplitMix(2);
    let (mut accepted, mut other_spellings) = (0, 0);
    for fen in POSSIBLE {
        for _ in 0..1500 {
            let mut text: Vec<char> = fen.chars().collect();
            for _ in 0..1 + random.below(2) {
                let (at, other) = (random.below(text.len()), random.below(text.len()));
                match random.below(4) {
                    0 => text[at] = one_of(&mut random, &letters),
                    1 => text.insert(at + random.below(2), one_of(&mut random, &letters)),
                    2 => drop(text.remove(at)),
                    _ => text.swap(at, (at + 1 + other % 3).min(fen.len() - 2)),
                }
            }
            let text: String = text.into_iter().collect();
            let verdicts = Verdicts::of(&text);
            let same_spelling = verdicts.cozy.as_ref() == Some(&text);
            let ours = text.parse::<Position>();
            // cozy-chess requires all six fields, so it cannot read four or five.
            if text.split(' ').count() < 6 {
                assert!(ours.is_err() || verdicts.shakmaty.is_ok() && verdicts.owl, "{text:?}");
                continue;
            }
            let expected = verdicts.all_accept() && same_spelling;
            assert_eq!(ours.is_ok(), expected, "{text:?}: {ours:?}");
            accepted += u32::from(expected);
            other_spellings += u32::from(verdicts.all_accept() && !same_spelling);
        }
    }
    assert!(accepted > 1000 && other_spellings > 50, "{accepted} {other_spellings}");
}

#[test]
fn missing_counters_have_the_defaults_of_owlchess_and_shakmaty() {
    for fen in POSSIBLE {
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        let four = fields.join(" ");
        for (short, full) in
            [(four.clone(), format!("{four} 0 1")), (format!("{four} 7"), format!("{four} 7 1"))]
        {
            let read_by_owlchess = owlchess::RawBoard::from_fen(&short).expect(&short);
            assert_eq!(read_by_owlchess.to_string(), full);
            let read_by_shakmaty: shakmaty::fen::Fen = short.parse().expect(&short);
            assert_eq!(read_by_shakmaty.to_string(), full);
            assert_eq!(short.parse::<Position>(), Ok(full.parse().expect(&full)));
        }
    }
}

/// FEN, the libraries that reject it, and the message of this project.
const IMPOSSIBLE: &[(&str, &str, &str)] = &[
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

#[test]
fn an_impossible_position_is_rejected_with_the_field_and_the_reason() {
    for &(fen, rejecting, sentence) in IMPOSSIBLE {
        let error = fen.parse::<Position>().map_err(|error| error.to_string());
        assert_eq!(error, Err(sentence.to_owned()), "{fen}");
        assert_eq!(Verdicts::of(fen).rejecting(), rejecting, "{fen}");
    }
}
