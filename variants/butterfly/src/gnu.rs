//! The capture stage of GNU Chess, which differs from the stage in which designs are compared.
//!
//! It includes promoting pushes and excludes en passant. Sliders run the common loop without quiet
//! moves. Knight, king and pawn follow only the next-direction links: both links of a leaper's square
//! agree, and a pawn's capture thread consists of these links.
//!
//! One detail of 4.0 patch level 60 is not copied. There, a pawn on the seventh rank that captures in
//! its first direction promotes to a queen only, and in its second direction to all four pieces. Here
//! both captures promote to all four.

use raywalk_core::{
    Captures, Color, Generator, Kind, Move, MoveList, Piece, Square,
    square_board::{Code, ColourBits, Visitor},
};

use crate::{
    U8Split,
    layout::{Layout, Row, Split},
    link::Byte,
    row::row_kind,
    walk::{Branchy, FourPromotions, PawnWriter, Steering, Walk, promotes},
};

type Table = Split<Byte>;
type Grid = <Table as Layout>::Geometry;

impl U8Split {
    /// Appends the captures without en passant, and the promoting pushes: the capture stage of GNU
    /// Chess 4. It is not a [`Stage`](raywalk_core::Stage), so its moves and times must not be compared
    /// with those of a stage.
    #[inline(never)]
    pub fn gnu_captures(&self, board: &<U8Split as Generator>::Board, list: &mut MoveList) {
        board.visit::<Captures>(&mut CaptureList {
            table: &self.table,
            walk: Walk::new(board, list),
        });
    }
}

struct CaptureList<'walk> {
    table: &'walk Table,
    walk: Walk<'walk, Captures, Table>,
}

impl CaptureList<'_> {
    #[inline(always)]
    fn is_enemy(&self, cell: usize) -> bool {
        ColourBits::is_enemy(self.walk.board.code(cell as u8), self.walk.board.side())
    }

    /// Follows the next-direction links from the origin until they return to it.
    #[inline(always)]
    fn each_direction(&mut self, row: <Table as Layout>::Row<'_>, from: usize) {
        let mut cell = row.next_direction(from);
        while cell != from {
            if self.is_enemy(cell) {
                let [from, to] = [from, cell].map(|n| Square::from_low_bits(n as u32));
                self.walk.list.push(Move::new(from, to));
            }
            cell = row.next_direction(cell);
        }
    }
}

impl Visitor for CaptureList<'_> {
    #[inline(always)]
    fn pawn(&mut self, from: u8) {
        let side = self.walk.board.side();
        let row = self.table.row(row_kind(Piece::new(side, Kind::Pawn)), from);
        if !promotes::<Grid>(side, from) {
            return self.each_direction(row, from.into());
        }
        let from = usize::from(from);
        let mut cell = from;
        for _ in 0..2 {
            cell = row.next_direction(cell);
            if self.is_enemy(cell) {
                FourPromotions::push::<Grid>(&mut self.walk.list, from, cell);
            }
        }
        let ahead = row.next_position(from);
        if ColourBits::is_empty(self.walk.board.code(ahead as u8)) {
            FourPromotions::push::<Grid>(&mut self.walk.list, from, ahead);
        }
    }

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: u8) {
        let row = self.table.row(row_kind(Piece::new(Color::White, kind)), from);
        if kind.is_slider() {
            Branchy::piece(&mut self.walk, row, from.into());
        } else {
            self.each_direction(row, from.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use raywalk_core::square_board::Board8x8;
    use raywalk_core::{Board, Entries, MoveKind, Position};

    use super::*;

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

    const FENS: [&str; 5] = [
        Position::START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "8/7p/p5pb/4k3/P1pPn3/8/P5PP/1rB2RK1 b - d3 0 28",
    ];

    #[test]
    fn the_stage_of_gnu_chess_has_promoting_pushes_and_no_en_passant() {
        let design = U8Split::build().expect("no feature is needed");
        let (mut pushes, mut en_passant) = (0, 0);
        for fen in FENS {
            let board = board(fen);
            let mut expected = sorted(|list| design.captures(&board, list));
            expected.retain(|mv| mv.kind() != MoveKind::EnPassant);
            en_passant += usize::from(board.state().en_passant.is_some());
            let mut promotions = sorted(|list| design.quiets(&board, list));
            promotions.retain(|mv| mv.promoted().is_some());
            pushes += promotions.len();
            expected.append(&mut promotions);
            expected.sort_unstable();
            assert_eq!(sorted(|list| design.gnu_captures(&board, list)), expected, "{fen}");
        }
        assert!(pushes > 0 && en_passant > 0, "the positions must show both differences");
    }

    /// The capture test of the printed loop is "colour equals xside". If `xside` were the side to
    /// move, the loop would capture its own pieces.
    #[test]
    fn xside_in_the_printed_loop_is_the_side_that_does_not_move() {
        let design = U8Split::build().expect("no feature is needed");
        let board = board(FENS[1]);
        let targets = |xside: Color| {
            let mut moves = Vec::new();
            for (from, piece) in board.position().pieces().filter(|(_, p)| p.color == board.side())
            {
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
        let design = U8Split::build().expect("no feature is needed");
        let board = board("r1r4k/1P6/8/8/8/8/8/K7 w - - 0 1");
        let from: Square = "b7".parse().expect("a square");
        let row = design.table.row(1, from.number());
        let first = row.next_direction(from.index());
        let second = row.next_direction(first);
        let [first, second] = [first, second].map(|n| Square::from_low_bits(n as u32));
        let ahead: Square = "b8".parse().expect("a square");
        let mut printed = vec![Move::promotion(from, first, Kind::Queen)];
        printed.extend(Move::promotions(from, second));
        printed.extend(Move::promotions(from, ahead));

        let ours = sorted(|list| design.gnu_captures(&board, list));
        let lost: Vec<String> =
            ours.iter().filter(|mv| !printed.contains(mv)).map(Move::to_string).collect();
        assert_eq!(lost, ["b7a8n", "b7a8b", "b7a8r"]);
        assert_eq!(ours.len(), printed.len() + 3);
    }
}
