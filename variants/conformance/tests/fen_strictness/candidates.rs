//! Positions made by chance, possible or not, and the chance that makes them.

use raywalk_core::Position;

/// SplitMix64 (Steele, Lea and Flood, 2014): the same candidates in every run.
pub struct Chance(pub u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

/// A position that need not be possible, written by code of its own.
#[derive(Clone)]
pub struct Candidate {
    /// FEN letters, `.` if empty, a1 to h8.
    pieces: [u8; 64],
    white: bool,
    rights: [bool; 4],
    pub en_passant: Option<usize>,
    halfmove: u32,
    fullmove: u32,
}

impl Candidate {
    pub fn of(fen: &str) -> Candidate {
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

    /// Two kings, up to nine pieces around them, and often a pawn that may just have been pushed
    /// two squares.
    pub fn scattered(chance: &mut Chance) -> Candidate {
        let mut made = Candidate {
            pieces: [b'.'; 64],
            white: chance.below(2) == 0,
            rights: [false; 4],
            en_passant: None,
            halfmove: 0,
            fullmove: 1,
        };
        for _ in 0..chance.below(10) {
            made.pieces[chance.below(64)] = chance.one_of(b"QRBNPqrbnp");
        }
        if chance.below(4) > 0 {
            let file = chance.below(8);
            let (rank, pawn, passed) = if made.white { (4, b'p', 5) } else { (3, b'P', 2) };
            made.pieces[8 * rank + file] = pawn;
            made.en_passant = Some(8 * passed + file);
        }
        made.pieces[chance.below(64)] = b'K';
        made.pieces[chance.below(64)] = b'k';
        made
    }

    /// One thing changed.
    pub fn change(&mut self, chance: &mut Chance) {
        match chance.below(16) {
            0..4 => {
                let (from, to) = (chance.below(64), chance.below(64));
                self.pieces.swap(from, to);
            }
            4..6 => self.pieces[chance.below(64)] = b'.',
            6..9 => self.pieces[chance.below(64)] = chance.one_of(b"QRBNPqrbnpQRBNPqrbnpKk"),
            9 => self.white = !self.white,
            10..12 => {
                let right = chance.below(4);
                self.rights[right] = !self.rights[right];
            }
            12 => self.en_passant = Some(chance.below(72)).filter(|&square| square < 64),
            13 => {
                let rank = if self.white { 5 } else { 2 };
                self.en_passant = Some(8 * rank + chance.below(8));
            }
            14 => {
                self.halfmove = chance.one_of(&[0, 1, 50, 99, 100, 101, 255, 256, 65_535, 65_536])
            }
            _ => self.fullmove = chance.one_of(&[0, 1, 2, 1000, 65_535, 65_536]),
        }
    }

    pub fn fen(&self) -> String {
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
