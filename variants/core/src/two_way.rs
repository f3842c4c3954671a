//! Two-way lists: the squares a piece reaches on an empty board, ray after ray, each with two
//! successors.
//!
//! The next square of a walk depends only on whether the current one is occupied. If it is empty,
//! the walk continues along the ray, else with the first square of the next ray. So a walk needs
//! two links per square, but no directions and no edge test. The conditional linked list, the dense
//! index list and their variants differ only in how they store a link. All of them build on the
//! lists of this module, so comparing two node formats compares nothing else.
//!
//! Knights and kings are treated as sliders whose rays have length one: both links are equal. A
//! pawn has two lists, because it pushes to empty squares and captures on occupied ones.
//!
//! # Source
//! Chess Programming Wiki, *Table-driven Move Generation*, conditional linked list, for the
//! sliders. The lists of the other pieces are our completion along the same lines.

use crate::{Color, Kind, Square};

/// Entries of queen, rook and bishop.
pub const SLIDER_ENTRIES: usize = 1_456 + 896 + 560;
/// [`SLIDER_ENTRIES`] and those of knight and king.
pub const PIECE_ENTRIES: usize = SLIDER_ENTRIES + 336 + 420;
/// All entries: [`PIECE_ENTRIES`] and, for each colour, 48 single and 8 double pushes and 84
/// captures of pawns. The total of 3,948 fits an index of twelve bits.
pub const ENTRIES: usize = PIECE_ENTRIES + 2 * (48 + 8 + 84);

/// One square of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The kind of the piece whose list this is.
    pub kind: Kind,
    /// The origin: where the piece is whose list this is.
    pub from: Square,
    /// The target: a square that the piece reaches on an empty board.
    pub to: Square,
    /// The index of the next entry if `to` is empty `[0]` or occupied `[1]`; `None` at the end of
    /// the list. Always larger than the entry's own index.
    pub next: [Option<u16>; 2],
}

/// References to the first entry of each list, nine rows of 64, in the form a design stores them.
///
/// Pawns never occupy the first and the last rank. Their heads there are copies of the head of the
/// first list, so that every head is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Heads<H> {
    pieces: [[H; 64]; 5],
    pushes: [[H; 64]; 2],
    captures: [[H; 64]; 2],
}

impl<H: Copy> Heads<H> {
    /// The heads of the knights, bishops, rooks, queens or kings, by origin.
    #[inline(always)]
    pub fn pieces(&self, kind: Kind) -> &[H; 64] {
        // A plain subtraction could wrap for a pawn, and the compiler would add a bounds check.
        &self.pieces[kind.index().saturating_sub(1)]
    }

    /// The heads of the pawn pushes, by origin.
    #[inline(always)]
    pub fn pushes(&self, color: Color) -> &[H; 64] {
        &self.pushes[color.index()]
    }

    /// The heads of the pawn captures, by origin.
    #[inline(always)]
    pub fn captures(&self, color: Color) -> &[H; 64] {
        &self.captures[color.index()]
    }

    /// Converts each head to another form.
    pub fn map<T>(&self, form: impl Fn(H) -> T) -> Heads<T> {
        Heads {
            pieces: self.pieces.map(|row| row.map(&form)),
            pushes: self.pushes.map(|row| row.map(&form)),
            captures: self.captures.map(|row| row.map(&form)),
        }
    }
}

/// All lists: queen, rook, bishop (the order of the source), knight, king, then pawn pushes of
/// White and Black, then pawn captures of White and Black. Each part is ordered from a1 to h8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TwoWayLists {
    /// The entries, list after list. The successor along a ray is always the next entry.
    pub entries: Box<[Entry; ENTRIES]>,
    /// The index of the first entry of each list.
    pub heads: Heads<u16>,
}

impl Default for TwoWayLists {
    fn default() -> TwoWayLists {
        TwoWayLists::new()
    }
}

