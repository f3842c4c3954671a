//! The list: all rays of all pieces of a side, linked into one ring.
//!
//! Each piece has room for eight rays; the last ray of a piece is linked to the first of the next
//! piece. So the ring is a list of pieces and a list of directions in one, and whoever follows it
//! never asks which piece he is at. The king is the one piece that is always there: the ring begins
//! and ends with its first ray.

use raywalk_core::{
    Color, Kind, Piece, Square,
    square_board::{Code, Geometry, PieceList, Visitor},
};

/// Pieces of a side, pawns not counted: eight, and eight promoted pawns.
const PIECES: usize = 16;
/// Rays of a piece, at most.
const RAYS: usize = 8;
/// The place of the king among the pieces.
const KING: usize = 0;

/// One ray in one word: the cell where the piece stands, the step, whether it goes on behind an
/// empty square, and the next ray. A word, so that one load fetches all four, long before the walk
/// arrives there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Ray(u32);

impl Ray {
    fn new(from: u8, step: u8, slides: bool, next: usize) -> Ray {
        Ray(u32::from_le_bytes([from, step, u8::from(!slides), next as u8]))
    }

    /// Where the piece stands.
    #[inline(always)]
    pub fn from(self) -> u8 {
        self.0 as u8
    }

    /// From one cell of the ray to the next, to be added with `wrapping_add`.
    #[inline(always)]
    pub fn step(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// Zero if the ray goes on behind an empty square: a code that is ORed with it is empty only if
    /// the square is empty and the piece slides.
    #[inline(always)]
    pub fn stop(self) -> u8 {
        (self.0 >> 16) as u8
    }

    /// The index of the next ray.
    #[inline(always)]
    pub fn next(self) -> u8 {
        (self.0 >> 24) as u8
    }

    fn moved(self, to: u8) -> Ray {
        Ray(self.0 & !0xff | u32::from(to))
    }

    fn linked(self, next: usize) -> Ray {
        Ray(self.0 & 0x00ff_ffff | (next as u32) << 24)
    }
}

/// The rays of both sides, and the pawns, which have none.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct RayList {
    /// By side, piece and ray: 2 × 16 × 8, so that any `u8` is an index.
    rays: [Ray; 2 * PIECES * RAYS],
    pawns: [[u8; 8]; 2],
    pawn_counts: [u8; 2],
    /// Read by updates alone from here on: the piece or pawn on a square, and the ring of pieces.
    places: Places,
    rings: [Ring; 2],
}

#[derive(Clone, Debug)]
struct Places([u8; 64]);

/// The order of the pieces of a side, and which of the sixteen are in use.
#[derive(Clone, Debug)]
struct Ring {
    next: [u8; PIECES],
    previous: [u8; PIECES],
    kinds: [Kind; PIECES],
    used: u16,
}

impl Default for RayList {
    /// Rings of a king each, which stands nowhere yet.
    fn default() -> RayList {
        let ring = Ring {
            next: [KING as u8; PIECES],
            previous: [KING as u8; PIECES],
            kinds: [Kind::King; PIECES],
            used: 1 << KING,
        };
        RayList {
            rays: [Ray::default(); 2 * PIECES * RAYS],
            pawns: [[0; 8]; 2],
            pawn_counts: [0; 2],
            places: Places([0; 64]),
            rings: [ring.clone(), ring],
        }
    }
}

/// The index of the first ray of a piece.
const fn first(side: usize, piece: usize) -> usize {
    (side * PIECES + piece) * RAYS
}

impl RayList {
    /// The ray of this index.
    #[inline(always)]
    pub fn ray(&self, index: u8) -> Ray {
        self.rays[usize::from(index)]
    }

    /// The first ray of the king, with which the ring of a side begins and ends.
    #[inline(always)]
    pub fn head(&self, side: Color) -> Ray {
        self.rays[first(side.index(), KING)]
    }

