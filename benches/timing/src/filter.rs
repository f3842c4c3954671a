//! Parses the benchmark filter of the command line.
//!
//! Criterion parses it as well, but does not pass it on. The benchmark needs it for two reasons: a filter selects among
//! all designs, of which only some are timed by default, and a filter without a match is an error.

use anyhow::{Context, Result};
use regex::Regex;

/// Criterion's options whose value is the next argument.
const VALUED: [&str; 17] = [
    "-c",
    "--color",
    "--colour",
    "-s",
    "--save-baseline",
    "-b",
    "--baseline",
    "--baseline-lenient",
    "--load-baseline",
    "--format",
    "--profile-time",
    "--sample-size",
    "--warm-up-time",
    "--measurement-time",
    "--nresamples",
    "--plotting-backend",
    "--output-format",
];
/// More of them; criterion has three thresholds.
const THRESHOLDS: [&str; 3] = ["--noise-threshold", "--confidence-level", "--significance-level"];

/// The filter of the command line: a regular expression, an exact name, or none.
pub struct Filter {
    typed: Option<(String, Regex)>,
    exact: bool,
}

impl Filter {
    /// Reads the arguments of the program, without its name.
    ///
    /// # Errors
    /// The filter is not a regular expression.
    pub fn of(arguments: impl IntoIterator<Item = String>) -> Result<Filter> {
        let mut filter = Filter { typed: None, exact: false };
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            if VALUED.contains(&&*argument) || THRESHOLDS.contains(&&*argument) {
                arguments.next();
            } else if argument == "--exact" {
                filter.exact = true;
            } else if !argument.starts_with('-') {
                let regex = Regex::new(&argument)
                    .with_context(|| format!("the filter `{argument}` is no regular expression"))?;
                filter.typed = Some((argument, regex));
            }
        }
        Ok(filter)
    }

    /// The text of the filter as typed; `None` without a filter.
    pub fn typed(&self) -> Option<&str> {
        self.typed.as_ref().map(|(typed, _)| &**typed)
    }

    /// Whether the benchmark of this name runs, by the rule of criterion.
    pub fn matches(&self, name: &str) -> bool {
        match &self.typed {
            Some((typed, _)) if self.exact => typed == name,
            Some((_, regex)) => regex.is_match(name),
            None => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Filter {
        Filter::of(line.split_whitespace().map(str::to_owned)).expect("a filter")
    }

    #[test]
    fn the_filter_is_found_between_options() {
        for line in [
            "bell --bench",
            "--bench bell",
            "--save-baseline old bell --bench",
            "--sample-size=10 bell --noplot",
            "-b old --noise-threshold 0.1 bell",
        ] {
            assert_eq!(of(line).typed(), Some("bell"), "{line}");
        }
        for line in ["", "--bench", "--baseline bell", "--list --format terse"] {
            assert_eq!(of(line).typed(), None, "{line}");
        }
        assert!(Filter::of(["(".to_owned()]).is_err());
    }

    #[test]
    fn a_filter_is_a_regular_expression_or_exact() {
        let name = "gen/ab4/all/bell/last-square";
        assert!(of("bell/last-square").matches(name) && of("ab4/all/(bell|ox88)").matches(name));
        assert!(!of("ten-minutes").matches(name) && !of("bell --exact").matches(name));
        assert!(of(&format!("{name} --exact")).matches(name) && of("").matches(name));
    }
}
