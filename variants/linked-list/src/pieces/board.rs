//! A board on which each piece is linked with the next one in each of eight directions.
//!
//! A piece that leaves its square links its neighbours with each other, and keeps its own links. To put it back,
//! the same links are followed the other way: *dancing links*. A capture changes no links at the target, because the
//! capturing piece takes over those of the captured one. Only a piece that comes to an empty square walks along the
//! eight rays to find its neighbours.

use raywalk_core::square_board::{CountedArrays, Grid10x12, PieceList};
use raywalk_core::{
    Board, Castling, Color, Kind, Move, MoveKind, Piece, Position, Square, State, Undo,
};

use super::code;
use super::tables::{DIFFERENCES, LEAPS, STEPS, cell, slides};

/// How many quiet moves can be taken back by their stored links. Behind them, the rays are walked again.
const STORED: usize = 64;

/// Eight links in a word; byte *n* is the first cell in direction *n* that is not empty, a piece or the guard.
pub(crate) type Links = u64;

/// A 10x12 board with linked pieces.
#[derive(Clone)]
#[repr(C, align(64))]
pub struct LinkedPieces {
    pub(crate) codes: [u8; 256],
    state: State,
    list: CountedArrays,
    /// The links of the pieces. Those of other cells have no meaning. An index of one byte needs no test, so there
    /// are more words than cells.
    pub(crate) links: [Links; 256],
    /// The links that pieces had on the squares that they left, the newest at `depth - 1`, modulo the length.
    left: [Links; STORED],
    depth: usize,
    /// How many of them are those of the last moves.
    stored: usize,
}

/// The link in a direction.
#[inline(always)]
pub(crate) fn link(links: Links, direction: usize) -> u8 {
    (links >> (8 * direction)) as u8
}

impl LinkedPieces {
    #[inline(always)]
    pub(crate) fn code(&self, cell: u8) -> u8 {
        self.codes[usize::from(cell)]
    }

    #[inline(always)]
    pub(crate) fn links(&self, cell: u8) -> Links {
        self.links[usize::from(cell)]
    }

    /// The side to move, without the rest of the state.
    #[inline(always)]
    pub(crate) fn side(&self) -> Color {
        self.state.side
    }

    /// Whether a piece on `slider` reaches `target`, which is in `direction` of it. With `through`, the cell of a
    /// king beside the target, which does not block.
    #[inline(always)]
    pub(crate) fn reaches(&self, slider: u8, target: u8, direction: u8, through: u8) -> bool {
        let first = link(self.links(slider), usize::from(direction & 7));
        (first == through) | (first.abs_diff(slider) >= target.abs_diff(slider))
    }

    /// The cells of the pieces of one colour and kind.
    #[inline(always)]
    pub(crate) fn cells(&self, color: Color, kind: Kind) -> &[u8] {
        self.list.of(color, kind)
    }

    #[inline(always)]
    pub(crate) fn king_cell(&self, color: Color) -> u8 {
        // The default is never used. A conversion of the king's square would be at the start of every chain.
        self.cells(color, Kind::King).first().copied().unwrap_or_default()
    }

    /// The first cell that is not empty, from any square.
    #[inline(always)]
    pub(crate) fn first(&self, from: u8, step: i8) -> u8 {
        let mut cell = from.wrapping_add_signed(step);
        while self.code(cell) == code::EMPTY {
            cell = cell.wrapping_add_signed(step);
        }
        cell
    }

    /// The links of a square, found by walking.
    #[inline(always)]
    fn look_around(&self, cell: u8) -> Links {
        let mut links = 0;
        for (direction, &step) in STEPS.iter().enumerate() {
            links |= u64::from(self.first(cell, step)) << (8 * direction);
        }
        links
    }

    /// Puts the piece on `cell` between its neighbours, or takes it out. Each link is the exclusive or with the
    /// difference of both states, so that the two are the same operation.
    #[inline(always)]
    fn toggle(&mut self, cell: u8, links: Links) {
        for axis in 0..4 {
            let (ahead, behind) = (link(links, axis), link(links, axis + 4));
            self.links[usize::from(ahead)] ^= u64::from(cell ^ behind) << (8 * (axis + 4));
            self.links[usize::from(behind)] ^= u64::from(cell ^ ahead) << (8 * axis);
        }
    }

    /// Links the piece on a square with its neighbours, the cells of `links`.
    #[inline(always)]
    fn join(&mut self, cell: u8, links: Links) {
        self.links[usize::from(cell)] = links;
        self.toggle(cell, links);
    }

    /// [`join`](LinkedPieces::join), with the neighbours found by walking.
    #[inline(always)]
    fn arrive(&mut self, cell: u8) {
        self.join(cell, self.look_around(cell));
    }

