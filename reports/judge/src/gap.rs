//! Why one design is faster than another: the gap between them in parts.
//!
//! The parts are separated by intervention, not by fitted coefficients. The same self-play positions are measured
//! three times: as a learnt replay of K, as a stream, and memory-matched, the K positions laid out as often as the
//! stream has boards.
//!
//! | from | to | differs in |
//! |---|---|---|
//! | nothing | learnt replay | the work itself |
//! | learnt replay | memory-matched | memory |
//! | memory-matched | stream | the predictor |
//!
//! Two of the three differences are explained further, and what is left is stated:
//!
//! * the work: the counted instructions, at the fewest cycles per instruction of any design of the session; the rest
//!   is the time that dependence chains and other waits add;
//! * the predictor: the modelled mispredictions that the stream has more than the replay, at the cost of a misprediction
//!   that the self-test has measured; the rest is the remainder, which no model explains.
//!
//! No coefficient is fitted to the gap, so the remainder is out of sample.

use raywalk_results::schema::{Legality, Per, Quantity, Selftest, Stage, SweepLine, Trace, Unit};

use crate::Judged;
use crate::memorisation::Matched;
use crate::summary::{PanelSummary, Row};

/// The gap between two designs, in core cycles per position.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap<'a> {
    /// The design that needs more cycles in the stream.
    pub slower: Side<'a>,
    /// The other one.
    pub faster: Side<'a>,
    /// What the gap is made of. The parts add up to it.
    pub parts: Vec<Part>,
    /// Positions of the learnt replay.
    pub k: u64,
    /// Boards of the stream.
    pub boards: u64,
    /// Cycles of a misprediction, as the self-test measured it.
    pub penalty: f64,
    /// Fewest cycles per instruction of any design, in the learnt replay.
    pub cycles_per_instruction: f64,
}

/// One design of a gap. All values are per position.
#[derive(Clone, Debug, PartialEq)]
pub struct Side<'a> {
    /// The design in the stream.
    pub row: &'a Row,
    /// Cycles of the learnt replay.
    pub learnt: f64,
    /// Cycles of the memory-matched control.
    pub matched: f64,
    /// Cycles of the stream.
    pub stream: f64,
    /// Instructions, counted.
    pub instructions: f64,
    /// Mispredictions that the stream has more than the replay, modelled.
    pub misses: f64,
    /// Cache lines that a call touches, counted.
    pub lines: f64,
    /// Cycles per modelled misprediction by the design's own fit, if the session has one.
    pub slope: Option<f64>,
}

/// A part of a gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// What it is due to.
    pub cause: Cause,
    /// Cycles per position that the slower design takes more for it; negative if the faster one does.
    pub cycles: f64,
}

/// What a part of a gap is due to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// More instructions.
    Instructions,
    /// Dependence chains and other waits in learnt code.
    Chains,
    /// Memory.
    Memory,
    /// Mispredictions, as modelled.
    Mispredictions,
    /// What the predictor costs beyond the modelled mispredictions.
    Remainder,
}

impl Cause {
    /// Its name in figures and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Cause::Instructions => "instructions",
            Cause::Chains => "dependence chains and other waits",
            Cause::Memory => "memory",
            Cause::Mispredictions => "mispredictions (modelled)",
            Cause::Remainder => "remainder",
        }
    }

    /// How it is found.
    pub const fn explained(self) -> &'static str {
        match self {
            Cause::Instructions => {
                "counted instructions, at the fewest cycles per instruction of any design"
            }
            Cause::Chains => "the rest of the learnt replay",
            Cause::Memory => "memory-matched replay less learnt replay, measured",
            Cause::Mispredictions => {
                "modelled mispredictions, at the cost of one that the self-test measured"
            }
            Cause::Remainder => "the rest of stream less memory-matched replay",
        }
    }
}

/// What is the same for all designs of a session.
struct Session<'a> {
    judged: &'a Judged<'a>,
    matched: Matched<'a>,
    penalty: f64,
    cycles_per_instruction: f64,
}

