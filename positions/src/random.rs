//! Randomness that is the same on every machine: pure functions of their arguments, 64-bit integers.
//!
//! There is no generator with hidden state. A random word is a function of what it is for (seed,
//! game, ply, move), so games can be played in any order and on any thread.

use raywalk_core::{Kind, Move};

/// The output of splitmix64 for state `z`.
///
/// # Source
/// G. L. Steele, D. Lea, C. H. Flood: Fast splittable pseudorandom number generators (2014).
#[inline]
pub const fn mix(z: u64) -> u64 {
    let z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// The random word of one question `x` (a move code, say) at one ply of one game.
#[inline]
pub const fn h(seed: u64, game: u64, ply: u64, x: u64) -> u64 {
    mix(mix(mix(mix(seed) ^ game) ^ ply) ^ x)
}

/// Triangular noise from `-t + 1` to `t - 1`, the sum of the word's two halves scaled to `t`.
#[inline]
pub const fn tri(word: u64, t: u32) -> i32 {
    let low = ((word & 0xffff_ffff) * t as u64) >> 32;
    let high = ((word >> 32) * t as u64) >> 32;
    (low + high) as i32 - t as i32 + 1
}

/// The number of a move in all recipes: origin, target times 64, promotion times 4096 with none,
/// knight, bishop, rook, queen as 0 to 4. Castling is the king's two-square move.
#[inline]
pub const fn code(mv: Move) -> u16 {
    let promotion = match mv.promoted() {
        None => 0,
        Some(Kind::Knight) => 1,
        Some(Kind::Bishop) => 2,
        Some(Kind::Rook) => 3,
        Some(_) => 4,
    };
    mv.from().number() as u16 | (mv.to().number() as u16) << 6 | promotion << 12
}

/// Fisher-Yates from the last item down, with `mix(seed ^ index)` as the source of each draw.
pub fn shuffle<T>(items: &mut [T], seed: u64) {
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
        name.parse().expect("a square")
    }

    #[test]
    fn splitmix_gives_its_published_words() {
        assert_eq!(mix(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(mix(1), 0x910a_2dec_8902_5cc1);
    }

    #[test]
    fn a_move_has_one_code_and_its_noise_is_known() {
        let e2e4 = code(Move::new(square("e2"), square("e4")));
        assert_eq!(e2e4, 1804);
        assert_eq!(h(1, 0, 0, u64::from(e2e4)), 0xdc07_d411_5d6e_cb0e);
        assert_eq!(tri(h(1, 0, 0, u64::from(e2e4)), 90), 20);
        let e2e3 = code(Move::new(square("e2"), square("e3")));
        assert_eq!(e2e3, 1292);
        assert_eq!(h(1, 0, 0, u64::from(e2e3)), 0xd95d_74e9_fadf_da52);
        assert_eq!(tri(h(1, 0, 0, u64::from(e2e3)), 90), 75);
    }

    #[test]
    fn promotions_and_castling_have_codes_of_their_own() {
        let (a7, b8) = (square("a7"), square("b8"));
        assert_eq!(code(Move::promotion(a7, b8, Kind::Knight)), 7792);
        assert_eq!(code(Move::promotion(a7, b8, Kind::Queen)), 20080);
        assert_eq!(code(Move::castle(square("e1"), square("g1"))), 4 | 6 << 6);
    }

    #[test]
    fn noise_stays_inside_its_bounds_and_reaches_them() {
        assert_eq!(tri(0, 60), -59);
        assert_eq!(tri(u64::MAX, 60), 59);
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
