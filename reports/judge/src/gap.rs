//! Why one design is faster than another: the cycles of each design in parts, and the gap between any two.
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
//! Two of the three differences are explained further, and the rest is stated:
//!
//! * the work: the counted instructions, at the fewest cycles per instruction of any design of the session; then the
//!   time of the critical path, the longest dependency chain through the calls, beyond these instructions; the rest
//!   is the time of other waits. It is negative where the core looks further ahead than the path assumes. Without
//!   critical paths the chains count among the waits;
//! * the predictor: the modelled mispredictions of the stream beyond those of the replay, at the cost of a
//!   misprediction that the self-test has measured; the rest is the remainder, which no model explains.
//!
//! No coefficient is fitted to the gap, so the remainder is out of sample. Each part of a gap is the difference of the
//! parts of its two designs.

use raywalk_results::schema::{
    Control, Legality, Per, Quantity, Selftest, Stage, SweepLine, Trace, Unit,
};

use raywalk_results::statistics::Verdict;

use crate::Judged;
use crate::board_kind::BoardKind;
use crate::format::{certain, cost, grouped, rate};
use crate::summary::{PanelSummary, Row};

/// How the parts of a breakdown were found, as labels of tables state it.
pub const PROVENANCE: &str = "derived from measured cycles, counts and models";

/// Which panel a part is from: the words behind *that of the panel*.
pub const WHICH: &str = "of the stream, or of the learnt replay and its control";

/// Cycles of the designs of a session, split by cause, with the values that all designs share.
#[derive(Clone, Debug, PartialEq)]
pub struct Breakdown<'a> {
    /// The stream whose cycles are explained.
    pub panel: &'a PanelSummary,
    /// Designs of the panel, the fastest first.
    pub sides: Vec<Side<'a>>,
    /// Positions of the learnt replay.
    pub k: u64,
    /// Boards of the stream, as many as its positions.
    pub boards: u64,
    /// Cycles of a misprediction, as the self-test measured it.
    pub penalty: f64,
    /// Fewest cycles per instruction of any design, in the learnt replay.
    pub cycles_per_instruction: f64,
}

/// The gap between two designs, in core cycles per position.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap<'a> {
    /// The design that needs more cycles in the stream.
    pub slower: &'a Side<'a>,
    /// The design that needs fewer.
    pub faster: &'a Side<'a>,
    /// The gap, split by cause; the parts add up to it.
    pub parts: Vec<Part>,
}

/// One design. All values are per position.
#[derive(Clone, Debug, PartialEq)]
pub struct Side<'a> {
    /// The design in the stream.
    pub row: &'a Row,
    /// The kind of its board.
    pub board: BoardKind,
    /// Cycles of the learnt replay.
    pub learnt: f64,
    /// Cycles of the memory-matched control.
    pub matched: f64,
    /// Cycles of the stream.
    pub stream: f64,
    /// The cycles, split by cause; the parts add up to them.
    pub parts: Vec<Part>,
    /// Executed instructions, counted.
    pub instructions: f64,
    /// Cycles of the critical path, if the session has them for all designs.
    pub critical_path: Option<f64>,
    /// Mispredictions that the stream has more than the replay, modelled.
    pub misses: f64,
    /// Cache lines that a call touches, counted.
    pub lines: f64,
    /// Cycles per modelled misprediction by the design's own fit, if the session has one.
    pub slope: Option<f64>,
}

/// A part of the cycles of a design, or of a gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// The cause that these cycles are attributed to.
    pub cause: Cause,
    /// Cycles per position. In a gap those that the slower design takes more; negative if the faster one does.
    pub cycles: f64,
}

raywalk_results::texts! {
    /// Causes that cycles are attributed to.
    pub enum Cause: name {
        /// Executed instructions, at the best rate of any design.
        Instructions = "instructions",
        /// Dependency chains in learnt code.
        Chain = "dependency chain",
        /// Other waits in learnt code.
        Waits = "other waits",
        /// Dependency chains and other waits in learnt code, if the session has no critical paths.
        ChainAndWaits = "dependency chains and other waits",
        /// Memory traffic: the memory-matched replay less the learnt replay.
        Memory = "memory",
        /// Modelled mispredictions, each at the cost that the self-test measured.
        Mispredictions = "mispredictions (modelled)",
        /// Cost of the predictor beyond the modelled mispredictions.
        Remainder = "remainder",
    }
}

