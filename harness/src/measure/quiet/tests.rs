use std::cell::Cell;
use std::rc::Rc;

use proptest::prelude::*;

use super::*;
use crate::measure::fake::Time;

const QUIET: Look = Look { clock: Some(1.6), throughput: Some(5.0) };

fn at(clock: f64, throughput: f64) -> Look {
    Look { clock: Some(1.6 * clock), throughput: Some(5.0 * throughput) }
}

/// A watch over a scripted machine, and the time that its rounds take.
fn watch(patience: u64, script: impl Fn(f64) -> Look + 'static) -> (Watch<ScriptedWitness>, Time) {
    let now = Time::default();
    let witness = ScriptedWitness::new(&now, script);
    (Watch::new(witness, Duration::from_secs(patience)), now)
}

/// A round of a tenth of a second.
fn round(watch: &mut Watch<ScriptedWitness>, now: &Time) -> (Waited, Disturbed) {
    let waited = watch.before_round();
    now.set(now.get() + 100_000_000);
    (waited, watch.after_round())
}

fn rounds(script: impl Fn(f64) -> Look + 'static, count: usize) -> Vec<(Waited, Disturbed)> {
    let (mut watch, now) = watch(10, script);
    (0..count).map(|_| round(&mut watch, &now)).collect()
}

#[test]
fn a_quiet_machine_is_never_waited_for() {
    for (waited, disturbed) in rounds(|_| QUIET, 100) {
        assert_eq!(waited, Waited::default());
        assert_eq!(disturbed, Disturbed { looks: [QUIET; 2], ..Disturbed::default() });
    }
}

#[test]
fn a_slow_phase_is_waited_out_and_the_round_it_began_in_is_marked() {
    // Busy from 1.05 s to 4.05 s; the eleventh round begins before and ends within.
    let busy = |second| if (1.05..4.05).contains(&second) { at(1.0, 0.5) } else { QUIET };
    let all = rounds(busy, 20);
    let (hit, postponed) = (&all[10], &all[11]);
    assert_eq!((hit.0.milliseconds, &*hit.1.marks), (0, &[Mark::BusyNeighbour][..]));
    assert_eq!(hit.1.looks, [QUIET, at(1.0, 0.5)]);
    // From 1.1 s in steps of 50 ms to the first look that is not before 4.05 s.
    assert_eq!(postponed.0, Waited { milliseconds: 2_950, postponed: 59, gave_up: false });
    assert!(postponed.1.marks.is_empty());
    let others = all.iter().enumerate().filter(|(number, _)| ![10, 11].contains(number));
    for (number, (waited, disturbed)) in others {
        assert!(waited.milliseconds == 0 && disturbed.marks.is_empty(), "round {number}");
    }
}

#[test]
fn an_endless_slow_phase_uses_patience_up_and_is_marked_from_then_on() {
    let throttled = |second| if second >= 0.95 { at(0.6, 1.0) } else { QUIET };
    let (mut watch, now) = watch(10, throttled);
    let all: Vec<_> = (0..30).map(|_| round(&mut watch, &now)).collect();
    let waited: u64 = all.iter().map(|(waited, _)| waited.milliseconds).sum();
    assert_eq!((waited, watch.patience()), (10_000, 0.0));
    assert!(all[..9].iter().all(|(_, disturbed)| disturbed.marks.is_empty()));
    for (waited, disturbed) in &all[10..] {
        assert!(waited.gave_up);
        assert_eq!(disturbed.marks, [Mark::SlowClock]);
    }
    // The one that waited for all of it, and those after it for nothing.
    assert_eq!((all[10].0.milliseconds, all[11].0.milliseconds), (10_000, 0));
}

#[test]
fn after_recovery_rounds_are_clean_even_without_patience() {
    let slow = |second| if (0.95..20.0).contains(&second) { at(0.5, 0.5) } else { QUIET };
    let all = rounds(slow, 200);
    let both = [Mark::SlowClock, Mark::BusyNeighbour];
    assert!(all.iter().any(|(_, disturbed)| disturbed.marks == both));
    let (waited, disturbed) = all.last().expect("rounds");
    assert_eq!((waited.gave_up, &*disturbed.marks), (false, &[][..]));
}

