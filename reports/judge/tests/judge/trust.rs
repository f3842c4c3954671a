//! What synthetic sessions resolve, and what limits them, one problem at a time.

use raywalk_judge::Judged;
use raywalk_judge::format::percent;
use raywalk_judge::spread::Over;
use raywalk_judge::trust::{self, Severity, Trust, Warning};
use raywalk_results::fixture::Recipe;
use raywalk_results::journal::Results;
use raywalk_results::schema::{
    Absent, ClockSource, Control, Event, Facility, Mark, OptLevel, Profile, Reason, Round, Sample,
    Shard,
};

/// The profile of `cargo build`.
fn debug() -> Profile {
    let name = "debug".to_owned();
    Profile { name, packaged: false, opt_level: OptLevel::Zero, debug_assertions: true }
}

/// A session without problems: a physical machine, counters, little noise.
fn clean() -> Results {
    let mut results = Recipe { designs: 3, rounds: 60, ..Recipe::FULL }.results();
    results.session.machine.hypervisor = None;
    results.session.machine.governor = Some("performance".to_owned());
    results.session.machine.smt = Some(false);
    results.session.load = Some([0.1, 0.1, 0.1]);
    // The layouts of the fixture differ by half a per cent.
    results.session.margin = 0.05;
    results.session.build.dirty = false;
    results.session.build.profile = Profile::release();
    results
}

fn graded(results: &Results) -> Trust {
    Judged::of(results).trust
}

/// The single reason that the change causes, beside what the headline panel then no longer resolves.
fn after(change: impl Fn(&mut Results)) -> (Severity, Warning) {
    let mut results = clean();
    change(&mut results);
    let graded = graded(&results);
    let is_direct = |reason: &&trust::Reason| !matches!(reason.warning, Warning::Unresolved { .. });
    let direct: Vec<&trust::Reason> = graded.reasons.iter().filter(is_direct).collect();
    let [reason] = direct[..] else { panic!("{graded:?}") };
    assert!(direct.len() < graded.reasons.len() || reason.severity == graded.severity());
    (reason.severity, reason.warning.clone())
}

fn samples(results: &mut Results) -> impl Iterator<Item = &mut Sample> {
    let rounds = results.panels.iter_mut().flat_map(|panel| &mut panel.rounds);
    rounds.flat_map(|round| &mut round.samples)
}

fn mark_every(results: &mut Results, nth: usize, mark: Mark) {
    for (n, sample) in samples(results).enumerate() {
        sample.marks = if n % nth == 0 { vec![mark] } else { vec![] };
    }
}

fn lacks_pinning(results: &mut Results) {
    let reason = Reason::Refused { error: "not permitted".to_owned() };
    results.session.absent.push(Absent::facility(Facility::Pinning, reason));
}

fn lacks_cycles(results: &mut Results) {
    results.session.absent.push(Absent::event(Event::Cycles, Reason::NoPmu));
}

#[test]
fn a_session_without_problems_has_no_reason() {
    let graded = graded(&clean());
    assert_eq!((graded.severity(), graded.reasons.len()), (Severity::Note, 0), "{graded:?}");
    // Noise of 0.35 % in the ratio of a round, and 24 batches, of each of which about one round counts: the ratio is
    // off by 0.07 %.
    let control = graded.aa_control.expect("six rounds");
    assert!(control.half_width() < 0.002 && control.ratio.low <= 1.0 && control.ratio.high >= 1.0);
}

