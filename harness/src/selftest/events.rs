//! Counters on code of which the counts are known.
//!
//! Where the machine counts, a count has to be right: one cycle per addition, two branches per bit,
//! a miss on every second fresh one. Where it does not, the reason stands here.

use std::time::Duration;

use raywalk_reports::schema::{Band, Cache, Trial};

use super::kernels::{AnyKernels, Bits, Kernels, Ring, WITHOUT};
use super::trial::{Known, LEAST_ROUNDS, found};
use crate::measure::core_clock::Chain;
use crate::measure::counters::{Counters, Event};
use crate::measure::schedule::SplitMix;

/// Operations of a region, so many that the calls around it count for nothing.
const OPERATIONS: u64 = 192 * 1_000;
/// Sleeps of a region, each of which gives the processor away.
const SLEEPS: u64 = 3;

/// A kernel, and what one operation of it counts.
struct Count {
    event: Event,
    kernel: &'static str,
    expected: Band,
    work: Work,
}

/// What is run; the number of operations follows from it.
#[derive(Clone, Copy)]
enum Work {
    Add,
    Branches,
    FreshBranches,
    Chase,
    Sleep,
}

const COUNTS: [Count; 7] = [
    Count {
        event: Event::Cycles,
        kernel: "a chain of additions, one cycle each",
        expected: Band::between(0.98, 1.05),
        work: Work::Add,
    },
    Count {
        event: Event::Instructions,
        kernel: "a chain of additions, with two instructions more for every 64",
        expected: Band::between(1.02, 1.05),
        work: Work::Add,
    },
    Count {
        event: Event::Branches,
        kernel: "a loop with two branches for each bit",
        expected: Band::between(1.98, 2.02),
        work: Work::Branches,
    },
    Count {
        event: Event::BranchMisses,
        kernel: "a branch on fresh random bits, mispredicted every second time",
        expected: Band::between(0.45, 0.55),
        work: Work::FreshBranches,
    },
    Count {
        event: Event::L1dReadMisses,
        kernel: "dependent loads around a ring that the first level cannot hold",
        expected: Band::between(0.7, 2.0),
        work: Work::Chase,
    },
    Count {
        event: Event::SlotsRetiring,
        kernel: "a chain of additions, which retires one micro-operation each",
        // The processor tells each part as so many 255ths of all slots, of which there are four to
        // eight for each addition.
        expected: Band::between(0.9, 1.2),
        work: Work::Add,
    },
    Count {
        event: Event::ContextSwitches,
        kernel: "sleeps of a tenth of a millisecond",
        expected: Band::between(1.0, 2.0),
        work: Work::Sleep,
    },
];

/// One trial for each counted event, and one for all that are missing for the same reason.
pub fn test(
    counters: &mut dyn Counters,
    mut kernels: Option<&mut AnyKernels>,
    caches: &[Cache],
    random: &mut SplitMix,
) -> Vec<Trial> {
    let counted = counters.events();
    let mut trials = Vec::new();
    for count in COUNTS.iter().filter(|count| counted.contains(&count.event)) {
        let known = Known {
            instrument: count.event.name(),
            kernel: count.kernel,
            expected: count.expected,
            otherwise: "The counter does not count what it is named after, so it tells nothing.",
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
            Some(values) => known.judge(found(&values, "per operation").into_iter().collect()),
            None => known.missing("The counter was shared with others while it counted."),
        });
    }
    trials.extend(missing(counters));
    trials
}

/// Twice what the first level holds.
fn beyond_first_level(caches: &[Cache]) -> u64 {
    caches.iter().find(|cache| cache.name == "L1d").map_or(128 << 10, |cache| 2 * cache.bytes)
}

/// The kernel as one call.
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

/// Counts per operation, by round, in the first pass that has them; none if the counter was not
/// there for a whole region of any.
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

/// The events that are not counted, those with the same reason together.
fn missing(counters: &dyn Counters) -> Vec<Trial> {
    let mut groups: Vec<(Vec<&str>, String)> = Vec::new();
    for unavailable in counters.unavailable() {
        let why = format!("{} {}", unavailable.why, unavailable.why.cure());
        let why = why.trim_end().to_owned();
        match groups.iter_mut().find(|(_, known)| *known == why) {
            Some((names, _)) => names.push(unavailable.event.name()),
            None => groups.push((vec![unavailable.event.name()], why)),
        }
    }
    let trial = |(names, why): (Vec<&str>, String)| {
        let known = Known {
            instrument: "counters",
            kernel: &names.join(", "),
            expected: Band::default(),
            otherwise: "",
        };
        known.missing(&why)
    };
    groups.into_iter().map(trial).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::counters::{NoCounters, Reading, Unavailable, Why};
    use crate::selftest::fake::FakeKernels;
    use raywalk_reports::schema::Grade;
    use std::collections::BTreeMap;

    /// Counts the same in every region.
    struct Constant(BTreeMap<Event, u64>, Vec<Unavailable>);

    /// Counts one event in each pass.
    struct InTurns(Vec<(Event, u64)>, usize);

    impl Counters for InTurns {
        fn start(&mut self) {}
        fn stop(&mut self) -> Reading {
            Reading { values: [self.0[self.1]].into(), partial: false }
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
        fn unavailable(&self) -> &[Unavailable] {
            &[]
        }
    }

    impl Counters for Constant {
        fn start(&mut self) {}
        fn stop(&mut self) -> Reading {
            // Zero stands for a counter that others had for part of the time.
            let partial = self.0.values().any(|&count| count == 0);
            let values = if partial { BTreeMap::new() } else { self.0.clone() };
            Reading { values, partial }
        }
        fn events(&self) -> Vec<Event> {
            self.0.keys().copied().collect()
        }
        fn unavailable(&self) -> &[Unavailable] {
            &self.1
        }
    }

    fn trials(counts: &[(Event, u64)]) -> Vec<Trial> {
        let (_, mut kernels) = FakeKernels::with_clock();
        let mut counters = Constant(counts.iter().copied().collect(), Vec::new());
        test(&mut counters, Some(&mut kernels), &[], &mut SplitMix(1))
    }

    #[test]
    fn counters_that_count_right_are_usable() {
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
    fn a_counter_of_something_else_fails_and_a_shared_one_does_not() {
        let wrong = trials(&[(Event::BranchMisses, OPERATIONS / 20)]);
        assert!(wrong[0].failed() && wrong[0].found[0].value == 0.05, "{wrong:?}");
        let shared = trials(&[(Event::Cycles, 0)]);
        assert!(!shared[0].failed() && shared[0].grade == Grade::NotUsable, "{shared:?}");
    }

    #[test]
    fn every_event_is_tried_in_the_pass_that_has_it() {
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
        assert_eq!(counters.1, 0, "the session begins with the first");
    }

    #[test]
    fn missing_counters_stand_together_with_their_reason_and_cure() {
        let mut none = NoCounters::because(&Why::NoPmu);
        let trials = test(&mut none, None, &[], &mut SplitMix(1));
        let [trial] = &trials[..] else { panic!("{trials:?}") };
        assert!(trial.kernel.starts_with("cycles, instructions, branch-misses"), "{trial:?}");
        assert!(trial.why.contains("no hardware counters") && trial.why.contains("hypervisor"));
        assert!(!trial.failed());
    }
}
