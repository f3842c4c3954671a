//! Reads Criterion's timings: `target/criterion/**/new/{benchmark,estimates}.json`.
//!
//! Groups are named `gen/<workload>/<stage>`, functions are named after designs, and the throughput of
//! a benchmark is its number of moves. The files do not contain the unit of their values, so the first
//! part of the group's name encodes it: `gen` for nanoseconds, `gen-cycles` for derived core cycles.
//! Groups with other names belong to other benchmarks and are ignored.

use std::path::Path;

use raywalk_results::schema::{Per, Quantity, Stage, Timing, Unit};
use serde::Deserialize;

use super::{Import, find, read};

#[derive(Deserialize)]
struct Benchmark {
    group_id: String,
    function_id: Option<String>,
    value_str: Option<String>,
    throughput: Option<Throughput>,
}

/// Other kinds of throughput, bits and bytes, are not supported.
#[derive(Deserialize)]
struct Throughput {
    #[serde(rename = "Elements")]
    elements: Option<u64>,
}

#[derive(Deserialize)]
struct Estimates {
    mean: Estimate,
    slope: Option<Estimate>,
}

#[derive(Deserialize)]
struct Estimate {
    point_estimate: f64,
    confidence_interval: Interval,
}

#[derive(Deserialize)]
struct Interval {
    lower_bound: f64,
    upper_bound: f64,
}

/// First parts of the names of groups, with the unit of their values.
pub const UNITS: [(&str, Quantity); 2] =
    [("gen", Quantity::Nanoseconds), ("gen-cycles", Quantity::Cycles)];

/// Reads all timings below a folder, usually `target/criterion`.
pub(crate) fn timings(folder: &Path) -> Import<Timing> {
    let files = find(folder, "benchmark.json");
    let new = files.into_iter().filter(|file| {
        file.parent().and_then(Path::file_name).is_some_and(|folder| folder == "new")
    });
    Import::of(new.collect(), timing)
}

fn timing(file: &Path) -> Result<Option<Timing>, String> {
    let benchmark: Benchmark = read(file)?;
    let group = benchmark.group_id.split_once('/');
    let unit = UNITS.iter().find(|(word, _)| group.is_some_and(|(first, _)| first == *word));
    let (Some((_, group)), Some((_, unit))) = (group, unit) else { return Ok(None) };
    let (workload, stage) = group.rsplit_once('/').unwrap_or((group, ""));
    let stage: Stage = stage.parse().map_err(|_| {
        format!("`group_id` is `{}`, which does not end with a stage", benchmark.group_id)
    })?;
    // Criterion stores the name of a design as function or as parameter, depending on the benchmark.
    let design = benchmark.function_id.or(benchmark.value_str);
    let design = design.ok_or("neither `function_id` nor `value_str` names a design")?;
    let moves = benchmark.throughput.and_then(|throughput| throughput.elements);
    let moves =
        moves.filter(|&moves| moves > 0).ok_or("`throughput` contains no number of moves")?;
    let estimates: Estimates = read(&file.with_file_name("estimates.json"))
        .map_err(|why| format!("the estimates.json next to it: {why}"))?;
    // Criterion estimates a slope if it varied the number of iterations; the slope is then the best
    // estimate.
    let estimate = estimates.slope.unwrap_or(estimates.mean);
    let per_move = |value: f64| value / moves as f64;
    let timing = Timing {
        design,
        workload: workload.to_owned(),
        stage,
        tool: "criterion".to_owned(),
        unit: Unit::per(*unit, Per::Move),
        low: per_move(estimate.confidence_interval.lower_bound),
        estimate: per_move(estimate.point_estimate),
        high: per_move(estimate.confidence_interval.upper_bound),
    };
    timing.check()?;
    Ok(Some(timing))
}
