//! The lists, with two bytes per element.

use raywalk_core::{
    Square,
    one_way::{ELEMENTS, OneWayLists},
    opaque,
    two_way::Heads,
};

/// Low byte: the target. High byte: the number of squares left on its ray. Both are read together,
/// as one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Element(u16);

impl Element {
    const fn new(square: Square, skip: u8) -> Element {
        Element(square.number() as u16 | (skip as u16) << 8)
    }
}

/// An [`Element`] in a register of full width: a walk carries one from square to square, and in 16 bits it would be
/// extended again before every use. It is [`opaque`], or the compiler would narrow it to 16 bits again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Loaded(usize);

impl Loaded {
    /// The target. The list ends with the piece's own square, which can never be a target.
    #[inline(always)]
    pub(crate) fn square(self) -> Square {
        Square::from_low_bits(self.index() as u32)
    }

    /// The index of the target. One mask serves board, move and the test for the end, as long as all of them have
    /// this width.
    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        self.0 & 63
    }

    /// The number of squares left on the ray behind this one, which are skipped if it is occupied.
    #[inline(always)]
    pub(crate) fn skip(self) -> usize {
        self.0 >> 8
    }
}

/// Slots for the elements: a power of two, so that a mask replaces the bounds check. The slots
/// behind the last element are never read.
const SLOTS: usize = ELEMENTS.next_power_of_two();

/// All lists, and the index of the first element of each.
#[repr(C, align(64))]
pub(crate) struct Table {
    elements: [Element; SLOTS],
    heads: Heads<u16>,
}

impl Table {
    /// Builds the lists.
    pub(crate) fn build() -> Table {
        let lists = OneWayLists::new();
        let mut elements = [Element(0); SLOTS];
        for (index, element) in lists.elements.iter().enumerate() {
            // On the last ray, skip to the end of the list instead of to a next ray.
            let following = match element.blocked {
                Some(next_ray) => usize::from(next_ray),
                None => lists.sentinel(index),
            };
            let skip = if element.to.is_some() { following - index - 1 } else { 0 };
            elements[index] = Element::new(element.to.unwrap_or(element.from), skip as u8);
        }
        Table { elements, heads: lists.heads }
    }

    /// The index of the first element of each list.
    #[inline(always)]
    pub(crate) fn heads(&self) -> &Heads<u16> {
        &self.heads
    }

    /// A number modulo the number of slots, for a walk that carries an index. The mask is one instruction where the
    /// index is made; where it is used it would be two, a copy and the mask.
    #[inline(always)]
    pub(crate) fn wrapped(index: usize) -> usize {
        index & (SLOTS - 1)
    }

    /// The element at `index` modulo the number of slots.
    #[inline(always)]
    pub(crate) fn element(&self, index: usize) -> Loaded {
        Loaded(opaque(usize::from(self.elements[Table::wrapped(index)].0)))
    }

    /// Bytes of elements and heads. Leaves out the unused slots, which exist only for the mask.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<[Element; ELEMENTS]>() + size_of_val(&self.heads)
    }
}

#[cfg(test)]
mod tests {
    use raywalk_core::{
        Kind,
        one_way::{PIECE_ELEMENTS, SLIDER_ELEMENTS},
    };

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
            let ours = table.element(index);
            let Some(to) = element.to else {
                assert_eq!((ours.square(), ours.skip()), (element.from, 0));
                continue;
            };
            assert_eq!(ours.square(), to);
            let behind = index + 1 + ours.skip();
            match element.blocked {
                Some(next_ray) => assert_eq!(behind, usize::from(next_ray)),
                None => assert_eq!(table.element(behind).square(), element.from),
            }
        }
    }

    #[test]
    fn the_skips_of_a_rook_on_a1_count_down_along_each_ray() {
        let table = Table::build();
        let head = usize::from(table.heads().pieces(Kind::Rook)[0]);
        let skips: Vec<usize> =
            (head..=head + 14).map(|index| table.element(index).skip()).collect();
        assert_eq!(skips, [6, 5, 4, 3, 2, 1, 0, 6, 5, 4, 3, 2, 1, 0, 0]);
    }
}
