//! Errors of JSON without the language of its parser, which names types of Rust.

/// Phrases of serde's errors, each with its replacement.
const WORDS: [(&str, &str); 14] = [
    ("expected u64", "expected a whole number from 0 to 2^64 - 1"),
    ("expected usize", "expected a whole number from 0 to 2^64 - 1"),
    ("expected u32", "expected a whole number from 0 to 2^32 - 1"),
    ("expected u16", "expected a whole number from 0 to 65535"),
    ("expected i32", "expected a whole number from -2^31 to 2^31 - 1"),
    ("expected f64", "expected a number"),
    ("expected a sequence", "expected a list"),
    ("expected a map", "expected an object"),
    ("expected variant identifier", "expected a name"),
    ("invalid type: sequence", "invalid type: list"),
    ("invalid type: map", "invalid type: object"),
    ("unknown variant `", "unknown name `"),
    ("duplicate field `", "duplicate key `"),
    ("EOF while parsing", "the text ends within"),
];

/// The message of an error, with its position.
pub fn in_words(error: &serde_json::Error) -> String {
    let mut message = without_structs(error.to_string());
    for (theirs, ours) in WORDS {
        message = message.replace(theirs, ours);
    }
    message
}

/// The message of an error in a text of one line, with its column.
pub fn in_line(error: &serde_json::Error) -> String {
    let (line, column) = (error.line(), error.column());
    let message = in_words(error);
    match message.strip_suffix(&format!(" at line {line} column {column}")) {
        // At its end, the parser is in the next line already.
        Some(message) if line > 1 || column == 0 => message.to_owned(),
        Some(message) => format!("{message} in column {column}"),
        None => message,
    }
}

/// Replaces `expected struct Name`, which names a type of Rust, by `expected an object`.
fn without_structs(message: String) -> String {
    const STRUCT: &str = "expected struct ";
    let Some((before, rest)) = message.split_once(STRUCT) else { return message };
    let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    format!("{before}expected an object{}", &rest[end..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Absent, Clock, Record};

    fn error<T: serde::de::DeserializeOwned>(text: &str) -> serde_json::Error {
        serde_json::from_str::<T>(text).err().expect(text)
    }

    fn record_error(text: &str) -> serde_json::Error {
        Record::parse(text.as_bytes()).expect_err(text)
    }

    #[test]
    fn no_message_names_a_type_of_rust() {
        for (error, expected) in [
            (
                error::<u64>("-1"),
                "invalid value: integer `-1`, expected a whole number from 0 to 2^64 - 1",
            ),
            (error::<u16>("70000"), "integer `70000`, expected a whole number from 0 to 65535"),
            (error::<f64>("\"1\""), "invalid type: string \"1\", expected a number"),
            (error::<Vec<u64>>("{}"), "invalid type: object, expected a list"),
            (error::<Clock>("7"), "invalid type: integer `7`, expected an object"),
            (record_error("7"), "invalid type: integer `7`, expected a record"),
            (record_error("{\"record\":2}"), "invalid type: integer `2`, expected a string"),
            (record_error("{\"record\":\"x\"}"), "unknown name `x`, expected one of"),
            (error::<Absent>("{\"instrument\":\"x\"}"), "expected the name of an instrument"),
        ] {
            let message = in_line(&error);
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn a_position_in_one_line_is_its_column() {
        assert_eq!(in_line(&error::<u64>("7 x")), "trailing characters in column 3");
        assert_eq!(in_line(&error::<Vec<u64>>("[7\n")), "the text ends within a list");
        assert_eq!(in_words(&error::<u64>("\n\nx")), "expected value at line 3 column 1");
    }
}
