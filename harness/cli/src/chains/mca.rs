//! `llvm-mca` beside our own arithmetic, where it is installed.
//!
//! It simulates the iterations of a loop on a model of the processor, from a table of LLVM. Its cycles per iteration
//! include limits of throughput, which a chain does not. It does not model memory and assumes that every load hits the
//! first-level cache.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use raywalk_measure::machine::program::{self, Limits, Stderr};
use raywalk_measure::machine::tools::LLVM_MCA;

/// Iterations to simulate. The first ones differ, because nothing is waited for yet.
const ITERATIONS: u32 = 1_000;
/// Processors that are tried in turn where LLVM does not know this one, which it then calls by one of the names
/// in [`UNKNOWN`].
const AMD: [&str; 4] = ["znver5", "znver4", "znver3", "znver2"];
const UNKNOWN: [&str; 3] = ["generic", "x86-64", "(unknown)"];
const LIMITS: Limits = Limits { time: Duration::from_secs(20), bytes: 1 << 20 };

/// The installed `llvm-mca`, and the processor that it simulates.
#[derive(Clone, Debug)]
pub(crate) struct Mca {
    path: PathBuf,
    /// The line with its version.
    pub(crate) version: String,
    /// The processor that it simulates.
    pub(crate) cpu: String,
}

/// Simulation of repeated iterations by `llvm-mca`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct McaIteration {
    /// Simulated cycles per iteration.
    pub(crate) cycles: f64,
    /// Least cycles per iteration by the resources of the core alone.
    pub(crate) throughput: f64,
}

impl Mca {
    /// Finds the program and a processor that it can simulate.
    ///
    /// # Errors
    /// One sentence why there is none.
    pub(crate) fn find() -> Result<Mca, String> {
        let path = LLVM_MCA.find().ok_or_else(|| LLVM_MCA.missing().to_string())?;
        let answer = program::run(Command::new(&path).arg("--version"), LIMITS, Stderr::Read)
            .map_err(|failure| format!("llvm-mca {failure}."))?;
        let text = String::from_utf8_lossy(&answer.stdout);
        let version = text.lines().map(str::trim).find(|line| line.contains("version"));
        let mut mca =
            Mca { path, version: version.unwrap_or_default().to_owned(), cpu: String::new() };
        let is_amd = std::fs::read_to_string("/proc/cpuinfo")
            .is_ok_and(|text| text.contains("AuthenticAMD"));
        let mut last = "it simulates no processor".to_owned();
        for cpu in candidates(host(&text), is_amd) {
            cpu.clone_into(&mut mca.cpu);
            match mca.examine(&["nop".to_owned()]) {
                Ok(_) => {
                    if let ("native", Some(host)) = (cpu, host(&text)) {
                        mca.cpu = host.to_owned();
                    }
                    return Ok(mca);
                }
                Err(error) => last = error,
            }
        }
        Err(format!("llvm-mca cannot be used: {last}."))
    }

    /// Simulates an iteration, given as instructions in Intel syntax.
    ///
    /// # Errors
    /// Errors of the program.
    pub(crate) fn examine(&self, instructions: &[String]) -> Result<McaIteration, String> {
        let folder = std::env::temp_dir();
        let path = folder.join(format!("raywalk-{}.s", std::process::id()));
        std::fs::write(&path, source(instructions)).map_err(|error| error.to_string())?;
        let answer = program::run(
            Command::new(&self.path).args(self.arguments()).arg(&path),
            LIMITS,
            Stderr::Read,
        );
        // A file that stays behind does no harm.
        let _ = std::fs::remove_file(&path);
        let answer = answer.map_err(|failure| failure.to_string())?;
        let errors = String::from_utf8_lossy(&answer.stderr);
        match (answer.status.success(), parsed(&String::from_utf8_lossy(&answer.stdout))) {
            (true, Some(iteration)) => Ok(iteration),
            _ => Err(errors.lines().next().unwrap_or("it prints no cycles").to_owned()),
        }
    }

    fn arguments(&self) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec![
            "-mtriple=x86_64-unknown-linux-gnu".into(),
            format!("-iterations={ITERATIONS}").into(),
            "-instruction-info=false".into(),
            "-resource-pressure=false".into(),
        ];
        words.push(format!("-mcpu={}", self.cpu).into());
        words
    }
}

/// The processor that LLVM believes to run on.
fn host(version: &str) -> Option<&str> {
    version.lines().find_map(|line| line.trim().strip_prefix("Host CPU: "))
}

/// Names of processors to try in turn, as values of `-mcpu`.
fn candidates(host: Option<&str>, is_amd: bool) -> Vec<&str> {
    match host {
        Some(host) if !UNKNOWN.contains(&host) => vec!["native", host],
        _ if is_amd => AMD.to_vec(),
        _ => vec!["native"],
    }
}

/// The instructions as a file for an assembler. A jump leads to an address, which is no operand of a file without
/// sections; it goes back to the beginning instead.
fn source(instructions: &[String]) -> String {
    let mut text = ".intel_syntax noprefix\nagain:\n".to_owned();
    for instruction in instructions {
        match instruction.split_once(' ') {
            Some((jump, _)) if jump.starts_with('j') => text.push_str(&format!("{jump} again\n")),
            _ => text.push_str(&format!("{instruction}\n")),
        }
    }
    text
}

fn parsed(text: &str) -> Option<McaIteration> {
    let number = |key: &str| -> Option<f64> {
        let line = text.lines().find_map(|line| line.strip_prefix(key))?;
        line.trim().parse().ok()
    };
    let iterations = number("Iterations:").filter(|&count| count > 0.0)?;
    let (total, throughput) = (number("Total Cycles:")?, number("Block RThroughput:")?);
    Some(McaIteration { cycles: total / iterations, throughput })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example in the guide of `llvm-mca`, for `vmulps`, `vhaddps` and `vhaddps` on Jaguar.
    const GUIDE: &str = "\
Iterations:        300
Instructions:      900
Total Cycles:      610
Total uOps:        900

Dispatch Width:    2
uOps Per Cycle:    1.48
IPC:               1.48
Block RThroughput: 2.0
";

    #[test]
    fn the_summary_is_read_as_in_its_guide() {
        let found = parsed(GUIDE).expect("a summary");
        assert!((found.cycles - 610.0 / 300.0).abs() < 1e-12 && found.throughput == 2.0);
        assert_eq!(parsed("error: unable to find instruction-level scheduling information"), None);
        assert_eq!(parsed(&GUIDE.replace("300", "0")), None);
    }

    #[test]
    fn jumps_lead_back_to_the_beginning() {
        let iteration = ["movzx eax,byte ptr [rcx+rax*8]", "jne 0x1000", "jmp short 0x1010"];
        let text = source(&iteration.map(str::to_owned));
        let expected = "again:\nmovzx eax,byte ptr [rcx+rax*8]\njne again\njmp again\n";
        assert!(text.ends_with(expected), "{text}");
    }

    #[test]
    fn a_processor_that_llvm_does_not_know_is_simulated_as_its_predecessor() {
        let version = "LLVM (http://llvm.org/):\n  LLVM version 19.1.7\n  Host CPU: znver4\n";
        assert_eq!(candidates(host(version), true), ["native", "znver4"]);
        let unknown = version.replace("znver4", "x86-64");
        assert_eq!(candidates(host(&unknown), true), AMD);
        assert_eq!(candidates(host(&unknown), false), ["native"]);
        assert_eq!(candidates(host("LLVM version 9"), false), ["native"]);
    }
}
