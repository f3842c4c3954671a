//! The counts as JSON; `docs/json.md` describes it.

use raywalk_trace::{BranchKind, Counts, Site};
use serde_json::{Map, Value, json};

use super::Row;
use crate::trace::{Names, Totals, Traced};

pub(super) fn row(row: &Row<'_>, names: &Names<'_>) -> Value {
    let mut value = json!({
        "design": row.entry.card.id,
        "workload": row.list.name,
        "stage": row.stage.name(),
        "missing": row.traced.as_ref().err().map(ToString::to_string),
    });
    let traced = row.traced.as_ref().ok();
    let of = |part: fn(&Traced) -> Value| traced.map_or(Value::Null, part);
    value["positions"] = of(|it| it.all.positions.into());
    value["stepped"] = of(|it| it.stepped.positions.into());
    value["moves"] = of(|it| it.all.moves.into());
    value["squares"] = of(|it| it.all.squares.into());
    value["code_bytes"] = of(|it| it.code_bytes.into());
    value["counts"] = of(|it| counts(&it.all, &it.stepped).into());
    value["per_position"] = of(|it| rates(it, |totals| totals.positions).into());
    value["per_move"] = of(|it| rates(it, |totals| totals.moves).into());
    value["per_square"] = of(|it| rates(it, |totals| totals.squares).into());
    value["breakpoints"] = of(|it| it.breakpoints.as_ref().map(ToString::to_string).into());
    value["difference"] = of(|it| it.difference.as_ref().map(ToString::to_string).into());
    value["branches"] = traced.map_or(Value::Null, |it| branches(it, names));
    value
}

/// The counts by their keys: over all positions, data lines over the stepped ones.
fn counts(all: &Totals, stepped: &Totals) -> Map<String, Value> {
    numbers(&all.counts, &stepped.counts)
        .map(|(key, count)| (key.to_owned(), count.into()))
        .collect()
}

/// The counts divided by something that is summed as well.
fn rates(traced: &Traced, by: fn(&Totals) -> u64) -> Map<String, Value> {
    let divide = |count: u64, by: u64| (by > 0).then(|| count as f64 / by as f64);
    let (all, stepped) = (by(&traced.all), by(&traced.stepped));
    numbers(&traced.all.counts, &traced.stepped.counts)
        .map(|(key, count)| {
            let by = if key == DATA_LINES { stepped } else { all };
            (key.to_owned(), divide(count, by).into())
        })
        .collect()
}

const DATA_LINES: &str = "data_lines";

fn numbers(all: &Counts, stepped: &Counts) -> impl Iterator<Item = (&'static str, u64)> + use<> {
    [
        ("instructions", all.instructions),
        ("loads", all.loads),
        ("stores", all.stores),
        ("conditional", all.conditional),
        ("taken", all.taken),
        ("indirect_jumps", all.indirect_jumps),
        ("inner_calls", all.inner_calls),
        ("conditional_moves", all.conditional_moves),
        ("vector", all.vector),
        ("prefetches", all.prefetches),
        ("code_bytes", all.code_bytes),
        ("code_lines", all.code_lines),
        (DATA_LINES, stepped.data_lines),
        ("unknown_addresses", stepped.unknown_addresses),
    ]
    .into_iter()
}

/// Every branch whose outcome depends on data, by address.
fn branches(traced: &Traced, names: &Names<'_>) -> Value {
    let branch = |(&address, site): (&u64, &Site)| {
        let place = names.place(address);
        let [interior, quiescence] = traced.nodes(address).map(|node| node.map(outcomes));
        let mut value = outcomes(site);
        value["address"] = format!("{:#x}", names.relative(address)).into();
        value["kind"] = kind(site.kind).into();
        value["line"] = place.line.into();
        value["caller"] = place.caller.into();
        value["interior"] = interior.into();
        value["quiescence"] = quiescence.into();
        value
    };
    traced.sites.0.iter().map(branch).collect()
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
