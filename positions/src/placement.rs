//! RP: pieces placed at random, with density and slider share as free knobs.
//!
//! Nothing here resembles a game. The sets answer one question each: what do more pieces cost, what do
//! more rays cost, what does a board without rays cost. The only rule is that neither king is
//! attacked.

use std::ops::ControlFlow;

use cozy_chess::{
    BitBoard, BoardBuilder, Color, Piece, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves,
};

use crate::Sample;
use crate::oracle::Board;
use crate::parallel::in_order;
use crate::random::{h, mix};

/// The urns that pieces are drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kinds {
    /// Half pawns, the rest as in the start position less the kings.
    Mixed,
    /// Pawns and knights.
    NoSliders,
    /// Bishops, rooks, queens.
    Sliders,
}

impl Kinds {
    /// The urn, one letter per ball.
    const fn letters(self) -> &'static [u8] {
        match self {
            Kinds::Mixed => b"PPPPPPPPNNBBRRQ",
            Kinds::NoSliders => b"PPPPPPPPNNNN",
            Kinds::Sliders => b"BBRRQ",
        }
    }

    /// The word in names of corpora.
    pub const fn name(self) -> &'static str {
        match self {
            Kinds::Mixed => "mixed",
            Kinds::NoSliders => "nosliders",
            Kinds::Sliders => "sliders",
        }
    }
}

/// What is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Material {
    /// This many pieces, the kings included, drawn from an urn; White and Black in turn. From 2 to 32.
    Drawn(Kinds, u8),
    /// Exactly these pieces, FEN letters, each king once.
    Fixed(&'static str),
}

impl Material {
    /// King, queen and four pawns against the same.
    pub const QUEEN_ENDING: Material = Material::Fixed("KkQqPpPpPpPp");
    /// King, rook and four pawns against the same.
    pub const ROOK_ENDING: Material = Material::Fixed("KkRrPpPpPpPp");
    /// Two queens and two pawns against the same.
    pub const FOUR_QUEENS: Material = Material::Fixed("KkQqQqPpPp");
    /// Bishop, knight and four pawns against the same.
    pub const MINOR_PIECES: Material = Material::Fixed("KkBbNnPpPpPpPp");
}

/// Attempts that one thread makes at a time.
const CHUNK: u64 = 256;

