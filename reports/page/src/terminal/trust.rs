//! Resolution of a session and its limits, as plain text.

use raywalk_judge::trust::{Reason, Severity, Trust};

use super::screen::{Screen, Tone};

/// Columns before the sentences of a reason: two spaces, the longest severity, two spaces.
const INDENT: usize = 11;

/// Writes what the session resolves, the A/A control of the session, and each reason with its remedy.
pub fn write(out: &mut Screen, trust: &Trust) {
    let tone = match trust.severity() {
        Severity::Note => Tone::Good,
        Severity::Limit => Tone::Plain,
        Severity::Serious => Tone::Warning,
        Severity::Fatal => Tone::Bad,
    };
    out.toned(format!("{}.", trust.sentence()), tone);
    out.line(trust.aa_control_text());
    for Reason { severity, warning } in &trust.reasons {
        out.hanging_line(
            format!("  {:<7}  {warning} {}", severity.to_string(), warning.advice()),
            INDENT,
        );
    }
}
