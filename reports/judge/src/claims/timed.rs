//! Comparisons of times, panel by panel.

use std::collections::{BTreeSet, HashMap};
use std::slice;

use raywalk_results::schema::{Call, Design, Legality, Status};
use raywalk_results::statistics::{Confidence, Floor, Interval, Verdict};

use super::condition::{Condition, Kind, Outcome, Place};
use super::data::{Comparison, Where, call, matches};
use crate::Judged;
use crate::across;
use crate::memorisation::returns_after;
use crate::pair;
use crate::spread::Spread;
use crate::summary::{PanelSummary, Row};

/// A session with the numbers of its designs, by which patterns find them quickly: there are many claims,
/// panels and designs.
pub(super) struct Session<'a> {
    judged: &'a Judged<'a>,
    /// For each panel the place of each row's design in the list of designs.
    designs: Vec<Vec<usize>>,
}

impl<'a> Session<'a> {
    pub(crate) fn of(judged: &'a Judged<'a>) -> Session<'a> {
        let all = judged.results.designs.iter().zip(0..);
        let places: HashMap<&str, usize> = all.map(|(design, n)| (&*design.id, n)).collect();
        // The reader has refused a panel that names an unknown design.
        let of_panel =
            |panel: &PanelSummary| panel.rows.iter().map(|row| places[row.id.as_str()]).collect();
        Session { judged, designs: judged.panels.iter().map(of_panel).collect() }
    }

    /// The designs that a pattern names, by their place in the list.
    fn named(&self, pattern: &String) -> Vec<bool> {
        let designs = self.judged.results.designs.iter();
        designs.map(|design| matches(slice::from_ref(pattern), &design.id)).collect()
    }

    /// The rows of one side of a comparison, the fastest first. Empty if a pattern has no design in the panel:
    /// the best of a part would not stand for all.
    fn rows(&self, panel: usize, side: &[Vec<bool>]) -> Vec<&'a Row> {
        let designs = &self.designs[panel];
        let has = |named: &Vec<bool>| designs.iter().any(|&design| named[design]);
        if !side.iter().all(has) {
            return Vec::new();
        }
        let rows = self.judged.panels[panel].rows.iter().zip(designs);
        let named = |&(_, &design): &(&Row, &usize)| side.iter().any(|named| named[design]);
        rows.filter(named).map(|(row, _)| row).collect()
    }

    /// A panel that differs from this one in its call.
    fn beside(&self, panel: &PanelSummary, call: Call) -> Option<usize> {
        let alike = |other: &PanelSummary| {
            let (one, other) = (&panel.panel, &other.panel);
            (&one.workload, &one.regime, call) == (&other.workload, &other.regime, other.call)
        };
        self.judged.panels.iter().position(alike)
    }

    /// The panels with the same two designs and the same call that lie in `place`. What it does not name is as in the
    /// panel.
    fn against(&self, panel: usize, place: &Where, [one, other]: [&Row; 2]) -> Vec<usize> {
        let summaries = &self.judged.panels;
        let from = &summaries[panel].panel;
        let is_meant = |number: &usize| {
            let to = &summaries[*number].panel;
            let is_alike = (!place.workloads.is_empty() || to.workload == from.workload)
                && (!place.orders.is_empty() || to.regime.order == from.regime.order)
                && (!place.regimes.is_empty() || to.regime == from.regime);
            *number != panel
                && to.call == from.call
                && is_alike
                && place.accepts(&to.regime, &to.workload)
                && [one, other].iter().all(|row| summaries[*number].row(&row.id).is_some())
        };
        (0..summaries.len()).filter(is_meant).collect()
    }
}

/// Two designs to compare, and where.
struct Match<'a> {
    test: usize,
    comparison: &'a Comparison,
    panel: usize,
    /// The panel of the other side, if it is not the same.
    beside: Option<usize>,
    /// The panel with whose ratio that of this one is compared, if it is not compared with 1.
    against: Option<usize>,
    one: &'a Row,
    other: &'a Row,
    /// Number of pairs that these two were chosen from.
    chosen_from: usize,
}

