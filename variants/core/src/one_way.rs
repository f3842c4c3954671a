//! One-way lists: [two-way lists](crate::two_way) in which the order replaces one of the links.
//!
//! The successor of an empty square is the next element, also from the end of one ray to the start
//! of the next. So an element needs a single link, to the first element of the next ray, for the
//! case that its square is occupied. In exchange, each list needs a sentinel without a square, at
//! which a walk over empty squares stops.
//!
//! # Source
//! Bruce Moreland's move table, as described in the Chess Programming Wiki, *Table-driven Move
//! Generation*; Vincent Diepeveen's generator is of the same family.

use crate::{
    Square,
    two_way::{ENTRIES, Heads, PIECE_ENTRIES, SLIDER_ENTRIES, TwoWayLists},
};

/// Elements of queen, rook and bishop: the entries and a sentinel for each of 3 × 64 lists.
pub const SLIDER_ELEMENTS: usize = SLIDER_ENTRIES + 3 * 64;
/// [`SLIDER_ELEMENTS`] and those of knight and king.
pub const PIECE_ELEMENTS: usize = PIECE_ENTRIES + 5 * 64;
/// All elements: [`PIECE_ELEMENTS`] and those of pawns, which have 4 × 48 lists.
pub const ELEMENTS: usize = ENTRIES + 5 * 64 + 4 * 48;

/// One square of a list, or the sentinel at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// The origin: where the piece is whose list this is.
    pub from: Square,
    /// The target; `None` for the sentinel.
    pub to: Option<Square>,
    /// The successor if `to` is occupied: the index of the first element of the next ray, `None` on
    /// the last ray.
    pub blocked: Option<u16>,
}

/// All lists, in the order of the two-way lists, each with its sentinel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OneWayLists {
    /// The elements, list after list.
    pub elements: Box<[Element; ELEMENTS]>,
    /// The index of the first element of each list.
    pub heads: Heads<u16>,
}

impl Default for OneWayLists {
    fn default() -> OneWayLists {
        OneWayLists::new()
    }
}

impl OneWayLists {
    /// Builds all lists from the two-way lists.
    pub fn new() -> OneWayLists {
        let lists = TwoWayLists::new();
        // The new index of each entry: after all earlier entries and sentinels.
        let mut indexes = Vec::with_capacity(ENTRIES);
        let mut end = 0;
        for entry in lists.entries.iter() {
            indexes.push(end as u16);
            end += if entry.next[0].is_none() { 2 } else { 1 };
        }
        let index_of = |entry: u16| indexes[usize::from(entry)];
        let mut elements = Vec::with_capacity(ELEMENTS);
        for entry in lists.entries.iter() {
            let blocked = entry.next[1].map(index_of);
            elements.push(Element { from: entry.from, to: Some(entry.to), blocked });
            if entry.next[0].is_none() {
                elements.push(Element { from: entry.from, to: None, blocked: None });
            }
        }
        let elements = elements.into_boxed_slice().try_into().expect("as many elements as counted");
        OneWayLists { elements, heads: lists.heads.map(index_of) }
    }

    /// The index of the sentinel of the list that contains this element.
    pub fn sentinel(&self, index: usize) -> usize {
        index + self.elements[index..].iter().take_while(|element| element.to.is_some()).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Color, Kind};

    /// The heads of all lists, without the unused ones of pawns on the first and last rank.
    fn heads(lists: &OneWayLists) -> Vec<u16> {
        let pieces = Kind::PIECES.into_iter().flat_map(|kind| *lists.heads.pieces(kind));
        let pawns = Color::ALL
            .into_iter()
            .flat_map(|color| [lists.heads.pushes(color), lists.heads.captures(color)])
            .flat_map(|heads| heads[8..56].to_vec());
        pieces.chain(pawns).collect()
    }

    #[test]
    fn each_list_ends_with_one_sentinel_and_the_next_list_follows() {
        let lists = OneWayLists::new();
        let mut heads = heads(&lists);
        heads.sort_unstable();
        let ends: Vec<u16> =
            heads.iter().map(|&head| lists.sentinel(head.into()) as u16 + 1).collect();
        assert_eq!(ends[..ends.len() - 1], heads[1..]);
        assert_eq!(ends.last().copied(), Some(ELEMENTS as u16));
        assert_eq!([SLIDER_ELEMENTS, PIECE_ELEMENTS, ELEMENTS], [3_104, 3_988, 4_460]);
    }

    /// Makes a walk by pointers sound: it starts at a square and reads elements with squares until
    /// a sentinel, and the last element is a sentinel.
    #[test]
    fn heads_and_links_lead_to_squares_and_the_last_element_is_a_sentinel() {
        let lists = OneWayLists::new();
        let links = lists.elements.iter().filter_map(|element| element.blocked);
        for index in heads(&lists).into_iter().chain(links) {
            assert!(lists.elements[usize::from(index)].to.is_some(), "element {index}");
        }
        for color in Color::ALL {
            for heads in [lists.heads.pushes(color), lists.heads.captures(color)] {
                assert!(heads.iter().all(|&head| lists.elements[usize::from(head)].to.is_some()));
            }
        }
        assert_eq!(lists.elements[ELEMENTS - 1].to, None);
    }

    #[test]
    fn no_link_leads_to_the_head_of_a_list_so_zero_can_mean_none() {
        let lists = OneWayLists::new();
        let heads = heads(&lists);
        let mut links = lists.elements.iter().filter_map(|element| element.blocked);
        assert!(links.all(|link| !heads.contains(&link)));
    }

    #[test]
    fn a_blocked_rook_continues_with_its_next_ray_and_stops_on_the_last() {
        let lists = OneWayLists::new();
        let head = lists.heads.pieces(Kind::Rook)[0];
        let rook = &lists.elements[usize::from(head)..=lists.sentinel(head.into())];
        // a2 to a8, then b1 to h1.
        assert_eq!(rook.len(), 15);
        assert!(rook[..7].iter().all(|element| element.blocked == Some(head + 7)));
        assert_eq!(rook[7].to, Square::try_new(1));
        assert!(rook[7..].iter().all(|element| element.blocked.is_none()));
    }
}
