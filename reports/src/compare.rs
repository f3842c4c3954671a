//! Two sessions against each other: did a design get slower between A and B?
//!
//! No round is in both, and between two sessions the machine may have changed its mind: the same
//! binary was seen to drift by a factor of 1.9 within half an hour. So a design is held against a
//! baseline that ran beside it, in each session by itself, and the two ratios are compared: what
//! drifts for both falls out. A baseline that changed itself would make a change of every other
//! design, so where it stands out among the changes the design in their middle takes its place. The
//! plain ratio of times stands beside it as the weaker number: nothing takes the drift out of it,
//! and it alone can tell that all designs changed together.
//!
//! What placement does to a design differs between processes and layouts. Where a session was made
//! of several, the spread of its ratio over them is known, and a change must exceed the spreads of
//! both sessions together. Where it was one process, nothing is known of that.

use std::fmt;

use crate::journal::{PanelRounds, Results};
use crate::schema::{Panel, Sample, Session};
use crate::shift::shift_interval;
use crate::spread::spread;
use crate::statistics::{Confidence, Floor, Interval, TooFew, Verdict, median, median_interval};
use crate::summary::ratios;

mod table;
pub use table::write;

/// What is asked.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// Which designs are judged, by id.
    pub wanted: &'a dyn Fn(&str) -> bool,
    /// The design that both sessions are held against; each panel's own if absent.
    pub baseline: Option<&'a str>,
    /// Changes within this share are of no interest; beyond it, slower is a regression.
    pub gate: f64,
}

/// Something in which two sessions differ, so that their numbers may not be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unlike {
    /// What.
    pub what: String,
    /// In A.
    pub a: String,
    /// In B.
    pub b: String,
}

impl fmt::Display for Unlike {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is `{}` in A and `{}` in B", self.what, self.a, self.b)
    }
}

/// Two sessions, panel by panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The panels that both have, in A's order.
    pub panels: Vec<PanelComparison>,
    /// Panels that only one of them has.
    pub left_out: Vec<String>,
    /// In how many intervals the confidence of 95 % is shared.
    pub comparisons: usize,
    /// [`Question::gate`].
    pub gate: f64,
}

/// One panel of both.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelComparison {
    /// As A has it.
    pub panel: Panel,
    /// Rounds in A and in B.
    pub rounds: [usize; 2],
    /// The design that both are held against.
    pub baseline: String,
    /// The panel's own baseline, if it changed so much that another took its place.
    pub replaced: Option<String>,
    /// Both A/A floors together, or none if one of them is not known.
    pub floor: Option<Floor>,
    /// The designs that both have, in A's order.
    pub rows: Vec<Row>,
}

/// One design in one panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Design id.
    pub id: String,
    /// Ratio to the baseline in B ÷ the same in A; absent for the baseline.
    pub relative: Option<Result<Interval, TooFew>>,
    /// Time per position in B ÷ the same in A. Weaker: the machine's drift is in it.
    pub time: Result<Interval, TooFew>,
    /// What may be said of the relative one.
    pub verdict: Option<Verdict>,
    /// What the relative one spreads by over the layouts or processes of A and of B together, in ln;
    /// absent if one of them does not know.
    pub spread: Option<f64>,
    /// Whether all of the interval lies beyond gate, floor and spread, on the slow side.
    pub regression: bool,
}

impl Comparison {
    /// Panel and design of each proved regression.
    pub fn regressions(&self) -> impl Iterator<Item = (&PanelComparison, &Row)> {
        let rows =
            self.panels.iter().flat_map(|panel| panel.rows.iter().map(move |row| (panel, row)));
        rows.filter(|(_, row)| row.regression)
    }
}

