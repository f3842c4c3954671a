//! `raywalk compare`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use raywalk_reports::compare::{Question, compare, unlike, write};
use raywalk_reports::wording::list;

use super::report;
use crate::registry;

/// [`MARGIN`](raywalk_reports::summary::MARGIN): the page calls equal what lies within it, too.
const GATE: &str = "1%";

/// Compare two results, design by design; exit code 1 if B has a proved regression
///
/// Each design is held against a baseline that ran beside it, in A and in B, and the two ratios
/// are compared: what slowed the whole session falls out. A change counts if it lies beyond the
/// noise and beyond what both sessions spread by over their processes and layouts. The ratio of the
/// times stands beside it as the weaker number. Results of unlike processors, corpora, compilers or flags are refused.
#[derive(clap::Args)]
pub struct Compare {
    /// The older result: a journal, or a folder that holds a `journal.jsonl`
    a: PathBuf,
    /// The newer result
    b: PathBuf,
    /// Changes within this are called equal; a regression is one that lies beyond it for certain
    #[arg(long, value_name = "PERCENT", value_parser = share, default_value = GATE)]
    gate: f64,
    /// Only these designs: an id, a family, or a pattern such as `bitboard/*`
    #[arg(long, value_name = "ID")]
    design: Vec<String>,
    /// The design that both are held against; each panel's own if absent, unless it changed itself
    #[arg(long, value_name = "ID")]
    baseline: Option<String>,
    /// Compare what should not be compared; every line is marked
    #[arg(long)]
    force: bool,
}

impl Compare {
    pub fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let a = report::read(&report::journal_at(&self.a))?;
        let b = report::read(&report::journal_at(&self.b))?;
        let unlike = unlike(&a, &b);
        if !self.force && !unlike.is_empty() {
            let differences: Vec<String> = unlike.iter().map(ToString::to_string).collect();
            anyhow::bail!(
                "the two cannot be compared: {}; --force compares them all the same and marks \
                 every line",
                list(&differences)
            );
        }
        let patterns = &self.design;
        let wanted = |id: &str| {
            patterns.is_empty() || patterns.iter().any(|pattern| registry::is_meant(pattern, id))
        };
        let baseline = self.baseline.as_deref();
        let question = Question { wanted: &wanted, baseline, gate: self.gate };
        let comparison = compare(&a, &b, &question);
        ensure!(
            comparison.panels.iter().any(|panel| !panel.rows.is_empty()),
            "the two have no panel in common in which these designs were measured"
        );
        let mut text = String::new();
        write(&mut text, [&a, &b], &unlike, &comparison)?;
        out.write_all(text.as_bytes())?;
        Ok(ExitCode::from(u8::from(comparison.regressions().next().is_some())))
    }
}

/// `2%`, `0.5 %`.
fn share(text: &str) -> Result<f64, String> {
    let number = text.trim().strip_suffix('%').and_then(|text| text.trim().parse::<f64>().ok());
    number
        .filter(|percent| (0.0..1000.0).contains(percent))
        .map(|percent| percent / 100.0)
        .ok_or_else(|| "say it in per cent, such as 2%".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_reports::summary::MARGIN;

    #[test]
    fn a_gate_is_said_in_per_cent() {
        assert_eq!([share("2%"), share("0.5 %"), share("0%")], [Ok(0.02), Ok(0.005), Ok(0.0)]);
        for wrong in ["2", "0.02", "-1%", "%", "NaN%", "inf%", "two%"] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
        assert_eq!(share(GATE), Ok(MARGIN));
    }
}
