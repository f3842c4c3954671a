//! EPD lines with counts: `FEN ;D1 20 ;D2 400 ;C 0 ;Q 20 ; name`.
//!
//! `D<n>` is the number of legal sequences of n plies, `C` the number of legal captures and `Q` the
//! number of all other legal moves. The text after the last operation is the position's name. `#`
//! starts a comment line; a comment of the form `# [word] …` starts a group. The FEN may omit its
//! counters.

use raywalk_core::Position;
use raywalk_core::fen::FenError;

/// A position with known counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The position.
    pub position: Position,
    /// Its FEN, as written.
    pub fen: String,
    /// The name at the end of the line; `line 12` if line 12 has none.
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
}

/// A line cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct EpdError {
    /// Line number, from 1.
    pub line: usize,
    /// The reason.
    pub why: Why,
}

/// The reason why a line cannot be read.
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
    /// An operation occurs twice.
    #[error("`{0}` is given twice")]
    Twice(String),
    /// A field before the last one is not an operation.
    #[error("`{0}` is not an operation (D<depth>, C, Q); only the last field may be a name")]
    Operation(String),
}

/// Reads all lines of a text.
///
/// # Errors
/// [`EpdError`] for the first line that cannot be read.
pub fn read(text: &str) -> Result<Vec<Fact>, EpdError> {
    let (mut facts, mut group) = (Vec::new(), String::new());
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
            facts.push(fact);
        }
    }
    Ok(facts)
}

fn read_line(text: &str, line: usize, group: &str) -> Result<Fact, Why> {
    let mut parts = text.split(';').map(str::trim);
    let fen = parts.next().unwrap_or_default();
    let mut fact = Fact {
        position: fen.parse()?,
        fen: fen.to_owned(),
        name: format!("line {line}"),
        group: group.to_owned(),
        line,
        perft: Vec::new(),
        captures: None,
        quiets: None,
    };
    let mut parts = parts.filter(|part| !part.is_empty()).peekable();
    while let Some(part) = parts.next() {
        let (operation, operand) = part.split_once(char::is_whitespace).unwrap_or((part, ""));
        let Some(known) = Operation::of(operation) else {
            if parts.peek().is_some() {
                return Err(Why::Operation(part.to_owned()));
            }
            part.clone_into(&mut fact.name);
            break;
        };
        let count = operand.trim().parse().map_err(|_| Why::Count {
            operation: operation.to_owned(),
            operand: operand.trim().to_owned(),
        })?;
        let twice = match known {
            Operation::Depth(depth) => {
                let twice = fact.count(depth).is_some();
                fact.perft.push((depth, count));
                twice
            }
            Operation::Captures => fact.captures.replace(count).is_some(),
            Operation::Quiets => fact.quiets.replace(count).is_some(),
        };
        if twice {
            return Err(Why::Twice(operation.to_owned()));
        }
    }
    Ok(fact)
}

enum Operation {
    Depth(u32),
    Captures,
    Quiets,
}

impl Operation {
    fn of(word: &str) -> Option<Operation> {
        match word {
            "C" => Some(Operation::Captures),
            "Q" => Some(Operation::Quiets),
            _ => {
                let digits = word.strip_prefix('D')?;
                let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
                digits.parse().ok().filter(|_| plain).map(Operation::Depth)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINGS: &str = "8/8/8/3k4/8/3K4/8/8 w - -";

    fn message(line: &str) -> String {
        read(&format!("\n{line}")).expect_err("an error").to_string()
    }

    #[test]
    fn a_line_yields_counts_name_group_and_line_number() {
        let text =
            format!("# [own] ours\n#\n\n{KINGS} 0 1 ;D1 5 ;D2 36;C 0 ;Q 5 ; two kings\n{KINGS}");
        let facts = read(&text).expect("two valid lines");
        let [full, bare] = facts.as_slice() else { panic!("two lines, not {}", facts.len()) };
        assert_eq!((full.line, full.group.as_str(), full.name.as_str()), (4, "own", "two kings"));
        assert_eq!(full.perft, [(1, 5), (2, 36)]);
        assert_eq!((full.count(2), full.count(3)), (Some(36), None));
        assert_eq!((full.captures, full.quiets), (Some(0), Some(5)));
        assert_eq!((bare.line, bare.name.as_str(), bare.perft.len()), (5, "line 5", 0));
        assert_eq!(bare.fen, KINGS);
    }

    #[test]
    fn errors_name_the_line_and_the_reason() {
        assert_eq!(
            message(&format!("{KINGS} ;D1 five ; name")),
            "line 2: `five` is not a valid count for `D1`"
        );
        assert_eq!(message(&format!("{KINGS} ;D1 5 ;D1 5")), "line 2: `D1` is given twice");
        assert_eq!(
            message(&format!("{KINGS} ;acd 5 ;D2 36")),
            "line 2: `acd 5` is not an operation (D<depth>, C, Q); only the last field may be a name"
        );
        assert_eq!(
            message(&format!("{KINGS} ;D1 99999999999999999999")),
            "line 2: `99999999999999999999` is not a valid count for `D1`"
        );
        assert!(message("8/8 w - -").starts_with("line 2: the position cannot be read: "));
    }

    proptest::proptest! {
        #[test]
        fn reading_never_panics(text in "[ -~\n]{0,80}") {
            let _ = read(&text);
        }

        #[test]
        fn reading_operations_never_panics(text in "[ -~]{0,40}") {
            let _ = read(&format!("{KINGS} 0 1 ;{text}"));
        }
    }
}
