//! The order of captures. Besides its speed, searching from the victim finds the most valuable
//! victims first.

use raywalk_core::{Board, Entries, MoveList, Square};
use raywalk_reul::{BlockerLoop, LoopBoard, VectorAttacks};

/// A capture: target, value of the victim, value of the attacker.
type Capture = (Square, u8, u8);

/// The captures in the order of the list.
fn captures<G: Entries<Board = LoopBoard>>(fen: &str) -> Vec<Capture> {
    let board = LoopBoard::new(&fen.parse().expect("a position"));
    let mut list = MoveList::new();
    G::build().expect("needs no feature").captures(&board, &mut list);
    let value = |square| [1, 3, 3, 5, 9, 15][board.piece_at(square).expect("a piece").kind.index()];
    list.moves().map(|mv| (mv.to(), value(mv.to()), value(mv.from()))).collect()
}

fn most_valuable_first(captures: &[Capture]) -> bool {
    captures.is_sorted_by(|(_, one, _), (_, next, _)| one >= next)
}

#[test]
fn vector_attacks_order_captures_by_most_valuable_victim_and_least_valuable_attacker() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let vector = captures::<VectorAttacks>(fen);
    assert!(most_valuable_first(&vector));
    for of_one_victim in vector.chunk_by(|(one, ..), (next, ..)| one == next) {
        assert!(of_one_victim.is_sorted_by_key(|&(_, _, attacker)| attacker));
    }
    let blocker = captures::<BlockerLoop>(fen);
    assert!(!most_valuable_first(&blocker), "a walk from the origin has no such order");
    assert_eq!(vector.len(), blocker.len());
}
