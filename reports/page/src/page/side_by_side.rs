//! The designs of several sessions side by side: the headline panel, and the other panels folded.

use maud::{Markup, html};
use raywalk_judge::Judged;
use raywalk_judge::compare::Row;
use raywalk_judge::compare::side_by_side::{Apart, Beside, Change, Design, SideBySide};
use raywalk_judge::format::{
    interval, list, panel as name_of, percent, plural, ratio, verdict as verdict_text,
};
use raywalk_judge::no_interval::why_no_verdict;
use raywalk_results::schema::Provenance;
use raywalk_results::statistics::Verdict;

use super::packed::{Fold, folded};
use super::section::{Section, heading};
use crate::keys::Keys;
use crate::label::Label;
use crate::table::{Cell, Table, tone};

/// The tables of the designs, or why there are none.
pub(crate) fn section(sessions: &[Judged<'_>], keys: &Keys, found: &SideBySide) -> Section {
    let folds: Vec<Fold> = workloads(found).map(|name| fold(sessions, keys, found, name)).collect();
    let body = html! {
        @match &found.headline {
            Ok(panel) => { (headline(sessions, keys, found, panel)) }
            Err(why) => { p { (text_of(why)) } }
        }
        @if !folds.is_empty() {
            (heading(3, None, "All panels side by side"))
            p { (outcome(found)) }
            (folded(&folds))
        }
        @if !found.left_out.is_empty() {
            p.note { "Not side by side, because not all sessions measured them alike with a design in common: " (list(&found.left_out)) "." }
        }
    };
    Section::new("side-by-side", "The designs side by side", body)
}

fn text_of(why: &Apart) -> String {
    match why {
        Apart::NothingToCompare => {
            "A session has no rounds, so no ratios can stand side by side.".to_owned()
        }
        Apart::NoDesigns => {
            "The sessions have no design in common that can be compared in their headline panels."
                .to_owned()
        }
        Apart::Unlike(place, found) => {
            let what: Vec<String> = found
                .iter()
                .map(|it| format!("{} ({} and {})", it.what, it.one, it.other))
                .collect();
            format!(
                "The headline panels of sessions 1 and {} differ in {}, so their ratios do not stand side by side.",
                place + 1,
                list(&what)
            )
        }
    }
}

fn headline(sessions: &[Judged<'_>], keys: &Keys, found: &SideBySide, panel: &Beside) -> Markup {
    let is_judged = |change: &Change| change.row.verdict.is_some();
    let judged = panel.designs.iter().filter(|design| design.changes.iter().any(is_judged)).count();
    html! {
        p {
            "The sessions differ significantly for " (panel.differing().count()) " of " (plural(judged, "design"))
            " that can be judged in " (name_of(&panel.panel)) ". Each ratio is that to the baseline in the same session. The last \
             column compares the ratios over the batches that both sessions measured. All intervals of a table together hold with \
             95 % confidence; changes below " (percent(found.margin)) ", the floor or the spread are not counted."
        }
        (one(sessions, keys, panel))
    }
}

/// The result in the panels besides the headline.
fn outcome(found: &SideBySide) -> String {
    let differ = found.others.iter().filter(|panel| panel.differing().next().is_some()).count();
    let all = plural(found.others.len(), "other panel");
    match differ {
        0 => format!("The sessions differ significantly for no design in {all}."),
        _ => {
            format!(
                "The sessions differ significantly for a design or more in {differ} of {all}. The intervals of each table \
                 hold together with 95 %, those of all tables do not: one table in twenty may show a difference by chance."
            )
        }
    }
}

/// The workloads of the other panels, each once, in the order of the plan.
fn workloads(found: &SideBySide) -> impl Iterator<Item = &str> {
    let names = found.others.iter().map(|it| it.panel.workload.as_str()).enumerate();
    let is_first = move |&(place, name): &(usize, &str)| {
        found.others[..place].iter().all(|it| it.panel.workload != name)
    };
    names.filter(is_first).map(|(_, name)| name)
}

/// The other panels of a workload.
fn fold(sessions: &[Judged<'_>], keys: &Keys, found: &SideBySide, workload: &str) -> Fold {
    let panels: Vec<&Beside> =
        found.others.iter().filter(|it| it.panel.workload == workload).collect();
    let differing: usize = panels.iter().map(|panel| panel.differing().count()).sum();
    let differences = match differing {
        0 => "no difference".to_owned(),
        _ => plural(differing, "significant difference"),
    };
    Fold {
        title: format!("{workload}: {}, {differences}", plural(panels.len(), "panel")),
        workload: Some(workload.to_owned()),
        body: html! { @for panel in panels { (one(sessions, keys, panel)) } },
    }
}

/// The table of a panel, which the bar can select.
fn one(sessions: &[Judged<'_>], keys: &Keys, panel: &Beside) -> Markup {
    html! {
        div data-workload=(panel.panel.workload) data-call=(panel.panel.call.id()) {
            (table(sessions, keys, panel).render())
        }
    }
}

fn table(sessions: &[Judged<'_>], keys: &Keys, found: &Beside) -> Table {
    let baseline = sessions.first().map_or("", |one| one.results.name(&found.panel.baseline));
    let title = format!("Ratio to {baseline} in each session, in {}", name_of(&found.panel));
    let label =
        Label::of_all(sessions, title, Provenance::Measured.name(), Some("that its title names"));
    let columns = (1..=sessions.len()).map(|number| format!("Session {number}"));
    let columns = ["Design".to_owned()].into_iter().chain(columns);
    let columns: Vec<String> = columns.chain(["Do the sessions differ?".to_owned()]).collect();
    let mut table = Table::new(label, &columns);
    for design in &found.designs {
        let name = sessions.first().map_or("", |one| one.results.name(&design.id));
        let ratios = design.ratios.iter().map(|&(value, ends)| {
            let shown = ratio(value, ends);
            let ends = ends.map(interval);
            let shown = html! { (shown) @if let Ok(ends) = &ends { " " small { (ends) } } };
            Cell::markup(shown, Some(value))
        });
        table.design(keys, &design.id, name, ratios.chain([difference(design)]).collect());
    }
    table
}

/// Resolved changes that a cell tells, the most significant first.
const MOST_CHANGES: usize = 3;

/// The resolved changes of a design, or that there are none.
fn difference(design: &Design) -> Cell {
    let mut found: Vec<&Change> = design.changes.iter().filter(|it| it.row.is_change()).collect();
    if found.is_empty() {
        return Cell::text(unchanged(&design.changes));
    }
    let significance = |change: &Change| change.row.significance.unwrap_or(0.0);
    found.sort_by(|one, other| significance(other).total_cmp(&significance(one)));
    let change = |change: &&Change| {
        let Change { sessions: [one, other], row } = change;
        let verdict = row.verdict.as_ref().map(verdict_text).unwrap_or_default();
        let significance = row.significance.map(|times| format!(", significance {times:.1}"));
        format!(
            "{verdict} in session {} than in {}{}",
            other + 1,
            one + 1,
            significance.unwrap_or_default()
        )
    };
    let mut text: Vec<String> = found.iter().take(MOST_CHANGES).map(change).collect();
    if let Some(more @ 1..) = found.len().checked_sub(MOST_CHANGES) {
        text.push(format!("{} of sessions", plural(more, "further pair")));
    }
    let tone = found.iter().find_map(|change| change.row.verdict.as_ref()).map(tone);
    Cell::toned(format!("yes: {}", text.join("; ")), tone)
}

/// Why no change is resolved: the sessions are equal, or too little is known.
fn unchanged(changes: &[Change]) -> String {
    let widest = changes.iter().map(|change| match change.row.verdict {
        Some(Verdict::Equal { within }) => Some(within),
        _ => None,
    });
    if let Some(bands) = widest.collect::<Option<Vec<f64>>>() {
        let within = bands.into_iter().fold(0.0, f64::max);
        return format!("no: {}", verdict_text(&Verdict::Equal { within }));
    }
    let why_none = |row: &Row| match (row.verdict, row.relative) {
        (None, relative) => Some(why_no_verdict(relative.and_then(Result::err))),
        _ => None,
    };
    match changes.iter().find_map(|change| why_none(&change.row)) {
        Some(missing) => format!("not known: {missing}"),
        None => format!("no: {}", verdict_text(&Verdict::NotResolved)),
    }
}
