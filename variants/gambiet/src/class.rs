//! Five answers from one byte, in two ways.

use raywalk_core::{Card, Color, Feature};

use crate::CARD;

/// What stands in a cell, as the side to move sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Class {
    /// Zero: nobody.
    Empty,
    /// Odd parity: beyond the edge.
    Border,
    /// Minus: a king of either side.
    King,
    /// Carry: an enemy piece.
    Enemy,
    /// None of these: an own piece.
    Own,
}

/// One way to sort a code.
pub trait Classify: Sized + Send + Sync + 'static {
    /// The card of the design that uses it.
    const CARD: Card;
    /// Builds its table, or names the feature that this machine lacks.
    fn new() -> Result<Self, Feature>;
    /// The class of a code whose colour bit has been inverted if Black is to move.
    fn class(&self, code: u8) -> Class;
}

/// The bit to invert so that the enemy's colour bit is set.
#[inline(always)]
pub(crate) const fn inversion(side: Color) -> u8 {
    (side as u8) << 7
}

/// Adds the code to itself and jumps on the four flags, in Gambiet's order.
pub struct FlagJumps(());

impl Classify for FlagJumps {
    const CARD: Card = CARD;

    fn new() -> Result<Self, Feature> {
        Feature::X86_64.require()?;
        Ok(FlagJumps(()))
    }

    /// Once inlined, nothing is left of the classes: the compiler ties the four jumps to what the
    /// caller does for each.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn class(&self, code: u8) -> Class {
        // SAFETY: an addition within one register, declared as changed, and jumps to declared labels;
        // neither memory nor stack is touched.
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
        sort(code)
    }
}

/// The flags of an addition, computed: what the table is made with.
fn sort(code: u8) -> Class {
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

/// The class of every byte.
pub struct ClassTable([Class; 256]);

impl Classify for ClassTable {
    const CARD: Card = Card {
        id: "gambiet/class-table",
        name: "Gambiet class table",
        needs: &[],
        reconstructed: "the table stands for the flags that portable code cannot read; the rest is \
                        gambiet/flags",
        ..CARD
    };

    fn new() -> Result<Self, Feature> {
        let classes = std::array::from_fn(|code| sort(code as u8));
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

    /// Empty, border and all pieces, with what White and Black must see.
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

    fn sorts_every_code<K: Classify>() {
        let Ok(classes) = K::new() else { return };
        for (code, seen) in codes() {
            for side in Color::ALL {
                let class = classes.class(code ^ inversion(side));
                assert_eq!(class, seen[side.index()], "{} {code:08b} {side:?}", K::CARD.id);
            }
        }
    }

    #[test]
    fn the_flags_and_the_table_sort_every_code_alike() {
        sorts_every_code::<FlagJumps>();
        sorts_every_code::<ClassTable>();
    }

    #[test]
    fn the_jumps_are_those_of_the_computed_flags_for_all_256_bytes() {
        let Ok(jumps) = FlagJumps::new() else { return };
        for code in 0..=255 {
            assert_eq!(jumps.class(code), sort(code), "{code:08b}");
        }
    }

    #[test]
    fn the_table_has_256_bytes_and_the_jumps_have_none() {
        assert_eq!(size_of::<ClassTable>(), 256);
        assert_eq!(size_of::<FlagJumps>(), 0);
    }
}
