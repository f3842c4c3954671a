//! Whether the king may castle: the passage is clear, and no square of it is attacked.
//!
//! Asking the attack test of the board for each of the king's three squares would look along 24 rays and make up
//! to 24 leaps, many of them through the castling pieces themselves. Everything that attacks the passage stands
//! in front of it, on the five squares of the next rank or behind them, or on the king's own rank behind the
//! king. So each of these six squares is read once, and rays are followed only through those that are empty.
//!
//! In front of a king with his pawns at most one of the six is empty. On an open board most of them are, and their rays
//! are long. Then the list of the enemy's sliders tells which of them need a look at all.

use std::marker::PhantomData;
use std::ops::Range;

use super::attacks::STEPS_TO_EDGE;
use super::geometry::{cell_of, signed};
use super::{Cells, Code, Geometry, PieceList, SquareBoard, Visitor};
use crate::{Castling, Color, Kind, Piece, Square, Wing, stay_a_branch};

/// The cells that decide about one castling move.
struct Passage {
    /// Between king and rook: three, or two of which one stands twice.
    between: [u8; 3],
    /// Where else than in an opening a knight attacks the passage: seven, or six of which one stands twice.
    knights: [u8; 7],
    /// The five squares in front of the passage, and the one next to the king, away from the rook.
    openings: [Opening; 6],
    /// The openings through which a bishop, a rook or a queen on each square looks into the passage, by the kind as in
    /// [`Kind::SLIDERS`]: bit *n* for opening *n*.
    aims: [[u8; 64]; 3],
}

/// A square through which rays lead into the passage.
#[derive(Clone, Copy)]
struct Opening {
    cell: u8,
    square: Square,
    /// Bit *n* is set if a ray in direction *n* of [`Kind::steps`] leads through it from a square of the passage.
    directions: u8,
    /// Whether a knight on it attacks the passage.
    knight: bool,
}

/// The passages on boards of one geometry.
struct Passages<G>(PhantomData<G>);

impl<G: Geometry> Passages<G> {
    /// The passage of each castling move, by side and wing.
    const ALL: [[Passage; 2]; 2] = [
        [Self::passage(Color::White, Wing::King), Self::passage(Color::White, Wing::Queen)],
        [Self::passage(Color::Black, Wing::King), Self::passage(Color::Black, Wing::Queen)],
    ];

    const fn passage(side: Color, wing: Wing) -> Passage {
        let Castling { king_from, king_to, rook_to, between, .. } = Castling::of(side, wing);
        let squares = king_from.bit() | rook_to.bit() | king_to.bit();
        let west = if king_to.file() < king_from.file() { king_to } else { king_from };
        let file = if matches!(wing, Wing::King) { 3 } else { 5 };
        let behind = Square::new(file, king_from.rank());
        let mut openings = [Self::opening(behind, king_from.bit()); 6];
        let mut seen = 0;
        let mut n = 0;
        while n < 5 {
            let rank = if matches!(side, Color::White) { 1 } else { 6 };
            let front = Square::new(west.file() - 1 + n as u8, rank);
            openings[n] = Self::opening(front, squares);
            seen |= front.bit();
            n += 1;
        }
        Passage {
            between: Self::cells(between),
            knights: Self::cells(leaps_to(squares) & !seen),
            openings,
            aims: [
                Self::aims(&openings, 4..8),
                Self::aims(&openings, 0..4),
                Self::aims(&openings, 0..8),
            ],
        }
    }

    /// The openings whose rays in these directions contain each square.
    const fn aims(openings: &[Opening; 6], directions: Range<usize>) -> [u8; 64] {
        let mut aims = [0; 64];
        let mut n = 0;
        while n < openings.len() {
            let mut direction = directions.start;
            while direction < directions.end {
                let (files, ranks) = Kind::Queen.steps()[direction];
                let mut next = Some(openings[n].square);
                while openings[n].directions >> direction & 1 != 0
                    && let Some(square) = next
                {
                    aims[square.index()] |= 1 << n;
                    next = square.offset(files, ranks);
                }
                direction += 1;
            }
            n += 1;
        }
        aims
    }

