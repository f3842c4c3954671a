//! Property tests of FEN and of position validation, on random modifications of real positions.

use proptest::prelude::*;
use raywalk_core::{CastlingRights, Color, Kind, Piece, Position, Square, State};

/// Start points of the modifications: positions with castling rights, en passant squares, promoted
/// pieces and checks.
const SEEDS: [&str; 8] = [
    Position::START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/7p/p5pb/4k3/P1pPn3/8/P5PP/1rB2RK1 b - d3 0 28",
    "rnbqkb1r/ppppp1pp/7n/4Pp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/8/8/8/3pPp2/8/8/R3K1RR b KQkq e3 0 1",
    "8/8/8/8/1k1PpN1R/8/8/4K3 b - d3 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
];

fn piece() -> impl Strategy<Value = Option<Piece>> {
    let color = prop::sample::select(&Color::ALL);
    let kind = prop::sample::select(&Kind::ALL);
    prop_oneof![
        2 => Just(None),
        1 => (color, kind).prop_map(|(color, kind)| Some(Piece::new(color, kind))),
    ]
}

fn square() -> impl Strategy<Value = Square> {
    (0..64u32).prop_map(Square::from_low_bits)
}

/// A possible position: a seed after some changes. Changes that would make it impossible are
/// skipped.
fn position() -> impl Strategy<Value = Position> {
    let seed = prop::sample::select(&SEEDS);
    let pieces = prop::collection::vec((square(), piece()), 0..12);
    let side = prop::sample::select(&Color::ALL);
    let counters = (0..=255u16, 1..=u16::MAX);
    (seed, pieces, side, 0..16u8, prop::option::of(0..8u8), counters).prop_map(
        |(seed, changes, side, rights, passed_file, (halfmove, fullmove))| {
            let mut position: Position = seed.parse().expect(seed);
            let mut keep_if_possible = |change: &dyn Fn(&mut [Option<Piece>; 64], &mut State)| {
                let (mut pieces, mut state) = (*position.squares(), position.state());
                change(&mut pieces, &mut state);
                position = Position::new(pieces, state).unwrap_or(position);
            };
            for (square, piece) in changes {
                keep_if_possible(&|pieces, _| pieces[square.index()] = piece);
            }
            keep_if_possible(&|_, state| {
                *state = State { side, en_passant: None, halfmove, fullmove, ..*state };
            });
            keep_if_possible(&|_, state| state.rights = CastlingRights::NONE);
            for right in [1, 2, 4, 8].map(|bit| CastlingRights::from_bits(rights & bit)) {
                keep_if_possible(&|_, state| state.rights = state.rights.union(right));
            }
            if let Some(first) = passed_file {
                for file in (0..8).map(|n| first ^ n) {
                    keep_if_possible(&|_, state| {
                        let rank = if state.side == Color::White { 5 } else { 2 };
                        state.en_passant = Some(Square::new(file, rank));
                    });
                }
            }
            position
        },
    )
}

/// Text similar to FEN: its letters in roughly the right order.
const NEARLY: &str = "([pnbrqkPNBRQK1-9/]{0,40} ){0,2}[wb-]? ?[KQkqA-Ha-h-]{0,5} \
                      ?([a-i][0-9]|-)? ?[0-9+-]{0,6} ?[0-9]{0,7}.{0,3}";

proptest! {
    #[test]
    fn writing_and_reading_a_position_gives_the_same_position(position in position()) {
        prop_assert_eq!(position.to_string().parse(), Ok(position));
    }

    #[test]
    fn the_mirror_image_of_a_possible_position_is_possible(position in position()) {
        let mirrored = position.mirrored();
        prop_assert_eq!(Position::new(*mirrored.squares(), mirrored.state()), Ok(mirrored));
        prop_assert_eq!(mirrored.mirrored(), position);
    }

    #[test]
    fn any_text_is_a_position_or_an_error_of_one_line(
        text in prop_oneof![any::<String>(), NEARLY.prop_map(String::from)],
    ) {
        if let Err(error) = text.parse::<Position>() {
            let sentence = error.to_string();
            prop_assert!(sentence.starts_with(&format!("{}: ", error.field())), "{}", sentence);
            prop_assert!(!sentence.contains('\n') && sentence.len() < 400, "{}", sentence);
        }
    }

    #[test]
    fn a_damaged_fen_is_rejected_or_is_the_fen_of_another_position(
        position in position(),
        at in any::<prop::sample::Index>(),
        letter in prop_oneof![prop::char::range(' ', 'z'), any::<char>()],
        insert in any::<bool>(),
    ) {
        let mut letters: Vec<char> = position.to_string().chars().collect();
        let at = at.index(letters.len());
        if insert {
            letters.insert(at, letter);
        } else {
            letters[at] = letter;
        }
        let text: String = letters.into_iter().collect();
        if let Ok(read) = text.parse::<Position>() {
            prop_assert_eq!(read.to_string(), text);
        }
    }
}

#[test]
fn the_strategy_produces_every_kind_of_position() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    let mut runner = TestRunner::deterministic();
    let (mut rights, mut en_passant, mut sides) = ([0; 16], 0, [0; 2]);
    for _ in 0..1000 {
        let made = position().new_tree(&mut runner).expect("no filter to fail").current();
        rights[usize::from(made.state().rights.bits())] += 1;
        en_passant += u32::from(made.state().en_passant.is_some());
        sides[made.side().index()] += 1;
    }
    assert!(rights.iter().all(|&count| count > 0), "{rights:?}");
    assert!(en_passant > 50 && sides.iter().all(|&count| count > 200), "{en_passant} {sides:?}");
}
