//! Ferret, compiled a second time: the same source at another address.

use raywalk_core::{Card, Feature, Generator, MoveList, Scope, Stage};
use raywalk_ferret::Pointer;

/// The design `ferret/pointer` with entries of its own. A comparison of the two must find no difference,
/// unless the place of the code makes one.
pub struct Copy(Pointer);

impl Generator for Copy {
    const CARD: Card = Card {
        id: "known/ferret-copy",
        name: "Ferret, linked by addresses, compiled again",
        ..Pointer::CARD
    };
    type Board = <Pointer as Generator>::Board;
    type Moves = <Pointer as Generator>::Moves;
    const SCOPES: &'static [Scope] = Pointer::SCOPES;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(Copy(*Pointer::build()?)))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Self::Board, list: &mut MoveList<Self::Moves>) {
        self.0.generate::<S>(board, list);
    }

    fn table_bytes(&self) -> usize {
        self.0.table_bytes()
    }
}

raywalk_core::entries!(Copy);

#[cfg(test)]
mod tests {
    use raywalk_core::Entries;

    use super::*;

    #[test]
    fn the_entries_are_other_functions_than_those_of_the_design() {
        assert_ne!(
            (Copy::all as *const ()).addr(),
            (<Pointer as Entries>::all as *const ()).addr()
        );
    }
}
