//! Tests the counters on kernels with known counts: one cycle per addition, two branches per bit, a
//! misprediction on every second fresh bit. Events that the machine does not count are reported with
//! the reason.

use std::time::Duration;

use raywalk_core::random::SplitMix;
use raywalk_results::schema::{Cache, Event, ExpectedRange, Per, Quantity, Trial, Unit};

use super::kernels::{AnyKernels, Bits, Kernels, Ring, WITHOUT};
use super::trial::{KnownAnswer, LEAST_ROUNDS, found};
use raywalk_measure::core_clock::Chain;
use raywalk_measure::counters::Counters;

/// Operations of a region, enough to make the calls around it negligible.
const OPERATIONS: u64 = 192 * 1_000;
/// Sleeps of a region. Each one causes a context switch.
const SLEEPS: u64 = 3;

/// An event, a kernel, and the expected count per operation.
struct CountTrial {
    event: Event,
    kernel: &'static str,
    expected: ExpectedRange,
    work: Work,
}

/// The kernel that a counted region runs.
#[derive(Clone, Copy)]
enum Work {
    Add,
    Branches,
    FreshBranches,
    Chase,
    Sleep,
}

const COUNTS: [CountTrial; 7] = [
    CountTrial {
        event: Event::Cycles,
        kernel: "a chain of additions, one cycle each",
        expected: ExpectedRange::between(0.98, 1.05),
        work: Work::Add,
    },
    CountTrial {
        event: Event::Instructions,
        kernel: "a chain of additions, with two more instructions per 64",
        expected: ExpectedRange::between(1.02, 1.05),
        work: Work::Add,
    },
    CountTrial {
        event: Event::Branches,
        kernel: "a loop with two branches for each bit",
        expected: ExpectedRange::between(1.98, 2.02),
        work: Work::Branches,
    },
    CountTrial {
        event: Event::BranchMisses,
        kernel: "a branch on fresh random bits, mispredicted every second time",
        expected: ExpectedRange::between(0.45, 0.55),
        work: Work::FreshBranches,
    },
    CountTrial {
        event: Event::L1dReadMisses,
        kernel: "dependent loads around a ring larger than the first-level cache",
        expected: ExpectedRange::between(0.7, 2.0),
        work: Work::Chase,
    },
    CountTrial {
        event: Event::SlotsRetiring,
        kernel: "a chain of additions, one retired micro-operation each",
        // The processor reports each category in 255ths of all slots, and there are four to eight
        // slots per addition.
        expected: ExpectedRange::between(0.9, 1.2),
        work: Work::Add,
    },
    CountTrial {
        event: Event::ContextSwitches,
        kernel: "sleeps of 0.1 ms",
        expected: ExpectedRange::between(1.0, 2.0),
        work: Work::Sleep,
    },
];

/// One trial per counted event, and one per reason for all events that are missing for it.
pub(crate) fn test(
    counters: &mut dyn Counters,
    mut kernels: Option<&mut AnyKernels>,
    caches: &[Cache],
    random: &mut SplitMix,
) -> Vec<Trial> {
    let counted = counters.events();
    let mut trials = Vec::new();
    for count in COUNTS.iter().filter(|count| counted.contains(&count.event)) {
        let known = KnownAnswer {
            instrument: count.event.name(),
            kernel: count.kernel,
            expected: count.expected,
            if_wrong: "The counter does not count the event that it is named after.",
        };
        let values = match (count.work, kernels.as_deref_mut()) {
            (Work::Sleep, _) => values(counters, count.event, SLEEPS, || {
                (0..SLEEPS).for_each(|_| std::thread::sleep(Duration::from_micros(100)));
            }),
            (_, None) => {
                trials.push(known.missing(WITHOUT));
                continue;
            }
            (work, Some(kernels)) => {
                let mut ring = Ring::new(beyond_first_level(caches), random);
                let mut run = prepared(work, kernels, &mut ring, random);
                values(counters, count.event, OPERATIONS, &mut run)
            }
        };
        trials.push(match values {
            Some(values) => known.judge(
                found(&values, Unit::per(Quantity::Events, Per::Operation)).into_iter().collect(),
            ),
            None => known.missing("The counter was shared with other users during every pass."),
        });
    }
    trials.extend(missing(counters));
    trials
}

/// Twice the size of the first-level data cache, in bytes.
fn beyond_first_level(caches: &[Cache]) -> u64 {
    caches
        .iter()
        .find(|cache| cache.name.is_first_for_data())
        .map_or(128 << 10, |cache| 2 * cache.bytes)
}

/// Returns a closure that runs the kernel once.
fn prepared<'a>(
    work: Work,
    kernels: &'a mut dyn Kernels,
    ring: &'a mut Ring,
    random: &'a mut SplitMix,
) -> Box<dyn FnMut() + 'a> {
    match work {
        Work::Add => Box::new(move || kernels.chain(Chain::Add, OPERATIONS)),
        Work::Branches => {
            let bits = Bits::alternating();
            Box::new(move || {
                kernels.branches(&bits, OPERATIONS);
            })
        }
        Work::FreshBranches => Box::new(move || {
            kernels.branches(&Bits::random(OPERATIONS, 1, random), OPERATIONS);
        }),
        Work::Chase => Box::new(move || kernels.chase(ring, OPERATIONS)),
        Work::Sleep => Box::new(|| ()),
    }
}