impl Cause {
    /// Method by which the part is computed, as a noun phrase.
    pub const fn explained(self) -> &'static str {
        match self {
            Cause::Instructions => {
                "counted instructions, at the fewest cycles per instruction of any design"
            }
            Cause::Chain => {
                "critical path, computed with measured latencies, less the instructions"
            }
            Cause::Waits => "the rest of the learnt replay",
            Cause::ChainAndWaits => "the rest of the learnt replay; no critical paths are known",
            Cause::Memory => "memory-matched replay less learnt replay, measured",
            Cause::Mispredictions => {
                "modelled mispredictions, at the cost of one that the self-test measured"
            }
            Cause::Remainder => "the rest of stream less memory-matched replay",
        }
    }
}

/// The parts of all designs that are traced. `None` if the session lacks a control, a trace, or a measured
/// misprediction cost.
pub fn breakdown<'a>(judged: &'a Judged<'a>) -> Option<Breakdown<'a>> {
    let matched = judged.matched()?;
    let rates = matched.short.rows.iter().filter_map(|row| {
        let trace = trace(judged, matched.long, &row.id)?;
        Some(row.cycles_position? / trace.counts.instructions)
    });
    // The best rate of any design, so that the rest of a design, its chain and waits, is never negative.
    let cycles_per_instruction = rates.reduce(f64::min)?;
    let penalty = misprediction_cost(judged)?;
    let critical_path = |row: &Row| trace(judged, matched.long, &row.id)?.critical_path;
    let traced = |row: &&Row| trace(judged, matched.long, &row.id).is_some();
    // All designs or none: `gap` subtracts the parts of two designs one by one, so both need the same causes.
    let has_paths = matched.long.rows.iter().filter(traced).all(|row| critical_path(row).is_some());
    let side = |row: &'a Row| {
        let trace = trace(judged, matched.long, &row.id)?;
        // The first model is the one that explains the clock best.
        let first = trace.predictors.first()?;
        let cycles = |panel: &PanelSummary| panel.row(&row.id)?.cycles_position;
        let (learnt, control) = (cycles(matched.short)?, cycles(matched.control)?);
        let stream = row.cycles_position?;
        // Those of the replay are in the learnt cycles already.
        let misses = first.stream - first.replay;
        let instructions = cycles_per_instruction * trace.counts.instructions;
        let path = critical_path(row).filter(|_| has_paths).map(|path| path.cycles);
        let rest = learnt - instructions;
        let mut parts = vec![(Cause::Instructions, instructions)];
        match path {
            Some(path) => {
                // A path shorter than the instructions costs nothing: the width of the core is the limit there.
                let chain = (path - instructions).max(0.0);
                parts.extend([(Cause::Chain, chain), (Cause::Waits, rest - chain)]);
            }
            None => parts.push((Cause::ChainAndWaits, rest)),
        }
        parts.extend([
            (Cause::Memory, control - learnt),
            (Cause::Mispredictions, penalty * misses),
            (Cause::Remainder, stream - control - penalty * misses),
        ]);
        let part = |(cause, cycles)| Part { cause, cycles };
        Some(Side {
            row,
            board: BoardKind::of(judged.results, &row.id),
            learnt,
            matched: control,
            stream,
            parts: parts.into_iter().map(part).collect(),
            instructions: trace.counts.instructions,
            critical_path: path,
            misses,
            lines: trace.caches.lines_per_position,
            slope: line(judged, &row.id).map(|line| line.slope),
        })
    };
    let mut sides: Vec<Side<'a>> = matched.long.rows.iter().filter_map(side).collect();
    sides.sort_by(|a, b| a.stream.total_cmp(&b.stream));
    let (k, boards) = (matched.k, matched.boards);
    Some(Breakdown { panel: matched.long, sides, k, boards, penalty, cycles_per_instruction })
}