/// The outcome of each comparison in each panel that matches it. All share 95 %.
pub(super) fn conditions(session: &Session<'_>, tests: &[Comparison]) -> Vec<Condition> {
    let found: Vec<Match<'_>> =
        tests.iter().enumerate().flat_map(|(test, one)| matching(session, test, one)).collect();
    let pairs: usize = found.iter().map(|one| one.chosen_from).sum();
    let confidence = Confidence::NINETY_FIVE.shared_by(pairs);
    found.iter().map(|one| condition(session.judged, one, confidence)).collect()
}

fn matching<'a>(session: &Session<'a>, test: usize, comparison: &'a Comparison) -> Vec<Match<'a>> {
    let summaries = &session.judged.panels;
    let calls = comparison.calls();
    let named = |side: &[String]| side.iter().map(|one| session.named(one)).collect::<Vec<_>>();
    let sides = [named(&comparison.one), named(&comparison.other)];
    let other_call = comparison.other_call.as_deref().and_then(call);
    let mut found = Vec::new();
    for (number, summary) in summaries.iter().enumerate() {
        let panel = &summary.panel;
        let is_meant =
            calls.contains(&panel.call) && comparison.place.accepts(&panel.regime, &panel.workload);
        if !is_meant {
            continue;
        }
        let beside = match other_call {
            None => None,
            Some(call) => match session.beside(summary, call) {
                Some(beside) => Some(beside),
                None => continue,
            },
        };
        let ones = session.rows(number, &sides[0]);
        let mut others = session.rows(beside.unwrap_or(number), &sides[1]);
        // With two calls a design may be compared with itself.
        if beside.is_none() {
            others.retain(|row| !matches(&comparison.one, &row.id));
        }
        let of_other = beside.map_or(summary, |beside| &summaries[beside]);
        // Legal and pseudo-legal generators do the same work only where they walk a recorded search.
        let meet = panel.call.is_walk() && of_other.panel.call.is_walk();
        let groups: &[Option<Legality>] =
            if meet { &[None] } else { &[Some(Legality::PseudoLegal), Some(Legality::Legal)] };
        for legality in groups {
            let allowed = |row: &&&Row| legality.is_none_or(|it| row.legality == it);
            let (ones, others) = (|| ones.iter().filter(allowed), || others.iter().filter(allowed));
            let Some((&one, &other)) = ones().next().zip(others().next()) else { continue };
            let chosen_from = ones().count() * others().count();
            let panel = number;
            let against: Vec<Option<usize>> = match &comparison.against {
                None => vec![None],
                Some(place) => {
                    session.against(panel, place, [one, other]).into_iter().map(Some).collect()
                }
            };
            found.extend(against.into_iter().map(|against| Match {
                test,
                comparison,
                panel,
                beside,
                against,
                one,
                other,
                chosen_from,
            }));
        }
    }
    found
}

fn condition(judged: &Judged<'_>, found: &Match<'_>, confidence: Confidence) -> Condition {
    let &Match { test, comparison, panel, beside, against, one, other, .. } = found;
    let (found, spread) = match beside {
        Some(beside) => across(judged, [panel, beside], [one, other], comparison.factor),
        None => within(judged, panel, [one, other], comparison.factor, confidence),
    };
    let there = against.map(|against| {
        let (found, spread) = within(judged, against, [one, other], 1.0, confidence);
        (&judged.panels[against], found, spread)
    });
    let found = match &there {
        Some((panel_there, there, spread_there)) => {
            let floor =
                across::floor([&judged.panels[panel], panel_there], [&spread, spread_there]);
            let ratios = found.zip(*there).map(|((here, _), (there, _))| change(here, there));
            ratios.zip(floor)
        }
        None => found,
    };
    let margin = judged.results.session.margin;
    let verdict = found.map(|(interval, floor)| Verdict::of(interval, floor, margin));
    let band = found.and_then(|(interval, floor)| Verdict::band(interval, floor));
    let summary = &judged.panels[panel];
    let regime = &summary.panel.regime;
    let learnt = [one, other].map(|row| judged.has_memorised(&summary.panel, &row.id));
    let memorised = match learnt {
        [Some(one), Some(other)] => Some([one, other]),
        _ => None,
    };
    let spreads = || [&spread].into_iter().chain(there.iter().map(|(.., spread)| spread));
    let layouts_of = |spread: &Spread| {
        spread.effects.iter().map(|effect| effect.layout).collect::<BTreeSet<_>>().len()
    };
    Condition {
        one: Some(one.id.clone()),
        other: Some(other.id.clone()),
        place: Place {
            panel: Some(summary.panel.id.clone()),
            against: there.as_ref().map(|(summary, ..)| summary.panel.id.clone()),
            workload: Some(summary.panel.workload.clone()),
            regime: Some(regime.kind),
            order: Some(regime.order),
            call: Some(summary.panel.call),
            memorised,
            moves: Some(one.moves),
            returns: Some(
                returns_after(&summary.panel).map_or(f64::INFINITY, |count| count as f64),
            ),
            ..Place::default()
        },
        verdict,
        band,
        layouts: spreads().map(layouts_of).min().unwrap_or(0),
        processes: spreads().map(|spread| spread.effects.len()).min().unwrap_or(0),
        ..Condition::new(
            test,
            Kind::Measured,
            Outcome::of(comparison.expect, comparison.factor, verdict),
        )
    }
}