/// Counts per operation, by round, in the first pass with complete readings of the event; `None` if
/// no pass has them.
fn values(
    counters: &mut dyn Counters,
    event: Event,
    operations: u64,
    mut work: impl FnMut(),
) -> Option<Vec<f64>> {
    work();
    let mut values = None;
    for pass in 0..counters.passes() {
        counters.choose(pass);
        let mut count = |_| {
            counters.start();
            work();
            let reading = counters.stop();
            Some(*reading.values.get(&event)? as f64 / operations as f64)
        };
        values = (0..LEAST_ROUNDS).map(&mut count).collect();
        if values.is_some() {
            break;
        }
    }
    counters.choose(0);
    values
}

/// One trial per reason, with all events that are not counted for it.
fn missing(counters: &dyn Counters) -> Vec<Trial> {
    let mut groups: Vec<(Vec<&str>, String)> = Vec::new();
    for absent in counters.absent() {
        let remedy = absent.reason.remedy(absent.instrument);
        let why = format!("{} {remedy}", absent.reason).trim_end().to_owned();
        match groups.iter_mut().find(|(_, known)| *known == why) {
            Some((names, _)) => names.push(absent.instrument.name()),
            None => groups.push((vec![absent.instrument.name()], why)),
        }
    }
    let trial = |(names, why): (Vec<&str>, String)| {
        let known = KnownAnswer {
            instrument: "counters",
            kernel: &names.join(", "),
            expected: ExpectedRange::default(),
            if_wrong: "",
        };
        known.missing(&why)
    };
    groups.into_iter().map(trial).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selftest::fake::FakeKernels;
    use raywalk_measure::counters::{EventCounts, NoCounters};
    use raywalk_results::schema::Grade;
    use raywalk_results::schema::{Absent, Reason};
    use std::collections::BTreeMap;

    /// Reports the same counts for every region.
    struct Constant(BTreeMap<Event, u64>, Vec<Absent>);

    /// Counts one event per pass.
    struct InTurns(Vec<(Event, u64)>, usize);

    impl Counters for InTurns {
        fn start(&mut self) {}
        fn stop(&mut self) -> EventCounts {
            EventCounts { values: [self.0[self.1]].into(), partial: false }
        }
        fn passes(&self) -> usize {
            self.0.len()
        }
        fn choose(&mut self, pass: usize) {
            self.1 = pass % self.0.len();
        }
        fn events(&self) -> Vec<Event> {
            self.0.iter().map(|&(event, _)| event).collect()
        }
        fn absent(&self) -> &[Absent] {
            &[]
        }
    }

    impl Counters for Constant {
        fn start(&mut self) {}
        fn stop(&mut self) -> EventCounts {
            // A zero marks a counter that was shared during the region.
            let partial = self.0.values().any(|&count| count == 0);
            let values = if partial { BTreeMap::new() } else { self.0.clone() };
            EventCounts { values, partial }
        }
        fn events(&self) -> Vec<Event> {
            self.0.keys().copied().collect()
        }
        fn absent(&self) -> &[Absent] {
            &self.1
        }
    }

    fn trials(counts: &[(Event, u64)]) -> Vec<Trial> {
        let (_, mut kernels) = FakeKernels::with_clock();
        let mut counters = Constant(counts.iter().copied().collect(), Vec::new());
        test(&mut counters, Some(&mut kernels), &[], &mut SplitMix(1))
    }

    #[test]
    fn correct_counters_are_usable() {
        let trials = trials(&[
            (Event::Cycles, OPERATIONS),
            (Event::Instructions, OPERATIONS / 64 * 66),
            (Event::Branches, 2 * OPERATIONS),
            (Event::BranchMisses, OPERATIONS / 2),
            (Event::L1dReadMisses, OPERATIONS),
            (Event::SlotsRetiring, OPERATIONS),
            (Event::ContextSwitches, SLEEPS),
        ]);
        assert_eq!(trials.len(), 7);
        assert!(trials.iter().all(|trial| trial.grade == Grade::Usable), "{trials:?}");
    }

    #[test]
    fn a_wrong_counter_fails_and_a_shared_one_does_not() {
        let wrong = trials(&[(Event::BranchMisses, OPERATIONS / 20)]);
        assert!(wrong[0].failed() && wrong[0].found[0].value == 0.05, "{wrong:?}");
        let shared = trials(&[(Event::Cycles, 0)]);
        assert!(!shared[0].failed() && shared[0].grade == Grade::NotUsable, "{shared:?}");
    }

    #[test]
    fn every_event_is_tested_in_the_pass_that_counts_it() {
        let (_, mut kernels) = FakeKernels::with_clock();
        let counts = vec![
            (Event::Cycles, OPERATIONS),
            (Event::SlotsRetiring, OPERATIONS),
            (Event::Branches, OPERATIONS),
        ];
        let mut counters = InTurns(counts, 2);
        let trials = test(&mut counters, Some(&mut kernels), &[], &mut SplitMix(1));
        let grades: Vec<_> =
            trials.iter().map(|trial| (trial.instrument.as_str(), trial.failed())).collect();
        assert_eq!(grades, [("cycles", false), ("branches", true), ("slots-retiring", false)]);
        assert_eq!(counters.1, 0, "the session starts with the first pass");
    }

    #[test]
    fn missing_counters_are_grouped_by_reason_and_remedy() {
        let mut none = NoCounters::because(&Reason::NoPmu);
        let trials = test(&mut none, None, &[], &mut SplitMix(1));
        let [trial] = &trials[..] else { panic!("{trials:?}") };
        assert!(trial.kernel.starts_with("cycles, instructions, branch-misses"), "{trial:?}");
        assert!(trial.why.contains("no hardware counters") && trial.why.contains("hypervisor"));
        assert!(!trial.failed());
    }
}
