//! The list: all rays of all pieces of a side, linked into one ring.
//!
//! Each piece has room for eight rays, and its last ray is linked to the first ray of the next
//! piece. So the ring is a list of pieces and a list of directions in one, and a walk never has to
//! know which piece it is at. The king is always on the board, so the ring starts and ends with its
//! first ray.

use raywalk_core::{
    Color, Kind, Piece, Square,
    square_board::{Code, Geometry, PieceList, Visitor},
};

/// Maximum number of pieces of a side without pawns: eight, and eight promoted pawns.
const PIECES: usize = 16;
/// Maximum number of rays of a piece.
const RAYS: usize = 8;
/// The slot of the king.
const KING: usize = 0;

/// One ray in one word, five bytes from the lowest: the piece's cell, the step, the stop flag, the index of
/// the next ray and the piece's square.
///
/// In one word, so that a single load fetches all five long before the walk needs them. The square is that of
/// the cell; looking it up at every step would cost a load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Ray(u64);

impl Ray {
    fn new(from: u8, square: Square, step: u8, slides: bool, next: usize) -> Ray {
        Ray(u64::from_le_bytes([0, step, u8::from(!slides), next as u8, 0, 0, 0, 0]))
            .moved(from, square)
    }

    /// The cell of the piece.
    #[inline(always)]
    pub fn from(self) -> u8 {
        self.0 as u8
    }

    /// The square of the piece.
    #[inline(always)]
    pub fn square(self) -> Square {
        Square::from_low_bits((self.0 >> 32) as u32)
    }

    /// The step from one cell of the ray to the next, for `wrapping_add`.
    #[inline(always)]
    pub fn step(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// 0 for a slider, 1 for a piece that makes one step. ORed with the code of a cell it gives the
    /// empty code only if the ray continues: the square is empty and the piece slides.
    #[inline(always)]
    pub fn stop(self) -> u8 {
        (self.0 >> 16) as u8
    }

    /// The index of the next ray.
    #[inline(always)]
    pub fn next(self) -> u8 {
        (self.0 >> 24) as u8
    }

    /// This ray for a piece on another cell.
    fn moved(self, to: u8, square: Square) -> Ray {
        Ray(self.0 & 0xffff_ff00 | u64::from(to) | (square.index() as u64) << 32)
    }

    /// This ray with another successor.
    fn linked(self, next: usize) -> Ray {
        Ray(self.0 & !0xff00_0000 | (next as u64) << 24)
    }
}

/// The rays of the pieces of both sides, and the cells of the pawns, which have no rays.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct RayList {
    /// By side, slot and ray: 2 × 16 × 8 = 256, so that any `u8` is a valid index.
    rays: [Ray; 2 * PIECES * RAYS],
    pawns: [[u8; 8]; 2],
    pawn_counts: [u8; 2],
    /// The slot of the piece or pawn on each square. The walk reads neither this nor the rings.
    slots: [u8; 64],
    rings: [Ring; 2],
}

/// The order of the pieces of a side. Links are slots.
#[derive(Clone, Debug)]
struct Ring {
    next: [u8; PIECES],
    previous: [u8; PIECES],
    kinds: [Kind; PIECES],
    /// Bit *n* is set if slot *n* is in use.
    used: u16,
}

impl Default for RayList {
    /// Each ring holds a king that has no square yet.
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
            slots: [0; 64],
            rings: [ring.clone(), ring],
        }
    }
}

/// The index of the first ray of the piece in a slot.
const fn first(side: usize, slot: usize) -> usize {
    (side * PIECES + slot) * RAYS
}

impl RayList {
    /// The ray with this index.
    #[inline(always)]
    pub fn ray(&self, index: u8) -> Ray {
        self.rays[usize::from(index)]
    }

    /// The first ray of the king, where the ring of a side starts and ends.
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

    /// Writes the rays of a piece on `square` and links the last one to the next piece.
    fn write<G: Geometry>(&mut self, side: usize, slot: usize, square: Square) {
        let kind = self.rings[side].kinds[slot];
        let head = first(side, slot);
        for (n, &(files, ranks)) in kind.steps().iter().enumerate() {
            let step = G::step(files, ranks);
            let cell = G::cell(square);
            self.rays[head + n] = Ray::new(cell, square, step, kind.is_slider(), head + n + 1);
        }
        self.link(side, slot);
    }

