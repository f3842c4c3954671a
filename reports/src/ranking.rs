//! Several sessions of the same designs: is the ranking the same each time?
//!
//! Two designs that stand close change places from session to session, and that is no fault: neither
//! session says that they differ. Sessions contradict each other where one has proved a design the
//! faster of two and another has proved it the slower one. A ranking without a contradiction is
//! called stable, and how many pairs were resolved at all stands beside it, because a session that
//! resolves nothing contradicts nobody.
//!
//! A pair is judged as one of all the pairs of its panel, by its own rounds, its session's floor and
//! its own spread over layouts and processes. Panels are judged one by one: that a ranking changes
//! with the regime is what the sessions are made to show.

use crate::journal::{PanelRounds, Results};
use crate::statistics::Verdict;
use crate::summary::{Judge, PanelSummary, summarise};

pub mod knee;
mod text;
pub use text::write;

/// The rankings of several sessions, side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Rankings {
    /// The panels that all sessions have rounds of, in the order of the first session.
    pub panels: Vec<PanelRanking>,
    /// Panels that some of them have.
    pub left_out: Vec<String>,
}

/// One panel in all sessions.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelRanking {
    /// Its id.
    pub panel: String,
    /// Rounds in each session.
    pub rounds: Vec<usize>,
    /// The designs that all sessions have here, in the order of the first one's ranking.
    pub designs: Vec<Ranked>,
    /// The pairs that change places, or about which sessions contradict each other.
    pub moved: Vec<Moved>,
    /// Pairs that at least two sessions resolved.
    pub resolved: usize,
}

/// A design and its place in each session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// Its id.
    pub id: String,
    /// From 1, among the designs that all sessions have.
    pub ranks: Vec<usize>,
}

/// Two designs whose order is not the same in all sessions.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    /// The one that is ahead in the first session.
    pub one: String,
    /// The other.
    pub other: String,
    /// What each session says of the first against the second; none where rounds are too few.
    pub verdicts: Vec<Option<Verdict>>,
}

impl Moved {
    /// The first session that proved the first design faster, and the first that proved it slower,
    /// from 0; `None` unless there are both.
    pub fn contradiction(&self) -> Option<(usize, usize)> {
        contradiction(&self.verdicts)
    }
}

fn contradiction(verdicts: &[Option<Verdict>]) -> Option<(usize, usize)> {
    let first = |is: fn(&Option<Verdict>) -> bool| verdicts.iter().position(is);
    Some((
        first(|verdict| matches!(verdict, Some(Verdict::Faster(_))))?,
        first(|verdict| matches!(verdict, Some(Verdict::Slower(_))))?,
    ))
}

impl PanelRanking {
    /// How many pairs of designs there are.
    pub fn pairs(&self) -> usize {
        self.designs.len() * self.designs.len().saturating_sub(1) / 2
    }

    /// The pairs about which two sessions contradict each other.
    pub fn contradictions(&self) -> impl Iterator<Item = &Moved> {
        self.moved.iter().filter(|moved| moved.contradiction().is_some())
    }
}

impl Rankings {
    /// Whether no two sessions contradict each other in any panel.
    pub fn is_stable(&self) -> bool {
        self.panels.iter().all(|panel| panel.contradictions().next().is_none())
    }
}

/// Ranks what all sessions have, and looks for contradictions.
pub fn rank(sessions: &[Results]) -> Rankings {
    let summaries: Vec<Vec<PanelSummary>> = sessions.iter().map(summarise).collect();
    let mut ids: Vec<&str> = Vec::new();
    for panel in summaries.iter().flatten().filter(|panel| !panel.rows.is_empty()) {
        if !ids.contains(&panel.panel.id.as_str()) {
            ids.push(&panel.panel.id);
        }
    }
    let mut rankings = Rankings { panels: Vec::new(), left_out: Vec::new() };
    for id in ids {
        let sides: Option<Vec<Side<'_>>> = sessions
            .iter()
            .zip(&summaries)
            .map(|(results, panels)| Side::of(results, panels, id))
            .collect();
        match sides {
            Some(sides) => rankings.panels.push(rank_panel(id, &sides)),
            None => rankings.left_out.push(id.to_owned()),
        }
    }
    rankings
}

/// A panel in one session.
struct Side<'a> {
    results: &'a Results,
    rounds: &'a PanelRounds,
    summary: &'a PanelSummary,
}

impl<'a> Side<'a> {
    fn of(results: &'a Results, panels: &'a [PanelSummary], id: &str) -> Option<Side<'a>> {
        let summary = panels.iter().find(|panel| panel.panel.id == id && !panel.rows.is_empty())?;
        let rounds = results.panels.iter().find(|rounds| rounds.panel.id == id)?;
        Some(Side { results, rounds, summary })
    }

    /// Rank among these designs, from 1.
    fn rank(&self, id: &str, among: &[&str]) -> usize {
        let rows = self.summary.rows.iter().filter(|row| among.contains(&row.id.as_str()));
        1 + rows.take_while(|row| row.id != id).count()
    }
}

fn rank_panel(id: &str, sides: &[Side<'_>]) -> PanelRanking {
    let Some(first) = sides.first() else {
        return PanelRanking {
            panel: id.to_owned(),
            rounds: Vec::new(),
            designs: Vec::new(),
            moved: Vec::new(),
            resolved: 0,
        };
    };
    let all: Vec<&str> = first
        .summary
        .rows
        .iter()
        .map(|row| row.id.as_str())
        .filter(|id| sides.iter().all(|side| side.summary.row(id).is_some()))
        .collect();
    let designs: Vec<Ranked> = all
        .iter()
        .map(|&id| Ranked {
            id: id.to_owned(),
            ranks: sides.iter().map(|side| side.rank(id, &all)).collect(),
        })
        .collect();
    let pairs = designs.len() * designs.len().saturating_sub(1) / 2;
    let judges: Vec<Judge<'_>> =
        sides.iter().map(|side| Judge::new(side.results, side.rounds, pairs)).collect();
    let mut moved = Vec::new();
    let mut resolved = 0;
    for (place, one) in designs.iter().enumerate() {
        for other in &designs[place + 1..] {
            let verdicts: Vec<Option<Verdict>> =
                judges.iter().map(|judge| judge.verdict(&one.id, &other.id)).collect();
            let differs =
                |verdict: &&Verdict| matches!(verdict, Verdict::Faster(_) | Verdict::Slower(_));
            resolved += usize::from(verdicts.iter().flatten().filter(differs).count() > 1);
            let behind = |(one, other): (&usize, &usize)| one > other;
            let changes = one.ranks.iter().zip(&other.ranks).any(behind);
            if changes || contradiction(&verdicts).is_some() {
                let (one, other) = (one.id.clone(), other.id.clone());
                moved.push(Moved { one, other, verdicts });
            }
        }
    }
    let rounds = sides.iter().map(|side| side.summary.rounds).collect();
    PanelRanking { panel: id.to_owned(), rounds, designs, moved, resolved }
}
