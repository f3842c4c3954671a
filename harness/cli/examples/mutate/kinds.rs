//! The kinds of inputs: the corpus of each, its reader, and what must hold for the reader's answer.

use raywalk::console;

use crate::mutation::Corpus;

mod games;
mod journal;
mod plan;
pub(crate) mod position;

/// A kind of input. A further one is a further row of [`KINDS`].
pub(crate) struct Kind {
    pub name: &'static str,
    /// Makes the valid texts that inputs are mutated from.
    pub corpus: fn() -> Corpus,
    /// Reads an input, and checks the answer. The second argument is the number of the input, so that
    /// checks that take long can be made for some inputs only.
    pub read: fn(&[u8], u64) -> Checked,
}

/// The reader's answer, or the sentence that says what is wrong with it.
pub(crate) type Checked = Result<Answer, String>;

/// A right answer of a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Accepted,
    Refused,
}

pub(crate) const KINDS: [Kind; 5] = [
    Kind { name: "fen", corpus: position::fens, read: position::read_fen },
    Kind { name: "epd", corpus: position::epds, read: position::read_epd },
    Kind { name: "pgn", corpus: games::games, read: games::read },
    Kind { name: "plan", corpus: plan::plans, read: plan::read },
    Kind { name: "journal", corpus: journal::journals, read: journal::read },
];

/// The longest line that may answer an input, in characters.
const LONGEST: usize = 1_500;

/// Checks what the program does with an error: it ends with exit code 2 and prints one line.
pub(crate) fn refused(error: &anyhow::Error) -> Checked {
    let (line, code) = console::answer(error);
    if code != 2 {
        return Err(format!("the exit code is {code} instead of 2: {line}"));
    }
    check_line(line.strip_prefix("raywalk: ").unwrap_or(&line))?;
    Ok(Answer::Refused)
}

/// Checks that a message is one line that can be shown as it is.
fn check_line(line: &str) -> Result<(), String> {
    let length = line.chars().count();
    match line {
        _ if line.trim().is_empty() => Err("the message is empty".to_owned()),
        _ if length >= LONGEST => Err(format!("the message has {length} characters")),
        _ if line.contains(char::is_control) => {
            Err(format!("the message has a control character: {line:?}"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    #[test]
    fn every_seed_is_accepted() {
        for kind in &KINDS {
            let seeds = (kind.corpus)().seeds;
            assert!(!seeds.is_empty(), "{}", kind.name);
            for seed in seeds {
                // Number 0 takes part in every check.
                let answer = (kind.read)(&seed, 0);
                assert_eq!(answer, Ok(Answer::Accepted), "{}: {}", kind.name, seed.escape_ascii());
            }
        }
    }

    #[test]
    fn every_kind_refuses_nonsense() {
        for kind in &KINDS {
            let answer = (kind.read)(b"nonsense", 0);
            assert_eq!(answer, Ok(Answer::Refused), "{}", kind.name);
        }
    }

    #[test]
    fn a_message_is_one_short_line_without_control_characters() {
        assert_eq!(check_line("line 3: too many ranks"), Ok(()));
        for bad in ["", " ", "two\nlines", "\u{1b}[2J", &"x".repeat(1_500)] {
            assert!(check_line(bad).is_err(), "{bad:?}");
        }
        assert_eq!(refused(&anyhow!("a reason")), Ok(Answer::Refused));
        assert!(refused(&anyhow!("")).is_err());
    }
}
