//! Links as indexes: ours, to tell the cost of the link's width from that of the walk.
//!
//! With 32 bits an element has the eight bytes that it had on a 32-bit machine; with 16 bits it has
//! four. Index 0 means none, because no link leads to the first element of any list.

use raywalk_core::{
    Card,
    one_way::{ELEMENTS, OneWayLists},
    two_way::Heads,
};

use crate::{
    card,
    links::{Links, Place},
};

/// An integer that holds a square, its sign and an index.
pub trait Width: Copy + Send + Sync + 'static {
    /// What the source says of lists with indexes of this width.
    const CARD: Card;
    /// The type of a square.
    type Signed: Copy + Into<i32> + From<i8> + Send + Sync;
    /// The type of an index.
    type Unsigned: Copy + From<u16> + Send + Sync;

    /// The index as a number.
    fn index(index: Self::Unsigned) -> usize;
}

/// 32-bit squares and indexes.
#[derive(Clone, Copy)]
pub struct Bits32;
impl Width for Bits32 {
    const CARD: Card =
        Card { id: "ferret/index32", name: "Ferret, linked by 32-bit indexes", ..card::OURS };
    type Signed = i32;
    type Unsigned = u32;

    #[inline(always)]
    fn index(index: u32) -> usize {
        index as usize
    }
}

/// 16-bit squares and indexes.
#[derive(Clone, Copy)]
pub struct Bits16;
impl Width for Bits16 {
    const CARD: Card =
        Card { id: "ferret/index16", name: "Ferret, linked by 16-bit indexes", ..card::OURS };
    type Signed = i16;
    type Unsigned = u16;

    #[inline(always)]
    fn index(index: u16) -> usize {
        usize::from(index)
    }
}

/// A target and the index of the first element of the next ray.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Element<W: Width> {
    square: W::Signed,
    blocked: W::Unsigned,
}

/// A power of two that holds all elements, so that a mask takes the place of a bounds check. What
/// lies behind the last element is never read.
const SLOTS: usize = ELEMENTS.next_power_of_two();

/// Lists linked by indexes, and the index of the first element of each.
#[repr(C, align(64))]
pub struct Indexes<W: Width> {
    elements: [Element<W>; SLOTS],
    heads: Heads<u16>,
}

/// An index into the lists. Carried as it is and masked only to read, so that the mask is off the
/// chain from one element to the next.
#[derive(Clone, Copy)]
pub struct At<'lists, W: Width> {
    elements: &'lists [Element<W>; SLOTS],
    index: usize,
}

impl<W: Width> At<'_, W> {
    #[inline(always)]
    fn element(self) -> Element<W> {
        self.elements[self.index & (SLOTS - 1)]
    }
}

impl<W: Width> Place for At<'_, W> {
    #[inline(always)]
    fn square(self) -> i32 {
        self.element().square.into()
    }

    #[inline(always)]
    unsafe fn next(self) -> Self {
        At { index: self.index + 1, ..self }
    }

    #[inline(always)]
    fn blocked(self) -> Option<Self> {
        let index = W::index(self.element().blocked);
        (index != 0).then_some(At { index, ..self })
    }
}

impl<W: Width> Links for Indexes<W> {
    const CARD: Card = W::CARD;
    type Head = u16;
    type Place<'lists> = At<'lists, W>;

    fn build() -> Self {
        let lists = OneWayLists::new();
        let none = Element { square: (-1).into(), blocked: 0.into() };
        let mut elements = [none; SLOTS];
        for (slot, element) in elements.iter_mut().zip(lists.elements.iter()) {
            let square = element.to.map_or(-1, |square| square.number() as i8);
            let blocked = element.blocked.unwrap_or(0);
            *slot = Element { square: square.into(), blocked: blocked.into() };
        }
        Indexes { elements, heads: lists.heads }
    }

    #[inline(always)]
    fn heads(&self) -> &Heads<u16> {
        &self.heads
    }

    #[inline(always)]
    fn start(&self, head: u16) -> At<'_, W> {
        At { elements: &self.elements, index: usize::from(head) }
    }

    /// Without the slots that are there for the mask alone.
    fn bytes(&self) -> usize {
        size_of::<[Element<W>; ELEMENTS]>() + size_of_val(&self.heads)
    }
}

#[cfg(test)]
mod tests {
    use raywalk_core::one_way::SLIDER_ELEMENTS;

    use super::*;

    fn the_indexes_hold_the_lists<W: Width>() {
        let lists = Indexes::<W>::build();
        for (index, element) in OneWayLists::new().elements.iter().enumerate() {
            let at = At { elements: &lists.elements, index };
            assert_eq!(at.square(), element.to.map_or(-1, |square| square.number().into()));
            let blocked = at.blocked().map(|place| place.index);
            assert_eq!(blocked, element.blocked.map(usize::from), "element {index}");
        }
    }

    #[test]
    fn the_indexes_of_both_widths_hold_the_lists() {
        the_indexes_hold_the_lists::<Bits32>();
        the_indexes_hold_the_lists::<Bits16>();
    }

    #[test]
    fn the_sliders_have_as_many_bytes_as_on_a_32_bit_machine_and_half_of_it() {
        assert_eq!(size_of::<[Element<Bits32>; SLIDER_ELEMENTS]>(), 24_832);
        assert_eq!(size_of::<[Element<Bits16>; SLIDER_ELEMENTS]>(), 12_416);
        assert_eq!(Indexes::<Bits32>::build().bytes(), 4_460 * 8 + 9 * 64 * 2);
        assert_eq!(Indexes::<Bits16>::build().bytes(), 4_460 * 4 + 9 * 64 * 2);
    }
}
