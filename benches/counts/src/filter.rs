//! The filter on the command line, such as `cargo bench -- bell/last-square`.
//!
//! Gungraun compares a filter with whole paths such as `counts::designs::bell_last_square::ab4_all`, and with a
//! filter that matches nothing it succeeds silently. Here a plain name selects every path that contains it, as in
//! Criterion, and a filter that matches nothing is an error.

use std::env;
use std::process::{Command, exit};

use gungraun_runner::runner::args::{BenchmarkFilter, CommandLineArgs};
use raywalk::registry::{DESIGNS, identifier};

/// Ids of the benchmarks of each design.
const RUNS: [&str; 4] = ["ab4_all", "ab4_captures", "ab4_quiets", "cycle_65536_all"];

/// Rewrites the filter of this process, if it has one: starts this program again with the rewritten
/// filter and ends with its exit code. Ends with exit code 2 if no benchmark matches.
pub fn apply() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    // A call of the runner, under Valgrind.
    if arguments.first().is_some_and(|first| first == "--gungraun-run") {
        return;
    }
    // Gungraun reports arguments that it does not know.
    let Ok(parsed) = CommandLineArgs::try_parse_validated_from(&arguments) else { return };
    let Some(BenchmarkFilter::WildcardPattern(typed)) = parsed.filter else { return };
    let pattern = pattern(&typed);
    let wanted = BenchmarkFilter::WildcardPattern(pattern.clone());
    if !paths().any(|path| wanted.apply(&path)) {
        eprintln!(
            "counts: no benchmark matches `{typed}`; `cargo run --release -- list` shows the designs, \
             and --list the benchmarks"
        );
        exit(2);
    }
    // The last argument with this text: an option's value of the same text would stand before it.
    let Some(place) = arguments.iter().rposition(|one| *one == typed) else { return };
    if pattern == typed {
        return;
    }
    let mut rewritten = arguments;
    rewritten[place] = pattern;
    let status =
        env::current_exe().and_then(|program| Command::new(program).args(rewritten).status());
    match status {
        Ok(status) => exit(status.code().unwrap_or(1)),
        Err(error) => {
            eprintln!("counts: cannot start the benchmark: {error}");
            exit(2);
        }
    }
}

/// The glob for a filter: a glob stays as it is, and a plain name becomes "contains this name".
fn pattern(typed: &str) -> String {
    if typed.contains(['*', '?', '[']) {
        typed.to_owned()
    } else {
        format!("*{}*", identifier(typed))
    }
}

/// Paths of all benchmarks: `counts::designs::`, the name of the design, and that of the run.
fn paths() -> impl Iterator<Item = String> {
    DESIGNS.iter().flat_map(|entry| {
        let name = identifier(entry.card.id);
        RUNS.map(|run| format!("counts::designs::{name}::{run}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(typed: &str) -> usize {
        let wanted = BenchmarkFilter::WildcardPattern(pattern(typed));
        paths().filter(|path| wanted.apply(path)).count()
    }

    #[test]
    fn a_plain_name_selects_every_benchmark_of_the_design() {
        assert_eq!(matches("bell/last-square"), RUNS.len());
        assert_eq!(matches("bell_last_square"), RUNS.len());
        assert_eq!(matches("dense-index/fixed-trip"), RUNS.len());
        assert_eq!(matches("cycle-65536"), DESIGNS.len());
        assert_eq!(matches("ten-minutes"), 0);
    }

    #[test]
    fn a_glob_is_gungrauns() {
        assert_eq!(matches("*bell_last_square*ab4_all"), 1);
        assert_eq!(matches("bell*"), 0);
    }

    #[test]
    fn the_benchmark_declares_these_runs() {
        let source = include_str!("../benches/counts.rs");
        let declared = source.matches("#[bench::").count();
        assert_eq!(declared, RUNS.len());
        assert!(RUNS.iter().all(|run| source.contains(&format!("#[bench::{run}("))));
    }
}
