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
//!
//! A session of eighty designs has three thousand pairs in each panel, and most of them are far apart. A pair that has
//! the same order in all sessions and is much farther apart than its interval, spread and floor could be (`FAR`) is
//! resolved without an interval of its own.

use std::collections::BTreeSet;

use raywalk_core::parallel;
use raywalk_results::journal::Results;
use raywalk_results::statistics::Verdict;

use crate::Judged;
use crate::crossed::FEWEST_CLUSTERS;
use crate::pair::PairJudge;
use crate::ratios::Times;
use crate::summary::{PanelSummary, Row};

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
    /// Id of the panel, which all sessions have: `workload/regime/call`.
    pub panel: String,
    /// Number of rounds in each session, in the order of the sessions.
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
    /// Id of the design, such as `bell/steps`.
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
    let panels = parallel::map(&ids, |id| {
        let sides = sessions.iter().map(|session| Side::of(session, id));
        Some(rank_panel(id, &sides.collect::<Option<Vec<_>>>()?, true))
    });
    let mut rankings = Rankings { panels: Vec::new(), left_out: Vec::new() };
    for (id, panel) in ids.into_iter().zip(panels) {
        match panel {
            Some(panel) => rankings.panels.push(panel),
            None => rankings.left_out.push(id.to_owned()),
        }
    }
    rankings
}

/// Two designs are far apart if their distance is more than this many times what both ratios to the baseline may be
/// off: half of both intervals, both spreads, and the floor. The deviation of a difference is at most the sum of both
/// deviations. With [`FEWEST_CLUSTERS`] processes the quantile of a pair, which shares its confidence with all pairs of
/// a panel, is at most 2.1 times that of a design among eighty. The rest is reserve, because the cheaper half of the
/// visits is not a sum.
const FAR: f64 = 4.0;

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

    /// Whether two designs are [far](FAR) apart in enough processes: of fewer, an interval has no bound that those of
    /// the designs give, or there is none. The baseline has no spread, so it is far from none.
    fn are_far(&self, one: &str, other: &str) -> bool {
        let reach = |row: &Row| {
            let spread = row.spread.bound().map_or(0.0, |bound| bound.log);
            Some(row.half_width?.ln_1p() + spread)
        };
        let [one, other] = [one, other].map(|id| self.summary.row(id));
        let reach = one.and_then(reach).zip(other.and_then(reach));
        let Some((((one, other), reach), control)) =
            one.zip(other).zip(reach).zip(self.summary.aa_control)
        else {
            return false;
        };
        let least = FAR * (reach.0 + reach.1 + control.floor.log());
        if (one.ratio / other.ratio).ln().abs() <= least + self.results.session.margin {
            return false;
        }
        // A process that has no effect on one of the ratios has few clean rounds, or shares no root with another.
        let processes = |row: &Row| -> BTreeSet<_> {
            row.spread.effects.iter().map(|effect| effect.process).collect()
        };
        let common = processes(one).intersection(&processes(other)).count();
        common >= FEWEST_CLUSTERS
    }

    /// Rank among these designs, from 1.
    fn rank(&self, id: &str, among: &[&str]) -> usize {
        let rows = self.summary.rows.iter().filter(|row| among.contains(&row.id.as_str()));
        1 + rows.take_while(|row| row.id != id).count()
    }
}

/// Pairs that are [far](FAR) apart have no interval of their own if they are `spared`.
fn rank_panel(id: &str, sides: &[Side<'_>], spared: bool) -> PanelRanking {
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
            // The designs have the order of the first session, so a pair in the other order is a change.
            let behind = |(one, other): (&usize, &usize)| one > other;
            let changes = one.ranks.iter().zip(&other.ranks).any(behind);
            let are_far = |side: &Side<'_>| side.are_far(&one.id, &other.id);
            if spared && sides.len() > 1 && !changes && sides.iter().all(are_far) {
                judged += 1;
                resolved += 1;
                continue;
            }
            let verdicts: Vec<Option<Verdict>> =
                judges.iter().map(|judge| judge.verdict(&one.id, &other.id)).collect();
            let differs =
                |verdict: &&Verdict| matches!(verdict, Verdict::Faster(_) | Verdict::Slower(_));
            judged += usize::from(verdicts.iter().flatten().count() > 1);
            resolved += usize::from(verdicts.iter().flatten().filter(differs).count() > 1);
            let pair = Moved { one: one.id.clone(), other: other.id.clone(), verdicts };
            if changes || pair.contradiction().is_some() {
                moved.push(pair);
            }
        }
    }
    let rounds = sides.iter().map(|side| side.summary.rounds).collect();
    PanelRanking { panel: id.to_owned(), rounds, designs, moved, judged, resolved }
}

#[cfg(test)]
mod tests {
    use raywalk_results::fixture::Recipe;

    use super::*;

    /// Two sessions of twelve processes, cut to so many rounds of each panel.
    fn sessions(seed: u64, rounds: usize) -> [Results; 2] {
        let recipe = Recipe { layouts: 0, shares: 12, ..Recipe::FULL };
        let mut results = [recipe.results(), Recipe { seed, ..recipe }.results()];
        for panel in results.iter_mut().flat_map(|results| &mut results.panels) {
            panel.rounds.truncate(rounds);
        }
        results
    }

    /// The pairs that are far apart, of all pairs. All counts are those of intervals.
    fn far_of(results: &[Results; 2]) -> (usize, usize) {
        let sessions: Vec<Judged<'_>> = results.iter().map(Judged::of).collect();
        let (mut far, mut all) = (0, 0);
        for panel in rank(&sessions).panels {
            let sides = sessions.iter().filter_map(|one| Side::of(one, &panel.panel));
            let sides: Vec<Side<'_>> = sides.collect();
            assert_eq!(rank_panel(&panel.panel, &sides, false), panel);
            let is_far = |one: &Ranked, other: &Ranked| {
                sides.iter().all(|side| side.are_far(&one.id, &other.id))
            };
            for (place, one) in panel.designs.iter().enumerate() {
                far += panel.designs[place + 1..].iter().filter(|other| is_far(one, other)).count();
            }
            all += panel.pairs();
        }
        (far, all)
    }

    #[test]
    fn distant_pairs_are_resolved_as_their_own_intervals_say() {
        for seed in [3, 7] {
            let (far, all) = far_of(&sessions(seed, usize::MAX));
            assert!(4 * far > all, "{far} of {all} pairs are spared");
        }
    }

    #[test]
    fn in_few_processes_no_pair_is_far_apart() {
        for rounds in [6, 7, 9] {
            assert_eq!(far_of(&sessions(3, rounds)).0, 0, "{rounds} rounds");
        }
    }
}
