//! Branches and values that the compiler leaves as they are written.

use std::hint::assert_unchecked;

use crate::Square;

/// Keeps the branch that leads to this place, where the compiler would else emit a selection between the results
/// of both sides. Costs no instruction.
#[inline(always)]
pub fn stay_a_branch() {
    // SAFETY: the block is empty. The compiler knows nothing about it, so it does not execute it unless the
    // branch is taken.
    unsafe { std::arch::asm!("", options(nomem, nostack, preserves_flags)) };
}

/// Returns `word`, of which the compiler knows nothing any more: neither its range nor, in a loop, that it stays the
/// same. Costs no instruction, where [`black_box`](std::hint::black_box) costs a store and a load.
#[inline(always)]
pub fn opaque(word: usize) -> usize {
    let mut word = word;
    // SAFETY: the block is empty and leaves the register as it is.
    unsafe {
        std::arch::asm!("/* {0} */", inout(reg) word, options(nomem, nostack, preserves_flags));
    };
    word
}

/// [`opaque`] for a set of squares. Does nothing where a register holds less than a set.
#[inline(always)]
pub(crate) fn opaque_set(set: u64) -> u64 {
    if size_of::<usize>() < size_of::<u64>() { set } else { opaque(set as usize) as u64 }
}

/// [`opaque`] for a square, except for its range. The compiler extends the square once, however it is used then.
#[inline(always)]
pub fn opaque_square(square: Square) -> Square {
    let number = opaque(square.index());
    // SAFETY: it is still the number of the square. A mask would cost an instruction.
    unsafe { assert_unchecked(number < 64) };
    Square::from_low_bits(number as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opaque_word_is_the_word() {
        for word in [0, 1, 255, usize::MAX] {
            assert_eq!(opaque(word), word);
            assert_eq!(opaque_set(word as u64), word as u64);
        }
    }
}
