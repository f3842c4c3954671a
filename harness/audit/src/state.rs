//! The state of registers, flags and stack at one point of a function.

use std::collections::BTreeMap;

use iced_x86::Register;

use crate::value::{Offset, Place, Region, Taint, Value};

/// A general register. Code on bytes writes the low eight bits alone and leaves old bits above them,
/// which say nothing about the byte.
#[derive(Clone, Copy, PartialEq, Eq)]
struct General {
    value: Value,
    low: Taint,
}

/// Bytes of a vector, the most that an instruction of a design writes.
const LARGEST_SLOT: i64 = 64;

/// A part of the stack that was written as a whole. No two slots overlap.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Slot {
    size: i64,
    value: Value,
}

/// What is known of registers, flags and stack at one place of the code.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct State {
    general: [General; 16],
    vectors: [Taint; 32],
    masks: [Taint; 8],
    /// The carry flag, which some instructions keep while they write the others.
    carry: Taint,
    flags: Taint,
    stack: BTreeMap<i64, Slot>,
    /// Taint of all data stored to the stack at unknown places.
    scattered: Taint,
    /// Size of the cells at the beginning of the board.
    cells: i64,
}

impl State {
    /// The state at the beginning of an entry: design, board and list are the arguments.
    pub(crate) fn entry(cells: usize) -> State {
        let unknown = General { value: Value::UNKNOWN, low: Taint::NONE };
        let mut state = State {
            general: [unknown; 16],
            vectors: [Taint::NONE; 32],
            masks: [Taint::NONE; 8],
            carry: Taint::NONE,
            flags: Taint::NONE,
            stack: BTreeMap::new(),
            scattered: Taint::NONE,
            cells: i64::try_from(cells).expect("the size of a board"),
        };
        // The registers of the first three arguments in the calling convention of System V.
        state.set(Register::RDI, Value::at(Region::Tables, 0));
        state.set(Register::RSI, Value::at(Region::Board, 0));
        state.set(Register::RDX, Value::at(Region::List, 0));
        state.set(Register::RSP, Value::at(Region::Stack, 0));
        state
    }

    /// The value of a register. Only the whole of a general register can be an address.
    pub(crate) fn get(&self, register: Register) -> Value {
        let Some(general) = general(register) else { return Value::plain(self.other(register)) };
        let General { value, low } = self.general[general];
        match register.size() {
            1 if !is_high(register) => Value::plain(low),
            8 => Value { taint: value.taint | low, ..value },
            _ => Value::plain(value.taint | low),
        }
    }

    fn other(&self, register: Register) -> Taint {
        if register.is_vector_register() {
            self.vectors[register.number() % 32]
        } else if register.is_k() {
            self.masks[register.number() % 8]
        } else {
            Taint::NONE
        }
    }

    /// Writes a register. A write of 32 bits clears the bits above them.
    pub(crate) fn set(&mut self, register: Register, value: Value) {
        let Some(general) = general(register) else {
            if register.is_vector_register() {
                self.vectors[register.number() % 32] = value.taint;
            } else if register.is_k() {
                self.masks[register.number() % 8] = value.taint;
            }
            return;
        };
        let old = &mut self.general[general];
        match register.size() {
            1 if !is_high(register) => {
                old.low = value.taint;
                old.value.place = Place::Plain;
            }
            // A write of 8 or 16 bits keeps the others, so what they depend on remains.
            1 | 2 => {
                let taint = old.value.taint | value.taint;
                *old = General { value: Value::plain(taint), low: old.low | value.taint };
            }
            4 => *old = General { value: Value::plain(value.taint), low: value.taint },
            _ => *old = General { value, low: value.taint },
        }
    }

    /// Taint of the flags that an instruction reads.
    pub(crate) fn flags(&self, carry: bool, others: bool) -> Taint {
        let of = |taint: Taint, read: bool| if read { taint } else { Taint::NONE };
        of(self.carry, carry) | of(self.flags, others)
    }

    pub(crate) fn set_flags(&mut self, carry: bool, others: bool, taint: Taint) {
        if carry {
            self.carry = taint;
        }
        if others {
            self.flags = taint;
        }
    }

    /// Size of the cells at the beginning of the board.
    pub(crate) fn cells(&self) -> i64 {
        self.cells
    }

    /// Whether an address of the board lies in its cells.
    pub(crate) fn is_cell(&self, offset: Offset) -> bool {
        offset.base() < self.cells
    }

