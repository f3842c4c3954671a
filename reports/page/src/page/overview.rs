//! A session in a few tiles: what it measured, and which differences it resolves.

use raywalk_judge::format::{list, percent, plural};
use raywalk_judge::summary::PanelSummary;
use raywalk_results::schema::Status;

use super::{events, machine};
use crate::view::View;

/// Name, value and note of each fact at the top of the section on trust.
pub(crate) fn tiles(view: View<'_>) -> Vec<(&'static str, String, String)> {
    let (results, trust) = (view.judged.results, &view.judged.trust);
    let count = |is: fn(&Status) -> bool| {
        results.designs.iter().filter(|design| is(&design.status)).count()
    };
    let verified = count(|status| matches!(status, Status::Verified { .. }));
    let wrong = count(|status| matches!(status, Status::Wrong { .. }));
    let missing = count(|status| matches!(status, Status::Missing { .. }));
    let rounds: usize = view.judged.panels.iter().map(|panel| panel.rounds).sum();
    let complete = match (&results.end, results.truncated) {
        (Some(end), _) => format!("complete, ended {}", end.finished),
        (None, true) => "stopped within a record, which is left out".to_owned(),
        (None, false) => "stopped before its end".to_owned(),
    };
    let (floor, worst) = floors(view);
    let (session, of_session) = match trust.aa_control {
        Some(control) => {
            (format!("±{}", percent(control.half_width())), "mean of all unperturbed panels")
        }
        None => ("not known".to_owned(), "too few rounds"),
    };
    let (processes, layouts) = machine::processes(results);
    let (events, why) = events(view);
    let cycles = view.judged.panels.iter().any(PanelSummary::has_cycles);
    vec![
        (
            "Designs",
            format!("{verified} verified"),
            format!("{wrong} failed verification, {missing} cannot run here"),
        ),
        ("Session", plural(rounds, "round"), complete),
        (
            "Resolves differences of",
            trust.headline.map_or("not known".to_owned(), percent),
            "in the headline panel".to_owned(),
        ),
        ("Floor (A/A control)", floor, worst),
        ("A/A control of the session", session, of_session.to_owned()),
        ("Processes", processes, layouts),
        (
            "Core cycles",
            if cycles { "derived" } else { "not available" }.to_owned(),
            if cycles { "ticks × a rate calibrated beside each sample" } else { "" }.to_owned(),
        ),
        ("Hardware events", events, why),
    ]
}

/// The floor of the headline panel, and the largest of all panels.
fn floors(view: View<'_>) -> (String, String) {
    let share = |panel: &PanelSummary| panel.aa_control.map(|control| control.floor.fraction());
    let Some(here) = view.judged.headline().and_then(share) else {
        return ("not known".to_owned(), "too few rounds".to_owned());
    };
    let worst = view.judged.panels.iter().filter_map(share).fold(here, f64::max);
    (percent(here), format!("at most {} in any panel", percent(worst)))
}

fn events(view: View<'_>) -> (String, String) {
    let names: Vec<&str> =
        events::hardware(&view.judged.panels).iter().map(|event| event.name()).collect();
    if names.is_empty() {
        let why = events::absent(view).map(|absent| absent.reason.to_string()).next();
        return ("none".to_owned(), why.unwrap_or_else(|| "not in any sample".to_owned()));
    }
    (plural(names.len(), "event"), list(&names))
}