/// All in which two sessions differ that decides about time: processor, corpora, compiler and
/// flags, and what their common panels feed. Empty if they may be compared. (A journal of another
/// schema cannot even be read.)
pub fn unlike(a: &Results, b: &Results) -> Vec<Unlike> {
    type Part = fn(&Session) -> String;
    let parts: [(&str, Part); 6] = [
        ("the CPU", |s| format!("{}, {}", s.machine.cpu, s.machine.model)),
        ("the hypervisor", |s| s.machine.hypervisor.clone().unwrap_or_else(|| "none".to_owned())),
        ("the compiler", |s| s.build.rustc.clone()),
        ("the target", |s| s.build.target.clone()),
        ("the list of flags", |s| s.build.flags.clone()),
        ("the profile", |s| s.build.profile.clone()),
    ];
    let differ =
        |what: &str, a: String, b: String| (a != b).then(|| Unlike { what: what.to_owned(), a, b });
    let mut found: Vec<Unlike> = parts
        .iter()
        .filter_map(|(what, part)| differ(what, part(&a.session), part(&b.session)))
        .collect();
    for corpus in &a.session.corpora {
        let other = b.session.corpora.iter().find(|other| other.name == corpus.name);
        let what = format!("the digest of corpus {}", corpus.name);
        found.extend(
            other.and_then(|other| differ(&what, corpus.digest.clone(), other.digest.clone())),
        );
    }
    for (one, other) in common(a, b) {
        let fed = |panel: &Panel| {
            let Panel { workload, regime, stage, scope, positions, .. } = panel;
            let scope = scope.as_deref().unwrap_or("whole");
            format!("{workload}, {stage}, {scope}, {positions} positions, {regime:?}")
        };
        let what = format!("panel {}", one.panel.id);
        found.extend(differ(&what, fed(&one.panel), fed(&other.panel)));
    }
    found
}

/// The panels that both have, in A's order.
fn common<'a>(
    a: &'a Results,
    b: &'a Results,
) -> impl Iterator<Item = (&'a PanelRounds, &'a PanelRounds)> {
    a.panels.iter().filter_map(|one| {
        Some((one, b.panels.iter().find(|other| other.panel.id == one.panel.id)?))
    })
}

/// Compares what both sessions have. Whether they may be compared at all is for [`unlike`] to say.
pub fn compare<'a>(a: &'a Results, b: &'a Results, question: &Question<'a>) -> Comparison {
    let pairs: Vec<Pair<'_>> =
        common(a, b).filter_map(|(one, other)| Pair::of([a, b], [one, other], question)).collect();
    // Every interval that is shown is one that may miss: they share the confidence.
    let comparisons = pairs.iter().map(Pair::intervals).sum::<usize>().max(1);
    let confidence = Confidence::NINETY_FIVE.shared_by(comparisons);
    let panels = pairs.iter().map(|pair| pair.judge(confidence, question.gate)).collect();
    let only = |one: &Results, other: &Results| {
        let missing = |panel: &&PanelRounds| {
            other.panels.iter().all(|other| other.panel.id != panel.panel.id)
        };
        one.panels.iter().filter(missing).map(|panel| panel.panel.id.clone()).collect::<Vec<_>>()
    };
    let left_out = [only(a, b), only(b, a)].concat();
    Comparison { panels, left_out, comparisons, gate: question.gate }
}