impl Breakdown<'_> {
    /// The gap between the fastest branchy and the fastest branchless design that are pseudo-legal, on square boards,
    /// or on bitboards if these lack a class: between kinds of boards it would be one of boards.
    pub fn of_classes(&self) -> Option<Gap<'_>> {
        let fastest = |board, control| {
            // Legal designs do more work for fewer moves. The sides are sorted, so the first match is the fastest.
            let is_candidate = |side: &&Side<'_>| {
                let row = side.row;
                (side.board, row.legality, row.control) == (board, Legality::PseudoLegal, control)
            };
            self.sides.iter().find(is_candidate)
        };
        let of_board = |board| {
            Some(self.gap(fastest(board, Control::Branchy)?, fastest(board, Control::Branchless)?))
        };
        of_board(BoardKind::Squares).or_else(|| of_board(BoardKind::Bitboards))
    }

    /// The gap between any two designs, by their ids. `Err` is the id that has no parts.
    pub fn between<'b>(&self, one: &'b str, other: &'b str) -> Result<Gap<'_>, &'b str> {
        let side = |id| self.sides.iter().find(|side| side.row.id == id).ok_or(id);
        Ok(self.gap(side(one)?, side(other)?))
    }

    /// The gap and its largest part in a sentence. Digits end where the interval of the gap begins.
    pub(crate) fn reason(&self, gap: &Gap<'_>) -> String {
        let mut text = format!(
            "On {} different positions, {} takes {} cycles more per position than {}",
            grouped(self.boards),
            gap.slower.row.name,
            gap.shown(gap.cycles()),
            gap.faster.row.name,
        );
        let largest = gap.parts.iter().max_by(|a, b| a.cycles.abs().total_cmp(&b.cycles.abs()));
        if let Some(&Part { cause, cycles }) = largest {
            let direction = |cycles: f64| if cycles >= 0.0 { "more" } else { "fewer" };
            let (way, cause) = (direction(cycles), cause.name());
            text.push_str(&format!(
                "; the largest part is {} {way} for {cause}",
                gap.shown(cycles)
            ));
            // A part may be larger than the gap.
            let others = gap.cycles() - cycles;
            let (shown, way) = (gap.shown(others), direction(others));
            let is_nothing = shown.parse::<f64>().is_ok_and(|shown| shown == 0.0);
            if others * cycles < 0.0 && !is_nothing {
                text.push_str(&format!(", and the others add up to {shown} {way}"));
            }
        }
        text + "."
    }

    /// Whether the session resolves the gap, as a pair that may have been picked from all.
    pub(crate) fn is_resolved(&self, judged: &Judged<'_>, gap: &Gap<'_>) -> bool {
        let (slower, faster) = (&gap.slower.row.id, &gap.faster.row.id);
        let verdict = judged.pairs(self.panel).and_then(|pairs| pairs.verdict(slower, faster));
        matches!(verdict, Some(Verdict::Slower(_)))
    }

    /// The gap, its largest part and its remainder in words. Digits end where the interval of the gap begins.
    pub fn finding(&self, judged: &Judged<'_>, gap: &Gap<'_>) -> String {
        let remainder = gap.parts.iter().find(|part| part.cause == Cause::Remainder);
        let mut text = self.reason(gap);
        if !self.is_resolved(judged, gap) {
            text.push_str(" This session does not resolve the gap, so its parts may be noise.");
        }
        if let Some(&Part { cycles, .. }) = remainder {
            let left = gap.shown(cycles);
            text.push_str(&match cycles < 0.0 {
                true => format!(" The models explain {left} more than was measured."),
                false => format!(" No model explains {left}."),
            });
            text.push_str(
                " No coefficient is fitted to the gap, so this remainder is out of sample.",
            );
        }
        text.push_str(&format!(
            " A misprediction counts {} cycles, as the self-test measured it.",
            rate(self.penalty)
        ));
        let slopes: Vec<String> = [gap.slower, gap.faster]
            .into_iter()
            .filter_map(|side| Some(format!("{} for {}", rate(side.slope?), side.row.name)))
            .collect();
        if !slopes.is_empty() {
            text.push_str(&format!(" The fit gives each design its own: {}.", slopes.join(", ")));
        }
        text
    }

    fn gap<'a>(&self, one: &'a Side<'a>, other: &'a Side<'a>) -> Gap<'a> {
        // A gap is positive: the parts of the faster design are subtracted from those of the slower one.
        let (slower, faster) = if one.stream >= other.stream { (one, other) } else { (other, one) };
        let mut parts = slower.parts.clone();
        for (part, less) in parts.iter_mut().zip(&faster.parts) {
            part.cycles -= less.cycles;
        }
        Gap { slower, faster, parts }
    }
}

impl Gap<'_> {
    /// Cycles per position that the slower design takes more.
    pub fn cycles(&self) -> f64 {
        self.slower.stream - self.faster.stream
    }

    /// Cycles of the gap or of a part of it, without their sign, to the first uncertain digit of the gap.
    fn shown(&self, cycles: f64) -> String {
        certain(cycles.abs(), self.half_width().map(|half| half / cycles.abs()), cost)
    }

    /// Half the width of its interval in cycles, by those of both streams; `None` if one of them has no interval.
    fn half_width(&self) -> Option<f64> {
        // Half-widths are relative to the ratio; the two are combined as if they were independent.
        let of = |side: &Side<'_>| Some(side.stream * side.row.half_width?);
        Some(of(self.slower)?.hypot(of(self.faster)?))
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
pub fn misprediction_cost(judged: &Judged<'_>) -> Option<f64> {
    judged.results.selftest.iter().find_map(penalty)
}

fn penalty(selftest: &Selftest) -> Option<f64> {
    let unit = Unit { quantity: Quantity::Cycles, per: Some(Per::Miss) };
    let usable = selftest.trials.iter().filter(|trial| !trial.failed());
    usable.flat_map(|trial| &trial.found).find(|found| found.unit == unit).map(|found| found.value)
}
