//! Fakes of everything that a session measures with, so that sessions run on virtual time and are
//! repeatable.

mod clock;
mod counters;
mod design;
mod environment;
mod perturb;
mod workloads;

pub use clock::{FakeClock, Time};
pub use counters::FakeCounters;
pub use design::{Calls, FakeDesign, Recorded};
pub use environment::FakeEnvironment;
#[cfg(test)]
pub(crate) use environment::ScriptedProbe;
pub use perturb::FakePerturbations;
pub use workloads::{FakeWorkloads, position};
