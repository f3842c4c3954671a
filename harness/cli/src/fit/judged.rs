//! Errors of the models against measured cycles.

use raywalk_models::fit::{
    self as models, Bootstrap, DesignFit, Form, Sweep, ceiling, leave_one_out, partial_r_squared,
    partial_r_squared_interval, permuted_r_squared,
};
use raywalk_results::schema::{
    Fit, FittedBlocks, FittedDesign, FittedOrder, Model, Pooled, Stage, SweepLine, SweepPoint,
};
use raywalk_results::statistics::{correlation, mean};

use crate::trace::model_record;

use super::replayed::{Counted, Replayed};
use super::timed::{Timed, TimedOrder};
use super::{Experiment, MODELS, ORDERS};

/// The orders whose predictions are pooled, the first of [`ORDERS`]: those of recorded workloads.
const POOLED: usize = 2;
/// The share of the learnt cycles above which the cost of memory marks a design.
const MEMORY: f64 = 0.1;
/// Random assignments of misses to blocks.
const PERMUTATIONS: usize = 200;

/// One design: its measurements in two rounds, and the results of the models.
pub(crate) struct Judged {
    pub(crate) fitted: FittedDesign,
    nulls: Vec<Null>,
}

/// A null model: it predicts cycles without branch mispredictions.
struct Null {
    name: &'static str,
    /// The cycles of each order.
    predicted: Vec<Option<f64>>,
    left_out: Option<f64>,
}

/// Judges one design. `rounds` are two measurements.
pub(crate) fn judged(
    design: &str,
    board_bytes: u64,
    rounds: &[Timed; 2],
    replayed: &Replayed,
    experiment: &Experiment,
) -> Judged {
    let timed = rounds[0].least(&rounds[1]);
    let k: Vec<u64> = experiment.runs().map(|run| run as u64).collect();
    let fits: Vec<Option<DesignFit>> = replayed
        .sweep
        .iter()
        .map(|misses| DesignFit::of(Sweep { k: &k, cycles: &timed.sweep, misses }, timed.learnt))
        .collect();
    let orders: Vec<FittedOrder> = ORDERS
        .into_iter()
        .enumerate()
        .map(|(number, order)| {
            let (measured, modelled) = (&timed.orders[number], &replayed.orders[number]);
            let misses: Vec<f64> = modelled.misses.iter().map(|blocks| mean(blocks)).collect();
            let learnt = mean(&measured.learnt);
            let cycles = mean(&measured.measured);
            let predicted = fits.iter().zip(&misses).map(|(fit, &misses)| {
                let order = models::Order { learnt, measured: cycles, misses };
                fit.as_ref().map(|fit| order.predicted(fit.line.slope))
            });
            FittedOrder {
                name: order,
                learnt,
                measured: cycles,
                memory: measured.memory(),
                instructions: modelled.counted.instructions,
                moves: modelled.counted.moves,
                predicted: predicted.collect(),
                misses,
                in_session: Some(modelled.in_session),
            }
        })
        .collect();
    let sweep = k.iter().enumerate().map(|(number, &k)| SweepPoint {
        k,
        cycles: timed.sweep[number],
        misses: replayed.sweep.iter().map(|misses| misses[number]).collect(),
    });
    let nulls = nulls(&timed.sweep, replayed.of_sweep, &orders);
    let fitted = FittedDesign {
        design: design.to_owned(),
        board_bytes,
        memory_bound: orders.iter().any(|order| order.memory > MEMORY * order.learnt),
        sweep: sweep.collect(),
        learnt: timed.learnt,
        lines: fits.iter().map(|fit| fit.as_ref().map(line)).collect(),
        orders,
        blocks: blocks(rounds, &timed, replayed),
    };
    Judged { fitted, nulls }
}

fn line(fit: &DesignFit) -> SweepLine {
    SweepLine {
        intercept: fit.line.intercept,
        slope: fit.line.slope,
        r_squared: fit.r_squared,
        left_out: fit.leave_one_out.of_mean,
        greatest_left_out: fit.leave_one_out.greatest,
        measured_knee: fit.measured_knee,
        modelled_knee: fit.modelled_knee,
    }
}

/// Models that use only the sweep's cycles and the counts of a position.
fn nulls(sweep: &[f64], of_sweep: Counted, orders: &[FittedOrder]) -> Vec<Null> {
    let null = |name, form: Form, of: f64, at: fn(&FittedOrder) -> f64| {
        // A position executes the same instructions and finds the same moves for each K.
        let x = vec![of; sweep.len()];
        Null {
            name,
            predicted: orders.iter().map(|order| form.predict(&x, sweep, at(order))).collect(),
            left_out: leave_one_out(form, &x, sweep).map(|found| found.of_mean),
        }
    };
    vec![
        null("instructions only", Form::Proportional, of_sweep.instructions, |it| it.instructions),
        null("moves only", Form::Proportional, of_sweep.moves, |it| it.moves),
        null("constant", Form::Constant, 1.0, |_| 1.0),
    ]
}

