//! The Criterion benchmark; the crate's documentation describes groups and environment variables.

use std::env;
use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput};
use raywalk::registry::{self, Entry};
use raywalk_bench_timing::{GROUPS, Unit, Work};
use raywalk_positions::Store;

fn main() {
    if let Err(error) = run() {
        eprintln!("timing: {error:#}");
        std::process::exit(2);
    }
}

fn run() -> anyhow::Result<()> {
    let unit: Unit = env::var("RAYWALK_BENCH_UNIT").unwrap_or_default().parse()?;
    let prefix = unit.group();
    let entries = designs()?;
    let store = Store::open_default();
    let mut criterion = Criterion::default()
        .with_measurement(unit)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800))
        .sample_size(30)
        .nresamples(10_000)
        .configure_from_args();
    for &(workload, stage) in GROUPS {
        let positions = store.workload(workload)?.positions;
        let mut group = criterion.benchmark_group(format!("{prefix}/{workload}/{}", stage.name()));
        for entry in &entries {
            // A design that needs a CPU feature which this machine lacks is left out.
            let Ok(design) = entry.build() else { continue };
            let mut work = Work::new(design, &positions, stage);
            group.throughput(Throughput::Elements(work.moves()));
            group.bench_function(BenchmarkId::from_parameter(entry.card.id), |bencher| {
                bencher.iter(|| black_box(work.iterate()));
            });
        }
        group.finish();
    }
    criterion.final_summary();
    Ok(())
}

fn designs() -> anyhow::Result<Vec<&'static Entry>> {
    match env::var("RAYWALK_BENCH_DESIGNS").unwrap_or_default().as_str() {
        "" | "quick" => registry::matching(&registry::quick()),
        patterns => registry::matching(&patterns.split(',').map(str::to_owned).collect::<Vec<_>>()),
    }
}
