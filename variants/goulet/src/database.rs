//! The three tables of the database: heads, rays and squares.
//!
//! A head is one piece on one square and names a run of rays; a ray names a run of squares.

use raywalk_core::{Card, Color, Kind, Square};

use crate::CARD;

/// Heads of the pawns of both sides, on 48 squares each.
pub(crate) const PAWN_HEADS: usize = 2 * 48;
/// Number of heads: five kinds on 64 squares, and the pawns.
pub(crate) const HEADS: usize = 5 * 64 + PAWN_HEADS;
/// Number of rays of all heads.
pub(crate) const RAYS: usize = 1_860;
/// Rays of the pawns of both sides: a push for each, and captures to one side or to both.
pub(crate) const PAWN_RAYS: usize = 96 + 168;
/// Number of squares of all rays.
pub(crate) const TARGETS: usize = 3_948;

/// The widths of the fields.
pub trait Width: Send + Sync + 'static {
    /// Start of a run: up to 3,947.
    type Index: Number;
    /// Length of a run: up to 8.
    type Small: Number;
    /// The form in which a list stores a target square.
    type Target: Target;
    /// Whether a ray of a piece holds a step instead of its targets. Pawns keep their lists.
    const STEPS: bool = false;
    /// The card of the design that uses it.
    const CARD: Card;
}

/// An unsigned integer as the tables store it.
pub trait Number: Copy + Default + Send + Sync + 'static {
    /// `number` must fit; the counts that the builder asserts guarantee it.
    fn new(number: usize) -> Self;
    fn get(self) -> usize;
}

macro_rules! numbers {
    ($($number:ty),+) => {$(
        impl Number for $number {
            #[inline]
            fn new(number: usize) -> Self {
                debug_assert!(<$number>::try_from(number).is_ok());
                number as $number
            }
            #[inline(always)]
            fn get(self) -> usize {
                self as usize
            }
        }
    )+};
}
numbers!(u8, u16, u32);

/// A square as the table stores it. Its type tells the range, so that a loaded square is an index without a mask.
pub trait Target: Copy + Send + Sync + 'static {
    fn new(square: Square) -> Self;
    fn square(self) -> Square;
}

impl Target for Square {
    #[inline]
    fn new(square: Square) -> Self {
        square
    }
    #[inline(always)]
    fn square(self) -> Square {
        self
    }
}

/// A square in a word of 32 bits.
#[derive(Clone, Copy)]
#[repr(C, align(4))]
pub struct Word(Square);

impl Target for Word {
    #[inline]
    fn new(square: Square) -> Self {
        Word(square)
    }
    #[inline(always)]
    fn square(self) -> Square {
        self.0
    }
}

/// The narrowest fields: 16 bits for starts of runs, 8 bits for everything else.
pub struct Bytes;
impl Width for Bytes {
    type Index = u16;
    type Small = u8;
    type Target = Square;
    const CARD: Card = CARD;
}

/// A 32-bit word for each field.
pub struct Words;
impl Width for Words {
    type Index = u32;
    type Small = u32;
    type Target = Word;
    const CARD: Card = Card {
        id: "goulet/words",
        name: "Goulet ray database, words",
        reconstructed: "a word for each field, to show what the width costs; otherwise as \
                        goulet/bytes: the summary of the thesis gives the rays and no layout",
        ..CARD
    };
}

/// The narrowest fields, with a step and a number of squares for each ray of a piece.
pub struct Steps;
impl Width for Steps {
    type Index = u16;
    type Small = u8;
    type Target = Square;
    const STEPS: bool = true;
    const CARD: Card = Card {
        id: "goulet/steps",
        name: "Goulet ray database, targets by steps",
        author: "Raywalk, after Jean Goulet",
        year: Some(2026),
        source: "Raywalk: a control for goulet/bytes, not published elsewhere",
        reconstructed: "a ray of a piece has a step and a number of squares, and each target is the last one plus \
                        the step, so that the lists of targets are the only difference; pawns keep their \
                        lists; everything else is goulet/bytes",
        ..CARD
    };
}

/// A run of entries in the next table. Packed, because padding would widen the byte form from three
/// bytes to four.
#[derive(Clone, Copy, Default)]
#[repr(C, packed)]
pub(crate) struct Record<I, N> {
    first: I,
    count: N,
}

pub(crate) type RecordOf<W> = Record<<W as Width>::Index, <W as Width>::Small>;

impl<I: Number, N: Number> Record<I, N> {
    /// The run from `first` up to `end`.
    fn new(first: usize, end: usize) -> Self {
        Record { first: Number::new(first), count: Number::new(end - first) }
    }

    #[inline(always)]
    fn run(self) -> std::ops::Range<usize> {
        let first = self.first.get();
        first..first + self.count.get()
    }
}

