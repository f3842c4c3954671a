//! The keys of a walk, against keys from scratch and against those of another generator.

use std::collections::{HashMap, HashSet};

use raywalk_core::{All, Generator as _, Key, Kind, MoveList, Piece, Position, Square, State};
use raywalk_positions::{facts, oracle};

use super::zobrist::without_idle_en_passant;
use super::*;
use crate::copy_make::keys::Keys as _;
use crate::cpu::{Vectors, with_vectors};
use crate::homes::{HOMES, rights_of};
use crate::legal_keyed::LegalKeyed;
use crate::sides::lowest;

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

/// Shows each board that a walk by copies writes up to `depth` plies below a position, and its key. Behind each board,
/// the boards must be those to which its moves lead on another board.
fn each_key(
    design: &(Box<LegalKeyed>, Vectors),
    position: &Position,
    depth: u32,
    visit: &mut dyn FnMut(u64, &Position),
) {
    let board = Bitboards::new(position);
    let keys = design.0.keys(design.1);
    let root = Node { board: Register::of(&board), key: keys.of(&board) };
    each_key_below(design, (&root, board.state().side), depth, visit);
}

fn each_key_below(
    design: &(Box<LegalKeyed>, Vectors),
    (node, side): (&Node<u64>, Color),
    depth: u32,
    visit: &mut dyn FnMut(u64, &Position),
) {
    let position = position_of(&node.board, side);
    visit(node.key, &position);
    if depth == 0 {
        return;
    }
    let (design_of_lists, vectors) = design;
    let (keys, tables) = (design_of_lists.keys(*vectors), &design_of_lists.legal.tables);
    let mut room: Room<Zobrist<'_>> = [const { MaybeUninit::uninit() }; 256];
    let nodes = with_vectors!(
        vectors,
        match side {
            Color::White => children::<true, _>(tables, keys, node, &mut room),
            Color::Black => children::<false, _>(tables, keys, node, &mut room),
        }
    );
    let written = nodes.iter().map(|next| position_of(&next.board, !side));
    let behind_moves = behind_moves(design_of_lists, &position);
    assert_eq!(nodes.len(), behind_moves.len(), "{position}");
    assert_eq!(written.collect::<HashSet<_>>(), behind_moves, "{position}");
    for next in nodes {
        each_key_below(design, (next, !side), depth - 1, visit);
    }
}

/// The position of a board, with clocks at their start.
fn position_of(board: &Register, side: Color) -> Position {
    let Register { pawns, knights, diagonal, straight, kings, colors: [white, black], .. } = *board;
    assert_eq!(pawns | knights | diagonal | straight | kings, white | black);
    let piece_at = |square: Square| {
        let on = |set: u64| set & square.bit() != 0;
        let color = if on(black) { Color::Black } else { Color::White };
        let kind = match () {
            () if on(pawns) => Kind::Pawn,
            () if on(knights) => Kind::Knight,
            () if on(kings) => Kind::King,
            () if on(diagonal & straight) => Kind::Queen,
            () if on(diagonal) => Kind::Bishop,
            () => Kind::Rook,
        };
        on(white | black).then(|| Piece::new(color, kind))
    };
    let passed = board.special & !HOMES;
    let state = State {
        side,
        rights: rights_of(board.special & HOMES),
        en_passant: (passed != 0).then(|| lowest(passed)),
        halfmove: 0,
        fullmove: 1,
    };
    let squares = std::array::from_fn(|n| piece_at(Square::from_low_bits(n as u32)));
    Position::trusted(squares, state)
}

/// The positions to which the legal moves of a list lead on a board that makes them and takes them back.
fn behind_moves(design: &LegalKeyed, position: &Position) -> HashSet<Position> {
    let mut board = Bitboards::new(position);
    let mut list = MoveList::new();
    design.generate::<All>(&board, &mut list);
    let mut behind = |mv| {
        let undo = board.make(mv);
        let next = without_idle_en_passant(&board);
        board.unmake(mv, undo);
        Position::trusted(*next.squares(), State { halfmove: 0, fullmove: 1, ..next.state() })
    };
    list.moves().map(&mut behind).collect()
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
