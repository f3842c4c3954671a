//! What the session does not hold, in one list with what to run, instead of sections without content.

use maud::{Markup, html};
use raywalk_results::schema::{Facility, Instrument};

use super::absent::groups;
use super::events;
use crate::view::View;

/// Something that a page can show.
pub(crate) struct Part {
    name: &'static str,
    is_shown: bool,
    /// The command that adds it.
    run: &'static str,
    /// What else is needed; may be empty.
    needs: &'static str,
}

impl Part {
    pub(crate) fn new(name: &'static str, is_shown: bool, run: &'static str) -> Part {
        Part { name, is_shown, run, needs: "" }
    }

    pub(crate) fn needing(self, needs: &'static str) -> Part {
        Part { needs, ..self }
    }
}

/// One line for each part that is not shown; empty if all are.
pub(crate) fn body(view: View<'_>, parts: &[Part]) -> Markup {
    let lacking: Vec<&Part> = parts.iter().filter(|part| !part.is_shown).collect();
    html! {
        @if !lacking.is_empty() {
            ul {
                @for part in lacking {
                    li { strong { (part.name) } ": " code { (part.run) } (part.needs) "." (why(view, part.name)) }
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
