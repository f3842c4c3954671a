//! Times one design that the environment names, to test Criterion's change detection.
//!
//! `raywalk selftest --criterion` runs it twice with different subjects and checks which change
//! Criterion reports. `RAYWALK_SUBJECT` and `RAYWALK_WORKLOAD` select design and workload.
//!
//! Criterion gets the conditions of our sessions, as far as its method allows: one processor, the same
//! batches, each loaded untimed before it is timed, ten seconds, and a noise threshold of zero. An iteration
//! is one pass over all batches of the workload. It cannot interleave: it compares a run with an earlier one.

use std::env;
use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, SamplingMode};
use raywalk::known;
use raywalk_core::Position;
use raywalk_measure::machine::affinity::Pinned;
use raywalk_positions::Store;
use raywalk_results::schema::{Call, Stage};

/// The largest batch of a session.
const MOST_POSITIONS: usize = 4_096;

fn main() {
    if let Err(error) = run() {
        eprintln!("change: {error:#}");
        std::process::exit(2);
    }
}

fn run() -> anyhow::Result<()> {
    let setting = |variable: &str, default: &str| env::var(variable).unwrap_or(default.to_owned());
    let id = setting("RAYWALK_SUBJECT", "ferret/pointer");
    let workload = Store::open_default().ordered(&setting("RAYWALK_WORKLOAD", "ab4"))?;
    let batches = batches(&workload.positions, &workload.roots);
    let mut design = known::built_in(&id)?;
    // Where pinning is not allowed, our processes are not pinned either.
    let _pinned = Pinned::to_one_processor();
    let mut criterion = Criterion::default()
        .noise_threshold(0.0)
        .measurement_time(Duration::from_secs(10))
        .configure_from_args();
    let mut group = criterion.benchmark_group("change");
    // A pass is long, so all samples have the same number of iterations.
    group.sampling_mode(SamplingMode::Flat);
    group.bench_function("change", |bencher| {
        bencher.iter_custom(|iterations| {
            let mut time = Duration::ZERO;
            for batch in (0..iterations).flat_map(|_| &batches) {
                design.load(batch);
                let start = Instant::now();
                black_box(design.pass(Call::generate(Stage::All).into(), 0..batch.len()));
                time += start.elapsed();
            }
            time
        });
    });
    group.finish();
    criterion.final_summary();
    Ok(())
}

/// The trees that begin at `roots`; without trees, all positions. Larger ones are cut.
fn batches<'a>(positions: &'a [Position], roots: &[usize]) -> Vec<&'a [Position]> {
    let begins = if roots.is_empty() { &[0] } else { roots };
    let ends = begins[1..].iter().copied().chain([positions.len()]);
    let trees = begins.iter().zip(ends).map(|(&begin, end)| &positions[begin..end]);
    trees.flat_map(|tree| tree.chunks(MOST_POSITIONS)).collect()
}
