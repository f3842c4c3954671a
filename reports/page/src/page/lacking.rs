//! What the session does not hold, in one list with what to run, instead of sections without content.

use maud::{Markup, html};
use raywalk_results::schema::{Facility, Instrument};

use super::absent::groups;
use super::events;
use crate::view::View;

/// Something that a page can show: its name, the command that adds it, and what else is needed, which may be empty.
#[derive(Clone, Copy)]
pub(crate) struct Part(pub(crate) &'static str, pub(crate) &'static str, pub(crate) &'static str);

/// One line for each of these parts.
pub(crate) fn body(view: View<'_>, lacking: &[Part]) -> Markup {
    html! {
        @if !lacking.is_empty() {
            ul {
                @for &Part(name, run, needs) in lacking {
                    li { strong { (name) } ": " code { (run) } (needs) "." (why(view, name)) }
                }
            }
        }
    }
}

pub(crate) const COUNTS: &str = "Counts of instructions and branches by Callgrind";
pub(crate) const EVENTS: &str = "Hardware events";

/// Why this machine offers no instrument for a part, with the remedy.
fn why(view: View<'_>, name: &str) -> Markup {
    let absent = &view.judged.results.session.absent;
    let valgrind = Instrument::Facility(Facility::Valgrind);
    let reasons = match name {
        COUNTS => groups(absent.iter().filter(|absent| absent.instrument == valgrind)),
        EVENTS => groups(events::absent(view)),
        _ => Vec::new(),
    };
    html! { @for reason in reasons { " " (reason.sentence()) } }
}