/// The gap between the fastest branchy and the fastest branchless design of the same legality in the stream of
/// the memorisation curve. `None` if the session lacks a control, a trace, or a measured misprediction cost.
pub fn gap<'a>(judged: &'a Judged<'a>) -> Option<Gap<'a>> {
    use raywalk_results::schema::Control::{Branchless, Branchy};
    let session = Session::of(judged)?;
    let rows =
        || session.matched.long.rows.iter().filter(|row| row.legality == Legality::PseudoLegal);
    let [branchy, branchless] =
        [Branchy, Branchless].map(|control| rows().find(|row| row.control == control));
    session.gap(branchy?, branchless?)
}

impl<'a> Session<'a> {
    fn of(judged: &'a Judged<'a>) -> Option<Session<'a>> {
        let matched = judged.matched()?;
        let rates = matched.short.rows.iter().filter_map(|row| {
            let trace = trace(judged, matched.long, &row.id)?;
            Some(row.cycles_position? / trace.counts.instructions)
        });
        let cycles_per_instruction = rates.reduce(f64::min)?;
        let penalty = penalty_of(judged)?;
        Some(Session { judged, matched, penalty, cycles_per_instruction })
    }

    fn side(&self, row: &'a Row) -> Option<Side<'a>> {
        let trace = trace(self.judged, self.matched.long, &row.id)?;
        let first = trace.predictors.first()?;
        let cycles = |panel: &PanelSummary| panel.row(&row.id)?.cycles_position;
        Some(Side {
            row,
            learnt: cycles(self.matched.short)?,
            matched: cycles(self.matched.control)?,
            stream: row.cycles_position?,
            instructions: trace.counts.instructions,
            misses: first.stream - first.replay,
            lines: trace.caches.lines_per_position,
            slope: line(self.judged, &row.id).map(|line| line.slope),
        })
    }

    fn gap(&self, one: &'a Row, other: &'a Row) -> Option<Gap<'a>> {
        let (one, other) = (self.side(one)?, self.side(other)?);
        let (slower, faster) = if one.stream >= other.stream { (one, other) } else { (other, one) };
        let more = |of: fn(&Side<'_>) -> f64| of(&slower) - of(&faster);
        let instructions = self.cycles_per_instruction * more(|side| side.instructions);
        let mispredictions = self.penalty * more(|side| side.misses);
        let parts = [
            (Cause::Instructions, instructions),
            (Cause::Chains, more(|side| side.learnt) - instructions),
            (Cause::Memory, more(|side| side.matched - side.learnt)),
            (Cause::Mispredictions, mispredictions),
            (Cause::Remainder, more(|side| side.stream - side.matched) - mispredictions),
        ];
        Some(Gap {
            parts: parts.map(|(cause, cycles)| Part { cause, cycles }).into(),
            slower,
            faster,
            k: self.matched.k,
            boards: self.matched.boards,
            penalty: self.penalty,
            cycles_per_instruction: self.cycles_per_instruction,
        })
    }
}

impl Gap<'_> {
    /// Cycles per position that the slower design takes more.
    pub fn cycles(&self) -> f64 {
        self.slower.stream - self.faster.stream
    }
}

/// The trace of a design on the workload of the stream.
fn trace<'a>(judged: &Judged<'a>, stream: &PanelSummary, design: &str) -> Option<&'a Trace> {
    judged.results.trace(design, &stream.panel.workload, Stage::All)
}

/// The line of the first model for a design.
fn line<'a>(judged: &Judged<'a>, design: &str) -> Option<&'a SweepLine> {
    let fit = judged.results.fit.as_ref()?;
    fit.designs.iter().find(|it| it.design == design)?.lines.first()?.as_ref()
}

/// The cost of a misprediction in cycles, as the self-test of a session measured it.
pub(crate) fn penalty_of(judged: &Judged<'_>) -> Option<f64> {
    judged.results.selftest.iter().find_map(penalty)
}

fn penalty(selftest: &Selftest) -> Option<f64> {
    let unit = Unit { quantity: Quantity::Cycles, per: Some(Per::Miss) };
    let usable = selftest.trials.iter().filter(|trial| !trial.failed());
    usable.flat_map(|trial| &trial.found).find(|found| found.unit == unit).map(|found| found.value)
}