#[test]
fn each_problem_of_the_machine_has_its_grade_and_its_warning() {
    let (severity, warning) = after(|r| r.session.machine.hypervisor = Some("KVM".to_owned()));
    assert_eq!(
        (severity, warning),
        (Severity::Limit, Warning::Guest { hypervisor: "KVM".to_owned() })
    );
    assert_eq!(after(lacks_pinning).0, Severity::Serious);
    assert!(matches!(after(lacks_cycles), (Severity::Limit, Warning::NoEvents { .. })));
    let governor = |r: &mut Results| r.session.machine.governor = Some("powersave".to_owned());
    assert!(matches!(after(governor), (Severity::Limit, Warning::Governor { .. })));
    // Reported, but they do not lower the grade.
    assert_eq!(after(|r| r.session.machine.turbo = Some(true)), (Severity::Note, Warning::Turbo));
    assert_eq!(after(|r| r.session.machine.smt = Some(true)), (Severity::Note, Warning::Smt));
    // Of two processors a load of 2 leaves none to the measuring process, and a load of 3 is too much.
    assert_eq!(after(|r| r.session.load = Some([2.0, 9.0, 9.0])).0, Severity::Limit);
    assert_eq!(after(|r| r.session.load = Some([3.0, 0.0, 0.0])).0, Severity::Serious);
}

#[test]
fn a_load_that_leaves_a_processor_free_is_no_problem() {
    let reasons = |processors: usize, load: f64| {
        let mut results = clean();
        results.session.machine.processors = processors;
        results.session.load = Some([load, 9.0, 9.0]);
        graded(&results).reasons.len()
    };
    assert_eq!([1.0, 1.04, 1.25, 1.3].map(|load| reasons(2, load)), [0, 0, 0, 1]);
    // One processor has to be shared with anything that runs.
    assert_eq!([0.25, 0.3, 1.0].map(|load| reasons(1, load)), [0, 1, 1]);
    // On many processors other work takes caches, clock rate and memory long before it takes the last processor.
    assert_eq!([1.0, 16.0, 17.0].map(|load| reasons(64, load)), [0, 0, 1]);
}

#[test]
fn each_problem_of_clock_and_build_has_its_grade_and_its_warning() {
    assert_eq!(
        after(|r| r.session.clock.invariant = false),
        (Severity::Serious, Warning::ClockNotConstant)
    );
    let monotonic = |r: &mut Results| r.session.clock.source = ClockSource::Monotonic;
    assert_eq!(after(monotonic).0, Severity::Limit);
    let coarse = |r: &mut Results| r.session.clock.quantum = 100_000;
    assert!(matches!(after(coarse), (Severity::Serious, Warning::Coarse { quantum: 100_000, .. })));
    assert_eq!(after(|r| r.session.build.profile.debug_assertions = true).0, Severity::Fatal);
    assert_eq!(after(|r| r.session.build.dirty = true), (Severity::Note, Warning::Dirty));
    let missing = vec!["llvm-args=-unroll-runtime=false", "no-vectorize-slp"];
    assert_eq!(
        after(|r| r.session.build.flags.clear()),
        (Severity::Serious, Warning::Flags { missing })
    );
    assert_eq!(after(|r| r.end = None), (Severity::Limit, Warning::Stopped));
    let shard = Shard::new(2, 3).expect("a shard");
    let lone = after(|r| r.session.shard = Shard::new(2, 3));
    assert_eq!(lone, (Severity::Limit, Warning::Shard { shard }));
}

#[test]
fn disturbed_samples_are_graded_by_their_fraction() {
    for (nth, severity) in [(20, Severity::Limit), (5, Severity::Serious), (2, Severity::Fatal)] {
        let (found, warning) = after(|r| mark_every(r, nth, Mark::ContextSwitch));
        assert_eq!(found, severity, "one of {nth}");
        let Warning::Switched { fraction } = warning else { panic!("{warning:?}") };
        assert!((fraction * nth as f64 - 1.0).abs() < 0.01);
        let (found, warning) = after(|r| mark_every(r, nth, Mark::ClockStep));
        assert!(found == severity && matches!(warning, Warning::ClockSteps { .. }));
    }
    let shared = after(|r| mark_every(r, 100, Mark::CountersShared));
    assert!(matches!(shared, (Severity::Limit, Warning::CountersShared { .. })));
    let mut few = clean();
    mark_every(&mut few, 100, Mark::ContextSwitch);
    assert_eq!(graded(&few).severity(), Severity::Note);
}

