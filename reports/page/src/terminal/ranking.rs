//! The rankings of several sessions.

use raywalk_judge::Judged;
use raywalk_judge::compare::unlike;
use raywalk_judge::format::{NONE, cost, grouped, list, plural};
use raywalk_judge::ranking::{Moved, PanelRanking, Rankings};
use raywalk_results::statistics::Crossing;
use raywalk_results::statistics::Verdict;

use super::heading;
use super::screen::{Screen, Tone};
use super::text_table::{TextTable, number, text};

/// Writes the sessions, the ranks in each panel with the pairs that change order, the memorisation
/// curves, and the outcome.
pub fn write(out: &mut Screen, sessions: &[Judged<'_>], rankings: &Rankings) {
    heads(out, sessions);
    for panel in &rankings.panels {
        out.blank();
        one(out, panel);
    }
    for (place, judged) in sessions.iter().enumerate() {
        memorisation(out, place, judged);
    }
    out.blank();
    if !rankings.left_out.is_empty() {
        out.line(format!("Not in all sessions: {}.", list(&rankings.left_out)));
    }
    outcome(out, rankings);
}

fn heads(out: &mut Screen, sessions: &[Judged<'_>]) {
    for (place, judged) in sessions.iter().enumerate() {
        heading::write(out, &(place + 1).to_string(), judged);
    }
    // Rankings of different machines may be compared, but the reader must know that they differ.
    let Some((first, others)) = sessions.split_first() else { return };
    for (place, other) in others.iter().enumerate() {
        let what: Vec<String> = unlike(first.results, other.results)
            .into_iter()
            .map(|difference| difference.what)
            .collect();
        if !what.is_empty() {
            let line = format!("unlike: 1 and {} differ in {}", place + 2, list(&what));
            out.toned(line, Tone::Warning);
        }
    }
}

fn one(out: &mut Screen, panel: &PanelRanking) {
    let rounds: Vec<String> = panel.rounds.iter().map(usize::to_string).collect();
    let designs = plural(panel.designs.len(), "design");
    out.line(format!("{} · {designs} · {} rounds", panel.panel, list(&rounds)));
    let sessions = (1..=panel.rounds.len()).map(|place| number(place.to_string()));
    let mut table =
        TextTable::new([text("rank in session")].into_iter().chain(sessions)).indented();
    for design in &panel.designs {
        let ranks = design.ranks.iter().map(usize::to_string);
        table.row([design.id.clone()].into_iter().chain(ranks));
    }
    table.write(out);
    for moved in &panel.moved {
        out.line(format!("  {}", order(moved)));
    }
    let resolved = format!(
        "{} of {} resolved in two sessions or more",
        panel.resolved,
        plural(panel.pairs(), "pair")
    );
    let found: Vec<String> = panel.contradictions().map(contradiction).collect();
    match found.len() {
        0 => out.line(format!("  stable: no two sessions contradict each other ({resolved})")),
        _ => out.toned(format!("  not stable: {} ({resolved})", found.join("; ")), Tone::Bad),
    }
}

/// `a against b, which change order: 1 equal within 1.0 %, 2 not resolved`.
fn order(moved: &Moved) -> String {
    let verdicts: Vec<String> = moved
        .verdicts
        .iter()
        .enumerate()
        .map(|(place, verdict)| format!("{} {}", place + 1, word(verdict.as_ref())))
        .collect();
    format!("{} against {}, which change order: {}", moved.one, moved.other, verdicts.join(", "))
}

fn word(verdict: Option<&Verdict>) -> String {
    verdict.map_or_else(|| "too few clean rounds".to_owned(), ToString::to_string)
}

fn contradiction(moved: &Moved) -> String {
    let (faster, slower) = moved.contradiction().unwrap_or_default();
    format!(
        "{} is faster than {} in session {} and slower in session {}",
        moved.one,
        moved.other,
        faster + 1,
        slower + 1
    )
}

fn memorisation(out: &mut Screen, place: usize, judged: &Judged<'_>) {
    let curves = judged.curves();
    let Some(first) = curves.first() else { return };
    out.blank();
    out.line(format!(
        "memorisation in session {}: ns per move when the same K positions repeat",
        place + 1
    ));
    let ks = first.costs.iter().map(|&(k, _)| number(grouped(k)));
    let columns = [text("K")].into_iter().chain(ks).chain([number("knee")]);
    let mut table = TextTable::new(columns).indented();
    for curve in &curves {
        let costs = curve.costs.iter().map(|&(_, value)| cost(value));
        table.row([curve.id.clone()].into_iter().chain(costs).chain([knee(curve.knee())]));
    }
    table.write(out);
    out.line(format!(
        "  knee: K at which the cost is half way between its first and its last value; {NONE} if it \
         rises by less than a quarter"
    ));
}

fn knee(knee: Option<Crossing>) -> String {
    knee.map_or_else(
        || NONE.to_owned(),
        |Crossing { from, to, at }| {
            let at = grouped(at.round() as u64);
            format!("{at} (between {} and {})", grouped(from), grouped(to))
        },
    )
}

fn outcome(out: &mut Screen, rankings: &Rankings) {
    let panels = plural(rankings.panels.len(), "panel");
    let found: Vec<String> = rankings
        .panels
        .iter()
        .flat_map(|panel| panel.contradictions().map(move |moved| (panel, moved)))
        .map(|(panel, moved)| format!("{} and {} in {}", moved.one, moved.other, panel.panel))
        .collect();
    match found.len() {
        0 => out
            .toned(format!("stable: no two sessions contradict each other ({panels})"), Tone::Good),
        n => {
            let contradictions = plural(n, "contradiction");
            let found = list(&found);
            out.toned(format!("not stable: {contradictions} ({panels}): {found}"), Tone::Bad);
        }
    }
}
