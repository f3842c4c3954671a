//! Reads Callgrind's counts as written by Gungraun: `target/gungraun/**/summary.json`, schema 7.
//!
//! A summary contains events but no numbers of positions and moves; the caller, who knows the
//! benchmark, provides them.

use std::collections::BTreeMap;
use std::path::Path;

use raywalk_results::schema::{CallgrindEvent, Count, Stage};
use serde::Deserialize;

use super::{Import, Names, find, read};

/// Returns the numbers of positions and moves for a design, a workload and a stage, or `None` if they
/// are unknown.
pub(crate) type Sizes<'a> = dyn Fn(&str, &str, Stage) -> Option<(u64, u64)> + 'a;

/// The supported version of the format.
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

/// A pair of results. The old side, if any, is ignored.
#[derive(Deserialize)]
struct Sides<T> {
    new: Option<T>,
}

/// Reads all counts below a folder, usually `target/gungraun`.
pub(crate) fn counts(folder: &Path, names: &Names, sizes: &Sizes<'_>) -> Import<Count> {
    Import::of(find(folder, "summary.json"), |file| count(file, names, sizes))
}

fn count(file: &Path, names: &Names, sizes: &Sizes<'_>) -> Result<Option<Count>, String> {
    // The version alone comes first, because another version may lack the other fields.
    let head: Head = read(file)?;
    if head.version != VERSION {
        let found = head.version;
        return Err(format!("`version` is {found}; only version {VERSION} is supported"));
    }
    let summary: Summary = read(file)?;
    let function = summary.function_name;
    let design = names
        .design(&function)
        .ok_or_else(|| format!("`function_name` is `{function}`, which is not a design"))?;
    let id = summary.id.unwrap_or_default();
    let (workload, stage) = names
        .run(&id)
        .ok_or_else(|| format!("`id` is `{id}`, which is not a workload with a stage"))?;
    let (positions, moves) = sizes(design, workload, stage)
        .ok_or_else(|| format!("the number of moves of {design} in `{id}` is unknown"))?;
    let callgrind = summary.profiles.into_iter().find(|profile| profile.tool == "Callgrind");
    let profile = callgrind.ok_or("`profiles` contains no profile of Callgrind")?;
    let metrics = profile.data.total.metrics;
    let value = |(name, metric): (String, Metric)| {
        // Derived values, such as hit rates, are left out.
        Some((name.parse::<CallgrindEvent>().ok()?, metric.values.new?.as_u64()?))
    };
    let values: BTreeMap<_, _> = metrics.into_iter().filter_map(value).collect();
    if values.is_empty() {
        return Err("`metrics` contains no known event".to_owned());
    }
    let command = profile.data.parts.into_iter().find_map(|part| part.tool_run.new);
    Ok(Some(Count {
        design: design.to_owned(),
        workload: workload.to_owned(),
        stage,
        tool: tool(command.as_ref().map_or("", |run| &run.command)),
        positions,
        moves,
        values,
    }))
}

/// The name of the tool with the model parameters from its command line.
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
