//! Chains as JSON; `docs/json.md` describes it.

use serde_json::{Value, json};

use super::Outcome;
use crate::chains::{Plane, Walk};

pub(super) fn document(outcome: &Outcome) -> Value {
    let (latencies, hammocks) = match &outcome.instruments {
        Ok((latencies, hammocks)) => {
            let latency = |(link, cycles): (raywalk_measure::latency::Link, f64)| json!({ "instruction": link.name(), "cycles": cycles });
            let hammock = |one: &raywalk_measure::latency::Hammock| {
                json!({
                    "feed": one.feed.name(),
                    "predicted": one.predicted,
                    "cost": one.cost,
                    "chain": one.chain,
                    "refill": one.refill(),
                })
            };
            (
                latencies.iter().map(latency).collect(),
                hammocks.iter().map(hammock).collect::<Vec<_>>(),
            )
        }
        Err(_) => (Vec::new(), Vec::new()),
    };
    let mca = outcome.mca.as_ref();
    let rows = outcome.rows.iter().map(|(entry, found)| {
        let mut value = found.as_ref().map_or_else(|_| empty(), walk);
        value["design"] = entry.card.id.into();
        value["missing"] = found.as_ref().err().map(ToString::to_string).into();
        value
    });
    json!({
        "unavailable": outcome.unavailable,
        "not_measured": outcome.instruments.as_ref().err(),
        "latencies": latencies,
        "mispredictions": hammocks,
        "llvm_mca": mca.ok().map(|mca| json!({ "version": mca.version, "cpu": mca.cpu })),
        "no_llvm_mca": mca.err(),
        "designs": rows.collect::<Vec<_>>(),
    })
}

/// The keys of a design without a chain.
fn empty() -> Value {
    let keys = [
        "scope",
        "turn",
        "steps",
        "chain_turns",
        "assumed",
        "predicted",
        "llvm_mca",
        "measured",
        "turns",
        "instructions",
        "limit",
    ];
    keys.into_iter()
        .map(|key| (key.to_owned(), Value::Null))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn walk(walk: &Walk) -> Value {
    let chain = walk.chain.as_ref();
    let steps: Vec<Value> = chain
        .iter()
        .flat_map(|chain| &chain.steps)
        .map(|step| json!({ "instruction": step.instruction, "cycles": step.cycles }))
        .collect();
    let mca = walk.mca.as_ref().and_then(|mca| mca.as_ref().ok());
    json!({
        "scope": walk.scope,
        "turn": walk.turn.texts(),
        "steps": steps,
        "chain_turns": chain.map(|chain| chain.turns),
        "assumed": walk.assumed,
        "predicted": walk.predicted(),
        "llvm_mca": mca.map(|turn| {
            json!({
                "per_square": walk.predicted_by_mca(),
                "per_turn": turn.cycles,
                "throughput": turn.throughput,
            })
        }),
        "measured": plane(&walk.cycles),
        "turns": plane(&walk.turns),
        "instructions": plane(&walk.instructions),
        "limit": walk.limit().name(),
    })
}

fn plane(plane: &Plane) -> Value {
    json!({
        "per_call": plane.per_call,
        "per_ray": plane.per_ray,
        "per_square": plane.per_square,
        "residual": plane.residual,
    })
}
