//! The summary box: what was found, in sentences made from the data, and how far to trust it.

use std::collections::BTreeSet;

use maud::{Markup, html};

use crate::grade::{Graded, grade};
use crate::journal::Results;
use crate::plot::{Metric, View};
use crate::schema::Status;
use crate::statistics::{Verdict, factor, median};
use crate::summary::{PanelSummary, headline, memorisation};
use crate::wording::{cost, ends, list, percent, plural, regime, stage};

/// Sentences, then facts, then what could not take part.
pub fn body(view: View<'_>) -> Markup {
    let sentences = sentences(view);
    let graded = grade(view.results, view.panels);
    let outside: Vec<_> = view
        .results
        .designs
        .iter()
        .filter_map(|design| match &design.status {
            Status::Verified { .. } => None,
            Status::Wrong { why } => Some((&design.name, "is wrong and has no time", why)),
            Status::Missing { why } => Some((&design.name, "cannot run here", why)),
        })
        .collect();
    html! {
        @if sentences.is_empty() {
            p { "This journal holds no rounds, so nothing is said about speed." }
        } @else {
            ul.said { @for sentence in &sentences { li { (sentence) } } }
        }
        dl.tiles {
            @for (name, value, note) in tiles(view, &graded) {
                div { dt { (name) } dd { (value) @if !note.is_empty() { small { (note) } } } }
            }
        }
        @if !outside.is_empty() {
            ul.note {
                @for (name, what, why) in outside { li { (name) " " (what) ": " (why) } }
            }
        }
        (reasons(&graded))
    }
}

/// Why the grade is what it is, and what would help.
fn reasons(graded: &Graded) -> Markup {
    let Graded { letter, reasons, .. } = graded;
    html! {
        p {
            "Session grade " strong { (letter) } ": " (letter.meaning()) ". "
            (graded.against_itself()) "."
        }
        @if !reasons.is_empty() {
            ul.note {
                @for reason in reasons {
                    li { strong { (reason.letter) } " " (reason.warning) " " (reason.warning.advice()) }
                }
            }
        }
    }
}

