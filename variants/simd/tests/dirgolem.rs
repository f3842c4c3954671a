//! SIMD DirGolem where a direction has more targets than a vector.

use raywalk_core::{Bitboards, Board, Entries, Generator, Move, MoveList, Position};
use raywalk_simd::{DirGolem, Legal};

/// The moves of a design in order of their words, or nothing on a machine that cannot run it, with a message.
fn moves<G: Entries<Board = Bitboards> + Generator>(fen: &str) -> Option<Vec<Move>> {
    let position: Position = fen.parse().expect("a possible position");
    let design = G::build()
        .inspect_err(|feature| eprintln!("{} is not tested here: it needs {feature}", G::CARD.id))
        .ok()?;
    let mut list = MoveList::new();
    Entries::all(&*design, &Bitboards::new(&position), &mut list);
    let mut moves: Vec<Move> = list.moves().collect();
    moves.sort_unstable();
    Some(moves)
}

#[test]
fn a_direction_may_have_more_targets_than_a_vector() {
    for (fen, north) in [
        // Three files of seven squares, five double pushes, three single ones and the king.
        ("4k3/8/8/3PPP1K/8/8/3PPPPP/RRQ5 w - - 0 1", 35),
        // One fewer, and exactly as many as fit.
        ("4k3/8/8/3PPP2/8/8/3PPPPP/RRQ4K w - - 0 1", 34),
        ("4k3/8/8/3P4/8/8/3PPPPP/RRQ4K w - - 0 1", 32),
        ("6k1/8/8/8/8/8/8/QQQQQ2K w - - 0 1", 36),
    ] {
        let Some(moves) = moves::<DirGolem>(fen) else { return };
        let goes_north =
            |mv: &&Move| mv.from().file() == mv.to().file() && mv.from().rank() < mv.to().rank();
        assert_eq!(moves.iter().filter(goes_north).count(), north, "{fen}");
        assert_eq!(Some(moves), self::moves::<Legal>(fen), "{fen}");
    }
}

#[test]
fn three_knights_may_leap_in_one_direction() {
    let fen = "4k3/8/8/8/2N1N1N1/8/8/4K3 w - - 0 1";
    let Some(moves) = moves::<DirGolem>(fen) else { return };
    assert_eq!(Some(moves), self::moves::<Legal>(fen));
}
