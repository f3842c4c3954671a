//! Results of the models as tables.

use raywalk_judge::format::{NONE, bytes, cost, grouped, rate};
use raywalk_models::Description;
use raywalk_models::branch::{ConditionalModel, IndirectModel, Missed};
use raywalk_models::cache::LEVELS;
use raywalk_page::terminal::text_table::{Column, TextTable, number, text};
use raywalk_page::terminal::{Screen, Tone};

use super::Row;
use super::table::{list, name, percent};
use crate::trace::{Modelled, Names, PREDICTORS, Predictor, QUANTILES, Windows};

/// The models whose mispredictions are shown for each branch: that which explains the clock best, and the best
/// known one.
const BY_BRANCH: [ConditionalModel; 2] = [ConditionalModel::Tage, ConditionalModel::Callgrind];

/// Writes the models of the rows of one workload and stage.
pub(super) fn write(rows: &[Row<'_>], names: &Names<'_>, out: &mut Screen) {
    predictors(rows, out);
    if let [row] = rows
        && let Some((_, modelled)) = row.modelled()
    {
        out.blank();
        branches(modelled, names, out);
    }
    out.blank();
    legend(out);
    out.blank();
    caches(rows, out);
}

/// Mispredictions of every design in both orders.
fn predictors(rows: &[Row<'_>], out: &mut Screen) {
    let Some((windows, _)) = rows.iter().find_map(Row::modelled) else {
        return not_modelled(rows, out);
    };
    let Row { list, stage, .. } = rows[0];
    let title = format!(
        "{}, {}: mispredictions per position of {} positions, modelled",
        list.name,
        stage.name(),
        grouped(windows.counted().len() as u64)
    );
    out.toned(title, Tone::Heading);
    out.line(orders(windows));
    let mut columns = vec![text("design"), number("branches executed/position")];
    for (conditional, _) in PREDICTORS {
        columns.extend(both_orders(&conditional.build().description()));
    }
    let width = columns.len();
    let mut table = TextTable::new(columns);
    for row in rows {
        let id = row.entry.card.id.to_owned();
        let Some((windows, modelled)) = row.modelled() else {
            table.row(std::iter::once(id).chain(std::iter::repeat_n(NONE.to_owned(), width - 1)));
            continue;
        };
        let executed: u64 = modelled.sites.0.values().map(|site| site.executed()).sum();
        let mut cells = vec![id, cost(executed as f64 / windows.counted().len().max(1) as f64)];
        for predictor in &modelled.predictors {
            let orders = [&predictor.stream, &predictor.replay];
            cells.extend(orders.map(|missed| rate(missed.rate_of_all())));
        }
        table.row(cells);
    }
    table.write(out);
    not_modelled(rows, out);
}

/// Why breakpoints, which the models need, could not be used.
fn not_modelled(rows: &[Row<'_>], out: &mut Screen) {
    for row in rows {
        if let Some(Err(reason)) = &row.modelled {
            out.line(format!("{}: not modelled: {reason}", row.entry.card.id));
        }
    }
}

fn orders(windows: &Windows) -> String {
    let warm_up = match windows.warm_up {
        0 => String::new(),
        count => format!(", after {} others that train the model", grouped(count as u64)),
    };
    format!(
        "Stream: each position once{warm_up}. Replay: the same positions in runs of {}, each repeated until it is \
         learnt.",
        grouped(windows.replay as u64)
    )
}

/// Mispredictions of the branches, those that the first model misses most often in the stream first.
fn branches(modelled: &Modelled, names: &Names<'_>, out: &mut Screen) {
    let chosen: Vec<&Predictor> =
        modelled.predictors.iter().filter(|it| BY_BRANCH.contains(&it.conditional)).collect();
    let Some(first) = chosen.first() else { return };
    let mut columns = vec![text("branch"), number("executed/position"), number("taken %")];
    for predictor in &chosen {
        columns.extend(both_orders(&predictor.conditional.build().description()));
    }
    let table = TextTable::new(columns);
    let mut sites: Vec<_> = modelled.sites.0.iter().collect();
    let missed = |address: u64| first.stream.rate_at(names.relative(address));
    sites.sort_by(|(one, a), (other, b)| {
        missed(**other).total_cmp(&missed(**one)).then(b.executed().cmp(&a.executed()))
    });
    let positions = first.stream.visits.max(1) as f64;
    list(table, &sites, positions, out, |address, site| {
        let mut cells = vec![
            name(site, &names.place(address)),
            rate(site.executed() as f64 / positions),
            percent(site.taken, site.executed()),
        ];
        for predictor in &chosen {
            let rate_of = |missed: &Missed| rate(missed.rate_at(names.relative(address)));
            cells.extend([rate_of(&predictor.stream), rate_of(&predictor.replay)]);
        }
        cells
    });
}

/// The columns of a model.
fn both_orders(model: &Description) -> [Column; 2] {
    [number(format!("{}: stream", model.name)), number("replay")]
}

/// Parameters and storage of the models.
fn legend(out: &mut Screen) {
    out.line("A modelled number shows one of these models and not the predictor of this machine:");
    for (conditional, indirect) in PREDICTORS {
        let (conditional, indirect) =
            (conditional.build().description(), indirect.build().description());
        out.line(format!("  {conditional}; indirect branches: {}", indirect.name));
    }
    for indirect in IndirectModel::ALL {
        out.line(format!("  {}", indirect.build().description()));
    }
}

/// Lines, reuse distances and misses of caches.
fn caches(rows: &[Row<'_>], out: &mut Screen) {
    let Some(first) = rows.iter().find_map(|row| row.traced.as_ref().ok()) else { return };
    let positions = grouped(first.caches.positions);
    let Row { list, stage, .. } = rows[0];
    out.toned(
        format!("{}, {}: cache lines of {positions} stepped positions", list.name, stage.name()),
        Tone::Heading,
    );
    out.line(
        "Counted: accesses, lines, and the reuse distance that a share of the accesses does not exceed. Modelled: misses \
         per position in caches that replace the least recently used line; once: from an empty cache; again: in a \
         second pass.",
    );
    let mut columns = vec![text("design"), number("accesses/position"), number("lines in all")];
    columns.extend(QUANTILES.map(|share| number(format!("{:.0} % within", 100.0 * share))));
    for level in LEVELS {
        columns.push(number(format!("{}: once", bytes(level.bytes))));
        columns.push(number("again"));
    }
    let mut table = TextTable::new(columns);
    for row in rows {
        let Ok(traced) = &row.traced else { continue };
        let used = &traced.caches;
        let per = |count: u64| count as f64 / used.positions.max(1) as f64;
        let mut cells =
            vec![row.entry.card.id.to_owned(), cost(per(used.accesses)), grouped(used.lines)];
        cells.extend(
            used.distances.map(|distance| {
                distance.map_or(NONE.to_owned(), |distance| grouped(distance as u64))
            }),
        );
        for level in used.levels {
            cells.extend([rate(per(level.once)), rate(per(level.again))]);
        }
        table.row(cells);
    }
    table.write(out);
}
