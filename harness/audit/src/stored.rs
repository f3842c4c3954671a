//! Instructions per visited square, stored for each compiler: a new compiler may generate better or worse code, which
//! is a warning, not a failure.
//!
//! The file is TOML, written by [`Stored::to_text`]:
//!
//! ```toml
//! [[compiler]]
//! rustc = "rustc 1.95.0"
//! flags = "-C target-cpu=x86-64-v3"
//!
//! [compiler.per-square]
//! "mailbox/10x12" = { all = 25.31, captures = 20.04 }
//! ```

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Deserialize;

use crate::entry_stage::EntryStage;
use crate::report::Report;

/// Half a unit of the last stored digit: a larger difference is other code, because traces are exact.
const ROUNDING: f64 = 0.005;

/// The stored numbers of all compilers.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Stored {
    #[serde(default)]
    compiler: Vec<OfCompiler>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct OfCompiler {
    /// Name and version, the first two words of `rustc --version`.
    rustc: String,
    flags: String,
    /// Instructions per visited square by design and stage.
    per_square: BTreeMap<String, BTreeMap<EntryStage, f64>>,
}

/// The version without commit and date.
fn version(rustc: &str) -> String {
    rustc.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

impl Stored {
    /// Parses a file.
    ///
    /// # Errors
    /// The file is not TOML of this form.
    pub fn parse(text: &str) -> Result<Stored, toml::de::Error> {
        toml::from_str(text)
    }

    /// Replaces the numbers of this compiler by those of the reports. An entry that was not traced, for example
    /// because the machine lacks its instructions, keeps its number.
    pub fn replace(&mut self, rustc: &str, flags: &str, reports: &[Report]) {
        let rustc = version(rustc);
        let before = self.compiler.iter().find(|one| one.rustc == rustc && one.flags == flags);
        let number = |report: &Report| match &report.executed {
            Some(executed) => Some(executed.per_square),
            None => before?.per_square.get(&report.design)?.get(&report.stage).copied(),
        };
        let mut per_square: BTreeMap<String, BTreeMap<EntryStage, f64>> = BTreeMap::new();
        for report in reports {
            if let Some(number) = number(report) {
                per_square.entry(report.design.clone()).or_default().insert(report.stage, number);
            }
        }
        self.compiler.retain(|one| one.rustc != rustc || one.flags != flags);
        self.compiler.push(OfCompiler { rustc, flags: flags.to_owned(), per_square });
        self.compiler
            .sort_by(|one, other| (&one.rustc, &one.flags).cmp(&(&other.rustc, &other.flags)));
    }

    /// The stored numbers as TOML, without the comments of the file.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let line = |text: &mut String, line: std::fmt::Arguments<'_>| {
            writeln!(text, "{line}").expect("writing to a string succeeds");
        };
        for OfCompiler { rustc, flags, per_square } in &self.compiler {
            line(&mut text, format_args!("\n[[compiler]]\nrustc = {rustc:?}\nflags = {flags:?}\n"));
            line(&mut text, format_args!("[compiler.per-square]"));
            for (design, stages) in per_square {
                let stages: Vec<_> =
                    stages.iter().map(|(stage, number)| format!("{stage} = {number:.2}")).collect();
                line(&mut text, format_args!("{design:?} = {{ {} }}", stages.join(", ")));
            }
        }
        text
    }

    /// One sentence for each entry whose executed instructions differ from those stored for this compiler,
    /// or for which none are stored. Entries that were not traced have no number to compare.
    pub fn warnings(&self, rustc: &str, flags: &str, reports: &[Report]) -> Vec<String> {
        let rustc = version(rustc);
        let known = self.compiler.iter().find(|one| one.rustc == rustc && one.flags == flags);
        let mut warnings = Vec::new();
        for report in reports {
            let Some(now) = report.executed.as_ref().map(|executed| executed.per_square) else {
                continue;
            };
            let Some(known) = known else {
                return vec![format!("No instruction counts are stored for {rustc} with {flags}.")];
            };
            let stored =
                known.per_square.get(&report.design).and_then(|design| design.get(&report.stage));
            let entry = format!("{} {}", report.design, report.stage);
            match stored {
                // A hundredth more, because neither number is exact in binary.
                Some(&then) if (now - then).abs() <= ROUNDING * 1.01 => {}
                Some(then) => warnings.push(format!(
                    "{entry}: {now:.2} instructions per visited square, stored are {then:.2}."
                )),
                None => warnings.push(format!(
                    "{entry}: {now:.2} instructions per visited square, none are stored."
                )),
            }
        }
        warnings
    }
}

