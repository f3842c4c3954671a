//! Counts the executions of each branch of the code, by result.

use std::collections::BTreeMap;

use crate::code::Code;
use crate::trace::{BranchKind, Trace};

/// One branch of the code, and its executions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Kind of the branch: conditional, indirect jump or indirect call.
    pub kind: BranchKind,
    /// Number of executions by the address of the next instruction.
    pub next: BTreeMap<u64, u64>,
    /// Number of executions that left the sequence of instructions.
    pub taken: u64,
}

impl Site {
    /// Number of executions, over all successors.
    pub fn executed(&self) -> u64 {
        self.next.values().sum()
    }

    /// Entropy of the next address in bits per execution, 0 to 1 for a conditional branch: how much a
    /// predictor needs beyond the frequencies to be always right.
    pub fn entropy(&self) -> f64 {
        let all = self.executed() as f64;
        let share = |&count: &u64| count as f64 / all;
        let bits: f64 = self.next.values().map(share).map(|share| share * -share.log2()).sum();
        bits.max(0.0) // no negative zero
    }

    /// Executions whose next address was not the most frequent one.
    pub fn minority(&self) -> u64 {
        self.executed() - self.next.values().max().copied().unwrap_or(0)
    }
}

/// The branches of the code whose next instruction depends on data, by address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sites(pub BTreeMap<u64, Site>);

impl Sites {
    /// Adds the branches of one call.
    pub fn add(&mut self, code: &Code, trace: &Trace) {
        use BranchKind::{Conditional, IndirectCall, IndirectJump};
        let wanted = [Conditional, IndirectJump, IndirectCall];
        for branch in trace.branches(code).filter(|branch| wanted.contains(&branch.kind)) {
            let new = || Site { kind: branch.kind, next: BTreeMap::new(), taken: 0 };
            let site = self.0.entry(branch.address).or_insert_with(new);
            *site.next.entry(branch.next).or_default() += 1;
            site.taken += u64::from(branch.taken);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(counts: &[u64]) -> Site {
        let next = counts.iter().zip(1..).map(|(&count, address)| (address, count)).collect();
        Site { kind: BranchKind::Conditional, next, taken: counts[0] }
    }

    #[test]
    fn entropy_and_minority_follow_from_the_frequencies() {
        assert_eq!((site(&[8]).entropy(), site(&[8]).minority()), (0.0, 0));
        assert_eq!((site(&[4, 4]).entropy(), site(&[4, 4]).minority()), (1.0, 4));
        assert_eq!((site(&[1, 1, 2]).entropy(), site(&[1, 1, 2]).minority()), (1.5, 2));
        // By hand: 1/4 · 2 + 3/4 · 0.415037.
        assert!((site(&[1, 3]).entropy() - 0.811_278).abs() < 1e-6);
        assert_eq!(site(&[1, 3]).executed(), 4);
    }
}