#[test]
fn disturbed_and_delayed_rounds_are_graded_by_their_fraction() {
    let strike = |nth: usize, change: fn(&mut Round)| {
        after(|results| {
            let rounds = results.panels.iter_mut().flat_map(|panel| &mut panel.rounds);
            for (n, round) in rounds.enumerate() {
                (round.marks, round.delayed_ms, round.steal_ms) = (vec![], 0, Some(0));
                if n % nth == 0 {
                    change(round);
                }
            }
        })
    };
    for mark in [
        (|round| round.marks = vec![Mark::SlowClock]) as fn(&mut Round),
        |round| round.marks = vec![Mark::BusyNeighbour],
        |round| (round.marks, round.steal_ms) = (vec![Mark::Steal], Some(7)),
    ] {
        for (nth, severity) in [(20, Severity::Limit), (5, Severity::Serious), (2, Severity::Fatal)]
        {
            let (found, warning) = strike(nth, mark);
            assert_eq!(found, severity);
            let Warning::RoundsMarked { marks, stolen, .. } = &warning else {
                panic!("{warning:?}")
            };
            let [(mark, count)] = marks.iter().collect::<Vec<_>>()[..] else { panic!("{marks:?}") };
            assert_eq!(*stolen, if *mark == Mark::Steal { 7 * count } else { 0 });
            assert!(warning.to_string().contains(&format!("from outside: {mark} {count};")));
        }
    }
    let (severity, warning) = strike(10, |round| round.delayed_ms = 250);
    assert!(
        severity == Severity::Limit && matches!(warning, Warning::RoundsDelayed { .. }),
        "{warning}"
    );
    // 15 panels of 60 rounds, a tenth of them, a quarter of a second each.
    assert!(warning.to_string().ends_with("by 22.5 s in total."), "{warning}");
    // A journal may claim any times. Their sums do not overflow.
    let (_, warning) = strike(10, |round| {
        (round.delayed_ms, round.steal_ms) = (u64::MAX, Some(u64::MAX));
    });
    assert!(matches!(warning, Warning::RoundsDelayed { ms: u64::MAX, .. }), "{warning}");
}

#[test]
fn a_delay_counts_for_all_rounds_of_its_turn() {
    // Each process has one order of its designs, and so one turn.
    let of_first = |results: &Results| {
        let rounds: Vec<&Round> = results.panels.iter().flat_map(|panel| &panel.rounds).collect();
        let of_first = rounds.iter().filter(|round| round.process == 0).count();
        of_first as f64 / rounds.len() as f64
    };
    let expected = of_first(&clean());
    let (_, warning) = after(|results| {
        for panel in &mut results.panels {
            let mut is_begun = false;
            for round in &mut panel.rounds {
                round.samples.sort_by(|one, other| one.design.cmp(&other.design));
                let is_late = round.process == 0 && !is_begun;
                is_begun |= is_late;
                round.delayed_ms = if is_late { 250 } else { 0 };
            }
        }
    });
    let Warning::RoundsDelayed { fraction, .. } = warning else { panic!("{warning:?}") };
    assert!((fraction - expected).abs() < 1e-9, "{fraction} instead of {expected}");
}

#[test]
fn a_warm_up_that_ended_with_a_trend_is_reported() {
    let falling = |results: &mut Results, nth: usize| {
        for warm_up in results.warm_ups.iter_mut().step_by(nth) {
            warm_up.levels = (0..8).map(|n| 200.0 - 10.0 * f64::from(n)).collect();
        }
    };
    assert_eq!(
        after(|r| falling(r, 8)),
        (Severity::Limit, Warning::NotWarm { cold: 15, all: 120 })
    );
    assert_eq!(after(|r| falling(r, 1)).0, Severity::Serious);
    // Eight rounds that ended level are as good as three.
    let mut level = clean();
    level.warm_ups.iter_mut().for_each(|warm_up| warm_up.levels = vec![100.0; 8]);
    assert_eq!(graded(&level).severity(), Severity::Note);
}

