//! The designs of several sessions side by side, in the headline panel.

use maud::{Markup, html};
use raywalk_judge::Judged;
use raywalk_judge::compare::Row;
use raywalk_judge::compare::side_by_side::{Apart, Change, Design, SideBySide, side_by_side};
use raywalk_judge::format::{
    interval, list, panel as name_of, percent, plural, ratio, verdict as verdict_text,
};
use raywalk_judge::no_interval::why_no_verdict;
use raywalk_results::statistics::Verdict;

use super::section::Section;
use crate::keys::Keys;
use crate::label::Label;
use crate::table::{Cell, Table, tone};

/// The table of the designs, or why there is none.
pub(crate) fn section(sessions: &[Judged<'_>], keys: &Keys) -> Section {
    let body = match side_by_side(sessions) {
        Ok(found) => body(sessions, keys, &found),
        Err(why) => html! { p { (text_of(&why)) } },
    };
    Section::new("side-by-side", "The designs side by side", body)
}

fn text_of(why: &Apart) -> String {
    match why {
        Apart::NothingToCompare => {
            "A session has no rounds, so no ratios can stand side by side.".to_owned()
        }
        Apart::NoDesigns => {
            "The sessions have no design in common that can be compared.".to_owned()
        }
        Apart::Unlike(place, found) => {
            let what: Vec<String> = found
                .iter()
                .map(|it| format!("{} ({} and {})", it.what, it.one, it.other))
                .collect();
            format!(
                "Sessions 1 and {} differ in {}, so their ratios do not stand side by side.",
                place + 1,
                list(&what)
            )
        }
    }
}

fn body(sessions: &[Judged<'_>], keys: &Keys, found: &SideBySide) -> Markup {
    let differ =
        found.designs.iter().filter(|design| design.changes.iter().any(|it| it.row.is_change()));
    let is_judged = |change: &Change| change.row.verdict.is_some();
    let judged = found.designs.iter().filter(|design| design.changes.iter().any(is_judged)).count();
    let baseline = sessions.first().map_or("", |one| one.results.name(&found.panel.baseline));
    html! {
        p {
            "The sessions differ significantly for " (differ.count()) " of " (plural(judged, "design"))
            " that can be judged in " (name_of(&found.panel)) ". Each ratio is that to " (baseline) " in the same session. The last column \
             compares the ratios over the batches that both sessions measured. All its intervals together hold with 95 % \
             confidence; a change below " (percent(found.margin)) ", the floor or the spread is none."
        }
        (table(sessions, keys, found).render())
    }
}

fn table(sessions: &[Judged<'_>], keys: &Keys, found: &SideBySide) -> Table {
    let title = format!("Ratio to the baseline in each session, in {}", name_of(&found.panel));
    let label = Label::of_all(sessions, title, "measured", Some("that its title names"));
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
