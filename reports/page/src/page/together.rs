//! Several sessions together: where they agree and differ on the two classes and on rankings, the changes between two
//! comparable sessions, and each session in short.
//!
//! Sessions of different machines or builds share no ratio. Their winners and rankings may be compared, and their
//! verdicts on the claims of the literature (`machines`), because each verdict is made within one session.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};
use raywalk_judge::Judged;
use raywalk_judge::board_kind::BoardKind;
use raywalk_judge::classes::Classes;
use raywalk_judge::compare::side_by_side::SideBySide;
use raywalk_judge::compare::{Comparison, PanelComparison, Question, Row, compare, unlike};
use raywalk_judge::finding::{self, Finding, Sentence};
use raywalk_judge::format::{
    NONE, interval, list, middle, percent, plural, verdict as verdict_text,
};
use raywalk_judge::no_interval::why_no_verdict;
use raywalk_judge::ranking::{Moved, PanelRanking, Rankings};
use raywalk_results::schema::Provenance;

use super::packed::{first_rows, fold};
use super::section::{self, Section};
use super::{data, first, machine, machines, side_by_side, trust};
use crate::keys::Keys;
use crate::label::Label;
use crate::table::{Cell, Table};
use crate::view::View;

/// The result of all sessions: on the two classes if two sessions decide something about them, and on all designs.
pub(crate) fn finding(
    sessions: &[Judged<'_>],
    classes: &[Vec<Classes<'_>>],
    rankings: &Rankings,
) -> Finding {
    if sessions.is_empty() {
        let heading = "No journal was given, so there is nothing to show.".to_owned();
        return Finding { heading, sentences: Vec::new() };
    }
    let of_classes = finding::together(sessions, classes);
    let mut found =
        of_classes.unwrap_or_else(|| Finding { heading: heading(rankings), sentences: Vec::new() });
    let which = "that the table of rankings names";
    found.sentences.push(Sentence { which, ..Sentence::measured(outcome(rankings)) });
    found
}

/// The result on all designs, in one line.
fn heading(rankings: &Rankings) -> String {
    let resolved: usize = rankings.panels.iter().map(|panel| panel.resolved).sum();
    match (resolved, contradictions(rankings)) {
        (0, _) => "No two sessions resolve the same pair of designs.".to_owned(),
        (_, 0) => "The sessions agree wherever two of them resolve a difference.".to_owned(),
        (all, some) => {
            format!("The sessions contradict each other on {some} of {}.", plural(all, "pair"))
        }
    }
}

fn contradictions(rankings: &Rankings) -> usize {
    rankings.panels.iter().map(|panel| panel.contradictions().count()).sum()
}

/// The sections of a page with several sessions, with their comparison.
pub(crate) fn sections(
    sessions: &[Judged<'_>],
    views: &[View<'_>],
    classes: &[Vec<Classes<'_>>],
    keys: &Keys,
    rankings: &Rankings,
    side_by_side: &SideBySide,
    comparison: Option<&Comparison>,
) -> Vec<Section> {
    if sessions.is_empty() {
        return Vec::new();
    }
    let agreement = agreement(sessions, classes, keys, rankings);
    let mut sections = vec![Section::new("agreement", "Do the sessions agree?", agreement)];
    sections.push(side_by_side::section(sessions, keys, side_by_side));
    if let Some(comparison) = comparison
        && comparison.panels.iter().any(|panel| !panel.rows.is_empty())
    {
        let title = "What changed from session 1 to session 2?";
        sections.push(Section::new("changes", title, changes(sessions, keys, comparison)));
    }
    sections.extend(machines::section(sessions));
    sections.push(Section::new("sessions", "The sessions", each(views)));
    sections
}

/// Each session in short: its finding, its quality, its machine and its data.
fn each(views: &[View<'_>]) -> Markup {
    html! {
        p.note {
            "The page of a session alone, " code { "raywalk report RESULT" } ", has its matrix, its rankings and their reasons."
        }
        @for (view, number) in views.iter().zip(1..) {
            @let (judged, found) = (view.judged, finding::finding(view.judged));
            @let processor = judged.results.session.machine.processor();
            (section::heading(3, Some(&format!("{}all", view.prefix)), &format!("Session {number}: {processor}")))
            p { strong { (found.heading) } }
            (first::told(*view, &found))
            (first::quality(judged))
            (trust::warnings(&judged.trust))
            (machine::body(*view, 4))
            (data::body(*view))
        }
    }
}

/// The widest equality margin of the sessions, as a fraction.
pub(crate) fn widest_margin(sessions: &[Judged<'_>]) -> f64 {
    sessions.iter().map(|judged| judged.results.session.margin).fold(0.0, f64::max)
}

/// The comparison of all designs of two sessions that are alike.
pub(crate) fn comparison(sessions: &[Judged<'_>]) -> Option<Comparison> {
    let [a, b] = sessions else { return None };
    let margin = widest_margin(sessions);
    let question = Question { selects: &|_| true, baseline: None, margin };
    let is_alike = unlike(a.results, b.results).is_empty();
    is_alike.then(|| compare(a.results, b.results, &question))
}

fn agreement(
    sessions: &[Judged<'_>],
    classes: &[Vec<Classes<'_>>],
    keys: &Keys,
    rankings: &Rankings,
) -> Markup {
    html! {
        @for text in differences(sessions).into_iter().chain(only_in_some(sessions, classes)) { p { (text) } }
        @if !rankings.panels.is_empty() { (panels(sessions, rankings)) (turned(sessions, keys, rankings)) }
        @if !rankings.left_out.is_empty() {
            p.note { "Not in all sessions: " (list(&rankings.left_out)) "." }
        }
    }
}

/// The label of a table with a panel in each row.
fn of_rows(sessions: &[Judged<'_>], title: &str) -> Label {
    Label::of_all(sessions, title, Provenance::Measured.name(), Some("that its row names"))
}

fn outcome(rankings: &Rankings) -> String {
    if rankings.panels.is_empty() {
        return "No panel has rounds in all sessions, so no ranking can be compared.".to_owned();
    }
    let pairs: usize = rankings.panels.iter().map(|panel| panel.resolved).sum();
    let among = format!(
        "among {} of designs that two sessions or more resolve, in {}",
        plural(pairs, "pair"),
        plural(rankings.panels.len(), "panel")
    );
    match contradictions(rankings) {
        0 => format!("Design by design, no two sessions contradict each other {among}."),
        1 => format!("Design by design, there is one contradiction {among}."),
        found => format!("Design by design, there are {} {among}.", plural(found, "contradiction")),
    }
}

/// One sentence for each session that differs from the first in machine, build or positions.
fn differences(sessions: &[Judged<'_>]) -> Vec<String> {
    let Some((first, others)) = sessions.split_first() else { return Vec::new() };
    let sentence = |(place, other): (usize, &Judged<'_>)| {
        let found = unlike(first.results, other.results);
        let what: Vec<String> = found.into_iter().map(|difference| difference.what).collect();
        (!what.is_empty()).then(|| {
            let number = place + 2;
            format!("Sessions 1 and {number} differ in {}, so no ratio mixes them.", list(&what))
        })
    };
    others.iter().enumerate().filter_map(sentence).collect()
}

/// Sentences about kinds of boards and designs that only some sessions have, so that no other session can confirm them.
fn only_in_some(sessions: &[Judged<'_>], classes: &[Vec<Classes<'_>>]) -> Vec<String> {
    let alone = |board: &BoardKind| {
        let has = |classes: &Vec<Classes<'_>>| classes.iter().any(|one| one.board == *board);
        let found = classes.iter().zip(1..).filter(|(classes, _)| has(classes));
        let numbers: Vec<usize> = found.map(|(_, number)| number).collect();
        let [number] = numbers[..] else { return None };
        let what = format!("Branchless and branchy designs on {}", board.plural());
        Some(format!("{what} are compared in session {number} only."))
    };
    let mut texts: Vec<String> = BoardKind::ALL.iter().filter_map(alone).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for judged in sessions {
        let rows = judged.panels.iter().flat_map(|panel| &panel.rows);
        let ids: BTreeSet<&str> = rows.map(|row| row.id.as_str()).collect();
        ids.into_iter().for_each(|id| *counts.entry(id).or_default() += 1);
    }
    let some = counts.values().filter(|&&count| count < sessions.len()).count();
    if some > 0 {
        let (are, they) = if some == 1 { ("is", "its class") } else { ("are", "their classes") };
        texts.push(format!(
            "Not all sessions have all designs: {some} of {} {are} in some of them only, and may be the fastest of {they} there.",
            counts.len()
        ));
    }
    texts
}

fn panels(sessions: &[Judged<'_>], rankings: &Rankings) -> Markup {
    let caption = "Rankings of the sessions: a pair is resolved if two sessions resolve a difference, and changes \
                   order if its ranks do";
    let columns = ["Panel", "Designs", "Pairs", "Resolved", "Change order", "Contradictions"];
    let mut table = Table::new(of_rows(sessions, caption), &columns);
    // Where rankings turn comes first; a stable sort keeps the order of the plan.
    let mut panels: Vec<_> =
        rankings.panels.iter().map(|panel| (panel.contradictions().count(), panel)).collect();
    panels.sort_by_key(|&(contradictions, panel)| Reverse((contradictions, panel.moved.len())));
    for (contradictions, panel) in panels {
        let whole = |count: usize| Cell::number(Some(count as f64), |count| count.to_string());
        table.row(
            &panel.panel,
            vec![
                whole(panel.designs.len()),
                whole(panel.pairs()),
                whole(panel.resolved),
                whole(panel.moved.len()),
                whole(contradictions),
            ],
        );
    }
    first_rows(table, "further panel", "The command raywalk ranking prints them.")
}

/// The contradicted pairs; nothing if there is none.
fn turned(sessions: &[Judged<'_>], keys: &Keys, rankings: &Rankings) -> Markup {
    let columns = ["Panel", "Design", "Against", "Faster in session", "Slower in session"];
    let title = "Pairs on which two sessions contradict each other";
    let mut table = Table::new(of_rows(sessions, title), &columns);
    for panel in &rankings.panels {
        for (faster, slower, moved) in contradicted(panel) {
            let cells = [moved.one.clone(), moved.other.clone(), faster, slower];
            table.row(&panel.panel, cells.map(Cell::text).into());
            table.compares(keys, &[&moved.one, &moved.other]);
        }
    }
    let elsewhere = "The command raywalk ranking prints them.";
    html! { @if table.len() > 0 { (first_rows(table, "further pair", elsewhere)) } }
}

fn contradicted(panel: &PanelRanking) -> impl Iterator<Item = (String, String, &Moved)> {
    panel.contradictions().filter_map(|moved| {
        let (faster, slower) = moved.contradiction()?;
        Some(((faster + 1).to_string(), (slower + 1).to_string(), moved))
    })
}

fn changes(sessions: &[Judged<'_>], keys: &Keys, comparison: &Comparison) -> Markup {
    let rows = || {
        let of = |panel| move |row| (panel, row);
        comparison.panels.iter().flat_map(move |panel| panel.rows.iter().map(of(panel)))
    };
    let judged = || rows().filter(|(_, row)| row.relative.is_some());
    let (mut changed, mut same): (Vec<_>, Vec<_>) = judged().partition(|(_, row)| row.is_change());
    for rows in [&mut changed, &mut same] {
        let significance = |row: &Row| row.significance.unwrap_or(0.0);
        rows.sort_by(|(_, one), (_, other)| significance(other).total_cmp(&significance(one)));
    }
    html! {
        p {
            (plural(changed.len(), "change")) " in " (plural(judged().count(), "comparison")) ". Each compares ratios to \
             a baseline formed within each session, over the batches that both measured. All intervals together hold \
             with 95 % confidence; changes below " (percent(comparison.margin)) ", the floor or the spread are not counted. "
            em { "Significance" } " is a change over the smallest one that stands out from its interval, the floor and the \
             spread; above 1 it is resolved, unless its interval lies within " (percent(comparison.margin)) "."
        }
        @let elsewhere = "The command raywalk compare prints them.";
        @if !changed.is_empty() {
            @let caption = "Changed designs: ratio in session 2 over that in session 1";
            @let table = change_table(sessions, keys, &changed, caption);
            (first_rows(table, "further resolved change", elsewhere))
        }
        @if !same.is_empty() {
            @let title = format!("{} without a resolved change", plural(same.len(), "comparison"));
            @let caption = "Ratio in session 2 over that in session 1, without a resolved change";
            (fold(&title, change_table(sessions, keys, &same, caption).render(), false, elsewhere))
        }
    }
}

fn change_table(
    sessions: &[Judged<'_>],
    keys: &Keys,
    rows: &[(&PanelComparison, &Row)],
    caption: &str,
) -> Table {
    let columns = ["Design", "Panel", "Ratio", "Interval", "Significance", "Verdict"];
    let name = |id: &str| sessions.first().map_or("", |one| one.results.name(id)).to_owned();
    let mut table = Table::new(of_rows(sessions, caption), &columns);
    for (panel, row) in rows {
        let (ratio, ends) = match row.relative {
            Some(Ok(ends)) => (middle(ends), interval(ends)),
            _ => (NONE.to_owned(), NONE.to_owned()),
        };
        let verdict = match (&row.verdict, row.relative) {
            (Some(verdict), _) if row.regression => {
                format!("{}: a regression", verdict_text(verdict))
            }
            (Some(verdict), _) => verdict_text(verdict),
            (None, relative) => why_no_verdict(relative.and_then(Result::err)),
        };
        let [panel, ratio, ends, verdict] =
            [panel.panel.id.clone(), ratio, ends, verdict].map(Cell::text);
        let significance = Cell::number(row.significance, |times| format!("{times:.1}"));
        let cells = vec![panel, ratio, ends, significance, verdict];
        table.design(keys, &row.id, &name(&row.id), cells);
    }
    table
}
