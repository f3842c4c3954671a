//! Callgrind's counts by gungraun: `target/gungraun/**/summary.json`, schema 7.
//!
//! A summary tells events, not what they were spent on: positions and moves of a run come from the
//! caller, who knows the benchmark.

use std::collections::BTreeMap;
use std::path::Path;

use raywalk_core::StageId;
use raywalk_reports::schema::{Count, CountValue, Plane};
use serde::Deserialize;

use super::{Import, Names, find, read};

/// Positions and moves of the run of a design on a workload and stage, if there is one.
pub type Sizes<'a> = dyn Fn(&str, &str, StageId) -> Option<(u64, u64)> + 'a;

/// The version of the format that is understood.
const VERSION: &str = "7";

#[derive(Deserialize)]
struct Head {
    version: String,
}

#[derive(Deserialize)]
struct Summary {
    function_name: String,
    id: Option<String>,
    profiles: Vec<Profile>,
}

#[derive(Deserialize)]
struct Profile {
    tool: String,
    data: Data,
}

#[derive(Deserialize)]
struct Data {
    parts: Vec<Part>,
    total: Total,
}

#[derive(Deserialize)]
struct Part {
    tool_run: Sides<Run>,
}

#[derive(Deserialize)]
struct Run {
    command: String,
}

#[derive(Deserialize)]
struct Total {
    metrics: BTreeMap<String, Metric>,
}

#[derive(Deserialize)]
struct Metric {
    values: Sides<serde_json::Value>,
}

/// The run itself; what it was compared with does not matter here.
#[derive(Deserialize)]
struct Sides<T> {
    new: Option<T>,
}

/// The counts below a folder, usually `target/gungraun`.
pub fn counts(folder: &Path, names: &Names, sizes: &Sizes<'_>) -> Import<Count> {
    Import::of(find(folder, "summary.json"), |file| count(file, names, sizes))
}

fn count(file: &Path, names: &Names, sizes: &Sizes<'_>) -> Result<Option<Count>, String> {
    let head: Head = read(file)?;
    if head.version != VERSION {
        let found = head.version;
        return Err(format!("`version` is {found}; only version {VERSION} is understood"));
    }
    let summary: Summary = read(file)?;
    let function = summary.function_name;
    let design = names
        .design(&function)
        .ok_or_else(|| format!("`function_name` {function} is no design"))?;
    let id = summary.id.unwrap_or_default();
    let (workload, stage) = names
        .run(&id)
        .ok_or_else(|| format!("`id` is `{id}`, which is no workload with a stage"))?;
    let (positions, moves) = sizes(design, workload, stage)
        .ok_or_else(|| format!("how many moves `{id}` of {design} has is not known"))?;
    let callgrind = summary.profiles.into_iter().find(|profile| profile.tool == "Callgrind");
    let profile = callgrind.ok_or("`profiles` holds none of Callgrind")?;
    let metrics = profile.data.total.metrics;
    let value = |(name, metric): (String, Metric)| {
        let plane = plane_of(&name)?;
        let value = metric.values.new?.as_u64()?;
        Some((name, CountValue { value, plane }))
    };
    let values: BTreeMap<_, _> = metrics.into_iter().filter_map(value).collect();
    if values.is_empty() {
        return Err("`metrics` holds no event that is known".to_owned());
    }
    let command = profile.data.parts.into_iter().find_map(|part| part.tool_run.new);
    Ok(Some(Count {
        design: design.to_owned(),
        workload: workload.to_owned(),
        stage: stage.name().to_owned(),
        tool: tool(command.as_ref().map_or("", |run| &run.command)),
        positions,
        moves,
        values,
    }))
}

/// Callgrind with the parameters of its models, as they stood on its command line.
fn tool(command: &str) -> String {
    const MODELS: [&str; 5] = ["--I1=", "--D1=", "--LL=", "--cache-sim=", "--branch-sim="];
    let model = |word: &&str| MODELS.iter().any(|prefix| word.starts_with(prefix));
    let mut text = "callgrind".to_owned();
    for word in command.split_whitespace().filter(model) {
        text.push(' ');
        text.push_str(word);
    }
    text
}

/// What is executed is counted; what misses is simulated. Other events, such as rates, are made of
/// these and are left out.
fn plane_of(event: &str) -> Option<Plane> {
    match event {
        "Ir" | "Dr" | "Dw" | "Bc" | "Bi" => Some(Plane::Counted),
        "I1mr" | "D1mr" | "D1mw" | "ILmr" | "DLmr" | "DLmw" | "Bcm" | "Bim" => {
            Some(Plane::Simulated)
        }
        _ => None,
    }
}
