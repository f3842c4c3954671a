//! The effect of one instruction on the state: which values depend on what stands on a square.
//!
//! A result depends on everything that the instruction reads: registers, flags and memory. What memory
//! holds follows from the address. The beginning of the board holds cells, the rest of it pieces and
//! sets, the first argument tables. A table that is read at a place that depends on a cell gives a value
//! that depends on the cell: conditional moves, `setcc`, `adc` after `bt`, and masks select without a
//! branch, and an index into a table does the same.

use iced_x86::{
    Code, ConditionCode, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register,
    RflagsBits,
};

use crate::binary::Binary;
use crate::decode::{has_memory_operand, is_read, is_write};
use crate::state::State;
use crate::value::{Offset, Place, Region, Taint, Value};

/// The memory access of an instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) address: Value,
    pub(crate) reads: bool,
    pub(crate) writes: bool,
}

/// Applies instructions, one at a time, to what is known of registers, flags and stack.
pub(crate) struct Steps<'a> {
    binary: &'a dyn Binary,
    factory: InstructionInfoFactory,
}

impl Steps<'_> {
    pub(crate) fn new(binary: &dyn Binary) -> Steps<'_> {
        Steps { binary, factory: InstructionInfoFactory::new() }
    }

    /// Applies an instruction that is no call. Returns the access of its memory operand, if it has one.
    pub(crate) fn apply(&mut self, state: &mut State, instruction: &Instruction) -> Option<Access> {
        let operands = self.operands(state, instruction);
        if self.moves_stack(state, instruction) {
            return operands.access;
        }
        let result = self.address_result(state, instruction, &operands);
        let taint = operands.inputs | state.flags_read(instruction);
        let info = self.factory.info(instruction);
        for used in info.used_registers() {
            let register = used.register();
            match used.access() {
                OpAccess::Write | OpAccess::ReadWrite | OpAccess::ReadCondWrite => {
                    let whole = result.filter(|_| is_first(instruction, register));
                    state.set(register, whole.unwrap_or(Value::plain(taint)));
                }
                // The write may not happen, so what the old value depends on remains.
                OpAccess::CondWrite => {
                    let old = state.get(register).taint;
                    state.set(register, Value::plain(old | taint));
                }
                _ => {}
            }
        }
        if let Some(Access { address, writes: true, .. }) = operands.access
            && let Place::In(Region::Stack, offset) = address.place
        {
            let value = result.unwrap_or(Value::plain(taint));
            state.store(offset, memory_size(instruction), value);
        }
        let modified = instruction.rflags_modified();
        let carry = modified & RflagsBits::CF != 0;
        state.set_flags(carry, modified & !RflagsBits::CF != 0, taint);
        operands.access
    }

    /// Reads the operands of an instruction.
    fn operands(&mut self, state: &State, instruction: &Instruction) -> Operands {
        let mut operands = Operands::default();
        let info = self.factory.info(instruction);
        let explicit = |register: Register| {
            (0..instruction.op_count()).any(|n| {
                instruction.op_kind(n) == OpKind::Register
                    && instruction.op_register(n) == register
                    && is_read(info.op_access(n))
            })
        };
        let in_address = |register: Register| {
            has_memory_operand(instruction)
                && (register == instruction.memory_base() || register == instruction.memory_index())
        };
        for used in info.used_registers() {
            let register = used.register();
            if is_read(used.access()) && (explicit(register) || !in_address(register)) {
                operands.inputs |= state.get(register).taint;
            }
        }
        if !has_memory_operand(instruction) {
            return operands;
        }
        let number = (0..instruction.op_count())
            .find(|&n| instruction.op_kind(n) == OpKind::Memory)
            .expect("a memory operand");
        let access = info.op_access(number);
        let address = address(state, instruction);
        operands.address = Some(address);
        let reads = is_read(access);
        if reads {
            let size = memory_size(instruction);
            let loaded = self.load(state, address, size);
            operands.inputs |= loaded.taint;
            operands.loaded = Some(loaded);
        }
        let writes = is_write(access);
        if reads || writes {
            operands.access = Some(Access { address, reads, writes });
        } else {
            operands.inputs |= address.taint; // `lea`
        }
        operands
    }

    /// The value that memory holds at an address.
    fn load(&self, state: &State, address: Value, size: i64) -> Value {
        let selected = address.taint.only(Taint::CELL);
        match address.place {
            Place::In(Region::Board, offset) if state.is_cell(offset) => Value::plain(Taint::CELL),
            Place::In(Region::Board, _) => Value::plain(Taint::PIECES | selected),
            Place::In(Region::List, _) => Value::plain(Taint::LIST | selected),
            Place::In(Region::Stack, offset) => {
                let value = state.load(offset, size);
                Value { taint: value.taint | selected, ..value }
            }
            // A constant of the program, or a slot with an address.
            Place::In(Region::Program, Offset::Exactly(place)) => {
                match self.binary.slot(place.cast_unsigned()) {
                    Some(target) => Value::at(Region::Program, target.cast_signed()),
                    None => Value::UNKNOWN,
                }
            }
            // A table that the cell alone selects from, such as one of classes, is as good as the cell.
            _ if address.taint.is_cell_itself() => Value::plain(address.taint),
            _ => Value::plain(address.taint | Taint::TABLE),
        }
    }

    /// The result of an instruction that copies or computes an address.
    fn address_result(
        &self,
        state: &State,
        instruction: &Instruction,
        operands: &Operands,
    ) -> Option<Value> {
        let second = || match instruction.op1_kind() {
            OpKind::Memory => operands.loaded,
            OpKind::Register => Some(state.get(instruction.op1_register())),
            _ => None,
        };
        let first = || match instruction.op0_kind() {
            OpKind::Register => Some(state.get(instruction.op0_register())),
            _ => None,
        };
        let immediate = || {
            let kind = instruction.op1_kind();
            let is_immediate = !matches!(kind, OpKind::Memory | OpKind::Register);
            is_immediate.then(|| instruction.immediate(1).cast_signed())
        };
        match instruction.mnemonic() {
            Mnemonic::Lea if instruction.op0_register().is_gpr64() => operands.address,
            Mnemonic::Mov if is_64_bits(instruction) => second(),
            // Elements of jump tables are distances of 32 bits.
            Mnemonic::Movsxd if instruction.code() == Code::Movsxd_r64_rm32 => {
                let Value { place, taint } = operands.address?;
                match place {
                    Place::In(Region::Program, offset) => {
                        let table = Place::Element(offset.base().cast_unsigned());
                        Some(Value { place: table, taint: operands.loaded?.taint | taint })
                    }
                    _ => None,
                }
            }
            Mnemonic::Add if is_64_bits(instruction) => match immediate() {
                Some(distance) => Some(first()?.plus(distance)),
                None => Some(first()?.sum(second()?, 1)),
            },
            Mnemonic::Sub if is_64_bits(instruction) => {
                Some(first()?.plus(immediate()?.wrapping_neg()))
            }
            _ if is_conditional_move(instruction) && is_64_bits(instruction) => {
                let either = first()?.join(second()?, state.cells());
                Some(Value { taint: either.taint | state.flags_read(instruction), ..either })
            }
            Mnemonic::Inc if is_64_bits(instruction) => Some(first()?.plus(1)),
            Mnemonic::Dec if is_64_bits(instruction) => Some(first()?.plus(-1)),
            // Alignment of the stack: the distance that it adds is not known, and all later places count
            // from the aligned one.
            Mnemonic::And if instruction.op0_register() == Register::RSP => first(),
            _ => None,
        }
    }

    /// Applies an instruction that moves the stack pointer.
    fn moves_stack(&mut self, state: &mut State, instruction: &Instruction) -> bool {
        let top = |state: &State| match state.get(Register::RSP).place {
            Place::In(Region::Stack, offset) => offset,
            _ => Offset::From(i64::from(i32::MIN)),
        };
        match instruction.mnemonic() {
            Mnemonic::Push => {
                let value = match instruction.op0_kind() {
                    OpKind::Register => state.get(instruction.op0_register()),
                    OpKind::Memory => self.load(state, address(state, instruction), 8),
                    _ => Value::UNKNOWN,
                };
                state.move_stack(-8);
                state.store(top(state), 8, value);
            }
            Mnemonic::Pop => {
                let value = state.load(top(state), 8);
                state.move_stack(8);
                if instruction.op0_kind() == OpKind::Register {
                    state.set(instruction.op0_register(), value);
                }
            }
            Mnemonic::Leave => {
                state.set(Register::RSP, state.get(Register::RBP));
                let value = state.load(top(state), 8);
                state.move_stack(8);
                state.set(Register::RBP, value);
            }
            _ => return false,
        }
        true
    }
}

