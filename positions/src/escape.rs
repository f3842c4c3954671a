//! Text from outside, as it may stand in a message or a table: on one line, without control characters.

/// The longest text that an error repeats, in characters.
const LONGEST: usize = 60;

/// The text with control characters escaped. Quotes and backslashes stay as they are.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '"' | '\'' | '\\' => escaped.push(letter),
            _ => escaped.extend(letter.escape_debug()),
        }
    }
    escaped
}

/// The beginning of a text, escaped, for an error message.
pub(crate) fn shown(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => escaped(&text[..end]) + "…",
        None => escaped(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_long_texts_cut() {
        assert_eq!(escaped("a\u{1b}[2J\n\"b\" 'c' \\ é"), "a\\u{1b}[2J\\n\"b\" 'c' \\ é");
        assert_eq!(shown(&"é".repeat(60)), "é".repeat(60));
        assert_eq!(shown(&"é".repeat(61)), "é".repeat(60) + "…");
    }
}
