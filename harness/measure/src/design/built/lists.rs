//! The lists of a design, at different places of a page.
//!
//! Where a list lies relative to boards and tables can make vector stores and the loads behind them slow. If a process
//! had one list, its place would decide the cost of a design on a repeated position in all its rounds, and a dozen
//! processes would be a dozen places. Each turn therefore writes to another list.

use raywalk_core::{MoveFormat, MoveList};

use crate::schedule::PLACES;

/// Lists are aligned to a sixteenth of a page. A list whose size is an odd multiple of that lies at all sixteen places,
/// one of twice an odd multiple at half of them, and one of a page or more is alone.
const PAGE: usize = 4_096;

/// Lists, of which one is chosen.
pub(super) struct Lists<F: MoveFormat> {
    all: Vec<MoveList<F>>,
    chosen: usize,
}

impl<F: MoveFormat> Default for Lists<F> {
    fn default() -> Lists<F> {
        let count = if size_of::<MoveList<F>>() < PAGE { PLACES } else { 1 };
        Lists { all: vec![MoveList::new(); count], chosen: 0 }
    }
}

impl<F: MoveFormat> Lists<F> {
    /// Chooses by the number modulo the number of lists.
    pub(super) fn choose(&mut self, number: usize) {
        self.chosen = number % self.all.len();
    }

    /// The chosen one.
    pub(super) fn chosen(&mut self) -> &mut MoveList<F> {
        &mut self.all[self.chosen]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use raywalk_core::Move;

    use super::*;

    #[test]
    fn lists_of_sixteen_bits_lie_at_all_places_of_a_page() {
        let mut lists = Lists::<Move>::default();
        let mut places = BTreeSet::new();
        for number in 0..PLACES {
            lists.choose(number + 32);
            places.insert(std::ptr::from_ref(lists.chosen()).addr() % PAGE);
        }
        assert_eq!(places.len(), PLACES);
        assert!(places.iter().all(|place| place % 256 == 0));
    }
}
