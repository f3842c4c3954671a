//! Dependency chains of the walks: predicted from the compiled code, and measured on this machine.
//!
//! | module | what it does |
//! |---|---|
//! | `lone` | positions with one slider on an empty board |
//! | `iterations` | the iteration of the inner loop that a design executes there, from exact traces |
//! | `plane` | splits cycles into those per call, per ray and per visited square |
//! | `mca` | the simulation of the same instructions by `llvm-mca` |
//!
//! This module joins them. The prediction comes from the instructions of the iteration and the latencies of this
//! machine. The measurement is a slope: one call walks the rays of one slider, calls are fenced, and the number of
//! visited squares varies from 7 to 27 while everything else stays the same. The costs per call and per ray drop out of
//! the slope. Every position is repeated until it is learnt, so nothing is mispredicted.

use anyhow::Result;
use raywalk_audit::{Audit, Chain, EntryStage, Iteration};
use raywalk_core::Position;
use raywalk_judge::chains::Limit;
use raywalk_measure::clock::Clock;
use raywalk_measure::design::Design;
use raywalk_measure::latency::{Latencies, one_by_one};
use raywalk_results::schema::{self, Call, Scope, SlopeInterval};
use raywalk_trace::TraceError;

use crate::audit;
use crate::latencies::latency;
use crate::registry::Entry;

mod iterations;
mod lone;
mod mca;
mod plane;

pub(crate) use lone::Lone;
pub(crate) use mca::{Mca, McaIteration};
pub(crate) use plane::Plane;

/// The chain of a design, and what was measured.
pub(crate) struct Walk {
    /// The pieces that were generated for: sliders only, or all pieces, with the king.
    pub(crate) scope: Scope,
    /// The iteration that was executed most.
    pub(crate) iteration: Iteration,
    /// Its longest loop-carried chain; `None` if no iteration waits for the one before.
    pub(crate) chain: Option<Chain>,
    /// Instructions of the iteration whose latency was assumed.
    pub(crate) assumed: Vec<String>,
    /// Iterations of the loop, per call, per ray and per visited square.
    pub(crate) iterations: Plane,
    /// Places where the loop can be entered. With several there may be more iterations than are counted.
    pub(crate) entries: usize,
    /// Executed instructions, per call, per ray and per visited square.
    pub(crate) instructions: Plane,
    /// Measured core cycles, per call, per ray and per visited square.
    pub(crate) cycles: Plane,
    /// The 95 % interval of their slope over the visited squares.
    pub(crate) interval: Option<SlopeInterval>,
    /// The simulation of the iteration by `llvm-mca`, if it is installed.
    pub(crate) mca: Option<Result<McaIteration, String>>,
}

impl Walk {
    /// Cycles per visited square if nothing but the chain limits the walk.
    pub(crate) fn predicted(&self) -> f64 {
        self.chain.as_ref().map_or(0.0, |chain| chain.cycles) * self.iterations.per_square
    }

    /// The same by `llvm-mca`, whose number includes limits of throughput.
    pub(crate) fn predicted_by_mca(&self) -> Option<f64> {
        let iteration = self.mca.as_ref()?.as_ref().ok()?;
        Some(iteration.cycles * self.iterations.per_square)
    }

    /// The limit of the walk, from predicted and measured cycles per visited square.
    pub(crate) fn limit(&self) -> Limit {
        Limit::of(self.predicted(), self.cycles.per_square)
    }

    /// The record of a journal.
    pub(crate) fn record(&self, entry: &Entry) -> schema::Chain {
        let steps = self.chain.iter().flat_map(|chain| &chain.steps);
        schema::Chain {
            design: entry.card.id.to_owned(),
            scope: self.scope,
            steps: steps.map(|step| step.cycles).collect(),
            turns: self.chain.as_ref().map_or(1, |chain| chain.iterations as u64),
            predicted: self.predicted(),
            simulated: self.predicted_by_mca(),
            assumed: Some(self.assumed.clone()),
            measured: self.cycles.per_square,
            interval: self.interval,
            per_ray: self.cycles.per_ray,
            residual: self.cycles.residual,
            instructions: self.instructions.per_square,
        }
    }
}

