//! One list of the parts that the session lacks, with the commands that add them, instead of sections without content.

use maud::{Markup, html};
use raywalk_judge::gap::{breakdown, misprediction_cost};
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
                @for part in lacking.iter().map(|part| part.of(view)) {
                    li { strong { (part.0) } ": " code { (part.1) } (with_code(part.2)) "." (why(view, part.0)) }
                }
            }
        }
    }
}

pub(crate) const GAP: &str = "The gap between two designs, part by part and branch by branch";
pub(crate) const LAYOUTS: &str = "Layouts of the program, measured and explained";
pub(crate) const MISSES: &str = "Mispredictions by design";
pub(crate) const COUNTS: &str = "Counts of instructions and branches by Callgrind";
pub(crate) const EVENTS: &str = "Hardware events";

const COST_OF_A_MISS: &str = " with a self-test that finds the cost of a misprediction";
const CONTROL: &str = " with a memory-matched control in the plan, as the built-in plans have";
const CLASSES: &str = " with a pseudo-legal design of each class on one kind of board";
const UNTRACED: &str = " on x86-64 Linux, with `trace` above 0 in the plan; this session has layouts, but no traces in them";
const OTHER_PANELS: &str = " with a panel of all moves of a traced workload; this session has layouts of other panels only";

impl Part {
    /// The part, with what this session needs for it where the reason differs between sessions.
    fn of(self, view: View<'_>) -> Part {
        let Part(name, run, needs) = self;
        let needs = match name {
            GAP => of_gap(view).unwrap_or(needs),
            LAYOUTS => of_layouts(view).unwrap_or(needs),
            _ => needs,
        };
        Part(name, run, needs)
    }
}

/// The missing requirement of the gap; `None` without traces.
fn of_gap(view: View<'_>) -> Option<&'static str> {
    let judged = view.judged;
    if judged.results.traces.is_empty() {
        return None;
    }
    Some(match (judged.matched(), breakdown(judged)) {
        (None, _) => CONTROL,
        (Some(_), None) => COST_OF_A_MISS,
        (Some(_), Some(_)) => CLASSES,
    })
}

/// The missing requirement of the figure of layouts; `None` without two layouts.
fn of_layouts(view: View<'_>) -> Option<&'static str> {
    let rows = view.judged.panels.iter().flat_map(|panel| &panel.rows);
    let has_layouts = rows.into_iter().any(|row| row.spread.layouts.is_some());
    let is_traced = view.judged.results.traces.iter().any(|trace| trace.layouts.len() >= 2);
    has_layouts.then(|| match (is_traced, misprediction_cost(view.judged)) {
        (false, _) => UNTRACED,
        (true, None) => COST_OF_A_MISS,
        (true, Some(_)) => OTHER_PANELS,
    })
}

/// Text with the parts between back-ticks as code.
fn with_code(text: &str) -> Markup {
    html! {
        @for (number, part) in text.split('`').enumerate() {
            @if number % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

/// Why this machine offers no instrument for a part, with the remedy.
fn why(view: View<'_>, name: &str) -> Markup {
    let absent = &view.judged.results.session.absent;
    let of = |facility: Facility| {
        groups(absent.iter().filter(|absent| absent.instrument == Instrument::Facility(facility)))
    };
    let reasons = match name {
        COUNTS => of(Facility::Valgrind),
        MISSES => of(Facility::Trace),
        EVENTS => groups(events::absent(view)),
        _ => Vec::new(),
    };
    html! { @for reason in reasons { " " (reason.sentence()) } }
}

#[cfg(test)]
mod tests {
    use raywalk_judge::Judged;
    use raywalk_results::fixture::{Recipe, explained};
    use raywalk_results::journal::Results;
    use raywalk_results::schema::Absent;

    use super::*;
    use crate::keys::Keys;

    /// The requirement of a part, as it is shown.
    fn needs(results: &Results, name: &'static str) -> String {
        let (judged, keys) = (Judged::of(results), Keys::of([results]));
        let view = View { judged: &judged, keys: &keys, prefix: "" };
        body(view, &[Part(name, "raywalk run", " on x86-64 Linux")]).into_string()
    }

    #[test]
    fn the_gap_names_what_this_session_lacks() {
        let mut results = Recipe::FULL.results();
        assert!(needs(&results, GAP).contains("memory-matched control"));
        results.traces.clear();
        assert!(needs(&results, GAP).contains("</code> on x86-64 Linux."));
        let mut results = explained(22.0);
        results.selftest.clear();
        assert!(needs(&results, GAP).contains("the cost of a misprediction"));
        let mut results = explained(22.0);
        results.traces.truncate(1);
        assert!(needs(&results, GAP).contains("design of each class"));
    }

    #[test]
    fn layouts_without_traces_ask_for_traces_and_not_for_layouts() {
        let mut results = explained(22.0);
        for trace in &mut results.traces {
            trace.layouts.clear();
        }
        let text = needs(&results, LAYOUTS);
        assert!(text.contains("<code>trace</code> above 0") && !text.contains('`'), "{text}");
        let mut results = explained(22.0);
        results.selftest.clear();
        assert!(needs(&results, LAYOUTS).contains("the cost of a misprediction"));
        let results = Recipe { layouts: 0, ..Recipe::FULL }.results();
        assert!(needs(&results, LAYOUTS).contains("</code> on x86-64 Linux."));
    }

    #[test]
    fn a_machine_without_a_tracer_says_why() {
        use raywalk_results::schema::Reason;
        let mut results = Recipe::FULL.results();
        results.session.absent = vec![Absent::facility(Facility::Trace, Reason::X86Only)];
        assert!(needs(&results, MISSES).contains("Not available here"));
        assert!(!needs(&results, COUNTS).contains("Not available here"));
    }
}
