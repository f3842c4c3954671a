//! What looking from the victim buys besides speed: the order.

use raywalk_core::{Board, Entries, MoveList, Square};
use raywalk_reul::{BlockerLoop, LoopBoard, VectorAttacks};

/// A capture: where, the victim's worth, the attacker's worth.
type Capture = (Square, u8, u8);

/// The captures in the list's order.
fn captures<G: Entries<Board = LoopBoard>>(fen: &str) -> Vec<Capture> {
    let board = LoopBoard::new(&fen.parse().expect("a position"));
    let mut list = MoveList::new();
    G::build().expect("needs no feature").captures(&board, &mut list);
    let worth = |square| [1, 3, 3, 5, 9, 15][board.piece_at(square).expect("a piece").kind.index()];
    list.moves().map(|mv| (mv.to(), worth(mv.to()), worth(mv.from()))).collect()
}

fn most_valuable_first(captures: &[Capture]) -> bool {
    captures.is_sorted_by(|(_, one, _), (_, next, _)| one >= next)
}

#[test]
fn vector_attacks_find_the_most_valuable_victim_first_and_its_least_attacker() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let vector = captures::<VectorAttacks>(fen);
    assert!(most_valuable_first(&vector));
    for of_one_victim in vector.chunk_by(|(one, ..), (next, ..)| one == next) {
        assert!(of_one_victim.is_sorted_by_key(|&(_, _, attacker)| attacker));
    }
    let blocker = captures::<BlockerLoop>(fen);
    assert!(!most_valuable_first(&blocker), "from the origin there is no such order");
    assert_eq!(vector.len(), blocker.len());
}
