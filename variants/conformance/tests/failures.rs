//! The messages of the kit for designs with a known fault.

use std::panic::catch_unwind;

use raywalk_conformance::{Design, obligations};
use raywalk_core::{
    Bitboards, Board, Card, Control, Entries, Feature, Generator, Legality, Move, MoveList,
    Position, Scope, Square, Stage, entries,
};
use raywalk_positions::oracle;

/// Generates no castling moves.
const NO_CASTLING: u8 = 0;
/// Generates a move from e4, whatever is on it.
const ILLEGAL_MOVE: u8 = 1;
/// Generates the first move twice.
const TWICE: u8 = 2;

/// A legal generator that calls the oracle and then breaks the result.
struct Faulty<const FAULT: u8>;

impl<const FAULT: u8> Generator for Faulty<FAULT> {
    const CARD: Card = Card {
        id: "faulty",
        name: "Faulty",
        author: "the authors of this test",
        year: None,
        source: "this test",
        control: Control::Branchy,
        legality: Legality::Legal,
        published_bytes: None,
        needs: &[],
        reconstructed: "",
    };
    type Board = Bitboards;
    type Moves = Move;
    const SCOPES: &'static [Scope] = &[Scope::Whole];

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(Faulty))
    }

    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList) {
        let moves = oracle::legal_moves(&board.position()).expect("a possible position");
        for &mv in &moves {
            if FAULT != NO_CASTLING || mv.kind() != raywalk_core::MoveKind::Castle {
                list.push(mv);
            }
        }
        match FAULT {
            ILLEGAL_MOVE => list.push(Move::new(Square::new(4, 3), Square::new(4, 6))),
            TWICE => moves.first().iter().for_each(|&&mv| list.push(mv)),
            _ => {}
        }
    }
}

entries!(Faulty<NO_CASTLING>, Faulty<ILLEGAL_MOVE>, Faulty<TWICE>);

/// The message of an obligation that fails.
fn message<const FAULT: u8>(obligation: fn(&Design)) -> String
where
    Faulty<FAULT>: Entries,
{
    let design = Design::of::<Faulty<FAULT>>();
    let payload = catch_unwind(|| obligation(&design)).expect_err("the fault is detected");
    payload.downcast_ref::<String>().expect("a formatted message").clone()
}

/// Checks the lines behind the problem: a FEN and the diagram of the same position.
fn assert_shows_a_board(message: &str) {
    let (_, shown) = message.split_once("\n  FEN: ").expect(message);
    let (fen, diagram) = shown.split_once('\n').expect(message);
    let position: Position = fen.parse().expect(message);
    assert_eq!(diagram, position.drawn().to_string());
}

#[test]
fn a_missing_move_is_named_with_design_and_position() {
    let message =
        message::<NO_CASTLING>(obligations::the_legal_moves_equal_those_of_an_independent_oracle);
    let start = "faulty: the legal moves differ from those of cozy-chess\n  missing: e";
    assert!(message.starts_with(start), "{message}");
    assert!(message.contains(" castle") && !message.contains("too many"), "{message}");
    assert_shows_a_board(&message);
}

#[test]
fn a_wrong_perft_count_is_traced_to_the_position_with_wrong_moves() {
    let message = message::<NO_CASTLING>(obligations::perft_gives_the_published_counts);
    let start = "faulty: the legal moves differ from those of cozy-chess\n  missing: e";
    assert!(message.starts_with(start), "{message}");
    assert_shows_a_board(&message);
}

#[test]
fn an_illegal_move_is_reported_as_illegal_and_not_as_a_wrong_key() {
    for obligation in [
        obligations::perft_gives_the_published_counts,
        obligations::the_legal_moves_equal_those_of_an_independent_oracle,
        obligations::unmake_restores_what_make_changed,
        obligations::the_incremental_key_equals_the_key_from_scratch,
    ] {
        let message = message::<ILLEGAL_MOVE>(obligation);
        assert!(message.starts_with("faulty: generated an illegal move: e4e7\n"), "{message}");
        assert_shows_a_board(&message);
    }
}

#[test]
fn a_move_generated_twice_is_one_too_many() {
    let message =
        message::<TWICE>(obligations::the_legal_moves_equal_those_of_an_independent_oracle);
    assert!(message.contains("\n  too many: "), "{message}");
    assert!(!message.contains("missing"), "{message}");
}
