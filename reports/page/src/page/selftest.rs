//! Results of the self-test.

use maud::{Markup, html};
use raywalk_judge::format::{grouped, rate};
use raywalk_judge::selftest::{expected, format_knee, format_width, found, grade, verdict};
use raywalk_results::schema::{Knee, Provenance, Selftest};

use crate::label::About;
use crate::table::{Cell, Table};
use crate::view::View;

/// For each self-test of the session a sentence, the failures, and all trials folded.
pub(crate) fn body(view: View<'_>) -> Markup {
    html! {
        p { "Before the first round, the instruments ran on kernels with known answers." }
        @for selftest in &view.judged.results.selftest {
            p {
                (verdict(selftest))
                @if let Some(knee) = &selftest.knee { " " (format_knee(knee)) }
                @if let Some(width) = selftest.width { " " (format_width(width)) }
            }
            @for trial in selftest.failed() {
                p.note { strong { (trial.instrument) } ": " (found(trial)) ". " (trial.why) }
            }
            details { summary { "Trials" } (trials(view, selftest)) }
            @if let Some(knee) = &selftest.knee {
                details { summary { "Memorisation curve of the branch predictor" } (curve(view, knee)) }
            }
        }
    }
}

fn trials(view: View<'_>, selftest: &Selftest) -> Markup {
    let columns = ["Instrument", "Grade", "Expected", "Found", "Kernel", "Reason"];
    let caption = "Instruments on kernels with known answers: medians with 95 % intervals";
    let label = view.label(
        caption,
        "measured, cycles derived",
        About::Nothing("the kernels generate no moves"),
    );
    let mut table = Table::new(label, &columns);
    for trial in &selftest.trials {
        table.row(
            &trial.instrument,
            vec![
                Cell::text(grade(trial)).on_one_line(),
                Cell::text(expected(trial)),
                Cell::text(found(trial)),
                Cell::text(trial.kernel.as_str()),
                Cell::text(trial.why.as_str()),
            ],
        );
    }
    table.render()
}

fn curve(view: View<'_>, knee: &Knee) -> Markup {
    let caption = "Cost of a branch on repeating random bits, after 32 passes";
    let about = About::Nothing("the kernel generates no moves");
    let mut table = Table::new(
        view.label(caption, Provenance::Measured.name(), about),
        &["Period in branches", "ns per branch"],
    );
    for point in &knee.curve {
        table.row(&grouped(point.period), vec![Cell::number(Some(point.ns), rate)]);
    }
    table.render()
}
