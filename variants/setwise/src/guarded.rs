//! Fills behind a branch that skips them when there is nothing to fill from.

use std::marker::PhantomData;

use raywalk_core::set_wise::Fill;

/// A fill that is skipped for a class of sliders without pieces. The test costs a branch, which the
/// bare fill avoids.
pub struct Guarded<F>(PhantomData<F>);

impl<F: Fill> Fill for Guarded<F> {
    // The code that calls the fill makes the test, once per class instead of once per direction.
    const GUARDED: bool = true;

    #[inline(always)]
    fn attacks<const FILES: i8, const RANKS: i8>(sliders: u64, occupied: u64) -> u64 {
        F::attacks::<FILES, RANKS>(sliders, occupied)
    }
}
