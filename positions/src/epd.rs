//! EPD lines with counts: `FEN ;D1 20 ;D2 400 ;C 0 ;Q 20 ; name`.
//!
//! `D<n>` is the number of legal sequences of n plies, `C` the number of legal captures and `Q` the
//! number of all other legal moves. Operations end with a semicolon, and one before the first
//! operation is optional. The FEN may omit its counters, or be `startpos`. A byte order mark before
//! the first line is ignored. `#` starts a comment line; a comment of the form `# [word] …` starts a
//! group.
//!
//! The text after the last operation is the position's name, with or without a semicolon before it,
//! and so is the operand of `id`. The other operations of the standard are skipped by name. Anything
//! else that looks like an operation (`D1=20`, `perft 1 20`) is an error and not a name: a count that
//! was misspelt must not turn into a check that is never made.
//!
//! # Source
//! Steven J. Edwards, *Portable Game Notation Specification and Implementation Guide* (1994),
//! section 16.2.

use std::ops::ControlFlow;

use raywalk_core::Position;
use raywalk_core::fen::FenError;

use crate::escape::shown;

/// The operations of the standard, all of which are skipped except `id`.
#[rustfmt::skip]
const STANDARD: [&str; 45] = [
    "acd", "acn", "acs", "am", "bm", "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9",
    "ce", "dm", "draw_accept", "draw_claim", "draw_offer", "draw_reject", "eco", "fmvn", "hmvc",
    "id", "nic", "noop", "pm", "pv", "rc", "resign", "sm", "tcgs", "tcri", "tcsi",
    "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9",
];

/// The largest depth of a count. A larger depth is a typing error; counting it would not end.
const MAX_DEPTH: u32 = 20;

/// A position with known counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The position that the line describes.
    pub position: Position,
    /// FEN of the position, as written, or that of the start position for `startpos`.
    pub fen: String,
    /// The name; `line 12` if line 12 has none.
    pub name: String,
    /// The group, empty before the first group.
    pub group: String,
    /// Line number, from 1.
    pub line: usize,
    /// Pairs of depth and perft count, in the order of the line.
    pub perft: Vec<(u32, u64)>,
    /// Number of legal captures, if given.
    pub captures: Option<u64>,
    /// Number of legal moves that are not captures, if given.
    pub quiets: Option<u64>,
}

impl Fact {
    /// The perft count of a depth, if given.
    pub fn count(&self, depth: u32) -> Option<u64> {
        self.perft.iter().find(|&&(given, _)| given == depth).map(|&(_, count)| count)
    }

    /// Number of known counts: perft depths, captures and quiets.
    pub fn counts(&self) -> usize {
        self.perft.len() + [self.captures, self.quiets].into_iter().flatten().count()
    }
}

/// A line cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct EpdError {
    /// Line number, from 1.
    pub line: usize,
    /// The problem with the line.
    pub why: Why,
}

/// The reason why a line cannot be read. Texts from the line are escaped and cut.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// The FEN is malformed, or its position is not valid.
    #[error("the position cannot be read: {0}")]
    Fen(#[from] FenError),
    /// The operand of an operation is not an unsigned 64-bit number.
    #[error("`{operand}` is not a valid count for `{operation}`")]
    Count {
        /// `D3`, `C` or `Q`.
        operation: String,
        /// The text after the operation.
        operand: String,
    },
    /// A depth above 20, which is a typing error.
    #[error("`{0}` is deeper than {MAX_DEPTH} plies")]
    Depth(String),
    /// An operation, or the name, occurs twice.
    #[error("`{0}` is given twice")]
    Twice(String),
    /// A text in quotes does not end.
    #[error("the text of `{0}` has no closing quote")]
    Quote(String),
    /// A field before the last one is not an operation.
    #[error("`{0}` is not an operation (D<depth>, C, Q); only the last field may be a name")]
    Operation(String),
    /// The last field looks like a misspelt operation.
    #[error(
        "`{0}` is not an operation; a count is written `D1 20`, `C 8` or `Q 40`, and a name that looks \
         like one `id \"name\"`"
    )]
    Misspelt(String),
}

/// Reads all lines of a text.
///
/// # Errors
/// [`EpdError`] for the first line that cannot be read.
pub fn read(text: &str) -> Result<Vec<Fact>, EpdError> {
    let mut facts = Vec::new();
    each(text, |fact| {
        facts.push(fact);
        ControlFlow::Continue(())
    })?;
    Ok(facts)
}

/// Reads a text line by line. `visit` receives each line and may end the reading.
pub(crate) fn each(
    text: &str,
    mut visit: impl FnMut(Fact) -> ControlFlow<()>,
) -> Result<(), EpdError> {
    // Editors of some systems put a byte order mark before the text.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut group = String::new();
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.trim();
        if let Some(comment) = text.strip_prefix('#') {
            if let Some((name, _)) =
                comment.trim().strip_prefix('[').and_then(|c| c.split_once(']'))
            {
                name.trim().clone_into(&mut group);
            }
        } else if !text.is_empty() {
            let fact = read_line(text, line, &group).map_err(|why| EpdError { line, why })?;
            if visit(fact).is_break() {
                break;
            }
        }
    }
    Ok(())
}

