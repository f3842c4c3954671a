//! Compares the FEN reader with cozy-chess 0.3.4, shakmaty 0.30.1 and owlchess 0.4.1.
//!
//! The tests verify two equivalences:
//!
//! * a position in normal spelling is accepted if and only if all three libraries accept it;
//! * any other text is accepted if and only if all three libraries accept it *and* cozy-chess
//!   writes the position with the same text. The libraries accept other spellings as well: castling
//!   letters in any order, `44` for `8`, `01` for `1`.
//!
//! `verdicts.rs` tells how the libraries are called, and about halfmove clocks, the one exception.

use candidates::{Candidate, one_of};
use positions::{IMPOSSIBLE, POSSIBLE};
use raywalk_core::Position;
use raywalk_core::random::SplitMix;
use raywalk_positions::oracle;
use shakmaty::PositionErrorKinds as Kinds;
use verdicts::Verdicts;

#[path = "fen_strictness/candidates.rs"]
mod candidates;
#[path = "fen_strictness/positions.rs"]
mod positions;
#[path = "fen_strictness/verdicts.rs"]
mod verdicts;

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

#[test]
fn an_impossible_position_is_rejected_with_the_field_and_the_reason() {
    for &(fen, rejecting, sentence) in IMPOSSIBLE {
        let error = fen.parse::<Position>().map_err(|error| error.to_string());
        assert_eq!(error, Err(sentence.to_owned()), "{fen}");
        assert_eq!(Verdicts::of(fen).rejecting(), rejecting, "{fen}");
    }
}
