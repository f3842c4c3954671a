//! The rows of the table in a plain form, from which every layout is built.
//!
//! A row belongs to a kind and an origin. Cell `origin` holds the first target; the cell of a target
//! holds its two successors. All other links, and those at the end, hold the origin. The origin is
//! never a target of its own piece, so it serves as the sentinel.

use raywalk_core::{Color, Kind, Piece, Square};

/// Number of row kinds, numbered as in 1989: 0 is unused, 1 the white pawn, 2 to 6 knight to king,
/// 7 the black pawn.
pub(crate) const ROW_KINDS: usize = 8;

/// The row kind of a piece. Only pawns differ by colour.
#[inline(always)]
pub(crate) const fn row_kind(piece: Piece) -> usize {
    match (piece.kind, piece.color) {
        (Kind::Pawn, Color::Black) => 7,
        (kind, _) => kind.index() + 1,
    }
}

/// The piece of a row kind, `None` for the unused kind. White for all kinds but the black pawn.
const fn piece(row_kind: usize) -> Option<Piece> {
    match row_kind {
        1..=6 => Some(Piece::new(Color::White, Kind::ALL[row_kind - 1])),
        7 => Some(Piece::new(Color::Black, Kind::Pawn)),
        _ => None,
    }
}

/// Both links of 64 cells.
#[derive(Clone, Debug)]
pub(crate) struct PlainRow {
    /// The square to visit after an empty square. For pawns, the thread of pushes.
    pub next_position: [Square; 64],
    /// The square to visit after an occupied square. For pawns, the thread of captures.
    pub next_direction: [Square; 64],
}

impl PlainRow {
    /// Builds the row of a kind, numbered as in [`ROW_KINDS`], and an origin.
    pub(crate) fn new(row_kind: usize, origin: Square) -> PlainRow {
        let mut row = PlainRow { next_position: [origin; 64], next_direction: [origin; 64] };
        match piece(row_kind) {
            Some(Piece { kind: Kind::Pawn, color }) => row.thread_pawn(color, origin),
            Some(Piece { kind, .. }) => row.thread_rays(kind, origin),
            None => {}
        }
        row
    }

    /// Links the rays in order, without empty rays; the published code sorts these behind the others,
    /// to the same effect. A leaper's rays have length one, so both its links agree.
    fn thread_rays(&mut self, kind: Kind, origin: Square) {
        let reach = if kind.is_slider() { 7 } else { 1 };
        let rays: Vec<Vec<Square>> = kind
            .steps()
            .iter()
            .map(|&(files, ranks)| {
                let step = |square: &Square| square.offset(files, ranks);
                std::iter::successors(step(&origin), step).take(reach).collect()
            })
            .filter(|ray: &Vec<Square>| !ray.is_empty())
            .collect();
        thread(&mut self.next_position, origin, rays.iter().flatten().copied());
        self.next_direction[origin.index()] = rays[0][0];
        for (n, ray) in rays.iter().enumerate() {
            let next = rays.get(n + 1).map_or(origin, |ray| ray[0]);
            ray.iter().for_each(|target| self.next_direction[target.index()] = next);
        }
    }

    /// Links pushes and captures. Covers the first rank, where no pawn ever stands, because the
    /// published tables do.
    fn thread_pawn(&mut self, color: Color, origin: Square) {
        let forward = [1, -1][color.index()];
        let reach = if color.view(origin).rank() == 1 { 2 } else { 1 };
        let pushes = (1..=reach).filter_map(|steps| origin.offset(0, steps * forward));
        thread(&mut self.next_position, origin, pushes);
        let captures = [-1, 1].into_iter().filter_map(|side| origin.offset(side, forward));
        thread(&mut self.next_direction, origin, captures);
    }
}

/// Links the origin to the first target, each target to the next and the last to the origin.
fn thread(links: &mut [Square; 64], origin: Square, targets: impl Iterator<Item = Square>) {
    let mut at = origin;
    for target in targets {
        links[at.index()] = target;
        at = target;
    }
    links[at.index()] = origin;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> impl Iterator<Item = (usize, Square, PlainRow)> {
        (0..ROW_KINDS).flat_map(|kind| {
            Square::all().map(move |origin| (kind, origin, PlainRow::new(kind, origin)))
        })
    }

    /// The targets that the links visit from the origin until they return to it.
    fn walk(links: &[Square; 64], origin: Square) -> Vec<Square> {
        let next = |at: Square| links[at.index()];
        std::iter::successors(Some(next(origin)), |&at| Some(next(at)))
            .take_while(|&at| at != origin)
            .collect()
    }

    /// Pairs of origin and target in the threads of each kind.
    fn pairs(links: impl Fn(&PlainRow) -> &[Square; 64]) -> [usize; ROW_KINDS] {
        let mut pairs = [0; ROW_KINDS];
        for (kind, origin, row) in rows() {
            pairs[kind] += walk(links(&row), origin).len();
        }
        pairs
    }

    #[test]
    fn the_rows_of_each_kind_hold_all_its_pairs_of_origin_and_target() {
        let pairs = pairs(|row| &row.next_position);
        // Pawns: 48 single and 8 double pushes, and 8 single pushes from the first rank.
        assert_eq!(pairs, [0, 64, 336, 560, 896, 1456, 420, 64]);
    }

    #[test]
    fn the_pawns_capture_threads_hold_84_pairs_a_colour_and_14_from_the_first_rank() {
        let pairs = pairs(|row| &row.next_direction);
        assert_eq!([pairs[1], pairs[7]], [84 + 14; 2]);
    }

    #[test]
    fn a_chain_of_next_directions_visits_each_ray_once() {
        let rays = pairs(|row| &row.next_direction);
        assert_eq!(rays[2..7], [336, 196, 224, 420, 420]);
    }

    #[test]
    fn all_but_3880_cells_are_sentinels() {
        let cells = |row: &PlainRow, origin| {
            let links = row.next_position.iter().zip(&row.next_direction);
            links
                .filter(|&(&position, &direction)| position != origin || direction != origin)
                .count()
        };
        assert_eq!(rows().map(|(_, origin, row)| cells(&row, origin)).sum::<usize>(), 3_880);
    }

    #[test]
    fn the_links_of_a_leaper_agree() {
        for (kind, origin, row) in rows() {
            if matches!(piece(kind), Some(Piece { kind: Kind::Knight | Kind::King, .. })) {
                assert_eq!(row.next_position, row.next_direction, "{kind} {origin}");
            }
        }
    }

    #[test]
    fn a_blocked_square_leads_to_the_first_square_of_the_next_ray() {
        let square = |name: &str| name.parse::<Square>().expect("a square");
        let rook = row_kind(Piece::new(Color::Black, Kind::Rook));
        let row = PlainRow::new(rook, square("b2"));
        // North, east, south, west.
        assert_eq!(row.next_position[square("b2").index()], square("b3"));
        assert_eq!(row.next_position[square("b5").index()], square("b6"));
        assert_eq!(row.next_direction[square("b5").index()], square("c2"));
        assert_eq!(row.next_position[square("b8").index()], square("c2"));
        assert_eq!(row.next_position[square("h2").index()], square("b1"));
        assert_eq!(row.next_direction[square("a2").index()], square("b2"));
    }
}