impl TwoWayLists {
    /// Builds the lists of queen, rook, bishop, knight and king, then those of pawns.
    pub fn new() -> TwoWayLists {
        let mut entries = Vec::with_capacity(ENTRIES);
        let mut heads =
            Heads { pieces: [[0; 64]; 5], pushes: [[0; 64]; 2], captures: [[0; 64]; 2] };
        for kind in [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::King] {
            for from in Square::all() {
                let rays = kind.steps().iter().map(|&step| ray(from, step, kind.is_slider()));
                heads.pieces[kind.index() - 1][from.index()] =
                    append(&mut entries, kind, from, rays);
            }
            match kind {
                Kind::Bishop => assert_eq!(entries.len(), SLIDER_ENTRIES),
                Kind::King => assert_eq!(entries.len(), PIECE_ENTRIES),
                _ => {}
            }
        }
        for color in Color::ALL {
            // The second to the seventh rank, where pawns can be.
            for from in (8..56).filter_map(Square::try_new) {
                let push = std::iter::once(pushes(color, from));
                heads.pushes[color.index()][from.index()] =
                    append(&mut entries, Kind::Pawn, from, push);
            }
        }
        for color in Color::ALL {
            for from in (8..56).filter_map(Square::try_new) {
                let sides = [-1, 1].into_iter().map(|file| ray(from, (file, up(color)), false));
                heads.captures[color.index()][from.index()] =
                    append(&mut entries, Kind::Pawn, from, sides);
            }
        }
        let entries = entries.into_boxed_slice().try_into().expect("as many entries as counted");
        TwoWayLists { entries, heads }
    }
}

/// The ranks that a pawn of this colour advances per step.
fn up(color: Color) -> i8 {
    if color == Color::White { 1 } else { -1 }
}

/// The squares from `from` in one direction: up to the edge, or one square if the piece does not
/// slide.
fn ray(from: Square, (files, ranks): (i8, i8), slides: bool) -> Vec<Square> {
    let step = |square: &Square| square.offset(files, ranks);
    let length = if slides { 7 } else { 1 };
    std::iter::successors(step(&from), step).take(length).collect()
}

/// One square ahead, or two from the home rank. They form a ray, because the second square is
/// reachable only if the first one is empty.
fn pushes(color: Color, from: Square) -> Vec<Square> {
    let home = color.view(from).rank() == 1;
    let length = if home { 2 } else { 1 };
    ray(from, (0, up(color)), true).into_iter().take(length).collect()
}

