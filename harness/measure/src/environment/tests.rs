use std::cell::Cell;
use std::rc::Rc;

use proptest::prelude::*;

use super::*;
use crate::fake::{ScriptedProbe, Time};

const QUIET: Reading = Reading { clock: Some(1.6), throughput: Some(5.0) };

fn at(clock: f64, throughput: f64) -> Reading {
    Reading { clock: Some(1.6 * clock), throughput: Some(5.0 * throughput) }
}

/// A watch over a scripted machine, and its virtual time.
fn watch(patience: u64, script: impl Fn(f64) -> Reading + 'static) -> (Watch<ScriptedProbe>, Time) {
    let now = Time::default();
    let probe = ScriptedProbe::new(&now, script);
    (Watch::new(probe, Duration::from_secs(patience)), now)
}

/// A round of a tenth of a second: the milliseconds of its delay, and its conditions.
fn round(watch: &mut Watch<ScriptedProbe>, now: &Time) -> (u64, Conditions) {
    let delay = watch.before_round();
    now.set(now.get() + 100_000_000);
    (delay, watch.after_round())
}

fn rounds(script: impl Fn(f64) -> Reading + 'static, count: usize) -> Vec<(u64, Conditions)> {
    let (mut watch, now) = watch(10, script);
    (0..count).map(|_| round(&mut watch, &now)).collect()
}

#[test]
fn a_quiet_machine_delays_no_round() {
    for (delay, conditions) in rounds(|_| QUIET, 100) {
        assert_eq!((delay, conditions), Default::default());
    }
}

#[test]
fn a_slow_phase_delays_rounds_and_the_round_it_began_in_is_marked() {
    // Busy from 1.05 s to 4.05 s; the eleventh round begins before and ends within.
    let busy = |second| if (1.05..4.05).contains(&second) { at(1.0, 0.5) } else { QUIET };
    let all = rounds(busy, 20);
    let (hit, postponed) = (&all[10], &all[11]);
    assert_eq!((hit.0, &*hit.1.marks), (0, &[Mark::BusyNeighbour][..]));
    // From 1.1 s in steps of 50 ms to the first reading at or after 4.05 s.
    assert_eq!(postponed.0, 2_950);
    assert!(postponed.1.marks.is_empty());
    let others = all.iter().enumerate().filter(|(number, _)| ![10, 11].contains(number));
    for (number, (delay, conditions)) in others {
        assert!(*delay == 0 && conditions.marks.is_empty(), "round {number}");
    }
}

#[test]
fn a_neighbour_within_a_round_delays_the_next_design_and_marks_the_samples_that_it_meets() {
    // Busy from 1.12 s to 1.48 s, within the third of three rounds with five designs of a tenth of a second. A level
    // has settled after two.
    let busy = |second| if (1.12..1.48).contains(&second) { at(1.0, 0.6) } else { QUIET };
    let (mut watch, now) = watch(10, busy);
    let mut found = Vec::new();
    for _ in 0..3 {
        assert_eq!(watch.before_round(), 0);
        for _ in 0..5 {
            watch.before_design();
            let before = watch.has_neighbour(Some(1.6));
            now.set(now.get() + 100_000_000);
            found.push((before, watch.has_neighbour(Some(1.6))));
        }
        found.push((false, watch.after_round().delayed > 0));
    }
    // The second design of the third round begins at 1.1 s; the third one waits from 1.2 s to 1.48 s.
    let quiet = (false, false);
    assert_eq!(found[..12], [quiet; 12]);
    assert_eq!(found[12..], [quiet, (false, true), quiet, quiet, quiet, (false, true)]);
    assert_eq!(now.get(), 1_780_000_000);
    assert!((watch.patience - 9.72).abs() < 1e-9, "{}", watch.patience);
}

#[test]
fn a_design_waits_for_a_second_at_most_and_a_panel_uses_its_part_of_the_patience() {
    let (mut watch, now) = watch(6, |second| if second < 0.25 { QUIET } else { at(1.0, 0.6) });
    round(&mut watch, &now);
    round(&mut watch, &now);
    now.set(300_000_000);
    let mut delays = Vec::new();
    for panels in [3, 2, 1] {
        watch.before_panel(panels);
        for _ in 0..4 {
            let before = now.get();
            watch.before_design();
            delays.push((now.get() - before) / 1_000_000);
        }
    }
    // Six seconds: two for each of three panels.
    assert_eq!(delays, [[1_000, 1_000, 0, 0]; 3].concat());
}

#[test]
fn a_slow_clock_delays_no_design() {
    let throttled = |second| if second >= 0.45 { at(0.6, 1.0) } else { QUIET };
    let (mut watch, now) = watch(10, throttled);
    for _ in 0..2 {
        round(&mut watch, &now);
    }
    for _ in 0..10 {
        watch.before_design();
        assert!(!watch.has_neighbour(Some(1.6)));
        now.set(now.get() + 100_000_000);
    }
    assert_eq!(watch.after_round().delayed, 0);
}

