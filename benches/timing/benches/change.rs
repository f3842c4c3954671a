//! Times one design that the environment names, to test Criterion's change detection.
//!
//! `raywalk selftest --sessions` runs it twice with different subjects and checks which change
//! Criterion reports. `RAYWALK_SUBJECT` and `RAYWALK_WORKLOAD` select design and workload.

use std::env;
use std::hint::black_box;

use criterion::Criterion;
use raywalk::known;
use raywalk_positions::Store;
use raywalk_results::schema::{Call, Stage};

/// Positions per iteration, which take a design about a millisecond.
const POSITIONS: usize = 8_192;

fn main() {
    if let Err(error) = run() {
        eprintln!("change: {error:#}");
        std::process::exit(2);
    }
}

fn run() -> anyhow::Result<()> {
    let setting = |variable: &str, default: &str| env::var(variable).unwrap_or(default.to_owned());
    let id = setting("RAYWALK_SUBJECT", "ferret/pointer");
    let positions = Store::open_default().first(&setting("RAYWALK_WORKLOAD", "ab4"), POSITIONS)?;
    let mut design = known::design(&id)?;
    design.load(&positions);
    let mut criterion = Criterion::default().configure_from_args();
    criterion.bench_function("change", |bencher| {
        bencher
            .iter(|| black_box(design.pass(Call::generate(Stage::All).into(), 0..positions.len())));
    });
    criterion.final_summary();
    Ok(())
}
