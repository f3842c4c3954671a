//! Random numbers as pure functions of 64-bit integers, identical on every machine.
//!
//! There is no generator state. A random word is a function of its purpose (seed, game, ply, move),
//! so games can be played in any order and on any thread.

use raywalk_core::{Kind, Move};

pub(crate) use raywalk_core::random::mix;

/// The random word for the key `x`, such as a move code, at a ply of a game.
#[inline]
pub const fn random_word(seed: u64, game: u64, ply: u64, x: u64) -> u64 {
    mix(mix(mix(mix(seed) ^ game) ^ ply) ^ x)
}

/// Triangular noise from `-t + 1` to `t - 1`: the sum of the word's two halves, each scaled to `t`.
#[inline]
pub(crate) const fn triangular(word: u64, t: u32) -> i32 {
    let low = ((word & 0xffff_ffff) * t as u64) >> 32;
    let high = ((word >> 32) * t as u64) >> 32;
    (low + high) as i32 - t as i32 + 1
}

/// The move code of all recipes: origin + 64 × target + 4096 × promotion, where none, knight,
/// bishop, rook and queen are 0 to 4. Castling is the king's two-square move.
#[inline]
pub(crate) const fn move_code(mv: Move) -> u16 {
    let promotion = match mv.promoted() {
        None => 0,
        Some(Kind::Knight) => 1,
        Some(Kind::Bishop) => 2,
        Some(Kind::Rook) => 3,
        Some(_) => 4,
    };
    mv.from().number() as u16 | (mv.to().number() as u16) << 6 | promotion << 12
}

/// Fisher-Yates shuffle from the last item down; `mix(seed ^ index)` gives each draw.
pub(crate) fn shuffle<T>(items: &mut [T], seed: u64) {
    for i in (1..items.len()).rev() {
        let draw = ((mix(seed ^ i as u64) >> 32) * (i as u64 + 1)) >> 32;
        items.swap(i, draw as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_core::Square;

    fn square(name: &str) -> Square {
        name.parse().expect("a valid square")
    }

    #[test]
    fn splitmix_matches_its_published_values() {
        assert_eq!(mix(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(mix(1), 0x910a_2dec_8902_5cc1);
    }

    #[test]
    fn move_codes_and_their_noise_match_known_values() {
        let e2e4 = move_code(Move::new(square("e2"), square("e4")));
        assert_eq!(e2e4, 1804);
        assert_eq!(random_word(1, 0, 0, u64::from(e2e4)), 0xdc07_d411_5d6e_cb0e);
        assert_eq!(triangular(random_word(1, 0, 0, u64::from(e2e4)), 90), 20);
        let e2e3 = move_code(Move::new(square("e2"), square("e3")));
        assert_eq!(e2e3, 1292);
        assert_eq!(random_word(1, 0, 0, u64::from(e2e3)), 0xd95d_74e9_fadf_da52);
        assert_eq!(triangular(random_word(1, 0, 0, u64::from(e2e3)), 90), 75);
    }

    #[test]
    fn promotions_and_castling_have_distinct_codes() {
        let (a7, b8) = (square("a7"), square("b8"));
        assert_eq!(move_code(Move::promotion(a7, b8, Kind::Knight)), 7792);
        assert_eq!(move_code(Move::promotion(a7, b8, Kind::Queen)), 20080);
        assert_eq!(move_code(Move::castle(square("e1"), square("g1"))), 4 | 6 << 6);
    }

    #[test]
    fn noise_reaches_its_bounds_and_stays_within() {
        assert_eq!(triangular(0, 60), -59);
        assert_eq!(triangular(u64::MAX, 60), 59);
    }

    #[test]
    fn a_shuffle_keeps_every_item() {
        let mut items: Vec<u32> = (0..1000).collect();
        shuffle(&mut items, 5);
        assert_ne!(items[..10], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        items.sort_unstable();
        assert!(items.iter().copied().eq(0..1000));
    }
}
