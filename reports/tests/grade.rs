//! Grades of synthetic sessions: each thing that can stand against one, by itself.

mod fixture;
use fixture::Recipe;
use raywalk_reports::grade::{Graded, Letter, Warning, grade, write};
use raywalk_reports::journal::Results;
use raywalk_reports::schema::Absent;
use raywalk_reports::summary::summarise;

/// A session that nothing stands against: bare metal, counters, little noise.
fn clean() -> Results {
    let mut results = Recipe { designs: 3, rounds: 60, ..Recipe::FULL }.results();
    results.session.machine.hypervisor = None;
    results.session.machine.governor = Some("performance".to_owned());
    results.session.machine.smt = Some(false);
    results.session.load = Some([0.1, 0.1, 0.1]);
    results.session.build.dirty = false;
    results.session.build.profile = "release, opt-level 3, debug assertions off".to_owned();
    results
}

fn graded(results: &Results) -> Graded {
    grade(results, &summarise(results))
}

/// The one reason that the change brings.
fn after(change: impl Fn(&mut Results)) -> (Letter, Warning) {
    let mut results = clean();
    change(&mut results);
    let graded = graded(&results);
    let [reason] = &graded.reasons[..] else { panic!("{graded:?}") };
    assert_eq!(reason.letter, graded.letter);
    (reason.letter, reason.warning.clone())
}

fn samples(results: &mut Results) -> impl Iterator<Item = &mut raywalk_reports::schema::Sample> {
    let rounds = results.panels.iter_mut().flat_map(|panel| &mut panel.rounds);
    rounds.flat_map(|round| &mut round.samples)
}

fn mark_every(results: &mut Results, nth: usize, mark: &str) {
    for (n, sample) in samples(results).enumerate() {
        sample.marks = if n % nth == 0 { vec![mark.to_owned()] } else { vec![] };
    }
}

fn lacks(results: &mut Results, what: &str) {
    let (what, why, cure) = (what.to_owned(), "It is not there.".to_owned(), "Ask.".to_owned());
    results.session.absent.push(Absent { what, why, cure });
}

#[test]
fn a_session_that_nothing_stands_against_is_an_a() {
    assert_eq!(graded(&clean()), Graded { letter: Letter::A, reasons: vec![] });
}

#[test]
fn each_fault_of_the_machine_has_its_grade_and_its_warning() {
    let (letter, warning) = after(|r| r.session.machine.hypervisor = Some("KVM".to_owned()));
    assert_eq!((letter, warning), (Letter::B, Warning::Guest { hypervisor: "KVM".to_owned() }));
    assert_eq!(after(|r| lacks(r, "pinning")).0, Letter::C);
    assert!(matches!(after(|r| lacks(r, "cycles")), (Letter::B, Warning::NoEvents { .. })));
    let governor = |r: &mut Results| r.session.machine.governor = Some("powersave".to_owned());
    assert!(matches!(after(governor), (Letter::B, Warning::Governor { .. })));
    // Known and said, but no reason for another grade.
    assert_eq!(after(|r| r.session.machine.turbo = Some(true)), (Letter::A, Warning::Turbo));
    assert_eq!(after(|r| r.session.machine.smt = Some(true)), (Letter::A, Warning::Smt));
    // Two processors: half a process is half as much as is there, three are too many.
    assert_eq!(after(|r| r.session.load = Some([1.0, 9.0, 9.0])).0, Letter::B);
    assert_eq!(after(|r| r.session.load = Some([3.0, 0.0, 0.0])).0, Letter::C);
}

