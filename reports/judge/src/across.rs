//! Costs in two panels that have no round in common: how they change from one panel to the other.
//!
//! A cost is the time of a panel's baseline, multiplied by a ratio. The interval of a change combines the outer ends of
//! the intervals of both ratios, and adds the errors of both times, which contain how the machine changed from process
//! to process: as the root of their sum of squares, because the processes of a session measure both panels at other
//! moments. Its floor is the sum of the differences of both A/A controls, or the root of the sum of squares of both
//! spreads if that is larger. The intervals of a panel share their confidence, so any design may be picked from a list
//! of changes.

use raywalk_results::statistics::{Floor, Interval, Verdict};

use crate::format::{interval as ends_of, plural, range};
use crate::spread::Spread;
use crate::summary::{PanelSummary, Row};

/// The log ratio of two costs, each in a panel of its own, and its floor. `None` without intervals.
pub(crate) fn log_ratio(
    panels: [&PanelSummary; 2],
    rows: [&Row; 2],
    cost: impl Fn(&Row) -> Option<f64>,
) -> Option<(Interval, Floor)> {
    let [one, other] = rows.map(|row| cost(row).and_then(|cost| Some((cost, row.ends(cost)?))));
    let ((one, (one_low, one_high)), (other, (other_low, other_high))) = one.zip(other)?;
    let times = time_error(panels)?;
    let interval = Interval {
        low: (one_low / other_high).ln() - times,
        middle: (one / other).ln(),
        high: (one_high / other_low).ln() + times,
    };
    Some((interval, floor(panels, rows.map(|row| &row.spread))?))
}

/// Half the width of the interval of the ratio of two panels' times. `None` without intervals.
fn time_error(panels: [&PanelSummary; 2]) -> Option<f64> {
    let [one, other] = panels.map(|panel| panel.time_error);
    Some(one?.hypot(other?))
}

/// The floor of what is compared across two panels, each with the spread of its number. `None` without an A/A control.
pub(crate) fn floor(panels: [&PanelSummary; 2], spreads: [&Spread; 2]) -> Option<Floor> {
    let [a, b] = panels.map(|panel| panel.aa_control);
    let noise = a?.floor.log() + b?.floor.log();
    let [one, other] = spreads.map(|spread| spread.bound().map_or(0.0, |bound| bound.log));
    let floor = Floor::of(Interval { low: -noise, middle: 0.0, high: noise });
    Some(floor.widened(one.hypot(other)))
}

/// A design in two panels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change<'a> {
    /// The design in the first panel.
    pub row: &'a Row,
    /// Its cost in the second panel over that in the first.
    pub ratio: Interval,
    /// The verdict on the second panel.
    pub verdict: Verdict,
}

/// The changes of all designs from one panel to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Changes<'a> {
    /// The designs of which both costs have an interval.
    pub list: Vec<Change<'a>>,
    /// Number of designs that both panels have.
    pub designs: usize,
}

impl<'a> Changes<'a> {
    /// From the first panel to the second. `margin` is that of the session.
    pub fn of(
        panels: [&'a PanelSummary; 2],
        cost: fn(&Row) -> Option<f64>,
        margin: f64,
    ) -> Changes<'a> {
        let [from, to] = panels;
        let pairs = || from.rows.iter().filter_map(|row| Some((row, to.row(&row.id)?)));
        let change = |(row, later): (&'a Row, &Row)| {
            let (ratio, floor) = log_ratio([to, from], [later, row], cost)?;
            let verdict = Verdict::of(ratio, floor, margin);
            Some(Change { row, ratio: ratio.exp(), verdict })
        };
        Changes { list: pairs().filter_map(change).collect(), designs: pairs().count() }
    }

