//! Rankings of several sessions of the same designs, and whether they agree.
//!
//! Two designs that are close may change places from session to session without contradiction,
//! because neither session claims that they differ. Two sessions contradict each other if one shows
//! that a design is the faster of two and the other shows that it is the slower. A ranking without a
//! contradiction is called stable. The number of resolved pairs is reported with it, because a session
//! that resolves nothing cannot contradict another.
//!
//! A pair shares its confidence with all pairs of its panel and is judged by its own rounds, its
//! session's floor and its own spread over layouts and processes. Each panel is judged separately:
//! a ranking may change with the regime.

use raywalk_results::journal::Results;
use raywalk_results::statistics::Verdict;

use crate::Judged;
use crate::pair::PairJudge;
use crate::ratios::Times;
use crate::summary::PanelSummary;

/// The rankings of several sessions, side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Rankings {
    /// The panels that all sessions have rounds of, in the order of the first session.
    pub panels: Vec<PanelRanking>,
    /// Ids of the panels that only some sessions have rounds of.
    pub left_out: Vec<String>,
}

/// One panel in all sessions.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelRanking {
    /// Id of the panel.
    pub panel: String,
    /// Rounds in each session.
    pub rounds: Vec<usize>,
    /// The designs that all sessions have here, in the order of the first one's ranking.
    pub designs: Vec<Ranked>,
    /// The pairs that change places or are contradicted.
    pub moved: Vec<Moved>,
    /// Number of pairs on which at least two sessions have a verdict, also if it is *not resolved*.
    pub judged: usize,
    /// Number of pairs that at least two sessions resolved.
    pub resolved: usize,
}

/// A design and its rank in each session.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Ranked {
    /// Id of the design.
    #[serde(rename = "design")]
    pub id: String,
    /// Ranks from 1, among the designs that all sessions have.
    pub ranks: Vec<usize>,
}

/// Two designs whose order is not the same in all sessions.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    /// Id of the design that is faster in the first session.
    pub one: String,
    /// Id of the other design.
    pub other: String,
    /// Verdict of each session on `one` against `other`; `None` if it has too few clean rounds.
    pub verdicts: Vec<Option<Verdict>>,
}

impl Moved {
    /// Indices of the first session in which `one` is faster and the first in which it is slower;
    /// `None` unless there are both.
    pub fn contradiction(&self) -> Option<(usize, usize)> {
        let first = |is: fn(&Option<Verdict>) -> bool| self.verdicts.iter().position(is);
        Some((
            first(|verdict| matches!(verdict, Some(Verdict::Faster(_))))?,
            first(|verdict| matches!(verdict, Some(Verdict::Slower(_))))?,
        ))
    }
}

impl PanelRanking {
    /// Number of pairs of designs.
    pub fn pairs(&self) -> usize {
        self.designs.len() * self.designs.len().saturating_sub(1) / 2
    }

    /// The pairs on which two sessions contradict each other.
    pub fn contradictions(&self) -> impl Iterator<Item = &Moved> {
        self.moved.iter().filter(|moved| moved.contradiction().is_some())
    }
}

impl Rankings {
    /// Whether no panel has a contradiction.
    pub fn is_stable(&self) -> bool {
        self.panels.iter().all(|panel| panel.contradictions().next().is_none())
    }
}

/// Ranks the panels and designs that all sessions have, and finds contradictions.
pub fn rank(sessions: &[Judged<'_>]) -> Rankings {
    let mut ids: Vec<&str> = Vec::new();
    let panels = sessions.iter().flat_map(|session| &session.panels);
    for summary in panels.filter(|summary| !summary.rows.is_empty()) {
        if !ids.contains(&summary.panel.id.as_str()) {
            ids.push(&summary.panel.id);
        }
    }
    let mut rankings = Rankings { panels: Vec::new(), left_out: Vec::new() };
    for id in ids {
        let sides: Option<Vec<Side<'_>>> =
            sessions.iter().map(|session| Side::of(session, id)).collect();
        match sides {
            Some(sides) => rankings.panels.push(rank_panel(id, &sides)),
            None => rankings.left_out.push(id.to_owned()),
        }
    }
    rankings
}

struct Side<'a> {
    results: &'a Results,
    times: &'a Times,
    summary: &'a PanelSummary,
}

impl<'a> Side<'a> {
    /// `None` if the session has no rounds of the panel.
    fn of(session: &'a Judged<'a>, id: &str) -> Option<Side<'a>> {
        let mut panels = session.panels.iter().zip(&session.times);
        let (summary, times) = panels.find(|(summary, _)| summary.panel.id == id)?;
        (!summary.rows.is_empty()).then_some(Side { results: session.results, times, summary })
    }

    fn judge(&self, pairs: usize) -> PairJudge<'a> {
        PairJudge::new(self.results, self.times, self.summary.aa_control, pairs)
    }

    /// Rank among these designs, from 1.
    fn rank(&self, id: &str, among: &[&str]) -> usize {
        let rows = self.summary.rows.iter().filter(|row| among.contains(&row.id.as_str()));
        1 + rows.take_while(|row| row.id != id).count()
    }
}

fn rank_panel(id: &str, sides: &[Side<'_>]) -> PanelRanking {
    let first = sides.first().map_or(&[][..], |side| &side.summary.rows);
    let all: Vec<&str> = first
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
    let judges: Vec<PairJudge<'_>> = sides.iter().map(|side| side.judge(pairs)).collect();
    let mut moved = Vec::new();
    let (mut judged, mut resolved) = (0, 0);
    for (place, one) in designs.iter().enumerate() {
        for other in &designs[place + 1..] {
            let verdicts: Vec<Option<Verdict>> =
                judges.iter().map(|judge| judge.verdict(&one.id, &other.id)).collect();
            let differs =
                |verdict: &&Verdict| matches!(verdict, Verdict::Faster(_) | Verdict::Slower(_));
            judged += usize::from(verdicts.iter().flatten().count() > 1);
            resolved += usize::from(verdicts.iter().flatten().filter(differs).count() > 1);
            let behind = |(one, other): (&usize, &usize)| one > other;
            let changes = one.ranks.iter().zip(&other.ranks).any(behind);
            let pair = Moved { one: one.id.clone(), other: other.id.clone(), verdicts };
            if changes || pair.contradiction().is_some() {
                moved.push(pair);
            }
        }
    }
    let rounds = sides.iter().map(|side| side.summary.rounds).collect();
    PanelRanking { panel: id.to_owned(), rounds, designs, moved, judged, resolved }
}
