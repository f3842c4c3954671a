//! Classifies a cell from its code, by processor flags or by a table.
//!
//! The flags are those of the sum of the code with itself, tested in this order: zero, parity, sign,
//! carry.

use raywalk_core::Color;

/// The content of a cell, relative to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Class {
    /// Zero flag: an empty cell.
    Empty,
    /// Odd parity: a guard cell.
    Border,
    /// Sign flag: a king of either side.
    King,
    /// Carry flag: an enemy piece.
    Enemy,
    /// No flag: a piece of the side to move.
    Own,
}

/// One way to classify a code in Rust.
pub(crate) trait Classify {
    /// The class of `code`, whose colour bit the caller has inverted if Black is to move.
    fn class(&self, code: u8) -> Class;
}

/// Mask to xor into a code so that the colour bit is set for pieces of the other side.
#[inline(always)]
pub(crate) const fn inversion(side: Color) -> u8 {
    (side as u8) << 7
}

/// Computes the flags of the addition in portable code, in the order of the jumps.
#[inline(always)]
fn classify(code: u8) -> Class {
    let (sum, carry) = code.overflowing_add(code);
    if sum == 0 {
        Class::Empty
    } else if sum.count_ones() % 2 == 1 {
        Class::Border
    } else if sum >= 128 {
        Class::King
    } else if carry {
        Class::Enemy
    } else {
        Class::Own
    }
}

/// Adds the code to itself and computes the four flags: parity by counting bits, sign by comparing.
pub struct ComputedFlags;

impl Classify for ComputedFlags {
    #[inline(always)]
    fn class(&self, code: u8) -> Class {
        classify(code)
    }
}

/// The class of each of the 256 codes.
pub struct ClassTable([Class; 256]);

impl ClassTable {
    /// The classes by the computed flags.
    pub fn new() -> ClassTable {
        ClassTable(std::array::from_fn(|code| classify(code as u8)))
    }
}

impl Classify for ClassTable {
    #[inline(always)]
    fn class(&self, code: u8) -> Class {
        self.0[usize::from(code)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_core::square_board::{Code, GambietCode};
    use raywalk_core::{Kind, Piece};

    /// Every code in use, with its class for White and for Black to move.
    fn codes() -> Vec<(u8, [Class; 2])> {
        let guard = GambietCode::GUARD.expect("Gambiet has a border");
        let mut codes = vec![(GambietCode::EMPTY, [Class::Empty; 2]), (guard, [Class::Border; 2])];
        for kind in Kind::ALL {
            let (own, enemy) = match kind {
                Kind::King => (Class::King, Class::King),
                _ => (Class::Own, Class::Enemy),
            };
            codes.push((GambietCode::of(Piece::new(Color::White, kind)), [own, enemy]));
            codes.push((GambietCode::of(Piece::new(Color::Black, kind)), [enemy, own]));
        }
        codes
    }

    #[test]
    fn the_sum_tells_the_class_of_every_code() {
        let table = ClassTable::new();
        for (code, expected) in codes() {
            for side in Color::ALL {
                let code = code ^ inversion(side);
                assert_eq!(classify(code), expected[side.index()], "{code:08b} {side:?}");
                assert_eq!(table.class(code), classify(code));
                assert_eq!(ComputedFlags.class(code), classify(code));
            }
        }
    }

    #[test]
    fn the_table_takes_256_bytes() {
        assert_eq!(size_of::<ClassTable>(), 256);
    }
}
