//! Links as addresses, as published.
//!
//! The point of the design is that a step to the next element costs one addition to an address.
//! Safe references cannot express that, and an index would be a different [design](crate::index),
//! so the addresses are raw pointers. They always stay in the block because of two properties of
//! the [lists](raywalk_core::one_way), which are tested there: heads and links lead to squares, and
//! the last element is a sentinel.

use std::{ptr::NonNull, sync::OnceLock};

use raywalk_core::{
    Card, Square,
    one_way::{ELEMENTS, OneWayLists},
    two_way::Heads,
};

use crate::{
    card,
    links::{Links, Place},
};

/// A target, or −1 for the sentinel, and the address of the first element of the next ray: 16 bytes
/// on a 64-bit machine.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Element {
    square: i32,
    blocked: Link,
}

/// The address of an element, or null.
type Link = Option<At>;

/// The address of an element of [`Elements::get`].
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct At(NonNull<Element>);

// SAFETY: an `At` is only used to read, and the block is not written once an `At` is reachable.
unsafe impl Send for At {}
// SAFETY: as for `Send`.
unsafe impl Sync for At {}

/// The elements of all lists, in one block that never moves and is never freed.
#[repr(align(64))]
struct Elements([Element; ELEMENTS]);

impl Elements {
    /// The first element. The block is built once per process and leaked, because its addresses
    /// must outlive every copy of them.
    fn get() -> At {
        static FIRST: OnceLock<At> = OnceLock::new();
        *FIRST.get_or_init(|| {
            let unwritten = Element { square: -1, blocked: None };
            let block = Box::leak(Box::new(Elements([unwritten; ELEMENTS])));
            // Derived from the whole array, so that the pointer may access every element.
            let first = At(NonNull::from(&mut block.0).cast::<Element>());
            for (n, element) in OneWayLists::new().elements.iter().enumerate() {
                let square = element.to.map_or(-1, |square: Square| square.number().into());
                let blocked = element.blocked.map(|index| first.plus(index.into()));
                // SAFETY: `plus` has checked that the address is inside the block, and no other
                // code can reach the block yet.
                unsafe { first.plus(n).0.write(Element { square, blocked }) };
            }
            first
        })
    }
}

impl At {
    /// The address `elements` behind this one, which is the first of the block.
    ///
    /// # Panics
    /// If the block has no such element.
    fn plus(self, elements: usize) -> At {
        assert!(elements < ELEMENTS, "element {elements} of {ELEMENTS}");
        // SAFETY: `self` is the first of `ELEMENTS` elements, and `elements` is less than that.
        At(unsafe { self.0.add(elements) })
    }

    #[inline(always)]
    fn element(self) -> Element {
        // SAFETY: an `At` is the address of an element of the block, which is never freed.
        unsafe { self.0.read() }
    }
}

impl Place for At {
    #[inline(always)]
    fn square(self) -> isize {
        self.element().square as isize
    }

    #[inline(always)]
    unsafe fn next(self) -> At {
        // SAFETY: the element is a target, and every target is followed by another element of its
        // list, at least the sentinel, so the next address is inside the block too.
        At(unsafe { self.0.add(1) })
    }

    #[inline(always)]
    fn blocked(self) -> Option<At> {
        self.element().blocked
    }
}

/// All lists, linked by addresses: the address of the first element of each.
pub struct Pointers {
    heads: Heads<At>,
}

impl Links for Pointers {
    const CARD: Card =
        Card { id: "ferret/pointer", name: "Ferret, linked by addresses", ..card::MORELAND };
    type Head = At;
    type Place<'lists> = At;

    fn build() -> Self {
        let first = Elements::get();
        Pointers { heads: OneWayLists::new().heads.map(|index| first.plus(index.into())) }
    }

    #[inline(always)]
    fn heads(&self) -> &Heads<At> {
        &self.heads
    }

    #[inline(always)]
    fn start(&self, head: At) -> At {
        head
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.heads) + size_of::<[Element; ELEMENTS]>()
    }
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use raywalk_core::one_way::{PIECE_ELEMENTS, SLIDER_ELEMENTS};

    use super::*;

    #[test]
    fn an_element_has_sixteen_bytes_and_the_lists_the_sizes_that_follow() {
        assert_eq!(size_of::<Element>(), 16);
        assert_eq!(size_of::<[Element; SLIDER_ELEMENTS]>(), 49_664); // sliders
        assert_eq!(size_of::<[Element; PIECE_ELEMENTS]>(), 63_808); // with knights and kings
        assert_eq!(size_of::<[Element; ELEMENTS]>(), 71_360); // with pawns
        assert_eq!(Pointers::build().bytes(), 71_360 + 9 * 64 * 8);
    }

    #[test]
    fn the_elements_hold_the_lists() {
        let first = Elements::get();
        for (n, element) in OneWayLists::new().elements.iter().enumerate() {
            let at = first.plus(n);
            assert_eq!(at.square(), element.to.map_or(-1, |square| square.number().into()));
            let blocked = element.blocked.map(|index| first.plus(index.into()));
            assert!(at.blocked() == blocked, "element {n}");
            if element.to.is_some() {
                // SAFETY: the element is a target.
                let next = unsafe { at.next() };
                assert!(next == first.plus(n + 1), "element {n}");
            }
        }
    }
}
