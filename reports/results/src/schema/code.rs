//! The machine code of a design.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The machine code of a design's entry for all moves, as `raywalk audit` finds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Code {
    /// Id of the design, such as `bell/steps`.
    pub design: String,
    /// Bytes of the instructions that can be reached, without shared rules that are functions of their own.
    pub bytes: u64,
    /// The most innermost loops that one place of the source was compiled to.
    pub copies: u64,
    /// Instructions per visited square, over a fixed set of positions; absent if nothing could be traced.
    pub per_square: Option<f64>,
    /// The innermost loop that the walk of most squares runs through; absent without such a loop.
    pub walk: Option<WalkLoop>,
}

/// The innermost loop of a walk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WalkLoop {
    /// Instructions of the shortest iteration that visits an empty square.
    pub turn: u64,
    /// Instructions of the same loop written by hand in C; absent for designs without such a loop.
    pub in_c: Option<u64>,
    /// The instructions in the order of the code.
    pub lines: Vec<CodeLine>,
}

/// One instruction with its source line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CodeLine {
    /// Disassembly in Intel syntax.
    pub instruction: String,
    /// File and line in the sources of designs; absent if the instruction belongs to none.
    pub source: Option<String>,
}

impl CodeLine {
    /// Whether it is a conditional jump.
    pub fn is_conditional_jump(&self) -> bool {
        let mnemonic = self.instruction.split(' ').next().unwrap_or_default();
        mnemonic.starts_with('j') && mnemonic != "jmp"
    }

    /// Whether it reads or writes the stack. Designs are compiled without frame pointers, so what lies on the stack is
    /// addressed by the stack pointer.
    pub fn has_stack_operand(&self) -> bool {
        self.instruction.contains("[rsp")
    }
}
