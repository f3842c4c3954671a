//! The keys of a walk, against keys from scratch and against those of another generator.

use std::collections::{HashMap, HashSet};

use raywalk_core::{Generator as _, Key, Position};
use raywalk_positions::{facts, oracle};

use super::zobrist::without_idle_en_passant;
use super::*;
use crate::copy_make::keys::Keys as _;
use crate::cpu::{Vectors, with_vectors};
use crate::legal_keyed::LegalKeyed;

/// The design, or `None` with a sentence on a machine that cannot run it.
fn design() -> Option<(Box<LegalKeyed>, Vectors)> {
    match (LegalKeyed::build(), Vectors::detect()) {
        (Ok(design), Ok(vectors)) => Some((design, vectors)),
        (Err(feature), _) | (_, Err(feature)) => {
            eprintln!("keys are not tested here: they need {feature}");
            None
        }
    }
}

/// Shows each board that a walk by copies writes up to `depth` plies below a position: its key, and the position to which
/// the same moves lead on another board that makes them and takes them back.
fn each_key(
    (design, vectors): &(Box<LegalKeyed>, Vectors),
    position: &Position,
    depth: u32,
    visit: &mut dyn FnMut(u64, &Position),
) {
    let mut board = Bitboards::new(position);
    let keys = design.keys(*vectors);
    let root = Node { board: Register::of(&board), key: keys.of(&board) };
    visit(root.key, &without_idle_en_passant(&board));
    let tables = &design.legal.tables;
    let mut walk =
        Walk { tables, list: MoveList::new(), counted: with_vectors!(vectors, nothing_counted()) };
    each_key_below(&mut walk, (keys, *vectors), (&root, &mut board), depth, visit);
}

fn each_key_below(
    walk: &mut Walk<'_>,
    (keys, vectors): (Zobrist<'_>, Vectors),
    (node, board): (&Node<u64>, &mut Bitboards),
    depth: u32,
    visit: &mut dyn FnMut(u64, &Position),
) {
    if depth == 0 {
        return;
    }
    let mut room: Room<Zobrist<'_>> = [const { MaybeUninit::uninit() }; 256];
    let white = board.state().side == Color::White;
    let nodes = with_vectors!(
        vectors,
        if white {
            walk.children::<true, _>(keys, node, &mut room)
        } else {
            walk.children::<false, _>(keys, node, &mut room)
        }
    );
    let moves: Vec<Move> = walk.list.moves().collect();
    assert_eq!(moves.len(), nodes.len());
    for (mv, next) in moves.into_iter().zip(nodes) {
        let undo = board.make(mv);
        visit(next.key, &without_idle_en_passant(board));
        each_key_below(walk, (keys, vectors), (next, board), depth - 1, visit);
        board.unmake(mv, undo);
    }
}

#[test]
fn each_key_is_that_from_scratch() {
    let Some(design) = design() else { return };
    for fact in facts::perft() {
        each_key(&design, &fact.position, 2, &mut |key, position| {
            assert_eq!(Key(key), Key::of(position), "{position} below {}", fact.position);
        });
    }
}

#[test]
fn two_rooks_may_end_both_rights_of_a_file() {
    let Some(design) = design() else { return };
    for fen in ["r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"] {
        let position: Position = fen.parse().expect(fen);
        let mut rights = HashSet::new();
        each_key(&design, &position, 1, &mut |key, position| {
            assert_eq!(Key(key), Key::of(position), "{position}");
            rights.insert(position.state().rights.to_string());
        });
        assert!(rights.contains("Kk") && rights.contains("Qq"), "{rights:?}");
    }
}

#[test]
fn keys_tell_the_same_positions_apart_as_those_of_an_independent_oracle() {
    let Some(design) = design() else { return };
    let (mut theirs_of, mut ours_of) = (HashMap::new(), HashMap::new());
    let mut boards = 0;
    for name in ["start", "kiwipete", "cpw-3", "cpw-4", "cpw-5"] {
        let fact = facts::perft().iter().find(|fact| fact.name == name).expect(name);
        each_key(&design, &fact.position, 3, &mut |ours, position| {
            let theirs = oracle::board(position).expect("the oracle accepts every position").hash();
            assert_eq!(*theirs_of.entry(ours).or_insert(theirs), theirs, "{position}");
            assert_eq!(*ours_of.entry(theirs).or_insert(ours), ours, "{position}");
            boards += 1;
        });
    }
    assert!(theirs_of.len() < boards, "some moves lead to one position in several orders");
}
