//! Legal moves of linked pieces: all stages into a list, and the number of all moves without one.

use std::marker::PhantomData;

use raywalk_core::{
    Board, Card, Castling, CastlingRights, Color, Control, Counting, Feature, Generator, Kind,
    Legality, Move, MoveList, Square, Stage, Wing,
};

use super::board::{LinkedPieces, link};
use super::code;
use super::count::{self, Counter};
use super::safety::{Black, Safety, Side, White};
use super::tables::{Differences, LEAPS, Rays, STEPS, cell, square};

/// Legal moves from links between pieces.
#[repr(C, align(64))]
pub struct Legal {
    rays: Rays,
}

impl Generator for Legal {
    const CARD: Card = Card {
        id: "linked-list/legal",
        name: "Legal by linked pieces",
        author: "Raywalk",
        year: Some(2026),
        source: "Raywalk: links as in dancing links (Knuth 2000), not published elsewhere",
        control: Control::Branchy,
        legality: Legality::Legal,
        published_bytes: None,
        needs: &[],
        reconstructed: "",
    };
    type Board = LinkedPieces;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(Legal { rays: Rays::build() }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &LinkedPieces, list: &mut MoveList) {
        match board.side() {
            Color::White => moves::<S, White>(&self.rays, board, list),
            Color::Black => moves::<S, Black>(&self.rays, board, list),
        }
    }

    fn table_bytes(&self) -> usize {
        size_of::<Rays>() + size_of::<Differences>()
    }
}

impl Counting for Legal {
    #[inline(always)]
    fn count(&self, board: &LinkedPieces) -> u64 {
        match board.side() {
            Color::White => count::count::<White>(&self.rays, board),
            Color::Black => count::count::<Black>(&self.rays, board),
        }
    }
}

/// What takes the moves: a list, or a count of them.
pub(crate) trait Sink {
    /// Takes a move.
    fn one(&mut self, mv: Move);
    /// Takes the four promotions of a pawn.
    fn promotions(&mut self, from: u8, to: u8);
}

impl Sink for MoveList {
    #[inline(always)]
    fn one(&mut self, mv: Move) {
        self.push(mv);
    }

    #[inline(always)]
    fn promotions(&mut self, from: u8, to: u8) {
        self.push_promotions(square(from), square(to));
    }
}

/// Finds the moves of stage `S`, with or without a check.
#[inline(always)]
pub(crate) fn moves<S: Stage, D: Side>(rays: &Rays, board: &LinkedPieces, sink: &mut impl Sink) {
    let safety = Safety::of::<D>(board);
    let mut walk = Walk::<S, D, _>::new(rays, board, &safety, sink);
    // Against a double check, only the king moves.
    if !walk.double {
        for (kind, first, last) in [(Kind::Bishop, 2, 6), (Kind::Rook, 0, 4), (Kind::Queen, 0, 4)] {
            for &from in board.cells(D::OWN, kind) {
                for direction in [first, first + 1, last, last + 1] {
                    walk.slide(from, direction);
                }
                if kind == Kind::Queen {
                    for direction in [2, 3, 6, 7] {
                        walk.slide(from, direction);
                    }
                }
            }
        }
    }
    if S::SLIDERS_ONLY {
        return;
    }
    if !walk.double {
        for &from in board.cells(D::OWN, Kind::Knight) {
            walk.knight(from);
        }
        for &from in board.cells(D::OWN, Kind::Pawn) {
            walk.pawn(from);
        }
    }
    walk.king();
}

/// Moves of single pieces under the restrictions of checks and pins.
struct Walk<'a, S, D, K> {
    rays: &'a Rays,
    board: &'a LinkedPieces,
    safety: &'a Safety,
    sink: &'a mut K,
    /// The cells of pinned pieces, and the lowest direction of their lines; 0 for none.
    pinned: [u8; 8],
    /// The cells that resolve the check; the rest are 0.
    resolving: [u8; 8],
    checked: bool,
    double: bool,
    types: PhantomData<(S, D)>,
}

impl<'a, S: Stage, D: Side, K: Sink> Walk<'a, S, D, K> {
    #[inline(always)]
    fn new(rays: &'a Rays, board: &'a LinkedPieces, safety: &'a Safety, sink: &'a mut K) -> Self {
        let mut pinned = [0; 8];
        for (direction, pinned) in pinned.iter_mut().enumerate() {
            if safety.pins >> direction & 1 != 0 {
                *pinned = link(safety.around, direction);
            }
        }
        let number = safety.checks.count_ones() + u32::from(safety.leaper != 0);
        let mut resolving = [0; 8];
        resolving[0] = safety.leaper;
        if safety.checks != 0 {
            let direction = safety.checks.trailing_zeros() as usize & 7;
            let checker = link(safety.around, direction);
            let mut cell = safety.king;
            for resolves in &mut resolving {
                if cell == checker {
                    break;
                }
                cell = cell.wrapping_add_signed(STEPS[direction]);
                *resolves = cell;
            }
        }
        let (checked, double) = (number > 0, number > 1);
        Walk { rays, board, safety, sink, pinned, resolving, checked, double, types: PhantomData }
    }

    /// The direction of the line to which a pin ties the piece.
    #[inline(always)]
    fn tied(&self, from: u8) -> Option<usize> {
        if self.safety.pins == 0 {
            return None;
        }
        self.pinned.iter().position(|&pinned| pinned == from)
    }

