//! Counts events during timed regions: hardware events where counters are available, and kernel events.
//!
//! Counters start before a timed region and are read after it, outside the timed ticks. An event that
//! this machine does not offer is [absent](raywalk_results::schema::Absent), with a reason and without a
//! value; it never reads as zero. A reading that the kernel would have to scale, because its group was
//! not on the counters all the time, is discarded.
//!
//! A processor counts a limited number of events at once. The events are therefore split into groups,
//! and another one counts in each turn of a panel ([`Counters::choose`]), so that every value is the count
//! of a whole region and the events of one group belong to the same region.

mod interface;
#[cfg(target_os = "linux")]
pub mod linux;

pub use interface::{Counters, EventCounts, NoCounters};

/// The counters of this machine, for the calling thread on this processor, if it stays on one. Cores of several kinds
/// have different events.
#[cfg(target_os = "linux")]
pub fn of_this_machine(processor: Option<usize>) -> Box<dyn Counters> {
    Box::new(linux::PerfCounters::open(processor))
}

/// The counters of this machine: none, because the system is not Linux.
#[cfg(not(target_os = "linux"))]
pub fn of_this_machine(_processor: Option<usize>) -> Box<dyn Counters> {
    Box::new(NoCounters::because(&raywalk_results::schema::Reason::LinuxOnly))
}
