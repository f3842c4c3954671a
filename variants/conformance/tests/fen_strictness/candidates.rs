//! Random positions, possible or not.

use raywalk_core::Position;
use raywalk_core::random::SplitMix;

pub(crate) fn one_of<T: Copy>(random: &mut SplitMix, choices: &[T]) -> T {
    choices[random.below(choices.len())]
}

/// A position that need not be possible. It writes its FEN with code of its own, because the type
/// under test cannot represent it.
#[derive(Clone)]
pub(crate) struct Candidate {
    /// FEN letters from a1 to h8, `.` for an empty square.
    pieces: [u8; 64],
    white: bool,
    rights: [bool; 4],
    pub en_passant: Option<usize>,
    halfmove: u32,
    fullmove: u32,
}

impl Candidate {
    pub(crate) fn of(fen: &str) -> Candidate {
        let position: Position = fen.parse().expect(fen);
        let state = position.state();
        let bits = state.rights.bits();
        Candidate {
            pieces: position
                .squares()
                .map(|piece| piece.map_or(b'.', |piece| piece.letter() as u8)),
            white: fen.contains(" w "),
            rights: [8, 4, 2, 1].map(|bit| bits & bit != 0),
            en_passant: state.en_passant.map(|square| square.index()),
            halfmove: u32::from(state.halfmove),
            fullmove: u32::from(state.fullmove),
        }
    }

    /// Two kings, up to nine other pieces, and in three of four cases a pawn with an en passant
    /// square behind it.
    pub(crate) fn scattered(random: &mut SplitMix) -> Candidate {
        let mut made = Candidate {
            pieces: [b'.'; 64],
            white: random.below(2) == 0,
            rights: [false; 4],
            en_passant: None,
            halfmove: 0,
            fullmove: 1,
        };
        for _ in 0..random.below(10) {
            made.pieces[random.below(64)] = one_of(random, b"QRBNPqrbnp");
        }
        if random.below(4) > 0 {
            let file = random.below(8);
            let (rank, pawn, passed) = if made.white { (4, b'p', 5) } else { (3, b'P', 2) };
            made.pieces[8 * rank + file] = pawn;
            made.en_passant = Some(8 * passed + file);
        }
        made.pieces[random.below(64)] = b'K';
        made.pieces[random.below(64)] = b'k';
        made
    }

    /// Makes one random change.
    pub(crate) fn change(&mut self, random: &mut SplitMix) {
        match random.below(16) {
            0..4 => {
                let (from, to) = (random.below(64), random.below(64));
                self.pieces.swap(from, to);
            }
            4..6 => self.pieces[random.below(64)] = b'.',
            6..9 => self.pieces[random.below(64)] = one_of(random, b"QRBNPqrbnpQRBNPqrbnpKk"),
            9 => self.white = !self.white,
            10..12 => {
                let right = random.below(4);
                self.rights[right] = !self.rights[right];
            }
            12 => self.en_passant = Some(random.below(72)).filter(|&square| square < 64),
            13 => {
                let rank = if self.white { 5 } else { 2 };
                self.en_passant = Some(8 * rank + random.below(8));
            }
            14 => {
                self.halfmove = one_of(random, &[0, 1, 50, 99, 100, 101, 255, 256, 65_535, 65_536])
            }
            _ => self.fullmove = one_of(random, &[0, 1, 2, 1000, 65_535, 65_536]),
        }
    }

    pub(crate) fn fen(&self) -> String {
        let rank = |rank: usize| {
            let mut letters =
                String::from_utf8_lossy(&self.pieces[8 * rank..8 * rank + 8]).into_owned();
            for empty in (1..=8).rev() {
                letters = letters.replace(&".".repeat(empty), &empty.to_string());
            }
            letters
        };
        let board = (0..8).rev().map(rank).collect::<Vec<_>>().join("/");
        let side = if self.white { 'w' } else { 'b' };
        let mut rights: String =
            "KQkq".chars().zip(self.rights).filter(|r| r.1).map(|r| r.0).collect();
        if rights.is_empty() {
            rights.push('-');
        }
        let name =
            |square: usize| format!("{}{}", char::from(b'a' + (square % 8) as u8), square / 8 + 1);
        let en_passant = self.en_passant.map_or("-".to_owned(), name);
        format!("{board} {side} {rights} {en_passant} {} {}", self.halfmove, self.fullmove)
    }
}