#[test]
fn each_fault_of_clock_and_build_has_its_grade_and_its_warning() {
    assert_eq!(
        after(|r| r.session.clock.invariant = false),
        (Letter::C, Warning::ClockNotConstant)
    );
    let monotonic = |r: &mut Results| r.session.clock.source = "monotonic".to_owned();
    assert_eq!(after(monotonic).0, Letter::B);
    let coarse = |r: &mut Results| r.session.clock.quantum = 100_000;
    assert!(matches!(after(coarse), (Letter::C, Warning::Coarse { quantum: 100_000, .. })));
    let debug = "debug, opt-level 2, debug assertions on";
    assert_eq!(after(|r| r.session.build.profile = debug.to_owned()).0, Letter::D);
    assert_eq!(after(|r| r.session.build.dirty = true), (Letter::A, Warning::Dirty));
    assert_eq!(after(|r| r.end = None), (Letter::B, Warning::Stopped));
}

#[test]
fn disturbed_samples_are_graded_by_their_share() {
    for (nth, letter) in [(20, Letter::B), (5, Letter::C), (2, Letter::D)] {
        let (found, warning) = after(|r| mark_every(r, nth, "context-switch"));
        assert_eq!(found, letter, "one of {nth}");
        let Warning::Switched { share } = warning else { panic!("{warning:?}") };
        assert!((share * nth as f64 - 1.0).abs() < 0.01);
        let (found, warning) = after(|r| mark_every(r, nth, "clock-step"));
        assert!(found == letter && matches!(warning, Warning::ClockSteps { .. }));
    }
    let shared = after(|r| mark_every(r, 100, "counters-shared"));
    assert!(matches!(shared, (Letter::B, Warning::CountersShared { .. })));
    let mut few = clean();
    mark_every(&mut few, 100, "context-switch");
    assert_eq!(graded(&few).letter, Letter::A);
}

#[test]
fn a_baseline_that_differs_from_itself_is_graded_by_how_much() {
    for (by, letter) in [(1.007, Letter::B), (1.02, Letter::C), (1.05, Letter::D)] {
        let (found, warning) = after(|results| {
            let twins = samples(results).filter(|sample| sample.design == "twin");
            twins.for_each(|sample| sample.ticks = (sample.ticks as f64 * by) as u64);
        });
        assert_eq!(found, letter, "{warning:?}");
        assert!(
            matches!(warning, Warning::Floor { share, .. } if share >= by - 1.0),
            "{warning:?}"
        );
    }
}

#[test]
fn a_session_without_a_floor_is_not_to_be_quoted() {
    let few = |rounds| graded(&Recipe { rounds, designs: 3, ..Recipe::FULL }.results());
    for rounds in [0, 5] {
        let graded = few(rounds);
        assert_eq!(graded.letter, Letter::D);
        assert!(matches!(graded.reasons[0].warning, Warning::NoFloor { .. }), "{graded:?}");
    }
    assert!(few(40).letter < Letter::D);
    // One panel that was not reached costs less.
    assert_eq!(after(|r| r.panels[3].rounds.clear()).0, Letter::B);
}

#[test]
fn the_worst_reason_comes_first_and_every_line_says_what_to_do() {
    let mut results = clean();
    results.session.machine.hypervisor = Some("KVM".to_owned());
    results.session.build.dirty = true;
    lacks(&mut results, "pinning");
    lacks(&mut results, "cycles");
    mark_every(&mut results, 5, "context-switch");
    results.session.load = Some([1.5, 0.0, 0.0]);
    let mut text = String::new();
    write(&mut text, &graded(&results)).expect("a string takes everything");
    insta::assert_snapshot!(text, @r"
    session grade C: good for large differences only
      C  In 20 % of the samples another thread took the processor. Close other programs, or give the session a processor of its own with taskset.
      C  The thread was not pinned to one processor. It is not there. Start the command with taskset --cpu-list and a number.
      B  1.5 processes were ready to run on 2 processors when the session began. Wait until the other work is done, and measure again.
      B  The machine is a guest of KVM, whose other guests can take caches, clock rate and time without a trace. Measure on the machine itself where differences of a few per cent matter.
      B  No hardware event was counted. It is not there. Ask.
      A  The source had uncommitted changes, so the build cannot be made again. Commit before a run that is to be published.
    ");
}