    /// Links the neighbours of the piece on a square with each other.
    #[inline(always)]
    fn part(&mut self, cell: u8) -> Links {
        let links = self.links(cell);
        self.toggle(cell, links);
        links
    }

    #[inline(always)]
    fn list_add(&mut self, piece: Piece, square: Square) {
        PieceList::<Grid10x12>::add(&mut self.list, piece, square);
    }

    #[inline(always)]
    fn list_remove(&mut self, piece: Piece, square: Square) {
        PieceList::<Grid10x12>::remove(&mut self.list, piece, square);
    }

    #[inline(always)]
    fn list_relocate(&mut self, piece: Piece, from: Square, to: Square) {
        PieceList::<Grid10x12>::relocate(&mut self.list, piece, from, to);
    }

    fn put(&mut self, piece: Piece, at: Square) {
        self.codes[usize::from(cell(at))] = code::of(piece.color, piece.kind);
        self.list_add(piece, at);
        self.arrive(cell(at));
    }

    fn take(&mut self, piece: Piece, at: Square) {
        self.part(cell(at));
        self.codes[usize::from(cell(at))] = code::EMPTY;
        self.list_remove(piece, at);
    }

    /// Moves a piece to an empty square: for rare moves.
    fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        self.part(cell(from));
        self.codes[usize::from(cell(from))] = code::EMPTY;
        self.codes[usize::from(cell(to))] = code::of(piece.color, piece.kind);
        self.arrive(cell(to));
        self.list_relocate(piece, from, to);
    }

    /// The piece on a square that is not empty.
    #[inline(always)]
    fn standing(&self, at: Square) -> Piece {
        let code = self.code(cell(at));
        let color = if code & code::PIECE_OF[0] != 0 { Color::White } else { Color::Black };
        Piece::new(color, code::kind(code))
    }

    /// Remembers the links of a piece that leaves its square.
    #[inline(always)]
    fn store(&mut self, links: Links) {
        self.left[self.depth % STORED] = links;
        self.depth = self.depth.wrapping_add(1);
        self.stored = (self.stored + 1).min(STORED);
    }

    /// Puts the links of a piece back that returns to its square.
    #[inline(always)]
    fn rejoin(&mut self, cell: u8) {
        if self.stored == 0 {
            return self.arrive(cell);
        }
        self.stored -= 1;
        self.depth = self.depth.wrapping_sub(1);
        self.join(cell, self.left[self.depth % STORED]);
    }

    /// The square of the pawn that an en passant capture takes.
    fn passed(mv: Move) -> Square {
        Square::new(mv.to().file(), mv.from().rank())
    }

    #[cold]
    #[inline(never)]
    fn make_special(&mut self, mv: Move, moved: Piece) -> Option<Piece> {
        let mut captured = None;
        if mv.kind() == MoveKind::EnPassant {
            let victim = Piece::new(!moved.color, Kind::Pawn);
            self.take(victim, Self::passed(mv));
            captured = Some(victim);
        }
        self.shift(moved, mv.from(), mv.to());
        if mv.kind() == MoveKind::Castle {
            let castling = Castling::landing_on(mv.to());
            let rook = Piece::new(moved.color, Kind::Rook);
            self.shift(rook, castling.rook_from, castling.rook_to);
        }
        captured
    }

    #[cold]
    #[inline(never)]
    fn unmake_special(&mut self, mv: Move, moved: Piece, captured: Option<Piece>) {
        if mv.kind() == MoveKind::Castle {
            let castling = Castling::landing_on(mv.to());
            let rook = Piece::new(moved.color, Kind::Rook);
            self.shift(rook, castling.rook_to, castling.rook_from);
        }
        self.shift(moved, mv.to(), mv.from());
        if let Some(captured) = captured {
            self.put(captured, Self::passed(mv));
        }
    }
}

impl Board for LinkedPieces {
    const CELLS: Option<usize> = Some(120);
    const BYTES: usize = 120
        + 120 * size_of::<Links>()
        + size_of::<State>()
        + size_of::<CountedArrays>()
        + STORED * size_of::<Links>()
        + 2 * size_of::<usize>();

    fn new(position: &Position) -> Self {
        let mut codes = [code::GUARD; 256];
        Square::all().for_each(|square| codes[usize::from(cell(square))] = code::EMPTY);
        let mut board = LinkedPieces {
            codes,
            state: position.state(),
            list: CountedArrays::default(),
            links: [0; 256],
            left: [0; STORED],
            depth: 0,
            stored: 0,
        };
        position.pieces().for_each(|(square, piece)| board.put(piece, square));
        board
    }

    #[inline]
    fn piece_at(&self, square: Square) -> Option<Piece> {
        code::piece(self.code(cell(square)))
    }

    #[inline]
    fn state(&self) -> State {
        self.state
    }

