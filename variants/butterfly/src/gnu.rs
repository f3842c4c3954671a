//! Tests of GNU Chess's code as printed and as distributed.
//!
//! Its capture stage also differs from the one in which designs are compared: it includes promoting pushes and
//! excludes en passant. [`GnuCaptures`](crate::GnuCaptures) has its walk and keeps the common stage.

use raywalk_core::square_board::Board8x8;
use raywalk_core::{Board, Color, Entries, Generator, Kind, Move, MoveList, Position, Square};

use crate::layout::{Layout, Row};
use crate::{GnuCaptures, U8Split};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn sorted(generate: impl FnOnce(&mut MoveList)) -> Vec<Move> {
    let mut list = MoveList::new();
    generate(&mut list);
    let mut moves = list.moves().collect::<Vec<_>>();
    moves.sort_unstable();
    moves
}

fn board(fen: &str) -> Board8x8 {
    Board8x8::new(&fen.parse::<Position>().expect("a position"))
}

/// The capture test of the printed loop is "colour equals xside". If `xside` were the side to
/// move, the loop would capture its own pieces.
#[test]
fn xside_in_the_printed_loop_is_the_side_that_does_not_move() {
    let design = U8Split::build().expect("no feature is needed");
    let board = board(KIWIPETE);
    let targets = |xside: Color| {
        let mut moves = Vec::new();
        for (from, piece) in board.position().pieces().filter(|(_, p)| p.color == board.side()) {
            let row = design.table.row(piece.kind.index() + 1, from.number());
            let mut to = row.next_position(from.index());
            while piece.kind != Kind::Pawn && to != from.index() {
                let square = Square::from_low_bits(to as u32);
                let piece = board.piece_at(square);
                if piece.is_some_and(|piece| piece.color == xside) {
                    moves.push(Move::new(from, square));
                }
                to = row.successor(to, piece.is_some());
            }
        }
        moves.sort_unstable();
        moves
    };
    let mut ours = sorted(|list| design.captures(&board, list));
    ours.retain(|mv| board.piece_at(mv.from()).is_some_and(|piece| piece.kind != Kind::Pawn));
    assert_eq!(targets(!board.side()), ours);
    assert!(targets(board.side()).iter().all(|mv| !ours.contains(mv)));
}

#[test]
fn patch_level_60_loses_three_promotions_in_the_first_capture_direction() {
    let design = GnuCaptures::build().expect("no feature is needed");
    let board = board("r1r4k/1P6/8/8/8/8/8/K7 w - - 0 1");
    let from: Square = "b7".parse().expect("a square");
    let row = design.table.row(1, from.number());
    let first = row.next_direction(from.index());
    let second = row.next_direction(first);
    let [first, second] = [first, second].map(|n| Square::from_low_bits(n as u32));
    let mut printed = vec![Move::promotion(from, first, Kind::Queen)];
    printed.extend(Move::promotions(from, second));

    let ours = sorted(|list| design.captures(&board, list));
    let lost: Vec<String> =
        ours.iter().filter(|mv| !printed.contains(mv)).map(Move::to_string).collect();
    assert_eq!(lost, ["b7a8n", "b7a8b", "b7a8r"]);
    assert_eq!(ours.len(), printed.len() + 3);
}
