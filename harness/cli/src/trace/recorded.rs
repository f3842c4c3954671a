//! Records the branches of positions with breakpoints.

use raywalk_core::Position;
use raywalk_measure::design::Design;
use raywalk_models::branch::{Event, Recording};
use raywalk_results::schema::{Call, Scope, Stage};
use raywalk_trace::{Branch, BranchKind, Code, Trace, TraceError, Tracer, image_base};

/// A position that was followed.
pub(crate) struct Followed<'a> {
    pub(crate) place: usize,
    pub(crate) moves: u64,
    pub(crate) code: &'a Code,
    pub(crate) trace: &'a Trace,
}

/// Records a stage of a design. `each` is given every position.
pub(crate) fn record(
    entry: usize,
    design: &mut dyn Design,
    stage: Stage,
    positions: &[Position],
    mut each: impl FnMut(&Followed<'_>),
) -> Result<Recording, TraceError> {
    let call = Call::Generate { stage, scope: Scope::Whole };
    design.prepare_for(call);
    design.load(positions);
    let mut tracer = Tracer::new(entry)?;
    let mut recording = Recording::default();
    for place in 0..positions.len() {
        let mut moves = 0;
        let trace = tracer.follow(|| moves = design.pass(call.into(), place..place + 1))?;
        recording.push(events(tracer.code(), &trace));
        each(&Followed { place, moves, code: tracer.code(), trace: &trace });
    }
    Ok(recording)
}

/// The branches of a call that a predictor has to predict.
fn events<'a>(code: &'a Code, trace: &'a Trace) -> impl Iterator<Item = Event> + 'a {
    let base = image_base();
    trace.branches(code).filter_map(move |Branch { address, next, kind, taken }| {
        let (address, target) = (address.wrapping_sub(base), next.wrapping_sub(base));
        match kind {
            BranchKind::Conditional => Some(Event::Branch { address, taken }),
            BranchKind::IndirectJump | BranchKind::IndirectCall => {
                Some(Event::Jump { address, target })
            }
            // Fixed targets, and returns, which a return stack predicts.
            BranchKind::Jump | BranchKind::Call | BranchKind::Return => None,
        }
    })
}
