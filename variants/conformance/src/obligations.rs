//! What every design owes. Each function is a test of one design; [`conformance!`] names them all.
//!
//! [`conformance!`]: crate::conformance

use std::sync::OnceLock;

use raywalk_core::{
    Board, Entries, Hashed, Key, Leaves, Legality, Move, MoveList, Position, SPARE, Scope, StageId,
    State, legal_moves, perft,
};
use raywalk_positions::{facts, oracle};

use crate::{cases, naive};

/// Leaves per line in this kit. The whole facts file, to full depth, is the business of
/// `raywalk verify`.
const LEAVES: u64 = 30_000;

/// Builds the design and runs the obligation; a design that this machine cannot run is named and
/// passed over.
fn with<G: Entries>(obligation: impl FnOnce(&G)) {
    match G::build() {
        Ok(generator) => obligation(&generator),
        Err(feature) => eprintln!("{} is not tested here: it needs {feature}", G::CARD.id),
    }
}

/// The moves of one stage as generated.
fn stage<G: Entries>(generator: &G, position: &Position, stage: StageId) -> Vec<Move> {
    let mut list = MoveList::new();
    generator.stage(stage, &G::Board::new(position), &mut list);
    list.moves().collect::<Vec<_>>()
}

fn sorted<G: Entries>(generator: &G, position: &Position, which: StageId) -> Vec<Move> {
    let mut moves = stage(generator, position, which);
    moves.sort_unstable();
    moves
}

/// The legal ones among the moves that the design generates, sorted.
fn sorted_legal<G: Entries>(generator: &G, position: &Position) -> Vec<Move> {
    let mut board = G::Board::new(position);
    let mut list = MoveList::new();
    generator.all(&board, &mut list);
    let mut moves = match G::CARD.legality {
        Legality::Legal => list.moves().collect(),
        Legality::Pseudo => legal_moves(&mut board, &list),
    };
    moves.sort_unstable();
    moves
}

/// The card is complete, and its id is one that commands and files can carry.
pub fn the_card_can_be_printed_and_found<G: Entries>() {
    let card = G::CARD;
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-/".contains(c);
    assert!(card.id.chars().all(plain) && card.id.split('/').count() <= 2, "{}", card.id);
    assert!(card.id.split('/').all(|part| !part.is_empty()), "{}", card.id);
    assert!(
        card.year.is_none_or(|year| (1950..2100).contains(&year)),
        "{}: {:?}",
        card.id,
        card.year
    );
    for text in [card.name, card.author, card.source] {
        assert!(!text.trim().is_empty(), "{}: an empty line on the card", card.id);
    }
}

/// Every line of the facts, to the depth that a quick test allows.
pub fn perft_gives_the_published_counts<G: Entries>() {
    with::<G>(|generator| {
        let mut checked = 0;
        for fact in facts::perft() {
            let mut board = G::Board::new(&fact.position);
            for &(depth, nodes) in fact.perft.iter().filter(|(_, nodes)| *nodes <= LEAVES) {
                let found = perft(generator, &mut board, depth, Leaves::Made);
                assert_eq!(
                    found,
                    nodes,
                    "{} D{depth} of {}: {}",
                    G::CARD.id,
                    fact.name,
                    fact.position
                );
                checked += 1;
            }
        }
        assert!(checked > 600, "only {checked} counts were checked");
    });
}

/// The legal moves, as sorted sets, of every case.
pub fn the_legal_moves_are_those_of_an_independent_oracle<G: Entries>() {
    static ANSWERS: OnceLock<Vec<Vec<Move>>> = OnceLock::new();
    let answer = |position| oracle::legal_moves(position).expect("the oracle takes every case");
    let answers = ANSWERS.get_or_init(|| cases::ALL.iter().map(answer).collect());
    with::<G>(|generator| {
        for (position, answer) in cases::ALL.iter().zip(answers) {
            assert_eq!(&sorted_legal(generator, position), answer, "{} {position}", G::CARD.id);
        }
    });
}