    /// The cells of the pawns of a side.
    #[inline(always)]
    pub fn pawns(&self, side: Color) -> &[u8] {
        let count = usize::from(self.pawn_counts[side.index()]);
        &self.pawns[side.index()][..count.min(8)]
    }

    /// Writes the rays of a piece and links the last one to the piece that follows in the ring.
    fn write<G: Geometry>(&mut self, side: usize, piece: usize, from: u8) {
        let kind = self.rings[side].kinds[piece];
        let head = first(side, piece);
        for (n, &(files, ranks)) in kind.steps().iter().enumerate() {
            let step = G::step(files, ranks);
            self.rays[head + n] = Ray::new(from, step, kind.is_slider(), head + n + 1);
        }
        self.link(side, piece);
    }

    /// Links the last ray of a piece to the first one of its successor.
    fn link(&mut self, side: usize, piece: usize) {
        let ring = &self.rings[side];
        let last = first(side, piece) + ring.kinds[piece].steps().len() - 1;
        let next = first(side, usize::from(ring.next[piece]));
        self.rays[last] = self.rays[last].linked(next);
    }

    /// Puts a piece into the ring behind the king.
    fn insert(&mut self, side: usize, kind: Kind) -> usize {
        let ring = &mut self.rings[side];
        let piece = ring.used.trailing_ones() as usize;
        let next = ring.next[KING];
        ring.used |= 1 << piece;
        ring.kinds[piece] = kind;
        (ring.next[piece], ring.previous[piece]) = (next, KING as u8);
        ring.next[KING] = piece as u8;
        ring.previous[usize::from(next)] = piece as u8;
        self.link(side, KING);
        piece
    }

    /// Takes a piece out of the ring.
    fn unlink(&mut self, side: usize, piece: usize) {
        let ring = &mut self.rings[side];
        ring.used &= !(1 << piece);
        let (next, previous) = (ring.next[piece], ring.previous[piece]);
        ring.next[usize::from(previous)] = next;
        ring.previous[usize::from(next)] = previous;
        self.link(side, usize::from(previous));
    }
}

impl<G: Geometry> PieceList<G> for RayList {
    const NAME: &'static str = "ring of rays";

    fn add(&mut self, piece: Piece, square: Square) {
        let side = piece.color.index();
        let place = match piece.kind {
            Kind::Pawn => {
                let place = self.pawn_counts[side];
                self.pawns[side][usize::from(place)] = G::cell(square);
                self.pawn_counts[side] = place + 1;
                usize::from(place)
            }
            Kind::King => KING,
            kind => self.insert(side, kind),
        };
        if piece.kind != Kind::Pawn {
            self.write::<G>(side, place, G::cell(square));
        }
        self.places.0[square.index()] = place as u8;
    }

    fn remove(&mut self, piece: Piece, square: Square) {
        let side = piece.color.index();
        let place = self.places.0[square.index()];
        match piece.kind {
            Kind::Pawn => {
                let last = self.pawn_counts[side] - 1;
                self.pawn_counts[side] = last;
                let filler = self.pawns[side][usize::from(last)];
                self.pawns[side][usize::from(place)] = filler;
                self.places.0[G::square(filler).index()] = place;
            }
            // The ring would have no beginning; a king is put back before anybody looks.
            Kind::King => {}
            _ => self.unlink(side, usize::from(place)),
        }
    }

    fn relocate(&mut self, piece: Piece, from: Square, to: Square) {
        let side = piece.color.index();
        let place = self.places.0[from.index()];
        self.places.0[to.index()] = place;
        if piece.kind == Kind::Pawn {
            self.pawns[side][usize::from(place)] = G::cell(to);
            return;
        }
        let head = first(side, usize::from(place));
        for ray in &mut self.rays[head..head + RAYS] {
            *ray = ray.moved(G::cell(to));
        }
    }

    fn king(&self, color: Color) -> Square {
        G::square(self.head(color).from())
    }