/// The blocks of the first order under the judged model.
fn blocks(rounds: &[Timed; 2], timed: &Timed, replayed: &Replayed) -> Option<FittedBlocks> {
    let extra = |order: &TimedOrder| -> Vec<f64> {
        order
            .measured
            .iter()
            .zip(&order.learnt)
            .map(|(measured, learnt)| measured - learnt)
            .collect()
    };
    let (y, order) = (extra(&timed.orders[0]), &replayed.orders[0]);
    let [first, second] = [0, 1].map(|round: usize| extra(&rounds[round].orders[0]));
    let (misses, instructions) = (&order.misses[0], &order.instructions);
    let share = |x: &[f64]| correlation(x, &y).map(|correlation| correlation * correlation);
    let interval = partial_r_squared_interval(&y, misses, instructions, Bootstrap::default())?;
    Some(FittedBlocks {
        misses: share(misses)?,
        instructions: share(instructions)?,
        partial: partial_r_squared(&y, misses, instructions)?,
        partial_low: interval.low,
        partial_high: interval.high,
        permuted: permuted_r_squared(&y, misses, PERMUTATIONS, 1)?,
        other_order: share(&replayed.other_order)?,
        ceiling: ceiling(&first, &second)?,
    })
}

/// The fit over all designs.
pub(crate) fn fitted(stage: Stage, experiment: &Experiment, judged: Vec<Judged>) -> Fit {
    let models: Vec<Model> =
        MODELS.iter().map(|&(conditional, _)| model_record(conditional)).collect();
    let mut pooled = Vec::new();
    for (place, model) in models.iter().enumerate() {
        let left_out = |it: &Judged| it.fitted.lines[place].as_ref().map(|line| line.left_out);
        let predicted = |it: &Judged, order: usize| it.fitted.orders[order].predicted[place];
        pooled.push((model.name.as_str(), pool(&judged, predicted, left_out)));
    }
    for place in 0..judged.first().map_or(0, |it| it.nulls.len()) {
        let predicted = |it: &Judged, order: usize| it.nulls[place].predicted[order];
        let of = pool(&judged, predicted, |it| it.nulls[place].left_out);
        pooled.push((judged[0].nulls[place].name, of));
    }
    let pooled = pooled.iter().filter_map(|&(model, ref of)| {
        let (of, orders, left_out) = of.as_ref()?;
        Some(Pooled {
            model: model.to_owned(),
            orders: *orders,
            r_squared_cycles: of.r_squared_cycles,
            r_squared_extra: of.r_squared_extra,
            mean_error: of.mean_error,
            greatest_error: of.greatest_error,
            left_out: *left_out,
        })
    });
    let pooled: Vec<Pooled> = pooled.collect();
    Fit {
        stage,
        workloads: experiment.workloads.map(str::to_owned).into(),
        sweep_positions: experiment.sweep.len() as u64,
        order_positions: experiment.recorded.iter().map(Vec::len).max().unwrap_or(0) as u64,
        believed: believed(&models, &pooled),
        pooled,
        models,
        designs: judged.into_iter().map(|it| it.fitted).collect(),
    }
}

/// The predictions of one model for several designs and orders, their number, and the mean error of a left-out K.
type Of = Option<(models::Pooled, u64, Option<f64>)>;

/// The predictions of one model for the pooled orders of the designs that are not bound by memory.
fn pool(
    judged: &[Judged],
    predicted: impl Fn(&Judged, usize) -> Option<f64>,
    left_out: impl Fn(&Judged) -> Option<f64>,
) -> Of {
    let explained: Vec<&Judged> = judged.iter().filter(|it| !it.fitted.memory_bound).collect();
    let orders: Vec<(models::Order, f64)> = explained
        .iter()
        .flat_map(|it| (0..POOLED).map(move |order| (it, order)))
        .filter_map(|(it, order)| {
            let FittedOrder { learnt, measured, ref misses, .. } = it.fitted.orders[order];
            Some((models::Order { learnt, measured, misses: misses[0] }, predicted(it, order)?))
        })
        .collect();
    let errors: Vec<f64> = explained.iter().filter_map(|it| left_out(it)).collect();
    let left_out = (!errors.is_empty()).then(|| mean(&errors));
    Some((models::Pooled::of(&orders)?, orders.len() as u64, left_out))
}

/// Whether the first model predicts better than its rivals. The second one is a modern predictor too and no rival.
fn believed(models: &[Model], pooled: &[Pooled]) -> bool {
    let [first, second, ..] = models else { return false };
    let Some(judged) = pooled.iter().find(|it| it.model == first.name) else { return false };
    let is_rival = |it: &&Pooled| it.model != first.name && it.model != second.name;
    let mut rivals = pooled.iter().filter(is_rival).peekable();
    rivals.peek().is_some() && rivals.all(|rival| judged.beats(rival))
}
