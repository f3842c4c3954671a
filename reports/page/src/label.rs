//! Labels of tables: meaning and origin of the numbers.
//!
//! Every number of the page can be traced by the label of its table: to its provenance, to the regime, the stage and
//! the corpus of its positions, and to the session. A table of several panels names the panel of each number in a
//! heading or a cell, and its label links to the one table that has regime, stage and corpora of all panels.

use maud::{Markup, html};
use raywalk_judge::Judged;
use raywalk_judge::format::{corpora, list};
use raywalk_judge::summary::PanelSummary;
use raywalk_results::schema::{Panel, Session, Stage};

/// Id of the table of all panels, behind the prefix of a session.
pub(crate) const PANELS: &str = "panels";

/// Prefix of the ids of one of several sessions.
pub(crate) fn prefix(place: usize) -> String {
    format!("session-{}-", place + 1)
}

/// The regime of traced positions.
pub(crate) const TRACED: &str = "each position once in a stream, and again in a learnt replay";

/// The label above the numbers of a table.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    /// Content of the table, without a full stop.
    pub(crate) title: String,
    origin: Markup,
    /// The sessions as labels name them.
    session: String,
}

impl Label {
    /// The label of a table of one session, the ids of which have this prefix.
    pub(crate) fn of(
        judged: &Judged<'_>,
        prefix: &str,
        title: impl Into<String>,
        provenance: &str,
        about: &About<'_>,
    ) -> Label {
        let session = &judged.results.session;
        let named = name(session);
        let origin = html! {
            "Provenance: " (provenance) ". " (about.render(session, prefix)) " " (named) "."
        };
        Label { title: title.into(), origin, session: named }
    }

    /// The label of a table of several sessions. `which` describes how a number is traced to a panel; without it the
    /// numbers are about machines.
    pub(crate) fn of_all(
        sessions: &[Judged<'_>],
        title: impl Into<String>,
        provenance: &str,
        which: Option<&str>,
    ) -> Label {
        let origin = html! {
            "Provenance: " (provenance) ". Regime, stage and corpus: "
            @match which {
                Some(which) => { "those of the panel " (which) "." }
                None => { "none, properties of machines." }
            }
            @for (place, judged) in sessions.iter().enumerate() {
                " " (name(&judged.results.session))
                @if !judged.panels.is_empty() {
                    ": " (link(&prefix(place), &format!("all panels of session {}", place + 1)))
                }
                "."
            }
        };
        let named: Vec<String> = sessions.iter().map(|one| name(&one.results.session)).collect();
        Label { title: title.into(), origin, session: named.join("; ") }
    }

    /// The sessions that the numbers are from, for copies that have no caption.
    pub(crate) fn session(&self) -> &str {
        &self.session
    }

    /// The label without its title: provenance, positions and sessions of the numbers.
    pub(crate) fn origin(&self) -> &Markup {
        &self.origin
    }

    /// The text of the caption.
    pub(crate) fn render(&self) -> Markup {
        html! { span { (self.title) "." } " " small { (self.origin) } }
    }
}

/// The positions that the numbers of a table come from.
#[derive(Clone, Debug)]
pub(crate) enum About<'a> {
    /// The positions of one panel.
    Panel(&'a Panel),
    /// Those of several panels, each of which a number is traced to in this way, such as `that its column names`.
    Panels(&'static str, Vec<&'a Panel>),
    /// Those of a workload outside of panels: how they reach a design, what is generated, and the workload.
    Workload(&'a str, Stage, &'a str),
    /// Those of no workload: how they reach a design, what is generated, and the positions.
    Own(&'a str, &'a str, &'a str),
    /// None; the text gives the reason.
    Nothing(&'static str),
}

impl<'a> About<'a> {
    /// The positions of these panels; `which` says how a number is traced to one of them.
    pub(crate) fn panels(
        which: &'static str,
        panels: impl IntoIterator<Item = &'a PanelSummary>,
    ) -> About<'a> {
        About::Panels(which, panels.into_iter().map(|summary| &summary.panel).collect())
    }

    fn render(&self, session: &Session, prefix: &str) -> Markup {
        let corpora = |workload: &str| {
            corpora(session, workload).unwrap_or_else(|| format!("{workload}, without a digest"))
        };
        let text = |regime: &str, stage: &str, corpus: &str| {
            html! { "Regime: " (regime) ". Stage: " (stage) ". Corpus: " (corpus) "." }
        };
        match self {
            About::Panel(panel) => {
                let Panel { regime, call, workload, .. } = panel;
                text(&regime.description, &call.label(), &corpora(workload))
            }
            About::Panels(_, panels) if panels.is_empty() => {
                html! { "Regime, stage and corpus: none, nothing was timed." }
            }
            About::Panels(which, panels) => {
                let shared = |part: &dyn Fn(&Panel) -> String| {
                    let mut parts = panels.iter().map(|panel| part(panel));
                    let first = parts.next().filter(|first| parts.all(|part| part == *first));
                    first.unwrap_or_else(|| format!("that of the panel {which}"))
                };
                let regime = shared(&|panel| panel.regime.description.clone());
                let stage = shared(&|panel| panel.call.label());
                let corpus = shared(&|panel| corpora(&panel.workload));
                html! { (text(&regime, &stage, &corpus)) " " (link(prefix, "All panels")) "." }
            }
            About::Workload(regime, stage, workload) => {
                text(regime, stage.label(), &corpora(workload))
            }
            About::Own(regime, stage, corpus) => text(regime, stage, corpus),
            About::Nothing(why) => html! { "Regime, stage and corpus: none, " (why) "." },
        }
    }
}

/// Workloads with the corpora of their positions, as a list in words.
pub(crate) fn workloads<S: AsRef<str>>(session: &Session, names: &[S]) -> String {
    let named = |name: &S| match corpora(session, name.as_ref()) {
        Some(corpora) => format!("{} ({corpora})", name.as_ref()),
        None => name.as_ref().to_owned(),
    };
    match names {
        [] => "not named by this journal".to_owned(),
        some => list(&some.iter().map(named).collect::<Vec<_>>()),
    }
}

/// A link to the table of panels of the session with this prefix.
fn link(prefix: &str, text: &str) -> Markup {
    html! { a href=(format!("#{prefix}{PANELS}")) { (text) } }
}

/// The session as labels name it.
fn name(session: &Session) -> String {
    format!("Session of {}, seed {}", session.started, session.seed)
}
