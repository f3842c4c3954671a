//! Counters on a fake kernel that gives every answer the real one can give.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use rustix::io::Errno;

use super::names::tests::{ICE_LAKE, devices};
use super::names::{Names, listed_as};
use super::*;
use fake_kernel::FakeKernel;

#[allow(unsafe_code, reason = "hooks of the `perf-event` crate, and `errno`")]
mod fake_kernel;

/// A kernel that lists no PMU.
fn bare() -> Kernel {
    Kernel { names: Names::read(Path::new("/nowhere"), None), paranoid: Some(2) }
}

/// A kernel that lists the PMU of the core, with these files.
fn with_pmu(files: &[(&str, &str)]) -> Kernel {
    Kernel { names: Names::read(devices("cpu", files).path(), None), paranoid: Some(4) }
}

const PLAIN: [(&str, &str); 1] = [("type", "4")];

fn reasons(counters: &PerfCounters) -> BTreeMap<Event, Reason> {
    let event = |absent: &Absent| match absent.instrument {
        Instrument::Event(event) => Some((event, absent.reason.clone())),
        Instrument::Facility(_) => None,
    };
    counters.absent().iter().filter_map(event).collect()
}

/// The events of each pass.
fn passes(counters: &PerfCounters) -> Vec<Vec<Event>> {
    counters.hardware.iter().map(|group| group.events().collect()).collect()
}

/// The hardware events that every PMU of the core can open, most important first.
fn numbered() -> Vec<Event> {
    Event::HARDWARE.into_iter().filter(|&event| listed_as(event).is_empty()).collect()
}

/// The numbered events in groups of so many, each with cycles and instructions.
fn groups(size: usize) -> Vec<Vec<Event>> {
    let [common, others] = [0..2, 2..numbered().len()].map(|range| numbered()[range].to_vec());
    assert_eq!(common, Event::COMMON);
    others.chunks(size - common.len()).map(|some| [&common[..], some].concat()).collect()
}

#[test]
fn without_a_pmu_kernel_events_are_still_counted() {
    FakeKernel::new(Err(Errno::NOENT)).play(|| {
        let mut counters = PerfCounters::open_on(&bare());
        assert_eq!(counters.events(), Event::SOFTWARE);
        assert_eq!(reasons(&counters), Event::HARDWARE.map(|event| (event, Reason::NoPmu)).into());
        assert_eq!(counters.passes(), 1);
        counters.choose(3);
        counters.start();
        let reading = counters.stop();
        assert!(!reading.partial, "no hardware group, so none can be partial");
        assert_eq!(reading.values.into_keys().collect::<Vec<_>>(), Event::SOFTWARE);
    });
}

#[test]
fn each_error_of_the_kernel_has_a_reason_of_its_own() {
    let cases = [
        (Errno::NOENT, bare(), Reason::NoPmu),
        (Errno::ACCESS, with_pmu(&PLAIN), Reason::Paranoid { level: 4 }),
        (Errno::PERM, bare(), Reason::Forbidden),
        (Errno::NOSYS, bare(), Reason::NoSyscall),
        (Errno::NOMEM, bare(), Reason::KernelError { code: Errno::NOMEM.raw_os_error() }),
    ];
    for (error, kernel, why) in cases {
        FakeKernel::new(Err(error)).play(|| {
            let counters = PerfCounters::open_on(&kernel);
            let expected = Event::HARDWARE.map(|event| (event, why.clone())).into();
            assert_eq!(reasons(&counters), expected, "{error}");
        });
    }
}

#[test]
fn an_unknown_event_and_an_unnamed_event_have_different_reasons() {
    for error in [Errno::NOENT, Errno::OPNOTSUPP] {
        FakeKernel::new(Err(error)).play(|| {
            let reasons = reasons(&PerfCounters::open_on(&with_pmu(&PLAIN)));
            assert_eq!(reasons[&Event::Cycles], Reason::UnknownEvent);
            assert_eq!(reasons[&Event::L2Misses], Reason::UnnamedEvent);
            assert!(Event::TOP_DOWN.iter().all(|event| reasons[event] == Reason::UnnamedEvent));
        });
    }
}

#[test]
fn a_full_group_is_read_member_by_member() {
    FakeKernel::new(Ok(())).play(|| {
        let mut counters = PerfCounters::open_on(&with_pmu(&PLAIN));
        let absent = Event::HARDWARE.len() - numbered().len();
        assert_eq!((counters.passes(), counters.absent().len()), (1, absent));
        for _ in 0..2 {
            counters.start();
            let reading = counters.stop();
            assert_eq!(reading.values.len(), numbered().len() + Event::SOFTWARE.len());
            for group in counters.hardware.iter().chain(&counters.software) {
                for (event, id) in group.ids() {
                    assert_eq!(reading.values[&event], 10 * id, "{event}");
                }
            }
        }
    });
}

#[test]
fn events_that_do_not_fit_get_further_passes_with_cycles_and_instructions() {
    FakeKernel { room: 4, ..FakeKernel::new(Ok(())) }.play(|| {
        let mut counters = PerfCounters::open_on(&with_pmu(&PLAIN));
        let groups = groups(4);
        assert_eq!(groups[1][2..], [Event::L1dReadMisses, Event::DtlbReadMisses]);
        assert_eq!(passes(&counters), groups);
        assert_eq!(counters.passes(), groups.len());
        assert_eq!(counters.events(), [&numbered()[..], &Event::SOFTWARE].concat());
        for pass in 0..2 * groups.len() + 1 {
            counters.choose(pass);
            counters.start();
            let reading = counters.stop();
            let mut expected = [&groups[pass % groups.len()][..], &Event::SOFTWARE].concat();
            expected.sort_unstable();
            assert_eq!(reading.values.into_keys().collect::<Vec<_>>(), expected, "pass {pass}");
            assert!(!reading.partial);
        }
    });
}

