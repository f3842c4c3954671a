//! The grade of a synthetic session as text.

use raywalk_judge::Judged;
use raywalk_page::terminal::{self, Screen};
use raywalk_results::fixture::Recipe;
use raywalk_results::schema::{Absent, Event, Facility, Mark, Reason};

#[test]
fn the_worst_reason_comes_first_and_every_line_has_a_remedy() {
    let mut results = Recipe { designs: 3, rounds: 60, ..Recipe::FULL }.results();
    let session = &mut results.session;
    session.machine.hypervisor = Some("KVM".to_owned());
    session.machine.governor = Some("performance".to_owned());
    session.machine.smt = Some(false);
    session.load = Some([1.5, 0.0, 0.0]);
    session.build.profile = "release, opt-level 3, debug assertions off".to_owned();
    let error = "Operation not permitted".to_owned();
    session.absent = vec![
        Absent::facility(Facility::Pinning, Reason::Refused { error }),
        Absent::event(Event::Cycles, Reason::NoPmu),
    ];
    let rounds = results.panels.iter_mut().flat_map(|panel| &mut panel.rounds);
    for (n, sample) in rounds.flat_map(|round| &mut round.samples).enumerate() {
        sample.marks = if n % 5 == 0 { vec![Mark::ContextSwitch] } else { vec![] };
    }
    let mut screen = Screen::new(100, false);
    terminal::trust::write(&mut screen, &Judged::of(&results).grade);
    insta::assert_snapshot!(screen.as_str(), @r"
    session grade C: good for large differences only
    A/A control of the session: ratio 0.9995 to 1.0003, within ±0.04 % at 95 %
      C  In 20 % of the samples another thread took the processor. Close other programs, or reserve a
         processor for the session with taskset.
      C  The thread was not pinned to one processor. The kernel refused: Operation not permitted. Start
         the command with taskset --cpu-list and a number.
      B  1.5 processes were ready to run on 2 processors when the session began. Wait until the other
         work is done, and measure again.
      B  The machine is a guest of KVM; other guests can take caches, clock rate and time unnoticed.
         Measure on a physical machine if differences of a few per cent matter.
      B  No hardware event was counted. This machine has no hardware counters; most virtual machines
         have none. Run on the physical machine, or have the hypervisor pass its counters through.
      A  The source tree had uncommitted changes, so the build cannot be reproduced. Commit before a run
         that is to be published.
    ");
}
