//! The summary of a session: findings in sentences written from the data, and facts about it.

use maud::{Markup, html};
use raywalk_judge::format::{cost, interval, list, middle, percent, plural};
use raywalk_judge::summary::PanelSummary;
use raywalk_results::schema::{Control, Status};
use raywalk_results::statistics::median;

use super::{events, machine};
use crate::view::View;

/// The sentences; empty without rounds.
pub(crate) fn body(view: View<'_>) -> Markup {
    let findings = findings(view);
    html! {
        @if !findings.is_empty() {
            ul.findings { @for finding in &findings { li { (finding) } } }
        }
    }
}

fn findings(view: View<'_>) -> Vec<String> {
    let Some(panel) = view.judged.headline() else { return Vec::new() };
    let curve = view.judged.memorisation();
    let ends = match curve[..] {
        [(_, first), .., (_, last)] => Some((first, last)),
        _ => None,
    };
    [
        ends.and_then(|(first, last)| ranks(first, last)),
        ends.and_then(|(first, last)| growth(first, last)),
        floor(view, panel),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// How the ranking changes from positions that the predictor has memorised to others.
fn ranks(first: &PanelSummary, last: &PanelSummary) -> Option<String> {
    let moved: Vec<(&str, usize, usize)> = first
        .rows
        .iter()
        .filter_map(|row| Some((row.name.as_str(), first.rank(&row.id)?, last.rank(&row.id)?)))
        .collect();
    let changed = moved.iter().filter(|(_, before, after)| before != after).count();
    let (leader, follower) = (first.rows.first()?, last.rows.first()?);
    let (known, unknown) = (&first.panel.regime.description, &last.panel.regime.description);
    let mut text = if leader.id == follower.id {
        format!("{} is the fastest both with {known} and with {unknown}.", leader.name)
    } else {
        format!(
            "With {known}, {} is the fastest; with {unknown}, {} is.",
            leader.name, follower.name
        )
    };
    text.push_str(&match moved.iter().max_by_key(|(_, before, after)| before.abs_diff(*after)) {
        Some((name, before, after)) if changed > 0 => format!(
            " Between the two, {changed} of {} change rank; the largest change is that of {name}, \
             from {before} to {after}.",
            plural(moved.len(), "design"),
        ),
        _ => " No design changes rank.".to_owned(),
    });
    Some(text)
}

/// How much more positions cost that the predictor has not memorised, by claimed control flow.
fn growth(first: &PanelSummary, last: &PanelSummary) -> Option<String> {
    let of_class = |class: Control| -> Option<(f64, usize)> {
        let grown: Vec<f64> = first
            .rows
            .iter()
            .filter(|row| row.control == class)
            .filter_map(|row| Some(last.row(&row.id)?.ns_position / row.ns_position))
            .collect();
        Some((median(&grown)?, grown.len()))
    };
    let classes: Vec<String> = [Control::Branchy, Control::Mixed, Control::Branchless]
        .into_iter()
        .filter_map(|class| {
            let (grown, size) = of_class(class)?;
            Some(format!("{}-fold for {class} designs (median of {size})", cost(grown)))
        })
        .collect();
    (!classes.is_empty())
        .then(|| format!("The time of a position grows {} between the two.", list(&classes)))
}

fn floor(view: View<'_>, panel: &PanelSummary) -> Option<String> {
    let control = panel.aa_control?;
    Some(format!(
        "The A/A control, {} against itself, has a ratio of {} ({}). Differences below {}{} are not \
         reported.",
        view.judged.results.name(&panel.panel.baseline),
        middle(control.ratio),
        interval(control.ratio),
        percent(control.floor.share()),
        if panel.has_spread() { ", or below their own spread," } else { "" },
    ))
}

/// Name, value and note.
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
            (format!("±{}", percent(control.half_width())), "mean of all undisturbed panels")
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
        ("Noise floor (A/A control)", floor, worst),
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
    let share = |panel: &PanelSummary| panel.aa_control.map(|control| control.floor.share());
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
