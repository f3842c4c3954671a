//! The first screen of a session: its finding in sentences, its quality in one badge, the conditions, and the main
//! figure.

use maud::{Markup, html};
use raywalk_judge::finding::{Finding, Sentence};
use raywalk_judge::format::{part, plural};
use raywalk_judge::trust::{Severity, Trust};
use raywalk_results::schema::Status;

use super::draw;
use super::packed::packed;
use crate::plot::classes;
use crate::view::View;

/// Everything below the heading. `level` is that of the figure's own heading.
pub(crate) fn body(view: View<'_>, finding: &Finding, level: u8) -> Markup {
    html! {
        @for Sentence { text, designs } in &finding.sentences {
            @let owners: Vec<String> = designs.iter().filter_map(|id| view.keys.owner(id)).collect();
            p.lead.(owners.join(" ")) { (text) }
        }
        p.conditions { (badge(&view.judged.trust)) " " (conditions(view)) }
        @if let Some((figure, choices)) = classes::with_choices(view) {
            div data-pairs=(packed(&choices)) { (draw(&figure, level)) }
        }
    }
}

/// The badge: the smallest difference that the session resolves, coloured by its worst problem.
fn badge(trust: &Trust) -> Markup {
    let (class, word) = match trust.severity() {
        Severity::Fatal => ("worse", "not to be quoted"),
        Severity::Serious => ("worse", "only large differences count"),
        Severity::Limit => ("open", "holds within stated limits"),
        Severity::Note => ("better", "holds"),
    };
    html! { strong.badge.(class) { (word) ", " (trust.resolves()) } }
}

/// Machine, build and size of the session in one line.
fn conditions(view: View<'_>) -> String {
    let results = view.judged.results;
    let session = &results.session;
    let verified = |status: &Status| matches!(status, Status::Verified { .. });
    let designs = results.designs.iter().filter(|design| verified(&design.status)).count();
    let rounds: usize = view.judged.panels.iter().map(|panel| panel.rounds).sum();
    let day = session.started.split('T').next().unwrap_or(&session.started);
    let mut parts = vec![
        session.machine.cpu.clone(),
        session.build.rustc.split(" (").next().unwrap_or_default().to_owned(),
        plural(designs, "verified design"),
        plural(rounds, "round"),
        plural(results.processes.len(), "process"),
        part(session).unwrap_or_default(),
        day.to_owned(),
    ];
    parts.retain(|part| !part.is_empty());
    parts.join(" · ")
}
