//! Limits how deep the brackets of a plan file nest.
//!
//! The TOML parser limits its recursion, but loses count after some errors: thousands of `{[]a=` overflow its stack
//! and abort the program. Brackets are therefore counted before it runs. The lexer of the parser finds them, so that
//! both agree on texts and comments.

use toml_parser::Source;
use toml_parser::lexer::TokenKind;

/// The deepest nesting of brackets. A plan needs four: `panels = [{ regime = { pressure = ["0"] } }]`.
pub(super) const DEEPEST: usize = 16;

/// The place of the first bracket that nests too deep, in bytes.
pub(super) fn too_deep(text: &str) -> Option<usize> {
    use TokenKind::{LeftCurlyBracket, LeftSquareBracket, RightCurlyBracket, RightSquareBracket};
    let mut open = Vec::new();
    for token in Source::new(text).lex() {
        let closed = match token.kind() {
            kind @ (LeftSquareBracket | LeftCurlyBracket) => {
                if open.len() == DEEPEST {
                    return Some(token.span().start());
                }
                open.push(kind);
                continue;
            }
            RightSquareBracket => LeftSquareBracket,
            RightCurlyBracket => LeftCurlyBracket,
            _ => continue,
        };
        // A bracket that closes nothing is an error, after which the parser stays as deep as it is.
        open.pop_if(|last| *last == closed);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_brackets_outside_texts_and_comments_nest() {
        let nested = |levels: usize| format!("x = {}1{}", "[".repeat(levels), "]".repeat(levels));
        assert_eq!(too_deep(&nested(DEEPEST)), None);
        assert_eq!(too_deep(&nested(DEEPEST + 1)), Some("x = ".len() + DEEPEST));
        let brackets = "[{".repeat(100);
        let text =
            format!("x = \"{brackets}\" # {brackets}\ny = '{brackets}'\n{}", "[[a]]\n".repeat(50));
        assert_eq!(too_deep(&text), None);
        assert_eq!(too_deep(&"{]".repeat(DEEPEST)), None);
        assert_eq!(too_deep(&"{]".repeat(DEEPEST + 1)), Some(2 * DEEPEST));
    }
}