fn read_line(text: &str, line: usize, group: &str) -> Result<Fact, Why> {
    let (fen, mut rest) = split_fen(text);
    let fen = if fen == "startpos" { Position::START } else { fen };
    let mut fact = Fact {
        position: fen.parse()?,
        fen: fen.to_owned(),
        name: String::new(),
        group: group.to_owned(),
        line,
        perft: Vec::new(),
        captures: None,
        quiets: None,
    };
    while let Some(field) = next_field(&mut rest) {
        let (word, operand) = field.split_once(char::is_whitespace).unwrap_or((field, ""));
        let name = match Operation::of(word) {
            Some(Operation::Standard) => standard(word, operand.trim())?,
            Some(Operation::Count(kind)) => count(&mut fact, kind, word, operand.trim())?,
            None => field,
        };
        if name.is_empty() {
            continue;
        }
        if word != "id" {
            if !rest.trim_matches([';', ' ', '\t']).is_empty() {
                return Err(Why::Operation(shown(name)));
            }
            if looks_like_an_operation(name) {
                return Err(Why::Misspelt(shown(field)));
            }
        }
        if !fact.name.is_empty() {
            return Err(Why::Twice("id".to_owned()));
        }
        name.clone_into(&mut fact.name);
    }
    if fact.name.is_empty() {
        fact.name = format!("line {line}");
    }
    Ok(fact)
}

/// Separates the FEN from the operations. The FEN ends at a semicolon, or at an operation after its
/// fourth field, as in `4k3/8/8/8/8/8/8/4K3 w - - bm Kd2; id "kings";`.
fn split_fen(text: &str) -> (&str, &str) {
    let end = text.find(';').unwrap_or(text.len());
    let required = if text.starts_with("startpos") { 1 } else { 4 };
    let mut start = 0;
    for (field, word) in text[..end].split(' ').enumerate() {
        if field >= required && Operation::of(word).is_some() {
            return (text[..start].trim_end(), &text[start..]);
        }
        start += word.len() + 1;
    }
    (text[..end].trim_end(), &text[end..])
}

/// Takes the next field that is not empty from `rest`. A semicolon in quotes does not end an
/// operation of the standard; elsewhere a quote is a letter like any other.
fn next_field<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let text = rest.trim_start_matches(|c: char| c == ';' || c.is_whitespace());
    let word = text.split(|c: char| c == ';' || c.is_whitespace()).next()?;
    let quotes = STANDARD.contains(&word);
    let mut inside = false;
    let end = text.find(|c| {
        inside ^= quotes && c == '"';
        c == ';' && !inside
    });
    let (field, after) = text.split_at(end.unwrap_or(text.len()));
    *rest = after;
    (!field.is_empty()).then(|| field.trim_end())
}

/// Skips an operation of the standard. Returns the name if it is `id`.
fn standard<'a>(word: &str, operand: &'a str) -> Result<&'a str, Why> {
    if operand.matches('"').count() % 2 == 1 {
        return Err(Why::Quote(word.to_owned()));
    }
    Ok(if word == "id" { operand.trim_matches('"').trim() } else { "" })
}

/// Stores a count. Returns the text after it.
fn count<'a>(fact: &mut Fact, kind: Kind, word: &str, operand: &'a str) -> Result<&'a str, Why> {
    let (digits, after) = operand.split_once(char::is_whitespace).unwrap_or((operand, ""));
    // `parse` accepts a plus sign.
    let count = digits
        .parse()
        .ok()
        .filter(|_| is_number(digits))
        .ok_or_else(|| Why::Count { operation: shown(word), operand: shown(digits) })?;
    let twice = match kind {
        Kind::Depth(None) => return Err(Why::Depth(shown(word))),
        Kind::Depth(Some(depth)) => {
            let twice = fact.count(depth).is_some();
            fact.perft.push((depth, count));
            twice
        }
        Kind::Captures => fact.captures.replace(count).is_some(),
        Kind::Quiets => fact.quiets.replace(count).is_some(),
    };
    if twice { Err(Why::Twice(shown(word))) } else { Ok(after.trim()) }
}

enum Operation {
    Count(Kind),
    Standard,
}

#[derive(Clone, Copy)]
enum Kind {
    /// Perft count of a depth; `None` beyond [`MAX_DEPTH`].
    Depth(Option<u32>),
    Captures,
    Quiets,
}

impl Operation {
    fn of(word: &str) -> Option<Operation> {
        match word {
            "C" => Some(Operation::Count(Kind::Captures)),
            "Q" => Some(Operation::Count(Kind::Quiets)),
            _ if STANDARD.contains(&word) => Some(Operation::Standard),
            _ => {
                let digits = word.strip_prefix('D').filter(|digits| is_number(digits))?;
                let depth = digits.parse().ok().filter(|&depth| depth <= MAX_DEPTH);
                Some(Operation::Count(Kind::Depth(depth)))
            }
        }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether the last field of a line was probably meant as an operation: it assigns, quotes, ends with
/// a number, or begins with a letter of an operation and digits.
fn looks_like_an_operation(field: &str) -> bool {
    let mut words = field.split_whitespace();
    let first = words.next().unwrap_or_default();
    let last = words.next_back().unwrap_or(first);
    let letter = first.strip_prefix(['D', 'd', 'C', 'c', 'Q', 'q']).unwrap_or_default();
    field.contains(['=', '"'])
        || is_number(last)
        || Operation::of(first).is_some()
        || letter.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests;