fn sentences(view: View<'_>) -> Vec<String> {
    let Some(panel) = headline(view.panels) else { return Vec::new() };
    let curve = memorisation(view.panels);
    let ends = match curve[..] {
        [(_, first), .., (_, last)] => Some((first, last)),
        _ => None,
    };
    [
        fastest(panel),
        ends.and_then(|(first, last)| ranks(first, last)),
        ends.and_then(|(first, last)| growth(first, last)),
        floor(view, panel),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The fastest design of the headline panel, and what may be said of its lead.
fn fastest(panel: &PanelSummary) -> Option<String> {
    let metric = Metric::of([panel]);
    let first = panel.rows.first()?;
    let mut text = format!(
        "On {} ({}, {}) the fastest of {} is {}: {} per position",
        panel.panel.workload,
        stage(&panel.panel.stage),
        regime(&panel.panel.regime),
        plural(panel.rows.len(), "design"),
        first.name,
        metric.said(metric.position(first)?.median),
    );
    if let Some(per_move) = metric.per_move(first) {
        text.push_str(&format!(", {} per move", metric.said(per_move.median)));
    }
    text.push('.');
    if let Some(second) = panel.rows.get(1) {
        let name = &second.name;
        text.push_str(&match panel.lead {
            Some(verdict @ Verdict::Faster(by)) => {
                format!(" It is {verdict} ({}) than the runner-up, {name}.", ends(by))
            }
            Some(verdict @ Verdict::Equal { .. }) => {
                format!(" The runner-up, {name}, is {verdict}.")
            }
            Some(Verdict::NotResolved | Verdict::Slower(_)) => {
                format!(" Its lead over the runner-up, {name}, is not resolved.")
            }
            None => format!(" Too few rounds tell whether it leads the runner-up, {name}."),
        });
    }
    Some(text)
}

/// How the ranking changes when the same designs meet positions they cannot know by heart.
fn ranks(first: &PanelSummary, last: &PanelSummary) -> Option<String> {
    let moved: Vec<(&str, usize, usize)> = first
        .rows
        .iter()
        .filter_map(|row| Some((row.name.as_str(), first.rank(&row.id)?, last.rank(&row.id)?)))
        .collect();
    let changed = moved.iter().filter(|(_, before, after)| before != after).count();
    let (leader, follower) = (first.rows.first()?, last.rows.first()?);
    let (known, unknown) = (regime(&first.panel.regime), regime(&last.panel.regime));
    let mut text = if leader.id == follower.id {
        format!("With {known}, {} leads, and with {unknown}, it still does", leader.name)
    } else {
        format!("With {known}, {} leads; with {unknown}, {} does", leader.name, follower.name)
    };
    match moved.iter().max_by_key(|(_, before, after)| before.abs_diff(*after)) {
        Some((name, before, after)) if changed > 0 => text.push_str(&format!(
            ". {changed} of {} change their rank, most of all {name}, from {before} to {after}.",
            plural(moved.len(), "design"),
        )),
        _ => text.push_str(". No design changes its rank."),
    }
    Some(text)
}

/// What not knowing the positions costs, by claimed control flow.
fn growth(first: &PanelSummary, last: &PanelSummary) -> Option<String> {
    let of_class = |class: &str| -> Option<(f64, usize)> {
        let grown: Vec<f64> = first
            .rows
            .iter()
            .filter(|row| row.control == class)
            .filter_map(|row| Some(last.row(&row.id)?.ns_position.median / row.ns_position.median))
            .collect();
        Some((median(&grown)?, grown.len()))
    };
    let said: Vec<String> = ["branchy", "mixed", "branchless"]
        .iter()
        .filter_map(|class| {
            let (grown, size) = of_class(class)?;
            Some(format!("{}-fold for {class} designs (median of {size})", cost(grown)))
        })
        .collect();
    (!said.is_empty())
        .then(|| format!("Between these two the time of a position grows {}.", list(&said)))
}

fn floor(view: View<'_>, panel: &PanelSummary) -> Option<String> {
    let itself = panel.itself?;
    Some(format!(
        "{} against itself came out at {} ({}), so nothing below {}{} is called a difference here.",
        view.results.name(&panel.panel.baseline),
        factor(itself.ratio.middle),
        ends(itself.ratio),
        percent(itself.floor.share()),
        if panel.has_spread() { ", and nothing below its own spread," } else { "" },
    ))
}

fn tiles(view: View<'_>, graded: &Graded) -> Vec<(&'static str, String, String)> {
    let results = view.results;
    let count = |is: fn(&Status) -> bool| {
        results.designs.iter().filter(|design| is(&design.status)).count()
    };
    let verified = count(|status| matches!(status, Status::Verified { .. }));
    let wrong = count(|status| matches!(status, Status::Wrong { .. }));
    let missing = count(|status| matches!(status, Status::Missing { .. }));
    let rounds: usize = view.panels.iter().map(|panel| panel.rounds).sum();
    let complete = match (&results.end, results.truncated) {
        (Some(end), _) => format!("complete, ended {}", end.finished),
        (None, true) => "stopped in the middle of a record, which is left out".to_owned(),
        (None, false) => "stopped before its end".to_owned(),
    };
    let (floor, worst) = floors(view);
    let (session, of_session) = match graded.floor {
        Some(itself) => (
            format!("±{}", percent(itself.half_width())),
            "rounds of all undisturbed panels, pooled",
        ),
        None => ("not known".to_owned(), "it takes six rounds"),
    };
    let (processes, layouts) = places(results);
    let (events, why) = events(view);
    let cycles = view.panels.iter().any(PanelSummary::has_cycles);
    vec![
        (
            "Designs",
            format!("{verified} verified"),
            format!("{wrong} wrong, {missing} that cannot run here"),
        ),
        ("Session", plural(rounds, "round"), complete),
        ("Session grade", graded.letter.to_string(), graded.letter.meaning().to_owned()),
        ("Noise floor (A/A)", floor, worst),
        ("A/A of the session", session, of_session.to_owned()),
        ("Processes", processes, layouts),
        (
            "Core cycles",
            if cycles { "derived" } else { "not available" }.to_owned(),
            if cycles { "ticks × a rate calibrated beside each sample" } else { "" }.to_owned(),
        ),
        ("Hardware events", events, why),
    ]
}

fn floors(view: View<'_>) -> (String, String) {
    let share = |panel: &PanelSummary| panel.itself.map(|itself| itself.floor.share());
    let Some(here) = headline(view.panels).and_then(share) else {
        return ("not known".to_owned(), "it takes six rounds".to_owned());
    };
    let worst = view.panels.iter().filter_map(share).fold(here, f64::max);
    (percent(here), format!("at worst {} in another panel", percent(worst)))
}

pub(super) fn places(results: &Results) -> (String, String) {
    let layouts: BTreeSet<_> = results.processes.iter().filter_map(|one| one.layout).collect();
    match (results.processes.len(), layouts.len()) {
        (0, _) => ("not told".to_owned(), "the journal names none".to_owned()),
        (processes, 0) => (processes.to_string(), "the program as it was linked".to_owned()),
        (processes, layouts) => {
            (processes.to_string(), format!("{} of its sections", plural(layouts, "order")))
        }
    }
}

fn events(view: View<'_>) -> (String, String) {
    let names: Vec<&str> = super::events::hardware(view.panels).into_iter().collect();
    if names.is_empty() {
        let why = super::events::absent(view).map(|absent| absent.why.as_str()).next();
        return ("none".to_owned(), why.unwrap_or("no sample has any").to_owned());
    }
    (plural(names.len(), "event"), list(&names))
}
