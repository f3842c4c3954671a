//! Counts of instructions, branches, and bytes touched.

use std::collections::HashSet;
use std::ops::AddAssign;

use crate::code::{Code, Flow};
use crate::trace::{Branch, BranchKind, Trace};

/// Bytes of a cache line.
const LINE: u64 = 64;

/// Counts of one call, or their sums over several calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of calls of the entry that were counted.
    pub calls: u64,
    /// Instructions. A repeated string instruction counts once.
    pub instructions: u64,
    /// Memory operands read, those of returns included. An instruction that reads and writes counts in both, and a
    /// repeated string instruction counts once.
    pub loads: u64,
    /// Memory operands written, those of calls included. A repeated string instruction counts once.
    pub stores: u64,
    /// Conditional branches, taken or not.
    pub conditional: u64,
    /// Conditional branches that were taken.
    pub taken: u64,
    /// Jumps to an address from a register or from memory.
    pub indirect_jumps: u64,
    /// Calls inside the entry, direct and indirect.
    pub inner_calls: u64,
    /// Conditional moves, and instructions that set a register by a condition.
    pub conditional_moves: u64,
    /// Instructions with an operand in a vector or mask register.
    pub vector: u64,
    /// Prefetch instructions.
    pub prefetches: u64,
    /// Bytes of the distinct instructions of each call.
    pub code_bytes: u64,
    /// Distinct cache lines of the instructions of each call.
    pub code_lines: u64,
    /// Distinct cache lines that the loads and stores of each call touched, those of the stack included;
    /// zero if accesses were not recorded.
    pub data_lines: u64,
    /// Accesses whose address is not known: gathers and scatters.
    pub unknown_addresses: u64,
}

impl Counts {
    /// The counts of one call.
    pub fn of(code: &Code, trace: &Trace) -> Counts {
        let mut counts = Counts { calls: 1, ..Counts::default() };
        let (mut seen, mut lines) = (HashSet::new(), HashSet::new());
        for &number in &trace.path {
            let one = &code[number];
            counts.instructions += 1;
            counts.vector += u64::from(one.vector);
            counts.conditional_moves += u64::from(one.conditional_move);
            counts.prefetches += u64::from(one.prefetch);
            counts.indirect_jumps += u64::from(one.flow == Flow::IndirectJump);
            counts.inner_calls +=
                u64::from(matches!(one.flow, Flow::Call { .. } | Flow::IndirectCall));
            // Not from the accesses, which a followed call does not have: stepped and followed calls are added up.
            counts.loads += u64::from(one.loads);
            counts.stores += u64::from(one.stores);
            if seen.insert(number) {
                counts.code_bytes += u64::from(one.length);
                lines.extend(lines_of(one.address, one.length.into()));
            }
        }
        counts.code_lines = lines.len() as u64;
        let conditional =
            trace.branches(code).filter(|branch| branch.kind == BranchKind::Conditional);
        for Branch { taken, .. } in conditional {
            counts.conditional += 1;
            counts.taken += u64::from(taken);
        }
        let mut touched = HashSet::new();
        for access in trace.accesses.iter().flatten() {
            match access.address {
                Some(address) => touched.extend(lines_of(address, access.bytes.into())),
                None => counts.unknown_addresses += 1,
            }
        }
        counts.data_lines = touched.len() as u64;
        counts
    }
}

/// The numbers of the cache lines of some bytes.
fn lines_of(address: u64, bytes: u64) -> impl Iterator<Item = u64> {
    address / LINE..=address.saturating_add(bytes.saturating_sub(1)) / LINE
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        let Counts {
            calls,
            instructions,
            loads,
            stores,
            conditional,
            taken,
            indirect_jumps,
            inner_calls,
            conditional_moves,
            vector,
            prefetches,
            code_bytes,
            code_lines,
            data_lines,
            unknown_addresses,
        } = other;
        self.calls += calls;
        self.instructions += instructions;
        self.loads += loads;
        self.stores += stores;
        self.conditional += conditional;
        self.taken += taken;
        self.indirect_jumps += indirect_jumps;
        self.inner_calls += inner_calls;
        self.conditional_moves += conditional_moves;
        self.vector += vector;
        self.prefetches += prefetches;
        self.code_bytes += code_bytes;
        self.code_lines += code_lines;
        self.data_lines += data_lines;
        self.unknown_addresses += unknown_addresses;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_access_across_the_end_of_a_line_touches_two() {
        let lines = |address, bytes| lines_of(address, bytes).collect::<Vec<_>>();
        assert_eq!(lines(0, 1), [0]);
        assert_eq!(lines(63, 1), [0]);
        assert_eq!(lines(63, 2), [0, 1]);
        assert_eq!(lines(64, 64), [1]);
        assert_eq!(lines(65, 64), [1, 2]);
        assert_eq!(lines(u64::MAX, 8), [u64::MAX / LINE]);
    }
}