#[derive(Default)]
struct Operands {
    /// Everything that is read, except flags.
    inputs: Taint,
    /// The address of the memory operand, also if it is only computed.
    address: Option<Value>,
    loaded: Option<Value>,
    access: Option<Access>,
}

impl State {
    /// Taint of the flags that an instruction reads.
    pub(crate) fn flags_read(&self, instruction: &Instruction) -> Taint {
        let read = instruction.rflags_read();
        self.flags(read & RflagsBits::CF != 0, read & !RflagsBits::CF != 0)
    }
}

/// The address of the memory operand.
pub(crate) fn address(state: &State, instruction: &Instruction) -> Value {
    if instruction.is_ip_rel_memory_operand() {
        return Value::at(Region::Program, instruction.ip_rel_memory_address().cast_signed());
    }
    let part = |register: Register| match register {
        Register::None => Value::UNKNOWN,
        register => state.get(register),
    };
    let displacement = instruction.memory_displacement64().cast_signed();
    let base = part(instruction.memory_base());
    match instruction.memory_index() {
        Register::None => base.plus(displacement),
        index => base.sum(part(index), instruction.memory_index_scale()).plus(displacement),
    }
}

fn is_conditional_move(instruction: &Instruction) -> bool {
    let condition = instruction.condition_code() != ConditionCode::None;
    condition && instruction.op_count() == 2
}

fn memory_size(instruction: &Instruction) -> i64 {
    i64::try_from(instruction.memory_size().size().max(1)).expect("the size of an operand")
}

fn is_64_bits(instruction: &Instruction) -> bool {
    match instruction.op0_kind() {
        OpKind::Register => instruction.op0_register().is_gpr64(),
        _ => instruction.memory_size().size() == 8,
    }
}

fn is_first(instruction: &Instruction, register: Register) -> bool {
    instruction.op0_kind() == OpKind::Register && instruction.op0_register() == register
}
