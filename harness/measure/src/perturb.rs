//! Perturbations of the machine before each timed call.

/// Changes the state of caches or predictors before each call, as other code would.
pub trait Perturb {
    /// Runs one perturbation; called before each timed call.
    fn perturb(&mut self);

    /// Brings the machine into the state that it reaches after many perturbations. Runs once per sample,
    /// before anything is timed.
    fn settle(&mut self) {}
}

/// Keeps the instructions before and after it from overlapping. Without it, loads of a perturbation would
/// still be in flight while the design runs, and the design could start during the perturbation.
#[inline(always)]
pub(crate) fn fence() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has the instruction, and it accesses no memory.
    unsafe {
        core::arch::x86_64::_mm_lfence();
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: every aarch64 processor has both barriers, and they access no memory.
    unsafe {
        core::arch::asm!("dsb sy", "isb", options(nostack, preserves_flags));
    }
}
