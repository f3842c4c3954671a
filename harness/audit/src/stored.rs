//! Instructions per visited square, stored for each compiler: a new compiler may generate better or worse
//! code, which is a warning and no failure.
//!
//! The file is TOML:
//!
//! ```toml
//! [[compiler]]
//! rustc = "rustc 1.95.0"
//! flags = "-C target-cpu=x86-64-v3"
//!
//! [compiler.per-square.all]
//! "mailbox/10x12" = 13.0
//! ```

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::report::Report;

/// A relative difference that is not worth a warning: the numbers are stored with few digits.
const TOLERANCE: f64 = 0.005;

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
    /// Version as `rustc --version` prints it, or its beginning.
    rustc: String,
    /// Flags of the build.
    flags: String,
    /// Instructions per visited square by stage and design.
    per_square: BTreeMap<String, BTreeMap<String, f64>>,
}

impl Stored {
    /// Parses a file.
    ///
    /// # Errors
    /// The file is not TOML of this form.
    pub fn parse(text: &str) -> Result<Stored, toml::de::Error> {
        toml::from_str(text)
    }

    /// One sentence for each entry whose executed instructions differ from those stored for this compiler,
    /// or for which none are stored. Entries that were not stepped have no number to compare.
    pub fn warnings(&self, rustc: &str, flags: &str, reports: &[Report]) -> Vec<String> {
        let known =
            self.compiler.iter().find(|one| rustc.starts_with(&one.rustc) && one.flags == flags);
        let mut warnings = Vec::new();
        for report in reports {
            let Some(now) = report.executed.map(|executed| executed.per_square) else { continue };
            let Some(known) = known else {
                return vec![format!("No instruction counts are stored for {rustc} with {flags}.")];
            };
            let stored =
                known.per_square.get(&report.stage).and_then(|stage| stage.get(&report.design));
            let entry = format!("{} {}", report.design, report.stage);
            match stored {
                Some(&then) if (now - then).abs() <= TOLERANCE * then => {}
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

    const FILE: &str = r#"
        [[compiler]]
        rustc = "rustc 1.95.0"
        flags = "-C opt"

        [compiler.per-square.all]
        "test/one" = 13.0
    "#;

    fn report(design: &str, per_square: Option<f64>) -> Report {
        Report {
            design: design.to_owned(),
            stage: "all".to_owned(),
            control: Control::Mixed,
            address: 0,
            counts: Counts::default(),
            shape: Shape::default(),
            executed: per_square.map(|per_square| Executed { per_square, per_move: 30.0 }),
            called: Vec::new(),
            loops: Vec::new(),
            events: Vec::new(),
        }
    }

    fn warnings(rustc: &str, design: &str, per_square: Option<f64>) -> Vec<String> {
        let stored = Stored::parse(FILE).expect("a file");
        stored.warnings(rustc, "-C opt", &[report(design, per_square)])
    }

    #[test]
    fn a_number_that_differs_or_is_missing_is_a_warning() {
        let rustc = "rustc 1.95.0 (abc 2026-04-01)";
        assert_eq!(warnings(rustc, "test/one", Some(13.0)), [""; 0]);
        assert_eq!(warnings(rustc, "test/one", None), [""; 0], "nothing was stepped");
        assert!(warnings(rustc, "test/one", Some(14.0))[0].contains("14.00"));
        assert!(warnings(rustc, "test/two", Some(13.0))[0].contains("none are stored"));
        assert!(warnings("rustc 1.96.0", "test/one", Some(13.0))[0].starts_with("No instruction"));
    }

    #[test]
    fn an_unknown_key_is_refused() {
        assert!(Stored::parse("[[compilers]]\n").is_err());
        assert_eq!(Stored::parse("# nothing yet\n").expect("empty"), Stored::default());
    }
}