/// Squares of the longest ray.
const LONGEST: usize = 7;
/// Entries of the table of squares: every ray that begins below the power of two ends in the table, so that a mask of
/// its beginning and one of its length replace a bounds check per square.
const SQUARES: usize = TARGETS.next_power_of_two() + LONGEST;

/// Squares of the rays of all pawns: 96 single pushes, 16 double pushes and 168 captures.
pub(crate) const PAWN_TARGETS: usize = 96 + 16 + 168;

/// Number of squares of all rays that have a list.
pub(crate) const fn targets<W: Width>() -> usize {
    if W::STEPS { PAWN_TARGETS } else { TARGETS }
}

/// The database. The other tables are rounded up to powers of two, so that a mask replaces the bounds check; the
/// entries after the last are never read.
#[repr(C, align(64))]
pub(crate) struct Database<W: Width> {
    heads: [RecordOf<W>; HEADS.next_power_of_two()],
    rays: [RecordOf<W>; RAYS.next_power_of_two()],
    squares: [W::Target; SQUARES],
}

impl<W: Width> Database<W> {
    pub(crate) fn new() -> Self {
        let mut filler = Filler {
            database: Database {
                heads: [Record::default(); _],
                rays: [Record::default(); _],
                squares: [W::Target::new(Square::A1); _],
            },
            heads: 0,
            rays: 0,
            squares: 0,
        };
        for kind in Kind::PIECES {
            for from in Square::all() {
                let length = if kind.is_slider() { 7 } else { 1 };
                if W::STEPS {
                    filler.head_of_steps(head_of_piece(kind, from.number()), kind, from, length);
                    continue;
                }
                let rays = kind.steps().iter().map(|&step| ray(from, step, length));
                filler.head(head_of_piece(kind, from.number()), rays);
            }
        }
        for color in Color::ALL {
            let ahead = if color == Color::White { 1 } else { -1 };
            for from in Square::all().filter(|from| (1..7).contains(&from.rank())) {
                let home = color.view(from).rank() == 1;
                let push = ray(from, (0, ahead), if home { 2 } else { 1 });
                let captures = [-1, 1].map(|files| ray(from, (files, ahead), 1));
                let rays = [push].into_iter().chain(captures);
                filler.head(head_of_pawn(color, from.number()), rays);
            }
        }
        assert_eq!((filler.heads, filler.rays, filler.squares), (HEADS, RAYS, targets::<W>()));
        filler.database
    }

    /// Indices of the rays of a piece other than a pawn.
    #[inline(always)]
    pub(crate) fn rays_of_piece(&self, kind: Kind, from: u8) -> std::ops::Range<usize> {
        self.heads[head_of_piece(kind, from) & (self.heads.len() - 1)].run()
    }

    /// Indices of the rays of a pawn: the push first, then the captures.
    #[inline(always)]
    pub(crate) fn rays_of_pawn(&self, color: Color, from: u8) -> std::ops::Range<usize> {
        self.heads[head_of_pawn(color, from) & (self.heads.len() - 1)].run()
    }

    /// The squares of a ray, nearest first, at least one: indices for [`square`](Self::square). With
    /// [steps](Width::STEPS), a ray of a piece has as many indices, of which the first is the step modulo 256.
    #[inline(always)]
    pub(crate) fn ray(&self, ray: usize) -> std::ops::Range<usize> {
        let Record { first, count } = self.rays[ray & (self.rays.len() - 1)];
        let first = first.get() & (TARGETS.next_power_of_two() - 1);
        first..first + (count.get() & LONGEST)
    }

    /// One square of a ray. The compiler omits the bounds check for an index between the ends of a
    /// [`ray`](Self::ray).
    #[inline(always)]
    pub(crate) fn square(&self, index: usize) -> Square {
        self.squares[index].square()
    }
}

/// The number of squares from one square of a ray to the next, of a step modulo 256.
#[inline(always)]
pub(crate) fn signed(step: usize) -> isize {
    (step as u8).cast_signed().into()
}

/// Index of a head: 64 knights, then bishops, rooks, queens and kings.
#[inline(always)]
fn head_of_piece(kind: Kind, from: u8) -> usize {
    (kind.index() - Kind::Knight.index()) * 64 + usize::from(from)
}

/// Index of a head: after the pieces, white pawns from a2 to h7, then black pawns.
#[inline(always)]
fn head_of_pawn(color: Color, from: u8) -> usize {
    // Minus 8, because `from` is 8 on a2.
    (5 * 64 - 8) + 48 * color.index() + usize::from(from)
}

