//! Ferret's lists with unconditional stores (ours): two controls that change how a move is written.
//!
//! The published loop tests on each piece whose it is, and branches around the store. In the first control the move is
//! stored always and counted if the piece is an enemy, as in the conditional linked list. The branch that decides the
//! advance stays.
//!
//! The second one stores at empty squares as well where only captures are wanted. Its walk then stores at each square,
//! as a walk without branches must, and the store is never counted. In the other stages both controls are the same.

use raywalk_core::{Card, Control, two_way::Heads};

use crate::{card, links::Links, pointer::Pointers};

/// The published lists, walked with an unconditional store on pieces or, if `AT_EMPTY`, on every square.
pub struct Storing<const AT_EMPTY: bool>(Pointers);

/// The fields that both cards share.
const CONTROL: Card = Card {
    control: Control::Mixed,
    source: "Raywalk: a control for ferret/pointer, not published elsewhere",
    ..card::OURS
};

impl<const AT_EMPTY: bool> Links for Storing<AT_EMPTY> {
    const CARD: Card = if AT_EMPTY {
        Card {
            id: "ferret/conditional-write-at-empty",
            name: "Ferret, conditional write at every square",
            reconstructed: "where only captures are wanted, the move to an empty square is stored and not counted; the \
                            rest is ferret/conditional-write",
            ..CONTROL
        }
    } else {
        Card {
            id: "ferret/conditional-write",
            name: "Ferret, conditional write",
            reconstructed: "on a piece the move is stored before it is known whether it counts; the rest is \
                            ferret/pointer",
            ..CONTROL
        }
    };
    type Head = <Pointers as Links>::Head;
    type Place<'lists> = <Pointers as Links>::Place<'lists>;
    const STORES_ALWAYS: bool = true;
    const STORES_AT_EMPTY: bool = AT_EMPTY;

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
