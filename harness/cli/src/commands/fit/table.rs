//! The fit as tables.

use raywalk_judge::format::{NONE, cost, grouped, percent, rate, signed_percent};
use raywalk_models::fit::{Form, leave_one_out};
use raywalk_page::terminal::text_table::{TextTable, number, text};
use raywalk_page::terminal::{Screen, Tone};
use raywalk_results::schema::{Fit, FittedDesign, FittedOrder, Order, SweepLine, SweepPoint};

/// Positions of the replay that stands beside the orders.
const REPLAY: u64 = 256;

pub(super) fn write(fit: &Fit, out: &mut Screen) {
    verdict(fit, out);
    pooled(fit, out);
    out.blank();
    sweeps(fit, out);
    out.blank();
    left_out(fit, out);
    out.blank();
    orders(fit, out);
    out.blank();
    blocks(fit, out);
    out.blank();
    points(fit, out);
    out.blank();
    out.line("The models and their parameters:");
    for model in &fit.models {
        out.line(format!(
            "  {}, {:.1} KiB: {}",
            model.name,
            model.bits as f64 / 8192.0,
            model.parameters
        ));
    }
}

/// Whether the model can be believed here.
fn verdict(fit: &Fit, out: &mut Screen) {
    let name = fit.models.first().map_or(NONE, |model| model.name.as_str());
    if fit.believed {
        out.toned(
            format!("{name} predicts the clock of this machine better than its rivals do."),
            Tone::Good,
        );
    } else {
        out.toned(
            format!(
                "{name} is not to be believed here: a rival predicts the clock as well or better."
            ),
            Tone::Bad,
        );
    }
    out.blank();
}

/// The predictions of all designs together.
fn pooled(fit: &Fit, out: &mut Screen) {
    out.toned(
        format!(
            "Tree and game of {} positions, predicted out of sample",
            grouped(fit.order_positions)
        ),
        Tone::Heading,
    );
    out.line("Designs that memory slows by more than a tenth are left out. The extra cost is that above the learnt replay.");
    let mut table = TextTable::new([
        text("model"),
        number("predictions"),
        number("R² of cycles"),
        number("R² of the extra cost"),
        number("mean error"),
        number("greatest error"),
        number("left-out K: mean error"),
    ]);
    for it in &fit.pooled {
        table.row([
            it.model.clone(),
            it.orders.to_string(),
            share(it.r_squared_cycles),
            share(it.r_squared_extra),
            percent(it.mean_error),
            percent(it.greatest_error),
            it.left_out.map_or(NONE.to_owned(), percent),
        ]);
    }
    table.write(out);
}

/// The line of the judged model for each design.
fn sweeps(fit: &Fit, out: &mut Screen) {
    out.toned(
        format!(
            "Learnt runs of K from {} self-play positions: cycles = intercept + slope × misses",
            grouped(fit.sweep_positions)
        ),
        Tone::Heading,
    );
    let mut table = TextTable::new([
        text("design"),
        number("learnt replay"),
        number("intercept"),
        number("off by"),
        number("cycles/miss"),
        number("game ÷ tree"),
        number("R²"),
        number("greatest left-out K"),
        number("knee: measured"),
        number("modelled"),
        number("off by"),
    ]);
    for design in &fit.designs {
        let Some(line) = line(design) else {
            let none = std::iter::repeat_n(NONE.to_owned(), 9);
            table.row([design.design.clone(), cost(design.learnt)].into_iter().chain(none));
            continue;
        };
        let knee = |knee: Option<f64>| knee.map_or(NONE.to_owned(), |k| grouped(k.round() as u64));
        let off = line
            .measured_knee
            .zip(line.modelled_knee)
            .map(|(measured, modelled)| modelled / measured - 1.0);
        table.row([
            design.design.clone(),
            cost(design.learnt),
            cost(line.intercept),
            signed_percent(line.intercept / design.learnt - 1.0),
            format!("{:.1}", line.slope),
            game_to_tree(design).map_or(NONE.to_owned(), rate),
            share(line.r_squared),
            percent(line.greatest_left_out),
            knee(line.measured_knee),
            knee(line.modelled_knee),
            off.map_or(NONE.to_owned(), signed_percent),
        ]);
    }
    table.write(out);
}

fn line(design: &FittedDesign) -> Option<&SweepLine> {
    design.lines.first()?.as_ref()
}

/// Cycles per miss in the order of a game, divided by those in the order of a tree.
fn game_to_tree(design: &FittedDesign) -> Option<f64> {
    let of = |name| cycles_per_miss(design.orders.iter().find(|order| order.name == name)?);
    Some(of(Order::Game)? / of(Order::Tree)?)
}

/// The extra cost of an order divided by the misses of the judged model.
fn cycles_per_miss(order: &FittedOrder) -> Option<f64> {
    Some((order.measured - order.learnt) / order.misses.first()?)
}

