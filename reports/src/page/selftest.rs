//! What the instruments found where the answer is known.

use maud::{Markup, html};

use crate::plot::View;
use crate::schema::{Knee, Selftest};
use crate::selftest::{expected, found, grade, said_of_knee, verdict};
use crate::wording::{grouped, rate};

use super::table::{Cell, Table};

/// A sentence for each self-test of the session, what failed, and everything behind it.
pub fn body(view: View<'_>) -> Markup {
    html! {
        p {
            "Before anything was compared, the instruments were tried on code of which the answer \
             is known."
        }
        @for selftest in &view.results.selftest {
            p { (verdict(selftest)) @if let Some(knee) = &selftest.knee { " " (said_of_knee(knee)) } }
            @for trial in selftest.failed() {
                p.note { strong { (trial.instrument) } ": " (found(trial)) ". " (trial.why) }
            }
            details { summary { "The trials" } (trials(selftest)) }
            @if let Some(knee) = &selftest.knee {
                details { summary { "The memorisation curve of this machine" } (curve(knee)) }
            }
        }
    }
}

fn trials(selftest: &Selftest) -> Markup {
    let columns = ["Instrument", "Grade", "Expected", "Found", "Kernel", "Why not"];
    let caption = "Instruments on known code; medians with 95 % intervals; plane: measured, cycles \
                   derived";
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
    let caption = "One branch on random bits that come again, after 32 passes; plane: measured";
    let mut table = Table::new(caption.to_owned(), &["Period in branches", "ns per branch"]);
    for point in &knee.curve {
        table.row(&grouped(point.period), vec![Cell::number(Some(point.ns), rate)]);
    }
    table.render()
}
