//! One subject, named by the environment, so that a second run with another subject shows what
//! criterion's change detection says of the two. Run by `raywalk selftest --sessions`.

use std::env;
use std::hint::black_box;

use criterion::Criterion;
use raywalk_core::StageId;
use raywalk_harness::selftest::known;
use raywalk_positions::Store;

/// Positions of an iteration: about a millisecond of a design.
const POSITIONS: usize = 8_192;

fn main() {
    if let Err(error) = run() {
        eprintln!("change: {error:#}");
        std::process::exit(2);
    }
}

fn run() -> anyhow::Result<()> {
    let named =
        |variable: &str, otherwise: &str| env::var(variable).unwrap_or(otherwise.to_owned());
    let id = named("RAYWALK_SUBJECT", "ferret/pointer");
    let positions = Store::open_default().first(&named("RAYWALK_WORKLOAD", "ab4"), POSITIONS)?;
    let mut subject = known::subject(&id)?;
    subject.load(&positions);
    let mut criterion = Criterion::default().configure_from_args();
    criterion.bench_function("change", |bencher| {
        bencher.iter(|| black_box(subject.pass(StageId::All, 0..positions.len())));
    });
    criterion.final_summary();
    Ok(())
}
