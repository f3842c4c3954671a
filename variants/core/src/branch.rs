//! A branch that stays a branch.

/// Keeps the branch that leads to this place, where the compiler would else emit a selection between the results
/// of both sides. Costs no instruction.
#[inline(always)]
pub fn stay_a_branch() {
    // SAFETY: the block is empty. The compiler knows nothing about it, so it does not execute it unless the
    // branch is taken.
    unsafe { std::arch::asm!("", options(nomem, nostack, preserves_flags)) };
}