    /// Whether checks allow a move to this cell.
    #[inline(always)]
    fn resolves(&self, to: u8) -> bool {
        !self.checked || self.resolving.contains(&to)
    }

    #[inline(always)]
    fn add(&mut self, from: u8, to: u8) {
        if self.resolves(to) {
            self.sink.one(Move::new(square(from), square(to)));
        }
    }

    #[inline(always)]
    fn slide(&mut self, from: u8, direction: usize) {
        if let Some(line) = self.tied(from)
            && line & 3 != direction & 3
        {
            return;
        }
        let blocker = link(self.board.links(from), direction);
        if S::QUIETS {
            for &to in self.rays.of(square(from), direction) {
                if to == blocker {
                    break;
                }
                self.add(from, to);
            }
        }
        if S::CAPTURES && self.board.code(blocker) & D::TAKES != 0 {
            self.add(from, blocker);
        }
    }

    /// Whether a cell with this code gives a piece a move of the stage.
    #[inline(always)]
    fn kept(code: u8) -> bool {
        S::CAPTURES && code & D::TAKES != 0 || S::QUIETS && code == code::EMPTY
    }

    #[inline(always)]
    fn knight(&mut self, from: u8) {
        if self.tied(from).is_some() {
            return;
        }
        for leap in LEAPS {
            let to = from.wrapping_add_signed(leap);
            if Self::kept(self.board.code(to)) {
                self.add(from, to);
            }
        }
    }

    #[inline(always)]
    fn pawn(&mut self, from: u8) {
        let tied = self.tied(from);
        let allows =
            |step: i8| tied.is_none_or(|line| STEPS[line & 7] == step || STEPS[line & 7] == -step);
        if S::CAPTURES {
            for step in [D::AHEAD - 1, D::AHEAD + 1] {
                let to = from.wrapping_add_signed(step);
                if self.board.code(to) & D::TAKES != 0 && allows(step) {
                    self.add_pawn(from, to);
                }
            }
            if let Some(passed) = self.board.state().en_passant {
                self.en_passant(from, passed);
            }
        }
        let once = from.wrapping_add_signed(D::AHEAD);
        if S::QUIETS && self.board.code(once) == code::EMPTY && allows(D::AHEAD) {
            self.add_pawn(from, once);
            let twice = once.wrapping_add_signed(D::AHEAD);
            if D::on_rank(from, D::START) && self.board.code(twice) == code::EMPTY {
                self.add(from, twice);
            }
        }
    }

    #[inline(always)]
    fn add_pawn(&mut self, from: u8, to: u8) {
        if !D::on_rank(from, D::LAST_BUT_ONE) {
            self.add(from, to);
        } else if self.resolves(to) {
            self.sink.promotions(from, to);
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: u8, to: Square) {
        let step = cell(to).wrapping_sub(from) as i8;
        if (step == D::AHEAD - 1 || step == D::AHEAD + 1) && passes::<D>(self.board, from, to) {
            self.sink.one(Move::en_passant(square(from), to));
        }
    }

    #[inline(always)]
    fn king(&mut self) {
        let king = self.safety.king;
        let mut safe = 0;
        for (direction, step) in STEPS.into_iter().enumerate() {
            let to = king.wrapping_add_signed(step);
            if Self::kept(self.board.code(to)) && !self.safety.attacked::<D>(self.board, to) {
                self.sink.one(Move::new(square(king), square(to)));
                safe |= 1 << direction;
            }
        }
        if S::QUIETS && !self.checked {
            castling::<D>(self.board, self.safety, safe, self.sink);
        }
    }
}

/// Whether an en passant capture leaves the king safe. It is made on a copy, because it is rare and empties two
/// squares.
#[cold]
#[inline(never)]
pub(crate) fn passes<D: Side>(board: &LinkedPieces, from: u8, to: Square) -> bool {
    let mut after = board.clone();
    after.make(Move::en_passant(square(from), to));
    !after.in_check(D::OWN)
}

/// Finds the castling moves of a king that is not in check. Bit *n* of `safe` is set if he may step in direction *n*.
#[inline(always)]
pub(crate) fn castling<D: Side>(
    board: &LinkedPieces,
    safety: &Safety,
    safe: u32,
    sink: &mut impl Sink,
) {
    let rights = board.state().rights;
    for (wing, direction) in [(Wing::King, 0), (Wing::Queen, 4)] {
        let castling = Castling::of(D::OWN, wing);
        // The rook is the king's neighbour if nothing stands between them.
        if rights.contains(CastlingRights::one(D::OWN, wing))
            && link(safety.around, direction) == cell(castling.rook_from)
            && safe >> direction & 1 != 0
            && !safety.attacked::<D>(board, cell(castling.king_to))
        {
            sink.one(Move::castle(castling.king_from, castling.king_to));
        }
    }
}

impl Counter {
    /// The number of moves against a check. Not in the way of the usual count.
    #[cold]
    #[inline(never)]
    pub(crate) fn evasions<D: Side>(rays: &Rays, board: &LinkedPieces) -> u64 {
        let mut counter = Counter::default();
        moves::<raywalk_core::All, D>(rays, board, &mut counter);
        counter.0
    }
}
