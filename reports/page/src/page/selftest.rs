//! Results of the self-test.

use maud::{Markup, html};
use raywalk_judge::format::{grouped, rate};
use raywalk_judge::selftest::{expected, format_knee, format_width, found, grade, verdict};
use raywalk_results::schema::{Knee, Selftest};

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
            details { summary { "Trials" } (trials(selftest)) }
            @if let Some(knee) = &selftest.knee {
                details { summary { "Memorisation curve of the branch predictor" } (curve(knee)) }
            }
        }
    }
}

fn trials(selftest: &Selftest) -> Markup {
    let columns = ["Instrument", "Grade", "Expected", "Found", "Kernel", "Reason"];
    let caption = "Instruments on kernels with known answers: medians with 95 % intervals. \
                   Provenance: measured, cycles derived";
    let mut table = Table::new(caption.to_owned(), &columns);
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

fn curve(knee: &Knee) -> Markup {
    let caption =
        "Cost of a branch on repeating random bits, after 32 passes. Provenance: measured";
    let mut table = Table::new(caption.to_owned(), &["Period in branches", "ns per branch"]);
    for point in &knee.curve {
        table.row(&grouped(point.period), vec![Cell::number(Some(point.ns), rate)]);
    }
    table.render()
}