    #[inline]
    fn king(&self, color: Color) -> Square {
        PieceList::<Grid10x12>::king(&self.list, color)
    }

    fn attacked(&self, square: Square, by: Color) -> bool {
        let target = cell(square);
        let ahead = if by == Color::White { -10i8 } else { 10 };
        let [pawn, knight] = [Kind::Pawn, Kind::Knight].map(|kind| code::of(by, kind));
        if DIFFERENCES.step[usize::from(target.wrapping_sub(self.king_cell(by)))]
            || [-1, 1]
                .iter()
                .any(|side| self.code(target.wrapping_add_signed(ahead + side)) == pawn)
            || LEAPS.iter().any(|&leap| self.code(target.wrapping_add_signed(leap)) == knight)
        {
            return true;
        }
        STEPS.into_iter().enumerate().any(|(direction, step)| {
            let wanted = slides(direction) | code::PIECE_OF[by.index()];
            self.code(self.first(target, step)) & wanted == wanted
        })
    }

    #[inline]
    fn make(&mut self, mv: Move) -> Undo {
        let (from, to, kind) = (mv.from(), mv.to(), mv.kind());
        let before = self.state;
        let moved = self.standing(from);
        if matches!(kind, MoveKind::Castle | MoveKind::EnPassant) {
            let captured = self.make_special(mv, moved);
            self.state = before.after(mv, moved.kind, captured.is_some());
            return Undo { state: before, captured };
        }
        let (origin, target) = (cell(from), cell(to));
        let captured = code::piece(self.code(target));
        let links = self.part(origin);
        self.store(links);
        let mut arrived = self.code(origin);
        self.codes[usize::from(origin)] = code::EMPTY;
        match captured {
            Some(captured) => self.list_remove(captured, to),
            None => self.arrive(target),
        }
        if let MoveKind::Promotion(kind) = kind {
            arrived = code::of(moved.color, kind);
            self.list_remove(moved, from);
            self.list_add(Piece::new(moved.color, kind), to);
        } else {
            self.list_relocate(moved, from, to);
        }
        self.codes[usize::from(target)] = arrived;
        self.state = before.after(mv, moved.kind, captured.is_some());
        Undo { state: before, captured }
    }

    #[inline]
    fn unmake(&mut self, mv: Move, undo: Undo) {
        let (from, to, kind) = (mv.from(), mv.to(), mv.kind());
        self.state = undo.state;
        let moved = self.standing(to);
        if matches!(kind, MoveKind::Castle | MoveKind::EnPassant) {
            return self.unmake_special(mv, moved, undo.captured);
        }
        let (origin, target) = (cell(from), cell(to));
        let mut returned = self.code(target);
        if let MoveKind::Promotion(_) = kind {
            returned = code::of(moved.color, Kind::Pawn);
            self.list_remove(moved, to);
            self.list_add(Piece::new(moved.color, Kind::Pawn), from);
        } else {
            self.list_relocate(moved, to, from);
        }
        match undo.captured {
            Some(captured) => {
                self.list_add(captured, to);
                self.codes[usize::from(target)] = code::of(captured.color, captured.kind);
            }
            None => {
                self.part(target);
                self.codes[usize::from(target)] = code::EMPTY;
            }
        }
        self.codes[usize::from(origin)] = returned;
        self.rejoin(origin);
    }
}

#[cfg(test)]
mod tests {
    use raywalk_core::{Generator, MoveList};

    use super::super::legal::Legal;
    use super::*;

    /// Asserts that the links of all pieces are those of a board that is set up anew.
    fn assert_linked(board: &LinkedPieces) {
        let fresh = LinkedPieces::new(&board.position());
        for square in Square::all().filter(|&square| board.piece_at(square).is_some()) {
            assert_eq!(board.links(cell(square)), fresh.links(cell(square)), "{square}");
        }
    }

    /// More moves than are stored, so that the oldest ones are taken back by walks.
    #[test]
    fn links_follow_the_pieces_forth_and_back() {
        let design = Legal::build().expect("no feature is needed");
        let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let mut longest = 0;
        for first in 0..40 {
            let mut board = LinkedPieces::new(&kiwipete.parse().expect("a position"));
            let mut made = Vec::new();
            for ply in 0..4 * STORED {
                let mut list = MoveList::new();
                design.generate::<raywalk_core::All>(&board, &mut list);
                let moves: Vec<Move> = list.moves().collect();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[(first * 7 + ply * 31) % moves.len()];
                made.push((mv, board.make(mv)));
                assert_linked(&board);
            }
            longest = longest.max(made.len());
            for (mv, undo) in made.into_iter().rev() {
                board.unmake(mv, undo);
                assert_linked(&board);
            }
        }
        assert!(longest > 2 * STORED, "{longest}");
    }
}