    /// The rays through `square` that come straight from one of `squares`.
    const fn opening(square: Square, squares: u64) -> Opening {
        let mut directions = 0;
        let mut direction = 0;
        while direction < 8 {
            let (files, ranks) = Kind::Queen.steps()[direction];
            if let Some(origin) = square.offset(-files, -ranks)
                && origin.bit() & squares != 0
            {
                directions |= 1 << direction;
            }
            direction += 1;
        }
        let knight = leaps_to(squares) & square.bit() != 0;
        Opening { cell: Self::cell(square), square, directions, knight }
    }

    /// The cells of a set of squares, lowest first; the last one fills the rest of the array.
    const fn cells<const N: usize>(mut squares: u64) -> [u8; N] {
        let mut cells = [0; N];
        let mut n = 0;
        while n < N {
            cells[n] = Self::cell(Square::from_low_bits(squares.trailing_zeros()));
            if squares & (squares - 1) != 0 {
                squares &= squares - 1;
            }
            n += 1;
        }
        cells
    }

    const fn cell(square: Square) -> u8 {
        cell_of(G::ORIGIN, G::WIDTH, square)
    }
}

/// The squares from which a knight attacks one of `squares`.
const fn leaps_to(squares: u64) -> u64 {
    let mut leaps = 0;
    let mut n = 0;
    while n < 8 * 64 {
        let (files, ranks) = Kind::Knight.steps()[n % 8];
        let square = Square::from_low_bits(n as u32 / 8);
        if let Some(leap) = square.offset(files, ranks)
            && squares & square.bit() != 0
        {
            leaps |= leap.bit();
        }
        n += 1;
    }
    leaps
}

impl<G: Geometry, C: Code, L: PieceList<G>> SquareBoard<G, C, L> {
    #[inline(always)]
    fn passage(side: Color, wing: Wing) -> &'static Passage {
        &Passages::<G>::ALL[side.index()][wing as usize]
    }

    /// Whether the squares between king and rook are empty.
    #[inline(always)]
    pub(super) fn passage_is_clear(&self, side: Color, wing: Wing) -> bool {
        let between = &Self::passage(side, wing).between;
        between.iter().all(|&cell| self.cells.is_empty(cell, C::EMPTY))
    }

    /// Whether no piece of the other side attacks a square that the king leaves, crosses or reaches. The
    /// passage is clear.
    #[inline(always)]
    pub(super) fn passage_is_safe(&self, side: Color, wing: Wing) -> bool {
        let passage = Self::passage(side, wing);
        let knight = C::of(Piece::new(!side, Kind::Knight));
        if passage.knights.iter().any(|&cell| self.cells.get(cell) == knight) {
            return false;
        }
        let mut open = 0;
        for (n, opening) in passage.openings.iter().enumerate() {
            // An own piece is the enemy of the other side, which is one comparison in codes whose guards are own to
            // both.
            if !C::is_enemy(self.cells.get(opening.cell), !side) {
                // A branch that is seldom taken, and not a bit to be shifted for each opening.
                stay_a_branch();
                open |= 1 << n;
            }
        }
        open == 0 || !self.is_attacked_through(passage, open, side)
    }

    /// Whether a piece of the other side attacks the passage from one of the openings `open` or through it: bit *n*
    /// for opening *n*, which holds no own piece. Never inlined, because mostly own pieces stand in all openings.
    #[inline(never)]
    fn is_attacked_through(&self, passage: &Passage, mut open: u32, side: Color) -> bool {
        // The rays of a single opening cost less than the list of the sliders.
        let aimed = if open & (open - 1) == 0 { open } else { self.aimed_at(passage, side).into() };
        while open != 0 {
            let n = open.trailing_zeros();
            open &= open - 1;
            let Some(opening) = passage.openings.get(n as usize) else { break };
            let code = self.cells.get(opening.cell);
            if !C::is_empty(code) {
                match C::kind(code) {
                    // It attacks both neighbours of the square behind it, and one of them is in the passage. Neither
                    // stands next to the king on his own rank.
                    Kind::Pawn | Kind::King => return true,
                    Kind::Knight if opening.knight => return true,
                    _ => {}
                }
            }
            if aimed >> n & 1 != 0 && self.slider_attacks_through(opening, code, side) {
                return true;
            }
        }
        false
    }

    /// The openings on whose rays a slider of the other side stands: bit *n* for opening *n*. What stands between is
    /// not looked at.
    #[inline(always)]
    fn aimed_at(&self, passage: &Passage, side: Color) -> u8 {
        let mut aims = Aims::<G> { passage, aimed: 0, geometry: PhantomData };
        self.list.visit_sliders::<C>(&self.cells, !side, &mut aims);
        aims.aimed
    }

    /// Whether a slider of the other side attacks the passage from an opening or through it, which holds `code`, no
    /// own piece.
    #[inline(always)]
    fn slider_attacks_through(&self, opening: &Opening, code: u8, side: Color) -> bool {
        // Zero if the ray ends in the opening. A counter of full width that ends at zero is one instruction beside the
        // jump.
        let through = if C::is_empty(code) { usize::MAX } else { 0 };
        let mut directions = u32::from(opening.directions);
        while directions != 0 {
            let direction = directions.trailing_zeros() as usize & 7;
            directions &= directions - 1;
            // Numbers of full width, which need not be extended to an index.
            let step = signed(G::QUEEN_STEPS[direction]);
            let (mut cell, mut code) = (usize::from(opening.cell), code);
            let edge = STEPS_TO_EDGE[opening.square.index()][direction];
            let mut left = usize::from(edge) & through;
            while left != 0 {
                cell = cell.wrapping_add_signed(step);
                code = self.cells.get(cell as u8);
                if !C::is_empty(code) {
                    break;
                }
                // The edge of a padded board is a guard.
                left -= usize::from(!G::PADDED);
            }
            // Mostly the ray ends at an own piece.
            if C::is_own(code, side) {
                continue;
            }
            let slider = if direction < 4 { Kind::Rook } else { Kind::Bishop };
            let enemy = |kind| code == C::of(Piece::new(!side, kind));
            if enemy(slider) || enemy(Kind::Queen) {
                return true;
            }
        }
        false
    }
}

