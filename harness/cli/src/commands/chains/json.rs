//! Chains as JSON; `docs/json.md` describes it.

use raywalk_measure::latency::{Hammock, Link};
use serde_json::{Value, json};

use super::Outcome;
use crate::chains::{NoChain, Walk};
use crate::registry::Entry;

pub(super) fn document(outcome: &Outcome) -> Value {
    let latency =
        |(link, cycles): (Link, f64)| json!({ "instruction": link.name(), "cycles": cycles });
    let (latencies, hammocks): (Vec<Value>, Vec<Value>) = match &outcome.instruments {
        Ok((latencies, hammocks)) => {
            (latencies.iter().map(latency).collect(), hammocks.iter().map(hammock).collect())
        }
        Err(_) => (Vec::new(), Vec::new()),
    };
    let mca = outcome.mca.as_ref();
    json!({
        "unavailable": outcome.unavailable,
        "not_measured": outcome.instruments.as_ref().err(),
        "latencies": latencies,
        "mispredictions": hammocks,
        "llvm_mca": mca.ok().map(|mca| json!({ "version": mca.version, "cpu": mca.cpu })),
        "no_llvm_mca": mca.err(),
        "designs": outcome.rows.iter().map(|(entry, walk)| row(entry, walk)).collect::<Vec<_>>(),
    })
}

fn hammock(one: &Hammock) -> Value {
    json!({
        "feed": one.feed.name(),
        "predicted": one.predicted,
        "cost": one.cost,
        "chain": one.chain,
        "refill": one.refill(),
    })
}

/// A design without a chain has the same keys.
fn row(entry: &Entry, found: &Result<Walk, NoChain>) -> Value {
    let walk = found.as_ref().ok();
    let chain = walk.and_then(|walk| walk.chain.as_ref());
    let mca = walk.and_then(|walk| Some((walk, walk.mca.as_ref()?.as_ref().ok()?)));
    json!({
        "design": entry.card.id,
        "missing": found.as_ref().err().map(ToString::to_string),
        "scope": walk.map(|walk| walk.scope),
        "iteration": walk.map(|walk| walk.iteration.texts()),
        "steps": walk.map(|_| chain.iter().flat_map(|chain| &chain.steps).collect::<Vec<_>>()),
        "chain_iterations": chain.map(|chain| chain.iterations),
        "assumed": walk.map(|walk| &walk.assumed),
        "predicted": walk.map(Walk::predicted),
        "llvm_mca": mca.map(|(walk, iteration)| {
            json!({
                "per_square": walk.predicted_by_mca(),
                "per_iteration": iteration.cycles,
                "throughput": iteration.throughput,
            })
        }),
        "measured": walk.map(|walk| &walk.cycles),
        "interval": walk.map(|walk| walk.interval),
        "iterations": walk.map(|walk| &walk.iterations),
        "entries": walk.map(|walk| walk.entries),
        "instructions": walk.map(|walk| &walk.instructions),
        "limit": walk.map(|walk| walk.limit().name()),
    })
}
