//! Records the branches of positions with breakpoints.

use raywalk_core::Position;
use raywalk_measure::design::Design;
use raywalk_models::branch::{Event, Recording};
use raywalk_results::schema::{Call, Scope, Stage};
use raywalk_trace::{Branch, BranchKind, Code, Loaded, Trace, TraceError, Tracer};

/// A position that was followed.
pub(crate) struct Followed<'a> {
    pub(crate) place: usize,
    pub(crate) moves: u64,
    pub(crate) code: &'a Code,
    pub(crate) trace: &'a Trace,
}

/// Records a stage of a design. Addresses are relative to the file of the code, the program or a plug-in, so that they
/// are the same in every process. `each` is given every position.
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
    let (mut recording, loaded) = (Recording::default(), Loaded::now());
    for place in 0..positions.len() {
        let mut moves = 0;
        let trace = tracer.follow(|| moves = design.pass(call.into(), place..place + 1))?;
        recording.push(events(tracer.code(), &trace, &loaded));
        each(&Followed { place, moves, code: tracer.code(), trace: &trace });
    }
    Ok(recording)
}

/// The branches of a call that a predictor has to predict.
fn events<'a>(
    code: &'a Code,
    trace: &'a Trace,
    loaded: &'a Loaded,
) -> impl Iterator<Item = Event> + 'a {
    trace.branches(code).filter_map(move |Branch { address, next, kind, taken }| {
        let address = loaded.relative(address);
        match kind {
            BranchKind::Conditional => Some(Event::Branch { address, taken }),
            BranchKind::IndirectJump | BranchKind::IndirectCall => {
                Some(Event::Jump { address, target: loaded.relative(next) })
            }
            // Fixed targets, and returns, which a return stack predicts.
            BranchKind::Jump | BranchKind::Call | BranchKind::Return => None,
        }
    })
}
