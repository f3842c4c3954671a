//! Lists that end at the origin (ours): a control between Ferret and the butterfly.
//!
//! In the butterfly a walk ends when a link leads back to the origin, and one comparison tests this on both sides of
//! the branch. Ferret has two ends: the sentinel and the null link. With the end of the butterfly in lists of Ferret,
//! the two designs differ in one thing: whether the successor of an empty square is the next element or a link.
//!
//! The sentinel holds the origin in place of −1, and the links of the last ray lead to the sentinel.

use raywalk_core::{Card, Control, Square, one_way::OneWayLists, two_way::Heads};

use crate::{
    card,
    index::{At, Head, Indexes},
    links::{Links, Place},
};

/// Lists with 16-bit indexes, in which each sentinel holds the origin and ends the last ray.
pub struct Returning(Indexes<u16>);

/// A place whose link always leads to an element: on the last ray to the sentinel.
#[derive(Clone, Copy)]
pub struct Linked<'lists>(At<'lists, u16>);

impl Place for Linked<'_> {
    #[inline(always)]
    fn square(self) -> isize {
        self.0.square()
    }

    #[inline(always)]
    unsafe fn next(self) -> Self {
        // SAFETY: as the caller promises.
        Linked(unsafe { self.0.next() })
    }

    #[inline(always)]
    fn blocked(self) -> Option<Self> {
        Some(Linked(self.0.link()))
    }
}

impl Links for Returning {
    const CARD: Card = Card {
        id: "ferret/end-origin",
        name: "Ferret, ends at the origin",
        control: Control::Branchy,
        source: "Raywalk: a control between ferret/index16 and butterfly/i16, not published elsewhere",
        reconstructed: "the end of a list is the origin, as in the butterfly; the rest is ferret/index16",
        ..card::OURS
    };
    type Head = Head;
    type Place<'lists> = Linked<'lists>;
    const LINKS_LEAD_TO_END: bool = true;

    fn build() -> Self {
        let lists = OneWayLists::new();
        Returning(Indexes::with(&lists, |index| {
            let element = lists.elements[index];
            let square = element.to.unwrap_or(element.from).number() as i8;
            let end = || lists.sentinel(index) as u16;
            (square, element.blocked.unwrap_or_else(end))
        }))
    }

    #[inline(always)]
    fn heads(&self) -> &Heads<Head> {
        self.0.heads()
    }

    #[inline(always)]
    fn start(&self, head: Head) -> Linked<'_> {
        Linked(self.0.start(head))
    }

    #[inline(always)]
    fn is_end(square: isize, origin: Square) -> bool {
        square == origin.index() as isize
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

#[cfg(test)]
mod tests {
    use raywalk_core::Kind;

    use super::*;

    #[test]
    fn a_rook_that_is_blocked_on_its_last_ray_returns_to_its_origin() {
        let lists = Returning::build();
        let origin = Square::from_low_bits(0);
        // a2 to a8, then b1 to h1.
        let first = lists.start(lists.heads().pieces(Kind::Rook)[0]);
        assert_eq!(first.square(), 8);
        let second_ray = first.blocked().expect("a link");
        assert_eq!(second_ray.square(), 1);
        assert!(!Returning::is_end(second_ray.square(), origin));
        let end = second_ray.blocked().expect("a link");
        assert!(Returning::is_end(end.square(), origin));
    }
}