/// Appends and links one list; returns the index of its first entry.
fn append(
    entries: &mut Vec<Entry>,
    kind: Kind,
    from: Square,
    rays: impl Iterator<Item = Vec<Square>>,
) -> u16 {
    let head = entries.len();
    for ray in rays {
        // The entries of a ray are consecutive, so the next ray starts where this one ends.
        let end = (entries.len() + ray.len()) as u16;
        for to in ray {
            let following = entries.len() as u16 + 1;
            entries.push(Entry { kind, from, to, next: [Some(following), Some(end)] });
        }
    }
    // A link past the last entry would lead into the next list, so it becomes the end of this one.
    let end = entries.len() as u16;
    for entry in &mut entries[head..] {
        entry.next = entry.next.map(|next| next.filter(|&next| next != end));
    }
    head as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The squares that a walk visits with this occupancy.
    fn visited(lists: &TwoWayLists, head: u16, occupied: u64) -> u64 {
        let (mut squares, mut next) = (0, Some(head));
        while let Some(index) = next {
            let entry = lists.entries[usize::from(index)];
            assert_eq!(squares & entry.to.bit(), 0, "{} visited twice", entry.to);
            squares |= entry.to.bit();
            next = entry.next[usize::from(occupied & entry.to.bit() != 0)];
        }
        squares
    }

    /// The same squares, found by walking on the board.
    fn reached(kind: Kind, from: Square, occupied: u64) -> u64 {
        let mut squares = 0;
        for &(files, ranks) in kind.steps() {
            let mut next = from.offset(files, ranks);
            while let Some(to) = next {
                squares |= to.bit();
                let continues = kind.is_slider() && occupied & to.bit() == 0;
                next = if continues { to.offset(files, ranks) } else { None };
            }
        }
        squares
    }

    #[test]
    fn a_walk_visits_the_squares_that_the_piece_reaches_for_any_occupancy() {
        let lists = TwoWayLists::new();
        let mut occupied = 0x9E37_79B9_7F4A_7C15_u64;
        for _ in 0..40 {
            for from in Square::all() {
                for kind in Kind::PIECES {
                    let head = lists.heads.pieces(kind)[from.index()];
                    assert_eq!(visited(&lists, head, occupied), reached(kind, from, occupied));
                }
            }
            occupied = occupied.rotate_left(7).wrapping_mul(0xD134_2543_DE82_EF95);
        }
    }

    #[test]
    fn a_pawn_pushes_two_squares_only_from_home_and_over_an_empty_square() {
        let lists = TwoWayLists::new();
        let square = |name: &str| name.parse::<Square>().expect("a square");
        let set = |names: &[&str]| names.iter().map(|name| square(name).bit()).sum::<u64>();
        let pushes = |color, from, occupied| {
            visited(&lists, lists.heads.pushes(color)[square(from).index()], occupied)
        };
        assert_eq!(pushes(Color::White, "e2", 0), set(&["e3", "e4"]));
        assert_eq!(pushes(Color::White, "e2", set(&["e3"])), set(&["e3"]));
        assert_eq!(pushes(Color::Black, "e2", 0), set(&["e1"]));
        assert_eq!(pushes(Color::Black, "a7", 0), set(&["a6", "a5"]));
        let captures = |color, from| {
            visited(&lists, lists.heads.captures(color)[square(from).index()], u64::MAX)
        };
        assert_eq!(captures(Color::White, "e2"), set(&["d3", "f3"]));
        assert_eq!(captures(Color::White, "h7"), set(&["g8"]));
        assert_eq!(captures(Color::Black, "a2"), set(&["b1"]));
    }

    #[test]
    fn the_lists_have_the_lengths_given_in_the_literature() {
        let lists = TwoWayLists::new();
        let lengths = |kind: Kind| {
            let head = |from: Square| usize::from(lists.heads.pieces(kind)[from.index()]);
            let list =
                |from| lists.entries[head(from)..].iter().take_while(move |e| e.from == from);
            Square::all().map(|from| list(from).count()).collect::<Vec<_>>()
        };
        let range =
            |lengths: &[usize]| (lengths.iter().min().copied(), lengths.iter().max().copied());
        // Neighbouring lists have different origins, because a1 of the next kind follows h8.
        assert_eq!(range(&lengths(Kind::Queen)), (Some(21), Some(27)));
        assert_eq!(range(&lengths(Kind::Rook)), (Some(14), Some(14)));
        assert_eq!(range(&lengths(Kind::Bishop)), (Some(7), Some(13)));
        let totals = Kind::PIECES.map(|kind| lengths(kind).iter().sum::<usize>());
        assert_eq!(totals, [336, 560, 896, 1_456, 420]);
        assert_eq!(lists.entries.len(), 3_948);
    }

    #[test]
    fn no_link_leads_to_a_head_and_every_link_points_forward() {
        let lists = TwoWayLists::new();
        let mut heads = vec![false; ENTRIES];
        let row = |kind| Square::all().map(move |from| (kind, from));
        for (kind, from) in Kind::PIECES.into_iter().flat_map(row) {
            heads[usize::from(lists.heads.pieces(kind)[from.index()])] = true;
        }
        for color in Color::ALL {
            for from in (8..56).filter_map(Square::try_new) {
                heads[usize::from(lists.heads.pushes(color)[from.index()])] = true;
                heads[usize::from(lists.heads.captures(color)[from.index()])] = true;
            }
        }
        assert_eq!(heads.iter().filter(|&&head| head).count(), 5 * 64 + 4 * 48);
        for (index, entry) in lists.entries.iter().enumerate() {
            for next in entry.next.into_iter().flatten().map(usize::from) {
                assert!(next > index && !heads[next], "{index} -> {next}");
            }
        }
    }
}