/// How well each model predicts the cycles of a K from those of the others.
fn left_out(fit: &Fit, out: &mut Screen) {
    out.toned(
        "Each K predicted by the others: mean error as a share of the mean cycles",
        Tone::Heading,
    );
    let models = fit.models.iter().map(|model| number(model.name.clone()));
    let constant = number("constant");
    let mut table = TextTable::new([text("design")].into_iter().chain(models).chain([constant]));
    for design in &fit.designs {
        let of_models = design.lines.iter().map(|line| line.as_ref().map(|line| line.left_out));
        let cycles: Vec<f64> = design.sweep.iter().map(|point| point.cycles).collect();
        let constant = leave_one_out(Form::Constant, &vec![1.0; cycles.len()], &cycles);
        let errors = of_models.chain([constant.map(|found| found.of_mean)]);
        let cells = errors.map(|error| error.map_or(NONE.to_owned(), percent));
        table.row([design.design.clone()].into_iter().chain(cells));
    }
    table.write(out);
}

/// Each order of each design: measured cycles, and the results of the models.
fn orders(fit: &Fit, out: &mut Screen) {
    out.toned("Orders: cycles per position, and mispredictions per position", Tone::Heading);
    out.line(
        "In a session: how the misses of the first model change if another design, a prefix and the checks run between \
         the batches.",
    );
    let mut columns = vec![
        text("design"),
        text("order"),
        number("learnt"),
        number("measured"),
        number("predicted"),
        number("off by"),
        number("of the extra"),
        number("memory"),
        number("cycles/miss"),
    ];
    columns.extend(fit.models.iter().map(|model| number(model.name.clone())));
    columns.push(number("in a session"));
    let mut table = TextTable::new(columns);
    for design in &fit.designs {
        if let Some(point) = design.sweep.iter().find(|point| point.k == REPLAY) {
            table.row(replay(design, point));
        }
        for order in &design.orders {
            table.row(row(design, order));
            if design.memory_bound && order.name == design.orders[0].name {
                table.note("memory");
            }
        }
    }
    table.write(out);
}

/// Measured cycles and modelled misses of a learnt replay: the point of the sweep that the memorisation curve has
/// too.
fn replay(design: &FittedDesign, point: &SweepPoint) -> Vec<String> {
    let none = || NONE.to_owned();
    let mut cells = vec![
        design.design.clone(),
        format!("replay of {REPLAY}"),
        cost(design.learnt),
        cost(point.cycles),
        none(),
        none(),
        none(),
        none(),
        none(),
    ];
    cells.extend(point.misses.iter().map(|&misses| rate(misses)));
    cells.push(none());
    cells
}

fn row(design: &FittedDesign, order: &FittedOrder) -> Vec<String> {
    let FittedOrder { learnt, measured, .. } = *order;
    let predicted = order.predicted.first().copied().flatten();
    let of = |value: &dyn Fn(f64) -> String| predicted.map_or(NONE.to_owned(), value);
    let mut cells = vec![
        design.design.clone(),
        order.name.to_string(),
        cost(learnt),
        cost(measured),
        of(&cost),
        of(&|predicted| signed_percent(predicted / measured - 1.0)),
        of(&|predicted| signed_percent((predicted - learnt) / (measured - learnt) - 1.0)),
        cost(order.memory),
        cycles_per_miss(order).map_or(NONE.to_owned(), |slope| format!("{slope:.1}")),
    ];
    cells.extend(order.misses.iter().map(|&misses| rate(misses)));
    let change = order.in_session.zip(order.misses.first());
    cells.push(
        change.map_or(NONE.to_owned(), |(session, alone)| signed_percent(session / alone - 1.0)),
    );
    cells
}

fn blocks(fit: &Fit, out: &mut Screen) {
    out.toned("Blocks of 64 positions of the tree: the share of the variance of their extra cost that is explained", Tone::Heading);
    let mut table = TextTable::new([
        text("design"),
        number("by misses"),
        number("by instructions"),
        number("by misses, given instructions"),
        number("95 %"),
        number("other order"),
        number("permuted"),
        number("ceiling"),
    ]);
    for design in &fit.designs {
        let Some(it) = design.blocks else {
            let none = std::iter::repeat_n(NONE.to_owned(), 7);
            table.row(std::iter::once(design.design.clone()).chain(none));
            continue;
        };
        table.row([
            design.design.clone(),
            share(it.misses),
            share(it.instructions),
            share(it.partial),
            format!("{}–{}", share(it.partial_low), share(it.partial_high)),
            share(it.other_order),
            share(it.permuted),
            share(it.ceiling),
        ]);
    }
    table.write(out);
}

/// The points of the sweep, one row for each K.
fn points(fit: &Fit, out: &mut Screen) {
    let Some(first) = fit.designs.first() else { return };
    out.toned("Learnt runs of K: measured cycles, and misses of the first model", Tone::Heading);
    let ks = first.sweep.iter().map(|point| number(format!("K = {}", point.k)));
    let mut table = TextTable::new([text("design"), text("per position")].into_iter().chain(ks));
    for design in &fit.designs {
        let cells = |what: &str, of: &dyn Fn(usize) -> String| -> Vec<String> {
            let values = (0..design.sweep.len()).map(of);
            [design.design.clone(), what.to_owned()].into_iter().chain(values).collect()
        };
        table.row(cells("cycles", &|place| cost(design.sweep[place].cycles)));
        table.row(cells("misses", &|place| {
            design.sweep[place].misses.first().map_or(NONE.to_owned(), |&misses| rate(misses))
        }));
    }
    table.write(out);
}

fn share(value: f64) -> String {
    format!("{value:.3}")
}