/// A panel of both sessions with what is to be compared in it.
struct Pair<'a> {
    sessions: [&'a Results; 2],
    sides: [&'a PanelRounds; 2],
    hertz: [f64; 2],
    designs: Vec<&'a str>,
    baseline: &'a str,
    replaced: Option<&'a str>,
}

impl<'a> Pair<'a> {
    /// `None` if the two have no design in common, or not the baseline that is asked for.
    fn of(
        sessions: [&'a Results; 2],
        sides: [&'a PanelRounds; 2],
        question: &Question<'a>,
    ) -> Option<Pair<'a>> {
        let [a, b] = sides.map(|side| &side.panel);
        // A generator that became legal does other work: its times tell nothing of its speed.
        let promise = |results: &'a Results, id: &str| results.design(id).map(|d| &d.legality);
        let both: Vec<&str> = a
            .designs
            .iter()
            .filter(|id| b.designs.contains(id))
            .filter(|id| promise(sessions[0], id) == promise(sessions[1], id))
            .map(String::as_str)
            .collect();
        let own = [a.baseline.as_str(), b.baseline.as_str()];
        let own = own.into_iter().find(|id| both.contains(id)).or(both.first().copied())?;
        let hertz = sessions.map(|results| results.session.clock.hertz);
        let baseline = match question.baseline {
            Some(asked) => both.iter().copied().find(|id| *id == asked)?,
            None => steady(sides, hertz, &both, own, question.gate),
        };
        let replaced = (question.baseline.is_none() && baseline != own).then_some(own);
        let designs = both.into_iter().filter(|id| (question.wanted)(id)).collect();
        Some(Pair { sessions, sides, hertz, designs, baseline, replaced })
    }

    /// The baseline has one interval, all others two.
    fn intervals(&self) -> usize {
        self.designs.iter().map(|id| 1 + usize::from(*id != self.baseline)).sum()
    }

    fn judge(&self, confidence: Confidence, gate: f64) -> PanelComparison {
        let floor = self.floor();
        let rows = self.designs.iter().map(|id| self.row(id, floor, confidence, gate)).collect();
        PanelComparison {
            panel: self.sides[0].panel.clone(),
            rounds: self.sides.map(|side| side.rounds.len()),
            baseline: self.baseline.to_owned(),
            replaced: self.replaced.map(str::to_owned),
            floor,
            rows,
        }
    }

    fn row(&self, id: &str, floor: Option<Floor>, confidence: Confidence, gate: f64) -> Row {
        let relative = (id != self.baseline).then(|| {
            let [a, b] = self.sides.map(|side| ratios(side, id, self.baseline));
            shift_interval(&a, &b, confidence)
        });
        let [a, b] = [0, 1].map(|n| times(self.sides[n], self.hertz[n], id));
        let [from_a, from_b] = [0, 1].map(|n| self.spread(n, id));
        // A session that does not know its spread takes nothing off that of the other.
        let widest = from_a.unwrap_or(0.0) + from_b.unwrap_or(0.0);
        let floor = floor.map(|floor| floor.widened(widest));
        let known = relative.and_then(Result::ok).zip(floor);
        let beyond =
            |(interval, floor): (Interval, Floor)| interval.low > gate.ln_1p().max(floor.log());
        Row {
            id: id.to_owned(),
            relative: relative.map(|interval| interval.map(Interval::exp)),
            spread: from_a.zip(from_b).map(|(a, b)| a + b),
            time: shift_interval(&a, &b, confidence).map(Interval::exp),
            verdict: known.map(|(interval, floor)| Verdict::of(interval, floor, gate)),
            regression: known.is_some_and(beyond),
        }
    }

    /// What the ratio of a design spreads by in one of the sessions, in ln.
    fn spread(&self, side: usize, id: &str) -> Option<f64> {
        if id == self.baseline {
            return None;
        }
        let spread = spread(self.sessions[side], self.sides[side], id, self.baseline);
        spread.bound().map(|bound| bound.log)
    }

    /// How far a design may seem to differ from itself in A, and again in B.
    fn floor(&self) -> Option<Floor> {
        let [a, b] = self.sides.map(|side| {
            let itself = ratios(side, &side.panel.twin, &side.panel.baseline);
            median_interval(&itself, Confidence::NINETY_FIVE).ok().map(Floor::of)
        });
        let both = a?.log() + b?.log();
        Some(Floor::of(Interval { low: -both, middle: 0.0, high: both }))
    }
}

/// The panel's own baseline; or, if its change from A to B lies further than the gate from the
/// middle of all changes, the design in that middle. Of two designs nobody can tell which changed.
fn steady<'a>(
    sides: [&PanelRounds; 2],
    hertz: [f64; 2],
    designs: &[&'a str],
    own: &'a str,
    gate: f64,
) -> &'a str {
    let change = |id: &str| {
        let [a, b] = [0, 1].map(|n| median(&times(sides[n], hertz[n], id)));
        Some(b? - a?)
    };
    let mut changes: Vec<(f64, &str)> =
        designs.iter().filter_map(|&id| Some((change(id)?, id))).collect();
    changes.sort_by(|one, other| one.0.total_cmp(&other.0));
    let middle = changes.len().saturating_sub(1) / 2;
    match (change(own), changes.get(middle)) {
        (Some(by), Some(&(usual, id)))
            if changes.len() > 2 && (by - usual).abs() > gate.ln_1p() =>
        {
            id
        }
        _ => own,
    }
}

/// ln of the seconds per position, round by round.
fn times(side: &PanelRounds, hertz: f64, id: &str) -> Vec<f64> {
    let seconds = |sample: &Sample| sample.ticks as f64 / hertz / sample.positions as f64;
    side.samples(id).map(|sample| seconds(sample).ln()).collect()
}
