//! Legal moves piece by piece, under the restrictions of checks and pins.

use std::marker::PhantomData;

use raywalk_core::{Board, Castling, CastlingRights, Cursor, Kind, Move, Square, Stage, Wing};

use super::board::{LinkedPieces, link};
use super::code;
use super::safety::{Safety, Side};
use super::tables::{DIFFERENCES, LEAPS, Rays, STEPS, cell, slides, square};

/// What takes the moves: a list, or a count of them.
pub(crate) trait Sink {
    /// Takes one move that is no promotion.
    fn one(&mut self, mv: Move);
    /// Takes the four promotions of a pawn.
    fn promotions(&mut self, from: u8, to: u8);
}

impl Sink for Cursor<'_> {
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
        if S::CAPTURES
            && let Some(passed) = board.state().en_passant
        {
            walk.en_passant(passed);
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
    /// The cell of the pinned piece in each direction of the king; 0 for none.
    pinned: u64,
    /// The cells that resolve the check; the rest are 0.
    resolving: u64,
    checked: bool,
    double: bool,
    types: PhantomData<(S, D)>,
}

impl<'a, S: Stage, D: Side, K: Sink> Walk<'a, S, D, K> {
    #[inline(always)]
    fn new(rays: &'a Rays, board: &'a LinkedPieces, safety: &'a Safety, sink: &'a mut K) -> Self {
        let mut pinned = 0;
        for direction in 0..8 {
            if safety.pins >> direction & 1 != 0 {
                pinned |= safety.around & (0xff << (8 * direction));
            }
        }
        let number = safety.checks.count_ones() + u32::from(safety.leaper != 0);
        let mut resolving = u64::from(safety.leaper);
        if safety.checks != 0 {
            let direction = safety.checks.trailing_zeros() as usize & 7;
            let checker = link(safety.around, direction);
            let mut cell = safety.king;
            while cell != checker {
                cell = cell.wrapping_add_signed(STEPS[direction]);
                resolving = resolving << 8 | u64::from(cell);
            }
        }
        let (checked, double) = (number > 0, number > 1);
        Walk { rays, board, safety, sink, pinned, resolving, checked, double, types: PhantomData }
    }

    /// The direction of the line to which a pin ties the piece.
    #[inline(always)]
    fn tied(&self, from: u8) -> Option<usize> {
        let found = bytes_equal(self.pinned, from);
        (found != 0).then(|| found.trailing_zeros() as usize / 8)
    }

    /// Whether checks allow a move to this cell.
    #[inline(always)]
    fn resolves(&self, to: u8) -> bool {
        !self.checked || bytes_equal(self.resolving, to) != 0
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
    fn en_passant(&mut self, passed: Square) {
        for side in [-1, 1] {
            let from = cell(passed).wrapping_add_signed(-D::AHEAD + side);
            if passes::<D>(self.board, self.safety, from, cell(passed)) {
                self.sink.one(Move::en_passant(square(from), passed));
            }
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

/// Whether the piece on a cell is a pawn that captures en passant and leaves the king safe.
///
/// The capture empties two cells and fills one, so the king's links are followed behind the emptied cells, unless the
/// filled one is nearer.
#[inline(always)]
pub(crate) fn passes<D: Side>(board: &LinkedPieces, safety: &Safety, from: u8, to: u8) -> bool {
    let victim = to.wrapping_add_signed(-D::AHEAD);
    if board.code(from) != code::of(D::OWN, Kind::Pawn)
        || safety.leaper != 0 && safety.leaper != victim
    {
        return false;
    }
    let king = safety.king;
    for direction in 0..8 {
        let mut first = link(safety.around, direction);
        // Both cells may be neighbours on this line.
        for _ in 0..2 {
            if first == from || first == victim {
                first = link(board.links(first), direction);
            }
        }
        let distance = |cell: u8| (cell.wrapping_sub(king) as i8).unsigned_abs();
        let shields = DIFFERENCES.any[usize::from(to.wrapping_sub(king))] == direction as u8
            && distance(to) < distance(first);
        let slider = D::TAKES | slides(direction);
        if !shields && board.code(first) & slider == slider {
            return false;
        }
    }
    true
}

/// The bytes of a word that are equal to a byte that is not 0, as their top bits. The lowest of them is exact.
#[inline(always)]
fn bytes_equal(word: u64, byte: u8) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let differ = word ^ (u64::from(byte) * ONES);
    differ.wrapping_sub(ONES) & !differ & (ONES << 7)
}

/// Finds the castling moves of a king that is not in check. Bit *n* of `safe` is set if it may step in direction *n*.
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