/// The pseudo-legal moves, as sorted sets: what two designs must share before their times may be
/// compared. A legal design owes nothing here.
pub fn the_pseudo_legal_moves_are_those_of_a_naive_generator<G: Entries>() {
    if G::CARD.legality == Legality::Legal {
        return;
    }
    with::<G>(|generator| {
        for position in cases::ALL.iter() {
            let answer = naive::pseudo_legal_moves(position);
            assert_eq!(
                sorted(generator, position, StageId::All),
                answer,
                "{} {position}",
                G::CARD.id
            );
        }
    });
}

/// *All* is exactly the disjoint union of *captures* and *quiets*, each move once.
pub fn the_stages_share_no_move_and_together_miss_none<G: Entries>() {
    with::<G>(|generator| {
        for position in cases::ALL.iter() {
            let [all, captures, quiets] = StageId::ALL.map(|id| sorted(generator, position, id));
            let mut union = [captures, quiets].concat();
            union.sort_unstable();
            assert_eq!(union, all, "{} {position}", G::CARD.id);
            let twice = all.windows(2).find(|pair| pair[0] == pair[1]);
            assert_eq!(twice, None, "{} {position}", G::CARD.id);
        }
    });
}

/// Capturing promotions and en passant take; pushing promotions and castling do not.
pub fn the_captures_are_the_moves_that_take<G: Entries>() {
    with::<G>(|generator| {
        for position in cases::ALL.iter() {
            for (id, takes) in [(StageId::Captures, true), (StageId::Quiets, false)] {
                for mv in stage(generator, position, id) {
                    let name = id.name();
                    assert_eq!(
                        naive::takes(position, mv),
                        takes,
                        "{} {name} {mv:?} {position}",
                        G::CARD.id
                    );
                }
            }
        }
    });
}

/// The entry *sliders* of a design that has the scope gives the moves of bishops, rooks and queens
/// that its entry *all* gives, and no other; that of a design without the scope gives nothing.
pub fn the_sliders_alone_have_the_moves_they_have_among_all<G: Entries>() {
    let has_scope = Scope::Sliders.is_in(G::SCOPES);
    with::<G>(|generator| {
        for position in cases::ALL.iter() {
            let slides = |mv: &Move| {
                position.piece_at(mv.from()).is_some_and(|piece| piece.kind.is_slider())
            };
            let mut expected = sorted(generator, position, StageId::All);
            expected.retain(|mv| has_scope && slides(mv));
            let mut list = MoveList::new();
            generator.sliders(&G::Board::new(position), &mut list);
            let mut found: Vec<_> = list.moves().collect();
            found.sort_unstable();
            assert_eq!(found, expected, "{} {position}", G::CARD.id);
        }
    });
}

/// Colours exchanged and the board turned over: the same moves, turned over.
pub fn a_mirrored_position_has_mirrored_moves<G: Entries>() {
    with::<G>(|generator| {
        for position in cases::ALL.iter() {
            let mut flipped: Vec<_> =
                stage(generator, position, StageId::All).into_iter().map(Move::flip).collect();
            flipped.sort_unstable();
            let mirrored = sorted(generator, &position.mirrored(), StageId::All);
            assert_eq!(mirrored, flipped, "{} {position}", G::CARD.id);
        }
    });
}

/// A generator appends: captures, then quiets, into one list.
pub fn moves_are_appended_behind_those_already_there<G: Entries>() {
    with::<G>(|generator| {
        for position in cases::RULES.iter() {
            let board = G::Board::new(position);
            let mut list = MoveList::new();
            generator.captures(&board, &mut list);
            let captures = list.moves().collect::<Vec<_>>();
            generator.quiets(&board, &mut list);
            let all: Vec<_> = list.moves().collect();
            assert_eq!(all[..captures.len()], captures, "{} {position}", G::CARD.id);
            let quiets = stage(generator, position, StageId::Quiets);
            assert_eq!(all[captures.len()..], quiets, "{} {position}", G::CARD.id);
        }
    });
}

