//! criterion's timings: `target/criterion/**/new/{benchmark,estimates}.json`.
//!
//! Groups are named `gen/<workload>/<stage>`, functions after the design, and the throughput of a
//! benchmark is its moves. The files do not tell the unit of their values, so the first word of the
//! group does: `gen` for nanoseconds, `gen-cycles` for derived core cycles. Groups of other names
//! belong to other benchmarks and are passed over in silence.

use std::path::Path;

use raywalk_reports::schema::Timing;
use serde::Deserialize;

use super::{Import, find, read, stage_of};

#[derive(Deserialize)]
struct Benchmark {
    group_id: String,
    function_id: Option<String>,
    value_str: Option<String>,
    throughput: Option<Throughput>,
}

/// Only elements are understood; other kinds count bits and bytes.
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

/// First words of our groups, and the unit that each stands for.
pub const UNITS: [(&str, &str); 2] = [("gen", "ns"), ("gen-cycles", "cycles")];

/// The timings below a folder, usually `target/criterion`.
pub fn timings(folder: &Path) -> Import<Timing> {
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
    let stage = stage_of(stage).ok_or_else(|| {
        format!("`group_id` is `{}`, which ends with no stage", benchmark.group_id)
    })?;
    // A function or a parameter, as the benchmark chose to call its designs.
    let design = benchmark.function_id.or(benchmark.value_str);
    let design = design.ok_or("neither `function_id` nor `value_str` names a design")?;
    let moves = benchmark.throughput.and_then(|throughput| throughput.elements);
    let moves = moves.filter(|&moves| moves > 0).ok_or("`throughput` tells no number of moves")?;
    let estimates: Estimates = read(&file.with_file_name("estimates.json"))
        .map_err(|why| format!("the estimates.json beside it: {why}"))?;
    // The slope is there where criterion varied the number of iterations; it is its best estimate.
    let estimate = estimates.slope.unwrap_or(estimates.mean);
    let per_move = |value: f64| value / moves as f64;
    Ok(Some(Timing {
        design,
        workload: workload.to_owned(),
        stage: stage.name().to_owned(),
        tool: "criterion".to_owned(),
        unit: (*unit).to_owned(),
        low: per_move(estimate.confidence_interval.lower_bound),
        estimate: per_move(estimate.point_estimate),
        high: per_move(estimate.confidence_interval.upper_bound),
    }))
}