#[test]
fn equal_addresses_and_a_single_layout_are_reported() {
    let frozen = |results: &mut Results| {
        for process in &mut results.processes {
            process.heap = "0x1000".to_owned();
            // The order of sections moves the function, address randomisation does not.
            process.code = format!("{:#x}", 0x4000 + 64 * process.layout.unwrap_or(0));
        }
    };
    assert_eq!(after(frozen), (Severity::Limit, Warning::SameAddresses { processes: 8 }));
    let plain = |r: &mut Results| r.processes.iter_mut().for_each(|process| process.layout = None);
    assert_eq!(after(plain), (Severity::Limit, Warning::OneLayout));
    // Without branchy designs the order of sections matters less.
    let calm = |results: &mut Results| {
        plain(results);
        results.designs.iter_mut().for_each(|design| design.control = Control::Mixed);
    };
    let mut results = clean();
    calm(&mut results);
    assert_eq!(graded(&results).severity(), Severity::Note);
}

#[test]
fn a_spread_above_the_equality_margin_is_reported() {
    for by in [1.08, 1.15] {
        let (found, warning) = after(|results| {
            let odd: Vec<bool> = results.processes.iter().map(|p| p.layout == Some(1)).collect();
            let rounds = results.panels.iter_mut().flat_map(|panel| &mut panel.rounds);
            for round in rounds.filter(|round| odd[round.process as usize]) {
                for sample in round.samples.iter_mut().filter(|s| s.design == "synthetic-beta") {
                    sample.ticks = (sample.ticks as f64 * by) as u64;
                }
            }
        });
        assert_eq!(found, Severity::Limit, "{warning}");
        let Warning::Spread { over, worst, design, .. } = warning else { panic!("{warning:?}") };
        assert_eq!((over, design.as_str()), (Over::Layouts, "synthetic-beta"), "{worst}");
        // One layout of four off by d: a deviation of d ÷ 2, and two of them are d. The upper bound of a
        // deviation of four is 1.7 times as large.
        assert!((1.0..3.5).contains(&(worst / (by - 1.0))), "{worst}");
    }
}

#[test]
fn a_spread_of_boards_that_exceed_the_cache_has_its_own_cause_and_advice() {
    let mut results = clean();
    let odd: Vec<bool> = results.processes.iter().map(|p| p.layout == Some(1)).collect();
    for design in &mut results.designs {
        design.board_bytes = Some(if design.id == "synthetic-beta" { 2 << 20 } else { 1 });
    }
    let rounds = results.panels.iter_mut().flat_map(|panel| &mut panel.rounds);
    for round in rounds.filter(|round| odd[round.process as usize]) {
        for sample in round.samples.iter_mut().filter(|s| s.design == "synthetic-beta") {
            sample.ticks = (sample.ticks as f64 * 1.3) as u64;
        }
    }
    let found = graded(&results);
    let memory = found.reasons.iter().find_map(|reason| match &reason.warning {
        Warning::SpreadOfMemory { design, .. } => Some((design.as_str(), &reason.warning)),
        _ => None,
    });
    let (design, warning) = memory.expect("a warning");
    assert_eq!(design, "synthetic-beta");
    assert!(warning.to_string().contains("boards of 2 MiB need"), "{warning}");
    assert!(warning.to_string().contains("more than the second-level cache of 1 MiB"), "{warning}");
    assert!(
        !warning.advice().contains("quiet") && warning.advice().contains("panels whose boards fit")
    );
    let of_memory =
        |reason: &trust::Reason| matches!(reason.warning, Warning::SpreadOfMemory { .. });
    // Others spread as far: the boards are not the cause.
    let mut alike = results.clone();
    let rounds = alike.panels.iter_mut().flat_map(|panel| &mut panel.rounds);
    for round in rounds.filter(|round| odd[round.process as usize]) {
        for sample in round.samples.iter_mut().filter(|s| s.design == "synthetic-gamma") {
            sample.ticks = (sample.ticks as f64 * 1.3) as u64;
        }
    }
    assert!(!graded(&alike).reasons.iter().any(of_memory));
    // Without the size of the cache the cause is not known.
    results.session.machine.caches.clear();
    assert!(!graded(&results).reasons.iter().any(of_memory));
}

