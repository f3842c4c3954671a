//! The node formats: 32-bit words, the original 64-bit words, and two halves.

use raywalk_core::Square;
use raywalk_core::square_board::{Code, ShiftCode};

/// The mask of a link. A link has 12 bits and a table has 4,096 places, so every link is in bounds.
/// Links are stored in 12 or 16 bits and handled as `usize`, because a narrower index would be
/// zero-extended again before every load.
const LINK: usize = 0xfff;

/// One packed word: a target square and its two successors.
pub trait Node: Copy + Send + Sync + 'static {
    /// Packs a target and the indexes of its successors, below 4,096; 0 ends the list.
    fn pack(to: Square, empty: u16, occupied: u16) -> Self;

    /// The target square.
    fn to(self) -> Square;

    /// The index of the successor if the target is empty.
    fn if_empty(self) -> usize;

    /// The index of the successor if the target is occupied.
    fn if_occupied(self) -> usize;

    /// The index of the successor for a target that holds `code`, a [`ShiftCode`].
    fn next(self, code: u8) -> usize;
}

/// Bits 0–7 target, 8–19 successor if empty, 20–31 successor if occupied.
///
/// The source lists the fields from high to low, but a C bit-field declared in that order would be
/// laid out from low to high. Explicit shifts avoid the ambiguity.
impl Node for u32 {
    fn pack(to: Square, empty: u16, occupied: u16) -> u32 {
        u32::from(to.number()) | u32::from(empty) << 8 | u32::from(occupied) << 20
    }

    #[inline(always)]
    fn to(self) -> Square {
        Square::from_low_bits(self)
    }

    #[inline(always)]
    fn if_empty(self) -> usize {
        (self >> 8) as usize & LINK
    }

    #[inline(always)]
    fn if_occupied(self) -> usize {
        (self >> 20) as usize
    }

    #[inline(always)]
    fn next(self, code: u8) -> usize {
        (self >> ShiftCode::shift(code)) as usize & LINK
    }
}

/// Byte 0 target, bytes 1–2 successor if empty, bytes 3–4 successor if occupied, bytes 5–7 free.
///
/// The two successors lie 16 bits apart, which is the value of bit 4 of the code: 16 for a piece, 0
/// for an empty square.
impl Node for u64 {
    fn pack(to: Square, empty: u16, occupied: u16) -> u64 {
        u64::from(to.number()) | u64::from(empty) << 8 | u64::from(occupied) << 24
    }

    #[inline(always)]
    fn to(self) -> Square {
        Square::from_low_bits(self as u32)
    }

    #[inline(always)]
    fn if_empty(self) -> usize {
        (self >> 8) as usize & LINK
    }

    #[inline(always)]
    fn if_occupied(self) -> usize {
        (self >> 24) as usize & LINK
    }

    #[inline(always)]
    fn next(self, code: u8) -> usize {
        // Two shifts: the constant one does not depend on the code, so it runs while the code
        // loads.
        ((self >> 8) >> (code & 16)) as usize & LINK
    }
}

/// Two halves, each a successor in 12 bits; the upper four bits of the first half and the next two of the second one
/// are the target. The state of the square is the index of a half.
#[derive(Clone, Copy)]
#[repr(C, align(4))]
pub struct Halves([u16; 2]);

impl Halves {
    /// The successor in one half, of index 0 or 1.
    #[inline(always)]
    pub fn link(&self, half: usize) -> usize {
        usize::from(self.0[half]) & LINK
    }
}

impl Node for Halves {
    fn pack(to: Square, empty: u16, occupied: u16) -> Halves {
        let to = u16::from(to.number());
        Halves([to << 12 | empty, to >> 4 << 12 | occupied])
    }

    #[inline(always)]
    fn to(self) -> Square {
        let [low, high] = self.0.map(u32::from);
        Square::from_low_bits(low >> 12 | high >> 12 << 4)
    }

    #[inline(always)]
    fn if_empty(self) -> usize {
        self.link(0)
    }

    #[inline(always)]
    fn if_occupied(self) -> usize {
        self.link(1)
    }

    #[inline(always)]
    fn next(self, code: u8) -> usize {
        self.link(usize::from(!ShiftCode::is_empty(code)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_core::two_way::{ENTRIES, Entry, TwoWayLists};
    use raywalk_core::{Color, Kind, Piece};

    fn check_unpacking<N: Node>() {
        for entry in TwoWayLists::new().entries.iter() {
            let [empty, occupied] = entry.next.map(|next| next.unwrap_or(0));
            let node = N::pack(entry.to, empty, occupied);
            let [empty, occupied] = [empty, occupied].map(usize::from);
            assert_eq!(
                (node.to(), node.if_empty(), node.if_occupied()),
                (entry.to, empty, occupied)
            );
            assert_eq!(node.next(ShiftCode::EMPTY), empty);
            for color in Color::ALL {
                for kind in Kind::ALL {
                    assert_eq!(node.next(ShiftCode::of(Piece::new(color, kind))), occupied);
                }
            }
        }
    }

    #[test]
    fn a_node_unpacks_to_its_fields_for_every_code() {
        check_unpacking::<u32>();
        check_unpacking::<u64>();
        check_unpacking::<Halves>();
    }

    /// Erratum: the comment in the source lists the fields as next1:12, next0:12, tosq:8, which a
    /// bit-field would lay out from low to high.
    #[test]
    fn fields_laid_out_in_the_printed_order_do_not_decode() {
        let low_to_high = |to: Square, empty: u16, occupied: u16| {
            u32::from(occupied) | u32::from(empty) << 12 | u32::from(to.number()) << 24
        };
        let high_to_low = |to: Square, empty: u16, occupied: u16| {
            u32::from(occupied) << 20 | u32::from(empty) << 8 | u32::from(to.number())
        };
        let entries = TwoWayLists::new().entries;
        let (mut wrong, mut right) = (0, 0);
        for entry in entries.iter() {
            let [empty, occupied] = entry.next.map(|next| next.unwrap_or(0));
            let decodes = |word: u32| {
                (word.to(), word.next(ShiftCode::EMPTY), word.if_occupied())
                    == (entry.to, empty.into(), occupied.into())
            };
            wrong += usize::from(!decodes(low_to_high(entry.to, empty, occupied)));
            right += usize::from(decodes(high_to_low(entry.to, empty, occupied)));
        }
        // A last node with target a1 is zero in either order, so it decodes correctly in both.
        let last_on_a1 = |entry: &&Entry| entry.to.number() == 0 && entry.next == [None; 2];
        let zero = entries.iter().filter(last_on_a1).count();
        assert_eq!((wrong, right), (ENTRIES - zero, ENTRIES));
    }
}
