//! Links as addresses: what the source shows.
//!
//! "One element further" is arithmetic on an address, which no safe reference can do, and the point
//! of the design is that it costs one addition. An index would be a different design; it stands
//! [beside this one](crate::index). So the addresses are raw. That they always lie in the block rests
//! on facts of the [lists](raywalk_core::one_way), which a test there holds: heads and links lead to
//! squares, and the last element is a sentinel.

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

/// A target and the first element of the next ray: 16 bytes on a 64-bit machine.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Element {
    square: i32,
    blocked: Link,
}

/// The address of an element, or null.
type Link = Option<At>;

/// The address of an element of [`Elements::get`].
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct At(NonNull<Element>);

// SAFETY: an `At` only ever reads, and what it reads is written by nobody once it is reachable.
unsafe impl Send for At {}
// SAFETY: as above.
unsafe impl Sync for At {}

/// All lists, in one block that never moves and is never freed.
#[repr(align(64))]
struct Elements([Element; ELEMENTS]);

impl Elements {
    /// The first element. The block is made once per process, because its addresses must outlive
    /// every copy of them.
    fn get() -> At {
        static FIRST: OnceLock<At> = OnceLock::new();
        *FIRST.get_or_init(|| {
            let unwritten = Element { square: -1, blocked: None };
            let block = Box::leak(Box::new(Elements([unwritten; ELEMENTS])));
            // From the whole array, so that every element may be reached from the first.
            let first = At(NonNull::from(&mut block.0).cast::<Element>());
            for (n, element) in OneWayLists::new().elements.iter().enumerate() {
                let square = element.to.map_or(-1, |square: Square| square.number().into());
                let blocked = element.blocked.map(|index| first.plus(index.into()));
                // SAFETY: `plus` has checked that the address is inside the block, which nobody
                // else can reach yet.
                unsafe { first.plus(n).0.write(Element { square, blocked }) };
            }
            first
        })
    }
}

impl At {
    /// So many elements behind the first one of the block.
    fn plus(self, elements: usize) -> At {
        assert!(elements < ELEMENTS, "no list has an element {elements}");
        // SAFETY: the block has more elements than that.
        At(unsafe { self.0.add(elements) })
    }

    #[inline(always)]
    fn element(self) -> Element {
        // SAFETY: an `At` is the address of an element of the block, which lives for ever.
        unsafe { self.0.read() }
    }
}

impl Place for At {
    #[inline(always)]
    fn square(self) -> i32 {
        self.element().square
    }

    #[inline(always)]
    unsafe fn next(self) -> At {
        // SAFETY: the element is a target, and behind each target its list goes on or ends with a
        // sentinel, so that the next address is inside the block too.
        At(unsafe { self.0.add(1) })
    }

    #[inline(always)]
    fn blocked(self) -> Option<At> {
        self.element().blocked
    }
}

/// Lists linked by addresses, and the address of the first element of each.
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
    fn the_addresses_hold_the_lists() {
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
