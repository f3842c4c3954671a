//! What is done to the machine before each call: a cold predictor, pressed caches.
//!
//! A stream shows a design on positions that it has not met, but with a predictor that has seen
//! nothing else than this design for milliseconds, and with its tables alone in the caches. In an
//! engine a call comes between an evaluation and a hash probe. Two disturbances stand for what
//! those leave behind, each with one number to turn: the [`Flusher`] runs branches that nobody can
//! predict, the [`Walker`] reads cache lines.
//!
//! Either takes longer than the call itself, so each call is timed by itself, between fences. What
//! reading the clock takes is timed with empty calls in the same round, and subtracted: see
//! [`session`](super::session).

use raywalk_reports::schema::Regime;

mod flush;
mod walk;

pub use flush::Flusher;
pub use walk::Walker;

/// Happens before each call.
pub trait Disturb {
    /// Once.
    fn disturb(&mut self);

    /// Brings about the state that many calls would, before anything is timed.
    fn settle(&mut self) {}
}

/// Makes disturbances. Behind a trait, so that tests disturb virtual machines.
pub trait Disturbances {
    /// What a regime does before each call; nothing in a plain one.
    ///
    /// # Errors
    /// One sentence why this machine has no such disturbance.
    fn of(&self, regime: &Regime) -> Result<Option<Box<dyn Disturb>>, String>;
}

/// The disturbances of the machine that this runs on.
#[derive(Clone, Copy, Debug, Default)]
pub struct OfThisMachine;

impl Disturbances for OfThisMachine {
    fn of(&self, regime: &Regime) -> Result<Option<Box<dyn Disturb>>, String> {
        Ok(match *regime {
            Regime::Cold { branches, .. } => Some(Box::new(Flusher::new(branches)?)),
            Regime::Pressure { bytes, lines, .. } => Some(Box::new(Walker::new(bytes, lines))),
            Regime::Replay { .. } | Regime::Stream { .. } => None,
        })
    }
}

/// Keeps what stands before it and what stands behind it from overlapping: without it the loads of
/// the walker would be served while the design works, and the other way round.
#[inline(always)]
pub fn fence() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the instruction belongs to every x86-64 processor and touches no memory.
    unsafe {
        core::arch::x86_64::_mm_lfence();
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: both barriers belong to every aarch64 processor and touch no memory of ours.
    unsafe {
        core::arch::asm!("dsb sy", "isb", options(nostack, preserves_flags));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_regimes_that_say_so_disturb() {
        let order = || "tree".to_owned();
        let disturbs =
            |regime: &Regime| OfThisMachine.of(regime).expect("a disturbance or none").is_some();
        let pressure = Regime::Pressure { order: order(), bytes: 1 << 15, lines: 64 };
        let plain = [Regime::Replay { k: 1 }, Regime::Stream { order: order() }];
        assert!(plain.iter().all(|regime| !disturbs(regime) && !regime.is_disturbed()));
        assert!(disturbs(&pressure) && pressure.is_disturbed());
        let cold = Regime::Cold { order: order(), branches: Flusher::SITES };
        assert!(cold.is_disturbed());
        if Flusher::IS_WRITTEN {
            assert!(disturbs(&cold));
        }
    }
}
