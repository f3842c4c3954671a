//! The counts as JSON; `docs/json.md` describes it.

use raywalk_models::Description;
use raywalk_models::branch::Missed;
use raywalk_models::cache::LEVELS;
use raywalk_results::schema::Provenance;
use raywalk_trace::{BranchKind, Counts, Site};
use serde_json::{Map, Value, json};

use super::Row;
use crate::trace::{
    CacheUse, LevelUse, Modelled, Names, Predictor, QUANTILES, Totals, Traced, Windows,
};

pub(super) fn row(row: &Row<'_>, names: &Names<'_>) -> Value {
    let traced = row.traced.as_ref().ok();
    let caches = traced.filter(|_| row.list.windows.is_some()).map(|it| caches(&it.caches));
    let predictors = row.modelled().map(|(windows, it)| predictors(windows, it, names));
    let reason = row.modelled.as_ref().and_then(|modelled| modelled.as_ref().err());
    json!({
        "design": row.entry.card.id,
        "workload": row.list.name,
        "digest": format!("{:016x}", row.list.digest),
        "stage": row.stage.name(),
        "provenance": Provenance::Counted,
        "missing": row.traced.as_ref().err().map(ToString::to_string),
        "positions": traced.map(|it| it.all.positions),
        "stepped": traced.map(|it| it.stepped.positions),
        "moves": traced.map(|it| it.all.moves),
        "squares": traced.map(|it| it.all.squares),
        "code_bytes": traced.map(|it| it.code_bytes),
        "counts": traced.map(|it| counts(&it.all, &it.stepped)),
        "per_position": traced.map(|it| rates(it, |totals| totals.positions)),
        "per_move": traced.map(|it| rates(it, |totals| totals.moves)),
        "per_square": traced.map(|it| rates(it, |totals| totals.squares)),
        "breakpoints": traced.and_then(|it| it.breakpoints.as_ref()).map(ToString::to_string),
        "difference": traced.and_then(|it| it.difference.as_ref()).map(ToString::to_string),
        "branches": traced.map(|it| branches(it, names)),
        "caches": caches,
        "predictors": predictors,
        "not_modelled": reason.map(ToString::to_string),
    })
}

/// The counts by their keys: over all positions; data lines and unknown addresses over the stepped ones.
fn counts(all: &Totals, stepped: &Totals) -> Map<String, Value> {
    numbers(&all.counts, &stepped.counts)
        .map(|(key, _, count)| (key.to_owned(), count.into()))
        .collect()
}

/// The counts divided by something that is summed as well.
fn rates(traced: &Traced, by: fn(&Totals) -> u64) -> Map<String, Value> {
    let divide = |count: u64, by: u64| (by > 0).then(|| count as f64 / by as f64);
    let (all, stepped) = (by(&traced.all), by(&traced.stepped));
    numbers(&traced.all.counts, &traced.stepped.counts)
        .map(|(key, over, count)| {
            let by = match over {
                Over::All => all,
                Over::Stepped => stepped,
            };
            (key.to_owned(), divide(count, by).into())
        })
        .collect()
}

/// The positions that a count covers.
#[derive(Clone, Copy)]
enum Over {
    All,
    /// Only steps show the addresses of accesses.
    Stepped,
}

fn numbers(
    all: &Counts,
    stepped: &Counts,
) -> impl Iterator<Item = (&'static str, Over, u64)> + use<> {
    [
        ("instructions", Over::All, all.instructions),
        ("loads", Over::All, all.loads),
        ("stores", Over::All, all.stores),
        ("conditional", Over::All, all.conditional),
        ("taken", Over::All, all.taken),
        ("indirect_jumps", Over::All, all.indirect_jumps),
        ("inner_calls", Over::All, all.inner_calls),
        ("conditional_moves", Over::All, all.conditional_moves),
        ("vector", Over::All, all.vector),
        ("prefetches", Over::All, all.prefetches),
        ("code_bytes", Over::All, all.code_bytes),
        ("code_lines", Over::All, all.code_lines),
        ("data_lines", Over::Stepped, stepped.data_lines),
        ("unknown_addresses", Over::Stepped, stepped.unknown_addresses),
    ]
    .into_iter()
}

/// Every branch whose outcome depends on data, by address.
fn branches(traced: &Traced, names: &Names<'_>) -> Value {
    let branch = |(&address, site): (&u64, &Site)| {
        let [interior, quiescence] = traced.nodes(address).map(|node| node.map(outcomes));
        let mut value = located(address, site, names);
        if let (Value::Object(value), Value::Object(outcomes)) = (&mut value, outcomes(site)) {
            value.extend(outcomes);
        }
        value["interior"] = interior.into();
        value["quiescence"] = quiescence.into();
        value
    };
    traced.sites.0.iter().map(branch).collect()
}

