//! The lists, with two bytes per element.

use std::hint::assert_unchecked;

use raywalk_core::{
    Color, Kind, Square,
    one_way::{ELEMENTS, OneWayLists},
    opaque,
    two_way::Heads,
};

/// A target, and the number of squares left on its ray, which are skipped if it is occupied. The list ends with the
/// piece's own square, which can never be a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Element {
    square: Square,
    skip: u8,
}

/// An [`Element`] as a walk carries it from square to square: in registers of full width. The square is [`opaque`], or
/// the compiler would keep it in eight bits and extend it again before every use.
#[derive(Clone, Copy)]
pub(crate) struct Loaded {
    square: usize,
    skip: u8,
}

impl Loaded {
    #[inline(always)]
    fn new(element: Element) -> Loaded {
        Loaded { square: opaque(element.square.index()), skip: element.skip }
    }

    /// The target. It has a byte of its own in the element, so it is an index as it is loaded.
    #[inline(always)]
    pub(crate) fn square(self) -> Square {
        // SAFETY: `new` takes it from a square. A mask would be part of the dependency chain.
        unsafe { assert_unchecked(self.square < 64) };
        Square::from_low_bits(self.square as u32)
    }

    /// The number of squares left on the ray behind this one.
    #[inline(always)]
    pub(crate) fn skip(self) -> usize {
        self.skip.into()
    }
}

/// All lists, and the index of the first element of each.
#[repr(C, align(64))]
pub(crate) struct Table {
    elements: [Element; ELEMENTS],
    heads: Heads<u16>,
}

impl Table {
    /// Builds the lists.
    ///
    /// # Panics
    /// If a walk could leave the elements: [`element`](Table::element) relies on these tests.
    pub(crate) fn build() -> Table {
        let lists = OneWayLists::new();
        let mut elements = [Element { square: Square::A1, skip: 0 }; ELEMENTS];
        for (index, element) in lists.elements.iter().enumerate() {
            let sentinel = lists.sentinel(index);
            assert!(sentinel < ELEMENTS, "every list has a sentinel");
            // On the last ray, skip to the end of the list instead of to a next ray.
            let following = element.blocked.map_or(sentinel, usize::from);
            let skip = if element.to.is_some() { following - index - 1 } else { 0 };
            assert!(
                index + skip < sentinel || element.to.is_none(),
                "no skip passes over a sentinel"
            );
            elements[index] =
                Element { square: element.to.unwrap_or(element.from), skip: skip as u8 };
        }
        let table = Table { elements, heads: lists.heads };
        let kinds = Kind::PIECES.into_iter().map(|kind| table.heads.pieces(kind));
        let pawns = Color::ALL
            .into_iter()
            .flat_map(|side| [table.heads.pushes(side), table.heads.captures(side)]);
        for heads in kinds.chain(pawns) {
            for (&head, origin) in heads.iter().zip(Square::all()) {
                let mut behind = lists.elements[usize::from(head)..].iter();
                let ends = behind.any(|element| element.to.is_none() && element.from == origin);
                assert!(ends, "a walk from {origin} ends at a sentinel of it");
            }
        }
        table
    }

    /// The index of the first element of each list.
    #[inline(always)]
    pub(crate) fn heads(&self) -> &Heads<u16> {
        &self.heads
    }

    /// The element at `index`.
    ///
    /// # Safety
    /// `index` is a head of an origin, or one to which a walk from there has advanced by one or by one and the skip of
    /// an element, and the walk has not met its origin before.
    #[inline(always)]
    pub(crate) unsafe fn element(&self, index: usize) -> Loaded {
        debug_assert!(index < ELEMENTS, "heads and skips lead to elements");
        // SAFETY: `build` has checked that a sentinel of the origin stands behind every head, and that no skip passes
        // over a sentinel. So the walk gets to that sentinel, if it has not met its origin before, and no further. A
        // mask would be part of the dependency chain.
        Loaded::new(unsafe { *self.elements.get_unchecked(index) })
    }

    /// Bytes of elements and heads.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.elements) + size_of_val(&self.heads)
    }
}

#[cfg(test)]
mod tests {
    use raywalk_core::one_way::{PIECE_ELEMENTS, SLIDER_ELEMENTS};

    use super::*;

    #[test]
    fn an_element_has_two_bytes_and_the_lists_the_resulting_sizes() {
        assert_eq!(size_of::<[Element; SLIDER_ELEMENTS]>(), 6_208);
        assert_eq!(size_of::<[Element; PIECE_ELEMENTS]>(), 7_976);
        assert_eq!(size_of::<[Element; ELEMENTS]>(), 8_920);
        assert_eq!(Table::build().bytes(), 8_920 + 9 * 64 * 2);
    }

    #[test]
    fn a_skip_leads_to_the_next_ray_or_from_the_last_ray_to_the_own_square() {
        let table = Table::build();
        for (index, element) in OneWayLists::new().elements.iter().enumerate() {
            let ours = table.elements[index];
            let Some(to) = element.to else {
                assert_eq!((ours.square, ours.skip), (element.from, 0));
                continue;
            };
            assert_eq!(ours.square, to);
            let behind = index + 1 + usize::from(ours.skip);
            match element.blocked {
                Some(next_ray) => assert_eq!(behind, usize::from(next_ray)),
                None => assert_eq!(table.elements[behind].square, element.from),
            }
        }
    }

    #[test]
    fn the_skips_of_a_rook_on_a1_count_down_along_each_ray() {
        let table = Table::build();
        let head = usize::from(table.heads().pieces(Kind::Rook)[0]);
        let skips: Vec<u8> = (head..=head + 14).map(|index| table.elements[index].skip).collect();
        assert_eq!(skips, [6, 5, 4, 3, 2, 1, 0, 6, 5, 4, 3, 2, 1, 0, 0]);
    }
}
