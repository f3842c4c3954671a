//! A wrong answer: how it is caught, shown and saved.

use std::cell::RefCell;
use std::fmt;
use std::io;
use std::panic;
use std::path::PathBuf;
use std::sync::Once;

/// An input with a wrong answer.
#[derive(Debug)]
pub(crate) struct Failure {
    pub kind: &'static str,
    pub seed: u64,
    /// Number of the input within its kind.
    pub number: u64,
    pub input: Vec<u8>,
    /// The fault, in words.
    pub what: String,
}

/// The longest part of an input that is shown, in bytes.
const SHOWN: usize = 4_000;

impl Failure {
    /// Writes the input to a file of the folder for temporary files.
    pub(crate) fn save(&self) -> io::Result<PathBuf> {
        let name = format!("raywalk-mutate-{}-{}-{}", self.kind, self.seed, self.number);
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, &self.input)?;
        Ok(path)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { kind, seed, number, input, what } = self;
        writeln!(f, "WRONG: {kind}, seed {seed}, input {number}, {} bytes", input.len())?;
        writeln!(f, "{what}")?;
        let cut = if input.len() > SHOWN { "…" } else { "" };
        writeln!(f, "input: {}{cut}", input[..input.len().min(SHOWN)].escape_ascii())?;
        write!(f, "again: --kind {kind} --seed {seed} --first {number} --inputs 1")
    }
}

thread_local! {
    /// The last panic of this thread, with its place.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps panics for [`panic_message`] instead of printing them. Threads that are not ours still print.
pub(crate) fn catch_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let others = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // Tests run on threads with names, and so does `main`.
            if std::thread::current().name().is_some() {
                return others(info);
            }
            let message = info.payload_as_str().unwrap_or("a value that is no text");
            let place = info.location().map(|place| format!(" ({place})")).unwrap_or_default();
            PANIC.set(format!("{message}{place}"));
        }));
    });
}

/// The last panic of this thread.
pub(crate) fn panic_message() -> String {
    PANIC.take()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_says_how_to_make_the_input_again() {
        let input = b"\x1b\xffx\n".to_vec();
        let failure =
            Failure { kind: "fen", seed: 7, number: 12, input, what: "a reason".to_owned() };
        assert_eq!(
            failure.to_string(),
            "WRONG: fen, seed 7, input 12, 4 bytes\na reason\ninput: \\x1b\\xffx\\n\n\
             again: --kind fen --seed 7 --first 12 --inputs 1"
        );
    }
}
