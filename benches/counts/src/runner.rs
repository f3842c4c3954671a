//! The runner of the benchmark beside it: gungraun's own, behind two questions.

use std::process::{Command, ExitCode, Stdio};

use gungraun_runner::error::Error;
use raywalk_bench_counts::WORKLOADS;
use raywalk_harness::imports::COUNTED_POSITIONS;
use raywalk_positions::Store;

fn main() -> ExitCode {
    let valgrind = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    if valgrind.is_err() {
        println!(
            "counts: valgrind is not installed, so no instruction is counted; install the package \
             `valgrind` to have them (everything else works without)."
        );
        return ExitCode::SUCCESS;
    }
    // Made here, natively: under valgrind the same corpus would take minutes.
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
