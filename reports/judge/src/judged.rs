//! A session with everything that is computed from it.

use raywalk_core::parallel;
use raywalk_results::journal::{PanelRounds, Results};
use raywalk_results::schema::Panel;

use crate::boards;
use crate::lead::Lead;
use crate::memorisation::{self, Curve, Matched};
use crate::pair::{Compared, PairJudge};
use crate::ratios::Times;
use crate::summary::{PanelSummary, Row};
use crate::trust::{Trust, trust};

/// A session with its summaries. Made once; page, terminal, ranking and comparison read it.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged<'a> {
    /// The journal as read, with all rounds.
    pub results: &'a Results,
    /// One summary per panel, in the order of the plan.
    pub panels: Vec<PanelSummary>,
    /// The times of the panels, in the same order.
    pub times: Vec<Times>,
    /// Resolution of the session, and the problems that limit it.
    pub trust: Trust,
}

impl<'a> Judged<'a> {
    /// Summarises every panel, and the session as a whole.
    pub fn of(results: &'a Results) -> Judged<'a> {
        let judge = |rounds: &PanelRounds| {
            let times = Times::of(results, rounds);
            (PanelSummary::of(results, rounds, &times), times)
        };
        // A full session has more than a hundred panels.
        let (panels, times): (Vec<_>, Vec<_>) =
            parallel::map(&results.panels, judge).into_iter().unzip();
        let trust = trust(results, &times, &panels, headline(results, &panels));
        Judged { results, panels, times, trust }
    }

    /// Leaves out panels, so that all tables are about the others.
    pub fn keep(&mut self, is_kept: impl Fn(&Panel) -> bool) {
        let kept: Vec<bool> = self.panels.iter().map(|summary| is_kept(&summary.panel)).collect();
        // `retain` visits each element once, in order.
        let mut places = kept.iter();
        self.panels.retain(|_| places.next() == Some(&true));
        let mut places = kept.iter();
        self.times.retain(|_| places.next() == Some(&true));
    }

    /// The panel that stands for the session: the one that the plan names, or else the first plain
    /// one, or else the first. Panels without rounds are passed over; `None` if there are no others.
    pub fn headline(&self) -> Option<&PanelSummary> {
        headline(self.results, &self.panels)
    }

    /// The summary of a panel.
    pub fn panel(&self, id: &str) -> Option<&PanelSummary> {
        self.panels.iter().find(|summary| summary.panel.id == id)
    }

    /// Judges pairs of designs of a panel. Any pair may be picked, because all share the confidence. `None` if the
    /// session has no such panel.
    pub(crate) fn pairs(&self, panel: &PanelSummary) -> Option<PairJudge<'_>> {
        let place = self.panels.iter().position(|it| it.panel.id == panel.panel.id)?;
        let designs = panel.panel.designs.len();
        let pairs = designs * designs.saturating_sub(1) / 2;
        Some(PairJudge::new(self.results, &self.times[place], panel.aa_control, pairs))
    }

    /// Two designs of a panel against each other. Any pair may be picked. `None` without an interval or an A/A control.
    pub fn compared(&self, panel: &PanelSummary, one: &Row, other: &Row) -> Option<Compared> {
        self.pairs(panel)?.compared(&one.id, &other.id)
    }

    /// Two designs against each other in the geometric mean over panels, as if the errors of all had one cause. Any
    /// pair may be picked. `None` without panels, and without an interval or an A/A control in each.
    pub(crate) fn compared_over(
        &self,
        panels: &[&PanelSummary],
        one: &Row,
        other: &Row,
    ) -> Option<Compared> {
        let each = panels.iter().map(|panel| self.compared(panel, one, other));
        Compared::mean(&each.collect::<Option<Vec<Compared>>>()?, self.results.session.margin)
    }

    /// The lead of the first of some rows of a panel, which are sorted by time. `None` without rows.
    pub fn lead<'r>(
        &self,
        panel: &PanelSummary,
        rows: impl IntoIterator<Item = &'r Row>,
    ) -> Option<Lead<'r>> {
        let mut rows = rows.into_iter().peekable();
        let first = rows.peek()?.id.clone();
        let judge = self.pairs(panel);
        Lead::of(rows, |row| judge.as_ref()?.verdict(&row.id, &first))
    }

    /// The panels that are points of the memorisation curve and have rounds, each with its K, by
    /// rising K. Of two with the same K the first of the plan is kept.
    pub fn memorisation(&self) -> Vec<(u64, &PanelSummary)> {
        memorisation::points(&self.panels)
    }

    /// The memory-matched control of the memorisation curve, if the session has it and the points that it
    /// separates.
    pub fn matched(&self) -> Option<Matched<'_>> {
        memorisation::matched(&self.panels)
    }

    /// Whether a design has memorised the positions of a panel, by its own memorisation curve. `None` if
    /// the session has no curve that shows it.
    pub fn has_memorised(&self, panel: &Panel, id: &str) -> Option<bool> {
        let Some(k) = memorisation::returns_after(panel) else { return Some(false) };
        let cost = |&(k, summary): &(u64, &PanelSummary)| Some((k, summary.row(id)?.ns_move?));
        let costs: Vec<_> = self.memorisation().iter().filter_map(cost).collect();
        memorisation::has_memorised(&costs, k)
    }

    /// The marks of each row of a panel. `memorised` states for each whether the design [has memorised the
    /// positions](Self::has_memorised).
    pub fn marks(
        &self,
        summary: &PanelSummary,
        memorised: &[Option<bool>],
    ) -> Vec<Vec<&'static str>> {
        let beyond = boards::marked(self.results, summary);
        let of = |(memorised, is_beyond): (&Option<bool>, bool)| {
            let known = (*memorised == Some(true)).then_some(memorisation::MARK);
            known.into_iter().chain(is_beyond.then_some(boards::MARK)).collect()
        };
        memorised.iter().zip(beyond).map(of).collect()
    }

    /// The memorisation curves of the designs that all points have, in the order of the registry.
    /// Empty below two points.
    pub fn curves(&self) -> Vec<Curve> {
        memorisation::curves(&self.panels)
    }
}

fn headline<'a>(results: &Results, panels: &'a [PanelSummary]) -> Option<&'a PanelSummary> {
    let measured = || panels.iter().filter(|summary| !summary.rows.is_empty());
    measured()
        .find(|summary| summary.panel.id == results.session.headline)
        .or_else(|| measured().find(|summary| summary.panel.is_plain()))
        .or_else(|| measured().next())
}

#[cfg(test)]
mod tests {
    use raywalk_results::fixture::Recipe;

    use super::*;

    #[test]
    fn panels_that_are_left_out_take_their_times_with_them() {
        let results = Recipe { designs: 3, ..Recipe::SMALL }.results();
        let whole = Judged::of(&results);
        let mut judged = whole.clone();
        judged.keep(|panel| panel.workload == "ab4");
        assert_eq!((judged.panels.len(), judged.times.len()), (1, 1));
        assert_eq!(judged.panels[0].panel.workload, "ab4");
        let place = whole.panels.iter().position(|summary| summary.panel.workload == "ab4");
        assert_eq!(Some(&judged.times[0]), place.map(|place| &whole.times[place]));
        assert_eq!(judged.headline().map(|panel| &*panel.panel.workload), Some("ab4"));
    }
}