    #[inline(always)]
    fn visit<C: Code>(&self, _: &G::Cells, side: Color, visitor: &mut impl Visitor) {
        for &cell in self.pawns(side) {
            visitor.pawn(cell);
        }
        let ring = &self.rings[side.index()];
        let mut piece = KING;
        loop {
            let ray = self.rays[first(side.index(), piece)];
            visitor.piece(ring.kinds[piece % PIECES], ray.from());
            piece = usize::from(ring.next[piece % PIECES]) % PIECES;
            if piece == KING {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use raywalk_core::{
        Board, Position,
        square_board::{ColourBits, Grid16x12, SquareBoard},
    };

    use super::*;

    type TestBoard = SquareBoard<Grid16x12, ColourBits, RayList>;

    fn board(fen: &str) -> TestBoard {
        TestBoard::new(&fen.parse::<Position>().expect("a position"))
    }

    /// The rays of a side in the order of the ring: cell, step, and whether it slides.
    fn rays(list: &RayList, side: Color) -> Vec<(u8, u8, bool)> {
        let head = list.head(side);
        let mut rays = Vec::new();
        let mut ray = head;
        loop {
            rays.push((ray.from(), ray.step(), ray.stop() == 0));
            ray = list.ray(ray.next());
            if ray == head {
                return rays;
            }
        }
    }

    /// The same from the pieces on the board, sorted.
    fn expected(board: &TestBoard, side: Color) -> Vec<(u8, u8, bool)> {
        let mut rays = Vec::new();
        for (square, piece) in board.position().pieces() {
            if piece.color == side {
                let ray = |&(files, ranks): &(i8, i8)| {
                    let step = Grid16x12::step(files, ranks);
                    (Grid16x12::cell(square), step, piece.kind.is_slider())
                };
                rays.extend(piece.kind.steps().iter().map(ray));
            }
        }
        rays.sort_unstable();
        rays
    }

    fn the_ring_holds_the_rays_of_the_pieces(board: &TestBoard) {
        for side in Color::ALL {
            let mut found = rays(board.list(), side);
            found.sort_unstable();
            assert_eq!(found, expected(board, side));
        }
    }

    #[test]
    fn the_start_position_has_48_rays_a_side() {
        let board = board(Position::START);
        the_ring_holds_the_rays_of_the_pieces(&board);
        // King 8, queen 8, rooks 2 × 4, bishops 2 × 4, knights 2 × 8.
        assert_eq!(rays(board.list(), Color::White).len(), 48);
    }

    #[test]
    fn the_ring_follows_captures_promotions_castling_and_their_undoing() {
        for (fen, moves) in [
            ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", ["g2h1q", "b7a8r", "h1f1", "e2f1"]),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", ["e1g1", "a8a1", "f1a1", "h8h1"]),
        ] {
            let mut board = board(fen);
            let mut undone = Vec::new();
            for text in moves {
                let mv = find(&board, text);
                undone.push((mv, board.make(mv)));
                the_ring_holds_the_rays_of_the_pieces(&board);
            }
            for (mv, undo) in undone.into_iter().rev() {
                board.unmake(mv, undo);
                the_ring_holds_the_rays_of_the_pieces(&board);
            }
        }
    }

    fn find(board: &TestBoard, text: &str) -> raywalk_core::Move {
        use raywalk_core::{Entries, Generator, MoveList};
        let mut list = MoveList::new();
        crate::RayLoop::build().expect("no feature is needed").all(board, &mut list);
        let found = list.as_slice().iter().find(|mv| mv.to_string() == text);
        *found.expect("a move of the position")
    }

    #[test]
    fn sixteen_pieces_of_a_side_find_room() {
        let board = board("NNNNNNNN/8/8/3k4/8/pppppppp/8/RNBQKBNR w - - 0 1");
        the_ring_holds_the_rays_of_the_pieces(&board);
        assert_eq!(rays(board.list(), Color::White).len(), 48 + 8 * 8);
    }
}
