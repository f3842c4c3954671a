//! The grade of a session as plain text.

use std::fmt::{self, Write};

use raywalk_judge::grade::{Graded, Reason};

/// Writes the grade, the A/A control of the session, and each reason with its remedy.
pub fn write(out: &mut dyn Write, graded: &Graded) -> fmt::Result {
    writeln!(out, "session grade {}: {}", graded.letter, graded.letter.meaning())?;
    writeln!(out, "{}", graded.aa_control_text())?;
    for Reason { letter, warning } in &graded.reasons {
        writeln!(out, "  {letter}  {warning} {}", warning.advice())?;
    }
    Ok(())
}
