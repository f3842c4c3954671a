//! Abstract values of the analysis: the memory that a value may point to, and its sources.

use std::fmt;
use std::ops::{BitOr, BitOrAssign};

/// Set of the sources that a value was computed from.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Taint(u8);

impl Taint {
    /// Constants, counters and addresses only.
    pub(crate) const NONE: Taint = Taint(0);
    /// The contents of a cell of the board.
    pub(crate) const CELL: Taint = Taint(1);
    /// The tables of the design, or constants of the program chosen by an index.
    pub(crate) const TABLE: Taint = Taint(2);
    /// The rest of the board: piece lists, sets, the state.
    pub(crate) const PIECES: Taint = Taint(4);
    /// The move list and its length.
    pub(crate) const LIST: Taint = Taint(8);

    pub(crate) fn has(self, other: Taint) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn only(self, other: Taint) -> Taint {
        Taint(self.0 & other.0)
    }

    /// Whether the value depends on a cell, and not merely on a place in a table that a cell selected. A
    /// list ends at such a place, which is known without a look at the cell.
    pub(crate) fn is_cell_itself(self) -> bool {
        self.has(Taint::CELL) && !self.has(Taint::TABLE)
    }
}

impl BitOr for Taint {
    type Output = Taint;
    fn bitor(self, other: Taint) -> Taint {
        Taint(self.0 | other.0)
    }
}

impl BitOrAssign for Taint {
    fn bitor_assign(&mut self, other: Taint) {
        *self = *self | other;
    }
}

impl fmt::Debug for Taint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [
            (Taint::CELL, "cell"),
            (Taint::TABLE, "table"),
            (Taint::PIECES, "pieces"),
            (Taint::LIST, "list"),
        ];
        f.debug_set().entries(names.iter().filter(|(one, _)| self.has(*one)).map(|n| n.1)).finish()
    }
}

/// The memory that an address points into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Region {
    /// The first argument: the design.
    Tables,
    /// The second argument: the board.
    Board,
    /// The third argument: the move list.
    List,
    /// The stack; offset 0 is where the entry found its return address.
    Stack,
    /// The program's file; the offset is the address.
    Program,
}

/// The distance from the beginning of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Offset {
    Exactly(i64),
    /// This and an index that is not known.
    From(i64),
}

impl Offset {
    pub(crate) fn plus(self, distance: i64) -> Offset {
        match self {
            Offset::Exactly(offset) => Offset::Exactly(offset.wrapping_add(distance)),
            Offset::From(offset) => Offset::From(offset.wrapping_add(distance)),
        }
    }

    pub(crate) fn base(self) -> i64 {
        match self {
            Offset::Exactly(offset) | Offset::From(offset) => offset,
        }
    }
}

/// Memory that a value may point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A number, or an unknown address.
    Plain,
    In(Region, Offset),
    /// An element of a jump table at this address: a distance from the table.
    Element(u64),
    /// The table at this address plus one of its elements.
    Target(u64),
}

/// An abstract value: the memory that it may point to, and its sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) place: Place,
    pub(crate) taint: Taint,
}

impl Value {
    pub(crate) const UNKNOWN: Value = Value::plain(Taint::NONE);

    pub(crate) const fn plain(taint: Taint) -> Value {
        Value { place: Place::Plain, taint }
    }

    pub(crate) const fn at(region: Region, offset: i64) -> Value {
        Value { place: Place::In(region, Offset::Exactly(offset)), taint: Taint::NONE }
    }

    /// The sum of a value and a constant.
    pub(crate) fn plus(self, distance: i64) -> Value {
        let place = match self.place {
            Place::In(region, offset) => Place::In(region, offset.plus(distance)),
            Place::Element(_) | Place::Target(_) if distance != 0 => Place::Plain,
            place => place,
        };
        Value { place, ..self }
    }

    /// The sum of two values; the second was multiplied by `scale`.
    pub(crate) fn sum(self, other: Value, scale: u32) -> Value {
        let taint = self.taint | other.taint;
        let other = if scale == 1 { other.place } else { Place::Plain };
        let place = match (self.place, other) {
            (Place::Element(table), Place::In(Region::Program, Offset::Exactly(base)))
            | (Place::In(Region::Program, Offset::Exactly(base)), Place::Element(table))
                if table == base.cast_unsigned() =>
            {
                Place::Target(table)
            }
            (Place::In(region, offset), _) | (_, Place::In(region, offset)) => {
                Place::In(region, Offset::From(offset.base()))
            }
            _ => Place::Plain,
        };
        Value { place, taint }
    }

    /// The value that covers both. `cells` is the size of the cells at the beginning of the board.
    ///
    /// Offsets that differ become an open range. If they differ again, the range grows to all of the
    /// cells or of the rest, so that a loop that moves a pointer comes to an end.
    pub(crate) fn join(self, other: Value, cells: i64) -> Value {
        let taint = self.taint | other.taint;
        let place = match (self.place, other.place) {
            (one, other) if one == other => one,
            (Place::In(region, one), Place::In(other_region, other)) if region == other_region => {
                let lower = one.base().min(other.base());
                let both_exact = matches!((one, other), (Offset::Exactly(_), Offset::Exactly(_)));
                let rest = region == Region::Board && lower >= cells;
                let start = match () {
                    () if both_exact || one.base() == other.base() => lower,
                    // Variables lie below offset 0, so the range has to begin below all of them.
                    () if region == Region::Stack => i64::from(i32::MIN),
                    () => {
                        if rest {
                            cells
                        } else {
                            0
                        }
                    }
                };
                Place::In(region, Offset::From(start))
            }
            _ => Place::Plain,
        };
        Value { place, taint }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_that_a_loop_moves_comes_to_rest() {
        for (region, start, step) in
            [(Region::Board, 0, 1), (Region::Board, 300, -8), (Region::Stack, -64, -8)]
        {
            let mut value = Value::at(region, start);
            let iterations = (0..10).take_while(|_| {
                let next = value.join(value.plus(step), 256);
                let moved = next != value;
                value = next;
                moved
            });
            assert!(iterations.count() < 5, "{value:?}");
        }
    }

    #[test]
    fn a_jump_target_needs_the_table_that_its_element_came_from() {
        let element = |table| Value { place: Place::Element(table), taint: Taint::PIECES };
        let table = Value::at(Region::Program, 0x40);
        assert_eq!(element(0x40).sum(table, 1).place, Place::Target(0x40));
        assert_ne!(element(0x50).sum(table, 1).place, Place::Target(0x50));
        assert_eq!(table.sum(element(0x40), 1).taint, Taint::PIECES);
    }

    #[test]
    fn a_place_in_a_table_that_a_cell_selected_is_not_the_cell() {
        assert!((Taint::CELL | Taint::PIECES).is_cell_itself());
        assert!(!(Taint::CELL | Taint::TABLE).is_cell_itself());
        assert_eq!(format!("{:?}", Taint::CELL | Taint::LIST), r#"{"cell", "list"}"#);
    }
}
