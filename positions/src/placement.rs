//! RP: pieces placed at random, with density and slider share as free parameters.
//!
//! These positions do not resemble games. Each set isolates one cost: more pieces, more rays, or no
//! rays at all. The only rule is that neither king is attacked.

use std::ops::ControlFlow;

use cozy_chess::{
    BitBoard, BoardBuilder, Color, Piece, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves,
};
use raywalk_core::Position;
use raywalk_core::parallel::in_order;

use crate::oracle::Board;
use crate::random::{mix, random_word};
use crate::sample::Sample;

/// The distribution that pieces are drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kinds {
    /// About half pawns, the rest in the proportions of the start position without kings.
    Mixed,
    /// Pawns and knights only.
    NoSliders,
    /// Bishops, rooks and queens only.
    Sliders,
}

impl Kinds {
    /// The distribution: one of these letters is drawn with equal chances, with replacement.
    const fn letters(self) -> &'static [u8] {
        match self {
            Kinds::Mixed => b"PPPPPPPPNNBBRRQ",
            Kinds::NoSliders => b"PPPPPPPPNNNN",
            Kinds::Sliders => b"BBRRQ",
        }
    }

    /// The part of a corpus name, such as `mixed`.
    pub const fn name(self) -> &'static str {
        match self {
            Kinds::Mixed => "mixed",
            Kinds::NoSliders => "nosliders",
            Kinds::Sliders => "sliders",
        }
    }
}

/// The pieces to place on a board: drawn at random, or fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Material {
    /// 2 to 32 pieces including both kings, the others drawn from a distribution, alternately White
    /// and Black.
    Drawn(Kinds, u8),
    /// Exactly these pieces as FEN letters, each king once.
    Fixed(&'static str),
}

impl Material {
    /// King, queen and four pawns against the same.
    pub(crate) const QUEEN_ENDING: Material = Material::Fixed("KkQqPpPpPpPp");
    /// King, rook and four pawns against the same.
    pub(crate) const ROOK_ENDING: Material = Material::Fixed("KkRrPpPpPpPp");
    /// Two queens and two pawns against the same.
    pub(crate) const FOUR_QUEENS: Material = Material::Fixed("KkQqQqPpPp");
    /// Bishop, knight and four pawns against the same.
    pub(crate) const MINOR_PIECES: Material = Material::Fixed("KkBbNnPpPpPpPp");
}

/// Attempts to place pieces that one parallel job makes.
const CHUNK: u64 = 256;
/// The most pieces of one kind and colour: two of the start position and eight promoted pawns.
const MOST_OF_A_KIND: usize = 10;
/// Boards that are drawn beyond those that are asked for, to replace the ones with too many pieces of a kind.
/// Most are replaced with 24 sliders: eleven bishops or rooks on a side are drawn with a chance of 2 × 0.4^11, which
/// makes 11 of 65,536 boards.
const SPARE: usize = 64;

/// The first `count` legal boards with these pieces.
///
/// Attempts are numbered and each has its own random stream, so the result does not depend on the
/// number of threads.
pub(crate) fn place(pieces: Material, count: usize, seed: u64) -> Vec<Sample> {
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

/// [`place`], without boards on which a side has more pieces of a kind than promotions can make: the piece
/// lists of the literature have no room for them. `check` sees the boards of [`place`].
///
/// # Errors
/// That of `check`.
pub(crate) fn place_for_lists<E>(
    pieces: Material,
    count: usize,
    seed: u64,
    check: impl Fn(&[Sample]) -> Result<(), E>,
) -> Result<Vec<Sample>, E> {
    let mut samples = place(pieces, count + SPARE, seed);
    check(&samples[..count])?;
    samples.retain(|sample| fits_lists(&sample.position));
    samples.truncate(count);
    Ok(samples)
}

/// Whether no side has more than [`MOST_OF_A_KIND`] pieces of a kind.
fn fits_lists(position: &Position) -> bool {
    let mut counts = [[0; 6]; 2];
    position.pieces().all(|(_, piece)| {
        let count = &mut counts[piece.color.index()][piece.kind.index()];
        *count += 1;
        *count <= MOST_OF_A_KIND
    })
}

/// A random stream: each draw replaces the state.
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
            let mut stream = Stream(random_word(seed, u64::from(pieces), number, 0));
            (draw(kinds, pieces, &mut stream), stream)
        }
        Material::Fixed(letters) => {
            let stream = Stream(random_word(seed, letters.len() as u64, number, 1));
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

/// The list of pieces: both kings, then alternately White and Black. A side gets at most eight
/// pawns.
fn draw(kinds: Kinds, pieces: u8, stream: &mut Stream) -> Vec<u8> {
    let letters = kinds.letters();
    let mut list = Vec::with_capacity(32);
    list.extend(b"Kk");
    let mut pawns = [0; 2];
    for i in 2..usize::from(pieces) {
        let side = i % 2;
        let mut letter = letters[stream.below(letters.len() as u64)];
        while letter == b'P' && pawns[side] == 8 {
            letter = letters[stream.below(letters.len() as u64)];
        }
        pawns[side] += usize::from(letter == b'P');
        list.push(if side == 0 { letter } else { letter.to_ascii_lowercase() });
    }
    list
}

/// The pieces by kind and by colour. Most attempts fail the test for attacked kings, so it runs on
/// these sets before a board is built.
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

    #[test]
    fn no_side_has_more_pieces_of_a_kind_than_a_list_can_hold() {
        const SLIDERS: Material = Material::Drawn(Kinds::Sliders, 24);
        let drawn = place(SLIDERS, 65_536, 9);
        let crowded = drawn.iter().filter(|sample| !fits_lists(&sample.position)).count();
        assert!((1..SPARE).contains(&crowded), "{crowded}");
        let placed = place_for_lists(SLIDERS, 65_536, 9, |samples| {
            if samples == drawn { Ok(()) } else { Err("other boards") }
        });
        let placed = placed.expect("the boards of the recipe");
        assert_eq!(placed.len(), 65_536);
        assert!(placed.iter().all(|sample| fits_lists(&sample.position)));
    }
}
