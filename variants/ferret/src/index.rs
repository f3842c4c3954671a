//! Links as indexes (ours): separates the cost of the link's width from the cost of the walk.
//!
//! With 32 bits an element has eight bytes, as on a 32-bit machine; with 16 bits it has four. Index
//! 0 means no link, because no link leads to the first element of any list.

use raywalk_core::{
    Card,
    one_way::{ELEMENTS, OneWayLists},
    two_way::Heads,
};

use crate::{
    card,
    links::{Links, Place},
};

/// The type of an index. It fixes the width of both fields of an element.
pub trait Width: Copy + From<u16> + Into<u32> + Send + Sync + 'static {
    /// The card of the design with indexes of this width.
    const CARD: Card;
    /// The signed integer of this width, which stores a square.
    type Signed: Copy + Into<i32> + From<i8> + Send + Sync;
}

impl Width for u32 {
    const CARD: Card =
        Card { id: "ferret/index32", name: "Ferret, linked by 32-bit indexes", ..card::OURS };
    type Signed = i32;
}

impl Width for u16 {
    const CARD: Card =
        Card { id: "ferret/index16", name: "Ferret, linked by 16-bit indexes", ..card::OURS };
    type Signed = i16;
}

/// A target, or the number of the sentinel, and the index of the first element of the next ray.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Element<W: Width> {
    square: W::Signed,
    blocked: W,
}

/// All lists, linked by indexes, and the index of the first element of each.
#[repr(C, align(64))]
pub struct Indexes<W: Width> {
    elements: [Element<W>; ELEMENTS],
    heads: Heads<Head>,
}

/// The index of the first element of a list. Only [`Indexes::with`] makes one, and checks it.
#[derive(Clone, Copy)]
pub struct Head(u16);

/// The index of an element.
#[derive(Clone, Copy)]
pub struct At<'lists, W: Width> {
    elements: &'lists [Element<W>; ELEMENTS],
    index: usize,
}

impl<W: Width> At<'_, W> {
    /// The element to which the link leads.
    #[inline(always)]
    pub(crate) fn link(self) -> Self {
        let index: u32 = self.element().blocked.into();
        At { index: index as usize, ..self }
    }

    #[inline(always)]
    fn element(self) -> Element<W> {
        debug_assert!(self.index < ELEMENTS, "heads and links lead to elements");
        // SAFETY: `with` has checked every head and every link. The caller of `next` promises a target, and a target is
        // followed by an element of its list, at least by the sentinel. A mask in the place of the check would be part
        // of the dependency chain.
        unsafe { *self.elements.get_unchecked(self.index) }
    }
}

impl<W: Width> Indexes<W> {
    /// The lists, with what `element` gives for each index: the number of the square, and the link.
    pub(crate) fn with(lists: &OneWayLists, element: impl Fn(usize) -> (i8, u16)) -> Self {
        assert!(lists.elements[ELEMENTS - 1].to.is_none(), "the last element is a sentinel");
        let is_element = |index: u16| usize::from(index) < ELEMENTS;
        let elements = std::array::from_fn(|index| {
            let (square, blocked) = element(index);
            assert!(is_element(blocked), "a link leads to an element");
            Element { square: square.into(), blocked: blocked.into() }
        });
        let heads = lists.heads.map(|head| {
            assert!(is_element(head), "a head leads to an element");
            Head(head)
        });
        Indexes { elements, heads }
    }
}

impl<W: Width> Place for At<'_, W> {
    #[inline(always)]
    fn square(self) -> isize {
        let square: i32 = self.element().square.into();
        square as isize
    }

    #[inline(always)]
    unsafe fn next(self) -> Self {
        At { index: self.index + 1, ..self }
    }

    #[inline(always)]
    fn blocked(self) -> Option<Self> {
        let index: u32 = self.element().blocked.into();
        (index != 0).then_some(self.link())
    }
}

impl<W: Width> Links for Indexes<W> {
    const CARD: Card = W::CARD;
    type Head = Head;
    type Place<'lists> = At<'lists, W>;

    fn build() -> Self {
        let lists = OneWayLists::new();
        Indexes::with(&lists, |index| {
            let element = lists.elements[index];
            let square = element.to.map_or(-1, |square| square.number() as i8);
            (square, element.blocked.unwrap_or(0))
        })
    }

    #[inline(always)]
    fn heads(&self) -> &Heads<Head> {
        &self.heads
    }

    #[inline(always)]
    fn start(&self, Head(head): Head) -> At<'_, W> {
        At { elements: &self.elements, index: usize::from(head) }
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.elements) + size_of_val(&self.heads)
    }
}

#[cfg(test)]
mod tests {
    use raywalk_core::one_way::SLIDER_ELEMENTS;

    use super::*;

    fn check_elements<W: Width>() {
        let lists = Indexes::<W>::build();
        for (index, element) in OneWayLists::new().elements.iter().enumerate() {
            let at = At { elements: &lists.elements, index };
            assert_eq!(at.square(), element.to.map_or(-1, |square| square.number().into()));
            let blocked = at.blocked().map(|place| place.index);
            assert_eq!(blocked, element.blocked.map(usize::from), "element {index}");
        }
    }

    #[test]
    fn both_widths_hold_the_lists() {
        check_elements::<u32>();
        check_elements::<u16>();
    }

    #[test]
    fn the_sliders_have_the_bytes_of_a_32_bit_machine_or_half_as_many() {
        assert_eq!(size_of::<[Element<u32>; SLIDER_ELEMENTS]>(), 24_832);
        assert_eq!(size_of::<[Element<u16>; SLIDER_ELEMENTS]>(), 12_416);
        assert_eq!(Indexes::<u32>::build().bytes(), 4_460 * 8 + 9 * 64 * 2);
        assert_eq!(Indexes::<u16>::build().bytes(), 4_460 * 4 + 9 * 64 * 2);
    }
}