#[test]
fn an_endless_slow_phase_uses_up_the_patience_and_is_marked_from_then_on() {
    let throttled = |second| if second >= 0.95 { at(0.6, 1.0) } else { QUIET };
    let (mut watch, now) = watch(10, throttled);
    let all: Vec<_> = (0..30).map(|_| round(&mut watch, &now)).collect();
    let delay: u64 = all.iter().map(|(delay, _)| delay).sum();
    assert_eq!((delay, watch.patience), (10_000, 0.0));
    assert!(all[..9].iter().all(|(_, conditions)| conditions.marks.is_empty()));
    for (_, conditions) in &all[10..] {
        assert_eq!(conditions.marks, [Mark::SlowClock]);
    }
    // One round used all of the patience, and the later ones are not delayed.
    assert_eq!((all[10].0, all[11].0), (10_000, 0));
}

#[test]
fn after_recovery_rounds_are_clean_even_without_patience() {
    let slow = |second| if (0.95..20.0).contains(&second) { at(0.5, 0.5) } else { QUIET };
    let all = rounds(slow, 200);
    let both = [Mark::SlowClock, Mark::BusyNeighbour];
    assert!(all.iter().any(|(_, conditions)| conditions.marks == both));
    assert_eq!(all.last().expect("rounds").1.marks, []);
}

#[test]
fn without_readings_no_round_is_delayed_or_marked() {
    for (delay, conditions) in rounds(|_| Reading::default(), 10) {
        assert_eq!((delay, conditions), Default::default());
    }
}

#[test]
fn a_process_that_starts_in_the_slow_state_needs_the_best_earlier_levels() {
    let (mut slow, now) = watch(1, |_| at(1.0, 0.5));
    assert!(round(&mut slow, &now).1.marks.is_empty());
    let (mut earlier, now) = watch(1, |_| QUIET);
    round(&mut earlier, &now);
    round(&mut earlier, &now);
    let best = earlier.best();
    let reached = |rate| vec![Reached { rate, seconds_ago: 0.0 }];
    assert_eq!(best, Best { clock: reached(1.6), throughput: reached(5.0) });
    let (slow, now) = watch(1, |_| at(1.0, 0.5));
    let mut slow = slow.knowing(&best.later(90.0));
    assert_eq!(slow.best(), best.later(90.0), "as old as they were");
    let (delay, conditions) = round(&mut slow, &now);
    assert_eq!((delay, conditions.marks), (1_000, vec![Mark::BusyNeighbour]));
}

#[test]
fn only_time_stolen_within_a_round_counts_towards_it() {
    let stolen = Rc::new(Cell::new(Some(70)));
    let now = Time::default();
    let probe = ScriptedProbe::new(&now, |_| QUIET).stolen_by(&stolen);
    let mut watch = Watch::new(probe, Duration::ZERO);
    watch.before_round();
    stolen.set(Some(90));
    let conditions = watch.after_round();
    assert_eq!((conditions.stolen, &*conditions.marks), (Some(20), &[Mark::Steal][..]));
    stolen.set(Some(200));
    watch.before_round();
    let conditions = watch.after_round();
    assert_eq!((conditions.stolen, &*conditions.marks), (Some(0), &[][..]));
    // Some counters decrease after a migration of the virtual machine; that counts as nothing stolen.
    watch.before_round();
    stolen.set(Some(10));
    assert_eq!(watch.after_round().stolen, Some(0));
    watch.before_round();
    stolen.set(None);
    assert_eq!(watch.after_round().stolen, None);
}

#[test]
fn marks_are_serialised_by_name() {
    for mark in [Mark::SlowClock, Mark::BusyNeighbour, Mark::Steal] {
        let written = serde_json::to_string(&mark).expect("a word");
        assert_eq!(written, format!("\"{}\"", mark.name()));
    }
}

proptest! {
    #[test]
    fn drift_of_three_per_cent_is_not_a_slow_state(
        drift in proptest::collection::vec((0.97..1.03f64, 0.97..1.03f64), 1..100)
    ) {
        let places = drift.len();
        let script = move |second: f64| {
            let (clock, throughput) = drift[(second * 10.0).round() as usize % places];
            at(clock, throughput)
        };
        for (delay, conditions) in rounds(script, 100) {
            prop_assert_eq!((delay, conditions), Default::default());
        }
    }

    #[test]
    fn delays_never_exceed_the_patience_and_one_pause(
        rates in proptest::collection::vec((0.2..1.5f64, 0.2..1.5f64), 1..60),
        patience in 0u64..4,
    ) {
        let places = rates.len();
        let script = move |second: f64| {
            let (clock, throughput) = rates[(second * 20.0).round() as usize % places];
            at(clock, throughput)
        };
        let (mut watch, now) = watch(patience, script);
        let mut delay = 0;
        for _ in 0..100 {
            let before = watch.before_round();
            let is_slow = !watch.start.marks.is_empty();
            now.set(now.get() + 100_000_000);
            let after = watch.after_round();
            delay += before;
            // A round that starts in the slow state is marked, and starts only without patience.
            prop_assert!(!is_slow || (watch.patience == 0.0 && !after.marks.is_empty()));
            prop_assert_eq!(before % 50, 0, "whole pauses");
        }
        prop_assert!(delay <= patience * 1_000 + 50, "{delay}");
        prop_assert_eq!(now.get(), (100 * 100 + delay) * 1_000_000);
    }
}
