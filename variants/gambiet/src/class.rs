//! Classifies a cell from its code, by processor flags or by a table.
//!
//! The flags are those of the sum of the code with itself, tested in this order: zero, parity, sign,
//! carry.

use raywalk_core::{Card, Color, Feature};

use crate::CARD;

/// The content of a cell, relative to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Class {
    /// Zero flag.
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

/// One way to classify a code.
pub trait Classify: Sized + Send + Sync + 'static {
    /// The card of the design that uses it.
    const CARD: Card;
    /// Builds the table, or fails with the CPU feature that this machine lacks.
    fn new() -> Result<Self, Feature>;
    /// The class of `code`, whose colour bit the caller has inverted if Black is to move.
    fn class(&self, code: u8) -> Class;
}

/// Mask to xor into a code so that the colour bit is set for pieces of the other side.
#[inline(always)]
pub(crate) const fn inversion(side: Color) -> u8 {
    (side as u8) << 7
}

/// Adds the code to itself and jumps on four flags, in Gambiet's order.
pub struct FlagJumps(());

impl Classify for FlagJumps {
    const CARD: Card = CARD;

    fn new() -> Result<Self, Feature> {
        Feature::X86_64.require()?;
        Ok(FlagJumps(()))
    }

    /// After inlining no class value remains: the four jumps lead directly to what the caller does
    /// for each class.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn class(&self, code: u8) -> Class {
        // SAFETY: the block adds within one register, which is declared as clobbered, and jumps to
        // declared labels. It touches neither memory nor stack.
        unsafe {
            std::arch::asm!(
                "add {code}, {code}",
                "jz {empty}",
                "jnp {border}",
                "js {king}",
                "jc {enemy}",
                code = inout(reg_byte) code => _,
                empty = label { return Class::Empty },
                border = label { return Class::Border },
                king = label { return Class::King },
                enemy = label { return Class::Enemy },
                options(nomem, nostack),
            );
        }
        Class::Own
    }

    /// Never called, because [`FlagJumps::new`] fails.
    #[cfg(not(target_arch = "x86_64"))]
    fn class(&self, code: u8) -> Class {
        classify(code)
    }
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
pub struct ComputedFlags(());

impl Classify for ComputedFlags {
    const CARD: Card = Card {
        id: "gambiet/computed",
        name: "Gambiet computed flags",
        needs: &[],
        reconstructed: "each flag is computed from the sum, in the order of the jumps; the rest is gambiet/flags",
        ..CARD
    };

    fn new() -> Result<Self, Feature> {
        Ok(ComputedFlags(()))
    }

    #[inline(always)]
    fn class(&self, code: u8) -> Class {
        classify(code)
    }
}

/// The class of each of the 256 codes.
pub struct ClassTable([Class; 256]);

impl Classify for ClassTable {
    const CARD: Card = Card {
        id: "gambiet/class-table",
        name: "Gambiet class table",
        needs: &[],
        reconstructed: "the table replaces the flags, which portable code cannot read; the rest is \
                        gambiet/flags",
        ..CARD
    };

    fn new() -> Result<Self, Feature> {
        let classes = std::array::from_fn(|code| classify(code as u8));
        Ok(ClassTable(classes))
    }

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

    fn classifies_every_code<K: Classify>() {
        let Ok(classes) = K::new() else { return };
        for (code, expected) in codes() {
            for side in Color::ALL {
                let class = classes.class(code ^ inversion(side));
                assert_eq!(class, expected[side.index()], "{} {code:08b} {side:?}", K::CARD.id);
            }
        }
    }

    #[test]
    fn the_flags_and_the_table_classify_every_code_alike() {
        classifies_every_code::<FlagJumps>();
        classifies_every_code::<ClassTable>();
        classifies_every_code::<ComputedFlags>();
    }

    #[test]
    fn the_jumps_agree_with_the_computed_flags_for_all_256_bytes() {
        let Ok(jumps) = FlagJumps::new() else { return };
        for code in 0..=255 {
            assert_eq!(jumps.class(code), classify(code), "{code:08b}");
        }
    }

    #[test]
    fn the_table_takes_256_bytes_and_the_jumps_take_none() {
        assert_eq!(size_of::<ClassTable>(), 256);
        assert_eq!(size_of::<FlagJumps>(), 0);
    }
}