/// The record positions, 218 legal moves, leave the list's spare slots to eager writers.
pub fn the_positions_with_most_moves_fit_the_list<G: Entries>() {
    with::<G>(|generator| {
        let most = |position: &Position| stage(generator, position, StageId::All).len();
        let record = cases::RULES.iter().map(most).max().unwrap_or_default();
        assert!((218..=256 - SPARE / 8).contains(&record), "{}: {record} moves", G::CARD.id);
    });
}

/// Walks two plies of every case: after unmake the pieces, the state and the moves are the old ones.
pub fn unmake_restores_what_make_changed<G: Entries>() {
    with::<G>(|generator| {
        for position in cases::RULES.iter() {
            let mut board = G::Board::new(position);
            let before = sorted(generator, position, StageId::All);
            restores(generator, &mut board, 2);
            assert_eq!(board.position(), *position, "{}", G::CARD.id);
            let mut list = MoveList::new();
            generator.all(&board, &mut list);
            let mut after = list.moves().collect::<Vec<_>>();
            after.sort_unstable();
            assert_eq!(after, before, "{} {position}", G::CARD.id);
        }
    });
}

fn restores<G: Entries>(generator: &G, board: &mut G::Board, depth: u32) {
    let mut list = MoveList::new();
    generator.all(board, &mut list);
    let before = board.position();
    for mv in legal_moves(board, &list) {
        let undo = board.make(mv);
        if depth > 1 {
            restores(generator, board, depth - 1);
        }
        board.unmake(mv, undo);
        assert_eq!(board.position(), before, "{} after {mv}", G::CARD.id);
    }
}

/// After every move of two plies, made and taken back, the key that was kept up to date is the one
/// that the position has.
pub fn the_incremental_key_is_the_key_from_scratch<G: Entries>() {
    with::<G>(|generator| {
        for position in cases::RULES.iter() {
            keys(generator, &mut Hashed::<G::Board>::new(position), 2);
        }
    });
}

fn keys<G: Entries>(generator: &G, board: &mut Hashed<G::Board>, depth: u32) {
    assert_eq!(board.key(), Key::of(&board.board().position()), "{}", G::CARD.id);
    if depth == 0 {
        return;
    }
    let mut list = MoveList::new();
    generator.all(board.board(), &mut list);
    for mv in legal_moves(&mut board.board().clone(), &list) {
        let (key, undo) = (board.key(), board.make(mv));
        keys(generator, board, depth - 1);
        board.unmake(mv, undo);
        assert_eq!(board.key(), key, "{} after {mv} is taken back", G::CARD.id);
    }
}

/// After every legal move of every case: the pieces, the side and the rights of the oracle.
pub fn make_leads_where_an_independent_oracle_says<G: Entries>() {
    for position in cases::ALL.iter() {
        let parent = oracle::board(position).expect("the oracle takes every case");
        let mut board = G::Board::new(position);
        oracle::each_move(&parent, |theirs, mv| {
            let mut child = parent.clone();
            child.play(theirs);
            let undo = board.make(mv);
            let (found, expected) = (board.position(), oracle::position(&child));
            assert_eq!(found.squares(), expected.squares(), "{} {position} {mv}", G::CARD.id);
            let fields =
                |state: State| (state.side, state.rights, state.en_passant, state.fullmove);
            let states = [found, expected].map(|position| fields(position.state()));
            assert_eq!(states[0], states[1], "{} {position} {mv}", G::CARD.id);
            board.unmake(mv, undo);
        });
    }
}

/// Check or no check, for the side to move of every case and after every legal move.
pub fn the_board_sees_the_checks_that_an_independent_oracle_sees<G: Entries>() {
    for position in cases::RULES.iter() {
        let mut board = G::Board::new(position);
        let parent = oracle::board(position).expect("the oracle takes every case");
        assert_eq!(board.in_check(position.side()), oracle::in_check(&parent), "{position}");
        oracle::each_move(&parent, |theirs, mv| {
            let mut child = parent.clone();
            child.play(theirs);
            let undo = board.make(mv);
            let check = board.in_check(board.state().side);
            assert_eq!(check, oracle::in_check(&child), "{position} {mv}");
            board.unmake(mv, undo);
        });
    }
}
