//! The Criterion benchmark; the crate's documentation describes groups and environment variables.

use std::env;
use std::hint::black_box;
use std::time::Duration;

use anyhow::bail;
use criterion::{BenchmarkId, Criterion, Throughput};
use raywalk::registry::{self, DESIGNS, Entry};
use raywalk_bench_timing::{Filter, GROUPS, Unit, Work};
use raywalk_positions::Store;
use raywalk_results::schema::Stage;

fn main() {
    if let Err(error) = run() {
        eprintln!("timing: {error:#}");
        std::process::exit(2);
    }
}

fn run() -> anyhow::Result<()> {
    raywalk_measure::machine::emulation::check()?;
    let unit: Unit = env::var("RAYWALK_BENCH_UNIT").unwrap_or_default().parse()?;
    let prefix = unit.group();
    let filter = Filter::of(env::args().skip(1))?;
    let groups: Vec<Group> = GROUPS.iter().map(|&one| Group::of(one, prefix, &filter)).collect();
    if let (Some(typed), true) =
        (filter.typed(), groups.iter().all(|group| group.entries.is_empty()))
    {
        bail!(
            "no benchmark matches `{typed}`; `cargo run --release -- list` shows the designs, and a \
             benchmark is called `{prefix}/ab4/all/bell/last-square`"
        );
    }
    let store = Store::open_default();
    let mut criterion = Criterion::default()
        .with_measurement(unit)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800))
        .sample_size(30)
        .nresamples(10_000)
        .configure_from_args();
    for Group { workload, name, stage, entries } in groups {
        // Positions are generated only if they are needed.
        if entries.is_empty() {
            continue;
        }
        let positions = store.workload(workload)?.positions;
        let mut group = criterion.benchmark_group(name);
        for entry in entries {
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

/// A group of benchmarks: one workload and stage, and the designs that are timed on it.
struct Group {
    workload: &'static str,
    name: String,
    stage: Stage,
    entries: Vec<&'static Entry>,
}

impl Group {
    fn of((workload, stage): (&'static str, Stage), prefix: &str, filter: &Filter) -> Group {
        let name = format!("{prefix}/{workload}/{}", stage.name());
        let quick = registry::quick();
        let selected = |entry: &&Entry| match filter.typed() {
            Some(_) => filter.matches(&format!("{name}/{}", entry.card.id)),
            None => quick.iter().any(|id| id == entry.card.id),
        };
        let entries = DESIGNS.iter().filter(selected).collect();
        Group { workload, name, stage, entries }
    }
}