/// Cache use of the stepped positions.
fn caches(used: &CacheUse) -> Value {
    let distances = QUANTILES.iter().zip(used.distances);
    let levels = LEVELS.iter().zip(used.levels);
    json!({
        "provenance": Provenance::Modelled,
        "positions": used.positions,
        "accesses": used.accesses,
        "lines": used.lines,
        "reuse": distances
            .map(|(fraction, distance)| json!({ "fraction": fraction, "distance": distance }))
            .collect::<Vec<_>>(),
        "levels": levels
            .map(|(level, LevelUse { once, again })| {
                let mut value = description(&level.description());
                value["once"] = once.into();
                value["again"] = again.into();
                value
            })
            .collect::<Vec<_>>(),
    })
}

/// Modelled mispredictions, as a stream and as a learnt replay, in total and of each branch.
fn predictors(windows: &Windows, modelled: &Modelled, names: &Names<'_>) -> Value {
    let executed: u64 = modelled.sites.0.values().map(Site::executed).sum();
    json!({
        "provenance": Provenance::Modelled,
        "positions": windows.counted().len(),
        "warm_up": windows.warm_up,
        "replay_of": windows.replay,
        "executed": executed,
        "models": modelled.predictors.iter().map(predictor).collect::<Vec<_>>(),
        "branches": modelled
            .sites
            .0
            .iter()
            .map(|(&address, site)| {
                let relative = names.relative(address);
                let missed = |it: &Predictor| {
                    json!({
                        "model": it.conditional.id(),
                        "stream": it.stream.rate_at(relative),
                        "replay": it.replay.rate_at(relative),
                    })
                };
                let mut value = located(address, site, names);
                value["executed"] = site.executed().into();
                value["taken"] = site.taken.into();
                value["missed"] = modelled.predictors.iter().map(missed).collect();
                value
            })
            .collect::<Vec<_>>(),
    })
}

fn predictor(predictor: &Predictor) -> Value {
    let rates = |missed: &Missed| {
        json!({
            "conditional": missed.rate(missed.conditional),
            "indirect": missed.rate(missed.indirect),
        })
    };
    json!({
        "model": predictor.conditional.id(),
        "conditional_model": description(&predictor.conditional.build().description()),
        "indirect_model": description(&predictor.indirect.build().description()),
        "stream": rates(&predictor.stream),
        "replay": rates(&predictor.replay),
    })
}

fn description(model: &Description) -> Value {
    let parameters: Vec<String> =
        model.parameters.iter().map(|it| format!("{} {}", it.name, it.value)).collect();
    json!({ "name": model.name, "bits": model.bits, "parameters": parameters.join(", ") })
}

/// Address, kind and source line of a branch.
fn located(address: u64, site: &Site, names: &Names<'_>) -> Value {
    let place = names.place(address);
    json!({
        "address": format!("{:#x}", names.relative(address)),
        "kind": kind(site.kind),
        "line": place.line,
        "caller": place.caller,
    })
}

fn outcomes(site: &Site) -> Value {
    json!({
        "executed": site.executed(),
        "taken": site.taken,
        "rarer": site.minority(),
        "targets": site.next.len(),
        "entropy": site.entropy(),
    })
}

fn kind(kind: BranchKind) -> &'static str {
    match kind {
        BranchKind::Conditional => "conditional",
        BranchKind::Jump => "jump",
        BranchKind::IndirectJump => "indirect-jump",
        BranchKind::Call => "call",
        BranchKind::IndirectCall => "indirect-call",
        BranchKind::Return => "return",
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn what_only_steps_show_is_divided_by_what_was_stepped() {
        let counts = |data_lines, unknown_addresses| Counts {
            instructions: 8_000,
            data_lines,
            unknown_addresses,
            ..Counts::default()
        };
        let totals =
            |positions, counts| Totals { positions, moves: 10 * positions, squares: 0, counts };
        let traced = Traced {
            all: totals(400, counts(0, 0)),
            stepped: totals(4, counts(60, 12)),
            ..Traced::default()
        };
        let sums = super::counts(&traced.all, &traced.stepped);
        let of_positions = rates(&traced, |totals| totals.positions);
        let of_moves = rates(&traced, |totals| totals.moves);
        let of_squares = rates(&traced, |totals| totals.squares);
        for (key, sum, per_position, per_move) in [
            ("instructions", 8_000, 20.0, 2.0),
            ("data_lines", 60, 15.0, 1.5),
            ("unknown_addresses", 12, 3.0, 0.3),
        ] {
            assert_eq!(sums[key], json!(sum), "{key}");
            assert_eq!(of_positions[key], json!(per_position), "{key}");
            assert_eq!(of_moves[key], json!(per_move), "{key}");
            assert_eq!(of_squares[key], Value::Null, "{key}");
        }
    }
}
