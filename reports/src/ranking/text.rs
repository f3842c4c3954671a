//! Rankings as plain text, for the terminal and for logs.

use std::fmt::{self, Write};

use super::knee::{Knee, curves};
use super::{Moved, PanelRanking, Rankings};
use crate::compare::unlike;
use crate::grade::grade;
use crate::journal::Results;
use crate::statistics::Verdict;
use crate::summary::summarise;
use crate::wording::{NONE, cost, grouped, list, plural};

/// Writes the sessions, the ranks in each panel with the pairs that change places, the memorisation
/// curves, and the outcome.
///
/// # Errors
/// Only those of `out`.
pub fn write(out: &mut dyn Write, sessions: &[Results], rankings: &Rankings) -> fmt::Result {
    heads(out, sessions)?;
    for panel in &rankings.panels {
        writeln!(out)?;
        one(out, panel)?;
    }
    for (place, results) in sessions.iter().enumerate() {
        memorisation(out, place, results)?;
    }
    writeln!(out)?;
    if !rankings.left_out.is_empty() {
        writeln!(out, "Not in all sessions: {}.", list(&rankings.left_out))?;
    }
    outcome(out, rankings)
}

fn heads(out: &mut dyn Write, sessions: &[Results]) -> fmt::Result {
    for (place, results) in sessions.iter().enumerate() {
        let (session, build) = (&results.session, &results.session.build);
        let commit = build.commit.as_deref().unwrap_or("no commit");
        let short = commit.get(..12).unwrap_or(commit);
        let dirty = if build.dirty { ", with changes" } else { "" };
        let stopped = if results.end.is_none() { ", stopped before its end" } else { "" };
        let graded = grade(results, &summarise(results));
        writeln!(
            out,
            "{}  {}  plan {}  {short}{dirty}  {}{stopped}; grade {}: {}",
            place + 1,
            session.started,
            session.plan,
            session.machine.cpu,
            graded.letter,
            graded.letter.meaning()
        )?;
    }
    // A ranking may well differ between two machines; a reader should know that they are two.
    let Some((first, others)) = sessions.split_first() else { return Ok(()) };
    for (place, other) in others.iter().enumerate() {
        let what: Vec<String> =
            unlike(first, other).into_iter().map(|unlike| unlike.what).collect();
        if !what.is_empty() {
            writeln!(out, "unlike: 1 and {} differ in {}", place + 2, list(&what))?;
        }
    }
    Ok(())
}

fn one(out: &mut dyn Write, panel: &PanelRanking) -> fmt::Result {
    let rounds: Vec<String> = panel.rounds.iter().map(usize::to_string).collect();
    let designs = plural(panel.designs.len(), "design");
    writeln!(out, "{} · {designs} · {} rounds", panel.panel, list(&rounds))?;
    let mut lines =
        vec![header("rank in session", (1..=panel.rounds.len()).map(|n| n.to_string()))];
    for design in &panel.designs {
        let ranks = design.ranks.iter().map(usize::to_string);
        lines.push(header(&design.id, ranks));
    }
    aligned(out, &lines)?;
    for moved in &panel.moved {
        writeln!(out, "  {}", places(moved))?;
    }
    let resolved = format!(
        "{} of {} resolved in two sessions or more",
        panel.resolved,
        plural(panel.pairs(), "pair")
    );
    let found: Vec<String> = panel.contradictions().map(contradiction).collect();
    match found.len() {
        0 => writeln!(out, "  stable: no two sessions contradict each other ({resolved})"),
        _ => writeln!(out, "  not stable: {} ({resolved})", found.join("; ")),
    }
}

fn header(first: &str, rest: impl Iterator<Item = String>) -> Vec<String> {
    std::iter::once(first.to_owned()).chain(rest).collect()
}

/// Cells in columns, the first to the left and the others to the right.
fn aligned(out: &mut dyn Write, lines: &[Vec<String>]) -> fmt::Result {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |column: usize| {
        lines.iter().filter_map(|line| Some(line.get(column)?.chars().count())).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(widest).collect();
    for line in lines {
        let mut text = String::new();
        for (column, (cell, width)) in line.iter().zip(&widths).enumerate() {
            match column {
                0 => write!(text, "  {cell:<width$}")?,
                _ => write!(text, "  {cell:>width$}")?,
            }
        }
        writeln!(out, "{}", text.trim_end())?;
    }
    Ok(())
}

/// `a and b change places: 1 equal within 1.0 %, 2 not resolved`, or that they contradict.
fn places(moved: &Moved) -> String {
    let said: Vec<String> = moved
        .verdicts
        .iter()
        .enumerate()
        .map(|(place, verdict)| format!("{} {}", place + 1, word(verdict.as_ref())))
        .collect();
    format!("{} against {}, which change places: {}", moved.one, moved.other, said.join(", "))
}

fn word(verdict: Option<&Verdict>) -> String {
    verdict.map_or_else(|| "too few rounds".to_owned(), ToString::to_string)
}

fn contradiction(moved: &Moved) -> String {
    let (faster, slower) = moved.contradiction().unwrap_or_default();
    format!(
        "session {} says that {} is faster than {}, and session {} says that it is slower",
        faster + 1,
        moved.one,
        moved.other,
        slower + 1
    )
}

fn memorisation(out: &mut dyn Write, place: usize, results: &Results) -> fmt::Result {
    let curves = curves(&summarise(results));
    let Some(first) = curves.first() else { return Ok(()) };
    writeln!(out)?;
    writeln!(
        out,
        "memorisation in session {}: ns per move where K positions come back",
        place + 1
    )?;
    let ks = first.costs.iter().map(|&(k, _)| grouped(k));
    let mut lines = vec![header("K", ks.chain(["knee".to_owned()]))];
    for curve in &curves {
        let costs = curve.costs.iter().map(|&(_, value)| cost(value));
        lines.push(header(&curve.id, costs.chain([knee(curve.knee())])));
    }
    aligned(out, &lines)?;
    writeln!(
        out,
        "  knee: the cost passes the middle between its first and its last value; {NONE} where it \
         rises by less than a quarter"
    )
}

fn knee(knee: Option<Knee>) -> String {
    knee.map_or_else(
        || NONE.to_owned(),
        |Knee { from, to, at }| {
            let at = grouped(at.round() as u64);
            format!("{at} (between {} and {})", grouped(from), grouped(to))
        },
    )
}

fn outcome(out: &mut dyn Write, rankings: &Rankings) -> fmt::Result {
    let panels = plural(rankings.panels.len(), "panel");
    let found: Vec<String> = rankings
        .panels
        .iter()
        .flat_map(|panel| panel.contradictions().map(move |moved| (panel, moved)))
        .map(|(panel, moved)| format!("{} and {} in {}", moved.one, moved.other, panel.panel))
        .collect();
    match found.len() {
        0 => writeln!(out, "stable: no two sessions contradict each other ({panels})"),
        n => {
            writeln!(out, "not stable: {} ({panels}): {}", plural(n, "contradiction"), list(&found))
        }
    }
}