#[test]
fn a_machine_that_tells_nothing_is_neither_waited_for_nor_marked() {
    for (waited, disturbed) in rounds(|_| Look::default(), 10) {
        assert_eq!((waited, disturbed), Default::default());
    }
}

#[test]
fn a_process_that_begins_in_the_slow_state_knows_it_if_it_is_told() {
    let (mut watch, now) = watch(1, |_| at(1.0, 0.5));
    assert!(round(&mut watch, &now).1.marks.is_empty());
    let (watch, now) = self::watch(1, |_| at(1.0, 0.5));
    let mut watch = watch.knowing(QUIET);
    assert_eq!(watch.best(), QUIET);
    let (waited, disturbed) = round(&mut watch, &now);
    assert_eq!((waited.milliseconds, waited.gave_up), (1_000, true));
    assert_eq!(disturbed.marks, [Mark::BusyNeighbour]);
}

#[test]
fn only_what_is_stolen_within_a_round_is_counted_to_it() {
    let stolen = Rc::new(Cell::new(Some(70)));
    let now = Time::default();
    let witness = ScriptedWitness::new(&now, |_| QUIET).stolen_by(&stolen);
    let mut watch = Watch::new(witness, Duration::ZERO);
    watch.before_round();
    stolen.set(Some(90));
    let disturbed = watch.after_round();
    assert_eq!((disturbed.stolen, &*disturbed.marks), (Some(20), &[Mark::Steal][..]));
    stolen.set(Some(200));
    watch.before_round();
    let disturbed = watch.after_round();
    assert_eq!((disturbed.stolen, &*disturbed.marks), (Some(0), &[][..]));
    // A counter that goes back, as some do after a migration, has stolen nothing.
    watch.before_round();
    stolen.set(Some(10));
    assert_eq!(watch.after_round().stolen, Some(0));
    watch.before_round();
    stolen.set(None);
    assert_eq!(watch.after_round().stolen, None);
}

#[test]
fn marks_are_written_as_they_are_named() {
    for mark in [Mark::SlowClock, Mark::BusyNeighbour, Mark::Steal] {
        let written = serde_json::to_string(&mark).expect("a word");
        assert_eq!(written, format!("\"{}\"", mark.name()));
    }
}

proptest! {
    #[test]
    fn drift_of_three_per_cent_is_no_second_state(
        drift in proptest::collection::vec((0.97..1.03f64, 0.97..1.03f64), 1..100)
    ) {
        let places = drift.len();
        let script = move |second: f64| {
            let (clock, throughput) = drift[(second * 10.0).round() as usize % places];
            at(clock, throughput)
        };
        for (waited, disturbed) in rounds(script, 100) {
            prop_assert_eq!(waited, Waited::default());
            prop_assert!(disturbed.marks.is_empty());
        }
    }

    #[test]
    fn no_machine_is_waited_for_longer_than_patience_and_one_pause(
        rates in proptest::collection::vec((0.2..1.5f64, 0.2..1.5f64), 1..60),
        patience in 0u64..4,
    ) {
        let places = rates.len();
        let script = move |second: f64| {
            let (clock, throughput) = rates[(second * 20.0).round() as usize % places];
            at(clock, throughput)
        };
        let (mut watch, now) = watch(patience, script);
        let mut waited = 0;
        for _ in 0..100 {
            let (before, after) = round(&mut watch, &now);
            waited += before.milliseconds;
            // What begins slow is marked, and a slow machine is left only without patience.
            prop_assert!(!before.gave_up || !after.marks.is_empty());
            prop_assert!(!before.gave_up || watch.patience() == 0.0);
            prop_assert_eq!(before.postponed * 50, before.milliseconds);
        }
        prop_assert!(waited <= patience * 1_000 + 50, "{waited}");
        prop_assert_eq!(now.get(), (100 * 100 + waited) * 1_000_000);
    }
}