/// Other panels may still resolve a difference, which the heading then names.
#[test]
fn what_the_headline_panel_does_not_resolve_is_not_said_of_the_session() {
    let mut results = clean();
    let headline = results.session.headline.clone();
    let panel = results.panels.iter_mut().find(|it| it.panel.id == headline);
    panel.expect("a headline").rounds.truncate(2);
    let trust = graded(&results);
    assert_eq!((trust.headline, trust.others.is_some()), (None, true));
    assert_eq!(trust.resolves(), "resolves nothing in its headline panel");
    let (low, high) = trust.others.expect("other panels");
    let said = |start: &str| {
        format!(
            "{start} nothing in its headline panel, and differences of {} to {} in others; the headline panel has \
             too few rounds, or they differ too much",
            percent(low),
            percent(high)
        )
    };
    assert_eq!(trust.sentence(), said("This session resolves"));
    results.session.build.profile = debug();
    let unusable = graded(&results).sentence();
    assert_eq!(unusable, said("This session must not be quoted. It would resolve"));
}

#[test]
fn a_session_resolves_no_less_than_its_aa_control_differs() {
    let quiet = graded(&clean());
    let headline = quiet.headline.expect("a headline");
    let (low, high) = quiet.others.expect("other panels");
    assert!(low <= high && headline > 0.0);
    let text = format!("resolves differences of {} in the headline panel", percent(headline));
    assert!(quiet.sentence().contains(&text), "{}", quiet.sentence());
    let mut noisy = clean();
    let controls = samples(&mut noisy).filter(|sample| sample.design == "A/A control");
    controls.for_each(|sample| sample.ticks = (sample.ticks as f64 * 1.05) as u64);
    let noisy = graded(&noisy);
    let fraction = noisy.headline.expect("a headline");
    assert!(fraction >= 0.05);
    let reason = noisy.reasons.iter().find(|it| it.warning == Warning::Unresolved { fraction });
    assert!(reason.is_some_and(|it| it.severity >= Severity::Limit), "{:?}", noisy.reasons);
    let mut unusable = clean();
    unusable.session.build.profile = debug();
    assert!(graded(&unusable).sentence().starts_with("This session must not be quoted."));
}

#[test]
fn a_session_without_a_floor_is_not_to_be_quoted() {
    let few = |rounds| graded(&Recipe { rounds, designs: 3, ..Recipe::FULL }.results());
    for rounds in [0, 5] {
        let graded = few(rounds);
        assert_eq!(graded.severity(), Severity::Fatal);
        assert!(matches!(graded.reasons[0].warning, Warning::NoFloor { .. }), "{graded:?}");
    }
    assert!(few(40).severity() < Severity::Fatal);
    // A single panel without rounds costs less.
    assert_eq!(after(|r| r.panels[3].rounds.clear()).0, Severity::Limit);
}

#[test]
fn the_worst_reason_comes_first() {
    let mut results = clean();
    results.session.machine.hypervisor = Some("KVM".to_owned());
    results.session.build.dirty = true;
    lacks_pinning(&mut results);
    mark_every(&mut results, 5, Mark::ContextSwitch);
    let graded = graded(&results);
    let severities: Vec<Severity> = graded.reasons.iter().map(|reason| reason.severity).collect();
    assert_eq!(severities, [Severity::Serious, Severity::Serious, Severity::Limit, Severity::Note]);
    for reason in &graded.reasons {
        assert!(reason.warning.to_string().ends_with('.'), "{}", reason.warning);
        assert!(reason.warning.advice().ends_with('.'), "{}", reason.warning.advice());
    }
}