    /// Links the last ray of a piece to the first one of its successor.
    fn link(&mut self, side: usize, slot: usize) {
        let ring = &self.rings[side];
        let last = first(side, slot) + ring.kinds[slot].steps().len() - 1;
        let next = first(side, usize::from(ring.next[slot]));
        self.rays[last] = self.rays[last].linked(next);
    }

    /// Links a piece into the ring after the king, in the first unused slot, and returns the slot.
    /// Its rays are still to be [written](RayList::write).
    fn insert(&mut self, side: usize, kind: Kind) -> usize {
        let ring = &mut self.rings[side];
        let slot = ring.used.trailing_ones() as usize;
        let next = ring.next[KING];
        ring.used |= 1 << slot;
        ring.kinds[slot] = kind;
        (ring.next[slot], ring.previous[slot]) = (next, KING as u8);
        ring.next[KING] = slot as u8;
        ring.previous[usize::from(next)] = slot as u8;
        self.link(side, KING);
        slot
    }

    /// Removes a piece from the ring.
    fn unlink(&mut self, side: usize, slot: usize) {
        let ring = &mut self.rings[side];
        ring.used &= !(1 << slot);
        let (next, previous) = (ring.next[slot], ring.previous[slot]);
        ring.next[usize::from(previous)] = next;
        ring.previous[usize::from(next)] = previous;
        self.link(side, usize::from(previous));
    }
}

impl<G: Geometry> PieceList<G> for RayList {
    const NAME: &'static str = "ring of rays";

    fn add(&mut self, piece: Piece, square: Square) {
        let side = piece.color.index();
        let slot = match piece.kind {
            Kind::Pawn => {
                let slot = self.pawn_counts[side];
                self.pawns[side][usize::from(slot)] = G::cell(square);
                self.pawn_counts[side] = slot + 1;
                usize::from(slot)
            }
            Kind::King => KING,
            kind => self.insert(side, kind),
        };
        if piece.kind != Kind::Pawn {
            self.write::<G>(side, slot, square);
        }
        self.slots[square.index()] = slot as u8;
    }

    fn remove(&mut self, piece: Piece, square: Square) {
        let side = piece.color.index();
        let slot = self.slots[square.index()];
        match piece.kind {
            Kind::Pawn => {
                let last = self.pawn_counts[side] - 1;
                self.pawn_counts[side] = last;
                let filler = self.pawns[side][usize::from(last)];
                self.pawns[side][usize::from(slot)] = filler;
                self.slots[G::square(filler).index()] = slot;
            }
            // Stays linked, because the ring starts with it. A removed king is always added again
            // before the list is read.
            Kind::King => {}
            _ => self.unlink(side, usize::from(slot)),
        }
    }

    fn relocate(&mut self, piece: Piece, from: Square, to: Square) {
        let side = piece.color.index();
        let slot = self.slots[from.index()];
        self.slots[to.index()] = slot;
        if piece.kind == Kind::Pawn {
            self.pawns[side][usize::from(slot)] = G::cell(to);
            return;
        }
        // All eight words, including those that the piece does not use.
        let head = first(side, usize::from(slot));
        for ray in &mut self.rays[head..head + RAYS] {
            *ray = ray.moved(G::cell(to), to);
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
        let mut slot = KING;
        loop {
            let ray = self.rays[first(side.index(), slot)];
            visitor.piece(ring.kinds[slot % PIECES], ray.from());
            slot = usize::from(ring.next[slot % PIECES]) % PIECES;
            if slot == KING {
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

    /// The rays of a side in ring order: cell, step, and whether the piece slides.
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

    /// The same rays, computed from the pieces on the board, sorted.
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
    fn the_start_position_has_48_rays_per_side() {
        let board = board(Position::START);
        the_ring_holds_the_rays_of_the_pieces(&board);
        // King 8, queen 8, rooks 2 × 4, bishops 2 × 4, knights 2 × 8.
        assert_eq!(rays(board.list(), Color::White).len(), 48);
    }

    #[test]
    fn the_ring_follows_make_and_unmake_of_captures_promotions_and_castling() {
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
    fn the_ring_has_room_for_sixteen_pieces_of_a_side() {
        let board = board("NNNNNNNN/8/8/3k4/8/pppppppp/8/RNBQKBNR w - - 0 1");
        the_ring_holds_the_rays_of_the_pieces(&board);
        assert_eq!(rays(board.list(), Color::White).len(), 48 + 8 * 8);
    }
}
