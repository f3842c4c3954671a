//! Latencies of this machine for the operations of a dependency chain.
//!
//! A chain consists of operations of the code. Measured are *links*: one instruction that stands for each kind of
//! operation.

use raywalk_audit::Operation;
use raywalk_measure::clock::Clock;
use raywalk_measure::latency::{self, Latencies, Link};

/// Measures the latencies, which takes a few milliseconds. `None` where the clock rate of the core is unknown, or
/// where no chains of instructions are written for this architecture.
pub(crate) fn measured(clock: &impl Clock) -> Option<Latencies> {
    latency::latencies(clock, &mut latency::kernels()?)
}

/// The latency of an operation: that of the measured link, or one cycle if there is none.
pub(crate) fn latency(latencies: &Latencies, operation: Operation) -> f64 {
    link(operation).and_then(|link| cycles_of(latencies, link)).unwrap_or(1.0)
}

/// Cycles of a link. The selection was measured with the test before it.
fn cycles_of(latencies: &Latencies, link: Link) -> Option<f64> {
    let cycles = latencies.in_chain(link)?;
    let test = if link == Link::TestAndSelect { latencies.of(Link::Simple)? } else { 0.0 };
    // Both are measured, so the difference may be a little below 0.
    Some((cycles - test).max(0.0))
}

/// The link that stands for an operation.
fn link(operation: Operation) -> Option<Link> {
    Some(match operation {
        Operation::Load => Link::Load,
        Operation::LoadDisplaced => Link::LoadDisplaced,
        Operation::LoadIndexed => Link::LoadIndexed,
        Operation::LoadScaled => Link::LoadScaled,
        Operation::Simple => Link::Simple,
        Operation::Copy => Link::Copy,
        Operation::Extend => Link::Extend,
        Operation::Select => Link::TestAndSelect,
        Operation::AddressScaled => Link::AddressScaled,
        Operation::AddressOfThree => Link::AddressOfThree,
        Operation::ShiftBy => Link::ShiftBy,
        Operation::ShiftWithoutFlags => Link::ShiftWithoutFlags,
        Operation::Multiply => Link::Multiply,
        Operation::Scan => Link::Scan,
        Operation::Count => Link::Count,
        Operation::ClearLowest => Link::ClearLowest,
        Operation::Extract => Link::Extract,
        Operation::Unknown => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selection_is_what_is_left_without_its_test() {
        let known = Latencies::new(vec![(Link::Simple, 1.0), (Link::TestAndSelect, 2.5)]);
        assert_eq!(latency(&known, Operation::Select), 1.5);
        assert_eq!(latency(&known, Operation::Simple), 1.0);
        // Not measured, and not known.
        assert_eq!(latency(&known, Operation::Scan), 1.0);
        assert_eq!(latency(&known, Operation::Unknown), 1.0);
    }
}
