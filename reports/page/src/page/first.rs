//! The first screen: the finding in sentences, its quality in one badge, the conditions, and the main figure.

use maud::{Markup, html};
use raywalk_judge::Judged;
use raywalk_judge::classes::Classes;
use raywalk_judge::finding::{Finding, Sentence};
use raywalk_judge::format::{part, plural, short_commit};
use raywalk_judge::trust::{Severity, Trust};
use raywalk_results::schema::{Session, Status};

use super::draw;
use super::packed::packed;
use crate::keys::Keys;
use crate::label::{About, Label};
use crate::plot::classes;
use crate::view::View;

/// Everything below the heading of one session.
pub(crate) fn body(view: View<'_>, finding: &Finding) -> Markup {
    html! {
        (told(view, finding))
        (quality(view.judged))
        @if let Some((figure, choices)) = classes::with_choices(view) {
            div data-pairs=(packed(&choices)) { (draw(&figure, 2)) }
        }
    }
}

/// Everything below the heading of several sessions. The badge is that of the session with the worst problem.
pub(crate) fn of_sessions(
    sessions: &[Judged<'_>],
    views: &[View<'_>],
    classes: &[Vec<Classes<'_>>],
    keys: &Keys,
    finding: &Finding,
) -> Markup {
    let least = |trust: &Trust| trust.headline.unwrap_or(f64::INFINITY);
    // The first of equals.
    let worst = sessions.iter().enumerate().rev().max_by(|(_, one), (_, other)| {
        let (one, other) = (&one.trust, &other.trust);
        one.severity().cmp(&other.severity()).then(least(one).total_cmp(&least(other)))
    });
    html! {
        (leads(keys, finding))
        (origins(keys, finding, |sentence| {
            Label::of_all(sessions, "", sentence.provenance, Some(sentence.which))
        }))
        p.conditions {
            @if let Some((place, judged)) = worst {
                (badge(&judged.trust, &format!("least certain, session {}: ", place + 1))) " "
            }
            (named(sessions))
        }
        @for (figure, choices) in classes::across(sessions, views, classes) {
            div data-pairs=(packed(&choices)) { (draw(&figure, 2)) }
        }
    }
}

/// More sessions are counted, and described in their section.
const MOST_NAMED: usize = 4;

/// The processors, and for each session its start and its commit.
fn named(sessions: &[Judged<'_>]) -> String {
    let mut processors: Vec<String> = Vec::new();
    for processor in sessions.iter().map(|judged| judged.results.session.machine.processor()) {
        if !processors.contains(&processor) {
            processors.push(processor);
        }
    }
    let shared = processors.len() == 1;
    let short = |(judged, number): (&Judged<'_>, usize)| {
        let session = &judged.results.session;
        let processor = (!shared).then(|| session.machine.processor());
        let commit = session.build.commit.as_deref().map(short_commit);
        let commit = commit.map(|commit| format!("commit {commit}"));
        let parts: Vec<String> =
            processor.into_iter().chain([session.started.clone()]).chain(commit).collect();
        format!("session {number}: {}", parts.join(", "))
    };
    let each = match sessions.len() {
        0..=MOST_NAMED => sessions.iter().zip(1..).map(short).collect::<Vec<_>>().join(" · "),
        more => plural(more, "session"),
    };
    match (shared, sessions.len()) {
        (true, _) => format!("{} · {each}", processors.concat()),
        (false, 0..=MOST_NAMED) => each,
        (false, _) => format!("{each} · {}", plural(processors.len(), "processor")),
    }
}

/// The sentences of a finding with their provenance. They are hidden with the designs that they sum up.
fn leads(keys: &Keys, finding: &Finding) -> Markup {
    html! {
        @for Sentence { text, designs, provenance, .. } in &finding.sentences {
            p.lead.(owners(keys, designs)) { (text) " " small { "(" (provenance) ")" } }
        }
    }
}

/// The classes of these designs, by which a script hides what is about them.
fn owners(keys: &Keys, designs: &[String]) -> String {
    let owners: Vec<String> = designs.iter().filter_map(|id| keys.owner(id)).collect();
    owners.join(" ")
}

/// The label of each sentence, folded. It is hidden with its sentence.
fn origins(keys: &Keys, finding: &Finding, label: impl Fn(&Sentence) -> Label) -> Markup {
    html! {
        @if !finding.sentences.is_empty() {
            details.origins {
                summary { "Origin of these numbers" }
                @for (number, sentence) in (1..).zip(&finding.sentences) {
                    p.note.(owners(keys, &sentence.designs)) { "Sentence " (number) ". " (label(sentence).origin()) }
                }
            }
        }
    }
}

/// The label of a sentence about one session.
fn of_one(view: View<'_>, sentence: &Sentence) -> Label {
    let panels = sentence.panels.iter().filter_map(|id| view.judged.panel(id));
    let about = About::panels(sentence.which, panels);
    view.label("", sentence.provenance, about)
}

/// The sentences of a finding about one session, with their labels.
pub(crate) fn told(view: View<'_>, finding: &Finding) -> Markup {
    html! {
        (leads(view.keys, finding))
        (origins(view.keys, finding, |sentence| of_one(view, sentence)))
    }
}

/// The badge of a session and its conditions.
pub(crate) fn quality(judged: &Judged<'_>) -> Markup {
    html! { p.conditions { (badge(&judged.trust, "")) " " (conditions(judged)) } }
}

/// The badge: the smallest difference that the session resolves, coloured by its worst problem.
fn badge(trust: &Trust, of: &str) -> Markup {
    let (class, word) = match trust.severity() {
        Severity::Fatal => ("worse", "not to be quoted"),
        Severity::Serious => ("worse", "only large differences count"),
        Severity::Limit => ("open", "holds within stated limits"),
        Severity::Note => ("better", "holds"),
    };
    html! { strong.badge.(class) { (of) (word) ", " (trust.resolves()) } }
}

/// Machine, build and size of the session in one line.
fn conditions(judged: &Judged<'_>) -> String {
    let results = judged.results;
    let session = &results.session;
    let verified = |status: &Status| matches!(status, Status::Verified { .. });
    let designs = results.designs.iter().filter(|design| verified(&design.status)).count();
    let rounds: usize = judged.panels.iter().map(|panel| panel.rounds).sum();
    let mut parts = vec![
        session.machine.cpu.clone(),
        session.build.rustc.split(" (").next().unwrap_or_default().to_owned(),
        plural(designs, "verified design"),
        plural(rounds, "round"),
        plural(results.processes.len(), "process"),
        part(session).unwrap_or_default(),
        day(session).to_owned(),
    ];
    parts.retain(|part| !part.is_empty());
    parts.join(" · ")
}

/// The day on which a session started.
fn day(session: &Session) -> &str {
    session.started.split('T').next().unwrap_or(&session.started)
}