/// The squares in one direction up to the edge, at most `length`.
fn ray(
    from: Square,
    (files, ranks): (i8, i8),
    length: usize,
) -> impl Iterator<Item = Square> + Clone {
    let next = move |square: &Square| square.offset(files, ranks);
    std::iter::successors(next(&from), next).take(length)
}

/// A database under construction, with the number of entries filled in each table.
struct Filler<W: Width> {
    database: Database<W>,
    heads: usize,
    rays: usize,
    squares: usize,
}

impl<W: Width> Filler<W> {
    /// Appends a head and its rays, each as a step modulo 256 and a number of squares.
    fn head_of_steps(&mut self, head: usize, kind: Kind, from: Square, length: usize) {
        assert_eq!(head, self.heads, "heads are filled in order");
        let first = self.rays;
        for &step in kind.steps() {
            let squares = ray(from, step, length);
            let Some(nearest) = squares.clone().next() else { continue };
            let step = usize::from(nearest.number().wrapping_sub(from.number()));
            let apart = |(last, next): (Square, Square)| {
                last.index().checked_add_signed(signed(step)) == Some(next.index())
            };
            assert!([from].into_iter().chain(squares.clone()).zip(squares.clone()).all(apart));
            self.database.rays[self.rays] = Record::new(step, step + squares.count());
            self.rays += 1;
        }
        self.database.heads[head] = Record::new(first, self.rays);
        self.heads += 1;
    }

    /// Appends a head and its rays, leaving out empty rays.
    fn head<R: Iterator<Item = Square>>(&mut self, head: usize, rays: impl Iterator<Item = R>) {
        assert_eq!(head, self.heads, "heads are filled in order");
        let first = self.rays;
        for ray in rays {
            let start = self.squares;
            for square in ray {
                self.database.squares[self.squares] = Target::new(square);
                self.squares += 1;
            }
            if self.squares > start {
                self.database.rays[self.rays] = Record::new(start, self.squares);
                self.rays += 1;
            }
        }
        self.database.heads[head] = Record::new(first, self.rays);
        self.heads += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GouletBytes, GouletWords};
    use raywalk_core::Generator;

    #[test]
    fn every_kind_has_the_expected_number_of_rays_and_squares() {
        let database = Database::<Bytes>::new();
        let counts = |kind| {
            let rays = (0..64).flat_map(|from| database.rays_of_piece(kind, from));
            let rays: Vec<_> = rays.map(|ray| database.ray(ray).count()).collect();
            (rays.len(), rays.iter().sum::<usize>())
        };
        assert_eq!(counts(Kind::Knight), (336, 336));
        assert_eq!(counts(Kind::Bishop), (196, 560));
        assert_eq!(counts(Kind::Rook), (224, 896));
        assert_eq!(counts(Kind::Queen), (420, 1_456));
        assert_eq!(counts(Kind::King), (420, 420));
    }

    #[test]
    fn a_pawn_has_one_push_ray_and_one_ray_per_capture() {
        let database = Database::<Words>::new();
        for color in Color::ALL {
            let (mut pushes, mut captures) = (0, 0);
            for from in 8..56 {
                let mut rays = database.rays_of_pawn(color, from);
                pushes += rays.next().map_or(0, |push| database.ray(push).count());
                captures += rays.map(|capture| database.ray(capture).count()).sum::<usize>();
            }
            assert_eq!((pushes, captures), (48 + 8, 84), "{color:?}");
        }
    }

    #[test]
    fn the_database_takes_at_most_a_few_dozen_kilobytes() {
        let bytes = GouletBytes::build().map(|design| design.table_bytes());
        let words = GouletWords::build().map(|design| design.table_bytes());
        assert_eq!(bytes, Ok(416 * 3 + 1_860 * 3 + 3_948));
        assert_eq!(bytes, Ok(10_776));
        assert_eq!(words, Ok(34_000));
    }

    #[test]
    fn the_steps_lead_over_the_squares_of_the_lists() {
        let (lists, steps) = (Database::<Bytes>::new(), Database::<Steps>::new());
        for kind in Kind::PIECES {
            for from in 0..64 {
                let rays = lists.rays_of_piece(kind, from);
                assert_eq!(rays, steps.rays_of_piece(kind, from));
                for ray in rays {
                    let step = steps.ray(ray).start;
                    let stepped =
                        (1..=steps.ray(ray).count()).map(|n| usize::from(from) + n * step);
                    let listed = lists.ray(ray).map(|index| lists.square(index));
                    assert!(
                        stepped.map(|n| Square::from_low_bits(n as u32)).eq(listed),
                        "{kind:?}"
                    );
                }
            }
        }
        let bytes = crate::GouletSteps::build().map(|design| design.table_bytes());
        assert_eq!(bytes, Ok(416 * 3 + 1_860 * 3 + 280));
    }
}