    /// The resolved changes as the end of a sentence about a cost, without a full stop:
    /// `rises for 9 of 12 designs (1.2-fold to 3.4-fold), most for Bell (3.3 to 3.5)`.
    pub fn text(&self) -> String {
        let rises = self.side("rises", |it| matches!(it.verdict, Verdict::Slower(_)));
        let falls = self.side("falls", |it| matches!(it.verdict, Verdict::Faster(_)));
        let sides: Vec<String> = rises.into_iter().chain(falls).collect();
        match sides.is_empty() {
            true => format!(
                "does not change by a resolved amount for any of {}",
                plural(self.designs, "design")
            ),
            false => sides.join(" and "),
        }
    }

    /// The designs with one kind of verdict, and the one that stands out from all others of them.
    fn side(&self, verb: &str, is: fn(&Change<'_>) -> bool) -> Option<String> {
        let here: Vec<&Change<'_>> = self.list.iter().filter(|it| is(it)).collect();
        let range = range(here.iter().map(|it| it.ratio))?;
        let range = range.replace(" to ", "-fold to ");
        let of = plural(self.designs, "design");
        let mut text = format!("{verb} for {} of {of} ({range}-fold)", here.len());
        let is_beyond = |one: &Change<'_>, other: &Change<'_>| match one.verdict {
            Verdict::Slower(_) => one.ratio.low > other.ratio.high,
            _ => one.ratio.high < other.ratio.low,
        };
        let stands_out = |one: &&&Change<'_>| {
            here.iter().all(|other| other.row.id == one.row.id || is_beyond(one, other))
        };
        if let (Some(most), true) = (here.iter().find(stands_out), here.len() > 1) {
            text.push_str(&format!(", most for {} ({})", most.row.name, ends_of(most.ratio)));
        }
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use raywalk_results::fixture::Recipe;
    use raywalk_results::journal::Results;

    use super::*;
    use crate::Judged;

    /// Two panels of the same times, those of the second multiplied by a factor for each design.
    fn two(factor: impl Fn(usize) -> f64) -> Results {
        let mut results = Recipe { designs: 4, ..Recipe::SMALL }.results();
        let mut copy = results.panels[0].clone();
        copy.panel.id.push_str("-again");
        let designs = copy.panel.designs.clone();
        for round in &mut copy.rounds {
            round.panel.clone_from(&copy.panel.id);
            for sample in &mut round.samples {
                let place = designs.iter().position(|id| *id == sample.design).unwrap_or(0);
                let scale = |ticks: u64| (ticks as f64 * factor(place)) as u64;
                sample.ticks = scale(sample.ticks);
                sample.blocks.iter_mut().for_each(|ticks| *ticks = scale(*ticks));
            }
        }
        results.panels.push(copy);
        results
    }

    fn told(results: &Results) -> String {
        let judged = Judged::of(results);
        let panels = [&judged.panels[0], judged.panels.last().expect("a panel")];
        Changes::of(panels, |row| Some(row.ns_position), results.session.margin).text()
    }

    #[test]
    fn only_resolved_changes_are_told_and_the_largest_only_if_it_stands_out() {
        let same = told(&two(|_| 1.0));
        assert_eq!(same, "does not change by a resolved amount for any of 4 designs");
        let up = told(&two(|_| 2.0));
        assert!(up.starts_with("rises for 4 of 4 designs (2.") && !up.contains("most"), "{up}");
        let one = told(&two(|place| if place == 2 { 4.0 } else { 2.0 }));
        let name = &fixture_name(2);
        assert!(one.contains(&format!(", most for {name} (")), "{one}");
        // The baseline changes the A/A control with it, and the others not.
        let down = told(&two(|place| if place == 1 { 0.5 } else { 1.0 }));
        assert!(down.starts_with("falls for 1 of 4 designs (0.5"), "{down}");
    }

    fn fixture_name(place: usize) -> String {
        let results = Recipe { designs: 4, ..Recipe::SMALL }.results();
        let id = &results.panels[0].panel.designs[place];
        results.design(id).expect("a design").name.clone()
    }

    #[test]
    fn without_an_interval_nothing_is_resolved() {
        let mut results = two(|_| 2.0);
        for panel in &mut results.panels {
            panel.rounds.truncate(3);
        }
        assert_eq!(told(&results), "does not change by a resolved amount for any of 4 designs");
    }
}