/// Reason why a design has no chain.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoChain {
    /// The design is not built, because this machine lacks a CPU feature.
    #[error("needs {0}")]
    Missing(raywalk_core::Feature),
    /// The entry could not be traced.
    #[error(transparent)]
    Untraced(#[from] TraceError),
    /// No loop that grows with the number of squares.
    #[error("executes no inner loop on a lone slider")]
    NoLoop,
    /// The slopes cannot be told apart.
    #[error("the clock rate of the core is unknown")]
    NoClock,
}

/// Input shared by the chains of all designs.
pub(crate) struct Bench<'a, C> {
    pub(crate) audit: &'a Audit<'a>,
    pub(crate) clock: &'a C,
    pub(crate) latencies: &'a Latencies,
    pub(crate) mca: Option<&'a Mca>,
    pub(crate) lone: &'a [Lone],
}

impl<C: Clock> Bench<'_, C> {
    /// The chain of a design and its measured cycles.
    ///
    /// # Errors
    /// An entry whose code is not found. A design without a chain is no error.
    pub(crate) fn walk(&self, entry: &Entry) -> Result<Result<Walk, NoChain>> {
        let stages = [EntryStage::Sliders, EntryStage::All];
        let subjects = audit::subjects(&stages);
        let of_stage = |stage: &EntryStage| {
            let is_wanted = |subject: &&raywalk_audit::Subject| {
                subject.design == entry.card.id && subject.stage == *stage
            };
            subjects.iter().find(is_wanted).map(|subject| (*stage, subject))
        };
        let (stage, subject) =
            stages.iter().find_map(of_stage).expect("every design has an entry for all moves");
        let report = self.audit.examine(subject)?;
        let mut design = match entry.build() {
            Ok(design) => design,
            Err(feature) => return Ok(Err(NoChain::Missing(feature))),
        };
        let call = audit::call_of(stage);
        let positions: Vec<Position> = self.lone.iter().map(|lone| lone.position).collect();
        design.prepare_for(call);
        design.load(&positions);
        let executed =
            iterations::executed(&report, subject.address, &mut *design, call, &positions);
        let executed = match executed {
            Ok(Some(executed)) => executed,
            Ok(None) => return Ok(Err(NoChain::NoLoop)),
            Err(error) => return Ok(Err(error.into())),
        };
        let Some(iteration) = self.audit.iteration(&executed.iteration) else {
            return Ok(Err(NoChain::NoLoop));
        };
        let Some(cycles) = self.cycles(&mut *design, call) else {
            return Ok(Err(NoChain::NoClock));
        };
        let texts = iteration.texts();
        let is_assumed = |n: &usize| texts[*n].clone();
        let plane = |values: &[f64]| Plane::through(self.lone, values);
        Ok(Ok(Walk {
            scope: call.scope().unwrap_or(Scope::Whole),
            chain: iteration.chain(&|operation| latency(self.latencies, operation)),
            assumed: iteration.unknown().iter().map(is_assumed).collect(),
            iterations: plane(&executed.iterations),
            entries: executed.entries,
            instructions: plane(&executed.instructions),
            cycles: plane(&cycles),
            interval: Plane::interval_of_slope(self.lone, &cycles),
            mca: self.mca.map(|mca| mca.examine(&texts)),
            iteration,
        }))
    }

    /// Cycles of one call for each position.
    fn cycles(&self, design: &mut dyn Design, call: Call) -> Option<Vec<f64>> {
        let one = |place: usize| {
            one_by_one(self.clock, || {
                std::hint::black_box(design.pass(call.into(), place..place + 1));
            })
        };
        (0..self.lone.len()).map(one).collect()
    }
}