/// Collects the openings at which the visited sliders aim.
struct Aims<'a, G> {
    passage: &'a Passage,
    aimed: u8,
    geometry: PhantomData<G>,
}

impl<G: Geometry> Visitor for Aims<'_, G> {
    #[inline(always)]
    fn pawn(&mut self, _: u8) {}

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: u8) {
        let aims = match kind {
            Kind::Bishop => &self.passage.aims[0],
            Kind::Rook => &self.passage.aims[1],
            _ => &self.passage.aims[2],
        };
        self.aimed |= aims[G::square(from).index()];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::square_board::Grid8x8;

    #[test]
    fn the_squares_around_a_passage_are_those_counted_by_hand() {
        let names = |cells: &[u8]| {
            let name = |&cell: &u8| Square::from_low_bits(cell.into()).to_string();
            cells.iter().map(name).collect::<Vec<_>>().join(" ")
        };
        let [[king, queen], black] = &Passages::<Grid8x8>::ALL;
        assert_eq!(names(&king.between), "f1 g1 g1");
        assert_eq!(names(&queen.between), "b1 c1 d1");
        assert_eq!(names(&king.knights), "c2 d3 e3 f3 g3 h3 h3");
        assert_eq!(names(&queen.knights), "a2 g2 b3 c3 d3 e3 f3");
        let cells = |passage: &Passage| names(&passage.openings.map(|opening| opening.cell));
        assert_eq!(cells(king), "d2 e2 f2 g2 h2 d1");
        assert_eq!(cells(queen), "b2 c2 d2 e2 f2 f1");
        assert_eq!(king.openings.map(|one| one.knight), [true, true, false, true, true, false]);
        assert_eq!(queen.openings.map(|one| one.knight), [true, true, false, true, true, false]);
        for passage in [king, queen].into_iter().chain(black) {
            // Three directions from each of three squares.
            let rays = passage.openings.map(|opening| opening.directions.count_ones());
            assert_eq!((rays[..5].iter().sum::<u32>(), rays[5]), (9, 1));
        }
        assert_eq!(cells(&black[0]), "d7 e7 f7 g7 h7 d8");
    }
}