/// The interval of two designs by the rounds of one panel, and its floor.
fn within(
    judged: &Judged<'_>,
    panel: usize,
    [one, other]: [&Row; 2],
    factor: f64,
    confidence: Confidence,
) -> (Option<(Interval, Floor)>, Spread) {
    let aa_control = judged.panels[panel].aa_control;
    let Some(estimate) = judged.times[panel].estimate(&one.id, &other.id) else {
        return (None, Spread::default());
    };
    let spread = Spread::of(&estimate);
    let interval = estimate.interval(confidence).ok().map(|interval| shifted(interval, factor));
    (interval.zip(pair::floor(aa_control, &spread)), spread)
}

/// The interval of two designs, or of one, in two panels, and its floor.
fn across(
    judged: &Judged<'_>,
    panels: [usize; 2],
    rows: [&Row; 2],
    factor: f64,
) -> (Option<(Interval, Floor)>, Spread) {
    let panels = panels.map(|panel| &judged.panels[panel]);
    let found = across::log_ratio(panels, rows, |row| Some(row.ns_position));
    (found.map(|(interval, floor)| (shifted(interval, factor), floor)), rows[0].spread.clone())
}

/// The log ratio of one panel less that of another. The panels have no round in common, so the outer ends of both
/// intervals are combined, which is wider than necessary.
fn change(here: Interval, there: Interval) -> Interval {
    Interval {
        low: here.low - there.high,
        middle: here.middle - there.middle,
        high: here.high - there.low,
    }
}

/// The interval of log ratios with the other cost multiplied by a factor.
fn shifted(interval: Interval, factor: f64) -> Interval {
    let by = factor.ln();
    Interval { low: interval.low - by, middle: interval.middle - by, high: interval.high - by }
}

/// Names the data that a session without a condition lacks for a comparison.
pub(super) fn missing(designs: &[Design], comparison: &Comparison) -> String {
    let absent = absent(designs, &comparison.one).or_else(|| absent(designs, &comparison.other));
    absent.unwrap_or_else(|| {
        let calls: Vec<String> = comparison.calls().iter().map(|call| call.label()).collect();
        let mut place = comparison.place.text();
        if let Some(against) = &comparison.against {
            let against = against.text();
            let against = against.strip_prefix("; ").unwrap_or(&against);
            place.push_str(&format!("; with a second panel: {against}"));
        }
        format!("no panel of the session has both sides ({}{place})", calls.join(" or "))
    })
}

/// Why one of these patterns has no design that takes part; `None` if each has one.
pub(super) fn absent(designs: &[Design], patterns: &[String]) -> Option<String> {
    patterns.iter().find_map(|pattern| absent_one(designs, pattern))
}

fn absent_one(designs: &[Design], pattern: &String) -> Option<String> {
    let is_named = |id: &str| matches(slice::from_ref(pattern), id);
    let named = || designs.iter().filter(|design| is_named(&design.id));
    if named().any(|design| matches!(design.status, Status::Verified { .. })) {
        return None;
    }
    Some(match named().next().map(|design| (&design.id, &design.status)) {
        Some((id, Status::Missing { why })) => format!("`{id}` needs {why}"),
        Some((id, Status::Wrong { why })) => format!("`{id}` failed its verification: {why}"),
        _ => format!("`{pattern}` is not in the session"),
    })
}
