//! Standard output, standard error and exit codes.
//!
//! Nothing here can panic or change a verdict: a reader that closes the pipe early ends the output and
//! leaves the exit code as it is, and a message that cannot be written to stderr is dropped.

use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};

/// Writes one line to stderr, as [`plain`] text. A failure to write it is ignored: there is nowhere to
/// report it.
pub(crate) fn write_note(line: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{}", plain(&line.to_string()));
}

/// [`write_note`] with a format string.
macro_rules! note {
    ($($argument:tt)*) => { $crate::console::write_note(format_args!($($argument)*)) };
}
pub(crate) use note;

/// A writer that accepts everything after its reader has closed the pipe, as `raywalk list | head`
/// does, and passes all other errors on.
pub struct Output<W> {
    inner: W,
    closed: bool,
}

impl<W: Write> Output<W> {
    /// Writes to `inner` until its reader is gone.
    pub fn new(inner: W) -> Output<W> {
        Output { inner, closed: false }
    }

    fn unless_closed<T>(
        &mut self,
        otherwise: T,
        action: impl FnOnce(&mut W) -> io::Result<T>,
    ) -> io::Result<T> {
        if self.closed {
            return Ok(otherwise);
        }
        match action(&mut self.inner) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(otherwise)
            }
            result => result,
        }
    }
}

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_closed(bytes.len(), |inner| inner.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_closed((), |inner| inner.flush())
    }
}

/// Prints what clap answers to a command line that it does not run: help and version to `out`, a message
/// about a mistake to stderr.
///
/// # Errors
/// The help cannot be written.
pub fn answer_for_clap(message: &clap::Error, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    if message.use_stderr() {
        // There is nowhere to report that stderr cannot be written.
        let _ = message.print();
        return Ok(ExitCode::from(2));
    }
    let text = message.render();
    match AutoStream::choice(&io::stdout()) {
        ColorChoice::Never => write!(out, "{text}")?,
        _ => write!(out, "{}", text.ansi())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// A failure of another program (an engine, cargo, valgrind), in its own words.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct External(pub String);

/// The exit code of an error: 3 if another program failed, else 2.
fn exit_code(error: &anyhow::Error) -> u8 {
    let external = |cause: &(dyn Error + 'static)| cause.is::<External>();
    if error.chain().any(external) { 3 } else { 2 }
}

/// Prints an error as one sentence and returns its exit code.
pub fn fail(error: &anyhow::Error) -> ExitCode {
    let (line, code) = answer(error);
    note!("{line}");
    ExitCode::from(code)
}

/// The line on stderr and the exit code with which the program answers an error.
pub fn answer(error: &anyhow::Error) -> (String, u8) {
    (shortened(&format!("raywalk: {}", sentence(error))), exit_code(error))
}

fn sentence(error: &anyhow::Error) -> String {
    let mut sentence = String::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        // A cause that repeats the end of the message above it adds nothing.
        if sentence.ends_with(&cause) {
            continue;
        }
        if !sentence.is_empty() {
            sentence.push_str(": ");
        }
        sentence.push_str(&cause);
    }
    sentence
}

/// The longest piece of foreign text in a message, in characters.
const LONGEST: usize = 1_000;
/// The end of a longer sentence that is kept, in characters.
const KEPT_END: usize = 300;

/// A sentence as it may be shown. If it is too long, its middle is left out: its beginning names what is
/// wrong, and its end the reason.
fn shortened(sentence: &str) -> String {
    let text: Vec<char> = raywalk_page::terminal::plain(sentence, usize::MAX).chars().collect();
    if text.len() <= LONGEST {
        return text.into_iter().collect();
    }
    let (start, end) = (&text[..LONGEST - KEPT_END - 1], &text[text.len() - KEPT_END..]);
    start.iter().chain(['…'].iter()).chain(end).collect()
}

/// Text from files and other programs as it may be shown on a terminal: control characters escaped, and
/// cut after a thousand characters.
pub(crate) fn plain(text: &str) -> String {
    raywalk_page::terminal::plain(text, LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails with this kind of error from its second write on.
    struct Failing(ErrorKind, usize);

    impl Write for Failing {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.1 += 1;
            if self.1 > 1 { Err(self.0.into()) } else { Ok(bytes.len()) }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_closed_reader_ends_the_output_and_is_no_error() {
        let mut out = Output::new(Failing(ErrorKind::BrokenPipe, 0));
        for _ in 0..3 {
            assert!(out.write_all(b"line\n").is_ok());
        }
        assert!(out.flush().is_ok());
        assert_eq!(out.inner.1, 2, "nothing is written after the pipe was closed");
    }

    #[test]
    fn a_full_disk_is_an_error() {
        let mut out = Output::new(Failing(ErrorKind::StorageFull, 0));
        assert!(out.write_all(b"line\n").is_ok());
        assert!(out.write_all(b"line\n").is_err());
    }

    #[test]
    fn only_failures_of_other_programs_have_exit_code_3() {
        use anyhow::Context;
        let engine = Err::<(), _>(External("engine: gone".to_owned())).context("bisecting");
        assert_eq!(exit_code(&engine.expect_err("an error")), 3);
        assert_eq!(exit_code(&anyhow::anyhow!("bad FEN")), 2);
    }

    #[test]
    fn an_error_does_not_repeat_its_cause() {
        use anyhow::Context;
        #[derive(Debug, thiserror::Error)]
        #[error("cannot write x: {source}")]
        struct Unwritten {
            source: io::Error,
        }
        let source = io::Error::other("no space left");
        let error = Err::<(), _>(Unwritten { source }).context("saving").expect_err("an error");
        assert_eq!(sentence(&error), "saving: cannot write x: no space left");
    }

    #[test]
    fn a_long_sentence_keeps_its_beginning_and_its_reason() {
        let path = "x/".repeat(2_500);
        let shown = shortened(&format!("cannot open {path}: File name too long"));
        assert_eq!(shown.chars().count(), LONGEST);
        assert!(shown.starts_with("cannot open x/") && shown.ends_with("/: File name too long"));
        // Escaping must not make it longer again.
        assert_eq!(shortened(&"\u{1b}".repeat(LONGEST)).chars().count(), LONGEST);
        assert_eq!(shortened(&"é".repeat(LONGEST)), "é".repeat(LONGEST));
    }

    #[test]
    fn foreign_text_cannot_control_the_terminal_or_fill_it() {
        assert_eq!(plain("a\u{1b}[2Jb\nc\u{9b}é"), "a\\u{1b}[2Jb\\nc\\u{9b}é");
        let long = plain(&"x".repeat(5_000_000));
        assert_eq!(long.chars().count(), LONGEST + 1);
        assert!(long.ends_with('…'));
    }
}
