//! The grade of a synthetic session as text.

use raywalk_judge::Judged;
use raywalk_page::terminal::{self, Screen};
use raywalk_results::fixture::Recipe;
use raywalk_results::schema::{Absent, Event, Facility, Mark, Profile, Reason};

#[test]
fn the_worst_reason_comes_first_and_every_line_has_a_remedy() {
    let mut results = Recipe { designs: 3, rounds: 60, ..Recipe::FULL }.results();
    let session = &mut results.session;
    session.machine.hypervisor = Some("KVM".to_owned());
    session.machine.governor = Some("performance".to_owned());
    session.machine.smt = Some(false);
    session.load = Some([1.5, 0.0, 0.0]);
    session.build.profile = Profile::release();
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
    terminal::trust::write(&mut screen, &Judged::of(&results).trust);
    insta::assert_snapshot!(screen.as_str());
}
