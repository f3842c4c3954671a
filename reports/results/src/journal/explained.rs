//! Checks traces, fits and chains: everything that figures rely on.

use crate::schema::{Chain, Fit, FittedDesign, Trace};

/// Far above every count and every cost of a position. Figures place values on axes, where larger ones would
/// overflow.
pub(super) const MOST: f64 = 1e9;

/// Why a trace cannot be used.
pub(super) fn check_trace(trace: &Trace) -> Result<(), String> {
    let Trace { counts, critical_path, caches, predictors, branches, layouts, .. } = trace;
    if counts.instructions < 1.0 {
        return Err("a trace of less than one instruction per position".to_owned());
    }
    if predictors.is_empty() {
        return Err("a trace without the mispredictions of a model".to_owned());
    }
    let mut values = vec![
        counts.instructions,
        counts.conditional,
        counts.taken,
        counts.indirect,
        counts.loads,
        counts.stores,
        counts.moves,
        counts.squares,
        caches.lines_per_position,
    ];
    values.extend(critical_path.iter().flat_map(|it| [it.cycles, it.assumed]));
    values.extend(caches.levels.iter().flat_map(|level| [level.once, level.again]));
    values.extend(predictors.iter().flat_map(|it| [it.stream, it.replay]));
    values.extend(layouts.iter().flat_map(|it| [it.stream, it.replay]));
    let of_branch = branches.iter();
    values
        .extend(of_branch.flat_map(|it| [it.executed, it.taken, it.entropy, it.stream, it.replay]));
    // The negation finds NaN too, which lies in no range.
    match values.iter().find(|value| !(0.0..=MOST).contains(*value)) {
        Some(value) => Err(format!("a trace with the value {value}")),
        None => Ok(()),
    }
}

/// Why a fit cannot be used.
pub(super) fn check_fit(fit: &Fit) -> Result<(), String> {
    if fit.models.is_empty() {
        return Err("a fit without models".to_owned());
    }
    fit.designs.iter().try_for_each(|design| check_design(design, fit.models.len()))?;
    let pooled = fit
        .pooled
        .iter()
        .flat_map(|it| [it.r_squared_cycles, it.r_squared_extra, it.mean_error, it.greatest_error]);
    plausible("a fit", pooled)
}

/// Why a chain cannot be used. Measured slopes may be negative.
pub(super) fn check_chain(chain: &Chain) -> Result<(), String> {
    let Chain { predicted, measured, per_ray, residual, instructions, .. } = *chain;
    let ends = chain.interval.iter().flat_map(|ends| [ends.low, ends.high]);
    if chain.interval.is_some_and(|ends| ends.low > ends.high) {
        return Err("a chain with an interval that ends before it begins".to_owned());
    }
    let values = [predicted, measured, per_ray, residual, instructions];
    let values = values.into_iter().chain(chain.simulated).chain(ends);
    plausible("a chain", values.chain(chain.steps.iter().copied()))
}

fn check_design(design: &FittedDesign, models: usize) -> Result<(), String> {
    let FittedDesign { sweep, orders, lines, learnt, .. } = design;
    let counts = sweep.iter().map(|it| it.misses.len());
    let counts = counts.chain(orders.iter().flat_map(|it| [it.misses.len(), it.predicted.len()]));
    if orders.is_empty() || counts.chain([lines.len()]).any(|count| count != models) {
        return Err(format!("a fit of {:?} without a value for each of its models", design.design));
    }
    let of_sweep = sweep.iter().flat_map(|it| it.misses.iter().copied().chain([it.cycles]));
    let of_orders = orders.iter().flat_map(|it| {
        let values = [it.learnt, it.measured, it.memory, it.instructions, it.moves];
        let misses = it.misses.iter().copied().chain(it.in_session);
        misses.chain(values).chain(it.predicted.iter().copied().flatten())
    });
    let of_lines = lines.iter().flatten().flat_map(|it| {
        let knees = [it.measured_knee, it.modelled_knee].into_iter().flatten();
        [it.intercept, it.slope, it.left_out].into_iter().chain(knees)
    });
    plausible("a fit", of_sweep.chain(of_orders).chain(of_lines).chain([*learnt]))
}

fn plausible(what: &str, values: impl IntoIterator<Item = f64>) -> Result<(), String> {
    match values.into_iter().find(|value| !(-MOST..=MOST).contains(value)) {
        Some(value) => Err(format!("{what} with the value {value}")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Recipe;
    use crate::schema::CriticalPath;
    use crate::schema::SlopeInterval;

    #[test]
    fn the_records_of_the_fixture_are_sound_and_changed_ones_are_not() {
        let results = Recipe::FULL.results();
        let (trace, fit) = (&results.traces[0], results.fit.as_ref().expect("a fit"));
        assert_eq!((check_trace(trace), check_fit(fit)), (Ok(()), Ok(())));
        let trace = |change: fn(&mut Trace)| {
            let mut trace = trace.clone();
            change(&mut trace);
            check_trace(&trace).expect_err("a fault")
        };
        assert!(trace(|it| it.counts.instructions = 0.0).contains("less than one instruction"));
        assert!(trace(|it| it.predictors.clear()).contains("without the mispredictions"));
        assert!(trace(|it| it.branches[0].stream = -1.0).contains("the value -1"));
        let far = |it: &mut Trace| {
            it.critical_path = Some(CriticalPath { window: 1, cycles: 1e99, assumed: 0.0 })
        };
        assert!(trace(far).contains("the value 1"));
        assert!(trace(|it| it.caches.levels[0].once = 1e300).contains("the value 1"));
        let fit = |change: fn(&mut Fit)| {
            let mut fit = fit.clone();
            change(&mut fit);
            check_fit(&fit).expect_err("a fault")
        };
        assert!(fit(|it| it.models.clear()).contains("without models"));
        let of_model = "without a value for each of its models";
        assert!(fit(|it| _ = it.designs[1].sweep[0].misses.pop()).contains(of_model));
        assert!(fit(|it| it.designs[0].orders.clear()).contains(of_model));
        assert!(fit(|it| it.designs[0].learnt = 1e200).contains("a fit with the value 1"));
        let mut chain = results.chains[0].clone();
        assert_eq!(check_chain(&chain), Ok(()));
        let reversed = Some(SlopeInterval { low: 2.0, high: 1.0 });
        let reversed = Chain { interval: reversed, ..chain.clone() };
        assert!(check_chain(&reversed).expect_err("a fault").contains("ends before it begins"));
        let endless = Some(SlopeInterval { low: 1.0, high: 1e12 });
        let endless = Chain { interval: endless, ..chain.clone() };
        assert!(check_chain(&endless).expect_err("a fault").contains("a chain with the value 1"));
        chain.steps.push(1e12);
        assert!(check_chain(&chain).expect_err("a fault").contains("a chain with the value 1"));
    }
}
