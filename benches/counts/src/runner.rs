//! Gungraun's runner, preceded by two steps: check for Valgrind and build the workloads.
//!
//! Without Valgrind the run succeeds and counts nothing, so `cargo bench` works on every machine.

use std::process::{Command, ExitCode, Stdio};

use gungraun_runner::error::Error;
use raywalk::imports::COUNTED_POSITIONS;
use raywalk_bench_counts::WORKLOADS;
use raywalk_positions::Store;

fn main() -> ExitCode {
    let valgrind = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    if valgrind.is_err() {
        println!(
            "counts: Valgrind is not installed, so nothing is counted; install the package \
             `valgrind` to count instructions (everything else works without it)."
        );
        return ExitCode::SUCCESS;
    }
    // Built here, natively: under Valgrind the same corpus would take minutes.
    for workload in WORKLOADS {
        if let Err(error) = Store::open_default().first(workload, COUNTED_POSITIONS) {
            eprintln!("counts: {error}");
            return ExitCode::FAILURE;
        }
    }
    match gungraun_runner::runner::run::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("counts: {error:#}");
            let regression = matches!(error.downcast_ref(), Some(Error::RegressionError(_)));
            ExitCode::from(if regression { 3 } else { 1 })
        }
    }
}
