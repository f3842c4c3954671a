//! The grade of a session as plain text.

use raywalk_judge::grade::{Graded, Letter, Reason};

use super::screen::{Screen, Tone};

/// Columns before the sentences of a reason: two blanks, the letter, two blanks.
const INDENT: usize = 5;

/// Writes the grade, the A/A control of the session, and each reason with its remedy.
pub fn write(out: &mut Screen, graded: &Graded) {
    let tone = match graded.letter {
        Letter::A => Tone::Good,
        Letter::B => Tone::Plain,
        Letter::C => Tone::Warning,
        Letter::D => Tone::Bad,
    };
    out.toned(format!("session grade {}: {}", graded.letter, graded.letter.meaning()), tone);
    out.line(graded.aa_control_text());
    for Reason { letter, warning } in &graded.reasons {
        out.hanging_line(format!("  {letter}  {warning} {}", warning.advice()), INDENT);
    }
}