    /// Reads `size` bytes of the stack.
    pub(crate) fn load(&self, offset: Offset, size: i64) -> Value {
        let Offset::Exactly(start) = offset else {
            // An array on the stack: anything at or above its beginning, also in a slot that begins below it.
            let above = self.ending_above(offset.base()).map(|(_, slot)| slot.value.taint);
            return Value::plain(above.fold(self.scattered, |all, one| all | one));
        };
        match self.stack.get(&start) {
            Some(slot) if slot.size == size => slot.value,
            _ => {
                let parts = self.overlapping(start, size).map(|(_, slot)| slot.value.taint);
                Value::plain(parts.fold(self.scattered, |all, one| all | one))
            }
        }
    }

    /// Writes `size` bytes of the stack.
    pub(crate) fn store(&mut self, offset: Offset, size: i64, value: Value) {
        let Offset::Exactly(start) = offset else {
            self.scattered |= value.taint;
            return;
        };
        let end = start + size;
        let touched: Vec<(i64, Slot)> = self.overlapping(start, size).collect();
        for (at, slot) in touched {
            self.stack.remove(&at);
            // The bytes before and behind the written ones keep what they hold.
            for (from, to) in [(at, start), (end, at + slot.size)] {
                if from < to {
                    let value = Value::plain(slot.value.taint);
                    self.stack.insert(from, Slot { size: to - from, value });
                }
            }
        }
        self.stack.insert(start, Slot { size, value });
    }

    fn overlapping(&self, start: i64, size: i64) -> impl Iterator<Item = (i64, Slot)> {
        self.ending_above(start).take_while(move |(at, _)| *at < start + size)
    }

    /// The slots with a byte at or above `start`, in rising order.
    fn ending_above(&self, start: i64) -> impl Iterator<Item = (i64, Slot)> {
        // A slot that begins further below ends before `start`.
        let near = self.stack.range(start - LARGEST_SLOT..);
        near.filter(move |(at, slot)| **at + slot.size > start).map(|(at, slot)| (*at, *slot))
    }

    pub(crate) fn move_stack(&mut self, distance: i64) {
        let value = self.get(Register::RSP).plus(distance);
        self.set(Register::RSP, value);
    }

    /// Applies a call of code outside the program: registers that the callee may overwrite become unknown.
    pub(crate) fn forget_scratch(&mut self) {
        use Register::{R8, R9, R10, R11, RAX, RCX, RDI, RDX, RSI};
        // By the calling convention of System V, in which a callee may also overwrite all vectors and masks.
        for register in [RAX, RCX, RDX, RSI, RDI, R8, R9, R10, R11] {
            self.set(register, Value::UNKNOWN);
        }
        (self.vectors, self.masks) = ([Taint::NONE; 32], [Taint::NONE; 8]);
        self.set_flags(true, true, Taint::NONE);
    }

    /// Keeps what holds in both states. Returns whether this one changed.
    pub(crate) fn join(&mut self, other: &State) -> bool {
        let before = self.clone();
        for (one, other) in self.general.iter_mut().zip(&other.general) {
            one.value = one.value.join(other.value, self.cells);
            one.low |= other.low;
        }
        self.vectors.iter_mut().zip(&other.vectors).for_each(|(one, other)| *one |= *other);
        self.masks.iter_mut().zip(&other.masks).for_each(|(one, other)| *one |= *other);
        self.carry |= other.carry;
        self.flags |= other.flags;
        self.scattered |= other.scattered;
        for (at, slot) in std::mem::take(&mut self.stack) {
            match other.stack.get(&at) {
                Some(same) if same.size == slot.size => {
                    let value = slot.value.join(same.value, self.cells);
                    self.stack.insert(at, Slot { value, ..slot });
                }
                _ => self.keep_common(at, slot, other),
            }
        }
        *self != before
    }

    /// Keeps the bytes of a slot that the other way has written as well, in other pieces: whole on one way, in two
    /// halves on the other. A byte that one way has not written has no defined content behind the junction.
    fn keep_common(&mut self, at: i64, slot: Slot, other: &State) {
        for (start, piece) in other.overlapping(at, slot.size) {
            let first = at.max(start);
            let size = (at + slot.size).min(start + piece.size) - first;
            let taint = slot.value.taint | piece.value.taint;
            self.stack.insert(first, Slot { size, value: Value::plain(taint) });
        }
    }
}

/// The number of a general register or of the one that it is a part of.
fn general(register: Register) -> Option<usize> {
    register.is_gpr().then(|| register.full_register().number())
}

fn is_high(register: Register) -> bool {
    matches!(register, Register::AH | Register::BH | Register::CH | Register::DH)
}