/// The first `count` boards of these pieces that come out legal.
///
/// Attempts are numbered, and each has a random stream of its own, so threads share them out and
/// the result is one and the same.
pub fn place(pieces: Material, count: usize, seed: u64) -> Vec<Sample> {
    let mut samples = Vec::with_capacity(count);
    if count == 0 {
        return samples;
    }
    let chunk = |chunk: u64| -> Vec<Sample> {
        let attempts = chunk * CHUNK..(chunk + 1) * CHUNK;
        attempts.filter_map(|n| Some(Sample::of(&attempt(pieces, n, seed)?, 0))).collect()
    };
    in_order(u64::MAX / CHUNK, chunk, |boards| {
        samples.extend(boards);
        if samples.len() < count { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    samples.truncate(count);
    samples
}

/// One random stream: each draw replaces the state.
struct Stream(u64);

impl Stream {
    fn below(&mut self, k: u64) -> usize {
        self.0 = mix(self.0);
        (((self.0 >> 32) * k) >> 32) as usize
    }
}

/// One attempt, or `None` if a king is attacked.
fn attempt(pieces: Material, number: u64, seed: u64) -> Option<Board> {
    let (list, mut stream) = match pieces {
        Material::Drawn(kinds, pieces) => {
            let mut stream = Stream(h(seed, u64::from(pieces), number, 0));
            (draw(kinds, pieces, &mut stream), stream)
        }
        Material::Fixed(letters) => {
            let stream = Stream(h(seed, letters.len() as u64, number, 1));
            (letters.bytes().collect(), stream)
        }
    };
    let mut builder = BoardBuilder::empty();
    let mut sets = Sets { kinds: [BitBoard::EMPTY; 6], colors: [BitBoard::EMPTY; 2] };
    for letter in list {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let piece = Piece::try_from(char::from(letter.to_ascii_lowercase())).ok()?;
        let square = loop {
            let number = stream.below(64);
            let edge = piece == Piece::Pawn && !(8..56).contains(&number);
            if builder.board[number].is_none() && !edge {
                break Square::index(number);
            }
        };
        builder.board[square as usize] = Some((piece, color));
        sets.kinds[piece as usize] |= square.bitboard();
        sets.colors[color as usize] |= square.bitboard();
    }
    if stream.below(2) != 0 {
        builder.side_to_move = Color::Black;
    }
    let attacked = Color::ALL.into_iter().any(|color| sets.king_is_attacked(color));
    if attacked { None } else { builder.build().ok() }
}

/// The list of pieces: both kings, then White and Black in turn.
fn draw(kinds: Kinds, pieces: u8, stream: &mut Stream) -> Vec<u8> {
    let urn = kinds.letters();
    let mut list = Vec::with_capacity(32);
    list.extend(b"Kk");
    let mut pawns = [0; 2];
    for i in 2..usize::from(pieces) {
        let side = i % 2;
        let mut letter = urn[stream.below(urn.len() as u64)];
        while letter == b'P' && pawns[side] == 8 {
            letter = urn[stream.below(urn.len() as u64)];
        }
        pawns[side] += usize::from(letter == b'P');
        list.push(if side == 0 { letter } else { letter.to_ascii_lowercase() });
    }
    list
}

/// The pieces by kind and by colour, before they are a board: most attempts never become one.
struct Sets {
    kinds: [BitBoard; 6],
    colors: [BitBoard; 2],
}

impl Sets {
    fn king_is_attacked(&self, color: Color) -> bool {
        let enemy = self.colors[!color as usize];
        let of = |piece: Piece| self.kinds[piece as usize] & enemy;
        let occupied = self.colors[0] | self.colors[1];
        let own_king = self.kinds[Piece::King as usize] & self.colors[color as usize];
        own_king.into_iter().any(|king| {
            let attackers = (get_rook_moves(king, occupied) & (of(Piece::Rook) | of(Piece::Queen)))
                | (get_bishop_moves(king, occupied) & (of(Piece::Bishop) | of(Piece::Queen)))
                | (get_knight_moves(king) & of(Piece::Knight))
                | (get_king_moves(king) & of(Piece::King))
                | (get_pawn_attacks(king, color) & of(Piece::Pawn));
            !attackers.is_empty()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::{PLACED, check};

    fn small(keep: impl Fn(Material) -> bool) {
        for (pieces, golden) in
            PLACED.iter().filter(|(pieces, golden)| keep(*pieces) && golden.positions == 4096)
        {
            check(&format!("{pieces:?}"), golden, &place(*pieces, golden.positions, 9));
        }
    }

    #[test]
    fn mixed_men_fall_where_they_are_known_to() {
        small(|pieces| matches!(pieces, Material::Drawn(Kinds::Mixed, _)));
    }

    #[test]
    fn boards_without_sliders_and_of_sliders_only_are_the_known_ones() {
        small(|pieces| matches!(pieces, Material::Drawn(Kinds::NoSliders | Kinds::Sliders, _)));
    }

    #[test]
    fn fixed_lists_of_men_fall_where_they_are_known_to() {
        small(|pieces| matches!(pieces, Material::Fixed(_)));
    }

    #[test]
    #[ignore = "about 2 s; run by CI with --include-ignored"]
    fn full_sets_of_placed_men_are_the_known_ones() {
        let full: Vec<_> = PLACED.iter().filter(|(_, golden)| golden.positions == 65_536).collect();
        assert_eq!(full.len(), 2);
        for (pieces, golden) in full {
            check(&format!("{pieces:?}"), golden, &place(*pieces, golden.positions, 9));
        }
    }
}