#[cfg(test)]
mod tests {
    use raywalk_results::schema::Control;

    use super::*;
    use crate::report::{Counts, Executed, Shape};

    const RUSTC: &str = "rustc 1.95.0 (abc 2026-04-01)";

    const FILE: &str = r#"
[[compiler]]
rustc = "rustc 1.95.0"
flags = "-C opt"

[compiler.per-square]
"test/one" = { all = 13.00 }
"#;

    fn report(design: &str, per_square: Option<f64>) -> Report {
        Report {
            design: design.to_owned(),
            stage: EntryStage::All,
            control: Control::Mixed,
            address: 0,
            counts: Counts::default(),
            shape: Shape::default(),
            executed: per_square.map(|per_square| Executed {
                instructions: 100,
                per_square,
                per_move: 30.0,
                main: None,
                of_loops: Vec::new(),
                stack_of_loops: Vec::new(),
                stack_per_square: 0.0,
            }),
            not_executed: None,
            called: Vec::new(),
            loops: Vec::new(),
            cell_bytes: Some(64),
            events: Vec::new(),
        }
    }

    fn warnings(rustc: &str, design: &str, per_square: Option<f64>) -> Vec<String> {
        let stored = Stored::parse(FILE).expect("a file");
        stored.warnings(rustc, "-C opt", &[report(design, per_square)])
    }

    #[test]
    fn a_number_that_differs_or_is_missing_is_a_warning() {
        assert_eq!(warnings(RUSTC, "test/one", Some(13.0)), [""; 0]);
        assert_eq!(warnings(RUSTC, "test/one", Some(13.004)), [""; 0], "rounded");
        assert_eq!(warnings(RUSTC, "test/one", None), [""; 0], "nothing was traced");
        assert!(warnings(RUSTC, "test/one", Some(13.01))[0].contains("13.01"));
        assert!(warnings(RUSTC, "test/two", Some(13.0))[0].contains("none are stored"));
        assert!(warnings("rustc 1.95.01", "test/one", Some(13.0))[0].starts_with("No instruction"));
    }

    #[test]
    fn what_is_written_is_read_again_and_replaces_the_numbers_of_its_compiler_only() {
        let mut stored = Stored::parse(FILE).expect("a file");
        assert_eq!(stored.to_text(), FILE);
        stored.replace("rustc 1.96.0 (def)", "-C opt", &[report("test/one", Some(12.0))]);
        stored.replace(RUSTC, "-C opt", &[report("test/two", Some(14.0)), report("test/no", None)]);
        let kept = stored.clone();
        stored.replace(RUSTC, "-C opt", &[report("test/two", None), report("test/no", None)]);
        assert_eq!(stored, kept, "what this machine cannot execute keeps its number");
        assert_eq!(Stored::parse(&stored.to_text()), Ok(stored.clone()));
        let warned = |rustc, design, now| {
            !stored.warnings(rustc, "-C opt", &[report(design, Some(now))]).is_empty()
        };
        assert!(!warned(RUSTC, "test/two", 14.0) && warned(RUSTC, "test/one", 13.0));
        assert!(!warned("rustc 1.96.0", "test/one", 12.0));
    }

    #[test]
    fn an_unknown_key_is_refused() {
        assert!(Stored::parse("[[compilers]]\n").is_err());
        assert_eq!(Stored::parse("# nothing yet\n").expect("empty"), Stored::default());
    }
}
