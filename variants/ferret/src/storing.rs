//! Ferret's lists with an unconditional store (ours): a control that changes how a move to a piece is written.
//!
//! The published loop asks on each piece whose it is, and branches around the store. Here the move is stored always and
//! counted if the piece is an enemy, as in the conditional linked list. The branch that decides the advance stays.

use raywalk_core::{Card, Control, two_way::Heads};

use crate::{card, links::Links, pointer::Pointers};

/// The published lists, walked with an unconditional store.
pub struct Storing(Pointers);

impl Links for Storing {
    const CARD: Card = Card {
        id: "ferret/conditional-write",
        name: "Ferret, conditional write",
        control: Control::Mixed,
        source: "Raywalk: a control for ferret/pointer, not published elsewhere",
        reconstructed: "on a piece the move is stored before it is known whether it counts; the rest is \
                        ferret/pointer",
        ..card::OURS
    };
    type Head = <Pointers as Links>::Head;
    type Place<'lists> = <Pointers as Links>::Place<'lists>;
    const STORES_ALWAYS: bool = true;

    fn build() -> Self {
        Storing(Pointers::build())
    }

    #[inline(always)]
    fn heads(&self) -> &Heads<Self::Head> {
        self.0.heads()
    }

    #[inline(always)]
    fn start(&self, head: Self::Head) -> Self::Place<'_> {
        self.0.start(head)
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}
