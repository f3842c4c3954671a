//! Positions with one slider on an otherwise empty board.
//!
//! The board bounds every list: the longest walk of one piece is that of a queen in the centre, 27 squares. From
//! bishops in a corner to that queen the squares vary from 7 to 27, and the rays from 1 to 8, so the costs of both
//! can be separated. The kings, which every position needs, stand where the slider does not attack them.

use raywalk_core::{Kind, Position, Square};

/// A position with one slider.
pub(crate) struct Lone {
    pub(crate) position: Position,
    /// Squares that the slider visits, all of them empty.
    pub(crate) squares: u64,
    /// Its rays that are not empty.
    pub(crate) rays: u64,
}

/// The sliders of White, as in a FEN.
const SLIDERS: [(Kind, char); 3] = [(Kind::Bishop, 'B'), (Kind::Rook, 'R'), (Kind::Queen, 'Q')];
/// The squares of the kings, White's first. They stand close together, so that a slider on many squares attacks
/// neither, and not next to each other.
const KINGS: [(usize, char); 2] = [(0, 'K'), (16, 'k')];

impl Lone {
    /// All sliders on all squares from which no king is seen.
    pub(crate) fn all() -> Vec<Lone> {
        let on =
            |(kind, letter)| Square::all().filter_map(move |from| Lone::of(kind, letter, from));
        SLIDERS.into_iter().flat_map(on).collect()
    }

    /// Regressors of a call: the call itself, its rays and its squares.
    pub(super) fn point(&self) -> [f64; 3] {
        [1.0, self.rays as f64, self.squares as f64]
    }

    fn of(kind: Kind, letter: char, from: Square) -> Option<Lone> {
        let mut board = [' '; 64];
        for (square, king) in KINGS {
            board[square] = king;
        }
        let is_free = std::mem::replace(&mut board[from.index()], letter) == ' ';
        // A FEN begins with the eighth rank.
        let ranks: Vec<String> = board.chunks(8).rev().map(rank).collect();
        let (mut squares, mut rays) = (0, 0);
        for &(files, ranks) in kind.steps() {
            let ray =
                std::iter::successors(from.offset(files, ranks), |at| at.offset(files, ranks));
            let ray: Vec<Square> = ray.collect();
            if ray.iter().any(|square| KINGS.iter().any(|(king, _)| *king == square.index())) {
                return None;
            }
            squares += ray.len() as u64;
            rays += u64::from(!ray.is_empty());
        }
        let fen = format!("{} w - - 0 1", ranks.join("/"));
        is_free.then(|| Lone { position: fen.parse().expect("a possible position"), squares, rays })
    }
}

/// A rank as in a FEN.
fn rank(squares: &[char]) -> String {
    let of_run = |run: &[char]| match run[0] {
        ' ' => run.len().to_string(),
        _ => run.iter().collect(),
    };
    squares.chunk_by(|one, other| one == other).map(of_run).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::visited;

    #[test]
    fn squares_and_rays_vary_and_are_those_of_the_position() {
        let all = Lone::all();
        assert!(all.len() > 64, "{}", all.len());
        for lone in &all {
            assert_eq!(visited::squares(&lone.position, true), lone.squares, "{}", lone.position);
            assert_eq!(lone.position.pieces().count(), 3);
        }
        let squares = all.iter().map(|lone| lone.squares);
        assert_eq!((squares.clone().min(), squares.max()), (Some(7), Some(27)));
        let rays = all.iter().map(|lone| lone.rays);
        assert_eq!((rays.clone().min(), rays.max()), (Some(1), Some(8)));
    }
}