#[test]
fn with_room_for_one_event_each_event_has_its_own_pass() {
    FakeKernel { room: 1, ..FakeKernel::new(Ok(())) }.play(|| {
        let counters = PerfCounters::open_on(&with_pmu(&PLAIN));
        let each: Vec<_> = numbered().into_iter().map(|event| vec![event]).collect();
        assert_eq!(passes(&counters), each);
    });
}

#[test]
fn a_group_that_opens_and_never_runs_leaves_its_last_events_to_the_next_group() {
    // Groups of six or more members never get onto the counters, as if the watchdog held one.
    let running_percent = Rc::new(|events| if events > 5 { 0 } else { 100 });
    FakeKernel { running_percent, ..FakeKernel::new(Ok(())) }.play(|| {
        let counters = PerfCounters::open_on(&with_pmu(&PLAIN));
        assert_eq!(passes(&counters), groups(5));
    });
}

/// Whether an event can be opened on [`ICE_LAKE`].
fn is_listed_by_ice_lake(event: Event) -> bool {
    let names = listed_as(event);
    let listed = |name: &str| ICE_LAKE.iter().any(|(file, _)| *file == format!("events/{name}"));
    names.is_empty() || names.iter().any(|(name, _)| listed(name))
}

#[test]
fn events_that_never_run_are_absent_with_a_reason() {
    FakeKernel { running_percent: Rc::new(|_| 0), ..FakeKernel::new(Ok(())) }.play(|| {
        let counters = PerfCounters::open_on(&with_pmu(&ICE_LAKE));
        let expected = Event::HARDWARE.map(|event| match is_listed_by_ice_lake(event) {
            true => (event, Reason::NoFreeCounter),
            false => (event, Reason::UnnamedEvent),
        });
        assert_eq!(reasons(&counters), expected.into());
        assert_eq!(counters.events(), Event::SOFTWARE);
    });
}

#[test]
fn slots_lead_a_group_of_their_own() {
    FakeKernel { room: 4, ..FakeKernel::new(Ok(())) }.play(|| {
        let mut counters = PerfCounters::open_on(&with_pmu(&ICE_LAKE));
        let top_down = [&Event::TOP_DOWN[..], &Event::COMMON].concat();
        assert_eq!(passes(&counters).last(), Some(&top_down));
        let unlisted = Event::HARDWARE.into_iter().filter(|&event| !is_listed_by_ice_lake(event));
        let unlisted: BTreeMap<_, _> =
            unlisted.map(|event| (event, Reason::UnnamedEvent)).collect();
        assert!(unlisted.contains_key(&Event::L2Misses));
        assert_eq!(reasons(&counters), unlisted);
        counters.choose(counters.passes() - 1);
        counters.start();
        let reading = counters.stop();
        let group = counters.hardware.last().expect("a group");
        assert_eq!(reading.values.len(), top_down.len() + Event::SOFTWARE.len());
        for (event, id) in group.ids() {
            assert_eq!(reading.values[&event], 10 * id, "{event}");
        }
    });
}

#[test]
fn slots_without_the_other_top_down_events_are_not_counted() {
    let files = &ICE_LAKE[..ICE_LAKE.len() - 1];
    FakeKernel::new(Ok(())).play(|| {
        let counters = PerfCounters::open_on(&with_pmu(files));
        assert!(
            Event::TOP_DOWN.iter().all(|event| reasons(&counters)[event] == Reason::UnnamedEvent)
        );
        assert_eq!(passes(&counters), [numbered()]);
    });
}

#[test]
fn cycles_and_instructions_give_way_to_top_down_events() {
    // The five top-down events run; a group with two more does not.
    let running_percent = Rc::new(|events| if events > 5 { 0 } else { 100 });
    FakeKernel { running_percent, ..FakeKernel::new(Ok(())) }.play(|| {
        let counters = PerfCounters::open_on(&with_pmu(&ICE_LAKE));
        assert_eq!(passes(&counters).last(), Some(&Event::TOP_DOWN.to_vec()));
    });
}

#[test]
fn a_multiplexed_reading_is_discarded_and_later_ones_are_kept() {
    let percent = Rc::new(Cell::new(100));
    let shared = Rc::clone(&percent);
    let running_percent: Rc<dyn Fn(usize) -> u64> = Rc::new(move |_| shared.get());
    FakeKernel { running_percent, ..FakeKernel::new(Ok(())) }.play(|| {
        let mut counters = PerfCounters::open_on(&with_pmu(&PLAIN));
        // 130 %: real machines have reported more time running than enabled.
        for share in [40, 0, 130] {
            percent.set(share);
            counters.start();
            let reading = counters.stop();
            assert!(reading.partial, "{share} %");
            assert_eq!(reading.values.into_keys().collect::<Vec<_>>(), Event::SOFTWARE);
            percent.set(100);
            counters.start();
            let reading = counters.stop();
            assert!(!reading.partial && reading.values.contains_key(&Event::Cycles));
        }
    });
}

#[test]
fn where_switches_are_forbidden_they_come_from_the_statistics_of_the_thread() {
    FakeKernel { software: Err(Errno::ACCESS), ..FakeKernel::new(Err(Errno::ACCESS)) }.play(|| {
        let mut counters = PerfCounters::open_on(&bare());
        assert_eq!(counters.events(), [Event::ContextSwitches]);
        counters.start();
        assert!(counters.stop().values.contains_key(&Event::ContextSwitches));
    });
}
